/** What the checks of signatures say they see. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../model/check.js';
import * as jws from './jws.js';
import { readSignatures, type Signatures } from './jws-reader.js';

const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const HEADER = encoded('{"alg":"HS256","kid":"abcdef"}');
const MAC = 'A'.repeat(43);
const read = (value: string): Promise<Signatures> =>
  readSignatures({ metadata: {}, data: { kubeconfig: '', 'jws-kubeconfig-abcdef': value } }, [
    { id: 'abcdef', half: '0123456789abcdef' },
  ]);
const seen = async (check: Check<Signatures>, value: string): Promise<unknown> =>
  check.judge(await read(value), undefined)[0]?.seen;
const withHeader = (text: string): string => `${encoded(text)}..${MAC}`;
const NO_HEADER = 'the header is no JSON object';

describe('what is seen of a signature', () => {
  for (const [check, value, told] of [
    [jws.signatureShape, `${HEADER}..${MAC}`, 'it is'],
    [jws.signatureShape, '', 'it is empty'],
    [jws.signatureShape, '{}', 'it is JSON'],
    [jws.signatureShape, 'a.b', '1 dots'],
    [jws.signatureShape, 'a.b.c', 'the payload stands between the dots'],
    [jws.signatureShape, 'a..', 'an outer part is empty'],
    [jws.signatureShape, 'a..+', 'an outer part is no base64url'],
    [jws.signatureAlgorithm, 'a..b', NO_HEADER],
    [jws.signatureAlgorithm, withHeader('{}'), 'the header has no alg'],
    [jws.signatureAlgorithm, withHeader('{"alg":"none"}'), 'alg "none"'],
    [jws.signatureKeyId, 'a..b', NO_HEADER],
    [jws.signatureKeyId, withHeader('{"kid":"abcdef"}'), 'kid "abcdef"'],
    [jws.signatureKeyId, withHeader('{}'), 'the header has no kid'],
    [jws.signatureKeyId, withHeader('{"kid":"x"}'), 'kid is another'],
    [jws.signatureHeader, 'a..b', NO_HEADER],
    [jws.signatureHeader, `${HEADER}..${MAC}`, 'it has'],
    [jws.signatureHeader, withHeader('{}'), 'it has nothing'],
    [jws.signatureHeader, withHeader('{"alg":"HS256"}'), 'it has alg'],
    [jws.signatureHeader, withHeader('{"typ":"JWT","cty":"a"}'), 'it also has cty, typ'],
    [jws.signatureHeader, withHeader('{"kid":"abcdef","alg":"HS256"}'), 'the same members in other bytes'],
    [jws.signatureOrdinaryPayload, 'a..b', NO_HEADER],
    [jws.signatureOrdinaryPayload, `${HEADER}..${MAC}`, 'neither crit nor b64'],
    [jws.signatureOrdinaryPayload, withHeader('{"crit":[],"b64":1}'), 'the header has b64 and crit'],
    [jws.signatureLength, `${HEADER}..${MAC}`, 'it has'],
    [jws.signatureLength, `${HEADER}..${MAC}=`, '44 characters, padded'],
    [jws.signatureLength, `${HEADER}..${'0'.repeat(64)}`, '64 characters of hexadecimal digits'],
    [jws.signatureLength, `${HEADER}..abc`, '3 characters'],
    [jws.eachTokenHasSignature, '', 'it is empty'],
    [jws.eachTokenHasSignature, 'x', 'it is'],
    [jws.signatureExact, 'x', 'it is another text'],
  ] as const)
    it(`by ${check.id} is said: ${told}`, async () => assert.equal(await seen(check, value), told));

  it('is not met without a header, whatever is asked of it', async () => {
    for (const check of [jws.signatureAlgorithm, jws.signatureKeyId, jws.signatureOrdinaryPayload])
      assert.equal(check.judge(await read('a..b'), undefined)[0]?.result, 'unmet', check.id);
  });

  it('is said of the tokens of others, and of ConfigMaps', async () => {
    const own = { verifies: false, recipe: null };
    const { signatures, ...all } = await read('x');
    const shared = { ...all, signatures: signatures.map((one) => ({ ...one, own, others: ['bbbbbb', 'cccccc'] })) };
    const [finding] = jws.signatureOfOneToken.judge(shared, undefined);
    assert.equal(finding?.seen, 'it verifies with bbbbbb, cccccc');
    const map = (there: boolean, found: readonly string[]) => ({ subject: 'a', there, signatures: found });
    const maps = jws.mapUnsigned.judge([map(true, []), map(true, ['x', 'y']), map(false, [])], undefined);
    assert.deepEqual(
      maps.map(({ seen: told }) => told),
      ['it has none', 'it has x, y', 'it is gone'],
    );
  });
});
