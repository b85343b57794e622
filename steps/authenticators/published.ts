/** Sentences about what is published of the tokens of service accounts. */

import { publishedVerifies, readPublished } from '../../src/checks/authenticators/openid.js';
import { readSaying, saysJustThat } from '../../src/checks/common/sayings.js';
import { JWKS } from '../../src/checks/node-files/node-authorities.js';
import { isRecord, record } from '../../src/kubernetes/json.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { TOKEN } from '../common/tokens.js';

const DOCUMENT = '/.well-known/openid-configuration';
const KEYS = '/openid/v1/jwks';

/** As whoever may do everything: everybody who may is shown the same. */
async function shown(world: World, path: string) {
  const { status, body } = await world.admin.ask({ path, headers: { ...JWKS } });
  if (status !== 200 || !isRecord(body))
    return world.skip('nothing', `the API server does not show ${path}: it answers ${status}`);
  return record(body);
}

Then('what is published of tokens verifies it', { needs: ['requests'] }, async function (this: World) {
  const document = await shown(this, DOCUMENT);
  const keys = await shown(this, KEYS);
  const { label: subject, token } = this.get(TOKEN);
  this.check(publishedVerifies, readPublished({ subject, token }, document, keys));
});

/** Source: pkg/serviceaccount/openidmetadata.go; OpenID Connect Discovery 1.0, 3; RFC 7517, 8.5.2. */
Then('both documents of it are of the form that clients read', { needs: ['requests'] }, async function (this: World) {
  const document = await this.admin.ask({ path: DOCUMENT, headers: { ...JWKS } });
  const keys = await this.admin.ask({ path: KEYS, headers: { ...JWKS } });
  const said = { 'header content-type': 'application/json', response_types_supported: '["id_token"]' };
  this.check(saysJustThat, [
    readSaying(DOCUMENT, { status: 200, says: { ...said, subject_types_supported: '["public"]' } }, document),
    readSaying(KEYS, { status: 200, says: { 'header content-type': 'application/jwk-set+json' } }, keys),
  ]);
});
