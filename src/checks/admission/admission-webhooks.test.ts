import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { type Finding, sentenceOf } from '../../model/finding.js';
import { createCertificate } from '../../pki/certificate.js';
import { generateKey } from '../../pki/keys.js';
import {
  isNeeded,
  joiningUntouched,
  lackOf,
  type ReachedWebhook,
  readWebhooks,
  requestsUnchanged,
  tokensKeptInside,
  type Webhook,
  webhooksThere,
} from './admission-webhooks.js';
import { JOINING, requestText } from './joining-requests.js';

const REQUESTS = { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'] };
const NOW = Date.parse('2026-06-01T00:00:00Z');
const CONFIG = { service: { namespace: 'n', name: 's' } };
const EVENTS = { apiGroups: [''], resources: ['events'] };
const SECRETS = { apiGroups: [''], resources: ['secrets'] };
const KUBE_SYSTEM = { 'kubernetes.io/metadata.name': 'kube-system', team: 'ops' };

function read(rule: object, fields: object = {}): Webhook {
  const configuration: KubeObject = {
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'a' },
    webhooks: [
      {
        name: 'b.example.com',
        clientConfig: { service: { namespace: 'n', name: 's' } },
        rules: [{ apiVersions: ['v1'], operations: ['CREATE'], ...rule }],
        ...fields,
      },
    ],
  };
  const [webhook] = readWebhooks([configuration], { labels: { 'kube-system': KUBE_SYSTEM }, now: NOW });
  assert.ok(webhook !== undefined);
  return webhook;
}

