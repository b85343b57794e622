import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import type { UploadRun } from '../kubernetes/upload-run.js';
import type { Check } from '../model/check.js';
import { createAuthority } from '../pki/authority.js';
import * as checks from './init-makes.js';
import { type InitMade, readInit } from './init-makes-reader.js';

const authority = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: Date.UTC(2026, 0, 1) });
const PEM = authority.certificate.pem;
const TOKENS = 'system:bootstrappers:kubeadm:default-node-token';
const NODES = 'system:nodes';
const encoded = (value: string): string => Buffer.from(value).toString('base64');

const object = (kind: string, name: string, more: object = {}, namespace?: string): KubeObject =>
  ({ kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) }, ...more }) as KubeObject;
const group = (name: string): object => ({ kind: 'Group', name });
const bound = (name: string, to: string, subjects: readonly object[]): KubeObject =>
  object('ClusterRoleBinding', name, { roleRef: { kind: 'ClusterRole', name: to }, subjects });
const readers = (name: string, namespace: string, subjects: readonly object[], more: object = {}): KubeObject[] => [
  object(
    'Role',
    name,
    { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: [name], ...more }] },
    namespace,
  ),
  object('RoleBinding', name, { roleRef: { kind: 'Role', name }, subjects }, namespace),
];
const REQUESTS = 'system:certificates.k8s.io:certificatesigningrequests';
const JOINING: readonly KubeObject[] = [
  object('ClusterRole', 'get-nodes', { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['nodes'] }] }),
  bound('get-nodes', 'get-nodes', [group(TOKENS)]),
  bound('bootstrap', 'system:node-bootstrapper', [group(TOKENS)]),
  bound('approve', `${REQUESTS}:nodeclient`, [group(TOKENS)]),
  bound('renew', `${REQUESTS}:selfnodeclient`, [group(NODES)]),
  ...['kubeadm-config', 'kubelet-config'].flatMap((name) =>
    readers(name, 'kube-system', [group(TOKENS), group(NODES)]),
  ),
  ...readers('kube-proxy', 'kube-system', [group(TOKENS)]),
  ...readers('cluster-info', 'kube-public', [{ kind: 'User', name: 'system:anonymous' }]),
];
const SERVER = 'https://192.0.2.20:6443';
const kubeconfig = (cluster: object = {}, users: readonly object[] = []): string =>
  JSON.stringify({
    kind: 'Config',
    clusters: [{ name: '', cluster: { server: SERVER, 'certificate-authority-data': encoded(PEM), ...cluster } }],
    users,
  });
const info = (text = kubeconfig(), more: object = {}): KubeObject =>
  object(
    'ConfigMap',
    'cluster-info',
    { data: { kubeconfig: text, 'jws-kubeconfig-abcdef': 'a..b', ...more } },
    'kube-public',
  );
const DAY = '1970-01-02T00:00:00Z';
const token = (data: Readonly<Record<string, string>> = {}): KubeObject => {
  const all = {
    'token-secret': '0123456789abcdef',
    expiration: DAY,
    'usage-bootstrap-signing': 'true',
    'usage-bootstrap-authentication': 'true',
    'auth-extra-groups': TOKENS,
    ...data,
  };
  const entries = Object.entries(all).map(([key, value]) => [key, encoded(value)]);
  return object('Secret', 'bootstrap-token-abcdef', { data: Object.fromEntries(entries) }, 'kube-system');
};
const KUBELET = {
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' },
  },
  authorization: { mode: 'Webhook' },
  rotateCertificates: true,
  staticPodPath: '/etc/kubernetes/manifests',
};
const configured = (cluster: object = {}, kubelet: object = {}): readonly KubeObject[] => [
  object(
    'ConfigMap',
    'kubeadm-config',
    { data: { ClusterConfiguration: JSON.stringify({ controlPlaneEndpoint: '192.0.2.20:6443', ...cluster }) } },
    'kube-system',
  ),
  object(
    'ConfigMap',
    'kubelet-config',
    { data: { kubelet: JSON.stringify({ ...KUBELET, ...kubelet }) } },
    'kube-system',
  ),
];
const LABELS = {
  'node-role.kubernetes.io/control-plane': '',
  'node.kubernetes.io/exclude-from-external-load-balancers': '',
};
const node = (
  labels: object = LABELS,
  taints = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
) => ({ kind: 'Node', metadata: { name: 'cp-1', labels }, spec: { taints } }) as unknown as KubeObject;

const parts = { joining: JOINING, info: [info()], token: [token()], configured: configured(), node: [node()] };
function made(change: Partial<Record<keyof typeof parts, readonly KubeObject[]>> = {}): InitMade {
  const run: UploadRun = {
    circumstance: 'in a test',
    times: [{ began: 0, exit: 0, said: [], objects: [] }],
    files: {},
    authorityPem: PEM,
    token: 'abcdef.0123456789abcdef',
    server: SERVER,
    made: Object.values({ ...parts, ...change }).flat(),
  };
  const read = readInit(run);
  assert.ok(read);
  return read;
}
const { initGrants, initGrantsNoMore, initMakesToken, initMarks, initPublishes, initPublishesNoMore, initWritesDown } =
  checks;
