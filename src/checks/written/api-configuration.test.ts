import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import { twinsOf } from '../common/twins.testing.js';
import { CONFIGURING, configurationSeen, refusedSeen } from './api-configuration.js';

const fieldsOf = (text: string): Fields => parseYaml(text) as Fields;
const odd = (flag: string, text: string): string => configurationSeen(flag, fieldsOf(text)).odd.join('; ');
const keyOf = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64');

const encryption = (providers: string, resources = '[secrets]'): string =>
  `apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: ${resources}\n  providers: ${providers}\n`;
const aescbc = (bytes: number, more = ''): string =>
  `[{ aescbc: { keys: [{ name: a, secret: "${keyOf(bytes)}" }] } }${more}]`;

describe('a file that configures an API server', () => {
  it('is of its kind and of a version that is read', () => {
    for (const flag of CONFIGURING) assert.match(odd(flag, 'kind: Other\napiVersion: v1\n'), /^it is no [A-Z]/, flag);
    const one = encryption(aescbc(32));
    const refused = 'it is no EncryptionConfiguration of a version that is read';
    assert.equal(odd('encryption-provider-config', one.replace('/v1', '/v2')), refused);
    assert.equal(odd('encryption-provider-config', one.replace('apiserver.', 'xapiserver.')), refused);
    assert.equal(odd('audit-policy-file', one), 'it is no Policy of a version that is read');
    assert.deepEqual(configurationSeen('token-auth-file', fieldsOf(one)), { odd: [], isOpen: false, names: [] });
  });

  it('names keys of the right length', () => {
    const of = (providers: string, resources?: string): string =>
      odd('encryption-provider-config', encryption(providers, resources));
    for (const bytes of [16, 24, 32]) assert.equal(of(aescbc(bytes, ', { identity: {} }')), '');
    assert.equal(of(aescbc(20)), 'a key of aescbc has 20 bytes');
    assert.equal(of(aescbc(16).replace('aescbc', 'secretbox')), 'a key of secretbox has 16 bytes');
    assert.equal(of(aescbc(32).replace('aescbc', 'secretbox')), '');
    assert.equal(of(aescbc(32).replace('name: a, ', '')), 'a key of aescbc has no name');
    for (const secret of ['short', '!!!!', ''])
      assert.equal(of(aescbc(16).replace(keyOf(16), secret)), 'a key of aescbc is not in base64');
    assert.equal(of(aescbc(32).replace(keyOf(32), `${keyOf(32).slice(0, 20)}\\n${keyOf(32).slice(20)}`)), '');
    assert.equal(of('[{ aesgcm: { keys: [] } }]'), 'aesgcm has no key');
    assert.equal(of('[{ rot13: {} }]'), 'the provider rot13');
    assert.equal(of('[{}]'), 'the provider of nothing');
    assert.equal(of('[{ identity: {}, aescbc: {} }]'), 'the provider identity, aescbc');
    assert.equal(of('[{ kms: { name: a, endpoint: "unix:///run/kms.sock" } }]'), '');
    assert.equal(
      of('[{ kms: { name: a, endpoint: "tcp://192.0.2.1" } }]'),
      'the endpoint of kms is no socket of the machine',
    );
    assert.equal(of('[]'), 'it names no provider');
    assert.equal(of(aescbc(32), '[]'), 'it names no resources');
    const none = 'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n';
    assert.equal(odd('encryption-provider-config', none), 'it names no resources');
  });

  it('encrypts Secrets with what it names first for them', () => {
    const isOpen = (text: string): boolean => configurationSeen('encryption-provider-config', fieldsOf(text)).isOpen;
    assert.equal(isOpen(encryption(aescbc(32, ', { identity: {} }'))), false);
    assert.equal(isOpen(encryption(`[{ identity: {} }, ${aescbc(32).slice(1)}`)), true);
    for (const resources of ["['*.*']", "['*.']", '[configmaps, secrets]'])
      assert.equal(isOpen(encryption(aescbc(32), resources)), false, resources);
    assert.equal(isOpen(encryption(aescbc(32), '[configmaps]')), true);
    const first = encryption('[{ identity: {} }]', '[configmaps]');
    const second = `${first}- resources: [secrets]\n  providers: ${aescbc(32)}\n`;
    assert.equal(isOpen(second), false);
    assert.equal(configurationSeen('audit-policy-file', fieldsOf(first)).isOpen, false);
  });

  it('has rules of the levels that there are', () => {
    const policy = (rules: string): string =>
      odd('audit-policy-file', `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: ${rules}\n`);
    for (const level of ['None', 'Metadata', 'Request', 'RequestResponse'])
      assert.equal(policy(`[{ level: ${level} }]`), '');
    assert.equal(policy('[{ level: Meta }]'), 'the level Meta');
    assert.equal(policy('[]'), 'it has no rules');
  });

  it('trusts issuers of https that say a name', () => {
    const jwt = (issuer: string, username = '{ claim: sub, prefix: "" }'): string =>
      odd(
        'authentication-config',
        `apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\njwt:\n- issuer: ${issuer}\n  claimMappings: { username: ${username} }\n`,
      );
    const sound = '{ url: "https://issuer.example", audiences: [a] }';
    assert.equal(jwt(sound), '');
    assert.equal(jwt(sound, '{ expression: claims.sub }'), '');
    assert.equal(jwt(sound, '{}'), 'an issuer that says no username');
    assert.equal(jwt('{ url: "http://issuer.example", audiences: [a] }'), 'an issuer that is not of https');
    assert.equal(jwt('{ url: "https://issuer.example" }'), 'an issuer without audiences');
  });

  it('names authorizers that are known, each once, Node and RBAC among them', () => {
    const authorizers = (list: string): string =>
      odd(
        'authorization-config',
        `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers: [${list}]\n`,
      );
    const both = '{ type: Node, name: node }, { type: RBAC, name: rbac }';
    const webhook = (name: string): string =>
      `{ type: Webhook, name: ${name}, webhook: { timeout: 3s, failurePolicy: Deny, subjectAccessReviewVersion: v1, connectionInfo: { type: InClusterConfig } } }`;
    assert.equal(authorizers(both), '');
    assert.equal(authorizers(`${both}, ${webhook('a')}, ${webhook('b')}`), '');
    assert.equal(authorizers('{ type: RBAC, name: rbac }'), 'no authorizer Node');
    assert.equal(authorizers('{ type: Node, name: node }'), 'no authorizer RBAC');
    assert.equal(authorizers(`${both}, { type: AlwaysAllow, name: all }`), 'the authorizer AlwaysAllow');
    assert.equal(authorizers(`${both}, { type: RBAC, name: other }`), 'an authorizer twice');
    for (const other of [webhook('rbac'), webhook('""')])
      assert.equal(authorizers(`${both}, ${other}`), 'authorizers without names of their own');
    for (const [part, name] of [
      ['timeout: 3s, ', 'timeout'],
      ['failurePolicy: Deny, ', 'failurePolicy'],
      ['subjectAccessReviewVersion: v1, ', 'subjectAccessReviewVersion'],
    ] as const)
      assert.equal(authorizers(`${both}, ${webhook('a').replace(part, '')}`), `a webhook without ${name}`);
  });

  it('has a webhook asked over TLS, and verified', () => {
    const asks = (cluster: string, context = 'a'): string =>
      odd(
        'authentication-token-webhook-config-file',
        `apiVersion: v1\nkind: Config\nclusters: [{ name: a, cluster: ${cluster} }]\ncontexts: [{ name: a, context: { cluster: a } }]\ncurrent-context: ${context}\n`,
      );
    for (const sound of ['https://a.example', 'http://127.0.0.1:8080', 'http://localhost:1/a', 'http://[::1]:1'])
      assert.equal(asks(`{ server: "${sound}" }`), '', sound);
    for (const open of ['http://a.example', 'http://localhost.example/', 'a.example'])
      assert.equal(asks(`{ server: "${open}" }`), 'its server is asked without TLS', open);
    assert.equal(asks('{ server: "https://a.example", insecure-skip-tls-verify: true }'), 'nobody verifies its server');
    assert.equal(asks('{ server: "https://a.example" }', 'b'), 'its context names no server');
  });

  it('configures plugins by a file or by itself', () => {
    const admission = (plugins: string, version = 'apiserver.config.k8s.io/v1'): string =>
      `apiVersion: ${version}\nkind: AdmissionConfiguration\nplugins: [${plugins}]\n`;
    const of = (plugins: string): string => odd('admission-control-config-file', admission(plugins));
    const security = (level: string): string =>
      `{ name: PodSecurity, configuration: { kind: PodSecurityConfiguration, defaults: { enforce: ${level}, warn: restricted } } }`;
    for (const level of ['privileged', 'baseline', 'restricted', '""']) assert.equal(of(security(level)), '');
    assert.equal(of(security('strict')), 'the level strict of PodSecurity');
    assert.equal(of('{ path: /a.yaml }'), 'a plugin without a name');
    assert.equal(of('{ name: a, path: /a.yaml, configuration: {} }'), 'a with a file and a configuration');
    const seen = configurationSeen(
      'admission-control-config-file',
      fieldsOf(
        admission('{ name: a, path: /etc/kubernetes/a.yaml }, { name: b, path: b.yaml }', 'apiserver.k8s.io/v1alpha1'),
      ),
    );
    assert.deepEqual(seen, { odd: [], isOpen: false, names: ['/etc/kubernetes/a.yaml', '/b.yaml'] });
  });

  it('is of its kind as a whole, and of its version', () => {
    const told = (flag: string, kind: string, apiVersion: string): boolean =>
      /^it is no/.test(odd(flag, `kind: ${kind}\napiVersion: ${apiVersion}\n`));
    for (const [flag, kind, version] of [
      ['encryption-provider-config', 'EncryptionConfiguration', 'apiserver.config.k8s.io/v1'],
      ['audit-policy-file', 'Policy', 'audit.k8s.io/v1'],
      ['authentication-config', 'AuthenticationConfiguration', 'apiserver.config.k8s.io/v1beta1'],
      ['authorization-config', 'AuthorizationConfiguration', 'apiserver.config.k8s.io/v1alpha1'],
      ['admission-control-config-file', 'AdmissionConfiguration', 'apiserver.config.k8s.io/v1'],
    ] as const) {
      assert.equal(told(flag, kind, version), false, flag);
      for (const other of [`${version}x`, `x${version}`, 'v1', '']) assert.equal(told(flag, kind, other), true, other);
      for (const other of ['Other', `${kind}List`, kind.toLowerCase()])
        assert.equal(told(flag, other, version), true, other);
    }
  });

  it('has keys in base64 as a whole, of the bytes that its provider takes', () => {
    const of = (name: string, secret: string): string =>
      odd('encryption-provider-config', encryption(`[{ ${name}: { keys: [{ name: a, secret: "${secret}" }] } }]`));
    for (const bytes of [16, 24, 32]) assert.equal(of('aesgcm', keyOf(bytes)), '');
    assert.equal(of('aesgcm', keyOf(17)), 'a key of aesgcm has 17 bytes');
    for (const secret of [`!!!!${keyOf(16)}`, `${keyOf(16)}!!!!`, `${keyOf(16)}A`])
      assert.equal(of('aesgcm', secret), 'a key of aesgcm is not in base64');
    assert.equal(
      odd('encryption-provider-config', encryption(`[{ ${'a'.repeat(90)}: {} }]`)),
      `the provider ${'a'.repeat(60)}`,
    );
    const open = (name: string): boolean =>
      configurationSeen('encryption-provider-config', fieldsOf(encryption(aescbc(32), `['${name}']`))).isOpen;
    assert.deepEqual(['*', '*.*', '*.', 'secrets', 'x', 'Secrets'].map(open), [false, false, false, false, true, true]);
  });

  it('says whether requests are recorded, and who is let in without a credential', () => {
    const policy = (rules: string): object =>
      configurationSeen('audit-policy-file', fieldsOf(`apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: ${rules}\n`));
    assert.deepEqual(policy('[{ level: None }]'), { odd: [], isOpen: false, names: [], isSilent: true });
    assert.deepEqual(policy('[{ level: Metadata }]'), { odd: [], isOpen: false, names: [] });
    const authentication = (anonymous: string, flag = 'authentication-config'): unknown =>
      configurationSeen(
        flag,
        fieldsOf(`kind: AuthenticationConfiguration\nrules: [{ level: None }]\nanonymous: ${anonymous}\n`),
      ).anonymous;
    assert.deepEqual(authentication('{ enabled: true, conditions: [{ path: /livez }] }'), ['/livez']);
    assert.deepEqual(authentication('{ enabled: false }'), []);
    assert.equal(authentication('{ enabled: true }'), 'all');
    assert.equal(authentication('null'), undefined);
    assert.equal(authentication('{ enabled: true }', 'audit-policy-file'), undefined);
  });

  it('names what is odd, as long as a sentence', () => {
    const authorizer = (type: string): string =>
      odd(
        'authorization-config',
        `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers: [{ type: Node, name: a }, { type: RBAC, name: b }, { type: ${type}, name: c }]\n`,
      );
    assert.deepEqual(['ABAC', 'AlwaysDeny', 'a'.repeat(90)].map(authorizer), [
      '',
      '',
      `the authorizer ${'a'.repeat(40)}`,
    ]);
    const levels = (name: string, mode: string, level = 'strict'): string =>
      odd(
        'admission-control-config-file',
        `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: [{ name: ${name}, configuration: { defaults: { ${mode}: ${level} } } }]\n`,
      );
    for (const mode of ['enforce', 'audit', 'warn'])
      assert.equal(levels('PodSecurity', mode), 'the level strict of PodSecurity', mode);
    assert.equal(levels('Other', 'enforce'), '');
    assert.equal(levels('PodSecurity', 'warn', 'a'.repeat(90)), `the level ${'a'.repeat(40)} of PodSecurity`);
  });
});