describe('what a webhook is asked of joining machines', () => {
  const asked = (rule: object, fields: object = {}): readonly string[] => read(rule, fields).asked;

  it('follows its rules', () => {
    assert.deepEqual(asked(REQUESTS), ['create certificatesigningrequests']);
    assert.deepEqual(asked({ ...REQUESTS, operations: ['UPDATE'] }), []);
    assert.deepEqual(asked({ ...REQUESTS, apiVersions: ['v1beta1'] }), []);
    assert.deepEqual(asked({ ...REQUESTS, apiVersions: ['*'] }), ['create certificatesigningrequests']);
    assert.deepEqual(asked({ ...REQUESTS, apiGroups: [''] }), []);
    assert.deepEqual(asked({ ...REQUESTS, scope: 'Namespaced' }), []);
    assert.deepEqual(asked({ ...REQUESTS, scope: 'Cluster' }), ['create certificatesigningrequests']);
    assert.deepEqual(asked({ ...REQUESTS, scope: '*' }), ['create certificatesigningrequests']);
    assert.deepEqual(asked({ apiGroups: ['*'], resources: ['*'] }), [
      'create certificatesigningrequests',
      'create subjectaccessreviews',
      'create nodes',
      'create leases',
      'create csinodes',
      'create pods',
      'create secrets',
    ]);
    const changes = { apiGroups: ['*'], operations: ['*'] };
    assert.deepEqual(asked({ ...changes, resources: ['*/*'] }), [...new Set(JOINING.map(requestText))]);
    assert.deepEqual(asked({ ...changes, resources: ['*/status'] }), [
      'update certificatesigningrequests/status',
      'update nodes/status',
    ]);
    assert.deepEqual(asked({ ...changes, resources: ['certificatesigningrequests/*'] }), [
      'create certificatesigningrequests',
      'update certificatesigningrequests/approval',
      'update certificatesigningrequests/status',
    ]);
    assert.deepEqual(asked({ ...changes, resources: ['nodes'] }), ['create nodes', 'update nodes']);
    assert.deepEqual(asked({ ...changes, resources: ['services', 'nodes/proxy'] }), []);
  });

  it('follows the labels that it picks, of which such objects bear none', () => {
    const picked = (objectSelector: object): boolean => asked(REQUESTS, { objectSelector }).length > 0;
    assert.equal(picked({}), true);
    assert.equal(picked({ matchLabels: { a: 'b' } }), false);
    assert.equal(picked({ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }), true);
    assert.equal(picked({ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b'] }] }), true);
    assert.equal(picked({ matchExpressions: [{ key: 'a', operator: 'Exists' }] }), false);
    assert.equal(picked({ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }), false);
    assert.equal(picked({ matchExpressions: [{ key: 'a', operator: 'Odd' }] }), false);
    const ofNodes = (objectSelector: object): boolean =>
      asked({ apiGroups: [''], resources: ['nodes'] }, { objectSelector }).length > 0;
    assert.equal(ofNodes({}), true);
    assert.equal(ofNodes({ matchLabels: { 'kubernetes.io/os': 'linux' } }), true);
    assert.equal(ofNodes({ matchLabels: { 'kubernetes.io/os': 'windows' } }), false);
    assert.equal(ofNodes({ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'DoesNotExist' }] }), false);
    assert.equal(ofNodes({ matchExpressions: [{ key: 'pool', operator: 'DoesNotExist' }] }), false);
  });

  it('follows its conditions as far as they can be worked out', () => {
    const held = (expression: string, rule: object = REQUESTS): readonly string[] =>
      asked(rule, { matchConditions: [{ name: 'a', expression }] });
    assert.deepEqual(held('true'), ['create certificatesigningrequests']);
    assert.deepEqual(held('!("system:nodes" in request.userInfo.groups)'), ['create certificatesigningrequests']);
    assert.deepEqual(held('request.userInfo.username.startsWith("system:node:")'), []);
    assert.deepEqual(held('params.x == 1'), []);
    const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
    assert.deepEqual(held('request.namespace == "kube-node-lease"', leases), ['create leases']);
    assert.deepEqual(asked(leases, { namespaceSelector: { matchLabels: { a: 'b' } } }), []);
  });
});

describe('a webhook that has to answer', () => {
  const judged = (webhook: Webhook, lacks: ReachedWebhook['lacks']): readonly string[] =>
    webhooksThere.judge([{ ...webhook, lacks }], undefined).map(({ result, seen }) => `${result}: ${seen}`);

  it('has its Service', () => {
    assert.deepEqual(judged(read(REQUESTS), ''), ['met: Service n/s is there']);
    assert.deepEqual(judged(read(REQUESTS), 'service'), ['unmet: there is no Service n/s']);
    assert.deepEqual(judged(read(REQUESTS), 'port'), ['unmet: Service n/s has no port 443']);
    assert.deepEqual(judged(read(REQUESTS), 'endpoints'), ['unmet: behind Service n/s nobody is ready']);
  });

  it('is judged beside every other one', () => {
    const all = (['', 'service', 'endpoints'] as const).map((lacks) => ({ ...read(REQUESTS), lacks }));
    assert.deepEqual(
      webhooksThere.judge(all, undefined).map(({ result }) => result),
      ['met', 'unmet', 'unmet'],
    );
  });

  it('has a Service with its port, and somebody behind it', () => {
    const service = (spec: object): KubeObject => ({ metadata: { name: 's' }, spec });
    const found = service({ ports: [{ port: 443 }], selector: { a: 'b' } });
    const slice = (ready?: boolean): KubeObject => ({
      metadata: {},
      endpoints: [{ addresses: ['10.0.0.1'], conditions: ready === undefined ? {} : { ready } }],
    });
    assert.equal(lackOf(undefined, 443, []), 'service');
    const ports = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }, { port: 443 }] } };
    assert.equal(lackOf(ports, 443, []), '');
    assert.equal(lackOf(ports, 8443, []), 'port');
    assert.equal(lackOf(found, 443, []), 'endpoints');
    assert.equal(lackOf(found, 443, [slice(false)]), 'endpoints');
    assert.equal(lackOf(found, 443, [slice(false), slice(true)]), '');
    assert.equal(lackOf(found, 443, [slice()]), '');
    assert.equal(lackOf(found, 8443, [slice()]), 'port');
    assert.equal(lackOf(service({ ports: [{ port: 443 }] }), 443, []), '');
    assert.equal(lackOf(service({ type: 'ExternalName', externalName: 'a.example.com' }), 443, []), '');
  });

  it('is one that fails and is reached by a Service', () => {
    assert.equal(isNeeded(read(REQUESTS)), true);
    assert.equal(isNeeded(read(REQUESTS, { failurePolicy: 'Fail' })), true);
    assert.equal(isNeeded(read(REQUESTS, { failurePolicy: 'Ignore' })), false);
    assert.equal(isNeeded(read(EVENTS)), false);
    assert.equal(isNeeded(read(REQUESTS, { clientConfig: { url: 'https://a.example.com' } })), false);
    assert.deepEqual(judged(read(EVENTS), 'service'), []);
    assert.equal(isNeeded(read(SECRETS)), true);
    assert.equal(isNeeded(read({ apiGroups: [''], resources: ['configmaps', 'pods'], operations: ['UPDATE'] })), true);
  });

  it('may be reached by the name of its Service', () => {
    const by = (host: string): Webhook['service'] =>
      read(REQUESTS, { clientConfig: { url: `https://${host}/x` } }).service;
    assert.deepEqual(by('s.n.svc'), { namespace: 'n', name: 's', port: 443 });
    assert.deepEqual(by('s.n.svc.cluster.local:8443'), { namespace: 'n', name: 's', port: 8443 });
    for (const host of ['svc.example.com', 's.n.svc.example.com', 's.svc', '10.0.0.1', 'a.s.n.svc'])
      assert.equal(by(host), null, host);
  });

  it('is believed by a certificate that is valid', () => {
    const key = generateKey('ECDSA-P256');
    const pem = (years: number): string =>
      createCertificate({
        subject: { commonName: 'a' },
        publicKey: key,
        signingKey: key,
        notBefore: NOW - 31_536_000_000,
        notAfter: NOW + years * 31_536_000_000,
      }).pem;
    const bundled = (text: string): readonly string[] =>
      judged(
        read(REQUESTS, {
          clientConfig: { url: 'https://192.0.2.1/', caBundle: Buffer.from(text).toString('base64') },
        }),
        '',
      );
    const unmet = ['unmet: its caBundle holds no certificate that is valid'];
    assert.deepEqual(bundled('foo'), unmet);
    assert.deepEqual(bundled(pem(-0.5)), unmet);
    assert.deepEqual(bundled(pem(-0.5) + pem(1)), []);
    assert.deepEqual(bundled(''), []);
  });
});

