/** For tests: files of a node's disk as the readers see them. */

import type { CertificateFacts } from '../certificates/x509.js';
import type { Seen } from './node-files.js';
import type { CertificateSeen, Held, KubeconfigSeen } from './node-seen.js';

export const NOW = Date.UTC(2026, 0, 1);
export const DAY = 86_400_000;

/** null: there is no such file. */
export const at = (path: string, held: Held | null, mode = 0o600): Seen => ({
  path,
  file: held === null ? null : { path, mode, owner: 0, isSecret: false, held },
});
export const broken = (path: string): Seen => at(path, { kind: 'unreadable', why: 'it is cut off' });

export const certificate = (
  facts: Partial<CertificateFacts> = {},
  signedBy: readonly string[] = ['ca'],
): CertificateSeen => ({
  digest: 'own',
  signedBy,
  facts: {
    commonName: 'name',
    organizations: [],
    altNames: { dns: [], email: [], ip: [], uri: [], other: 0 },
    ca: false,
    ids: [],
    serial: '1',
    issuer: { commonName: 'kubernetes', organizations: [] },
    notBefore: NOW - DAY,
    notAfter: NOW + DAY,
    pin: 'sha256:1',
    ...facts,
  },
});

export const crt = (facts: Partial<CertificateFacts> = {}, signedBy?: readonly string[]): Seen =>
  at('/etc/kubernetes/pki/a.crt', { kind: 'certificates', certificates: [certificate(facts, signedBy)] }, 0o644);

/** The authority that has signed everything. */
export const root: Seen = at('/etc/kubernetes/pki/ca.crt', {
  kind: 'certificates',
  certificates: [{ ...certificate({ ca: true, pin: 'sha256:0' }, ['ca']), digest: 'ca' }],
});

export const key = (pin = 'sha256:1', isPrivate = true): Seen =>
  at('/etc/kubernetes/pki/a.key', { kind: 'key', pin, isPrivate, isShort: false });

export const conf = (more: Partial<KubeconfigSeen> = {}, user: Partial<KubeconfigSeen['user']> = {}): Seen =>
  at('/etc/kubernetes/a.conf', {
    kind: 'kubeconfig',
    server: 'https://192.0.2.10:6443',
    authorities: ['ca'],
    isInsecure: false,
    serverName: '',
    proxy: '',
    user: { certificate: certificate(), pin: 'sha256:1', hasToken: false, besides: [], keyFile: '', file: '', ...user },
    ...more,
  });

export const pod = (component: string, flags: Readonly<Record<string, string>>, spec: object = {}): Seen => {
  const command = [component, ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
  const container = { name: component, image: `registry.k8s.io/${component}:v1.36.0`, command };
  return at(`/etc/kubernetes/manifests/${component}.yaml`, {
    kind: 'manifest',
    flags,
    pod: { kind: 'Pod', metadata: { namespace: 'kube-system' }, spec: { containers: [container], ...spec } },
  });
};
