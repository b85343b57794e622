/** Joining clients that do otherwise in one way of joining only, and are as kubeadm in the others. */
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import { another, answering, BOOTSTRAP, type Decided, decidesJoining, isMaking } from './joining-hooks.js';
import { asBearer, inJoins, type Join, type Otherwise, unverified, WAYS, where } from './joining-where.js';
import type { Mutant } from './types.js';

const by = (way: keyof typeof WAYS): ReturnType<typeof inJoins> => inJoins(WAYS[way]);
const unrotated = ({ rotates }: Join): boolean => !rotates;

/** Requests are for something else. */
const asksFor = (change: (spec: CertificateSigningRequest['spec']) => object): Otherwise => ({
  exchange: (question, wire) => {
    if (!isMaking(question)) return wire.exchange(question);
    const request = JSON.parse(question.body ?? '{}') as CertificateSigningRequest;
    const spec = { ...request.spec, ...change(request.spec) };
    return wire.exchange({ ...question, body: JSON.stringify({ ...request, spec }) });
  },
});
const open = (is: RegExp, bits = 0o644): Otherwise => ({
  write: (disk, path, text, mode) => disk.write(path, text, is.test(path) ? bits : mode),
});
const written = (is: RegExp, change: (text: string) => string): Otherwise => ({
  write: (disk, path, text, mode) => disk.write(path, is.test(path) ? change(text) : text, mode),
});
const leaves: Otherwise = {
  remove: (disk, path) => {
    if (path !== BOOTSTRAP) disk.remove(path);
  },
};
const FORBIDDEN = { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403 };
/** The first failure is the last one. */
const givesUp: Otherwise = {
  exchange: async (question, wire, join) => {
    if (join.isOver) return answering(403, FORBIDDEN);
    const answer = await wire.exchange(question);
    if (isMaking(question) && answer.kind === 'answer' && answer.status >= 500) join.isOver = true;
    return answer;
  },
};
const always = (): boolean => true;

const CONF = /\/kubelet\.conf$/;
const PAIR = /kubelet-client-\d{4}(-\d\d){5}\.pem$/;

const decides = (name: string, defect: string, rules: readonly string[], way: keyof typeof WAYS, decided: Decided) =>
  another(name, defect, rules, { decidesFor: (told) => (WAYS[way](told) ? decided : {}) });

export const mutants: readonly Mutant[] = [
  another('join-gives-up-at-500', 'a request that fails with 500 is the last one', ['P-526'], where(always, givesUp)),
  another(
    'join-by-file-gives-up-at-500',
    'with a discovery file a request that fails with 500 is the last one',
    ['P-526'],
    where(by('file'), givesUp),
  ),
  another('join-by-flags-waits-for-a-minute', 'told by flags, it waits for its certificate for a minute', ['P-518'], {
    configuration: (told) =>
      WAYS.cli(told) ? { ...told, timeouts: { ...told.timeouts, tlsBootstrap: 60_000 } } : told,
  }),
  another('join-https-discovers-for-minutes', 'a file at a URL is looked for for five minutes', ['FDISC-009'], {
    configuration: (told) =>
      WAYS.https(told) ? { ...told, timeouts: { ...told.timeouts, discovery: 300_000 } } : told,
  }),
  another('join-unsafe-discovers-for-minutes', 'without pins discovery takes five minutes', ['DISC-009'], {
    configuration: (told) =>
      WAYS.unsafe(told) ? { ...told, timeouts: { ...told.timeouts, discovery: 300_000 } } : told,
  }),
  decidesJoining(
    'join-writes-its-kubeconfig-first',
    'kubelet.conf is written before there is a certificate, rotated or not',
    ['LIFE-011'],
    { writesKubeconfigFirst: () => true },
  ),
  another(
    'join-https-sends-its-token-unverified',
    'with a file at a URL, requests with the token go to anybody',
    ['BOOT-005'],
    where(by('https'), unverified(asBearer)),
  ),
  another(
    'join-cp-sends-its-token-unverified',
    'a control plane sends its token to anybody',
    ['BOOT-005'],
    where(by('cp'), unverified(asBearer)),
  ),
  another(
    'join-unrotated-sends-its-token-unverified',
    'without rotation the certificate is asked of anybody',
    ['BOOT-005'],
    where(unrotated, unverified(isMaking)),
  ),
  another(
    'join-cp-asks-for-servers',
    'a control plane asks for server auth as well',
    ['P-114'],
    where(
      by('cp'),
      asksFor(({ usages = [] }) => ({ usages: [...usages, 'server auth'] })),
    ),
  ),
  another(
    'join-unsafe-asks-for-ten-years',
    'without pins it asks for ten years',
    ['P-501'],
    where(
      by('unsafe'),
      asksFor(() => ({ expirationSeconds: 315_360_000 })),
    ),
  ),
  another(
    'join-unrotated-asks-for-servers',
    'without rotation it asks for server auth as well',
    ['P-114'],
    where(
      unrotated,
      asksFor(({ usages = [] }) => ({ usages: [...usages, 'server auth'] })),
    ),
  ),
  ...(['unsafe', 'file', 'https', 'cp', 'cli', 'dotted'] as const).flatMap((way) => [
    another(
      `join-${way}-leaves-its-bootstrap`,
      `${way}: the bootstrap kubeconfig is left`,
      ['P-517'],
      where(by(way), leaves),
    ),
    another(`join-${way}-pair-open`, `${way}: everybody may read its pair`, ['P-525'], where(by(way), open(PAIR))),
    another(
      `join-${way}-kubelet-believes-all`,
      `${way}: kubelet.conf skips verification`,
      [way === 'dotted' ? 'P-517' : 'P-443'],
      where(
        by(way),
        written(CONF, (text) => text.replace(/certificate-authority-data: \S+/, 'insecure-skip-tls-verify: true')),
      ),
    ),
  ]),
  ...(['unsafe', 'file', 'https', 'cp', 'cli'] as const).map((way) =>
    decides(`join-${way}-takes-a-ready-node`, `${way}: a Node that is ready is taken over`, ['JOIN-009'], way, {
      isTaken: () => false,
    }),
  ),
  another(
    'join-unrotated-leaves-its-bootstrap',
    'without rotation the bootstrap kubeconfig is left',
    ['JOIN-007'],
    where(unrotated, leaves),
  ),
  another(
    'join-unrotated-pair-open',
    'without rotation everybody may read its pair',
    ['LIFE-019'],
    where(unrotated, open(PAIR)),
  ),
];