describe('a webhook beyond the cluster', () => {
  const judged = (url: string, fields: object = {}, rule: object = SECRETS): string =>
    tokensKeptInside.judge([read(rule, { clientConfig: { url }, ...fields })], undefined)[0]?.result ?? '';
  const AWAY = 'https://a.example.com:8443/x';

  it('is sent no Secret of kube-system', () => {
    assert.equal(judged(AWAY), 'unmet');
    assert.equal(judged('https://192.0.2.9/'), 'unmet');
    assert.equal(judged('https://hooks.svc.example.com/'), 'unmet');
    assert.equal(judged('https://[2001:db8::1]/'), 'unmet');
    assert.equal(judged(AWAY, {}, { ...SECRETS, operations: ['UPDATE'] }), 'unmet');
    assert.equal(judged(AWAY, {}, { ...SECRETS, operations: ['DELETE'] }), 'met');
    assert.equal(judged(AWAY, {}, { ...SECRETS, scope: 'Cluster' }), 'met');
    assert.equal(judged(AWAY, {}, REQUESTS), 'met');
    assert.equal(tokensKeptInside.judge([read(SECRETS)], undefined)[0]?.result, 'met');
  });

  it('may be one of the machine or of the cluster', () => {
    for (const host of [
      'localhost:1',
      'localhost.:1',
      '127.0.0.1',
      '10.0.0.9',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.7.7',
      '169.254.1.1',
      '100.64.0.1',
      '100.127.0.1',
      '[fe80::1]',
      '[febf::1]',
      '[::1]:9',
      '[fd00::1]',
      '[::ffff:127.0.0.1]',
      'a.b.svc',
      'a.b.svc.cluster.local',
      'resource-manager',
    ])
      assert.equal(judged(`https://${host}/`), 'met', host);
    for (const host of [
      'x.svcs.example.com',
      'localhost.example.com',
      '11.0.0.9',
      '172.15.0.1',
      '172.32.0.1',
      '192.169.0.1',
      '169.253.0.1',
      '100.63.0.1',
      '100.128.0.1',
      '[fec0::1]',
      '[2001:db8::1]',
      '[::ffff:8.8.8.8]',
    ])
      assert.equal(judged(`https://${host}/`), 'unmet', host);
    assert.equal(judged('no url'), 'met');
  });

  it('may be kept from that namespace', () => {
    const kept = (namespaceSelector: object): string => judged(AWAY, { namespaceSelector });
    const name = 'kubernetes.io/metadata.name';
    assert.equal(kept({ matchLabels: { team: 'ops' } }), 'unmet');
    assert.equal(kept({ matchLabels: { team: 'dev' } }), 'met');
    assert.equal(kept({ matchExpressions: [{ key: name, operator: 'NotIn', values: ['kube-system'] }] }), 'met');
    assert.equal(kept({ matchExpressions: [{ key: name, operator: 'In', values: ['kube-system'] }] }), 'unmet');
    assert.equal(kept({ matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] }), 'met');
    assert.equal(kept({ matchExpressions: [{ key: 'team', operator: 'Exists' }] }), 'unmet');
  });
});

