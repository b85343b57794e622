import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  joiningControlPlanesGuarded,
  kubeadmReadsConfiguration,
  readToldToControlPlanes,
  type ToldToControlPlanes,
} from './cluster-configuration.js';

const read = (text: string | undefined, minor = 36): ToldToControlPlanes =>
  readToldToControlPlanes(
    'ConfigMap m',
    text === undefined ? undefined : { metadata: { name: 'm' }, data: { ClusterConfiguration: text } },
    minor,
  );
const named = (apiVersion: string, release: string): string =>
  `apiVersion: ${apiVersion}\nkind: ClusterConfiguration\nkubernetesVersion: ${release}\n`;
const BETA4 = 'kubeadm.k8s.io/v1beta4';

describe('what kubeadm reads of a cluster', () => {
  const results = (apiVersion: string, release: string, minor = 36): string =>
    kubeadmReadsConfiguration
      .judge(read(named(apiVersion, release), minor), undefined)
      .slice(0, 2)
      .map(({ result }) => result)
      .join(' ');

  it('is of a version that it decodes', () => {
    for (const [apiVersion, minor, wanted] of [
      [BETA4, 36, 'met'],
      [BETA4, 31, 'met'],
      [BETA4, 30, 'unmet'],
      ['kubeadm.k8s.io/v1beta3', 36, 'met'],
      ['kubeadm.k8s.io/v1beta3', 22, 'met'],
      ['kubeadm.k8s.io/v1beta2', 26, 'met'],
      ['kubeadm.k8s.io/v1beta2', 27, 'unmet'],
      ['kubeadm.k8s.io/v1beta1', 22, 'unmet'],
      ['kubeadm.k8s.io/v1alpha3', 40, 'unmet'],
      ['kubeadm.k8s.io/v1', 36, 'unmet'],
      // later ones are not known here
      ['kubeadm.k8s.io/v1', 37, 'met'],
      ['', 36, 'unmet'],
      ['kubeadm.k8s.io/v1beta3', 21, 'unmet'],
      // never, however new kubeadm is; and what only begins or ends like those
      ['kubeadm.k8s.io/v1alpha12', 40, 'unmet'],
      ['kubeadm.k8s.io/v1beta1', 40, 'unmet'],
      ['kubeadm.k8s.io/v1beta10', 40, 'met'],
      ['x.kubeadm.k8s.io/v1beta1', 40, 'met'],
    ] as const)
      assert.equal(results(apiVersion, `v1.${minor}.0`, minor), `${wanted} met`, `${apiVersion} ${minor}`);
  });

  it('names a release next to that of the API server, or one that is looked up', () => {
    const near = [
      'v1.36.4',
      'v1.36.14',
      'v1.36.100',
      '1.36.0',
      'v1.35.9',
      'v1.37.0-alpha.1',
      'v1.36.0+k3s1',
      '""',
      'stable',
      'stable-1',
    ];
    const builds = ['ci', 'ci-cross', 'release', 'bazel'].flatMap((from) => [`${from}/latest`, `${from}/stable-1.36`]);
    for (const release of [...near, ...builds, 'latest-1.36'])
      assert.equal(results(BETA4, release), 'met met', release);
    for (const release of [
      ...['v1.36', 'xv1.36.0', 'v1.36.0000', 'latest-1.1000', 'latest-1.36.0', 'ci/latest-2.0'],
      'v1.34.9',
      'v1.38.0',
      'v1.3',
      'v2.36.0',
      'newest',
      'v1.36.0.1',
      'stable-',
      'x/stable',
    ])
      assert.equal(results(BETA4, release), 'met unmet', release);
  });

  it('is told with what was seen', () => {
    assert.deepEqual(
      kubeadmReadsConfiguration
        .judge(read(named(BETA4, '""')), undefined)
        .map(({ demanded, seen }) => [demanded, seen]),
      [
        ['is of a version that kubeadm 1.36 reads', BETA4],
        ['names a release next to 1.36, which the API server has', 'kubernetesVersion: none, which is the newest'],
        ['has values of the types that kubeadm decodes', 'it has'],
      ],
    );
    assert.match(kubeadmReadsConfiguration.judge(read(named(BETA4, 'x')), undefined)[1]?.seen ?? '', /: x$/);
  });

  it('has the types of its version', () => {
    const types = (apiVersion: string, more: string): string | undefined =>
      kubeadmReadsConfiguration.judge(read(`${named(apiVersion, 'v1.36.0')}${more}\n`), undefined)[2]?.seen;
    const BETA3 = 'kubeadm.k8s.io/v1beta3';
    for (const [apiVersion, more] of [
      [BETA4, 'apiServer: {extraArgs: [{name: v, value: "2"}], certSANs: [a], extraEnvs: [{name: A}], unknown: 1}'],
      [BETA4, 'controllerManager: {extraVolumes: [{name: a, hostPath: /a, mountPath: /a, readOnly: true}]}'],
      [BETA4, 'featureGates: {PublicKeysECDSA: true}\netcd: {local: {dataDir: /a, extraArgs: []}}\nscheduler: null'],
      [BETA4, 'networking: {podSubnet: 10.0.0.0/8}\nproxy: {disabled: true}\ndns: {imageTag: v1}'],
      [
        BETA3,
        'apiServer: {extraArgs: {v: "2"}}\netcd: {external: {endpoints: [a], caFile: "", certFile: "", keyFile: ""}}',
      ],
      [BETA3, 'apiServer: {extraArgs: {v: null}}\nfeatureGates: {PublicKeysECDSA: null}'],
      ['kubeadm.k8s.io/v1beta2', 'apiServer: []'],
    ] as const)
      assert.equal(types(apiVersion, more), 'it has', more);
    for (const [apiVersion, more, odd] of [
      [BETA4, 'apiServer: {extraArgs: {v: "2"}}', 'apiServer.extraArgs'],
      [BETA4, 'apiServer: {extraArgs: [{name: v, value: 2}]}', 'apiServer.extraArgs[0].value'],
      [BETA4, 'etcd: {local: {extraArgs: {v: "2"}}}', 'etcd.local.extraArgs'],
      [BETA4, 'apiServer: {certSANs: api}', 'apiServer.certSANs'],
      [BETA4, 'scheduler: []', 'scheduler'],
      [BETA4, 'featureGates: {PublicKeysECDSA: "true"}', 'featureGates.PublicKeysECDSA'],
      [BETA4, 'kubernetesVersion: 1.36', 'kubernetesVersion'],
      [BETA4, 'controllerManager: {extraVolumes: [{readOnly: "true"}]}', 'controllerManager.extraVolumes[0].readOnly'],
      [BETA3, 'scheduler: {extraArgs: [{name: v, value: "2"}]}', 'scheduler.extraArgs'],
      [BETA3, 'controllerManager: {extraArgs: {v: 2}}', 'controllerManager.extraArgs.v'],
      [BETA3, 'etcd: {local: {extraArgs: {v: 2}}}', 'etcd.local.extraArgs.v'],
    ] as const) {
      const text = more.startsWith('kubernetesVersion')
        ? `apiVersion: ${apiVersion}\nkind: ClusterConfiguration\n${more}\n`
        : undefined;
      const seen =
        text === undefined ? types(apiVersion, more) : kubeadmReadsConfiguration.judge(read(text), undefined)[2]?.seen;
      assert.equal(seen, `${odd} is of another type`, more);
    }
  });

  it('is nothing where others tell that there is none', () => {
    for (const text of [undefined, '[', 'a', 'kind: InitConfiguration'])
      for (const check of [kubeadmReadsConfiguration, joiningControlPlanesGuarded])
        assert.deepEqual(check.judge(read(text), undefined), [], `${text}`);
  });
});

