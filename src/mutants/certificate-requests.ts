/** Defects of certificate requests at rest, and of what kubelets are told. */
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { createAuthority } from '../pki/authority.js';
import { generateKey } from '../pki/keys.js';
import type { Reference } from '../reference/options.js';
import { edit } from './arrange.js';
import {
  approved,
  denied,
  forged,
  JOIN_GROUP,
  JOINING,
  type Planted,
  plant,
  SERVING,
  write,
} from './planted-requests.js';
import type { Mutant } from './types.js';

const planted = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  request: Omit<Planted, 'name'>,
): Mutant => ({
  name,
  defect,
  killedBy,
  arrange: (reference) => {
    plant(reference, { name: 'csr-m1tnt', ...request });
  },
});

const NODE = { username: 'system:node:worker-9', groups: ['system:nodes', 'system:authenticated'] };

const REQUESTS: readonly Mutant[] = [
  planted(
    'request-of-another-signer',
    'a token asks with signerName kubernetes.io/kube-apiserver-client',
    ['CSR-001'],
    {
      signerName: 'kubernetes.io/kube-apiserver-client',
    },
  ),
  planted('request-without-prefix', 'CN=worker-1', ['CSR-002'], { commonName: 'worker-1' }),
  planted('request-of-no-name', 'CN=system:node: with an empty name', ['CSR-002'], { commonName: 'system:node:' }),
  planted('request-of-a-name-of-no-node', 'CN=system:node:worker_1/x', ['CSR-002'], {
    commonName: 'system:node:worker_1/x',
  }),
  planted('request-of-two-groups', 'O=system:nodes and O=system:masters', ['CSR-003'], {
    organizations: ['system:nodes', 'system:masters'],
  }),
  planted('request-in-capitals', 'CN=system:node:IP-10-0-0-5', ['CSR-004'], { commonName: 'system:node:IP-10-0-0-5' }),
  planted('request-to-serve-too', 'usages include server auth', ['CSR-005'], {
    usages: ['digital signature', 'client auth', 'server auth'],
  }),
  planted('request-with-names', 'a DNS name of the API server in a client request', ['CSR-006'], {
    dns: ['kubernetes.default.svc'],
  }),
  planted('serving-request-logs-in', 'a serving request with client auth', ['SRV-003'], {
    ...NODE,
    signerName: SERVING,
    usages: ['digital signature', 'server auth', 'client auth'],
    dns: ['worker-9'],
  }),
  planted('first-request-by-hand', 'the first request of a node by kubernetes-admin', ['CSR-040', 'P-28'], {
    username: 'kubernetes-admin',
    groups: ['kubeadm:cluster-admins'],
  }),
  planted('first-request-of-a-person', 'the first request of a node by somebody who joins no node', ['CSR-040'], {
    username: 'jane',
    groups: [JOIN_GROUP, 'system:authenticated'],
  }),
  {
    name: 'decisions-of-another-time',
    defect: 'an approver says that it has approved a week ago, and tomorrow',
    killedBy: ['P-26'],
    arrange: (reference) => {
      for (const [name, days] of [
        ['csr-early', -7],
        ['csr-later', 1],
      ] as const) {
        const { metadata } = plant(reference, { name, signerName: 'kubernetes.io/kube-apiserver-client' });
        const at = new Date(Date.now() + days * 86_400_000);
        write(reference, metadata.name ?? '', 'approval', { conditions: [approved(at)] });
      }
    },
  },
  {
    name: 'job-forges-approvals',
    defect: 'a job approves and signs before the controller manager does, in its words',
    killedBy: ['CSR-025', 'CSR-038'],
    arrange: (reference) => {
      plant(reference, { name: 'csr-forge' });
      const conditions = [forged(new Date())];
      write(reference, 'csr-forge', 'approval', { conditions });
      const { pem } = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: Date.now() }).certificate;
      write(reference, 'csr-forge', 'status', { conditions, certificate: Buffer.from(pem).toString('base64') });
    },
  },
  {
    name: 'decisions-can-be-taken-back',
    defect: 'an approval can be removed and contradicted, and a certificate replaced',
    killedBy: ['P-56'],
    options: {
      decisions: {
        csrConditionIsForever: () => false,
        csrMayBeApprovedAndDenied: () => true,
        csrCertificateMayChange: () => true,
      },
    },
  },
  {
    name: 'approved-and-denied',
    defect: 'a request is both approved and denied',
    killedBy: ['P-56'],
    options: { decisions: { csrMayBeApprovedAndDenied: () => true } },
    arrange: (reference) => {
      plant(reference, { name: 'csr-both', signerName: 'kubernetes.io/kube-apiserver-client' });
      write(reference, 'csr-both', 'approval', { conditions: [approved(new Date()), denied(new Date())] });
    },
  },
  {
    name: 'requests-are-not-read',
    defect: 'the API server takes whatever stands in a request',
    killedBy: ['CSR-007', 'P-61'],
    options: { decisions: { csrProblemsThatRefuse: () => [] } },
    arrange: (reference) => {
      const { spec } = plant(reference, { name: 'csr-sound' });
      reference.api.create(resources.certificateSigningRequests, {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: 'csr-noise' },
        spec: { ...spec, request: Buffer.from('this is no request').toString('base64') },
      });
    },
  },
  {
    name: 'unproven-requests',
    defect: 'a request with the key of somebody else is accepted',
    killedBy: ['CSR-007'],
    options: { decisions: { csrRequestProblem: (parsed) => ('parseError' in parsed ? parsed.parseError : undefined) } },
  },
  {
    name: 'one-key-for-all',
    defect: 'one kubelet certificate copied to all nodes',
    killedBy: ['CSR-027'],
    arrange: (reference) => {
      const key = generateKey('ECDSA-P256');
      plant(reference, { name: 'csr-copy1', commonName: 'system:node:copy-1', key, ...JOINING });
      plant(reference, { name: 'csr-copy2', commonName: 'system:node:copy-2', key, ...JOINING });
    },
  },
  {
    name: 'client-ca-of-the-proxy',
    defect: 'the API server accepts clients of the front-proxy CA: issued node certificates give 401',
    killedBy: ['CSR-029'],
    arrange: (reference) => {
      const other = createAuthority({ commonName: 'front-proxy-ca', key: 'ECDSA-P256', now: Date.now() }).certificate
        .pem;
      edit<KubeObject>(
        reference,
        { resource: resources.configMaps, namespace: 'kube-system', name: 'extension-apiserver-authentication' },
        (map) => ({ ...map, data: { 'client-ca-file': other } }),
      );
    },
  },
  {
    name: 'flag-off-in-the-pod',
    defect: 'one part missing: the API server is started without --enable-bootstrap-token-auth',
    killedBy: ['CSR-032'],
    arrange: (reference) =>
      addFlags(reference, 'kube-apiserver', (flags) =>
        flags.map((flag) => flag.replace('enable-bootstrap-token-auth=true', 'enable-bootstrap-token-auth=false')),
      ),
  },
  {
    name: 'approver-switched-off',
    defect: 'csrapproving is switched off and nobody approves',
    killedBy: ['CSR-013'],
    options: { controllers: { csrapproving: false } },
  },
  ...inThePods('kube-controller-manager', {
    'stars-out-of-the-pod': ['csrapproving, csrsigning and all others are off', /^(--controllers=)\*,/, '$1'],
    'signer-out-of-the-pod': ['the controller manager is told -csrsigning', /^(--controllers=)/, '$1-csrsigning,'],
    'cleaner-out-of-the-pod': ['the controller manager is told -tokencleaner', /^(--controllers=)/, '$1-tokencleaner,'],
  }),
  ...inThePods('kube-apiserver', {
    'client-ca-out-of-the-pod': ['the API server is given no client CA', /^--client-ca-file=.*/, '--client-ca-file='],
  }),
  {
    name: 'controllers-told-one-by-one',
    defect: 'the controller manager is told two controllers by name, and no others',
    killedBy: ['CSR-032', 'CSR-028'],
    arrange: (reference) =>
      addFlags(reference, 'kube-controller-manager', (flags) =>
        flags.map((flag) => flag.replace(/^--controllers=.*/, '--controllers=bootstrapsigner,tokencleaner')),
      ),
  },
  {
    name: 'approver-out-of-the-pod',
    defect: 'the controller manager is told -csrapproving',
    killedBy: ['CSR-032', 'CSR-028'],
    arrange: (reference) =>
      addFlags(reference, 'kube-controller-manager', (flags) =>
        flags.map((flag) => flag.replace('--controllers=*', '--controllers=*,-csrapproving')),
      ),
  },
  {
    name: 'cron-job-approves',
    defect: 'a cron job approves everything',
    killedBy: ['CSR-038', 'CSR-013'],
    options: {
      decisions: {
        approvalVerdict: () => ({
          type: 'Approved',
          status: 'True',
          reason: 'CronJob',
          message: 'approved by the nightly job',
        }),
      },
    },
  },
  {
    name: 'certificates-for-a-century',
    defect: '--cluster-signing-duration=876000h',
    killedBy: ['ROT-009'],
    options: {
      decisions: {
        grantedLifetime: () => 876_000 * 3_600,
        certificateValidity: (now, lifetime) => ({ notBefore: now - 300_000, notAfter: now + lifetime * 1000 }),
      },
    },
    arrange: (reference) => {
      plant(reference, { name: 'csr-cntry', ...JOINING });
    },
  },
  {
    name: 'one-key-to-serve-and-log-in',
    defect: 'one key used for client and serving certificate',
    killedBy: ['SRV-004'],
    arrange: (reference) => {
      const key = generateKey('ECDSA-P256');
      plant(reference, { name: 'csr-both1', key, ...JOINING });
      plant(reference, { name: 'csr-both2', key, ...NODE, signerName: SERVING, dns: ['worker-9'] });
    },
  },
  {
    name: 'serving-names-of-another',
    defect: 'a serving request with the name of another node',
    killedBy: ['SRV-008'],
    arrange: (reference) => {
      reference.api.create(resources.nodes, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'worker-9' },
        spec: {},
        status: { addresses: [{ type: 'InternalIP', address: '10.0.0.9' }] },
      });
      plant(reference, {
        name: 'csr-other',
        ...NODE,
        signerName: SERVING,
        dns: ['worker-9', 'worker-1'],
        ip: ['10.0.0.9'],
      });
    },
  },
  kubeletConfig(
    'gate-against-configuration',
    'serverTLSBootstrap with the gate explicitly false',
    ['SRV-011'],
    (text) => `${text}serverTLSBootstrap: true\nfeatureGates:\n  RotateKubeletServerCertificate: false\n`,
  ),
  kubeletConfig('no-rotation', 'rotateCertificates is false', ['ROT-001', 'CSR-032'], (text) =>
    text.replace('rotateCertificates: true', 'rotateCertificates: false'),
  ),
  {
    name: 'kubelet-by-static-token',
    defect: 'the second request of a node comes from a static user',
    killedBy: ['BOOT-016'],
    arrange: (reference) => {
      plant(reference, { name: 'csr-first', ...JOINING });
      plant(reference, { name: 'csr-secnd', username: 'kubelet', groups: [JOIN_GROUP, 'system:authenticated'] });
    },
  },
];