describe('a webhook that changes', () => {
  const told = (
    rule: object,
    kind = 'MutatingWebhookConfiguration',
    clientConfig: object = CONFIG,
  ): readonly string[] => {
    const webhooks = [{ name: 'b', clientConfig, rules: [{ apiVersions: ['v1'], operations: ['*'], ...rule }] }];
    const read = readWebhooks([{ kind, metadata: { name: 'a' }, webhooks }], { labels: {}, now: NOW });
    return requestsUnchanged.judge(read, undefined).map(({ result, seen }) => `${result}: ${seen}`);
  };
  const NONE = ['met: none names them'];

  it('changes no certificate requests', () => {
    for (const resource of [
      'certificatesigningrequests',
      'certificatesigningrequests/approval',
      'certificatesigningrequests/*',
      '*',
      '*/*',
      '*/approval',
    ])
      assert.deepEqual(told({ ...REQUESTS, resources: [resource] }), ['unmet: each is changed as Service n/s says']);
    assert.deepEqual(told(REQUESTS, 'MutatingWebhookConfiguration', { url: 'https://a.example.com/x' }), [
      'unmet: each is changed as a.example.com says',
    ]);
    assert.deepEqual(told(REQUESTS, 'ValidatingWebhookConfiguration'), NONE);
    assert.deepEqual(told({ ...REQUESTS, apiGroups: ['*'] }), ['unmet: each is changed as Service n/s says']);
    for (const rule of [
      { apiGroups: ['*'], resources: ['*/*'] },
      { apiGroups: ['', '*'], resources: ['*/approval'] },
      { ...REQUESTS, resources: ['*/other'] },
      { ...REQUESTS, operations: ['DELETE', 'CONNECT'] },
      EVENTS,
    ])
      assert.deepEqual(told(rule), NONE);
  });
});

