/** Defects of a joining client in what its kubelet asks for to serve with. */

import { JoinFailed } from '../joining/failures.js';
import { base64 } from '../kubernetes/json.js';
import { SIGNER_KUBELET_SERVING } from '../kubernetes/names.js';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import type { Wire, WireQuestion } from '../kubernetes/wire.js';
import { generateKey, type KeyObject, privateKeyPem } from '../pki/keys.js';
import { createRequest } from '../pki/request.js';
import { another, decidesJoining, isMaking, onWrite, sendingObject } from './joining-hooks.js';
import type { Mutant } from './types.js';

const isServing = (question: WireQuestion): boolean =>
  isMaking(question) && question.body?.includes(SIGNER_KUBELET_SERVING) === true;

/** Of all machines. */
const KNOWN = generateKey('ECDSA-P256');

type Spec = CertificateSigningRequest['spec'];

const asking = (name: string, defect: string, change: (spec: Spec) => Partial<Spec>): Mutant =>
  another(name, defect, ['P-539'], {
    wire: sendingObject(isServing, (request: CertificateSigningRequest) => ({
      ...request,
      spec: { ...request.spec, ...change(request.spec) },
    })),
  });

/** What is asked for has another subject, or other names; nobody looks at the certificate. */
const requesting = (
  name: string,
  defect: string,
  { organization = 'system:nodes', node = 'worker-9', dns = ['worker-9'], ip = ['192.0.2.9'] },
): Mutant =>
  asking(name, defect, () => ({
    request: createRequest({
      key: generateKey('ECDSA-P256'),
      subject: { commonName: `system:node:${node}`, organizations: [organization] },
      altNames: { dns, ip },
    }).base64,
  }));

/** With the token that it joined by. */
const withToken = (wire: Wire): Wire => {
  let authorization: string | undefined;
  return {
    exchange: (question) => {
      authorization ??= question.headers.authorization;
      if (!isServing(question) || authorization === undefined) return wire.exchange(question);
      const { certificate: _, ...others } = question;
      return wire.exchange({ ...others, headers: { ...question.headers, authorization } });
    },
  };
};

/** Whoever has asked says that it may be. */
const approving = (wire: Wire): Wire => ({
  exchange: async (question) => {
    const answer = await wire.exchange(question);
    if (!isServing(question) || answer.kind !== 'answer' || answer.status !== 201) return answer;
    const { metadata } = JSON.parse(answer.body.toString('utf8')) as CertificateSigningRequest;
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Own' }];
    await wire.exchange({
      ...question,
      method: 'PUT',
      url: `${question.url}/${metadata.name}/approval`,
      body: JSON.stringify({ metadata, status: { conditions } }),
    });
    return answer;
  },
});

/** Every certificate after the first is asked for the key of that. */
const withOneKey = (): NonNullable<Mutant['client']> => {
  let made: KeyObject | undefined;
  return {
    decisions: { renewalKey: (_, fresh) => fresh() },
    wire: (wire) => {
      made = undefined;
      return {
        exchange: (question) => {
          if (!isServing(question)) return wire.exchange(question);
          made ??= generateKey('ECDSA-P256');
          const { base64 } = createRequest({
            key: made,
            subject: { commonName: 'system:node:worker-9', organizations: ['system:nodes'] },
            altNames: { dns: ['worker-9'], ip: ['192.0.2.9'] },
          });
          const request = JSON.parse(question.body ?? '{}') as CertificateSigningRequest;
          return wire.exchange({
            ...question,
            body: JSON.stringify({ ...request, spec: { ...request.spec, request: base64 } }),
          });
        },
      };
    },
  };
};

const SERVER_PAIR = /kubelet-server-[^/]*\.pem$/;

