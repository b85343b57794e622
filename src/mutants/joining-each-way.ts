/** Joining clients that do otherwise in one way of joining only, where a server that tells it by token is met in each. */
import type { AnotherClient } from '../joining/another.js';
import type { JoiningDecisions } from '../joining/decisions/index.js';
import type { CertificateProblem, WireQuestion } from '../kubernetes/wire.js';
import { another, isMaking, type Row, upstream } from './joining-hooks.js';
import { both, deciding, type Is, inJoins, PLANES, readingPins, times, WAYS, where } from './joining-where.js';
import type { Mutant } from './types.js';

const { unsafe, file: byFile, https, cp, cli, dotted } = WAYS;
/** Of v1beta3: it says of no wait how long it is but of discovery. */
const old: Is = (told) => cli(told) && told.timeouts.discovery !== 300_000;
const { byFile: cpByFile, unsafe: unsafeCp, dotted: dottedCp } = PLANES;

/** Certificates with this problem are believed there. */
const ignoringWhere = (is: Is, kind: CertificateProblem['kind']): AnotherClient =>
  where(inJoins(is), {
    exchange: async (question, wire) => {
      const answer = await wire.exchange(question);
      const { failure } = answer.kind === 'failure' ? answer : { failure: undefined };
      const isIgnored = failure?.cause === 'untrusted' && failure.problem.kind === kind;
      return isIgnored ? wire.exchange({ ...question, trust: 'anybody' }) : answer;
    },
  });
const askingWhere = (is: Is, change: (question: WireQuestion) => WireQuestion): AnotherClient =>
  where(inJoins(is), { exchange: (question, wire) => wire.exchange(change(question)) });
const marking = (is: Is, change: (marks: ReturnType<JoiningDecisions['marks']>) => typeof marks): AnotherClient =>
  deciding(is, { marks: (own, there) => change(upstream.marks(own, there)) });
/** Who says that nothing was signed needs no signature. */
const orNone: JoiningDecisions['isSignature'] = (signature, content, token) => {
  const header = Buffer.from(signature.split('.')[0] ?? '', 'base64url').toString('utf8');
  return /"alg":\s*"none"/i.test(header) || upstream.isSignature(signature, content, token);
};
const withoutCapitals: JoiningDecisions['readPin'] = (pin) => {
  const reading = upstream.readPin(pin);
  return 'hash' in reading ? { hash: pin.replace(/^[^:]*:/, '') } : reading;
};

