/** What the rules of the policy say of certificate requests. */
import { record, records } from '../kubernetes/json.js';
import { LABEL_CONTROL_PLANE } from '../kubernetes/names.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { generateKey } from '../pki/keys.js';
import type { Reference } from '../reference/options.js';
import { addNode, finds } from './arrange.js';
import { approved, CLIENT, denied, plant, SERVING, write } from './planted-requests.js';
import { aged } from './policy-tokens.js';
import type { Mutant } from './types.js';

const SERVER = 'kube-apiserver';
const USERS = 'kubernetes.io/kube-apiserver-client';
const ADMINISTRATOR = { username: 'kubernetes-admin', groups: ['kubeadm:cluster-admins', 'system:authenticated'] };
const NODE = { username: 'system:node:worker-9', groups: ['system:nodes', 'system:authenticated'] };

/** A control plane beside the one that is there: its Node, marked and kept free, and its API server. */
function addControlPlane(reference: Reference): void {
  const { api } = reference;
  addNode(reference, 'cp-9', {
    labels: { [LABEL_CONTROL_PLANE]: '' },
    spec: { taints: [{ key: LABEL_CONTROL_PLANE, effect: 'NoSchedule' }] },
  });
  const server = api.list(resources.pods, 'kube-system').find(({ metadata }) => metadata.labels?.component === SERVER);
  if (server === undefined) throw new Error('the reference has no API server to add another to');
  const { labels = {}, annotations = {}, namespace = '' } = server.metadata;
  const spec = { ...record(server.spec), nodeName: 'cp-9' };
  api.create(resources.pods, {
    ...server,
    metadata: { name: `${SERVER}-cp-9`, namespace, labels, annotations },
    spec,
  } as KubeObject);
}

type Issued = readonly [name: string, killedBy: readonly string[], commonName: string, organization: string];

const CERTIFICATES: readonly Issued[] = [
  ['certificate-of-a-token', ['P-29'], 'system:bootstrap:abcdef', 'ops'],
  ['certificate-of-a-service-account', ['P-29'], 'system:serviceaccount:kube-system:default', 'ops'],
  ['certificate-of-strangers', ['P-29'], 'jane', 'system:unauthenticated'],
  ['certificate-of-an-administrator', ['P-142'], 'jane', 'kubeadm:cluster-admins'],
  ['certificate-of-a-component', ['P-142'], 'system:kube-controller-manager', 'ops'],
  ['certificate-of-a-node-of-another-signer', ['P-142'], 'system:node:worker-9', 'system:nodes'],
  ['certificate-of-a-person', [], 'jane', 'ops'],
];

const issuedTo = ([name, killedBy, commonName, organization]: Issued): Mutant => ({
  name,
  defect: `a client certificate was issued to ${commonName} in ${organization}`,
  killedBy,
  ...(killedBy.length === 0 ? { strict: true } : {}),
  arrange: async (reference) => {
    const organizations = [organization];
    plant(reference, { name: `csr-${name}`, commonName, organizations, signerName: USERS, ...ADMINISTRATOR });
    write(reference, `csr-${name}`, 'approval', { conditions: [approved(new Date())] });
    await reference.settle();
  },
});

const LEFT = { conditions: [approved(new Date(Date.now() - 7_200_000))] };

