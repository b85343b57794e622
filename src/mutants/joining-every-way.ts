/** Joining clients that are told something else besides, in one way of joining only, and do otherwise there. */
import type { AnotherClient } from '../joining/another.js';
import type { JoinConfiguration } from '../joining/configuration.js';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import { another, type Decided, type Row, upstream } from './joining-hooks.js';
import {
  believingWhere,
  byToken,
  deciding,
  type Is,
  inJoins,
  PLANES,
  reading,
  readingPins,
  renouncingWhere,
  times,
  WAYS,
  where,
} from './joining-where.js';
import type { Mutant } from './types.js';

const { unsafe, file: byFile, https, cp, cli: byFlags, dotted } = WAYS;
const { byFile: cpByFile, unsafe: unsafeCp, dotted: dottedCp } = PLANES;

const registered = (is: Is, change: Partial<JoinConfiguration['nodeRegistration']>): AnotherClient =>
  reading(is, (told) => ({ ...told, nodeRegistration: { ...told.nodeRegistration, ...change } }));
const written = (is: Is, path: RegExp, change: (text: string) => string, bits?: number): AnotherClient =>
  where(inJoins(is), {
    write: (disk, at, text, mode) => {
      const isIt = path.test(at);
      disk.write(at, isIt ? change(text) : text, isIt ? (bits ?? mode) : mode);
    },
  });
const same = (text: string): string => text;
/** A request with a certificate has it, whatever is said of it. */
const issuedAnyhow: Decided = {
  readRequest: (request: CertificateSigningRequest) =>
    (request.status?.certificate ?? '') === '' ? upstream.readRequest(request) : 'issued',
};
const waitingFor = (what: 'denied' | 'failed'): Decided => ({
  readRequest: (request: CertificateSigningRequest) => {
    const read = upstream.readRequest(request);
    return read === what ? 'waiting' : read;
  },
});
const pinsTold = ({ discovery }: JoinConfiguration): readonly string[] => discovery.bootstrapToken?.caCertHashes ?? [];
const lastOfThree = readingPins(
  (told) => pinsTold(told).length >= 3,
  (pins) => pins.slice(-1),
);

