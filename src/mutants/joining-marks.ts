/** Clients that make a control plane of their machine: its administrators, and the marks of its Node. */
import { writeKubeconfig } from '../kubeadm/kubeconfig.js';
import { NEWEST_RELEASE, parseRelease } from '../kubeadm/release.js';
import { createAuthority, issueCredential } from '../pki/authority.js';
import { generateKey } from '../pki/keys.js';
import { another, asking, isFor, onWrite } from './joining-hooks.js';
import type { Mutant } from './types.js';

const SHARED_KEY = '/etc/kubernetes/pki/sa.key';
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

function administrator(group: string): string {
  const authority = createAuthority({ commonName: 'kubernetes', key: generateKey('ECDSA-P256'), now: Date.now() });
  const { certificatePem, keyPem } = issueCredential(authority, {
    subject: { commonName: 'kubernetes-admin', organizations: [group] },
    extendedKeyUsage: ['clientAuth'],
    key: 'ECDSA-P256',
    now: Date.now(),
  });
  return writeKubeconfig(
    {
      cluster: { name: 'kubernetes', server: 'https://127.0.0.1:6443', caPem: authority.certificate.pem },
      user: { name: 'kubernetes-admin', certificatePem, keyPem },
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

/** Who has looked for shared certificates patches its Node. */
const marking = (name: string, defect: string, killedBy: readonly string[], how: (marks: Marked) => Marked): Mutant =>
  another(name, defect, killedBy, {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      if (isFor('kubeadm-certs', question)) {
        const { labels, taints } = how(MARKED);
        const url = question.url.replace(/\/api\/v1.*$/, '/api/v1/nodes/worker-9');
        await wire.exchange({
          ...question,
          method: 'PATCH',
          url,
          body: JSON.stringify({ metadata: { labels }, spec: { taints } }),
        });
      }
      return answer;
    }),
  });

export const mutants: readonly Mutant[] = [
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
