import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { UploadRun } from '../../kubernetes/upload-run.js';
import type { Check } from '../../model/check.js';
import { sentenceOf } from '../../model/finding.js';
import { createAuthority } from '../../pki/authority.js';
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
const runOf = (change: Partial<Record<keyof typeof parts, readonly KubeObject[]>> = {}): UploadRun => ({
  circumstance: 'in a test',
  times: [{ began: 0, exit: 0, said: [], objects: [] }],
  files: {},
  authorityPem: PEM,
  token: 'abcdef.0123456789abcdef',
  server: SERVER,
  made: Object.values({ ...parts, ...change }).flat(),
});
function made(change: Partial<Record<keyof typeof parts, readonly KubeObject[]>> = {}): InitMade {
  const read = readInit(runOf(change));
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
    const { made: _, ...without } = runOf();
    assert.equal(readInit(without), undefined);
    assert.equal(readInit({ ...runOf(), times: [] }), undefined);
  });

  it('is read as it is', () => {
    const { cluster, kubelet, grants, pins, ...facts } = made();
    assert.deepEqual(facts, {
      subject: 'an init, in a test',
      exit: 0,
      info: {
        clusters: [{ name: '', server: SERVER, pins, more: [] }],
        credentials: [],
        more: [],
        isSigned: true,
      },
      token: facts.token,
      leaks: [],
      node: {
        labels: ['node-role.kubernetes.io/control-plane', 'node.kubernetes.io/exclude-from-external-load-balancers'],
        taints: ['node-role.kubernetes.io/control-plane:NoSchedule'],
      },
      server: SERVER,
    });
    assert.deepEqual(
      { seconds: facts.token?.seconds, usages: facts.token?.usages, groups: facts.token?.groups },
      { seconds: 86_400, usages: ['usage-bootstrap-authentication', 'usage-bootstrap-signing'], groups: [TOKENS] },
    );
    assert.equal(pins.length, 1);
    assert.match(pins.join(), /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual([cluster, kubelet], [{ controlPlaneEndpoint: '192.0.2.20:6443' }, KUBELET]);
    assert.equal(grants.length, 10);
    // of the last of several runs, which did not end by itself
    const [time] = runOf().times;
    assert.ok(time);
    assert.equal(readInit({ ...runOf(), times: [time, { ...time, exit: undefined }] })?.exit, null);
    assert.equal(readInit({ ...runOf(), times: [time, { ...time, began: 43_200_000 }] })?.token?.seconds, 43_200);
    // in any order
    const backwards = { ...runOf(), made: runOf().made?.toReversed() ?? [] };
    assert.deepEqual(readInit(backwards), made());
    const marked = node(Object.fromEntries(Object.entries(LABELS).toReversed()), [
      { key: 'b', effect: 'NoExecute' },
      { key: 'a', effect: 'NoSchedule' },
    ]);
    assert.deepEqual(made({ node: [marked] }).node, {
      labels: facts.node?.labels,
      taints: ['a:NoSchedule', 'b:NoExecute'],
    });
  });

  it('is read with every right that its roles give, to whom, and where', () => {
    const rightsOf = (rules: readonly object[], subjects: readonly object[], namespace?: string): readonly string[] => {
      const kind = namespace === undefined ? 'ClusterRole' : 'Role';
      const binding = { roleRef: { kind, name: 'r' }, subjects };
      return made({
        joining: [
          // of the same name elsewhere, and of another kind
          object(kind, 'r', { rules: [{ verbs: ['*'], resources: ['secrets'] }] }, 'elsewhere'),
          object('ConfigMap', 'r', { rules: [{ verbs: ['*'], resources: ['secrets'] }] }, namespace),
          object(kind, 'other', { rules: [{ verbs: ['*'], resources: ['pods'] }] }, namespace),
          object(kind, 'r', { rules }, namespace),
          object('Other', 'r', binding, namespace),
          object(namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding', 'r', binding, namespace),
        ],
      }).grants;
    };
    const rule = { verbs: ['list', 'get'], apiGroups: ['', 'discovery.k8s.io'], resources: ['pods', 'nodes'] };
    const group = { kind: 'Group', name: 'g' };
    assert.deepEqual(rightsOf([rule], [group]), [
      ...['get nodes', 'get nodes.discovery.k8s.io', 'get pods', 'get pods.discovery.k8s.io'].map(
        (one) => `Group g: ${one}`,
      ),
      ...['list nodes', 'list nodes.discovery.k8s.io', 'list pods', 'list pods.discovery.k8s.io'].map(
        (one) => `Group g: ${one}`,
      ),
    ]);
    assert.deepEqual(rightsOf([{ verbs: ['get'], resources: ['pods'] }], [group]), ['Group g: get pods']);
    assert.deepEqual(rightsOf([{ verbs: ['get'], nonResourceURLs: ['/healthz'] }], [group]), ['Group g: get /healthz']);
    const named = { verbs: ['get'], apiGroups: ['apps'], resources: ['daemonsets'], resourceNames: ['b', 'a'] };
    assert.deepEqual(rightsOf([named], [{ kind: 'ServiceAccount', name: 's', namespace: 'n' }], 'kube-system'), [
      'ServiceAccount n/s: get daemonsets.apps/a in kube-system',
      'ServiceAccount n/s: get daemonsets.apps/b in kube-system',
    ]);
    const same = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
    assert.deepEqual(rightsOf([same, same], [{ ...group, namespace: '' }], 'a'), ['Group g: get pods in a']);
    // a role of somebody else is named
    const foreign = object(
      'RoleBinding',
      'x',
      { roleRef: { kind: 'ClusterRole', name: 'edit' }, subjects: [group] },
      'a',
    );
    assert.deepEqual(made({ joining: [foreign] }).grants, ['Group g: all of ClusterRole edit in a']);
  });

  it('is read of its own objects alone', () => {
    const elsewhere = (one: KubeObject, change: Partial<KubeObject['metadata']>): KubeObject => ({
      ...one,
      metadata: { ...one.metadata, ...change },
    });
    const [cluster, kubelet] = configured();
    assert.ok(cluster && kubelet);
    for (const [what, change, ids] of [
      [
        'cluster-info of another namespace',
        { info: [elsewhere(info(), { namespace: 'default' })] },
        ['publishes', 'token'],
      ],
      ['a token of another namespace', { token: [elsewhere(token(), { namespace: 'default' })] }, ['token']],
      ['another token', { token: [elsewhere(token(), { name: 'bootstrap-token-abcdee' })] }, ['token']],
      ['a ConfigMap as a token', { token: [{ ...token(), kind: 'ConfigMap' }] }, ['token']],
      ['no kubeadm-config', { configured: [elsewhere(cluster, { name: 'kubeadm' }), kubelet] }, ['writes-down']],
      [
        'no kubelet-config',
        { configured: [cluster, elsewhere(kubelet, { name: 'kubelet-config-1.x' })] },
        ['writes-down'],
      ],
      [
        'one that is called otherwise',
        { configured: [cluster, elsewhere(kubelet, { name: 'a-kubelet-config' })] },
        ['writes-down'],
      ],
      [
        'one that is kept',
        { configured: [cluster, elsewhere(kubelet, { name: 'kubelet-config-old' })] },
        ['writes-down'],
      ],
      ['one of an older minor', { configured: [cluster, elsewhere(kubelet, { name: 'kubelet-config-1.22' })] }, []],
    ] as const)
      assert.deepEqual(unmet(made(change)), ids, what);
    const leaking = { ...cluster, data: { note: 'ab'.repeat(32) } } as unknown as KubeObject;
    assert.deepEqual(made({ configured: [leaking, kubelet] }).leaks, ['ConfigMap kube-system/kubeadm-config']);
    // a Secret is not read by everybody, and a digest is no key
    const pinned = {
      ...cluster,
      data: { note: `sha256:${'ab'.repeat(32)} ${'ab'.repeat(33)}` },
    } as unknown as KubeObject;
    assert.deepEqual(made({ configured: [{ ...leaking, kind: 'Secret' }, pinned] }).leaks, []);
  });

  it('is told in a sentence each', () => {
    const told = (check: Check<checks.Inits>, change: Parameters<typeof made>[0] = {}): string => {
      const [finding] = check.judge([made(change)], undefined);
      assert.ok(finding);
      return sentenceOf(finding).replace('an init, in a test: ', '');
    };
    const grants = 'those who join, nodes and strangers have the rights that joining needs; seen: ';
    assert.equal(told(initGrants), `${grants}they have them`);
    assert.equal(
      told(initGrants, { joining: changed('renew', () => []) }),
      `${grants}not "Group ${NODES}: all of ClusterRole ${REQUESTS}:selfnodeclient"`,
    );
    assert.equal(told(initGrants, { joining: [] }).split('not "').length, 6);
    const more = 'nobody is given more than joining and the addons need; seen: ';
    assert.equal(told(initGrantsNoMore), `${more}10 rights, and no other`);
    assert.equal(
      told(initGrantsNoMore, { joining: [bound('a', 'cluster-admin', [group('a'), group('b')])] }),
      `${more}Group a: all of ClusterRole cluster-admin, Group b: all of ClusterRole cluster-admin`,
    );
    const published =
      'cluster-info has one cluster without a name: the address that clients are told, and the authority of the cluster; seen: ';
    assert.equal(told(initPublishes), `${published}"" at ${SERVER}, its authority`);
    assert.equal(told(initPublishes, { info: [] }), `${published}there is no cluster-info`);
    assert.equal(
      told(initPublishes, { info: [info(kubeconfig({ server: '', 'certificate-authority-data': '' }))] }),
      `${published}"" at no address, another authority`,
    );
    assert.equal(told(initPublishes, { info: [info('{"clusters": []}')] }), `${published}no cluster`);
    const leaks = 'what everybody reads holds no credential, and nothing that weakens TLS; seen: ';
    assert.equal(told(initPublishesNoMore), `${leaks}it holds none`);
    const open = info(kubeconfig({ 'insecure-skip-tls-verify': true }), { more: 'b' });
    assert.equal(
      told(initPublishesNoMore, { info: [open], configured: configured({ note: '0123456789abcdef' }) }),
      `${leaks}key "more" of cluster-info, insecure-skip-tls-verify, a secret in ConfigMap kube-system/kubeadm-config`,
    );
    const ends = `the token that it was told ends after a day, signs and logs in, is in ${TOKENS} alone, and signs; seen: `;
    assert.equal(
      told(initMakesToken),
      `${ends}it ends after 86400 s; usages usage-bootstrap-authentication, usage-bootstrap-signing; groups ${TOKENS}; cluster-info is signed with it`,
    );
    const useless = token({
      'usage-bootstrap-signing': 'false',
      'usage-bootstrap-authentication': 'false',
      expiration: '',
    });
    assert.equal(
      told(initMakesToken, { token: [useless], info: [] }),
      `${ends}it never ends; usages none; groups ${TOKENS}; cluster-info is not signed with it`,
    );
    assert.equal(told(initMakesToken, { token: [] }), `${ends}there is no such token`);
    const writes =
      'kubeadm-config says how the cluster is reached, and kubelet-config makes kubelets that answer nobody without a right; seen: ';
    assert.equal(told(initWritesDown), `${writes}they do`);
    assert.equal(told(initWritesDown, { configured: [] }), `${writes}no kubeadm-config, no kubelet-config`);
    assert.equal(
      told(initWritesDown, {
        configured: configured({ controlPlaneEndpoint: 'a:1' }, { authorization: {}, rotateCertificates: false }),
      }),
      `${writes}controlPlaneEndpoint a:1, authorization.mode is not there, rotateCertificates is false`,
    );
    assert.equal(
      told(initWritesDown, { configured: configured({ controlPlaneEndpoint: undefined }) }),
      `${writes}controlPlaneEndpoint (none)`,
    );
    const [label, other] = Object.keys(LABELS);
    const marks = `its Node has the labels ${label} and ${other} and the taint ${label}:NoSchedule; seen: `;
    assert.equal(told(initMarks), `${marks}${label}, ${other}, ${label}:NoSchedule`);
    assert.equal(told(initMarks, { node: [] }), `${marks}its Node is not marked`);
    assert.equal(told(initMarks, { node: [node({}, [])] }), `${marks}neither`);
  });

  it('is as it was told of its token, its Node and its networks', () => {
    const groups = [TOKENS, 'system:bootstrappers:blue'].join(',');
    const networking = { dnsDomain: 'blue.example', serviceSubnet: '10.100.0.0/16', podSubnet: '10.32.0.0/12' };
    const wanted = {
      token: [token({ expiration: '1970-01-01T02:00:00Z', 'auth-extra-groups': groups })],
      node: [
        node(
          {},
          ['example.com/kept', 'node.cloudprovider.kubernetes.io/uninitialized'].map((key) => ({
            key,
            effect: 'NoSchedule',
          })),
        ),
      ],
      configured: configured(
        { clusterName: 'blue', networking },
        { clusterDomain: 'blue.example', clusterDNS: ['10.100.0.10'] },
      ),
    };
    const seen = (change: Partial<typeof wanted> = {}): string =>
      checks.initFollows
        .judge([made({ ...wanted, ...change })], undefined)
        .map(({ result, seen: what }) => `${result}: ${what}`)
        .join();
    assert.equal(seen(), 'met: they are');
    assert.equal(
      seen({ token: [token()] }),
      `unmet: its token lives 86400 s, groups ${TOKENS}`,
      'a day is no two hours, and one group no two',
    );
    assert.match(seen({ node: [node({}, [])] }), /^unmet: taints none$/);
    assert.equal(
      seen({
        configured: configured(
          { clusterName: 'blue', networking: { ...networking, podSubnet: '' } },
          { clusterDomain: 'blue.example', clusterDNS: ['10.96.0.10'] },
        ),
      }),
      'unmet: networking.podSubnet is "", clusterDNS.0 is "10.96.0.10"',
    );
  });

  it('may hold what addons and administrators need', () => {
    const account = (name: string, to: string): KubeObject =>
      bound(name, to, [{ kind: 'ServiceAccount', name, namespace: 'kube-system' }]);
    const rules = [
      { verbs: ['list', 'watch'], apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'] },
      { verbs: ['list', 'watch'], apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'] },
      { verbs: ['get'], apiGroups: [''], resources: ['nodes'] },
    ];
    const addons = [
      account('kube-proxy', 'system:node-proxier'),
      object('ClusterRole', 'system:coredns', { rules }),
      account('coredns', 'system:coredns'),
      bound('admins', 'cluster-admin', [group('kubeadm:cluster-admins')]),
      bound('kubelets', 'system:kubelet-api-admin', [{ kind: 'User', name: 'kube-apiserver-kubelet-client' }]),
    ];
    const certs = readers('kubeadm-certs', 'kube-system', [group(TOKENS)], { resources: ['secrets'] });
    assert.deepEqual(unmet(made({ joining: [...JOINING, ...addons, ...certs] })), []);
    for (const more of [
      object('ClusterRole', 'system:coredns', { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] }),
      object('ClusterRole', 'system:coredns', {
        rules: [{ verbs: ['list'], apiGroups: ['discovery.k8s.io'], resources: ['pods'] }],
      }),
    ])
      assert.deepEqual(unmet(made({ joining: [...JOINING, more, account('coredns', 'system:coredns')] })), [
        'grants-no-more',
      ]);
    assert.deepEqual(unmet(made({ joining: [...JOINING, account('coredns', 'system:node-proxier')] })), [
      'grants-no-more',
    ]);
  });

  it('has a token of a day, give or take what a busy machine needs', () => {
    const ends = (expiration: string): readonly string[] => unmet(made({ token: [token({ expiration })] }));
    for (const right of ['1970-01-02T00:02:00Z', '1970-01-01T23:58:00Z']) assert.deepEqual(ends(right), [], right);
    for (const wrong of ['1970-01-02T00:02:01Z', '1970-01-01T23:57:59Z'])
      assert.deepEqual(ends(wrong), ['token'], wrong);
  });

  it('is one cluster that has no name', () => {
    const cluster = { server: SERVER, 'certificate-authority-data': encoded(PEM) };
    const of = (...clusters: readonly object[]) => unmet(made({ info: [info(JSON.stringify({ clusters }))] }));
    assert.deepEqual(of({ name: '', cluster }), []);
    assert.deepEqual(of({ name: 'kubernetes', cluster }), ['publishes']);
    assert.deepEqual(of({ name: '', cluster }, { name: '', cluster }), ['publishes']);
    assert.deepEqual(of(), ['publishes']);
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
    [
      'a switch that is a text',
      {
        configured: configured({}, { authentication: { ...KUBELET.authentication, anonymous: { enabled: 'false' } } }),
      },
      ['writes-down'],
    ],
    ['no Node', { node: [] }, ['marks']],
    [
      'a taint of another effect',
      { node: [node(LABELS, [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoExecute' }])] },
      ['marks'],
    ],
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
