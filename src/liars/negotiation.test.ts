import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formRefused } from './negotiation.js';

const NODES = '/api/v1/nodes';
const status = (method: string, headers: Readonly<Record<string, string>>, path = NODES): number | undefined => {
  const reply = formRefused({ method, path, headers });
  return typeof reply === 'object' ? reply.status : undefined;
};

describe('what an API server refuses of forms', () => {
  for (const [accept, expected] of [
    ['', undefined],
    ['*/*', undefined],
    ['application/json', undefined],
    ['Application/JSON;q=0.9', undefined],
    ['application/yaml', undefined],
    ['application/vnd.kubernetes.protobuf', undefined],
    ['text/html, application/json', undefined],
    ['text/html', 406],
    ['application/*', 406],
    ['application/merge-patch+json', 406],
  ] as const)
    it(`answers in ${accept || 'any'}: ${expected ?? 'yes'}`, () => assert.equal(status('GET', { accept }), expected));

  for (const [method, written, expected] of [
    ['POST', '', undefined],
    ['POST', 'application/json', undefined],
    ['PUT', 'application/vnd.kubernetes.protobuf', undefined],
    ['POST', 'application/json; charset=utf-8', undefined],
    ['POST', 'text/plain', 415],
    ['PUT', 'application/merge-patch+json', 415],
    ['PATCH', 'application/json-patch+json', undefined],
    ['PATCH', 'application/merge-patch+json', undefined],
    ['PATCH', 'application/strategic-merge-patch+json', undefined],
    ['PATCH', 'application/apply-patch+yaml', undefined],
    ['PATCH', 'application/json', 415],
    ['GET', 'text/plain', undefined],
    ['DELETE', 'text/plain', undefined],
  ] as const)
    it(`reads ${method} of ${written || 'anything'}: ${expected ?? 'yes'}`, () =>
      assert.equal(status(method, { 'content-type': written }), expected));

  it('are those of resources alone', () => {
    const of = (path: string): number | undefined => status('GET', { accept: 'text/html' }, path);
    assert.deepEqual(['/apis/apps/v1', '/api/v1', '/version', '/healthz', '/x/api/v1'].map(of), [
      406,
      406,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
