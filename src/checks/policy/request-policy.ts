/** What operators may want of certificate requests beyond the documents. */
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_AUTHENTICATED,
  GROUP_UNAUTHENTICATED,
  LABEL_CONTROL_PLANE,
  NODE_USER_PREFIX,
  SERVICE_ACCOUNT_USER_PREFIX,
  SIGNER_APISERVER_CLIENT,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
  USER_ANONYMOUS,
} from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, type Look } from '../../model/finding.js';
import { likens } from '../../model/waiver.js';
import type { CertificateFacts } from '../certificates/x509.js';
import { isOfKubernetes, type SeenRequest } from '../kubelet-certificates/seen-requests.js';
import type { MachineNode } from './nodes-at-rest.js';

type Requests = readonly SeenRequest[];
type Seen = Pick<Look, 'demanded' | 'seen' | 'ok'>;

const NOTHING = 'the cluster holds no certificate request of which that can be said';
const MINUTE = 60_000;
const DAY = 86_400_000;
/** A signer may begin a certificate in the past. */
const SLACK = 10 * MINUTE;

const policy = <P = undefined>(
  name: string,
  source: string,
  judge: (requests: Requests, parameters: P) => readonly Finding[],
): Check<Requests, P> => ({ id: `request-policy/${name}`, source, nothing: NOTHING, judge });

const each = (requests: Requests, look: (request: SeenRequest) => Seen | undefined): readonly Finding[] =>
  requests.flatMap((request) => {
    const seen = look(request);
    return seen === undefined ? [] : [demand({ subject: request.subject, ...seen })];
  });

const isDecided = ({ conditions }: SeenRequest): boolean =>
  conditions.some(({ type }) => ['Approved', 'Denied', 'Failed'].includes(type));
const nameOf = ({ asked }: SeenRequest): string => ('unreadable' in asked ? '' : asked.commonName);
const tokenOf = ({ username }: SeenRequest): string =>
  username.startsWith(BOOTSTRAP_USER_PREFIX) ? username.slice(BOOTSTRAP_USER_PREFIX.length) : '';

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const known = groups.get(keyOf(item));
    if (known === undefined) groups.set(keyOf(item), [item]);
    else known.push(item);
  }
  return groups;
}

/** Names told of many. */
const SHOWN = 5;
const some = (names: readonly string[]): string =>
  names.slice(0, SHOWN).join(', ') + (names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '');

/** How many machines asked with one token. */
export const requestsPerToken = policy<{ readonly machines: number }>(
  'per-token',
  'kubernetes.io, bootstrap tokens: one token for each client',
  (requests, { machines }) =>
    [
      ...grouped(
        requests.filter((request) => tokenOf(request) !== ''),
        tokenOf,
      ),
    ].map(([token, own]) => {
      const names = [...new Set(own.map(nameOf))].sort();
      return demand({
        subject: `the token ${token}`,
        demanded: `${machines === 1 ? 'one machine asks' : `${machines} machines at most ask`} with it`,
        seen: `${names.length}: ${some(names)}`,
        ok: names.length <= machines,
      });
    }),
);

export const requestsDecided = policy<{ readonly minutes: number; readonly now: number }>(
  'decided',
  'kubelet, serverTLSBootstrap: until it is approved every handshake fails',
  (requests, { minutes, now }) =>
    each(requests, (request) => {
      const waits = now - Date.parse(request.created);
      const decided = isDecided(request);
      // a dump may leave out, or garble, since when it is there
      if (!decided && Number.isNaN(waits)) return undefined;
      return {
        demanded: `is decided within ${minutes} minutes`,
        seen: decided ? 'it is decided' : `it waits for ${Math.round(waits / MINUTE)} minutes`,
        ok: decided || waits <= minutes * MINUTE,
      };
    }),
);

/** `tokens`: ids of those that are there. */
export const requestsOfTokens = policy<{ readonly tokens: readonly string[] }>(
  'of-tokens',
  'a request outlives its token, and can still be approved',
  (requests, { tokens }) =>
    each(requests, (request) => {
      const token = tokenOf(request);
      if (token === '') return undefined;
      const decided = isDecided(request);
      const there = tokens.includes(token);
      return {
        demanded: 'waits for a decision only as long as its token is there',
        seen: decided ? 'it is decided' : there ? 'it waits, and its token is there' : `the token ${token} is gone`,
        ok: decided || there,
      };
    }),
);

export const requestsStrong = policy<{ readonly bits: number }>(
  'strong',
  'NIST SP 800-131A: RSA of 2048 bits, no SHA-1',
  (requests, { bits }) =>
    each(requests, ({ asked }) => {
      if ('unreadable' in asked) return undefined;
      const { rsaBits, sha1 } = asked;
      const weak = rsaBits !== undefined && rsaBits < bits;
      const problems = [
        ...(weak ? [`its RSA key has ${rsaBits} bits`] : []),
        ...(sha1 ? ['it is signed with SHA-1'] : []),
      ];
      return {
        demanded: `has no RSA key below ${bits} bits, and no signature with SHA-1`,
        seen: problems.join('; ') || 'it has neither',
        ok: problems.length === 0,
      };
    }),
);

