import { base64 } from '../kubernetes/json.js';
import type { Binding, PolicyRule, Role } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { createAuthority } from '../pki/authority.js';
import { upstream } from '../reference/decisions.js';
import { allow, bindCluster, decides, finds, group, user } from './arrange.js';
import { addToken, editClusterInfo } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const { clusterInfoKubeconfig } = upstream;

const anotherCa = (): string =>
  createAuthority({ commonName: 'front-proxy-ca', key: 'ECDSA-P256', now: Date.now() }).certificate.pem;
type Facts = Parameters<typeof clusterInfoKubeconfig>[0];
/** A mutant that publishes another kubeconfig. */
const publishes = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  change: (text: string, facts: Facts) => string,
): Mutant =>
  decides(name, defect, killedBy, { clusterInfoKubeconfig: (facts) => change(clusterInfoKubeconfig(facts), facts) });

const CONTENT: readonly Mutant[] = [
  decides('cluster-info-named-otherwise', 'the ConfigMap is named clusterinfo', ['INFO-001'], {
    clusterInfoConfigMap: (kubeconfig, tokens) => ({
      ...upstream.clusterInfoConfigMap(kubeconfig, tokens),
      metadata: { name: 'clusterinfo', namespace: 'kube-public' },
    }),
  }),
  decides('cluster-info-in-kube-system', 'the ConfigMap lies in kube-system', ['INFO-001'], {
    clusterInfoConfigMap: (kubeconfig, tokens) => ({
      ...upstream.clusterInfoConfigMap(kubeconfig, tokens),
      metadata: { name: 'cluster-info', namespace: 'kube-system' },
    }),
  }),
  publishes(
    'kubeconfig-encoded-twice',
    'the kubeconfig is a quoted string',
    ['INFO-002'],
    (text) => `${JSON.stringify(text)}\n`,
  ),
  publishes('kubeconfig-of-no-kind', 'the text has no kind', ['INFO-002'], (text) =>
    text.replace('kind: Config\n', ''),
  ),
  decides('kubeconfig-under-another-key', 'the key is named config', ['INFO-002', 'INFO-011'], {
    clusterInfoConfigMap: (kubeconfig, tokens) => ({
      ...upstream.clusterInfoConfigMap(kubeconfig, tokens),
      data: { config: kubeconfig },
    }),
  }),
  publishes(
    'admin-conf-published',
    'admin.conf is copied as it is, with the key of the administrator',
    ['INFO-003', 'INFO-004'],
    (text) =>
      text
        .replace('contexts: null', 'contexts:\n- context:\n    cluster: ""\n    user: admin\n  name: admin')
        .replace('current-context: ""', 'current-context: admin')
        .replace(
          'users: null',
          `users:\n- name: admin\n  user:\n    client-key-data: ${base64('-----BEGIN PRIVATE KEY-----')}`,
        ),
  ),
  publishes('a-context-published', 'a context and a user without credentials are published', ['INFO-003'], (text) =>
    text.replace('contexts: null', 'contexts:\n- context:\n    cluster: ""\n    user: nobody\n  name: join'),
  ),
  finds('token-published', 'the kubeconfig carries the token', ['INFO-004', 'INFO-003', 'TOK-007'], (reference) =>
    editClusterInfo(reference, (data) => ({
      ...data,
      kubeconfig: (data.kubeconfig ?? '').replace(
        'users: null',
        `users:\n- name: join\n  user:\n    token: ${reference.tokens[0] ?? ''}`,
      ),
    })),
  ),
  publishes(
    'key-hidden-in-an-extension',
    'a private key is published among the extensions',
    ['INFO-004'],
    (text) =>
      `${text}extensions:\n- name: helper\n  extension:\n    data: ` +
      `${base64('-----BEGIN RSA PRIVATE KEY-----\n')}\n`,
  ),
  publishes('no-cluster', 'the list of clusters is empty', ['INFO-005'], (text) =>
    text.replace(/clusters:\n(?:-.*\n)(?: .*\n)+/, 'clusters: []\n'),
  ),
  publishes('cluster-at-top-level', 'server and CA stand at the top level', ['INFO-005'], (text) =>
    text
      .replace(/clusters:\n- cluster:\n/, '')
      .replace(/^ {2}name: ""\n/m, '')
      .replace(/^ {4}/gm, ''),
  ),
  publishes('ca-is-a-path', 'the CA is named by a path', ['INFO-006'], (text) =>
    text.replace(/certificate-authority-data: .*/, 'certificate-authority: /etc/kubernetes/pki/ca.crt'),
  ),
  publishes('ca-is-another', 'the CA of the front proxy is published', ['INFO-007'], (text) =>
    text.replace(/certificate-authority-data: .*/, `certificate-authority-data: ${base64(anotherCa())}`),
  ),
  publishes('server-over-http', 'the address is http://127.0.0.1:8080', ['INFO-008'], (text) =>
    text.replace(/server: .*/, 'server: http://127.0.0.1:8080'),
  ),
  publishes(
    'server-by-another-loopback',
    'the address is https://localhost, while the cluster is reached as 127.0.0.1',
    ['INFO-008'],
    (text, facts) => text.replace(/server: .*/, `server: https://localhost:${new URL(facts.server).port}`),
  ),
  publishes('user-in-address', 'the address carries a user and a password', ['INFO-004'], (text) =>
    text.replace('https://', 'https://admin:password@'),
  ),
  publishes(
    'server-without-certificate',
    'the address is one that the certificate does not name',
    ['INFO-008'],
    (text, facts) => text.replace(/server: .*/, `server: https://0.0.0.0:${new URL(facts.server).port}`),
  ),
  publishes('verification-off', 'insecure-skip-tls-verify is left over', ['INFO-009'], (text) =>
    text.replace(/( *)server: /, '$1insecure-skip-tls-verify: true\n$1server: '),
  ),
  finds('helper-keeps-notes', 'a helper keeps notes in the ConfigMap', ['INFO-011'], (reference) =>
    editClusterInfo(reference, (data) => ({ ...data, notes: 'see the wiki' })),
  ),
];

