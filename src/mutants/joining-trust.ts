/** Defects of a joining client in whom it believes after discovery, and in what it says of itself beside its credential. */
import type { AnotherClient } from '../joining/another.js';
import { CLUSTER_INFO_PATH } from '../kubernetes/names.js';
import type { CertificateProblem, Wire, WireQuestion } from '../kubernetes/wire.js';
import { generateKey, type KeyObject } from '../pki/keys.js';
import {
  another,
  asking,
  caDataIn,
  decidesJoining,
  inBodies,
  isFor,
  isLook,
  isMaking,
  sending,
  textOf,
  upstream,
  withoutToken,
} from './joining-hooks.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

const derOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'der' }).toString('base64');

type Is = (question: WireQuestion) => boolean;

const ofRequests: Is = ({ url }) => url.includes('/certificatesigningrequests');
const withToken: Is = ({ headers, url }) => headers.authorization !== undefined && !isLook({ url });
const asNode: Is = ({ certificate }) => certificate !== undefined;

/** Certificates with this problem are believed where such questions are asked. */
const forgiving = (kind: CertificateProblem['kind'], is: Is) =>
  asking(async (question, wire) => {
    const answer = await wire.exchange(question);
    const { failure } = answer.kind === 'failure' ? answer : { failure: undefined };
    const isForgiven = is(question) && failure?.cause === 'untrusted' && failure.problem.kind === kind;
    return isForgiven ? wire.exchange({ ...question, trust: 'anybody' }) : answer;
  });

/** Authorities of the host are believed beside the CA where such questions are asked. */
const withHost = (is: Is) =>
  asking(async (question, wire) => {
    const answer = await wire.exchange(question);
    const isRefused = answer.kind === 'failure' && answer.failure.cause === 'untrusted';
    return isRefused && is(question) ? wire.exchange({ ...question, trust: 'host' }) : answer;
  });

/** The address of shared certificates holds their key. */
function showingItsKey(): AnotherClient {
  let key = '';
  return {
    configuration: (given) => {
      key = given.controlPlane?.certificateKey ?? '';
      return given;
    },
    wire: sending((question) =>
      isFor('kubeadm-certs', question) ? { ...question, url: `${question.url}&key=${key}` } : question,
    ),
  };
}

/** Each join has its own. */
const withCookies = (wire: Wire): Wire => {
  let cookie: string | undefined;
  return {
    exchange: async (question) => {
      const headers = { ...question.headers, ...(cookie === undefined ? {} : { cookie }) };
      const answer = await wire.exchange({ ...question, headers });
      if (answer.kind === 'answer') cookie = answer.headers['set-cookie']?.replace(/;.*/, '') ?? cookie;
      return answer;
    },
  };
};

/** The first certificate that is shown is shown for ever. */
const withFirstPair = (wire: Wire): Wire => {
  let first: WireQuestion['certificate'];
  return {
    exchange: (question) => {
      first ??= question.certificate;
      return wire.exchange(
        question.certificate === undefined || first === undefined ? question : { ...question, certificate: first },
      );
    },
  };
};

