/** What the rules of the policy say of tokens and of the certificates that control planes share. */
import { record, records, text } from '../kubernetes/json.js';
import { KUBE_PUBLIC } from '../kubernetes/names.js';
import { resources } from '../kubernetes/resources.js';
import { upstream } from '../reference/decisions.js';
import { bindCluster, decides, finds, JOINING, user } from './arrange.js';
import { CLIENT, plant } from './planted-requests.js';
import { addToken } from './tokens-at-rest.js';
import type { Gateway, Mutant } from './types.js';

const HOUR = 3_600_000;
const rfc3339 = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
/** RFC 3339, so many hours from now. */
const inHours = (hours: number): string => rfc3339(Date.now() + hours * HOUR);

type Fields = Readonly<Record<string, unknown>>;

/** Objects whose name begins so are answered with other metadata. */
const shown = (prefix: string, other: (metadata: Fields) => Fields): Gateway => {
  const isMeant = (object: unknown): boolean => text(record(record(object).metadata).name).startsWith(prefix);
  const older = (object: unknown): unknown => {
    const metadata = record(record(object).metadata);
    return isMeant(object) ? { ...record(object), metadata: { ...metadata, ...other(metadata) } } : object;
  };
  return {
    after: ({ method }, { status, body }) => {
      if (method !== 'GET' || status !== 200) return undefined;
      const { items } = record(body);
      // an answer without them keeps its headers, too
      if (![body, ...records(items)].some(isMeant)) return undefined;
      if (items === undefined) return { status, body: older(body) };
      return { status, body: { ...record(body), items: records(items).map(older) } };
    },
  };
};

/** Objects whose name begins so were made so many hours earlier than they were. */
export const aged = (prefix: string, hours: number): Gateway =>
  shown(prefix, ({ creationTimestamp }) => ({
    creationTimestamp: rfc3339(Date.parse(String(creationTimestamp)) - hours * HOUR),
  }));

/** Objects whose name begins so were deleted so many hours ago, and something keeps them. */
export const deletedBefore = (prefix: string, hours: number): Gateway =>
  shown(prefix, () => ({ deletionTimestamp: inHours(-hours), finalizers: ['example.com/keep'] }));

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
  {
    name: 'signing-left-undone',
    defect: 'nobody signs cluster-info, though the flags of the controller manager say so',
    killedBy: ['P-371'],
    gateway: {
      after: (asked, answer) => {
        if (!asked.path.includes('/cluster-info')) return aged('bootstrap-token-m1tant', 1).after?.(asked, answer);
        const { data } = record(answer.body);
        const unsigned = Object.entries(record(data)).filter(([key]) => !key.startsWith('jws-'));
        return { ...answer, body: { ...record(answer.body), data: Object.fromEntries(unsigned) } };
      },
    },
    arrange: (reference) => addToken(reference),
  },
  {
    name: 'token-signed-for-an-hour',
    defect: 'a token of an hour is signed for',
    killedBy: [],
    strict: true,
    gateway: aged('bootstrap-token-s1gned', 1),
    arrange: (reference) =>
      addToken(reference, { 'token-id': 's1gned', expiration: inHours(22) }, { name: 'bootstrap-token-s1gned' }),
  },
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
  finds('token-that-means-yes', 'a usage of a token says "True"', ['P-130'], (reference) =>
    addToken(reference, { 'usage-bootstrap-signing': 'True' }),
  ),
  finds('token-with-a-blank-in-a-usage', 'a usage of a token ends in a blank', ['P-130'], (reference) =>
    addToken(reference, { 'usage-bootstrap-authentication': 'true ' }),
  ),
  finds('token-that-expires', 'a token has its end under another key', ['P-131'], (reference) =>
    addToken(reference, { expires: inHours(2) }),
  ),
  finds('token-of-misspelt-groups', 'a token has its groups under another key', ['P-131', 'P-132'], (reference) =>
    addToken(reference, { auth_groups: JOINING, 'auth-extra-groups': undefined }),
  ),
  finds('token-of-an-edge-group', 'a token carries a group that nobody has bound', ['P-132'], (reference) =>
    addToken(reference, { 'auth-extra-groups': 'system:bootstrappers:edge' }),
  ),
  finds('token-of-a-bound-group', 'a token of no group logs in, and its user is bound', [], (reference) => {
    addToken(reference, { 'token-id': 'm1tbnd', 'auth-extra-groups': undefined }, { name: 'bootstrap-token-m1tbnd' });
    bindCluster(reference, 'one-token', 'system:node-bootstrapper', user('system:bootstrap:m1tbnd'));
  }),
  {
    name: 'token-that-a-finalizer-keeps',
    defect: 'somebody deleted a token an hour ago, and a finalizer keeps it',
    killedBy: ['P-133'],
    arrange: (reference) => addToken(reference),
    gateway: deletedBefore('bootstrap-token-m1tant', 1),
  },
  {
    name: 'token-that-is-just-going',
    defect: 'a token was deleted a minute ago',
    killedBy: [],
    strict: true,
    arrange: (reference) =>
      addToken(
        reference,
        { 'token-id': 'm1tgng', 'usage-bootstrap-authentication': undefined },
        { name: 'bootstrap-token-m1tgng' },
      ),
    gateway: deletedBefore('bootstrap-token-m1tgng', 1 / 60),
  },
  finds('token-signs-in-private', 'strangers may not read cluster-info, and tokens sign it', ['T-26'], (reference) =>
    reference.api.delete(resources.roleBindings, KUBE_PUBLIC, 'kubeadm:bootstrap-signer-clusterinfo'),
  ),
  certificates('certificates-that-stay', 'kubeadm-certs was made three hours ago', ['T-13'], 3),
  certificates('certificates-of-an-hour', 'kubeadm-certs was made an hour ago', [], 1),
  decides('token-of-an-upload-signs', 'the token that owns kubeadm-certs is for signing', ['P-07'], {
    tokenSecret: (token) =>
      upstream.tokenSecret(token.description === PROXY ? { ...token, usages: ['signing'] } : token),
  }),
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
