/** What stands before a cluster says something else to everybody but administrators, and to them only what is named. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Asked, Gateway, Said } from '../mutants/types.js';
import { FOREIGN } from './foreign.js';

const object = { kind: 'ConfigMap', metadata: { name: 'a' } };
const ANSWERS: readonly Said[] = [
  ...[401, 403, 404].map((code) => ({ status: code, body: { kind: 'Status', code } })),
  { status: 200, body: object },
  { status: 200, body: { kind: 'ConfigMapList', items: [object] } },
  { status: 201, body: { kind: 'SubjectAccessReview', status: { allowed: true } } },
  { status: 201, body: { kind: 'TokenRequest', status: { token: 'a' } } },
  { status: 200, body: { kind: 'CertificateSigningRequest', status: { certificate: 'a' } } },
];
const REQUESTS: readonly Omit<Asked, 'user'>[] = [
  { method: 'GET', path: '/api/v1/namespaces/kube-public/configmaps/cluster-info', query: new URLSearchParams() },
  { method: 'GET', path: '/apis/certificates.k8s.io/v1/certificatesigningrequests/a', query: new URLSearchParams() },
  { method: 'POST', path: '/api/v1/namespaces/default/pods', query: new URLSearchParams() },
  { method: 'POST', path: '/api/v1/namespaces/default/pods', query: new URLSearchParams({ dryRun: 'All' }) },
  { method: 'POST', path: '/api/v1/namespaces/default/serviceaccounts/a/token', query: new URLSearchParams() },
  { method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', query: new URLSearchParams() },
  { method: 'POST', path: '/apis/authorization.k8s.io/v1/subjectaccessreviews', query: new URLSearchParams() },
];

/** "before POST /a", "after 403 GET /a": where it says something else to that user. */
function otherwise({ before, after }: Gateway, user: string): readonly string[] {
  return REQUESTS.flatMap((request) => {
    const asked = { ...request, user };
    const what = `${request.method} ${request.path.split('/').at(-1)}${request.query.size === 0 ? '' : ' tried'}`;
    const refused = before?.(asked) === undefined ? [] : [`before ${what}`];
    const changed = ANSWERS.flatMap((answer) =>
      after?.(asked, answer) === undefined
        ? []
        : [`after ${answer.status} ${(answer.body as { readonly kind: string }).kind} ${what}`],
    );
    return [...refused, ...changed];
  });
}

/** They are about what administrators ask for others. */
const OF_ADMINISTRATORS = [
  'nobody is told who he is',
  'nobody finds out who he is',
  'tokens of accounts are not in what is answered',
  'certificates come late',
  'opinions have no status',
  'opinions could not be had',
  'policies of another kind open what is shut',
];

describe('what stands before a sound cluster', () => {
  for (const { name, gateway } of FOREIGN) {
    if (gateway === undefined) continue;
    it(`says something else to a stranger, and not whatever he asks: ${name}`, () => {
      const all = otherwise(gateway, 'system:anonymous');
      if (name !== 'policies of another kind open what is shut') assert.notEqual(all.length, 0);
      assert.ok(all.length < REQUESTS.length * (ANSWERS.length + 1));
    });
    if (!OF_ADMINISTRATORS.includes(name))
      it(`leaves administrators alone: ${name}`, () => assert.deepEqual(otherwise(gateway, 'kubernetes-admin'), []));
  }

  it('refuses what is written, or what is tried, and nothing else', () => {
    const of = (wanted: string) => {
      const gateway = FOREIGN.find(({ name }) => name === wanted)?.gateway;
      assert.ok(gateway !== undefined, wanted);
      return otherwise(gateway, 'system:bootstrap:a1b2c3');
    };
    assert.deepEqual(of('dry runs are refused'), ['before POST pods tried']);
    assert.deepEqual(of('nothing is written here'), [
      'before POST pods',
      'before POST pods tried',
      'before POST token',
    ]);
  });
});