const all: readonly Check<checks.Inits>[] = [
  ...[initGrants, initGrantsNoMore, initMakesToken, initMarks],
  ...[initPublishes, initPublishesNoMore, initWritesDown],
];
const unmet = (init: InitMade): readonly string[] =>
  all
    .filter((check) => check.judge([init], undefined).some(({ result }) => result !== 'met'))
    .map(({ id }) => id.replace('init-makes/', ''))
    .sort();
const changed = (
  name: string,
  change: (one: KubeObject) => KubeObject | readonly KubeObject[],
): readonly KubeObject[] => JOINING.flatMap((one) => (one.metadata.name === name ? change(one) : one));

describe('what a whole init leaves', () => {
  it('is told by facts that hold no token', () => {
    assert.deepEqual(unmet(made()), []);
    assert.ok(!JSON.stringify(made()).includes('0123456789abcdef'));
    assert.deepEqual(readInit({ ...({} as UploadRun), times: [] }), undefined);
  });
  const wide = { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }] };
  const cases: readonly (readonly [string, Parameters<typeof made>[0], readonly string[]])[] = [
    ['a binding that is missing', { joining: changed('renew', () => []) }, ['grants']],
    [
      'a right to all of a kind',
      { joining: changed('kube-proxy', (one) => (one.kind === 'Role' ? { ...one, ...wide } : one)) },
      ['grants', 'grants-no-more'],
    ],
    [
      'a subject more',
      {
        joining: changed('approve', () =>
          bound('approve', `${REQUESTS}:nodeclient`, [group(TOKENS), group('system:authenticated')]),
        ),
      },
      ['grants-no-more'],
    ],
    [
      'an account that may more',
      { joining: [...JOINING, bound('x', 'cluster-admin', [{ kind: 'ServiceAccount', name: 'a', namespace: 'b' }])] },
      ['grants-no-more'],
    ],
    ['no cluster-info', { info: [] }, ['publishes', 'token']],
    ['another server', { info: [info(kubeconfig({ server: 'https://192.0.2.9:6443' }))] }, ['publishes']],
    ['no authority', { info: [info(kubeconfig({ 'certificate-authority-data': '' }))] }, ['publishes']],
    [
      'TLS that nobody verifies',
      { info: [info(kubeconfig({ 'insecure-skip-tls-verify': true }))] },
      ['publishes-no-more'],
    ],
    [
      'a credential',
      { info: [info(kubeconfig({}, [{ name: 'a', user: { token: 'abcdefgh' } }]))] },
      ['publishes-no-more'],
    ],
    ['another key', { info: [info(kubeconfig(), { more: 'b' })] }, ['publishes-no-more']],
    ['a token in a ConfigMap', { configured: configured({ note: '0123456789abcdef' }) }, ['publishes-no-more']],
    ['a certificate key in a ConfigMap', { configured: configured({ note: 'ab'.repeat(32) }) }, ['publishes-no-more']],
    ['no token', { token: [] }, ['token']],
    ['another token', { token: [token({ 'token-secret': 'aaaaaaaaaaaaaaaa' })] }, ['token']],
    ['a token without an end', { token: [token({ expiration: '' })] }, ['token']],
    ['a token of a week', { token: [token({ expiration: '1970-01-08T00:00:00Z' })] }, ['token']],
    ['a token of one usage', { token: [token({ 'usage-bootstrap-signing': 'false' })] }, ['token']],
    ['a token of another group', { token: [token({ 'auth-extra-groups': 'system:bootstrappers:a' })] }, ['token']],
    [
      'no signature',
      { info: [object('ConfigMap', 'cluster-info', { data: { kubeconfig: kubeconfig() } }, 'kube-public')] },
      ['token'],
    ],
    ['no configurations', { configured: [] }, ['writes-down']],
    ['another endpoint', { configured: configured({ controlPlaneEndpoint: '' }) }, ['writes-down']],
    ['open kubelets', { configured: configured({}, { authorization: { mode: 'AlwaysAllow' } }) }, ['writes-down']],
    [
      'a configuration that is none',
      {
        configured: [
          ...configured().slice(0, 1),
          object('ConfigMap', 'kubelet-config', { data: { kubelet: '[' } }, 'kube-system'),
        ],
      },
      ['writes-down'],
    ],
    ['no Node', { node: [] }, ['marks']],
    ['no taint', { node: [node(LABELS, [])] }, ['marks']],
    ['half of the labels', { node: [node({ 'node-role.kubernetes.io/control-plane': '' })] }, ['marks']],
  ];
  for (const [what, change, ids] of cases)
    it(`is seen to be wrong: ${what}`, () => assert.deepEqual(unmet(made(change)), ids));
  it('is right with what other minors name otherwise', () => {
    const older = JOINING.map((one) =>
      one.metadata.name === 'kubelet-config'
        ? JSON.parse(JSON.stringify(one).replaceAll('kubelet-config', 'kubelet-config-1.22'))
        : one,
    ) as readonly KubeObject[];
    assert.deepEqual(unmet(made({ joining: older })), []);
  });
});