const OF_NODES: readonly string[] = [SIGNER_KUBELET_CLIENT, SIGNER_KUBELET_SERVING];

/** Whoever recognises a kubelet's request compares CN and O alone. */
export const requestsPlain = policy(
  'plain',
  'pkg/apis/certificates/helpers.go; apiserver, pkg/authentication/request/x509/x509.go CommonNameUserConversion',
  (requests) =>
    each(requests, ({ signer, asked }) => {
      if (!OF_NODES.includes(signer) || 'unreadable' in asked) return undefined;
      const { others = [] } = asked;
      return {
        demanded: 'has a subject of CN and O alone',
        seen: others.length === 0 ? 'it has' : `it has ${some(others)} as well`,
        ok: others.length === 0,
      };
    }),
);

/** A kubelet that is denied posts the next request within seconds. */
export const requestsDenied = policy<{ readonly most: number }>(
  'denied',
  'kubelet, certificate manager: a request after each denial',
  (requests, { most }) =>
    [...grouped(requests, nameOf)].map(([name, own]) => {
      const denied = own.filter(({ conditions }) => conditions.some(({ type }) => type === 'Denied')).length;
      return demand({
        subject: `requests for "${name}"`,
        demanded: `${most} of them at most are denied`,
        seen: `${denied} of ${own.length} are denied`,
        ok: denied <= most,
      });
    }),
);

const DNS_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
/** Source: pkg/kubelet/certificate/bootstrap/bootstrap.go DigestedName. */
const DIGEST_NAME = /^node-csr-[A-Za-z0-9_-]{43}$/;

/** Whoever asks chooses the name, and tools show it. */
export const requestsNamed = policy('named', 'apimachinery, names of objects', (requests) =>
  each(requests, ({ subject }) => {
    const name = subject.slice(subject.indexOf(' ') + 1);
    return {
      demanded: 'has a name of a-z, 0-9, "-" and ".", or that of a kubelet',
      seen: name,
      ok: DNS_NAME.test(name) || DIGEST_NAME.test(name),
    };
  }),
);

/** Nobody else is to use their domain. Source: k8s.io/api, certificates/v1 and v1beta1 types.go. */
const SIGNERS_OF_KUBERNETES: readonly string[] = [
  SIGNER_APISERVER_CLIENT,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
  'kubernetes.io/legacy-unknown',
];

export const requestsKnownSigner = policy<{ readonly signers: readonly string[] }>(
  'signer',
  '004, signer names',
  (requests, { signers }) =>
    each(requests, ({ signer }) => {
      const unknown = isOfKubernetes({ signer }) && !SIGNERS_OF_KUBERNETES.includes(signer);
      return {
        demanded: `names one of the signers ${signers.join(', ')}`,
        seen: signer === '' ? 'it names none' : unknown ? `${signer}, which Kubernetes has not` : signer,
        ok: !unknown && signers.some((pattern) => likens(pattern, signer)),
      };
    }),
);

const issued = ({ certificate }: SeenRequest): CertificateFacts | undefined =>
  certificate === undefined || 'unreadable' in certificate ? undefined : certificate;

/** Names that the API server gives to others than holders of certificates. */
const RESERVED_USERS = [BOOTSTRAP_USER_PREFIX, SERVICE_ACCOUNT_USER_PREFIX];
const RESERVED_GROUPS = [GROUP_AUTHENTICATED, GROUP_UNAUTHENTICATED];

/** What is kept for others of the names of a certificate. */
const reservedIn = ({ commonName, organizations }: CertificateFacts): readonly string[] => [
  ...(commonName === USER_ANONYMOUS || RESERVED_USERS.some((prefix) => commonName.startsWith(prefix))
    ? [`CN ${commonName}`]
    : []),
  ...organizations.filter((name) => RESERVED_GROUPS.includes(name)).map((name) => `O ${name}`),
];

export const certificatesUnreserved = policy(
  'unreserved',
  'apiserver, pkg/authentication/user/user.go: names of users that log in otherwise',
  (requests) =>
    each(requests, (request) => {
      const leaf = issued(request);
      if (leaf === undefined || request.signer === SIGNER_KUBELET_SERVING) return undefined;
      const reserved = reservedIn(leaf);
      return {
        demanded: 'its certificate bears no name that is kept for others',
        seen: reserved.join(', ') || `CN ${leaf.commonName}`,
        ok: reserved.length === 0,
      };
    }),
);