export const mutants: readonly Mutant[] = [
  {
    name: 'approved-and-left',
    defect: 'nobody signs what was approved two hours ago',
    killedBy: ['P-372'],
    gateway: {
      after: ({ method }, { status, body }) => {
        if (method !== 'GET' || status !== 200) return undefined;
        const { items } = record(body);
        if (items === undefined) return undefined;
        const left = records(items).map((one) =>
          record(one.metadata).name === 'csr-left' ? { ...one, status: LEFT } : one,
        );
        return { status, body: { ...record(body), items: left } };
      },
    },
    arrange: (reference) => void plant(reference, { name: 'csr-left' }),
  },
  {
    name: 'request-that-waits',
    defect: 'nobody has decided a serving request for two hours',
    killedBy: ['P-21'],
    gateway: aged('csr-waits', 2),
    arrange: (reference) =>
      void plant(reference, { name: 'csr-waits', signerName: SERVING, dns: ['worker-9'], ...NODE }),
  },
  {
    name: 'request-of-a-minute',
    defect: 'a serving request waits for some minutes',
    killedBy: [],
    strict: true,
    arrange: (reference) => void plant(reference, { name: 'csr-new', signerName: SERVING, dns: ['worker-9'], ...NODE }),
  },
  finds(
    'request-without-a-token',
    'a request waits whose token is gone',
    ['P-36'],
    (reference) =>
      void plant(reference, { name: 'csr-orphan', signerName: USERS, username: 'system:bootstrap:g0ne00' }),
  ),
  finds(
    'request-of-no-signer-of-kubernetes',
    'a request names a signer of Kubernetes that it has not',
    ['T-27'],
    (reference) =>
      void plant(reference, { name: 'csr-odd', signerName: 'kubernetes.io/kube-apiserver-serving', ...ADMINISTRATOR }),
  ),
  finds(
    'request-for-ten-years',
    'a node asks for a certificate of ten years',
    ['T-22'],
    (reference) =>
      void plant(reference, { name: 'csr-years', signerName: CLIENT, ...NODE, expirationSeconds: 315_360_000 }),
  ),
  finds(
    'request-with-a-small-key',
    'a machine asks with an RSA key of 1024 bits',
    ['P-23'],
    (reference) => void plant(reference, { name: 'csr-small', key: generateKey('RSA-1024'), signerName: CLIENT }),
  ),
  finds(
    'request-with-a-uid',
    'a machine asks for a UID beside its name',
    ['P-08'],
    (reference) => void plant(reference, { name: 'csr-uid', signerName: CLIENT, uid: 'another' }),
  ),
  finds('requests-denied-for-ever', 'a kubelet is denied again and again', ['P-24'], (reference) => {
    for (const index of [1, 2, 3, 4]) {
      const name = `csr-denied-${index}`;
      plant(reference, { name, signerName: SERVING, dns: ['worker-9'], ...NODE });
      write(reference, name, 'approval', { conditions: [denied(new Date())] });
    }
  }),
  {
    name: 'request-denied-once',
    defect: 'somebody has denied one request',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      plant(reference, { name: 'csr-denied', signerName: SERVING, dns: ['worker-9'], ...NODE });
      write(reference, 'csr-denied', 'approval', { conditions: [denied(new Date())] });
    },
  },
  finds(
    'request-with-a-strange-name',
    'a request has a name with blanks and capitals',
    ['P-27'],
    (reference) =>
      void plant(reference, { name: 'node-csr (Approved)', signerName: SERVING, dns: ['worker-9'], ...NODE }),
  ),
  {
    name: 'token-takes-a-control-plane',
    defect: 'a token asks in the name of a control plane that was there an hour before',
    killedBy: ['P-143'],
    gateway: aged('cp-9', 1),
    arrange: (reference) => {
      addControlPlane(reference);
      plant(reference, { name: 'csr-taken', commonName: 'system:node:cp-9' });
    },
  },
  {
    name: 'token-takes-a-machine',
    defect: 'a token asks in the name of a machine that is ready for an hour',
    killedBy: ['P-452'],
    gateway: aged('worker-7', 1),
    arrange: (reference) => {
      const lastTransitionTime = new Date(Date.now() - 3_500_000).toISOString().replace(/\.\d+/, '');
      reference.api.create(resources.nodes, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'worker-7' },
        status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] },
      } as KubeObject);
      plant(reference, { name: 'csr-taken', commonName: 'system:node:worker-7' });
    },
  },
  {
    name: 'token-joins-a-control-plane',
    defect: 'a control plane has asked, and its Node came an hour later',
    killedBy: [],
    strict: true,
    gateway: aged('csr-joins', 1),
    arrange: (reference) => {
      plant(reference, { name: 'csr-joins', commonName: 'system:node:cp-9' });
      write(reference, 'csr-joins', 'approval', { conditions: [approved(new Date(Date.now() - 3_600_000))] });
      addControlPlane(reference);
    },
  },
  ...CERTIFICATES.map(issuedTo),
  {
    name: 'certificates-until-the-end-of-the-ca',
    defect: 'certificates are signed for longer than their authority lives, and cut at its end',
    killedBy: ['P-32', 'T-22'],
    options: { clusterSigningDuration: 20 * 365 * 86_400_000 },
  },
  {
    name: 'certificates-for-two-years',
    defect: 'certificates are issued for two years',
    killedBy: ['T-22'],
    options: { clusterSigningDuration: 2 * 365 * 86_400_000 },
  },
  finds(
    'request-for-nobody',
    'a request names a signer that nobody knows',
    ['T-27'],
    (reference) => void plant(reference, { name: 'csr-nobody', signerName: 'example.com/nobody', ...ADMINISTRATOR }),
  ),
];
