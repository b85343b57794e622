/** Defects of who remembers what has changed since, and of who reads times, ids and requests in part. */
import { record } from '../kubernetes/json.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

/** A role or a binding, by the path that it was sent to. */
const asSent = (path: string): object => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: ['ClusterRole', 'Role', 'ClusterRoleBinding', 'RoleBinding'].find((kind) =>
    path.endsWith(`/${kind.toLowerCase()}s`),
  ),
  metadata: { name: 'jp-any' },
});

/** What `make` gave first for a key, for good. */
const firstOf = <A extends readonly unknown[], R>(keyOf: (...given: A) => string, make: (...given: A) => R) => {
  const known = new Map<string, R>();
  return (...given: A): R => {
    const key = keyOf(...given);
    const first = known.has(key) ? (known.get(key) as R) : make(...given);
    known.set(key, first);
    return first;
  };
};

/** cluster-info is read otherwise than it was written. */
const clusterInfoWithout = (
  name: string,
  defect: string,
  changed: (map: Readonly<Record<string, unknown>>) => object,
): Mutant => ({
  name,
  defect,
  killedBy: ['P-336'],
  gateway: {
    after: ({ method, path }, answer) => {
      if (method !== 'GET' || !path.endsWith('/configmaps/cluster-info') || answer.status !== 200) return undefined;
      const map = record(answer.body);
      return { ...answer, body: { ...map, ...changed(map) } };
    },
  },
});

