/** Sentences about how the API server is reached. */
import { plainRefused, servedOverTls } from '../../src/checks/authorization/transport.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';

Then('the API server is reached over TLS', { needs: ['requests'] }, function (this: World) {
  this.check(servedOverTls, { server: this.target.facts.server });
});

Then('the API server answers no request that came without TLS', { needs: ['tls'] }, async function (this: World) {
  const { server } = this.target.facts;
  this.check(plainRefused, { server, head: await this.ability('tls').plain() });
});
