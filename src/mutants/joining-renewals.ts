/** Defects of a joining client in what it asks, shows and writes when it renews, where its first certificate is right. */
import type { AnotherClient } from '../joining/another.js';
import type { Files } from '../joining/ports.js';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import type { Wire, WireQuestion } from '../kubernetes/wire.js';
import { generateKey } from '../pki/keys.js';
import { createRequest } from '../pki/request.js';
import { another, isMaking, onWrite, sendingObject } from './joining-hooks.js';
import type { Mutant } from './types.js';

const isRenewal = (question: WireQuestion): boolean => question.certificate !== undefined && isMaking(question);

type Spec = CertificateSigningRequest['spec'];

/** What is asked for is something else where a certificate is renewed. */
const renewing = (change: (spec: Spec) => Partial<Spec>) =>
  sendingObject(isRenewal, (request: CertificateSigningRequest) => ({
    ...request,
    spec: { ...request.spec, ...change(request.spec) },
  }));

const MOST_WEAK = 12;
/** More than join at once. */
const MACHINES = 40;
const weakRequests: string[] = [];
/** A request of a weak key; a key takes its time, so each is made once. */
function weak(at: number): string {
  weakRequests[at] ??= createRequest({
    key: generateKey('RSA-1024'),
    subject: { commonName: 'system:node:worker-9', organizations: ['system:nodes'] },
  }).base64;
  return weakRequests[at];
}

let machines = 0;
/** With keys that no other machine has, in turn: who is refused asks again at once. */
const renewingWeakly: NonNullable<AnotherClient['wire']> = (...machine) => {
  const own = (machines++ % MACHINES) * MOST_WEAK;
  let asked = 0;
  return renewing(() => ({ request: weak(own + (asked++ % MOST_WEAK)) }))(...machine);
};

const DATED = /kubelet-client-\d{4}(-\d\d){5}\.pem$/;

/** Every pair but the first has another mode. */
const laterPairs =
  (mode: number) =>
  (files: Files): Files => {
    let pairs = 0;
    return onWrite((disk, path, text, own) => {
      if (DATED.test(path)) pairs += 1;
      disk.write(path, text, DATED.test(path) && pairs > 1 ? mode : own);
    })(files);
  };

/** A renewal that fails is asked for with the token that it joined by. */
const withTokenAtLast = (wire: Wire): Wire => {
  let authorization: string | undefined;
  return {
    exchange: async (question) => {
      authorization ??= question.headers.authorization;
      const answer = await wire.exchange(question);
      if (!isRenewal(question) || authorization === undefined) return answer;
      const { certificate: _, ...others } = question;
      const isFailed = answer.kind === 'answer' && answer.status >= 400;
      return isFailed ? wire.exchange({ ...others, headers: { ...question.headers, authorization } }) : answer;
    },
  };
};

const BOOTSTRAP = '/etc/kubernetes/bootstrap-kubelet.conf';

/** What it has bootstrapped with is written again for a moment when another pair comes. */
const bootstrappingAgain = (files: Files): Files => {
  let [bootstrap, pairs] = ['', 0];
  return onWrite((disk, path, text, mode) => {
    disk.write(path, text, mode);
    if (path === BOOTSTRAP) bootstrap = text;
    if (!DATED.test(path)) return;
    pairs += 1;
    if (pairs === 1) return;
    disk.write(BOOTSTRAP, bootstrap, 0o600);
    disk.remove(BOOTSTRAP);
  })(files);
};

/** Whatever else is done with a pair that is not the first. */
const atRenewals =
  (act: (disk: Files, text: string) => void) =>
  (files: Files): Files => {
    let pairs = 0;
    return onWrite((disk, path, text, mode) => {
      disk.write(path, text, mode);
      if (!DATED.test(path)) return;
      pairs += 1;
      if (pairs > 1) act(disk, text);
    })(files);
  };

export const mutants: readonly Mutant[] = [
  another('join-forgets-its-ca', 'ca.crt is removed at a renewal', ['P-527'], {
    files: atRenewals((disk) => disk.remove('/etc/kubernetes/pki/ca.crt')),
  }),
  another('join-copies-renewed-pairs', 'a renewed pair is kept among temporary files as well', ['P-527'], {
    files: atRenewals((disk, text) => disk.write('/var/tmp/last.pem', text, 0o600)),
  }),
  another('join-bootstrap-comes-back', 'the bootstrap kubeconfig is there for a moment at a renewal', ['P-527'], {
    files: bootstrappingAgain,
  }),
  another('join-renews-for-an-hour', 'a renewal asks for an hour', ['P-523', 'P-528'], {
    wire: renewing(() => ({ expirationSeconds: 3_600 })),
  }),
  another('join-renews-for-servers', 'a renewal asks for server auth as well', ['P-522', 'P-527'], {
    wire: renewing(({ usages = [] }) => ({ usages: [...usages, 'server auth'] })),
  }),
  another('join-renews-by-another-signer', 'a renewal is for the signer of other clients', ['P-522', 'P-527'], {
    wire: renewing(() => ({ signerName: 'kubernetes.io/kube-apiserver-client' })),
  }),
  another('join-renews-to-encipher', 'a renewal asks for key encipherment', ['P-523', 'P-528'], {
    wire: renewing(() => ({ usages: ['digital signature', 'key encipherment', 'client auth'] })),
  }),
  another('join-renews-a-weak-key', 'a renewal is for a key of 1024 bits', ['P-522', 'P-527'], {
    wire: renewingWeakly,
  }),
  another('join-renewed-pairs-open', 'renewed pairs are readable by everybody', ['P-525', 'P-527', 'P-539'], {
    files: laterPairs(0o644),
  }),
  another(
    'join-renews-with-its-token-at-last',
    'a renewal that fails is asked for with the token',
    ['P-464', 'P-527'],
    {
      wire: withTokenAtLast,
    },
  ),
  another('join-unlinks-its-pair', 'the current pair is removed before the next one is linked', ['P-525'], {
    files: (files) => ({
      ...onWrite((disk, ...written) => disk.write(...written))(files),
      link: (path, target) => {
        if (files.exists(path)) files.remove(path);
        files.link(path, target);
      },
    }),
  }),
];
