/** Joining clients that find their cluster as kubeadm does, and do otherwise from then on, in one way of joining. */
import type { WireAnswer, WireQuestion } from '../kubernetes/wire.js';
import { another, answering, isFor, isLook, type Row } from './joining-hooks.js';
import { both, deciding, type Is, inJoins, type Otherwise, PLANES, unverified, WAYS, where } from './joining-where.js';
import type { Mutant } from './types.js';

const { unsafe, file: byFile, https, cp } = WAYS;
const always: Is = () => true;

const written = (is: Is, path: RegExp, change: (text: string) => string): Row[3] =>
  where(inJoins(is), {
    write: (disk, at, text, mode) => disk.write(at, path.test(at) ? change(text) : text, mode),
  });

const isFailedLook = ({ method, url }: WireQuestion, answer: WireAnswer): boolean =>
  method === 'GET' &&
  /\/certificatesigningrequests[/?]/.test(url) &&
  (answer.kind === 'failure' || answer.status >= 500);
const asksAnewWhereALookFails: Otherwise = {
  exchange: async (question, wire) => {
    const answer = await wire.exchange(question);
    return isFailedLook(question, answer) ? answering(404, { kind: 'Status', code: 404 }) : answer;
  },
};
const endsWhereALookFails: Otherwise = {
  exchange: async (question, wire, join) => {
    if (join.isOver) return answering(403, { kind: 'Status', code: 403 });
    const answer = await wire.exchange(question);
    if (isFailedLook(question, answer)) join.isOver = true;
    return answer;
  },
};

/** Cookies of any server are told to all; each join has its own. */
const keepsCookies = (): Otherwise => {
  const jars = new WeakMap<object, string>();
  return {
    exchange: async (question, wire, join) => {
      const cookie = jars.get(join);
      const answer = await wire.exchange({
        ...question,
        headers: { ...question.headers, ...(cookie === undefined ? {} : { cookie }) },
      });
      const given = answer.kind === 'answer' ? answer.headers['set-cookie']?.replace(/;.*/, '') : undefined;
      if (given !== undefined) jars.set(join, given);
      return answer;
    },
  };
};

/** Two looks at cluster-info, of which neither is verified. */
const looksTwiceAtAnybody: Otherwise = {
  exchange: async (question, wire) => {
    if (!isLook(question)) return wire.exchange(question);
    const unverifiedLook = { ...question, trust: 'anybody' } as const;
    await wire.exchange(unverifiedLook);
    return wire.exchange(unverifiedLook);
  },
};

const rows: readonly Row[] = [
  [
    'join-file-looks-twice-at-anybody',
    'who has a discovery file takes cluster-info twice from whoever answers',
    ['DISC-016'],
    where(inJoins(byFile), looksTwiceAtAnybody),
  ],
  [
    'join-cp-https-downloads-from-anybody',
    'a control plane with a file at a URL takes shared certificates from anybody',
    ['DISC-022'],
    where(
      inJoins(both(cp, https)),
      unverified((question) => isFor('kubeadm-certs', question)),
    ),
  ],
  [
    'join-https-reads-from-anybody',
    'with a file at a URL it reads the configuration of the cluster from anybody',
    ['DISC-022'],
    where(
      inJoins(https),
      unverified((question) => isFor('kubeadm-config', question)),
    ),
  ],
  [
    'join-cp-by-file-looks-at-anybody',
    'a control plane with a file reads cluster-info from anybody',
    ['FDISC-005'],
    where(
      inJoins(PLANES.byFile),
      unverified((question) => isFor('cluster-info', question)),
    ),
  ],
  [
    'join-by-file-keeps-cookies',
    'with a discovery file a cookie of any server is told to all',
    ['P-506'],
    where(inJoins(byFile), keepsCookies()),
  ],
  [
    'join-ends-where-a-look-fails',
    'a look at its request that fails is the end of it',
    ['P-526'],
    where(inJoins(always), endsWhereALookFails),
  ],
  [
    'join-asks-anew-where-a-look-fails',
    'where a look at its request fails it makes another one',
    ['P-435', 'P-526'],
    where(inJoins(always), asksAnewWhereALookFails),
  ],
  [
    'join-https-renews-from-anybody',
    'with a file at a URL it renews before anybody',
    ['P-524', 'P-527'],
    where(
      inJoins(https),
      unverified(({ certificate }) => certificate !== undefined),
    ),
  ],
  [
    'join-by-file-renews-its-key',
    'with a discovery file it renews the certificate of the same key',
    ['P-472', 'P-527'],
    deciding(byFile, { renewalKey: (current, fresh) => current() ?? fresh() }),
  ],
  [
    'join-unsafe-renews-what-has-ended',
    'without pins a certificate is renewed when it has ended',
    ['P-527'],
    deciding(unsafe, { renewalDeadline: ({ notAfter }) => notAfter + 1000 }),
  ],
  [
    'join-cp-kubelet-asks-by-another-name',
    'the kubelet.conf of a control plane has a name that is verified instead',
    ['P-311'],
    written(cp, /\/kubelet\.conf$/, (text) =>
      text.replace(/^( +)server: /m, '$1tls-server-name: kubernetes\n$1server: '),
    ),
  ],
  [
    'join-https-saves-no-ca',
    'with a file at a URL ca.crt is empty',
    ['LIFE-012'],
    written(https, /pki\/ca\.crt$/, () => ''),
  ],
];

export const mutants: readonly Mutant[] = rows.map((row) => another(...row));
