import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { base64 } from '../kubernetes/json.js';
import type { ExchangeSeen, Report } from '../model/report.js';
import { askedIn } from './requests.js';
import { linesOtherwise } from './rule-lines.js';

const reportOf = (...exchanges: readonly ExchangeSeen[]): Report =>
  ({ rules: [{ id: 'TOK-001', scenarios: [{ judgements: [{ exchanges }] }] }] }) as unknown as Report;
const asked = (...exchanges: readonly ExchangeSeen[]): readonly string[] =>
  askedIn(reportOf(...exchanges))['TOK-001'] ?? [];

const posted = (body: object, as = 'admin'): ExchangeSeen => ({
  as,
  request: 'POST /api/v1/namespaces/kube-system/secrets',
  status: 201,
  sent: JSON.stringify(body),
});
const tokenOf = (id: string, mark: string, expires: string): object => ({
  metadata: { name: `bootstrap-token-${id}`, labels: { 'joinproof.io/run': mark } },
  data: { 'token-id': base64(id), expiration: base64(expires), 'usage-bootstrap-signing': base64('true') },
});

describe('what a rule asks', () => {
  it('is the same in every run, whatever names, marks and times it has', () => {
    const one = asked(posted(tokenOf('abcdef', 'aaaaaaaaaa', '2026-01-31T10:00:00Z')));
    assert.deepEqual(asked(posted(tokenOf('ghijkl', 'bbbbbbbbbb', '2027-02-01T11:30:00+01:00'))), one);
    assert.match(one[0] ?? '', /^admin POST \/api\/v1\/namespaces\/kube-system\/secrets [0-9a-f]{8}$/);
  });

  it('is another one with another body, another caller, another query', () => {
    const body = { kind: 'TokenRequest', spec: { audiences: ['a'] } };
    const before = { 'TOK-001': asked(posted(body)) };
    for (const other of [
      posted({ spec: { audiences: ['a'] } }),
      posted({ ...body, spec: {} }),
      posted(body, 'anonymous'),
      { ...posted(body), request: `${posted(body).request}?dryRun=All` },
    ]) {
      const problems = linesOtherwise('asks', { 'TOK-001': asked(other) }, before);
      assert.deepEqual(
        problems.map((said) => said.replace(/:.*/, '')),
        ['TOK-001 no longer asks', 'TOK-001 newly asks'],
      );
    }
  });

  it('is another one with a header more, and with another one, in this order', () => {
    const headers = ['impersonate-user: a', 'accept: application/jwk-set+json'];
    const [line = ''] = asked({ as: 'admin', request: 'GET /openid/v1/jwks', status: 200, headers });
    assert.equal(line, 'admin GET /openid/v1/jwks [impersonate-user: a] [accept: application/jwk-set+json]');
  });

  it('leaves out what whoever comes first reads for all', () => {
    assert.deepEqual(asked({ as: 'admin', request: 'GET /api/v1/secrets?limit=500', status: 200 }), []);
  });

  const sent = (value: unknown): readonly string[] => asked(posted({ value }));
  const PEM = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`;
  const alike: readonly (readonly [unknown, unknown])[] = [
    ['2026-01-31T10:00:00Z', '2027-02-01T11:30:00.5+01:00'],
    ['resourceVersion=12', 'resourceVersion=345'],
    ['timeoutSeconds=12', 'timeoutSeconds=345'],
    ['abcdef', '012345'],
    ['the abcdef.[redacted]', 'the 012345.[redacted]'],
    [PEM('ab'), PEM('cd')],
    ['0'.repeat(64), 'f'.repeat(64)],
    ['x'.repeat(100), 'y'.repeat(101)],
    ['[redacted]Ab=', '[redacted]c=='],
    ['a # changed by joinproof abc', 'a # changed by joinproof d1'],
    [{ uid: 'a' }, { uid: 'b' }],
    [{ resourceVersion: 'a' }, { resourceVersion: 'b' }],
    [{ resourceName: 'a' }, { resourceName: 'b' }],
    [{ 'joinproof.io/run': 'a' }, { 'joinproof.io/run': 'b' }],
    [{ port: 32_768 }, { port: 45_000 }],
    [{ 'token-id': base64('abcdef') }, { 'token-id': base64('012345') }],
  ];
  const different: readonly (readonly [unknown, unknown])[] = [
    ['2026-01-31', '2027-02-01'],
    ['limit=12', 'limit=345'],
    ['abcdefg', '0123456'],
    ['abcdef.x', '012345.x'],
    [PEM('ab'), PEM('ab').replaceAll('CERTIFICATE', 'PRIVATE KEY')],
    ['0'.repeat(63), '1'.repeat(63)],
    ['x'.repeat(99), 'y'.repeat(99)],
    ['[redacted] a', '[redacted] b'],
    [{ name: 'aa' }, { name: 'bb' }],
    [{ port: 32_767 }, { port: 32_766 }],
    [{ number: 45_000 }, { number: 45_001 }],
    [{ port: '45000' }, { port: '45001' }],
    [{ 'token-id': base64('abcdef') }, { 'token-id': base64('abcde') }],
    [{ 'token-id': base64('abcdef') }, { 'token-id': base64('abcdeF') }],
    [{ 'token-id': base64('abcdef') }, { 'token-id': base64('abc-ef') }],
    [{ 'token-id': 5 }, { 'token-id': 6 }],
    [base64('one text'), base64('another')],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['a', 'a'], ['a']],
    ['', 'a'],
    [1, true],
  ];
  for (const [one, other] of alike)
    it(`takes ${JSON.stringify(one)} for ${JSON.stringify(other)}`, () => assert.deepEqual(sent(one), sent(other)));
  for (const [one, other] of different)
    it(`tells ${JSON.stringify(one)} from ${JSON.stringify(other)}`, () => assert.notDeepEqual(sent(one), sent(other)));

  it('is the same where what is encoded is the same in every run', () => {
    assert.deepEqual(sent(base64('at 2026-01-31T10:00:00Z')), sent(base64('at 2027-02-01T11:30:00Z')));
  });
});