export const mutants: readonly Mutant[] = [
  another('join-bootstraps-at-any-name', 'requests for certificates go to a server of any name', ['DISC-022'], {
    wire: forgiving('name', (question) => ofRequests(question) && withToken(question)),
  }),
  another(
    'join-bootstraps-at-what-has-ended',
    'requests for certificates go to a server that has ended',
    ['DISC-022'],
    {
      wire: forgiving('dates', (question) => ofRequests(question) && withToken(question)),
    },
  ),
  another('join-asks-who-is-not-yet', 'after discovery a certificate that begins later is believed', ['DISC-022'], {
    wire: forgiving('dates', withToken),
  }),
  another('join-asks-who-is-no-server', 'after discovery a certificate for clients is believed', ['DISC-022'], {
    wire: forgiving('usage', withToken),
  }),
  another('join-configures-as-the-host-believes', 'the configuration comes from whom the host believes', ['DISC-022'], {
    wire: withHost((question) => withToken(question) && !ofRequests(question)),
  }),
  another('join-bootstraps-as-the-host-believes', 'requests go to whom the host believes', ['DISC-022'], {
    wire: withHost((question) => ofRequests(question) && withToken(question)),
  }),
  ...(['name', 'dates', 'usage', 'authority'] as const).map((kind) =>
    another(
      `join-renews-whatever-${kind}`,
      `who renews does not look at the ${kind} of a certificate`,
      kind === 'authority' ? ['P-524', 'P-527'] : ['P-524'],
      {
        wire: forgiving(kind, asNode),
      },
    ),
  ),
  another(
    'join-reads-its-ca-again',
    'who renews believes the CA that cluster-info of anybody has by then',
    ['P-524', 'P-527'],
    {
      wire: asking(async (question, wire) => {
        if (!asNode(question) || !isMaking(question)) return wire.exchange(question);
        const { certificate: _, body: __, ...anybody } = question;
        const url = question.url.replace(/\/apis\/.*$/, CLUSTER_INFO_PATH);
        const answer = await wire.exchange({ ...anybody, method: 'GET', url, trust: 'anybody' });
        const caPem = Buffer.from(caDataIn(textOf(answer)), 'base64').toString('utf8');
        return wire.exchange(caPem === '' ? question : { ...question, trust: { caPem } });
      }),
    },
  ),
  another('join-impersonates-its-node', 'the request for a certificate is made in the name of the node', ['P-506'], {
    wire: sending((question) =>
      question.method === 'POST'
        ? { ...question, headers: { ...question.headers, 'impersonate-user': 'system:node:worker-9' } }
        : question,
    ),
  }),
  another('join-names-itself-as-proxies-do', 'a header of proxies names the node', ['P-506'], {
    wire: sending((question) => ({
      ...question,
      headers: { ...question.headers, 'x-remote-user': 'system:node:worker-9' },
    })),
  }),
  another('join-asks-from-elsewhere', 'a header of proxies says where somebody else asks from', ['P-506'], {
    wire: sending((question) => ({ ...question, headers: { ...question.headers, 'x-forwarded-for': '192.0.2.9' } })),
  }),
  another('join-approves-itself', 'the request for a certificate comes with an approval', ['P-114'], {
    wire: inBodies(({ method }) => method === 'POST')(
      '"spec":{',
      '"status":{"conditions":[{"type":"Approved","status":"True"}]},"spec":{',
    ),
  }),
  another('join-sends-a-key-as-der', 'a private key stands in the request, in base64 of its DER', ['CSR-008'], {
    wire: inBodies(({ method }) => method === 'POST')(
      '"metadata":{',
      `"metadata":{"annotations":{"key":"${derOf(generateKey('ECDSA-P256'))}"},`,
    ),
  }),
  another('join-asks-twice-for-one-key', 'each request for a certificate is made twice', ['P-435'], {
    wire: asking(async (question, wire) => {
      if (question.method === 'POST' && ofRequests(question)) await wire.exchange(question);
      return wire.exchange(question);
    }),
  }),
  another('join-asks-as-nobody-at-last', 'where its token does not log in a request is made as nobody', ['P-430'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isOut = answer.kind === 'answer' && answer.status === 401;
      return isOut && question.method === 'POST' ? wire.exchange(withoutToken(question)) : answer;
    }),
  }),
  remembering(() =>
    another('join-asks-with-its-key', 'shared certificates are asked for with their key', ['P-310'], showingItsKey()),
  ),
  another('join-keeps-cookies', 'a cookie of any server is told to all', ['P-506'], { wire: withCookies }),
  another('join-renews-with-its-first', 'the first certificate is shown for ever', ['P-507', 'P-527'], {
    wire: withFirstPair,
  }),
  decidesJoining(
    'join-believes-certificates-of-denied',
    'a certificate counts for more than a denial',
    ['BOOT-009', 'P-527'],
    {
      readRequest: (request) =>
        upstream.readRequest(request) === 'denied' && (request.status?.certificate ?? '') !== ''
          ? 'issued'
          : upstream.readRequest(request),
    },
  ),
  another('join-waits-for-what-is-gone', 'a request that is gone is looked for until the end', ['P-508'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isGone = answer.kind === 'answer' && answer.status === 404 && ofRequests(question);
      return isGone ? { ...answer, status: 503 } : answer;
    }),
  }),
  another('join-looks-as-nobody-by-file', 'credentials of a file are not shown to cluster-info', ['P-122'], {
    wire: sending((question) => {
      if (!isLook(question) || question.certificate === undefined) return question;
      const { certificate: _, ...others } = question;
      return others;
    }),
  }),
  decidesJoining('join-cuts-its-endpoint', 'the path of the endpoint is cut off', ['DISC-018'], {
    discoveryServer: (_fetch, endpoint) => `https://${endpoint.replace(/\/.*$/, '')}`,
  }),
  decidesJoining('join-finds-longer-ids', 'a key that begins with that of the own signature is taken', ['JWS-010'], {
    waitsForSignature: (info, key) => !Object.keys(info).some((one) => one.startsWith(key)),
    isNoSignature: () => false,
    isSignature: (signature, content, token) => signature === '' || upstream.isSignature(signature, content, token),
  }),
];
