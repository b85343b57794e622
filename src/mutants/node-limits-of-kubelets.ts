/** Settings of a kubelet that do not go together. */
import { added, all, edited, onDisk } from './node-disk.js';
import type { Mutant } from './types.js';

const CONFIGURATION = '/var/lib/kubelet/config.yaml';
const ENVIRONMENT = '/var/lib/kubelet/kubeadm-flags.env';

const more = (...lines: readonly string[]): ReturnType<typeof edited> =>
  edited(CONFIGURATION, (text) => `${text}${lines.join('\n')}\n`);
const says = (name: string, defect: string, ...lines: readonly string[]): Mutant =>
  onDisk(`kubelet-${name}`, `the kubelet ${defect}`, ['P-216'], more(...lines));

export const mutants: readonly Mutant[] = [
  says('evicts-softly-at-no-time', 'is told no time for its soft evictions', 'evictionSoft: { memory.available: 1Gi }'),
  says('gives-away-no-cpu', 'gives away whole CPUs and keeps none', 'cpuManagerPolicy: static'),
  says(
    'holds-back-without-a-cgroup',
    'is to hold the system back, and by no cgroup',
    'enforceNodeAllocatable: [pods, system-reserved]',
  ),
  says(
    'pulls-in-a-row-and-at-once',
    'pulls five images in a row',
    'serializeImagePulls: true',
    'maxParallelImagePulls: 5',
  ),
  says('keeps-a-number', 'keeps a CPU by a number', 'systemReserved: { cpu: 1 }'),
  {
    ...onDisk(
      'limits-of-a-kubelet',
      'the kubelet keeps CPUs, memory and time for what matters',
      [],
      all(
        more(
          'cpuManagerPolicy: static',
          'cpuManagerPolicyOptions: { full-pcpus-only: "true" }',
          'memoryManagerPolicy: Static',
          'reservedMemory: [{ numaNode: 0, limits: { memory: 1124Mi } }]',
          'systemReserved: { memory: 1Gi }',
          'evictionSoft: { memory.available: 500Mi }',
          'evictionSoftGracePeriod: { memory.available: 1m30s }',
          'enforceNodeAllocatable: [pods, system-reserved]',
          'systemReservedCgroup: /system.slice',
          'maxParallelImagePulls: 5',
          'imageMaximumGCAge: 168h',
          'shutdownGracePeriod: 60s',
          'shutdownGracePeriodCriticalPods: 20s',
          'containerLogMaxSize: 50Mi',
          'containerLogMaxWorkers: 4',
          'logging: { format: json, verbosity: 2 }',
          'tracing: { endpoint: "localhost:4317", samplingRatePerMillion: 100 }',
        ),
        edited(ENVIRONMENT, (text) => text.replace(/"$/m, ' --kube-reserved=cpu=500m"')),
        added('/etc/default/kubelet', 'KUBELET_EXTRA_ARGS="--serialize-image-pulls=false"\n', 0o644),
      ),
    ),
    name: 'harmless-node-limits-of-a-kubelet',
  },
];
