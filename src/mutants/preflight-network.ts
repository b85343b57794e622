/** Defects of the checks before init and join: of ports, files, settings, proxies and an etcd elsewhere. */
import { preflightDecisions as upstream } from '../kubeadm/preflight/decisions.js';
import { blind, decides, mild, of, other, strict } from './preflight-hooks.js';
import type { Mutant } from './types.js';

export const mutants: readonly Mutant[] = [
  decides('old-ports', 'the ports of scheduler and controller manager are those of 1.21', ['PREF-018'], {
    controlPlanePorts: () => [10_251, 10_252],
  }),
  decides('only-the-bind-port', 'only the port of the API server is looked at', ['PREF-018'], {
    controlPlanePorts: () => [],
  }),
  decides('another-kubelet-port', 'the port of the kubelet is another', ['PREF-002', 'PREF-017', 'PREF-018'], {
    kubeletPort: () => 10_255,
  }),
  blind('bind-port', ['PREF-003', 'PREF-018'], 'Port-6443'),
  decides('old-manifests', 'manifests are overwritten', ['PREF-019'], { manifests: () => [] }),
  decides('manifests-with-etcd-only', 'only the manifest of etcd is looked for', ['PREF-019'], {
    manifests: () => ['etcd'],
  }),
  blind('forwarding', ['PREF-020', 'PREF-021'], 'FileContent'),
  mild('forwarding', ['PREF-020', 'PREF-021'], 'FileContent'),
  decides('forwarding-of-all', 'every address family is looked at', ['PREF-020', 'PREF-021'], {
    forwarding: (release) => upstream.forwarding(release, [4, 6]),
  }),
  decides('bridges-still', 'bridges are looked at, as before 1.30', ['PREF-020', 'PREF-021'], {
    forwarding: (release, families) => upstream.forwarding({ ...release, minor: 29 }, families),
  }),
  of(29, blind('bridges', ['PREF-020', 'PREF-021'], 'FileContent--proc-sys-net-bridge')),
  of(29, mild('bridges', ['PREF-020', 'PREF-021'], 'FileContent--proc-sys-net-bridge')),
  of(
    29,
    decides('bridges-of-all', 'every address family is looked at', ['PREF-020', 'PREF-021'], {
      forwarding: (release) => upstream.forwarding(release, [4, 6]),
    }),
  ),
  blind('proxy', ['PREF-026'], 'HTTPProxy'),
  strict('proxy', ['PREF-026', 'PREF-027', 'PREF-028'], 'HTTPProxy'),
  other('first-subnet-only', 'only the subnet of Services is looked at', ['PREF-028'], {
    found: (lines) => lines.filter(({ message }) => !message.includes('10.244.')),
  }),
  other('second-subnet-only', 'only the subnet of Pods is looked at', ['PREF-027'], {
    found: (lines) => lines.filter(({ message }) => !message.includes('10.96.')),
  }),
  decides('any-etcd', 'an etcd may be as old as it likes', ['PREF-029'], { oldestEtcd: () => '0.0.0' }),
  blind('etcd-version', ['PREF-029'], 'ExternalEtcdVersion'),
  other('ca-of-etcd-only', 'only the file of the CA is looked for', ['PREF-030'], {
    found: (lines) => lines.filter(({ message }) => !/c\.(?:crt|key) doesn't/.test(message)),
  }),
  blind('files-of-etcd', ['PREF-030'], 'ExternalEtcdClientCertificates'),
  decides('etcd-ports', 'the ports of etcd are not looked at', ['PREF-031'], { etcdPorts: () => [] }),
  other('etcd-ports-always', 'the ports of etcd are looked at wherever it is', ['PREF-031'], {
    found: (lines) => [...lines, { check: 'Port-2379', level: 'warning', message: 'Port 2379 is in use' }],
  }),
  blind('etcd-data', ['PREF-032'], 'DirAvailable'),
  mild('etcd-data', ['PREF-032'], 'DirAvailable'),
  decides('ca-not-looked-for', 'a worker may have the CA of another cluster', ['PREF-036'], {
    caMustBeAbsent: () => false,
  }),
  decides('joined-before', 'what another join has left is not looked for', ['PREF-036'], { absentForJoin: () => [] }),
  other('join-looks-for-more', 'a join demands that port 6443 is free on workers', ['PREF-036'], {
    found: (lines, { phase }) =>
      phase === 'join' ? [...lines, { check: 'Port-6443', level: 'error', message: 'Port 6443 is in use' }] : lines,
  }),
];
