/** Clients that make a control plane of their machine: its administrators, and the marks of its Node. */
import { writeKubeconfig } from '../kubeadm/kubeconfig.js';
import { NEWEST_RELEASE, parseRelease } from '../kubeadm/release.js';
import { type Authority, authorityFromPem, createAuthority, issueCredential } from '../pki/authority.js';
import { generateKey } from '../pki/keys.js';
import { another, onWrite } from './joining-hooks.js';
import type { Mutant } from './types.js';

const PKI = '/etc/kubernetes/pki';
const SHARED_KEY = `${PKI}/sa.key`;
const ADMIN = '/etc/kubernetes/admin.conf';
const HELD = 'kubeadm:cluster-admins';

/** A control plane writes kubeconfigs of administrators, each of a group. */
const administering = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  all: readonly { readonly path: string; readonly group: string }[],
): Mutant =>
  another(name, defect, killedBy, {
    files: onWrite((files, path, text, mode) => {
      files.write(path, text, mode);
      if (path === SHARED_KEY) for (const one of all) files.write(one.path, administrator(one.group), 0o600);
    }),
  });

function administrating(
  authority: Authority,
  group: string,
  now: number,
): { readonly certificate: string; readonly key: string } {
  const { certificatePem, keyPem } = issueCredential(authority, {
    subject: { commonName: 'kubernetes-admin', organizations: [group] },
    extendedKeyUsage: ['clientAuth'],
    key: 'ECDSA-P256',
    now,
  });
  return { certificate: certificatePem, key: keyPem };
}

function administrator(group: string): string {
  const authority = createAuthority({ commonName: 'kubernetes', key: generateKey('ECDSA-P256'), now: Date.now() });
  const { certificate, key } = administrating(authority, group, Date.now());
  return writeKubeconfig(
    {
      cluster: { name: 'kubernetes', server: 'https://127.0.0.1:6443', caPem: authority.certificate.pem },
      user: { name: 'kubernetes-admin', certificatePem: certificate, keyPem: key },
      context: { name: 'kubernetes-admin@kubernetes' },
    },
    parseRelease(NEWEST_RELEASE),
  );
}

interface Marked {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly effect: string }[];
}
const NODE_ROLE = 'node-role.kubernetes.io/control-plane';
const MARKED: Marked = {
  labels: { [NODE_ROLE]: '', 'node.kubernetes.io/exclude-from-external-load-balancers': '' },
  taints: [
    { key: NODE_ROLE, effect: 'NoSchedule' },
    { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' },
  ],
};

/** Who has the keys of the cluster patches its Node as the administrator that they make of him, at the next request. */
function marking(name: string, defect: string, killedBy: readonly string[], how: (marks: Marked) => Marked): Mutant {
  // of the join that is under way: one after the other
  let shared: Readonly<Record<string, string>> = {};
  return another(name, defect, killedBy, {
    files: onWrite((files, path, text, mode) => {
      files.write(path, text, mode);
      shared = { ...shared, [path]: text };
    }),
    wire: (wire, clock) => ({
      exchange: async (question) => {
        const authority = authorityFromPem(shared[`${PKI}/ca.crt`] ?? '', shared[`${PKI}/ca.key`] ?? '');
        shared = {};
        if (authority !== undefined) {
          const { labels, taints } = how(MARKED);
          await wire.exchange({
            ...question,
            method: 'PATCH',
            url: new URL('/api/v1/nodes/worker-9', question.url).href,
            headers: { 'content-type': 'application/merge-patch+json' },
            certificate: administrating(authority, HELD, clock.now()),
            body: JSON.stringify({ metadata: { labels }, spec: { taints } }),
          });
        }
        return wire.exchange(question);
      },
    }),
  });
}

/** Who has the keys that control planes share writes what else they run with: these files. */
const makes = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  all: () => Readonly<Record<string, string>>,
  mode = 0o600,
): Mutant =>
  another(name, defect, killedBy, {
    files: onWrite((files, path, text, own) => {
      files.write(path, text, own);
      if (path !== SHARED_KEY) return;
      for (const [file, content] of Object.entries(all())) files.write(`/etc/kubernetes/${file}`, content, mode);
    }),
  });

const certificate = (commonName: string, extendedKeyUsage: readonly string[], organizations: string[] = []): string =>
  issueCredential(createAuthority({ commonName: 'kubernetes', key: generateKey('ECDSA-P256'), now: Date.now() }), {
    subject: { commonName, ...(organizations.length === 0 ? {} : { organizations }) },
    extendedKeyUsage,
    key: 'ECDSA-P256',
    now: Date.now(),
  }).certificatePem;
