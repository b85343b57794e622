/** What Pods are given of keys, tokens and the disks of machines. */
import { type Resource, resources } from '../kubernetes/resources.js';
import { privateKeyPem } from '../pki/keys.js';
import { finds } from './arrange.js';
import { addVolume, administrator, CONTAINER, type Fields, hostPath, mounting, run } from './holding.js';
import type { Mutant } from './types.js';

const runs = (name: string, defect: string, resource: Resource, pod: Fields): Mutant =>
  finds(name, defect, ['P-265'], (reference) => run(reference, resource, pod));

export const mutants: readonly Mutant[] = [
  finds('authority-in-a-variable', 'a Deployment gives its Pods the key of the CA', ['P-262'], (reference) =>
    run(reference, resources.deployments, {
      containers: [{ ...CONTAINER, env: [{ name: 'CA_KEY', value: privateKeyPem(reference.keys.pki.ca.key) }] }],
    }),
  ),
  finds('administrator-in-a-command', 'a CronJob writes the kubeconfig of the administrator', ['P-262'], (reference) =>
    run(reference, resources.cronJobs, {
      containers: [{ ...CONTAINER, command: ['sh', '-c', `echo '${administrator(reference)}' > /c`] }],
    }),
  ),
  finds('certificate-key-in-a-command', 'a Deployment uploads certificates with a known key', ['P-262'], (reference) =>
    run(reference, resources.deployments, {
      containers: [{ ...CONTAINER, command: ['kubeadm', 'init', '--certificate-key', '0f'.repeat(32)] }],
    }),
  ),
  finds('token-for-a-deployment', 'a Deployment is given the Secret of a token', ['P-264'], (reference) =>
    run(
      reference,
      resources.deployments,
      {
        containers: [
          {
            ...CONTAINER,
            env: [{ name: 'T', valueFrom: { secretKeyRef: { name: 'bootstrap-token-a1b2c3', key: 'token-secret' } } }],
          },
        ],
      },
      { namespace: 'kube-system' },
    ),
  ),
  finds('shared-certificates-in-a-pod', 'a Pod mounts kubeadm-certs', ['P-264'], (reference) =>
    run(reference, resources.pods, mounting({ secret: { secretName: 'kubeadm-certs' } }), { namespace: 'kube-system' }),
  ),
  runs(
    'pod-with-the-control-plane',
    'a Pod of a team mounts /etc/kubernetes',
    resources.pods,
    mounting(hostPath('/etc/kubernetes')),
  ),
  runs(
    'deployment-with-a-node',
    'a Deployment of a team reads the certificates of a kubelet',
    resources.deployments,
    mounting(hostPath('/var/lib/kubelet/pki'), { readOnly: true }),
  ),
  runs(
    'replicaset-with-the-control-plane',
    'a ReplicaSet of nobody mounts /etc/kubernetes',
    resources.replicaSets,
    mounting(hostPath('/etc/kubernetes')),
  ),
  runs(
    'cronjob-writes-keys',
    'a CronJob of a team writes to the folder of keys',
    resources.cronJobs,
    mounting(hostPath('/etc/kubernetes/pki')),
  ),
  runs(
    'pod-with-the-runtime',
    'a Pod of a team has the socket of containerd',
    resources.pods,
    mounting(hostPath('/run/containerd/containerd.sock'), { readOnly: true }),
  ),
  runs('pod-with-etcd', 'a Pod of a team mounts the data of etcd', resources.pods, mounting(hostPath('/var/lib/etcd'))),
  runs(
    'deployment-with-the-root',
    'a Deployment of a team mounts the disk',
    resources.deployments,
    mounting(hostPath('/')),
  ),
  ...(['hostPath', 'local'] as const).map((kind) =>
    finds(
      `volume-of-keys-by-${kind.toLowerCase()}`,
      'a PersistentVolume is of the folder of keys',
      ['P-265'],
      (reference) => addVolume(reference, 'keys', { [kind]: { path: '/etc/kubernetes/pki' } }),
    ),
  ),
  finds('pod-as-a-controller', 'a Pod runs as the controller of tokens', ['P-272'], (reference) =>
    run(
      reference,
      resources.pods,
      { containers: [CONTAINER], serviceAccountName: 'token-cleaner' },
      { namespace: 'kube-system' },
    ),
  ),
];
