/** What stands before a paralysed cluster forbids what its name says, and nothing beside. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Asked, Said } from '../mutants/types.js';
import { PARALYSED } from './paralysed.js';

const ONE = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const CLIENT = 'kubernetes.io/kube-apiserver-client';
const asked = (method: string, path: string, more: Partial<Asked> = {}): Asked => ({
  method,
  path,
  query: new URLSearchParams(),
  user: 'system:bootstrap:a1b2c3',
  ...more,
});
const request = (spec: object, status?: object): Said => ({ status: 201, body: { spec, status } });
const TWIN = { signerName: CLIENT, usages: ['digital signature', 'client auth'] };
const DENIED = { conditions: [{ type: 'Denied' }] };
const APPROVED = { conditions: [{ type: 'Approved' }] };
const APPROVAL = asked('PATCH', `${ONE}/a/approval`);
const CREATE = asked('POST', ONE);
const BY_ADMINISTRATOR = { user: 'kubernetes-admin' };
const GOING: Said = { status: 200, body: { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } } };
const PLAIN: Said = { status: 200, body: { metadata: {} } };

const cases: Readonly<Record<string, readonly (readonly [Asked, Said, number | undefined])[]>> = {
  'nothing is only tried': [
    [asked('POST', '/a', { query: new URLSearchParams({ dryRun: 'All' }) }), PLAIN, 403],
    [asked('POST', '/a'), PLAIN, undefined],
  ],
  'what waits for its finalizer is not shown': [
    [asked('GET', '/a'), GOING, 404],
    [asked('DELETE', '/a'), GOING, undefined],
    [asked('GET', '/a'), PLAIN, undefined],
    [asked('GET', '/a'), { status: 200, body: 'text' }, undefined],
  ],
  'administrators ask for no certificates': [
    [{ ...CREATE, ...BY_ADMINISTRATOR }, request(TWIN), 403],
    [CREATE, request(TWIN), undefined],
    [{ ...APPROVAL, ...BY_ADMINISTRATOR }, request(TWIN), undefined],
    [asked('GET', ONE, BY_ADMINISTRATOR), PLAIN, undefined],
    [asked('POST', `${ONE}/a`, BY_ADMINISTRATOR), PLAIN, undefined],
  ],
  'no plain client is asked for': [
    [CREATE, request(TWIN), 403],
    [CREATE, request({ ...TWIN, signerName: `${CLIENT}-kubelet` }), undefined],
    [CREATE, request({ ...TWIN, expirationSeconds: 600 }), undefined],
    [CREATE, request({ ...TWIN, usages: ['client auth'] }), undefined],
    [CREATE, request({ ...TWIN, usages: [...TWIN.usages, 'server auth'] }), undefined],
    [APPROVAL, request(TWIN), undefined],
  ],
  'no plain client is approved': [
    [APPROVAL, request(TWIN, APPROVED), 403],
    [APPROVAL, request(TWIN), 403],
    [APPROVAL, request(TWIN, DENIED), undefined],
    [APPROVAL, request({ ...TWIN, expirationSeconds: 600 }, APPROVED), undefined],
    [CREATE, request(TWIN, APPROVED), undefined],
    [asked('PATCH', `${ONE}/a`), request(TWIN, APPROVED), undefined],
    [asked('PUT', APPROVAL.path), request(TWIN, APPROVED), undefined],
  ],
  'nothing is denied': [
    [APPROVAL, request(TWIN, DENIED), 403],
    [APPROVAL, request({ signerName: 'a' }, DENIED), 403],
    [APPROVAL, request(TWIN, APPROVED), undefined],
    [APPROVAL, request(TWIN), undefined],
    [CREATE, request(TWIN, DENIED), undefined],
  ],
  'nobody writes approvals of nodes': [
    [APPROVAL, request({ signerName: `${CLIENT}-kubelet` }), 403],
    [APPROVAL, request({ signerName: CLIENT }), undefined],
    [CREATE, request({ signerName: `${CLIENT}-kubelet` }), undefined],
  ],
};

describe('what stands before a paralysed cluster', () => {
  it('is all told here', () => {
    const names = PARALYSED.flatMap(({ name, gateway }) => (gateway === undefined ? [] : [name]));
    assert.deepEqual(names.sort(), Object.keys(cases).sort());
  });

  for (const [name, all] of Object.entries(cases))
    it(name, () => {
      const gateway = PARALYSED.find((one) => one.name === name)?.gateway;
      assert.ok(gateway !== undefined);
      for (const [question, answer, status] of all) {
        const said: Said | undefined = gateway.after?.(question, answer);
        assert.equal(said?.status, status, JSON.stringify([question, answer]));
        if (said !== undefined) assert.equal((said.body as { readonly code: number }).code, status);
        assert.equal(gateway.before?.(question), undefined);
      }
    });

  it('is no word of the rules, but of clusters where nothing is done', () => {
    const idle = new Map(PARALYSED.map((one) => [one.name, one.idle ?? []]));
    const alone = ['no token cleaner', 'no bootstrap signer', 'no certificate signer', 'no approver'];
    const of = (name: string): readonly string[] => idle.get(name) ?? [];
    assert.deepEqual([...of('no controllers')].sort(), alone.flatMap(of).sort());
  });

  it('forbids users by their names', () => {
    const users = [
      'system:bootstrap:a1b2c3',
      'system:anonymous',
      'system:node:a',
      'kubernetes-admin',
      'kubernetes-admins',
      'a system:anonymous',
      'system:anonymous2',
    ];
    const held = PARALYSED.flatMap(({ name, hold }) =>
      hold?.forbidden === undefined
        ? []
        : [[name, users.filter((user) => hold.forbidden?.test(user)).map((user) => users.indexOf(user))] as const],
    );
    assert.deepEqual(Object.fromEntries(held), {
      'tokens forbidden everything': [0],
      'strangers forbidden everything': [1],
      'nodes forbidden everything': [2],
      'all but administrators forbidden everything': [0, 1, 2, 4, 5, 6],
    });
  });
});
