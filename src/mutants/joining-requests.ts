/** Defects of a joining client in what it asks for besides what joining needs, how often, and how long it waits. */

import { joiningDecisions } from '../joining/decisions/index.js';
import { isRecord } from '../kubernetes/json.js';
import type { WireQuestion } from '../kubernetes/wire.js';
import { encodePem, pemBlocks } from '../pki/pem.js';
import {
  another,
  answering,
  asking,
  decidesJoining,
  failing,
  inBodies,
  isFor,
  isLook,
  sending,
  textOf,
  upstream,
  withoutToken,
} from './joining-hooks.js';
import type { Mutant } from './types.js';

const REQUESTS = '/certificatesigningrequests';
const isMade = ({ method, url }: WireQuestion): boolean => method === 'POST' && url.includes(REQUESTS);
const isOfNode = ({ method, url }: WireQuestion): boolean => method === 'GET' && url.includes('/api/v1/nodes/');

/** The same server is asked for something else. */
const at = ({ url, ...question }: WireQuestion, path: string): WireQuestion => ({
  ...question,
  url: url.replace(/^(https?:\/\/[^/]*)\/.*$/, `$1${path}`),
});

/** Something is asked before what it asks anyway. */
const before = (is: (question: WireQuestion) => boolean, make: (question: WireQuestion) => WireQuestion) =>
  asking(async (question, wire) => {
    if (is(question)) await wire.exchange(make(question));
    return wire.exchange(question);
  });

const believing = (is: (question: WireQuestion) => boolean) =>
  sending((question) => (is(question) ? { ...question, trust: 'anybody' } : question));
const inRequest = inBodies(isMade);

/** The last bit of what has signed a request is another. */
function brokenIn(body: string): string {
  const object = JSON.parse(body) as { spec: { request: string } };
  const [block] = pemBlocks(Buffer.from(object.spec.request, 'base64').toString('utf8'));
  const bytes = Buffer.from(block?.bytes ?? '');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  object.spec.request = Buffer.from(encodePem('CERTIFICATE REQUEST', bytes)).toString('base64');
  return JSON.stringify(object);
}

/** Whether a text is a ConfigMap that has something in it. */
function isMap(content: string): boolean {
  try {
    const object: unknown = JSON.parse(content);
    return isRecord(object) && object.kind === 'ConfigMap' && isRecord(object.data);
  } catch {
    return false;
  }
}

/** Reads by another token than that of TLS bootstrap. */
const byAnother = (token: string) =>
  sending((question) =>
    question.headers.authorization !== undefined && isFor('kubeadm-config', question)
      ? { ...question, headers: { ...question.headers, authorization: `Bearer ${token}` } }
      : question,
  );

/** Each look at a request makes another one. */
function anew() {
  let made: WireQuestion | undefined;
  return asking(async (question, wire) => {
    if (isMade(question)) made = question;
    if (question.method === 'GET' && question.url.includes(`${REQUESTS}/`) && made !== undefined)
      await wire.exchange(made);
    return wire.exchange(question);
  });
}

