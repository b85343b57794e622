import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { byItsFile, configurationsOn } from './node-configured.js';
import type { Disk, Entry, Held } from './node-seen.js';
import { at, pod } from './node-seen.testing.js';

const FILE = '/etc/kubernetes/own.yaml';
const OTHER: Held = { kind: 'other' };
const entry = (path: string, text: string): Entry => ({ path, kind: 'file', text });
type Flags = Readonly<Record<string, string>>;
const API = '/etc/kubernetes/manifests/kube-apiserver.yaml';

/** A disk with manifests of these components, and these files with what they say. */
function node(
  components: Readonly<Record<string, Flags>>,
  files: Readonly<Record<string, string>>,
  held: Held = OTHER,
): readonly [Disk, readonly Entry[]] {
  const seen = [
    ...Object.entries(components).map(([name, flags]) => pod(name, flags)),
    ...Object.keys(files).map((path) => at(path, held)),
  ];
  const disk = Object.fromEntries(seen.flatMap(({ path, file }) => (file === null ? [] : [[path, file] as const])));
  return [disk, Object.entries(files).map(([path, text]) => entry(path, text))];
}

/** "/etc/kubernetes/own.yaml as audit-policy-file: it is empty" of each that is seen. */
const seenOn = (...[disk, entries]: readonly [Disk, readonly Entry[]]): readonly string[] =>
  Object.values(configurationsOn(disk, entries)).map(({ path, held }) =>
    held.kind === 'configuration' ? `${path} as ${held.flag}: ${held.odd.join('; ')}` : `${path} is ${held.kind}`,
  );

const AUDIT = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n';
const SCHEDULER = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
const asked = (path: string): string => `
apiVersion: apiserver.config.k8s.io/v1beta1
kind: AuthorizationConfiguration
authorizers:
- type: Node
  name: node
- type: RBAC
  name: rbac
- type: Webhook
  name: own
  webhook:
    authorizedTTL: 1m
    unauthorizedTTL: 1m
    timeout: 3s
    subjectAccessReviewVersion: v1
    matchConditionSubjectAccessReviewVersion: v1
    failurePolicy: Deny
    connectionInfo: { type: KubeConfigFile, kubeConfigFile: ${path} }
`;
const HOOK = `
apiVersion: v1
kind: Config
clusters: [{ name: a, cluster: { server: "http://a.example" } }]
users: [{ name: a, user: {} }]
contexts: [{ name: a, context: { cluster: a, user: a } }]
current-context: a
`;

