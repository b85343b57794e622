/** One kind that cannot be listed (a conversion that fails, an API nobody serves) hides nothing in the others. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { it } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import { openConnection } from '../targets/cluster.js';
import { fixedCredential } from '../targets/connection.js';
import { type Reference, startReference } from '../targets/reference.js';
import { judge } from './judge.js';

const signal = AbortSignal.timeout(120_000);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const BROKEN = { kind: 'full', code: 422, headers: {}, body: Buffer.from('it cannot be converted') } as const;

/** The verdict of the rule where this kind is answered so. */
async function verdictOf(id: string, reference: Reference, { resource }: Resource): Promise<string | undefined> {
  const { url: server, caPem, handle, admin } = reference;
  const { certificate, key } = admin;
  const credential = fixedCredential({ certificate: { certificate, key } });
  const isOf = (url: string): boolean => new URL(url, server).pathname.endsWith(`/${resource}`);
  const ask: typeof handle = (request) => (isOf(request.url) ? BROKEN : handle(request));
  const connection = { server, name: 'partly read', caPem, insecure: false, credential, handle: ask };
  const target = await openConnection(connection, { signal });
  try {
    const { report } = await judge({ target, selection: { rules: [id] }, signal });
    return report.rules[0]?.verdict;
  } finally {
    await target.close();
  }
}

const TOKEN = 'bootstrap-token-abcdef';
const JOIN = 'kubeadm join 10.0.0.1:6443 --token abcdef.0123456789abcdeg --discovery-token-unsafe-skip-ca-verification';
const KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const pod = (spec: object): object => ({ spec: { containers: [{ name: 'a', image: 'a' }], ...spec } });

/** A rule, a kind that cannot be listed, and an object of another one that breaks the rule. */
const FOUND: readonly (readonly [string, Resource, Resource, object])[] = [
  ['TOK-007', resources.events, resources.configMaps, { data: { how: JOIN } }],
  ['TOK-007', resources.leases, resources.pods, pod({ containers: [{ name: 'a', image: 'a', args: [JOIN] }] })],
  ['T-14', resources.jobs, resources.leases, { metadata: { annotations: { how: JOIN } } }],
  ['P-262', resources.jobs, resources.leases, { metadata: { annotations: { key: KEY } } }],
  ['P-264', resources.jobs, resources.pods, pod({ volumes: [{ name: 'a', secret: { secretName: TOKEN } }] })],
];

it('what is found in other kinds is found, and without it nothing is passed', async () => {
  for (const [id, broken, resource, object] of FOUND) {
    const reference = await startReference();
    try {
      const make = (resource: Resource, { metadata, ...rest }: { metadata?: object }): void => {
        const { kind, group, version } = resource;
        const apiVersion = group === '' ? version : `${group}/${version}`;
        const named = { namespace: 'kube-system', name: TOKEN, ...metadata };
        reference.api.create(resource, { apiVersion, kind, metadata: named, ...rest } as KubeObject);
      };
      make(resources.secrets, {
        type: 'bootstrap.kubernetes.io/token',
        data: { 'token-id': base64('abcdef'), 'token-secret': base64('0123456789abcdeg') },
      } as object);
      assert.equal(await verdictOf(id, reference, broken), 'error', id);
      make(resource, object);
      assert.equal(await verdictOf(id, reference, broken), 'failed', id);
    } finally {
      await reference.close();
    }
  }
});