export const mutants: readonly Mutant[] = [
  another('join-deletes-an-old-node', 'a Node of its name that is not ready is deleted', ['P-430'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      if (isOfNode(question) && answer.kind === 'answer' && answer.status === 200)
        await wire.exchange({ ...question, method: 'DELETE' });
      return answer;
    }),
  }),
  another('join-tells-that-it-joins', 'it posts as nobody that it joins', ['P-430', 'P-512'], {
    wire: before(
      (question) => isFor('kubeadm-config', question),
      (question) => withoutToken({ ...at(question, '/joined'), method: 'POST', body: '{}' }),
    ),
  }),
  another('join-tells-that-it-looks', 'it posts as nobody that it looks', ['P-430'], {
    wire: before(isLook, (question) => ({ ...at(question, '/looking'), method: 'POST', body: '{}' })),
  }),
  another('join-lists-what-is-public', 'it looks which ConfigMaps are public', ['P-431'], {
    wire: before(isLook, (question) => at(question, '/api/v1/namespaces/kube-public/configmaps')),
  }),
  another('join-writes-its-status', 'a control plane writes of itself into kubeadm-config', ['P-430'], {
    wire: before(
      ({ method }) => method === 'PATCH',
      (question) => at({ ...question, body: '{}' }, '/api/v1/namespaces/kube-system/configmaps/kubeadm-config'),
    ),
  }),
  another('join-marks-another', 'another Node is marked as well', ['P-430'], {
    wire: before(
      ({ method }) => method === 'PATCH',
      (question) => at(question, '/api/v1/nodes/worker-1'),
    ),
  }),
  another('join-lists-secrets', 'it looks which Secrets there are', ['P-431'], {
    wire: before(
      (question) => isFor('kubeadm-config', question),
      (question) => at(question, '/api/v1/namespaces/kube-system/secrets'),
    ),
  }),
  another('join-asks-as-nobody-first', 'kubeadm-config is asked for as nobody first', ['P-431'], {
    wire: before((question) => isFor('kubeadm-config', question), withoutToken),
  }),
  another('join-looks-in-kube-system', 'a cluster-info that is missing is looked for in kube-system', ['P-431'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isMissing = isLook(question) && answer.kind === 'answer' && answer.status === 404;
      return isMissing
        ? wire.exchange({ ...question, url: question.url.replace('kube-public', 'kube-system') })
        : answer;
    }),
  }),
  another('join-reads-another-node', 'the Node of another machine is looked at', ['P-431'], {
    wire: before(isOfNode, (question) => ({ ...question, url: question.url.replace('worker-9', 'worker-1') })),
  }),
  another('join-waits-without-a-limit', 'what follows discovery is waited for without a limit', ['P-432'], {
    wire: sending((question) => {
      const { within: _, ...rest } = question;
      return isLook(question) ? question : rest;
    }),
  }),
  another('join-waits-for-shared-keys', 'kubeadm-certs is waited for without a limit', ['P-432'], {
    wire: sending((question) => {
      const { within: _, ...rest } = question;
      return isFor('kubeadm-certs', question) ? rest : question;
    }),
  }),
  another('join-reads-by-the-token-of-discovery', 'kubeadm-config is read with the token of discovery', ['P-433'], {
    wire: byAnother('abcdef.0123456789abcdef'),
  }),
  another(
    'join-reads-by-the-token-of-the-file',
    'kubeadm-config is read with a token of the discovery file',
    ['P-433'],
    {
      wire: byAnother('uvwxyz.0123456789abcdef'),
    },
  ),
  decidesJoining('join-small-key', 'a key of RSA with 1024 bits', ['P-434', 'P-522'], {
    keyAlgorithm: () => 'RSA-1024',
  }),
  another('join-asks-for-each-look', 'each look at its request makes another one', ['P-435'], { wire: anew() }),
  decidesJoining('join-asks-again-at-once', 'who is refused asks again five times a second', ['P-435'], {
    bootstrapPause: () => 200,
    // By chance it is due later when it is looked at again.
    renewalDeadline: ({ notBefore, notAfter }) => notBefore + (notAfter - notBefore) * 0.75,
  }),
  decidesJoining('join-comes-at-once', 'Retry-After is taken for leave to come again at once', ['P-436'], {
    repeatsAfter: (status, retryAfter) =>
      joiningDecisions.repeatsAfter(status, retryAfter) === undefined ? undefined : 0,
  }),
  decidesJoining(
    'join-comes-at-half-of-the-time',
    'half of the time passes after which it is told to come',
    ['P-436'],
    {
      repeatsAfter: (status, told) => {
        const pause = upstream.repeatsAfter(status, told);
        return pause === undefined ? undefined : pause / 2;
      },
    },
  ),
  decidesJoining('join-goes-in-circles', 'a thousand redirects are followed', ['P-436'], { redirects: () => 1_000 }),
  another('join-for-ten-years', 'the certificate is asked for ten years', ['P-114'], {
    wire: inRequest('"signerName"', '"expirationSeconds":315360000,"signerName"'),
  }),
  another('join-says-who-asks', 'the request says who asks for it', ['P-114'], {
    wire: inRequest('"spec":{', '"spec":{"groups":["system:masters"],'),
  }),
  another('join-asks-thrice', 'a certificate is asked for three times', ['P-435', 'P-518', 'P-528'], {
    wire: asking(async (question, wire) => {
      if (isMade(question)) for (const _ of ['once', 'twice']) await wire.exchange(question);
      return wire.exchange(question);
    }),
  }),
  another('join-knows-its-own-version', 'a kubeadm-config in v1beta3 is not known', ['P-115'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      return textOf(answer).includes('kubeadm.k8s.io/v1beta3') ? failing({ cause: 'reset' }) : answer;
    }),
  }),
  another('join-reads-lines', 'a kubeconfig that does not end its lines as usual, or has none, is none', ['INFO-012'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isOdd = isLook(question) && /"kubeconfig":"\{|\\r\\n/.test(textOf(answer));
      return isOdd ? failing({ cause: 'reset' }) : answer;
    }),
  }),
  another('join-takes-anything-for-cluster-info', 'whatever is read is a cluster-info, and empty', ['DISC-007'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isNone = isLook(question) && answer.kind === 'answer' && answer.status === 200 && !isMap(textOf(answer));
      return isNone ? answering(200, { kind: 'ConfigMap', data: { 'jws-kubeconfig-abcdef': '' } }) : answer;
    }),
  }),
  decidesJoining(
    'join-by-the-certificate-of-the-file',
    'a certificate of the file comes before a token',
    ['LIFE-004'],
    {
      joinToken: (token, hasOwn) => (hasOwn ? undefined : token),
    },
  ),
  another('join-has-no-time', 'a call has a second', ['DISC-007'], {
    wire: sending((question) => ({ ...question, within: Math.min(question.within ?? 1_000, 1_000) })),
  }),
  another('join-falls-back-to-nobody', 'who is refused asks again as nobody', ['P-431'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isRefused = answer.kind === 'answer' && answer.status === 401;
      return isRefused && question.headers.authorization !== undefined ? wire.exchange(withoutToken(question)) : answer;
    }),
  }),
  another('join-asks-to-serve', 'the token asks for a certificate to serve with as well', ['P-114'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      if (isMade(question) && answer.kind === 'answer' && answer.status === 201)
        await wire.exchange({
          ...question,
          body: question.body?.replace('kube-apiserver-client-kubelet', 'kubelet-serving') ?? '',
        });
      return answer;
    }),
  }),
  another('join-for-a-second', 'the certificate is asked for a second', ['P-114'], {
    wire: inRequest('"signerName"', '"expirationSeconds":1,"signerName"'),
  }),
  another('join-signs-nothing-by-it', 'the certificate is not asked for signatures', ['P-114'], {
    wire: inRequest('"digital signature",', ''),
  }),
  another('join-by-another-scheme', 'the scheme of its header is written small', [], {
    wire: sending((question) =>
      question.headers.authorization === undefined
        ? question
        : {
            ...question,
            headers: { ...question.headers, authorization: question.headers.authorization.replace('Bearer', 'bearer') },
          },
    ),
  }),
  another('join-signature-broken', 'the request is signed otherwise than its key signs it', ['P-434'], {
    wire: sending((question) => (isMade(question) ? { ...question, body: brokenIn(question.body ?? '') } : question)),
  }),
  another('join-says-its-token-in-a-dry-run', 'a dry run tells the token that it would have written', ['P-102'], {
    words: (line) => (line.startsWith('Would write') ? `${line} abcdef.0123456789abcdef` : line),
  }),
  another('join-for-half-a-year', 'the certificate is asked for half a year', [], {
    speaksKubeadm: false,
    wire: inRequest('"signerName"', '"expirationSeconds":15768000,"signerName"'),
  }),
  decidesJoining(
    'join-name-cut-at-its-dot',
    'of a name what stands before the first dot is taken',
    ['P-104', 'P-114'],
    {
      nodeName: (hostName) => upstream.nodeName(hostName).replace(/\..*$/, ''),
    },
  ),
  another('join-believes-who-answers-its-looks', 'whoever answers looks at a request is believed', ['DISC-022'], {
    wire: believing(({ method, url }) => method === 'GET' && url.includes(REQUESTS)),
  }),
  another('join-believes-who-knows-its-node', 'whoever answers for its Node is believed', ['DISC-022'], {
    wire: believing(isOfNode),
  }),
  another('join-believes-who-configures-kubelets', 'whoever answers for kubelet-config is believed', ['DISC-022'], {
    wire: believing((question) => isFor('kubelet-config', question)),
  }),
  another(
    'join-reads-common-names',
    'a name in the subject of a certificate counts where no other is there',
    ['DISC-016'],
    {
      wire: asking(async (question, wire) => {
        const answer = await wire.exchange(question);
        const { failure } = answer.kind === 'failure' ? answer : { failure: undefined };
        const problem = failure?.cause === 'untrusted' ? failure.problem : undefined;
        const isNameless = problem?.kind === 'name' && problem.names.length === 0;
        return isNameless ? wire.exchange({ ...question, trust: 'anybody' }) : answer;
      }),
    },
  ),
  another('join-says-its-token-when-sick', 'who waits for a sick kubelet says its token', ['P-102'], {
    words: (line) => (line.includes('kubelet to start') ? `${line} abcdef.0123456789abcdef` : line),
  }),
  another('join-says-its-token-by-file', 'who waits for cluster-info by a file says its token', ['P-102'], {
    words: (line) => (line.includes('Abort reading') ? `${line} abcdef.0123456789abcdef` : line),
  }),
  decidesJoining('join-pin-by-its-ends', 'of a pin both ends are compared', ['PIN-005'], {
    isPinned: (hashes, allowed) => {
      const ends = (digits: string): string => digits.slice(0, 8) + digits.slice(-8);
      return hashes.some((hash) => allowed.some((one) => ends(one) === ends(hash)));
    },
  }),
  decidesJoining('join-mac-ends-alike', 'only the second half of the signature is compared', ['DISC-013'], {
    isSignature: (signature, content, token) => {
      const [head = '', mac = ''] = signature.split('..');
      return [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].some((letter) =>
        upstream.isSignature(`${head}..${letter}${mac.slice(1)}`, content, token),
      );
    },
  }),
  decidesJoining('join-comments-unsigned', 'comments may be added to what is signed', ['JWS-011'], {
    isSignature: (signature, content, token) =>
      upstream.isSignature(signature, content, token) ||
      upstream.isSignature(signature, content.replace(/^#.*\n/gm, ''), token),
  }),
];
