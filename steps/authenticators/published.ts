/** Sentences about what is published of the tokens of service accounts. */

import { publishedVerifies, readPublished } from '../../src/checks/authenticators/openid.js';
import { JWKS } from '../../src/checks/node-files/node-authorities.js';
import { isRecord, record } from '../../src/kubernetes/json.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { TOKEN } from '../common/tokens.js';

/** As whoever may do everything: everybody who may is shown the same. */
async function shown(world: World, path: string) {
  const { status, body } = await world.admin.ask({ path, headers: { ...JWKS } });
  if (status !== 200 || !isRecord(body))
    return world.skip('nothing', `the API server does not show ${path}: it answers ${status}`);
  return record(body);
}

Then('what is published of tokens verifies it', { needs: ['requests'] }, async function (this: World) {
  const document = await shown(this, '/.well-known/openid-configuration');
  const keys = await shown(this, '/openid/v1/jwks');
  const { label: subject, token } = this.get(TOKEN);
  this.check(publishedVerifies, readPublished({ subject, token }, document, keys));
});
