import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { systemClock } from '../apiserver/clock.js';
import { type Reference, startReference } from '../reference/index.js';
import { fixedCredential } from './connection.js';
import { InProcess } from './in-process.js';
import type { Sent } from './transport.js';
import { kept, never, question, transport } from './transport.testing.js';
import type { Identity } from './types.js';

let reference: Reference;
before(async () => {
  // Its time stands still: what was answered in one second and asked again in the next would differ.
  const now = Date.now();
  reference = kept(await startReference({ withNode: true, clock: { ...systemClock(), now: () => now } }));
});

const connection = (handle: boolean) => ({
  server: reference.url,
  name: 'reference',
  caPem: reference.caPem,
  insecure: false,
  credential: fixedCredential({ certificate: reference.admin }),
  ...(handle ? { handle: reference.handle } : {}),
});

/** What a server says of the same request twice: all but times and ids. */
const said = ({ status, headers, text }: { status: number; headers: object; text: string }) => ({
  status,
  headers: Object.keys(headers)
    .filter((name) => !['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'].includes(name))
    .sort()
    .map((name) => [name, name === 'audit-id' ? '' : (headers as Record<string, unknown>)[name]]),
  text,
});

const REVIEW = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const review = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
const json = [['content-type', 'application/json']] as const;

describe('a server of this process', () => {
  const admin: Identity = { kind: 'admin' };
  const cases: readonly (readonly [string, Identity | 'bearer', Partial<Sent>])[] = [
    ['an object', admin, { path: '/api/v1/namespaces/kube-public/configmaps/cluster-info' }],
    ['a list', admin, { path: '/apis/rbac.authorization.k8s.io/v1/clusterroles?limit=3' }],
    ['what is not there', admin, { path: '/api/v1/namespaces/default/secrets/none' }],
    ['a path that nobody serves', admin, { path: '/apis/none' }],
    ['somebody unknown', { kind: 'anonymous' }, { path: '/api/v1/nodes' }],
    ['a token', 'bearer', { method: 'POST', path: REVIEW, body: review, headers: json }],
    ['a token that nobody has', { kind: 'token', token: 'abcdef.0123456789abcdef' }, { path: '/api' }],
    ['a token with blanks', { kind: 'token', token: ' a b ' }, { path: '/api' }],
    ['two credentials', { kind: 'header', authorization: ['Basic eDp5', 'Bearer x'] }, { path: '/api' }],
    ['a body that is none', admin, { method: 'POST', path: REVIEW, body: '{', headers: json }],
    ['a kind that it does not take', admin, { method: 'POST', path: REVIEW, body: 'x', headers: [] }],
    ['a watch', admin, { path: '/api/v1/nodes?watch=true&timeoutSeconds=1' }],
    ['a method that it does not know', admin, { method: 'DELETE', path: '/version' }],
    ['no body', admin, { method: 'HEAD', path: '/version' }],
  ];
  for (const [name, identity, more] of cases)
    it(`answers as over a connection: ${name}`, async () => {
      const who: Identity = identity === 'bearer' ? { kind: 'token', token: reference.tokens[0] as string } : identity;
      const [direct, wired] = [transport(connection(true)), transport(connection(false))];
      const asked = question(more);
      assert.deepEqual(said(await direct.send(who, asked, never)), said(await wired.send(who, asked, never)));
    });

  it('is asked over a connection what HTTP may not carry, and what TLS may refuse', async () => {
    const inside = new InProcess(() => assert.fail('not to be asked'));
    const plain = { method: 'GET', path: '/', headers: [], certificate: undefined, body: undefined };
    const { certificate } = reference.admin;
    const other = 'no key';
    for (const odd of [
      { path: '/ü' },
      { path: 'x' },
      { path: '/api/v1/pods?watch=1' },
      { headers: ['a', ' b'] },
      { headers: ['a', 'b\n'] },
      { headers: ['a', ''] },
      { body: 'x'.repeat(300_000) },
      { certificate: { certificate, key: other } },
      { certificate: { certificate: certificate + certificate, key: reference.admin.key } },
    ])
      assert.equal(await inside.ask({ ...plain, ...odd }), undefined, JSON.stringify(odd).slice(0, 60));
  });
});
