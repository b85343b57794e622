/** What the rules of the policy say of tokens and of the certificates that control planes share. */
import { record, records } from '../kubernetes/json.js';
import { KUBE_PUBLIC } from '../kubernetes/names.js';
import { resources } from '../kubernetes/resources.js';
import { finds } from './arrange.js';
import { CLIENT, plant } from './planted-requests.js';
import { addToken } from './tokens-at-rest.js';
import type { Gateway, Mutant } from './types.js';

const HOUR = 3_600_000;
/** RFC 3339, so many hours from now. */
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString().replace(/\.\d+Z$/, 'Z');

/** Objects whose name begins so were made so many hours earlier than they were. */
export const aged = (prefix: string, hours: number): Gateway => {
  const older = (object: unknown): unknown => {
    const { metadata } = record(object);
    const { name, creationTimestamp } = record(metadata);
    if (typeof name !== 'string' || !name.startsWith(prefix)) return object;
    const then = new Date(Date.parse(String(creationTimestamp)) - hours * HOUR).toISOString().replace(/\.\d+Z$/, 'Z');
    return { ...record(object), metadata: { ...record(metadata), creationTimestamp: then } };
  };
  return {
    after: ({ method }, { status, body }) => {
      if (method !== 'GET' || status !== 200) return undefined;
      const { items } = record(body);
      if (items === undefined) return { status, body: older(body) };
      return { status, body: { ...record(body), items: records(items).map(older) } };
    },
  };
};

const PROXY = 'Proxy for managing TTL for the kubeadm-certs secret';
const NO_USAGE = { 'usage-bootstrap-signing': undefined, 'usage-bootstrap-authentication': undefined };

const certificates = (name: string, defect: string, killedBy: readonly string[], hours: number): Mutant => ({
  name,
  defect,
  killedBy,
  gateway: aged('kubeadm-certs', hours),
  ...(killedBy.length === 0 ? { strict: true } : {}),
});

export const mutants: readonly Mutant[] = [
  finds('token-without-an-end', 'somebody has made a token with --ttl 0', ['T-01'], (reference) =>
    addToken(reference, { expiration: undefined }),
  ),
  finds('token-for-a-year', 'somebody has made a token with --ttl 8760h', ['T-01'], (reference) =>
    addToken(reference, { expiration: inHours(8760) }),
  ),
  finds('token-for-two-days', 'somebody has made a token for two days', ['T-01'], (reference) =>
    addToken(reference, { expiration: inHours(48) }),
  ),
  {
    name: 'token-put-off',
    defect: 'a controller puts off the end of a token for three days already',
    killedBy: ['T-01'],
    gateway: aged('bootstrap-token-m1tant', 72),
    arrange: (reference) => addToken(reference, { expiration: inHours(0.25) }),
  },
  {
    name: 'token-long-over',
    defect: 'the token cleaner does not run, and a token ended an hour ago',
    killedBy: ['T-09'],
    options: { controllers: { tokencleaner: false } },
    arrange: (reference) => addToken(reference, { expiration: inHours(-1) }),
  },
  finds('token-of-another-group', 'a token carries a group that somebody has bound', ['T-03'], (reference) =>
    addToken(reference, { 'auth-extra-groups': 'system:bootstrappers:ingress' }),
  ),
  finds('token-for-three-machines', 'three machines have asked with one token', ['T-11'], (reference) => {
    for (const name of ['worker-5', 'worker-6', 'worker-7'])
      plant(reference, {
        name: `csr-${name}`,
        commonName: `system:node:${name}`,
        username: `system:bootstrap:${reference.tokens[0]?.slice(0, 6)}`,
        signerName: CLIENT,
      });
  }),
  finds('token-for-nothing', 'a token has no usage', ['T-25'], (reference) => addToken(reference, NO_USAGE)),
  finds('token-signs-in-private', 'strangers may not read cluster-info, and tokens sign it', ['T-26'], (reference) =>
    reference.api.delete(resources.roleBindings, KUBE_PUBLIC, 'kubeadm:bootstrap-signer-clusterinfo'),
  ),
  certificates('certificates-that-stay', 'kubeadm-certs was made three hours ago', ['T-13'], 3),
  certificates('certificates-of-an-hour', 'kubeadm-certs was made an hour ago', [], 1),
  finds('token-of-a-former-upload', 'the token of a former upload is left', ['P-07'], (reference) =>
    addToken(reference, { ...NO_USAGE, description: PROXY, expiration: inHours(1) }),
  ),
  {
    name: 'another-good-token',
    defect: 'a second token, as kubeadm makes it',
    killedBy: [],
    strict: true,
    arrange: (reference) =>
      addToken(reference, { 'token-id': 'g00d00', expiration: inHours(24) }, { name: 'bootstrap-token-g00d00' }),
  },
];
