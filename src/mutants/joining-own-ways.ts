/** Joining clients that are none of kubeadm's kin: each has a habit of its own that harms nobody. */
import type { AnotherClient } from '../joining/another.js';
import { type Fields, record } from '../kubernetes/json.js';
import {
  another,
  answering,
  asking,
  isFor,
  isLook,
  isMaking,
  sending,
  sendingObject,
  upstream,
} from './joining-hooks.js';
import type { Mutant } from './types.js';

const own = (name: string, what: string, client: AnotherClient): Mutant =>
  another(name, what, [], { ...client, speaksKubeadm: false });

/** The token that machines are told. */
const TOKEN = { id: 'abcdef', secret: '0123456789abcdef' };

/** The request for a certificate has this, too. */
const requesting = (more: (request: Fields) => object): AnotherClient => ({
  wire: sendingObject(isMaking, (request: Fields) => ({ ...request, ...more(request) })),
});

/** A configuration that says as little as one may. */
const ClusterConfiguration = [
  'apiVersion: kubeadm.k8s.io/v1beta4',
  'kind: ClusterConfiguration',
  'kubernetesVersion: v1.36.1',
  '',
].join('\n');

/** Asked once in each join, before the first question that shows a token. */
const askingBefore = (
  questions: readonly { readonly method: string; readonly path: string; readonly body?: string }[],
): AnotherClient => ({
  wire: (wire) => {
    let hasAsked = false;
    return {
      exchange: async (question) => {
        const { authorization } = question.headers;
        if (!hasAsked && authorization !== undefined && !isLook(question)) {
          hasAsked = true;
          const { origin } = new URL(question.url);
          const headers = { authorization, 'content-type': 'application/json' };
          for (const { path, ...own } of questions)
            await wire.exchange({ ...question, ...own, url: origin + path, headers });
        }
        return wire.exchange(question);
      },
    };
  },
});

/** What kubectl asks before it asks for anything else. */
const DISCOVERY = ['/api?timeout=32s', '/apis?timeout=32s'];

const WHO_AM_I = {
  method: 'POST',
  path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
};

export const mutants: readonly Mutant[] = [
  own(
    'join-waits-for-a-signature-that-fits',
    'a signature that does not fit is waited for as one that is not there is',
    {
      decisions: {
        waitsForSignature: (info, key) => {
          const { [key]: signature = '', kubeconfig = '' } = info;
          return (
            upstream.waitsForSignature(info, key) ||
            (signature !== '' && !upstream.isSignature(signature, kubeconfig, TOKEN))
          );
        },
      },
    },
  ),
  own('join-downloads-again', 'a download that fails is tried once more', {
    wire: (wire, clock) => ({
      exchange: async (question) => {
        const answer = await wire.exchange(question);
        if (answer.kind === 'answer' || !question.url.endsWith('/f.conf')) return answer;
        await clock.sleep(500);
        return wire.exchange(question);
      },
    }),
  }),
  own('join-needs-no-kubeadm-config', 'a worker does without kubeadm-config', {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isMissing = answer.kind === 'answer' && answer.status === 404 && isFor('kubeadm-config', question);
      return isMissing
        ? answering(200, { kind: 'ConfigMap', apiVersion: 'v1', data: { ClusterConfiguration } })
        : answer;
    }),
  }),
  own(
    'join-by-kubectl',
    'kubectl asks for the groups of the API before anything else, by token',
    askingBefore(DISCOVERY.map((path) => ({ method: 'GET', path }))),
  ),
  own('join-asks-who-it-is', 'the API server is asked who the token is before anything else', askingBefore([WHO_AM_I])),
  own('join-manages-fields', 'what it makes is made by a manager of fields, strictly', {
    wire: sending((question) =>
      question.method === 'POST'
        ? { ...question, url: `${question.url}?fieldManager=joiner&fieldValidation=Strict` }
        : question,
    ),
  }),
  own('join-reads-what-is-cached', 'what is read may be of yesterday', {
    wire: sending((question) => {
      const { method, url } = question;
      return method === 'GET'
        ? { ...question, url: `${url}${url.includes('?') ? '&' : '?'}resourceVersion=0` }
        : question;
    }),
  }),
  own(
    'join-asks-for-a-week',
    'a certificate is asked for a week',
    requesting(({ spec }) => ({
      spec: { ...record(spec), expirationSeconds: 7 * 24 * 60 * 60 },
    })),
  ),
  own(
    'join-labels-its-request',
    'its request has a label, and a note of who asks',
    requesting(({ metadata }) => ({
      metadata: {
        ...record(metadata),
        labels: { 'app.kubernetes.io/managed-by': 'joiner' },
        annotations: { 'example.com/rack': 'r7' },
      },
    })),
  ),
];