describe('what control planes that join are told', () => {
  const findings = (more: string) =>
    joiningControlPlanesGuarded.judge(read(`kind: ClusterConfiguration\n${more}`), undefined);
  const unmet = (more: string): readonly string[] =>
    findings(more)
      .filter(({ result }) => result !== 'met')
      .map(({ subject, demanded, seen }) => `${subject}: ${demanded}; seen: ${seen}`);
  const api = (flag: string, value: string): string => `apiServer: {extraArgs: [{name: ${flag}, value: '${value}'}]}\n`;
  const manager = (flag: string, value: string): string => `controllerManager: {extraArgs: {${flag}: '${value}'}}\n`;

  it('is sound where kubeadm decides', () => {
    assert.equal(findings('').length, 15);
    assert.deepEqual(unmet(''), []);
    assert.deepEqual(
      new Set(findings('apiServer: {}').map(({ seen }) => seen)),
      new Set(['kubeadm decides', 'none does', 'nothing shows otherwise']),
    );
  });

  it('gives nothing up', () => {
    const weak = (more: string): string => unmet(more)[0] ?? '';
    for (const [component, flag, value] of [
      ['apiServer', 'service-account-lookup', 'false'],
      ['apiServer', 'oidc-groups-prefix', 'system:'],
      ['controllerManager', 'authorization-always-allow-paths', '/*'],
      ['controllerManager', 'cluster-signing-duration', '876000h'],
      ['scheduler', 'authorization-always-allow-paths', '/*'],
    ] as const)
      assert.ok(weak(`${component}: {extraArgs: {${flag}: '${value}'}}\n`).includes(`--${flag}=${value}: `), flag);
    assert.ok(weak("etcd: {local: {extraArgs: {auto-tls: 'true'}}}\n").includes('etcd.local.extraArgs'));
    assert.deepEqual(unmet("scheduler: {extraArgs: {bind-address: '0.0.0.0', v: '2'}}\n"), []);
    // what a field says is a flag as well, unless a flag says otherwise
    assert.match(weak('etcd: {local: {dataDir: /tmp/etcd}}\n'), /etcd\.local\.extraArgs: .*--data-dir=\/tmp\/etcd/);
    assert.deepEqual(unmet('etcd: {local: {dataDir: /srv/etcd}}\n'), []);
    assert.deepEqual(unmet('etcd: {local: {dataDir: /tmp/etcd, extraArgs: {data-dir: /srv/etcd}}}\n'), []);
  });

  it('obeys no variable before its flags', () => {
    for (const component of ['apiServer', 'controllerManager', 'scheduler', 'etcd'] as const) {
      const variables = (...names: readonly string[]): readonly string[] => {
        const told = `{extraEnvs: [${names.map((name) => `{name: ${name}, value: a}`).join(', ')}]}`;
        return unmet(component === 'etcd' ? `etcd: {local: ${told}}\n` : `${component}: ${told}\n`);
      };
      assert.deepEqual(variables('HTTPS_PROXY', 'NO_PROXY', 'A_GODEBUG'), []);
      const [found = '', ...others] = variables('HTTPS_PROXY', 'GODEBUG', 'LD_PRELOAD');
      assert.match(
        found,
        /; seen: GODEBUG, which it obeys before any flag; LD_PRELOAD, which it obeys before any flag$/,
      );
      assert.ok(found.includes(` m, ${component}.`), found);
      assert.deepEqual(others, []);
      assert.equal(variables('ETCD_CONFIG_FILE').length, component === 'etcd' ? 1 : 0, component);
    }
  });

  it('opens nothing', () => {
    const first = 'ConfigMap m, apiServer.extraArgs: ';
    const plugins = 'NodeRestriction, CertificateApproval, CertificateSigning, CertificateSubjectRestriction';
    for (const [flag, value, demanded] of [
      ['authorization-mode', 'AlwaysAllow', '--authorization-mode has Node and RBAC, and has not AlwaysAllow'],
      [
        'authorization-mode',
        'Node,RBAC,AlwaysAllow',
        '--authorization-mode has Node and RBAC, and has not AlwaysAllow',
      ],
      ['authorization-mode', 'RBAC', '--authorization-mode has Node and RBAC, and has not AlwaysAllow'],
      ['authorization-mode', 'Node', '--authorization-mode has Node and RBAC, and has not AlwaysAllow'],
      ['enable-admission-plugins', 'PodSecurity', '--enable-admission-plugins has NodeRestriction'],
      ['enable-admission-plugins', '', '--enable-admission-plugins has NodeRestriction'],
      ...[
        'Priority,NodeRestriction',
        'CertificateApproval',
        'CertificateSigning',
        'Priority,CertificateSubjectRestriction',
      ].map(
        (value) => ['disable-admission-plugins', value, `--disable-admission-plugins has none of ${plugins}`] as const,
      ),
      ['enable-bootstrap-token-auth', 'false', '--enable-bootstrap-token-auth is on'],
      ['token-auth-file', '/t.csv', '--token-auth-file is not given'],
    ] as const)
      assert.deepEqual(unmet(api(flag, value)), [`${first}${demanded}; seen: --${flag}=${value}`]);
    const second = 'ConfigMap m, controllerManager.extraArgs: ';
    const controllers = '--controllers has bootstrapsigner, tokencleaner, csrapproving, csrsigning on';
    for (const value of ['*', '*,bootstrapsigner', '*,bootstrapsigner,tokencleaner,-csrsigning'])
      assert.deepEqual(unmet(manager('controllers', value)), [`${second}${controllers}; seen: --controllers=${value}`]);
    assert.equal(unmet(manager('controllers', ''))[0], `${second}${controllers}; seen: --controllers=`);
    assert.deepEqual(unmet(manager('use-service-account-credentials', 'no')), [
      `${second}--use-service-account-credentials is on; seen: --use-service-account-credentials=no`,
    ]);
  });

  it('adds up what a list repeats, takes the last of anything else, and leaves authorizers of a file alone', () => {
    const twice = (flag: string, ...values: readonly string[]): string =>
      `apiServer: {extraArgs: [${values.map((value) => `{name: ${flag}, value: '${value}'}`).join(', ')}]}\n`;
    assert.deepEqual(unmet(twice('authorization-mode', 'Node', 'RBAC')), []);
    assert.deepEqual(unmet(twice('enable-bootstrap-token-auth', 'false', 'true')), []);
    assert.equal(unmet(twice('enable-bootstrap-token-auth', 'true', 'false')).length, 1);
    const file =
      "apiServer: {extraArgs: {authorization-config: /a/b.yaml, authorization-mode: ''}, extraVolumes: [{mountPath: /a}]}";
    assert.deepEqual(unmet(file), []);
    assert.equal(findings(file).length, 14);
  });

  it('goes with what kubeadm tells besides', () => {
    const folder = '/etc/kubernetes/pki';
    for (const [component, told, place, seen] of [
      ['apiServer', { 'anonymous-auth': 'false' }, 'no flag', 'the probes of its kubelet are refused'],
      ['apiServer', { 'client-ca-file': '' }, 'no flag', 'nobody is known by a certificate'],
      [
        'apiServer',
        { 'requestheader-client-ca-file': `${folder}/ca.crt` },
        'its program',
        `--requestheader-client-ca-file=${folder}/ca.crt and --proxy-client-cert-file=${folder}/front-proxy-client.crt`,
      ],
      [
        'apiServer',
        { 'kubelet-client-key': `${folder}/apiserver.key` },
        'its program',
        `--kubelet-client-certificate=${folder}/apiserver-kubelet-client.crt and --kubelet-client-key=${folder}/apiserver.key`,
      ],
      [
        'apiServer',
        { 'service-account-signing-key-file': `${folder}/ca.key` },
        'its program',
        `--service-account-signing-key-file=${folder}/ca.key`,
      ],
      ['apiServer', { 'service-account-jwks-uri': 'http://a' }, 'its program', 'is not of https'],
      [
        'controllerManager',
        { 'client-ca-file': `${folder}/etcd/ca.crt` },
        'its program',
        `--client-ca-file=${folder}/etcd/ca.crt`,
      ],
      [
        'controllerManager',
        { 'cluster-signing-kubelet-serving-cert-file': `${folder}/ca.crt` },
        'its program',
        '--cluster-signing-kubelet-serving-cert-file without its half',
      ],
      ['controllerManager', { 'leader-elect-renew-deadline': '20s' }, 'its program', 'leases of 15 s'],
      ['scheduler', { 'leader-elect-lease-duration': '5s' }, 'its program', 'leases of 5 s'],
    ] as const) {
      const [first = '', ...others] = unmet(`${component}: {extraArgs: ${JSON.stringify(told)}}\n`);
      assert.ok(first.startsWith(`ConfigMap m, ${component}.extraArgs: ${place}`), first);
      assert.ok(first.includes(seen), first);
      assert.deepEqual(others, []);
    }
    // what kubeadm tells lies where its certificates do
    const elsewhere = (file: string): string =>
      `certificatesDir: /srv/pki\napiServer: {extraArgs: {'requestheader-client-ca-file': /srv/pki/${file}, 'requestheader-allowed-names': ''}}\n`;
    const both = unmet(elsewhere('ca.crt'));
    assert.equal(both.length, 2);
    assert.match(both[0] ?? '', /no flag and no variable .*any client may speak for others$/);
    assert.deepEqual(unmet(elsewhere('front-proxy-ca.crt')), []);
    for (const sound of [
      "apiServer: {extraArgs: {anonymous-auth: 'true', 'requestheader-allowed-names': ''}}\n",
      `apiServer: {extraArgs: {tls-cert-file: ${folder}/mine.crt, tls-private-key-file: ${folder}/mine.key}}\n`,
      'controllerManager: {extraArgs: {leader-elect-lease-duration: 60s, leader-elect-renew-deadline: 40s}}\n',
      'etcd: {external: {endpoints: ["http://192.0.2.9:2379"]}}\n',
    ])
      assert.deepEqual(unmet(sound), [], sound);
  });

  it('starts, and makes nodes of what joins', () => {
    const works = 'its program starts with these flags, and what joins becomes a node';
    for (const [component, flag, value, seen] of [
      ['apiServer', 'anonymous-auht', 'false', '--anonymous-auht'],
      ['apiServer', 'request-timeout', 'long', '--request-timeout=long'],
      ['apiServer', 'feature-gates', 'NoSuchGate=true', 'the feature gate NoSuchGate'],
      [
        'apiServer',
        'disable-admission-plugins',
        'ServiceAccount',
        '--disable-admission-plugins=ServiceAccount: Pods of new nodes are given no token',
      ],
      ['apiServer', 'advertise-address', '127.0.0.1', '--advertise-address=127.0.0.1: no other machine reaches it'],
      ['controllerManager', 'node-monitor-period', 'soon', '--node-monitor-period=soon'],
      [
        'controllerManager',
        'controllers',
        '*,bootstrapsigner,tokencleaner,-nodelifecycle',
        '--controllers=*,bootstrapsigner,tokencleaner,-nodelifecycle: nodes stay tainted as not ready',
      ],
      ['controllerManager', 'root-ca-file', '', 'no --root-ca-file: Pods do not know the API server'],
      ['scheduler', 'leader-elect', 'perhaps', '--leader-elect=perhaps'],
      ['scheduler', 'enable-admission-plugins', 'NodeRestriction', '--enable-admission-plugins'],
    ] as const)
      assert.deepEqual(
        unmet(`${component}: {extraArgs: {${flag}: '${value}'}}\n`),
        [`ConfigMap m, ${component}.extraArgs: ${works}; seen: ${seen}`],
        flag,
      );
    assert.deepEqual(unmet("etcd: {local: {extraArgs: {snapshot-count: 'many'}}}\n"), [
      `ConfigMap m, etcd.local.extraArgs: ${works}; seen: --snapshot-count=many`,
    ]);
    // of a minor whose flags and gates nobody has listed nothing is said
    assert.deepEqual(
      joiningControlPlanesGuarded
        .judge(
          read(
            "kind: ClusterConfiguration\napiServer: {extraArgs: {any-flag: 'x', feature-gates: 'Newer=true'}}\n",
            60,
          ),
          undefined,
        )
        .filter(({ result }) => result !== 'met'),
      [],
    );
  });

  it('starts on another machine', () => {
    const odd = (more: string): string =>
      unmet(more)
        .map((told) => told.replace(/^.*seen: /, ''))
        .join();
    const audit = 'audit-policy-file: /etc/kubernetes/audit/policy.yaml';
    const lost = '/etc/kubernetes/audit/policy.yaml is not mounted by extraVolumes';
    assert.equal(odd(`apiServer: {extraArgs: {${audit}}}\n`), lost);
    const beside = 'extraVolumes: [{name: a, hostPath: /x, mountPath: /etc/kubernetes/audit}]';
    assert.equal(odd(`apiServer: {extraArgs: {${audit}}, ${beside}}\n`), '');
    assert.equal(odd(`apiServer: {extraArgs: {${audit}}}\ncontrollerManager: {${beside}}\n`), lost);
    for (const path of ['/etc/kubernetes/pki/oidc.crt', '/etc/ssl/certs/ca.pem', '/etc/pki/ca-trust/a.crt'])
      assert.equal(odd(`apiServer: {extraArgs: {oidc-ca-file: ${path}}}\n`).includes('not mounted'), false, path);
    const own =
      'certificatesDir: /var/lib/pki\napiServer: {extraArgs: {tls-sni-cert-key: x, oidc-ca-file: /var/lib/pki/a}}';
    assert.equal(odd(`${own}\n`).includes('not mounted'), false);
    const external = 'etcd: {external: {endpoints: [], caFile: /etc/etcd/ca.crt}}\n';
    assert.equal(
      odd(`${external}apiServer: {extraArgs: {etcd-cafile: /etc/etcd/ca.crt}}\n`).includes('mounted'),
      false,
    );
    assert.equal(odd('controllerManager: {extraArgs: {kubeconfig: /etc/kubernetes/controller-manager.conf}}\n'), '');
    assert.equal(
      odd('scheduler: {extraArgs: {config: /etc/kubernetes/s.yaml}}\n'),
      '/etc/kubernetes/s.yaml is not mounted by extraVolumes',
    );
    for (const component of ['apiServer', 'controllerManager', 'scheduler']) {
      const told = `${component}: {extraArgs: {bind-address: 192.0.2.1}}\n`;
      assert.equal(odd(told), '--bind-address=192.0.2.1: it is the address of one machine', component);
      for (const all of ['0.0.0.0', '"::"', '127.0.0.1'])
        assert.equal(odd(told.replace('192.0.2.1', all)).includes('one machine'), false, all);
    }
    const etcd = (urls: string): string => odd(`etcd: {local: {extraArgs: {listen-metrics-urls: '${urls}'}}}\n`);
    assert.equal(etcd('http://0.0.0.0:2381'), '');
    assert.equal(etcd('http://127.0.0.1:2381,http://[::]:2381'), '');
    assert.equal(
      etcd('http://127.0.0.1:2381,http://192.0.2.1:2381'),
      '--listen-metrics-urls=http://192.0.2.1:2381: it is the address of one machine',
    );
    assert.equal(
      odd(api('enable-admission-plugins', 'NodeRestriction,PodSecurityPolicy')),
      'the admission plugin PodSecurityPolicy, which it has not',
    );
    assert.equal(
      odd(manager('controllers', '*,bootstrapsigner,tokencleaner,-nothing')),
      'the controller nothing, which it has not',
    );
  });

  it('acts as no administrator, and keeps nothing where everybody writes', () => {
    const safe = 'no flag and no variable takes away what it is safe by';
    const mounted = 'extraVolumes: [{mountPath: /etc/kubernetes/super-admin.conf}]';
    assert.deepEqual(unmet(`scheduler: {extraArgs: {kubeconfig: /etc/kubernetes/super-admin.conf}, ${mounted}}\n`), [
      `ConfigMap m, scheduler.extraArgs: ${safe}; seen: ` +
        '--kubeconfig=/etc/kubernetes/super-admin.conf: it acts as an administrator',
    ]);
    assert.match(unmet(api('client-ca-file', '/tmp/ca.crt'))[0] ?? '', /everybody may write there$/);
  });
});