describe('a file that a flag names', () => {
  it('configures the API server or the scheduler that has it', () => {
    for (const flag of [
      'encryption-provider-config',
      'audit-policy-file',
      'authentication-config',
      'authorization-config',
      'admission-control-config-file',
      'authentication-token-webhook-config-file',
      'authorization-webhook-config-file',
      'audit-webhook-config-file',
    ])
      assert.deepEqual(seenOn(...node({ 'kube-apiserver': { [flag]: FILE } }, { [FILE]: '' })), [
        `${FILE} as ${flag}: it is empty`,
      ]);
    assert.deepEqual(seenOn(...node({ 'kube-apiserver': { 'audit-policy-file': FILE } }, { [FILE]: AUDIT })), [
      `${FILE} as audit-policy-file: `,
    ]);
    assert.deepEqual(seenOn(...node({ 'kube-scheduler': { config: FILE } }, { [FILE]: SCHEDULER })), [
      `${FILE} as config: `,
    ]);
    // of another component, of another flag, or of none
    for (const components of [
      {},
      { 'kube-apiserver': {} },
      { 'kube-apiserver': { config: FILE } },
      { 'kube-scheduler': { 'audit-policy-file': FILE } },
      { 'kube-apiserver': { 'tls-cert-file': FILE } },
      { 'kube-apiserver': { 'audit-policy-file': '/etc/kubernetes/b.yaml' } },
    ])
      assert.deepEqual(seenOn(...node(components, { [FILE]: AUDIT })), []);
  });

  it('is what it is where it is read as something else', () => {
    const flags = { 'kube-apiserver': { 'audit-policy-file': FILE } };
    const kinds = (kind: string): number => seenOn(...node(flags, { [FILE]: AUDIT }, { kind } as Held)).length;
    for (const kind of ['other', 'unreadable', 'kubeconfig', 'settings']) assert.equal(kinds(kind), 1, kind);
    for (const kind of ['certificates', 'key', 'manifest', 'flags']) assert.equal(kinds(kind), 0, kind);
    for (const name of ['admin', 'super-admin', 'kubelet', 'bootstrap-kubelet', 'controller-manager', 'scheduler']) {
      const own = `/etc/kubernetes/${name}.conf`;
      const by = (path: string) =>
        seenOn(...node({ 'kube-apiserver': { 'audit-webhook-config-file': path } }, { [path]: HOOK })).length;
      assert.equal(by(own), 0, own);
      for (const other of [`/srv${own}`, `${own}.d`, own.replace('.', '-'), own.replace('etc/kubernetes/', 'etc/')])
        assert.equal(by(other), 1, other);
    }
    // its content was not asked for, or nobody has seen it
    const [disk, entries] = node(flags, { [FILE]: AUDIT });
    assert.deepEqual(seenOn(disk, []), []);
    assert.deepEqual(seenOn(disk, [{ path: FILE, kind: 'file', size: 3 }]), []);
    const { [FILE]: _, ...without } = disk;
    assert.deepEqual(seenOn(without, entries), []);
    // it stays the file that it is
    const { [FILE]: seen } = configurationsOn(disk, entries);
    assert.deepEqual({ ...seen, held: OTHER }, disk[FILE]);
  });

  it('is judged by what its server reads: its minor, its flags, and where it lies', () => {
    const of = (text: string, image: string, more: Flags = {}): string => {
      const [disk, entries] = node({ 'kube-apiserver': { 'authorization-config': FILE, ...more } }, { [FILE]: text });
      const server = pod('kube-apiserver', { 'authorization-config': FILE, ...more }, { containers: [{ image }] }).file;
      return seenOn({ ...disk, ...(server === null ? {} : { [API]: server }) }, entries).join();
    };
    const v1 = asked('/a').replace('v1beta1', 'v1');
    assert.equal(of(v1, 'a/kube-apiserver:v1.36.0'), `${FILE} as authorization-config: `);
    assert.match(of(v1, 'a/kube-apiserver:v1.31.0'), /it is no AuthorizationConfiguration of a version that is read$/);
    const issuer =
      'apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\njwt: [{ issuer: { url: "https://own" } }]\n';
    const told = (own: string) =>
      seenOn(
        ...node(
          { 'kube-apiserver': { 'authentication-config': FILE, 'service-account-issuer': own } },
          { [FILE]: issuer },
        ),
      ).join();
    assert.notEqual(told('https://own'), told('https://other'));
    const plugins =
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: [{ name: PodSecurity, path: b.yaml }]\n';
    const [disk, entries] = node({ 'kube-apiserver': { 'admission-control-config-file': FILE } }, { [FILE]: plugins });
    const held = configurationsOn(disk, entries)[FILE]?.held;
    assert.deepEqual(held?.kind === 'configuration' && held.names, ['/etc/kubernetes/b.yaml']);
  });

  it('names files of those who are asked for decisions', () => {
    const path = '/etc/kubernetes/hook.yaml';
    const both = { [FILE]: asked(path), [path]: HOOK };
    assert.deepEqual(seenOn(...node({ 'kube-apiserver': { 'authorization-config': FILE } }, both)), [
      `${FILE} as authorization-config: `,
      `${path} as authorization-webhook-config-file: its server is asked without TLS`,
    ]);
    const plugins = `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: [{ name: A, path: ${path} }]\n`;
    const admission = { 'kube-apiserver': { 'admission-control-config-file': FILE } };
    assert.equal(seenOn(...node(admission, { ...both, [FILE]: plugins })).length, 1);
  });

  it('says why it cannot be read', () => {
    const said = (text: string): string =>
      seenOn(...node({ 'kube-apiserver': { 'audit-policy-file': FILE } }, { [FILE]: text }))
        .join()
        .replace(`${FILE} as audit-policy-file: `, '');
    for (const empty of ['', ' \n\t\n']) assert.equal(said(empty), 'it is empty');
    assert.equal(said('- a'), 'it is no YAML of fields, or cut off');
    assert.match(said('a: "'), /^it is no YAML: /);
  });
});

describe('a scheduler with a file', () => {
  const MANIFEST = '/etc/kubernetes/manifests/kube-scheduler.yaml';
  const flagsOf = (flags: Flags, files: Readonly<Record<string, string>>): unknown => {
    const [disk, entries] = node({ 'kube-scheduler': flags }, files);
    const changed = byItsFile(disk, entries);
    const held = changed[MANIFEST]?.held;
    if (held === undefined) return changed;
    assert.deepEqual(Object.keys(changed), [MANIFEST]);
    const before = disk[MANIFEST];
    assert.ok(before?.held.kind === 'manifest' && held.kind === 'manifest');
    assert.deepEqual({ ...changed[MANIFEST], held: { ...held, flags: before.held.flags } }, before);
    return held.flags;
  };

  it('has the flags that it says', () => {
    const text = `${SCHEDULER}clientConnection: { kubeconfig: /a.conf }\nleaderElection: { leaderElect: false }\n`;
    assert.deepEqual(flagsOf({ config: FILE, kubeconfig: '/b.conf', v: '2' }, { [FILE]: text }), {
      'leader-elect': 'false',
      config: FILE,
      v: '2',
      kubeconfig: '/a.conf',
    });
  });

  it('has its own where there is no such file, or it cannot be read', () => {
    for (const [flags, files] of [
      [{}, { [FILE]: SCHEDULER }],
      [{ config: '/etc/kubernetes/b.yaml' }, { [FILE]: SCHEDULER }],
      [{ config: FILE }, {}],
      [{ config: FILE }, { [FILE]: '' }],
      [{ config: FILE }, { [FILE]: '- a' }],
    ] as const)
      assert.deepEqual(flagsOf(flags, files), {});
    const [disk, entries] = node({ 'kube-apiserver': { config: FILE } }, { [FILE]: SCHEDULER });
    assert.deepEqual(byItsFile(disk, entries), {});
    const other = at(MANIFEST, OTHER).file;
    assert.deepEqual(byItsFile(other === null ? disk : { ...disk, [MANIFEST]: other }, entries), {});
  });
});