describe('a webhook of a team', () => {
  const LABELS = Object.fromEntries(
    ['kube-system', 'kube-public'].map((name) => [name, { 'kubernetes.io/metadata.name': name }]),
  );
  const told = (rule: object, more: object = {}, kind = 'MutatingWebhookConfiguration'): readonly string[] => {
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], ...rule }];
    const clientConfig = { service: { namespace: 'team', name: 'a' } };
    const webhooks = [{ name: 'b', clientConfig, rules, ...more }];
    const read = readWebhooks([{ kind, metadata: { name: 'a' }, webhooks }], { labels: LABELS, now: NOW });
    return joiningUntouched.judge(read, undefined).map(({ result, seen }) => `${result}: ${seen}`);
  };
  const NONE = ['met: none is'];
  const asked = (what: string): readonly string[] => [`unmet: Service team/a is asked of: ${what}`];

  it('is not asked of Nodes, rights and tokens', () => {
    assert.deepEqual(told({ resources: ['nodes'] }), asked('create nodes, update nodes'));
    assert.deepEqual(told({ resources: ['nodes/status'] }), asked('update nodes/status'));
    assert.deepEqual(told({ resources: ['nodes/*'] }), asked('create nodes, update nodes, update nodes/status'));
    assert.deepEqual(told({ resources: ['secrets'] }), asked('create secrets, update secrets'));
    assert.deepEqual(told({ resources: ['configmaps'] }), asked('update configmaps'));
    const bindings = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterrolebindings'] };
    assert.deepEqual(told(bindings), asked('create clusterrolebindings, update clusterrolebindings'));
    const reviews = { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'] };
    assert.deepEqual(told(reviews), asked('create tokenreviews'));
    const tokens = told({ resources: ['secrets', 'nodes'] }, {}, 'ValidatingWebhookConfiguration');
    assert.deepEqual(tokens, asked('create secrets, update secrets'));
    const url = { clientConfig: { url: 'https://a.example.com/x' } };
    assert.deepEqual(told({ resources: ['nodes/status'] }, url), [
      'unmet: a.example.com is asked of: update nodes/status',
    ]);
  });

  it('may be asked of what is its own, and what runs the cluster of anything', () => {
    for (const rule of [{ resources: ['pods'] }, { resources: ['*'] }, { apiGroups: ['*'], resources: ['nodes'] }])
      assert.deepEqual(told(rule), NONE);
    const spared = { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['team'] }] };
    for (const more of [
      { namespaceSelector: spared },
      { objectSelector: { matchLabels: { team: 'a' } } },
      { matchConditions: [{ name: 'a', expression: 'true' }] },
      { clientConfig: { service: { namespace: 'istio-system', name: 'a' } } },
      { clientConfig: { url: 'https://a.kyverno.svc/x' } },
      { clientConfig: { url: 'https://127.0.0.1:9443/x' } },
    ])
      assert.deepEqual(told({ resources: ['secrets'] }, more), NONE);
    assert.deepEqual(told({ resources: ['nodes'] }, {}, 'ValidatingWebhookConfiguration'), NONE);
  });
});

