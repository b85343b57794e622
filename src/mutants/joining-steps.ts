/** Defects of a joining client: what it asks for once it believes its server. */
import { generateKeyPairSync } from 'node:crypto';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import { generateKey, privateKeyPem } from '../pki/keys.js';
import {
  another,
  answering,
  asking,
  decidesJoining,
  isFor,
  onWrite,
  sending,
  sendingObject,
  upstream,
  withoutToken,
} from './joining-hooks.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

const KUBELET_DEFAULTS = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kubelet-config', namespace: 'kube-system' },
  data: {
    kubelet: 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nrotateCertificates: true\n',
  },
};
const isRequest = ({ method }: { readonly method: string }): boolean => method === 'POST';

/** A request that is sent as what this makes of it. */
const requesting = (change: (request: CertificateSigningRequest) => CertificateSigningRequest) =>
  sendingObject(isRequest, change);

let sharedPem: string | undefined;
const privatePem = (): string => {
  sharedPem ??= generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  return sharedPem;
};

const OTHER_KEY = privateKeyPem(generateKey('ECDSA-P256'));

export const mutants: readonly Mutant[] = [
  another('join-removes-what-hinders', 'what is there of another join is removed', ['JOIN-002', 'P-106', 'P-538'], {
    files: (files) => ({
      ...onWrite((_, path, text, mode) => files.write(path, text, mode))(files),
      exists: (path) => {
        const isThere = files.exists(path);
        if (isThere) files.remove(path);
        return isThere;
      },
    }),
  }),
  another('join-writes-keys-anew', 'the key of the CA that was put there by hand is written anew', ['P-538'], {
    files: (disk) => {
      const key = '/etc/kubernetes/pki/ca.key';
      let isOwn = false;
      return onWrite((files, path, text, mode) => {
        isOwn ||= path === key;
        files.write(path, text, mode);
        if (!isOwn && path.endsWith('/pki/apiserver.crt')) files.write(key, OTHER_KEY, 0o600);
      })(disk);
    },
  }),
  decidesJoining('join-no-preflight', 'what another join has left is not looked for', ['JOIN-002', 'P-538'], {
    mustBeAbsent: () => [],
  }),
  another(
    'join-requests-as-somebody',
    'the certificate is asked for with a token of its own',
    ['JOIN-001', 'JOIN-005', 'LIFE-004'],
    {
      wire: sending((question) =>
        isRequest(question)
          ? { ...question, headers: { ...question.headers, authorization: 'Bearer fedcba.0123456789abcdef' } }
          : question,
      ),
    },
  ),
  remembering(() => {
    let first: CertificateSigningRequest | undefined;
    return another(
      'join-one-key-for-all',
      'every machine asks for a certificate for the same key',
      ['BOOT-009', 'CSR-008', 'JOIN-005', 'P-516', 'P-527'],
      {
        wire: requesting((request) => {
          first ??= request;
          return first;
        }),
        decisions: { takesCertificate: () => true },
      },
    );
  }),
  another('join-key-in-request', 'the private key goes along with the request', ['CSR-008', 'JOIN-005'], {
    wire: requesting((request) => ({
      ...request,
      metadata: { ...request.metadata, annotations: { key: Buffer.from(privatePem()).toString('base64') } },
    })),
  }),
  decidesJoining('join-node-not-looked-for', 'nobody looks for a Node of that name', ['JOIN-009'], {
    looksForNode: () => false,
  }),
  decidesJoining('join-node-looked-for-late', 'who finds a Node of its name runs already', ['JOIN-009'], {
    looksForNode: (at) => at === 'after',
  }),
  decidesJoining('join-ready-node-taken', 'a Node that is Ready is taken over', ['JOIN-009'], { isTaken: () => false }),
  decidesJoining(
    'join-first-condition-counts',
    'of a Node of that name only the first condition is read',
    ['JOIN-009'],
    {
      isTaken: (conditions) => upstream.isTaken(conditions.slice(0, 1)),
    },
  ),
  decidesJoining('join-any-condition-counts', 'a Node of which anything is true counts as Ready', ['JOIN-009'], {
    isTaken: (conditions) => conditions.some(({ status }) => status === 'True'),
  }),
  decidesJoining('join-no-node-taken', 'any Node of that name hinders the join', ['JOIN-009'], { isTaken: () => true }),
  another(
    'join-kubelet-config-as-nobody',
    'kubelet-config is asked for as nobody, then with the token',
    ['KUBECM-018'],
    {
      wire: asking(async (question, wire) => {
        if (isFor('kubelet-config', question)) await wire.exchange(withoutToken(question));
        return wire.exchange(question);
      }),
    },
  ),
  another(
    'join-kubelet-config-made-up',
    'without a kubelet-config that can be read defaults are taken',
    ['KUBECM-018'],
    {
      wire: asking(async (question, wire) => {
        const answer = await wire.exchange(question);
        const isGood = answer.kind === 'answer' && answer.body.includes('KubeletConfiguration');
        return isFor('kubelet-config', question) && !isGood ? answering(200, KUBELET_DEFAULTS) : answer;
      }),
    },
  ),
  decidesJoining('join-gives-up-on-pending', 'a request that is not signed at once is given up', ['BOOT-009'], {
    readRequest: (request) => {
      const reading = upstream.readRequest(request);
      return reading === 'waiting' ? 'failed' : reading;
    },
  }),
  decidesJoining('join-approval-is-enough', 'an approval is taken for a certificate', ['BOOT-009', 'LIFE-011'], {
    readRequest: (request) => {
      const approved = request.status?.conditions?.some(({ type }) => type === 'Approved') === true;
      return approved ? 'issued' : upstream.readRequest(request);
    },
    takesCertificate: () => true,
  }),
  decidesJoining('join-certificate-of-another-key', 'a certificate for another key is taken', ['BOOT-009'], {
    takesCertificate: () => true,
  }),
];
