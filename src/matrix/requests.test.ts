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
});