describe('what is read of webhooks', () => {
  const LABELS = Object.fromEntries(
    ['kube-system', 'kube-public'].map((name) => [name, { 'kubernetes.io/metadata.name': name }]),
  );
  const readAll = (webhook: object, kind: string | undefined = 'MutatingWebhookConfiguration'): readonly Webhook[] =>
    readWebhooks(
      [{ ...(kind === '' ? {} : { kind }), metadata: kind === '' ? {} : { name: 'a' }, webhooks: [webhook] }],
      {
        labels: LABELS,
        now: NOW,
      },
    );
  const touched = (rule: object, more: object = {}): readonly string[] | undefined =>
    readAll({
      name: 'b',
      clientConfig: CONFIG,
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], ...rule }],
      ...more,
    })[0]?.touches;
  const changes = (...rules: readonly object[]): boolean | undefined =>
    readAll({
      name: 'b',
      clientConfig: CONFIG,
      rules: rules.map((rule) => ({ apiVersions: ['v1'], operations: ['*'], ...rule })),
    })[0]?.changes;

  it('is whose it is, and where it is asked', () => {
    const nothing = { asked: [], fails: true, seesTokens: false, host: '' };
    assert.deepEqual(readAll({}, ''), [{ subject: 'WebhookConfiguration , webhook ', ...nothing, service: null }]);
    const service = { namespace: 'n', name: 's', port: 8443 };
    assert.deepEqual(readAll({ name: 'b', clientConfig: { service } }), [
      { subject: 'MutatingWebhookConfiguration a, webhook b', ...nothing, service },
    ]);
    const at = (url: string): string | undefined => readAll({ clientConfig: { url } })[0]?.host;
    assert.deepEqual(['https://[fd00::1]:1/', 'https://a.example/[x]', 'no URL'].map(at), ['fd00::1', 'a.example', '']);
  });

  it('is what of tokens, reviews and bindings it is asked of, in which namespace', () => {
    const only = (name: string): object => ({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
    });
    for (const name of ['kube-system', 'kube-public'])
      assert.deepEqual(touched({ resources: ['configmaps'] }, only(name)), ['update configmaps'], name);
    assert.equal(touched({ resources: ['configmaps'] }, only('other')), undefined);
    assert.deepEqual(touched({ resources: ['serviceaccounts/token'] }, only('kube-system')), [
      'create serviceaccounts/token',
    ]);
    assert.equal(touched({ resources: ['serviceaccounts/token'] }, only('kube-public')), undefined);
    const reviews = { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'] };
    assert.deepEqual(touched(reviews), ['create subjectaccessreviews']);
    assert.equal(touched({ ...reviews, operations: ['UPDATE'] }), undefined);
    // what is said of all there is says nothing of these
    for (const resources of [['nodes', '*'], ['nodes', '*/scale'], ['*/*']])
      assert.equal(touched({ resources }), undefined);
    assert.deepEqual(touched({ resources: ['pods', 'nodes'], operations: ['CREATE'] }), ['create nodes']);
  });

  it('is whether it names certificate requests, in one of its rules', () => {
    assert.equal(changes(EVENTS, REQUESTS), true);
    assert.equal(
      changes({ apiGroups: ['', 'certificates.k8s.io'], resources: ['pods', 'certificatesigningrequests/status'] }),
      true,
    );
    for (const resource of [
      'xcertificatesigningrequests',
      'certificatesigningrequestsx',
      'certificatesigningrequests/approvals',
      '*/approvals',
    ])
      assert.equal(changes({ ...REQUESTS, resources: [resource] }), undefined, resource);
  });

  it('is told by sentences', () => {
    const told = (findings: readonly Finding[]): readonly string[] => findings.map(sentenceOf);
    const [none, changed, touched_] = [
      "is sent no Secret of kube-system over a network beyond the cluster's own",
      'changes no certificate request, and no approval',
      'is asked of no Node, token or right by a Service of a team',
    ];
    assert.deepEqual(told(tokensKeptInside.judge([], undefined)), [
      `admission webhooks: ${none}; seen: none is sent any`,
    ]);
    assert.deepEqual(told(requestsUnchanged.judge([], undefined)), [
      `admission webhooks: ${changed}; seen: none names them`,
    ]);
    assert.deepEqual(told(joiningUntouched.judge([], undefined)), [`admission webhooks: ${touched_}; seen: none is`]);
    const away = read(SECRETS, { clientConfig: { url: 'https://a.example.com' } });
    assert.deepEqual(told(tokensKeptInside.judge([away], undefined)), [
      `${away.subject}: ${none}; seen: each bootstrap token that is written goes to a.example.com`,
    ]);
    const there = webhooksThere.judge(
      [{ ...read({ apiGroups: [''], resources: ['nodes', 'secrets'] }), lacks: 'port' }],
      undefined,
    );
    assert.deepEqual(told(there), [
      `${away.subject}: has the Service that it names, since without an answer to "create nodes", "create secrets" none is done; seen: Service n/s has no port 443`,
    ]);
  });

  it('lacks nobody where one of several is ready', () => {
    const service: KubeObject = { metadata: { name: 's' }, spec: { ports: [{ port: 443 }], selector: { a: 'b' } } };
    const endpoints = [{ conditions: { ready: false } }, { conditions: { ready: true } }];
    assert.equal(lackOf(service, 443, [{ metadata: {}, endpoints }]), '');
    assert.equal(lackOf(service, 443, [{ metadata: {}, endpoints: [] }]), 'endpoints');
  });
});