const SERVES = ['serverAuth'];
const ASKS = ['clientAuth'];
const BOTH = [...SERVES, ...ASKS];
const certificates = (
  more: Readonly<Record<string, readonly string[]>> = {},
  groups: string[] = [],
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries({
      apiserver: SERVES,
      'apiserver-etcd-client': ASKS,
      'front-proxy-client': ASKS,
      'etcd/server': BOTH,
      'etcd/peer': BOTH,
      'etcd/healthcheck-client': ASKS,
      ...more,
    }).map(([file, usages]) => [`pki/${file}.crt`, certificate(file, usages)]),
  ),
  'pki/apiserver-kubelet-client.crt': certificate('kube-apiserver-kubelet-client', ASKS, groups),
});

const BOUND = { 'kube-controller-manager': '--bind-address=127.0.0.1', 'kube-scheduler': '--bind-address=::1' };
const METRICS = { etcd: '--listen-metrics-urls=http://127.0.0.1:2381,https://[::1]:2381' };
const manifests = (told: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...BOUND, ...METRICS, ...told }).map(([name, flag]) => [
      `manifests/${name}.yaml`,
      JSON.stringify({ kind: 'Pod', spec: { containers: [{ name, command: [name, flag] }] } }),
    ]),
  );

export const mutants: readonly Mutant[] = [
  makes('join-certificates', 'a control plane makes its certificates', [], () => certificates()),
  makes('join-kubelet-client-held', "the API server's certificate for kubelets is of a group that RBAC holds", [], () =>
    certificates({}, [HELD]),
  ),
  makes('join-kubelet-client-of-masters', 'the API server asks kubelets as one of system:masters', ['P-252'], () =>
    certificates({}, ['system:masters']),
  ),
  makes('join-apiserver-logs-in', "the API server's certificate is for clients, too", ['P-280'], () =>
    certificates({ apiserver: BOTH }),
  ),
  makes('join-etcd-serves-only', 'the certificate of an etcd is for servers alone', ['P-280'], () =>
    certificates({ 'etcd/peer': SERVES }),
  ),
  makes('join-front-proxy-for-anything', 'the certificate of the front proxy is for anything', ['P-280'], () =>
    certificates({ 'front-proxy-client': [] }),
  ),
  // one who was told patches is to write them patched, and one whose etcd is not to be joined none
  {
    ...makes('join-manifests', 'a control plane writes its manifests', [], () => manifests({})),
    toldBy: ['P-250', 'P-290'],
  },
  makes('join-manifests-open', 'everybody reads the manifests', ['P-312'], () => manifests({}), 0o644),
  makes('join-manifests-shared', 'the group of root reads the manifests', ['P-312'], () => manifests({}), 0o640),
  makes('join-controllers-everywhere', 'the controller manager listens everywhere', ['P-281'], () =>
    manifests({ 'kube-controller-manager': '--bind-address=0.0.0.0' }),
  ),
  makes('join-scheduler-untold', 'the scheduler is told no address', ['P-281'], () =>
    manifests({ 'kube-scheduler': '--leader-elect=true' }),
  ),
  makes('join-etcd-metrics', 'an etcd shows its metrics to everybody', ['P-281'], () =>
    manifests({ etcd: '--listen-metrics-urls=http://127.0.0.1:2381,http://192.0.2.20:2381' }),
  ),
  administering(
    'join-administrator-of-masters',
    'the administrator of a control plane is in system:masters',
    ['P-252'],
    [{ path: ADMIN, group: 'system:masters' }],
  ),
  administering(
    'join-super-administrator',
    'a control plane that joins has an administrator in reserve',
    ['P-252'],
    [
      { path: ADMIN, group: HELD },
      { path: '/etc/kubernetes/super-admin.conf', group: 'system:masters' },
    ],
  ),
  administering('join-administrator', 'a control plane has an administrator', [], [{ path: ADMIN, group: HELD }]),
  marking(
    'join-marks-without-taint',
    'the Node of a control plane gets labels only',
    ['P-253'],
    ({ taints: _, ...rest }) => rest,
  ),
  marking('join-marks-without-label', 'the Node of a control plane gets a taint only', ['P-253'], (marks) => ({
    ...marks,
    labels: {},
  })),
  marking('join-marks-over', 'the Node of a control plane loses its other taints', ['P-253'], (marks) => ({
    ...marks,
    taints: marks.taints?.slice(0, 1) ?? [],
  })),
  marking('join-marks', 'the Node of a control plane is marked', [], (marks) => marks),
];