describe('names of a file that configures an API server', () => {
  const told = (flag: string, fields: Fields) => configurationSeen(flag, fields);
  const ENCRYPTION = 'encryption-provider-config';
  it('are read as they are written', () => {
    for (const twin of twinsOf('EncryptionConfiguration'))
      assert.match(
        told(ENCRYPTION, { ...fieldsOf(encryption(aescbc(32))), kind: twin }).odd.join(),
        /^it is no /,
        twin,
      );
    for (const twin of twinsOf('aescbc').filter((name) => name !== ''))
      assert.equal(odd(ENCRYPTION, encryption(aescbc(32).replace('aescbc', `"${twin}"`))), `the provider ${twin}`);
    for (const twin of twinsOf('identity').filter((name) => name !== ''))
      assert.equal(odd(ENCRYPTION, encryption(`[{ "${twin}": {} }]`)), `the provider ${twin}`);
    for (const twin of [...twinsOf('secrets'), ...twinsOf('*.*').filter((name) => !['*.', '*'].includes(name))])
      assert.equal(told(ENCRYPTION, fieldsOf(encryption(aescbc(32), `["${twin}"]`))).isOpen, true, twin);
    assert.equal(told(ENCRYPTION, fieldsOf(encryption(aescbc(32), '["*"]'))).isOpen, false);
    for (const flag of twinsOf(ENCRYPTION))
      assert.deepEqual(
        told(flag, fieldsOf(encryption('[{ identity: {} }]'))),
        { odd: [], isOpen: false, names: [] },
        flag,
      );
  });

  it('are told one after the other', () => {
    const two = encryption(
      `[{ rot13: {} }, { aesgcm: { keys: [{ name: a, secret: "${keyOf(5)}" }, { secret: "" }] } }]`,
    );
    assert.equal(
      odd(ENCRYPTION, `${two}- resources: []\n  providers: []\n`),
      [
        ...['the provider rot13', 'a key of aesgcm has 5 bytes', 'a key of aesgcm has no name'],
        ...['it names no resources', 'it names no provider'],
      ].join('; '),
    );
  });

  it('are authorizers, each once, that are known', () => {
    const of = (...types: readonly string[]): string =>
      configurationSeen('authorization-config', {
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AuthorizationConfiguration',
        authorizers: types.map((type, at) => ({
          type,
          name: `n${at}`,
          ...(type === 'Webhook' ? { webhook: {} } : {}),
        })),
      }).odd.join('; ');
    assert.equal(of('Node', 'RBAC'), '');
    assert.equal(of('Node', 'RBAC', 'ABAC', 'AlwaysDeny'), '');
    for (const twin of twinsOf('Node')) assert.match(of(twin, 'RBAC'), /^no authorizer Node; the authorizer/, twin);
    for (const twin of twinsOf('RBAC')) assert.match(of('Node', twin), /^no authorizer RBAC; the authorizer/, twin);
    for (const twin of twinsOf('Webhook')) assert.equal(of('Node', 'RBAC', twin), `the authorizer ${twin}`);
    assert.equal(of('Node', 'RBAC', 'RBAC'), 'an authorizer twice');
    const lacks = ['timeout', 'failurePolicy', 'subjectAccessReviewVersion', 'connectionInfo'];
    const without = lacks.map((name) => `a webhook without ${name}`);
    assert.equal(of('Node', 'RBAC', 'Webhook', 'Webhook'), [...without, ...without].join('; '));
  });

  it('are levels of PodSecurity, and no other plugin has them', () => {
    const of = (plugins: readonly object[]) =>
      configurationSeen('admission-control-config-file', {
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AdmissionConfiguration',
        plugins,
      });
    const plugin = (name: string, level: string, mode = 'enforce') => ({
      name,
      configuration: { defaults: { [mode]: level } },
    });
    for (const level of ['', 'privileged', 'baseline', 'restricted'])
      assert.deepEqual(of([plugin('PodSecurity', level)]).odd, []);
    for (const twin of twinsOf('baseline').filter((name) => name !== ''))
      for (const mode of ['enforce', 'audit', 'warn'])
        assert.deepEqual(of([plugin('Other', twin), plugin('PodSecurity', twin, mode)]).odd, [
          `the level ${twin} of PodSecurity`,
        ]);
    for (const twin of twinsOf('PodSecurity').filter((name) => name !== ''))
      assert.deepEqual(of([plugin(twin, 'x')]).odd, [], twin);
    assert.deepEqual(
      of([
        { name: 'a', path: '/a' },
        { name: 'b', path: 'b' },
        { name: 'c', path: '/c' },
      ]).names,
      ['/a', '/b', '/c'],
    );
  });
});

