/** For tests: what a worker is told before it joins. */
import type { Task } from './preflight.js';

export const WORKER = {
  phase: 'join',
  told: {
    nodeName: 'w-1',
    criSocket: 'unix:///run/containerd/containerd.sock',
    caCertPath: '/etc/kubernetes/pki/ca.crt',
    endpoint: '192.0.2.10:6443',
  },
} as const satisfies Task;