/** A mutant whose Role or RoleBinding for strangers is another. */
const opens = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  change: { role?: (rules: readonly PolicyRule[]) => readonly PolicyRule[]; binding?: (binding: Binding) => Binding },
): Mutant =>
  decides(name, defect, killedBy, {
    grants: (what, release) =>
      upstream.grants(what, release).map((object) => {
        if (what !== 'cluster-info') return object;
        if (object.kind === 'Role')
          return {
            ...object,
            rules: change.role?.((object as Role).rules ?? []) ?? (object as Role).rules ?? [],
          } as Role;
        return change.binding?.(object as Binding) ?? object;
      }),
  });

const STRANGERS: readonly Mutant[] = [
  {
    name: 'no-strangers',
    defect: 'anonymous authentication is off',
    killedBy: ['INFO-013'],
    options: { anonymousAuth: false },
  },
  decides('no-binding-for-strangers', 'the RoleBinding is missing', ['INFO-013', 'INFO-015', 'INFO-016'], {
    grants: (what, release) =>
      upstream.grants(what, release).filter(({ kind }) => what !== 'cluster-info' || kind === 'Role'),
  }),
  opens(
    'all-of-kube-public',
    'the Role names no ConfigMap, so that all of kube-public is open',
    ['INFO-014', 'INFO-019'],
    {
      role: (rules) => rules.map(({ resourceNames: _names, ...rule }) => rule),
    },
  ),
  opens('strangers-do-anything', 'the Role allows every verb', ['INFO-014', 'INFO-018'], {
    role: (rules) => rules.map((rule) => ({ ...rule, verbs: ['*'] })),
  }),
  opens('strangers-list', 'the Role allows list and watch', ['INFO-014', 'INFO-018'], {
    role: (rules) => rules.map((rule) => ({ ...rule, verbs: ['get', 'list', 'watch'] })),
  }),
  opens('strangers-view', 'the RoleBinding refers to the ClusterRole view', ['INFO-015', 'INFO-018', 'INFO-019'], {
    binding: (binding) => ({ ...binding, roleRef: { ...binding.roleRef, kind: 'ClusterRole', name: 'view' } }),
  }),
  opens('bound-to-who-has-logged-in', 'the RoleBinding names system:authenticated only', ['INFO-016', 'INFO-013'], {
    binding: (binding) => ({ ...binding, subjects: [group('system:authenticated')] }),
  }),
  opens('bound-to-everybody', 'the RoleBinding names system:authenticated as well', ['INFO-016'], {
    binding: (binding) => ({ ...binding, subjects: [...(binding.subjects ?? []), group('system:authenticated')] }),
  }),
  finds(
    'strangers-view-everything',
    'a ClusterRoleBinding named anonymous-view',
    ['INFO-017', 'INFO-019'],
    (reference) => bindCluster(reference, 'anonymous-view', 'view', user('system:anonymous')),
  ),
  finds(
    'strangers-see-nodes',
    'a ClusterRole of its own shows Nodes to strangers',
    ['INFO-017', 'INFO-019'],
    (reference) =>
      allow(
        reference,
        'node-list',
        [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['nodes'] }],
        group('system:unauthenticated'),
      ),
  ),
];

const HARMLESS: readonly Mutant[] = [
  finds('harmless-other-configmap', 'another ConfigMap in kube-public', [], (reference) =>
    reference.api.create(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'motd', namespace: 'kube-public' },
      data: { text: 'hello' },
    }),
  ),
  finds('harmless-many-tokens', 'three tokens sign', [], (reference) => {
    for (const id of ['m1man1', 'm1man2', 'm1man3'])
      addToken(reference, { 'token-id': id, 'token-secret': `k3s9x0q7w2${id}` }, { name: `bootstrap-token-${id}` });
  }),
  opens(
    'harmless-group-of-strangers',
    'the RoleBinding names the group system:unauthenticated, as document 002 says',
    [],
    {
      binding: (binding) => ({ ...binding, subjects: [group('system:unauthenticated')] }),
    },
  ),
  publishes(
    'harmless-extensions',
    'the kubeconfig has an extension and a comment',
    [],
    (text) => `# ${'x'.repeat(20)}\n${text}extensions:\n- name: site\n  extension:\n    region: north\n`,
  ),
];

export const mutants: readonly Mutant[] = [...CONTENT, ...STRANGERS, ...HARMLESS];