/** Defects by what a flag of a component's Pod says instead. */
function inThePods(
  component: string,
  defects: Readonly<Record<string, readonly [defect: string, flag: RegExp, instead: string]>>,
): readonly Mutant[] {
  return Object.entries(defects).map(([name, [defect, flag, instead]]) => ({
    name,
    defect,
    killedBy: ['CSR-032'],
    arrange: (reference) => addFlags(reference, component, (flags) => flags.map((text) => text.replace(flag, instead))),
  }));
}

function kubeletConfig(
  name: string,
  defect: string,
  killedBy: readonly string[],
  change: (text: string) => string,
): Mutant {
  return {
    name,
    defect,
    killedBy,
    arrange: (reference) =>
      edit<KubeObject & { data?: Record<string, string> }>(
        reference,
        { resource: resources.configMaps, namespace: 'kube-system', name: 'kubelet-config' },
        (map) => ({ ...map, data: { ...map.data, kubelet: change(map.data?.kubelet ?? '') } }),
      ),
  };
}

interface StaticPod extends KubeObject {
  readonly spec: { readonly containers: readonly { readonly command: readonly string[] }[] };
}

/** A second control plane node, whose component runs otherwise. */
export function addComponent(
  reference: Reference,
  component: string,
  change: (spec: StaticPod['spec']) => StaticPod['spec'],
): void {
  const pods = reference.api.list(resources.pods, 'kube-system') as readonly StaticPod[];
  for (const pod of pods.filter(({ metadata }) => metadata.labels?.component === component)) {
    const { labels = {}, annotations = {}, namespace = '' } = pod.metadata;
    const metadata = { name: `${component}-cp-2`, namespace, labels, annotations };
    reference.api.create(resources.pods, { ...pod, metadata, spec: change(pod.spec) } as KubeObject);
  }
}