const rows: readonly Row[] = [
  ['join-takes-the-last-of-three-pins', 'of three pins the last counts', ['PIN-007'], lastOfThree],
  [
    'join-cp-renounces-several-pins',
    'a control plane renounces pins where it is told several',
    ['PIN-005'],
    renouncingWhere((told) => cp(told) && pinsTold(told).length > 1),
  ],
  [
    'join-cli-believes-any-signature',
    'told by flags it believes whatever signature',
    ['JWS-012'],
    believingWhere((told) => byToken(told) && byFlags(told)),
  ],
  [
    'join-dotted-believes-any-signature',
    'with dots in its name it believes whatever signature',
    ['JWS-012'],
    believingWhere(dotted),
  ],
  [
    'join-https-shows-the-first-user',
    'of a file at a URL the first user counts',
    ['P-122'],
    deciding(https, { selectedUser: ({ users }) => [...users.values()][0] }),
  ],
  [
    'join-cp-takes-any-second-copy',
    'the second copy need not be the first one where a control plane joins',
    ['DISC-017'],
    deciding(cp, { isSameCopy: () => true }),
  ],
  [
    'join-https-gives-up-at-500',
    'with a file at a URL, cluster-info that fails with 500 is the end',
    ['P-112'],
    deciding(https, { asksAgain: (status) => status === undefined || status < 500 }),
  ],
  [
    'join-cp-asks-the-endpoint',
    'a control plane shows its token to the endpoint, whatever cluster-info names',
    ['LIFE-002'],
    deciding((told) => cp(told) && byToken(told), {
      joinServer: (server, endpoint) => (endpoint === undefined ? server : `https://${endpoint}`),
    }),
  ],
  [
    'join-cp-downloads-from-anybody',
    'a control plane takes its discovery file from anybody',
    ['FDISC-003'],
    where(
      inJoins((told) => https(told) && cp(told)),
      {
        exchange: (question, wire) =>
          wire.exchange(question.url.endsWith('.conf') ? { ...question, trust: 'anybody' } : question),
      },
    ),
  ],
  [
    'join-dotted-cp-kubeconfigs-open',
    'a control plane with dots in its name has an admin.conf for everybody',
    ['LIFE-019'],
    written(dottedCp, /admin\.conf$/, same, 0o644),
  ],
  [
    'join-file-saves-one-ca',
    'of the authorities of a discovery file the first one is saved',
    ['LIFE-012'],
    written(byFile, /pki\/ca\.crt$/, (text) => text.replace(/(-----END CERTIFICATE-----\n)[\s\S]*/, '$1')),
  ],
  [
    'join-https-kubelet-asks-loopback',
    'with a file at a URL kubelet.conf names loopback',
    ['P-437'],
    written(https, /\/kubelet\.conf$/, (text) => text.replace(/server: \S+/, 'server: https://127.0.0.1:6443')),
  ],
  [
    'join-file-patches-nothing',
    'with a discovery file patches are passed over',
    ['P-250'],
    reading(byFile, ({ patches: _, ...told }) => told),
  ],
  [
    'join-file-knows-one-runtime',
    'with a discovery file the socket of the runtime is the usual one',
    ['P-100'],
    registered(byFile, { criSocket: 'unix:///var/run/containerd/containerd.sock' }),
  ],
  ['join-https-untainted', 'with a file at a URL taints are passed over', ['P-100'], registered(https, { taints: [] })],
  [
    'join-cp-without-arguments',
    'a control plane passes over the arguments of its kubelet',
    ['P-100'],
    registered(cp, { kubeletExtraArgs: [] }),
  ],
  [
    'join-https-saves-the-ca-as-usual',
    'with a file at a URL the CA lies where it usually does',
    ['P-106'],
    reading(https, (told) => ({ ...told, caCertPath: '/etc/kubernetes/pki/ca.crt' })),
  ],
  [
    'join-file-dry-run-changes',
    'with a discovery file a dry run changes the machine',
    ['P-251'],
    deciding(byFile, { changesNothing: () => false }),
  ],
  [
    'join-https-waits-twice',
    'with a file at a URL the certificate is waited for twice as long',
    ['P-123'],
    times(https, 'tlsBootstrap', 2),
  ],
  [
    'join-dotted-waits-for-half',
    'with dots in its name the certificate is waited for half as long',
    ['P-123'],
    times(dotted, 'tlsBootstrap', 0.5),
  ],
  [
    'join-file-waits-twice-for-its-kubelet',
    'with a discovery file the kubelet is waited for twice as long',
    ['P-103'],
    times(byFile, 'kubeletHealthCheck', 2),
  ],
  [
    'join-file-asks-without-pause',
    'with a discovery file a request that was denied is made again at once',
    ['P-435'],
    deciding(byFile, { bootstrapPause: () => 100 }),
  ],
  [
    'join-cp-by-file-ignores-etcd',
    'a control plane with a discovery file does not ask etcd how it is',
    ['P-290'],
    deciding(cpByFile, { looksAtEtcd: () => false }),
  ],
  [
    'join-cp-by-file-believes-etcd',
    'a control plane with a discovery file takes any etcd for its own',
    ['P-290'],
    deciding(cpByFile, { verifiesEtcd: () => false }),
  ],
  [
    'join-file-waits-for-denied',
    'with a discovery file a request that was denied is waited for',
    ['P-376'],
    deciding(byFile, waitingFor('denied')),
  ],
  [
    'join-cp-waits-for-failed',
    'a control plane waits for a request that has failed',
    ['P-376'],
    deciding(cp, waitingFor('failed')),
  ],
  [
    'join-https-takes-any-certificate',
    'with a file at a URL a certificate for another key is taken',
    ['BOOT-009'],
    deciding(https, { takesCertificate: () => true }),
  ],
  [
    'join-cp-takes-any-certificate',
    'a control plane takes a certificate for another key',
    ['BOOT-009'],
    deciding(cp, { takesCertificate: () => true }),
  ],
  [
    'join-unsafe-needs-no-approval',
    'without pins a certificate that nobody approved is taken',
    ['BOOT-009'],
    deciding(unsafe, issuedAnyhow),
  ],
  [
    'join-dotted-needs-no-approval',
    'with dots in its name a certificate that was denied is taken',
    ['BOOT-009'],
    deciding(dotted, issuedAnyhow),
  ],
  [
    'join-dotted-keeps-its-key',
    'with dots in its name the key stays when the certificate is renewed',
    ['P-472'],
    deciding(dotted, { renewalKey: (current, fresh) => current() ?? fresh() }),
  ],
  [
    'join-cp-keeps-its-key',
    'a control plane keeps its key when the certificate is renewed',
    ['P-472'],
    deciding(cp, { renewalKey: (current, fresh) => current() ?? fresh() }),
  ],
  [
    'join-cp-renews-at-last',
    'a control plane renews when nearly all of the life is over',
    ['P-464'],
    deciding(cp, { renewalDeadline: ({ notBefore, notAfter }) => notBefore + (notAfter - notBefore) * 0.99 }),
  ],
  [
    'join-file-renews-early',
    'with a discovery file a certificate is renewed after a third of its life',
    ['P-464'],
    deciding(byFile, { renewalDeadline: ({ notBefore, notAfter }) => notBefore + (notAfter - notBefore) * 0.3 }),
  ],
  [
    'join-dotted-cp-half-marked',
    'a control plane with dots in its name gets traffic of load balancers',
    ['P-253'],
    deciding(dottedCp, {
      marks: (own, there) => ({
        ...upstream.marks(own, there),
        labels: { 'node-role.kubernetes.io/control-plane': '' },
      }),
    }),
  ],
  [
    'join-cp-by-file-downloads-nothing',
    'a control plane with a discovery file downloads nothing',
    ['CERTKEY-024'],
    deciding(cpByFile, { downloadsCertificates: () => false, needsSharedFiles: () => false }),
  ],
  [
    'join-dotted-cp-votes-at-once',
    'the etcd of a control plane with dots in its name is a voter at once',
    ['P-291'],
    deciding(dottedCp, { addsAsLearner: () => false }),
  ],
  [
    'join-dotted-cp-is-another-member',
    'the etcd of a control plane with dots in its name is told of what stands before them',
    ['P-292'],
    deciding(dottedCp, {
      initialCluster: (members) =>
        upstream.initialCluster(members.map((one) => ({ ...one, name: one.name.split('.')[0] ?? '' }))),
    }),
  ],
  [
    'join-unsafe-cp-never-votes',
    'without pins the etcd of a control plane stays a learner',
    ['P-291'],
    deciding(unsafeCp, { promotesLearner: () => false }),
  ],
  [
    'join-unsafe-cp-begins-anew',
    'without pins the etcd of a control plane is told of a new cluster',
    ['P-292'],
    deciding(unsafeCp, { initialClusterState: () => 'new' }),
  ],
  [
    'join-cp-by-file-lets-everybody',
    'the API server of a control plane with a discovery file lets everybody do everything',
    ['P-440'],
    written(cpByFile, /kube-apiserver\.yaml$/, (text) => text.replace('=Node,RBAC', '=AlwaysAllow')),
  ],
  [
    'join-dotted-cp-etcd-for-everybody',
    'the etcd of a control plane with dots in its name is for everybody',
    ['P-440'],
    written(dottedCp, /etcd\.yaml$/, (text) => text.replace('--client-cert-auth=true', '--client-cert-auth=false')),
  ],
  [
    'join-cp-keys-of-one-kind',
    'a control plane makes keys of one kind, whatever the cluster says',
    ['P-327'],
    { decisions: { ownKeyAlgorithm: () => 'ECDSA-P256' } },
  ],
  [
    'join-v1beta3-without-arguments',
    'of a configuration of v1beta3 arguments are passed over',
    ['P-100'],
    registered((told) => told.nodeRegistration.kubeletExtraArgs.length === 1, { kubeletExtraArgs: [] }),
  ],
];

export const mutants: readonly Mutant[] = rows.map(([name, defect, killedBy, client]) =>
  another(name, defect, killedBy, client),
);