/** Nobody logs in with one that is for servers alone. Source: apiserver, pkg/authentication/request/x509. */
const isForClients = ({ extendedKeyUsage }: CertificateFacts): boolean =>
  extendedKeyUsage === undefined || extendedKeyUsage.some((usage) => usage === 'clientAuth' || usage === 'any');

/**
 * Who may do everything, and the components of Kubernetes, log in with certificates that nobody asks for by the API;
 * nodes ask their own signer. `powerful`: "User jane", "Group system:masters".
 */
export const certificatesPowerless = policy<{ readonly powerful: readonly string[] }>(
  'powerless',
  'plugin/pkg/admission/certificates/subjectrestriction: system:masters alone is refused',
  (requests, { powerful }) =>
    each(requests, (request) => {
      const leaf = issued(request);
      if (leaf === undefined || OF_NODES.includes(request.signer) || !isForClients(leaf)) return undefined;
      const { commonName, organizations } = leaf;
      const names = [
        { said: `CN ${commonName}`, who: `User ${commonName}`, name: commonName },
        ...organizations.map((name) => ({ said: `O ${name}`, who: `Group ${name}`, name })),
      ];
      const odd = names
        .filter(({ who, name }) => powerful.includes(who) || name.startsWith('system:'))
        .map(({ said }) => said)
        .filter((said) => !reservedIn(leaf).includes(said));
      return {
        demanded: 'its certificate bears no name of an administrator, a component or a node',
        seen: some(odd) || `CN ${commonName}`,
        ok: odd.length === 0,
      };
    }),
);

/** A Node, and since when it is known: RFC 3339. */
export interface KnownNode {
  readonly name: string;
  readonly created: string;
}

/** Reader. */
export const controlPlanesAmong = (nodes: readonly KubeObject[]): KnownNode[] =>
  nodes
    .filter(({ metadata: { labels } }) => labels?.[LABEL_CONTROL_PLANE] !== undefined)
    .map(({ metadata: { name = '', creationTimestamp } }) => ({ name, created: creationTimestamp ?? '' }));

/** Reader: those that are ready, since they were made or have become so, whatever is later. */
export const readyAmong = (machines: readonly MachineNode[]): KnownNode[] =>
  machines.flatMap(({ name, created, ready: { status, since } }) =>
    status !== 'True' || since === null || Number.isNaN(created)
      ? []
      : [{ name, created: new Date(Math.max(created, since)).toISOString() }],
  );

/** Whoever joins asks before its Node is there; a token that asks for one of these later takes its place. */
const askedForNone = (requests: Requests, there: readonly KnownNode[], demanded: string): readonly Finding[] =>
  each(requests, (request) => {
    if (tokenOf(request) === '' || request.signer !== SIGNER_KUBELET_CLIENT) return undefined;
    const taken = there.find(
      ({ name, created }) =>
        nameOf(request) === `${NODE_USER_PREFIX}${name}` && Date.parse(created) < Date.parse(request.created),
    );
    return {
      demanded,
      seen: taken === undefined ? `it asks for ${nameOf(request)}` : `the Node ${taken.name} was there before`,
      ok: taken === undefined,
    };
  });

export const requestsForNewNodes = policy<{ readonly controlPlanes: readonly KnownNode[] }>(
  'for-new-nodes',
  'pkg/kubelet/certificate/bootstrap: a request comes before its Node',
  (requests, { controlPlanes }) =>
    askedForNone(requests, controlPlanes, 'asks for no control plane that was there before'),
);

/** kubeadm joins no machine whose Node is ready; where it is ready since before the request, kubeadm did not make that. */
export const requestsForNewMachines = policy<{ readonly ready: readonly KnownNode[] }>(
  'for-new-machines',
  'cmd/kubeadm/app/cmd/phases/join/kubelet.go: a Node with name and status Ready already exists',
  (requests, { ready }) => askedForNone(requests, ready, 'asks for no machine that was ready before'),
);

export const certificatesShort = policy<{ readonly days: number }>(
  'short',
  '004, --cluster-signing-duration',
  (requests, { days }) => [
    ...each(requests, (request) => {
      const leaf = issued(request);
      if (leaf === undefined || !isOfKubernetes(request)) return undefined;
      const life = leaf.notAfter - leaf.notBefore;
      return {
        demanded: `its certificate lives for ${days} days at most`,
        seen: `${Math.round(life / DAY)} days`,
        ok: life <= days * DAY + SLACK,
      };
    }),
    // a signer gives less than it is asked for, until somebody raises what it gives
    ...each(requests, (request) => {
      const asked = (request.seconds ?? 0) * 1000;
      if (asked <= days * DAY + SLACK || !isOfKubernetes(request)) return undefined;
      return { demanded: `asks for ${days} days at most`, seen: `for ${Math.round(asked / DAY)} days`, ok: false };
    }),
  ],
);