/** The same, told otherwise. */
export const addFlags = (
  reference: Reference,
  component: string,
  change: (flags: readonly string[]) => readonly string[],
): void =>
  addComponent(reference, component, (spec) => ({
    ...spec,
    containers: spec.containers.map((container) => ({ ...container, command: change(container.command) })),
  }));

const HARMLESS: readonly Mutant[] = [
  {
    name: 'harmless-sound-requests',
    defect: 'none: requests of sound kubelets, first and later, client and serving',
    killedBy: [],
    arrange: (reference) => {
      reference.api.create(resources.nodes, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'worker-8' },
        spec: {},
        status: { addresses: [{ type: 'InternalIP', address: '10.0.0.8' }] },
      });
      const node = { username: 'system:node:worker-8', groups: ['system:nodes', 'system:authenticated'] };
      plant(reference, { name: 'csr-sound1', commonName: 'system:node:worker-8', ...JOINING });
      plant(reference, { name: 'csr-sound2', commonName: 'system:node:worker-8', ...node });
      plant(reference, {
        name: 'csr-sound3',
        commonName: 'system:node:worker-8',
        ...node,
        signerName: SERVING,
        dns: ['worker-8'],
        ip: ['10.0.0.8'],
      });
      plant(reference, {
        name: 'jane',
        commonName: 'jane',
        organizations: ['developers'],
        signerName: 'kubernetes.io/kube-apiserver-client',
        username: 'jane',
        groups: ['kubeadm:cluster-admins', 'system:authenticated'],
      });
      // as documents ask for a person: no key usage asked for, and none given
      plant(reference, {
        name: 'anna',
        commonName: 'anna',
        organizations: ['developers'],
        usages: ['client auth'],
        signerName: 'kubernetes.io/kube-apiserver-client',
        username: 'anna',
        groups: ['kubeadm:cluster-admins', 'system:authenticated'],
      });
      write(reference, 'anna', 'approval', { conditions: [approved(new Date())] });
    },
  },
];

export const mutants: readonly Mutant[] = [...REQUESTS, ...HARMLESS];