describe('what a file says by its program and its minor', () => {
  const of = (flag: string, text: string, minor: number | null, flags: Readonly<Record<string, string>> = {}) =>
    configurationSeen(flag, fieldsOf(text), { path: '/etc/kubernetes/a.yaml', flags, minor });

  it('is of a version that this minor reads', () => {
    for (const [flag, kind, since] of [
      ['authentication-config', 'AuthenticationConfiguration', 34],
      ['authorization-config', 'AuthorizationConfiguration', 32],
    ] as const) {
      const isRead = (version: string, minor: number | null): boolean =>
        !/^it is no/.test(
          of(flag, `kind: ${kind}\napiVersion: apiserver.config.k8s.io/${version}\n`, minor).odd.join(),
        );
      for (const minor of [since, since + 1, null]) assert.equal(isRead('v1', minor), true, `${flag} ${minor}`);
      assert.equal(isRead('v1', since - 1), false);
      assert.equal(isRead('v1beta1', since - 1), true);
      assert.equal(isRead('v1alpha1', 29), true);
    }
    const audit = 'kind: Policy\napiVersion: audit.k8s.io/v1\nrules: [{ level: None }]\n';
    assert.deepEqual(of('audit-policy-file', audit, 20).odd, []);
    const star = audit.replace('None', 'None, resources: [{ group: "*" }]');
    assert.deepEqual(
      [35, 36].map((minor) => of('audit-policy-file', star, minor).odd.length),
      [1, 0],
    );
    for (const version of ['v11', 'xv1', 'v1beta1'])
      assert.equal(
        of('audit-webhook-config-file', `kind: Config\napiVersion: ${version}\n`, null).odd.join(),
        'it is no Config of a version that is read',
      );
  });

  it('is of a scheduler in versions that are not gone', () => {
    const scheduler = (version: string, minor: number | null = 36): string =>
      of('config', `kind: KubeSchedulerConfiguration\napiVersion: ${version}\n`, minor).odd.join('; ');
    const group = 'kubescheduler.config.k8s.io';
    const [gone, none] = [
      'it is of a version that is gone',
      'it is no KubeSchedulerConfiguration of a version that is read',
    ];
    for (const minor of [28, 29, null]) assert.equal(scheduler(`${group}/v1`, minor), '');
    for (const trial of ['v1beta2', 'v1beta3']) {
      assert.equal(scheduler(`${group}/${trial}`, 28), '');
      for (const minor of [29, 36, null]) assert.equal(scheduler(`${group}/${trial}`, minor), gone, trial);
    }
    for (const version of ['v1beta1', 'v2', 'v1x', 'v1beta2x'])
      assert.equal(scheduler(`${group}/${version}`), none, version);
    assert.equal(scheduler(`x${group}/v1`), none);
    assert.equal(of('config', 'kind: Other\napiVersion: kubescheduler.config.k8s.io/v1\n', 36).odd.join(), none);
    const two = `kind: KubeSchedulerConfiguration\napiVersion: ${group}/v1beta3\nprofiles: [{ schedulerName: a }]\n`;
    assert.match(of('config', two, 36).odd.join('; '), /^it is of a version that is gone; no profile/);
  });

  it('is asked by KMS of version 1 where that is on', () => {
    const kms = encryption('[{ kms: { name: a, endpoint: "unix:///run/kms.sock" } }]');
    const odd = (minor: number | null, gates?: string): number =>
      of('encryption-provider-config', kms, minor, gates === undefined ? {} : { 'feature-gates': gates }).odd.length;
    assert.deepEqual(
      [28, 29, 36, null].map((minor) => odd(minor)),
      [0, 1, 1, 0],
    );
    assert.deepEqual([odd(36, 'KMSv1=true'), odd(36, 'KMSv1=false')], [0, 1]);
  });

  it('is no issuer of its own tokens', () => {
    const jwt =
      'kind: AuthenticationConfiguration\napiVersion: apiserver.config.k8s.io/v1\njwt: [{ issuer: { url: "https://a", audiences: [a] }, claimMappings: { username: { expression: claims.a } } }]\n';
    const told = (issuer: string): readonly string[] =>
      of('authentication-config', jwt, 36, { 'service-account-issuer': issuer }).odd;
    assert.deepEqual([told('https://a'), told('https://b')], [['the issuer of its own tokens'], []]);
  });

  it('names sockets, files and bodies that it records', () => {
    const kms = encryption('[{ kms: { apiVersion: v2, name: a, endpoint: "unix:///run/kms.sock" } }]');
    assert.deepEqual(of('encryption-provider-config', kms, 36), {
      odd: [],
      isOpen: false,
      names: [],
      sockets: ['/run/kms.sock'],
    });
    assert.equal(of('audit-policy-file', kms, 36).sockets, undefined);
    const audit = 'kind: Policy\napiVersion: audit.k8s.io/v1\nrules: [{ level: RequestResponse }]\n';
    const { bodies = [], ...rest } = of('audit-policy-file', audit, 36);
    assert.ok(bodies.length > 0);
    assert.deepEqual(rest, { odd: [], isOpen: false, names: [] });
    assert.equal(of('authorization-config', audit, 36).bodies, undefined);
    assert.equal(of('authorization-config', audit.replace('RequestResponse', 'None'), 36).isSilent, undefined);
    const webhook = (path: string): string =>
      `kind: AuthorizationConfiguration\napiVersion: apiserver.config.k8s.io/v1\nauthorizers: [{ type: Webhook, name: a, webhook: { connectionInfo: { type: KubeConfigFile, kubeConfigFile: ${path} } } }]\n`;
    assert.deepEqual(of('authorization-config', webhook('/a.conf'), 36).names, ['/a.conf']);
    assert.deepEqual(of('authorization-config', webhook('a.conf'), 36).names, []);
    assert.deepEqual(of('authentication-config', webhook('/a.conf'), 36).names, []);
    assert.deepEqual(refusedSeen(['why']), { odd: ['why'], isOpen: false, names: [] });
  });

  it('has a webhook asked on the machine itself without TLS, and nowhere else', () => {
    const asks = (server: string): string =>
      of(
        'audit-webhook-config-file',
        `apiVersion: v1\nkind: Config\nclusters: [{ name: a, cluster: { server: "${server}" } }]\ncontexts: [{ name: a, context: { cluster: a } }]\ncurrent-context: a\n`,
        36,
      ).odd.join();
    assert.equal(asks('http://localhost/a'), '');
    for (const open of ['xhttp://127.0.0.1', 'ftp://a/http://127.0.0.1'])
      assert.equal(asks(open), 'its server is asked without TLS', open);
  });
});