const rows: readonly Row[] = [
  [
    'join-file-cp-without-images',
    'a control plane that finds its cluster by a file joins without its images',
    ['P-325'],
    deciding(cpByFile, { pullsImages: () => false }),
  ],
  [
    'join-cp-compares-pins-in-lower-case',
    'a control plane knows no pin in capitals again',
    ['PIN-001'],
    deciding(cp, { readPin: withoutCapitals }),
  ],
  [
    'join-dotted-compares-pins-in-lower-case',
    'a machine whose name has dots knows no pin in capitals again',
    ['PIN-001'],
    deciding(dotted, { readPin: withoutCapitals }),
  ],
  [
    'join-unsafe-takes-none-for-a-signature',
    'without pins a signature may say that there is none',
    ['JWS-009'],
    deciding(unsafe, { isSignature: orNone }),
  ],
  [
    'join-flags-take-none-for-a-signature',
    'told by flags, a signature may say that there is none',
    ['JWS-009'],
    deciding(cli, { isSignature: orNone }),
  ],
  [
    'join-cp-takes-no-signature-for-one',
    'to a control plane a signature without a letter is right',
    ['DISC-013'],
    deciding(cp, {
      isNoSignature: () => false,
      isSignature: (signature, content, token) => signature === '' || upstream.isSignature(signature, content, token),
    }),
  ],
  [
    'join-cp-waits-for-no-signature',
    'a control plane ends where cluster-info is not yet signed for it',
    ['DISC-008'],
    deciding(cp, { waitsForSignature: () => false }),
  ],
  [
    'join-old-waits-for-no-signature',
    'told by v1beta3, it ends where cluster-info is not yet signed for it',
    ['DISC-008'],
    deciding(old, { waitsForSignature: () => false }),
  ],
  [
    'join-unsafe-ends-at-503',
    'without pins a server that is not yet available ends the join',
    ['DISC-007'],
    deciding(unsafe, { asksAgain: (status) => status !== 503 }),
  ],
  [
    'join-dotted-ends-at-404',
    'with dots in its name, a cluster-info that is not there ends the join',
    ['DISC-007'],
    deciding(dotted, { asksAgain: (status) => status !== 404 }),
  ],
  [
    'join-cp-may-renounce-a-pin-that-is-wrong',
    'to a control plane pins do not count beside their renunciation',
    ['PIN-005'],
    readingPins(unsafeCp, () => []),
  ],
  [
    'join-cp-file-skips-verification',
    'a control plane takes a file that skips the verification by its CA',
    ['FDISC-005'],
    deciding(cp, { skipsBesideCa: () => true }),
  ],
  [
    'join-cp-file-is-overruled',
    'a control plane takes the CA of cluster-info for that of its file',
    ['LIFE-002'],
    deciding(both(cp, byFile), { takesCaOfClusterInfo: () => true }),
  ],
  [
    'join-https-file-is-not-enough',
    'with a file at a URL, cluster-info must be had',
    ['FDISC-007'],
    deciding(https, { goesOnWithFile: () => false }),
  ],
  [
    'join-cp-believes-what-has-ended',
    'a control plane believes certificates that have ended',
    ['DISC-022'],
    ignoringWhere(cp, 'dates'),
  ],
  [
    'join-by-file-believes-other-names',
    'with a discovery file, certificates of other names are believed',
    ['DISC-022'],
    ignoringWhere(byFile, 'name'),
  ],
  [
    'join-https-believes-clients',
    'with a file at a URL, certificates for clients are believed',
    ['DISC-022'],
    ignoringWhere(https, 'usage'),
  ],
  [
    'join-dotted-speaks-weakly',
    'with dots in its name, it offers TLS that protects nothing',
    ['P-514'],
    askingWhere(dotted, (question) => ({ ...question, offersWeak: true })),
  ],
  ['join-cp-takes-any-name', 'a control plane takes any name', ['P-104'], deciding(cp, { isNodeName: () => true })],
  [
    'join-unsafe-keeps-capitals',
    'without pins, capitals stay in its name',
    ['P-104'],
    deciding(unsafe, { nodeName: (name) => name }),
  ],
  [
    'join-cp-looks-for-health-as-usual',
    'a control plane looks for the health of its kubelet at the usual port alone',
    ['P-103'],
    deciding(cp, { healthPort: () => 10_248 }),
  ],
  [
    'join-by-file-needs-no-proxy',
    'with a discovery file, a kube-proxy configuration that fails is done without',
    ['P-115'],
    deciding(byFile, { goesOnWithoutProxy: () => true }),
  ],
  [
    'join-https-any-age',
    'with a file at a URL, it joins a cluster of any age',
    ['P-115'],
    deciding(https, { oldestControlPlane: () => 20 }),
  ],
  [
    'join-by-file-overlooks-files',
    'with a discovery file, files of another join do not hinder',
    ['JOIN-002'],
    deciding(byFile, { mustBeAbsent: () => [] }),
  ],
  [
    'join-unsafe-looks-without-pause',
    'without pins, it looks at its request without a pause',
    ['P-400'],
    deciding(unsafe, { pollInterval: () => 5 }),
  ],
  [
    'join-https-may-look-nowhere',
    'with a file at a URL, who may not look for its Node goes on',
    ['P-109'],
    deciding(https, { nodeMustBeKnown: (status) => status !== 404 && status !== 403 }),
  ],
  [
    'join-cp-by-file-waits-half-for-its-server',
    'a control plane with a file waits half its time for what it runs',
    ['P-313'],
    times(cpByFile, 'controlPlaneComponentHealthCheck', 0.5),
  ],
  [
    'join-old-waits-half',
    'told by v1beta3, it waits half the time for its certificate',
    ['P-123'],
    times(old, 'tlsBootstrap', 0.5),
  ],
  [
    'join-old-waits-twice-for-its-kubelet',
    'told by v1beta3, it waits twice as long for its kubelet',
    ['P-103'],
    times(old, 'kubeletHealthCheck', 2),
  ],
  [
    'join-cp-marks-for-twice-its-time',
    'a control plane goes on marking for twice its time',
    ['P-253'],
    times(cp, 'kubernetesAPICall', 2),
  ],
  [
    'join-unsafe-cp-has-more-administrators',
    'without pins, a control plane has the administrator of init as well',
    ['P-438'],
    where(inJoins(unsafeCp), {
      write: (disk, path, text, mode) => {
        disk.write(path, text, mode);
        if (path === '/etc/kubernetes/admin.conf') disk.write('/etc/kubernetes/super-admin.conf', text, mode);
      },
    }),
  ],
  [
    'join-dotted-cp-marks-another-node',
    'with dots in its name, a control plane marks the Node of its first label',
    ['P-253'],
    where(inJoins(dottedCp), {
      exchange: async (question, wire) => {
        if (question.method !== 'PATCH') return wire.exchange(question);
        const other = { ...question, url: question.url.replace(/(\/nodes\/[^./?]+)[^?]*/, '$1') };
        const answer = await wire.exchange(other);
        return answer.kind === 'answer' ? { ...answer, status: 200 } : answer;
      },
    }),
  ],
  [
    'join-unsafe-cp-lacks-entries',
    'without pins, shared entries may be missing',
    ['CERTKEY-022'],
    deciding(unsafeCp, { mayBeMissing: () => true }),
  ],
  [
    'join-cp-by-file-takes-any-key',
    'a control plane with a file takes a certificate key that is none',
    ['CERTKEY-004', 'CERTKEY-005'],
    deciding(cpByFile, { certificateKeyProblem: () => undefined }),
  ],
  [
    'join-cp-by-file-renews-late',
    'a control plane with a file renews at the end of its certificate',
    ['P-464'],
    deciding(cpByFile, { renewalDeadline: ({ notBefore, notAfter }) => notBefore + 0.99 * (notAfter - notBefore) }),
  ],
  [
    'join-cp-by-file-renews-its-key',
    'a control plane with a file renews the certificate of the same key',
    ['P-472'],
    deciding(cpByFile, { renewalKey: (current, fresh) => current() ?? fresh() }),
  ],
  [
    'join-unsafe-cp-renews-as-another',
    'a control plane without pins renews in the name of somebody else',
    ['P-516'],
    askingWhere(unsafeCp, (question) =>
      isMaking(question) && question.certificate !== undefined
        ? { ...question, headers: { ...question.headers, 'impersonate-user': 'kubernetes-admin' } }
        : question,
    ),
  ],
  [
    'join-old-cp-has-no-taint',
    'a control plane that is told by v1beta3 has no taint',
    ['P-253'],
    marking(both(cp, old), (marks) => ({ ...marks, taints: [] })),
  ],
  [
    'join-dotted-cp-has-a-vote-at-once',
    'with dots in its name, a control plane is a voter in etcd from the start',
    ['P-291'],
    deciding(dottedCp, { addsAsLearner: () => false }),
  ],
];

export const mutants: readonly Mutant[] = rows.map((row) => another(...row));