export const mutants: readonly Mutant[] = [
  decides('offsets-of-whole-hours', 'of the offset of an expiration the hours count', ['SEC-011', 'CLEAN-003'], {
    readExpiration: (text) => upstream.readExpiration(text.replace(/([+-]\d\d):\d\d$/, '$1:00')),
  }),
  decides('every-fourth-year-leaps', 'each year that four divides has a 29th of February', ['AUTH-015'], {
    readExpiration: (text) =>
      /^\d\d00-02-29/.test(text)
        ? { kind: 'at', at: Date.parse(text.replace('-02-29', '-03-01')) }
        : upstream.readExpiration(text),
  }),
  decides('centuries-never-leap', 'no year that ends a century has a 29th of February', ['AUTH-021'], {
    readExpiration: (text) => (/^\d\d00-02-29/.test(text) ? { kind: 'unreadable' } : upstream.readExpiration(text)),
  }),
  decides('eight-groups-at-most', 'a token of more than eight groups logs nobody in', ['AUTH-006'], {
    tokenGroups: (extra, isGroup) => {
      const groups = upstream.tokenGroups(extra, isGroup);
      return (groups?.length ?? 0) > 9 ? undefined : groups;
    },
  }),
  decides('last-user-of-a-proxy', 'of several users in one header of a proxy the last counts', ['APIAUTH-030'], {
    proxiedUser: (headers, named) =>
      upstream.proxiedUser(
        Object.fromEntries(
          Object.entries(headers).map(([name, values]) => [
            name,
            named.user.includes(name) ? values.slice(-1) : values,
          ]),
        ),
        named,
      ),
  }),
  decides('timers-of-an-hour', 'the cleaner forgets what is still good for more than an hour', ['CLEAN-002'], {
    cleanerLooksAgain: (expiration, now) => {
      const at = upstream.cleanerLooksAgain(expiration, now);
      return at !== undefined && at - now > 3_600_000 ? undefined : at;
    },
  }),
  decides('ids-as-numbers', 'an id of digits stands in the signature as a number', ['SIGN-003'], {
    signatureHeader: (id) => (/^\d+$/.test(id) ? `{"alg":"HS256","kid":${id}}` : upstream.signatureHeader(id)),
  }),
  decides('signed-for-good-groups', 'a token whose groups are not well written is not signed for', ['SIGN-003'], {
    signingToken: (secret, expiration, now) =>
      secret.data['auth-extra-groups']?.includes(' ') === true
        ? undefined
        : upstream.signingToken(secret, expiration, now),
  }),
  remembering(() =>
    decides('texts-of-one-length', 'a text is taken for another of its length', ['SIGN-007'], {
      signaturePayload: firstOf(
        (content: string) => content.replace(/^# .*\n/, (comment) => String(comment.length)),
        upstream.signaturePayload,
      ),
    }),
  ),
  clusterInfoWithout('bytes-taken-out', 'what stands in cluster-info as bytes is not kept', () => ({
    binaryData: undefined,
  })),
  clusterInfoWithout('labels-taken-off', 'labels of cluster-info are not kept', ({ metadata }) => ({
    metadata: { ...record(metadata), labels: {} },
  })),
  clusterInfoWithout('annotations-taken-off', 'annotations of cluster-info are not kept', ({ metadata }) => ({
    metadata: { ...record(metadata), annotations: {} },
  })),
  remembering(() =>
    decides(
      'groups-of-the-first-question',
      'the groups of a user are those that were asked about first',
      ['RBAC-025'],
      {
        principalsOf: firstOf(({ username }) => username, upstream.principalsOf),
      },
    ),
  ),
  decides('first-of-several-api-groups', 'of the API groups of a right the first counts', ['RBAC-025'], {
    groupMatches: (rule, group) =>
      upstream.groupMatches({ ...rule, apiGroups: rule.apiGroups?.slice(0, 1) ?? [] }, group),
  }),
  decides('users-of-namespaces-unread', 'a user who is bound in a namespace is nobody there', ['RBAC-025'], {
    subjectPrincipal: (subject, namespace) =>
      namespace !== '' && subject.kind === 'User' ? undefined : upstream.subjectPrincipal(subject, namespace),
  }),
  decides('two-groups-count', 'of the groups of a user the first two count', ['RBAC-025'], {
    principalsOf: (user) => upstream.principalsOf({ ...user, groups: user.groups.slice(0, 2) }),
  }),
  decides('roles-keep-what-they-collected', 'a right that was collected once stays', ['P-340'], {
    rulesCollected: (collected, held) => [
      ...collected,
      ...held.filter((one) => !collected.some((other) => JSON.stringify(other) === JSON.stringify(one))),
    ],
  }),
  decides('roles-collect-once', 'a role that has collected something goes on holding that', ['P-340'], {
    rulesCollected: (collected, held) => (held.length === 0 ? collected : held),
  }),
  decides('roles-keep-the-last', 'a role whose last part has gone keeps the rights of it', ['P-340'], {
    rulesCollected: (collected, held) => (collected.length === 0 ? held : collected),
  }),
  decides('accounts-without-a-namespace-are-nobody', 'an account that a binding names alone is nobody', ['P-544'], {
    subjectPrincipal: (subject, namespace) =>
      subject.kind === 'ServiceAccount' && (subject.namespace ?? '') === ''
        ? undefined
        : upstream.subjectPrincipal(subject, namespace),
  }),
  decides(
    'accounts-without-a-namespace-are-of-the-system',
    'an account that a binding names alone is one of kube-system',
    ['P-544'],
    {
      subjectPrincipal: (subject, namespace) =>
        upstream.subjectPrincipal(subject, (subject.namespace ?? '') === '' ? 'kube-system' : namespace),
    },
  ),
  {
    name: 'grants-of-any-shape',
    defect: 'roles and bindings are taken, whatever they leave out',
    killedBy: ['P-544'],
    gateway: {
      after: ({ method, path, query }, { status }) =>
        method === 'POST' &&
        query.has('dryRun') &&
        path.startsWith('/apis/rbac.authorization.k8s.io/') &&
        status === 422
          ? { status: 201, body: asSent(path) }
          : undefined,
    },
  },
  {
    name: 'grants-of-namespaces-refused',
    defect: 'no role or binding of a namespace is taken, and no role over paths',
    killedBy: ['P-544'],
    gateway: {
      after: ({ method, path, query }, { status, body }) => {
        const isOne = method === 'POST' && query.has('dryRun') && path.startsWith('/apis/rbac.authorization.k8s.io/');
        if (!isOne || status !== 201) return undefined;
        const message = 'RoleBinding.rbac.authorization.k8s.io "jp" is invalid: subjects: Invalid value';
        return { status: 422, body: { ...record(body), kind: 'Status', status: 'Failure', code: 422, message } };
      },
    },
  },
  decides('roles-collect-nothing', 'a role that collects others stays empty', ['P-340'], {
    rulesCollected: (_collected, held) => held,
  }),
  remembering(() => {
    const read = new Set<string>();
    return decides('secrets-read-once', 'a Secret that a node could read stays open to it', ['NODE-008'], {
      nodeOnSecret: (question) => {
        const { namespace, name, verb } = question.attributes;
        const key = [question.node, namespace, name].join('/');
        const answer = read.has(key) && verb === 'get' ? true : upstream.nodeOnSecret(question);
        if (answer === true) read.add(key);
        return answer;
      },
    });
  }),
  decides('more-than-ten-minutes', 'ten minutes are too short', ['P-61'], {
    csrMinimumExpirationSeconds: () => 601,
  }),
  decides('requests-change-with-approvals', 'whoever approves may write the request anew', ['P-57', 'CSR-035'], {
    csrSpecAfterUpdate: (old, sent, path) => (path === 'approval' ? sent : old),
  }),
  decides(
    'requests-change-with-statuses',
    'whoever writes the status may write the request anew',
    ['P-57', 'CSR-035'],
    {
      csrSpecAfterUpdate: (old, sent, path) => (path === 'status' ? sent : old),
    },
  ),
  decides('no-key-encipherment', 'the usage of kubelets with RSA keys is not known', ['P-61'], {
    csrUsageKnown: (usage) => usage !== 'key encipherment' && upstream.csrUsageKnown(usage),
  }),
  decides('signers-of-kubernetes-alone', 'requests of the signers of others are refused', ['P-61'], {
    csrSignerAllowed: (signerName) => signerName.startsWith('kubernetes.io/') && upstream.csrSignerAllowed(signerName),
  }),
];