export const mutants: readonly Mutant[] = [
  decidesJoining('join-serves-untold', 'what it serves with is not asked for', ['P-539'], {
    asksToServe: () => false,
  }),
  decidesJoining('join-serves-once', 'what it serves with is asked for once', ['P-540'], {
    servingDeadline: () => Number.POSITIVE_INFINITY,
  }),
  decidesJoining('join-serves-late', 'what it serves with is renewed when it has ended', ['P-540'], {
    servingDeadline: (due) => due + 14_000,
  }),
  another('join-serves-by-its-token', 'what it serves with is asked for with the token', ['P-539'], {
    wire: withToken,
  }),
  another('join-serves-by-one-key', 'what it serves with is of one key', ['P-539'], withOneKey()),
  asking('join-serves-as-client', 'what it serves with is for clients, too', ({ usages = [] }) => ({
    usages: [...usages, 'client auth'],
  })),
  asking('join-serves-to-sign', 'what it serves with may sign certificates', ({ usages = [] }) => ({
    usages: [...usages, 'cert sign'],
  })),
  asking('join-serves-by-another-signer', 'what it serves with is asked of the signer of clients', () => ({
    signerName: 'kubernetes.io/kube-apiserver-client',
  })),
  requesting('join-serves-by-its-address-alone', 'what it serves with has no name, but an address', { dns: [] }),
  requesting('join-serves-by-its-name-alone', 'what it serves with has no address, but a name', { ip: [] }),
  requesting('join-serves-as-master', 'what it serves with is of system:masters', { organization: 'system:masters' }),
  requesting('join-serves-as-another', 'what it serves with is of another Node', { node: 'worker-10' }),
  requesting('join-serves-for-the-api', 'what it serves with is for the API server as well', {
    dns: ['worker-9', 'kubernetes.default.svc'],
  }),
  requesting('join-serves-at-the-api', 'what it serves with is for the address of the API server as well', {
    ip: ['192.0.2.9', '10.96.0.1'],
  }),
  requesting('join-serves-for-many', 'what it serves with is for a name that stands for many', {
    dns: ['worker-9', '*.example'],
  }),
  requesting('join-serves-for-nobody', 'what it serves with is for no name', { dns: [], ip: [] }),
  asking('join-serves-a-weak-key', 'what it serves with is of a key of 1024 bits', () => ({
    request: createRequest({
      key: generateKey('RSA-1024'),
      subject: { commonName: 'system:node:worker-9', organizations: ['system:nodes'] },
      altNames: { dns: ['worker-9'], ip: ['192.0.2.9'] },
    }).base64,
  })),
  asking('join-serves-by-a-known-key', 'what it serves with is of a key that all machines have', () => ({
    request: createRequest({
      key: KNOWN,
      subject: { commonName: 'system:node:worker-9', organizations: ['system:nodes'] },
      altNames: { dns: ['worker-9'], ip: ['192.0.2.9'] },
    }).base64,
  })),
  asking('join-serves-its-key-along', 'the key of what it serves with is sent', ({ request }) => ({
    request: base64(Buffer.from(request, 'base64').toString() + privateKeyPem(generateKey('ECDSA-P256'))),
  })),
  another('join-serves-approved-by-itself', 'what it serves with is approved by itself', ['P-539'], {
    wire: approving,
  }),
  another('join-serves-openly', 'what it serves with is readable by everybody', ['P-539'], {
    files: onWrite((files, path, text, mode) => files.write(path, text, SERVER_PAIR.test(path) ? 0o644 : mode)),
  }),
  decidesJoining('join-serves-loudly', 'what nobody approves is asked for again each second', ['P-540'], {
    servingWait: () => 1_000,
  }),
  decidesJoining(
    'join-serves-each-ten-seconds',
    'what nobody approves is asked for again after ten seconds',
    ['P-540'],
    {
      servingWait: () => 10_000,
    },
  ),
  decidesJoining('join-serves-nobody', 'a join fails whose kubelet is to ask for what it serves with', ['P-539'], {
    asksToServe: (isTold) => {
      if (isTold) throw new JoinFailed('no certificate to serve with is known here');
      return false;
    },
  }),
  another('join-serves-for-itself', 'requests for what it serves with have names of their own', [], {
    speaksKubeadm: false,
    decisions: { generateName: () => 'serving-' },
  }),
];
