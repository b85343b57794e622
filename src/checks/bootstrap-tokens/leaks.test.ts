import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { KubeObject, Secret } from '../../kubernetes/objects.js';
import { judged } from '../common/judged.testing.js';
import { LeakHunt, type LeakSearch, noLeaks, READ_BY_FEW, READ_BY_OTHERS, READ_BY_SOME } from './leaks.js';
import { base64, GOOD_HALF as HALF, tokenSecret } from './token-secret.testing.js';

const configMap = (value: string): KubeObject => ({
  kind: 'ConfigMap',
  metadata: { name: 'x', namespace: 'default' },
  data: { value },
});
const OTHERS = [configMap('nothing')];
const hunt = (secrets: readonly Secret[], objects: readonly KubeObject[]): LeakSearch => {
  const leaks = new LeakHunt(secrets);
  return leaks.search(objects.filter((object) => leaks.look(object, object.kind ?? '')).length);
};
const search = (objects: readonly KubeObject[], secret: Secret = tokenSecret()): LeakSearch => hunt([secret], objects);
const found = (objects: readonly KubeObject[], secret?: Secret): readonly string[] =>
  search(objects, secret).tokens.flatMap((token) => token.found.map(({ object, path }) => `${object} ${path}`.trim()));

describe('the search for secret halves', () => {
  it('finds one plainly and at every alignment of base64, and says where', () => {
    assert.deepEqual(found([configMap(`join --token c8ad9c.${HALF}`)]), ['ConfigMap default/x data.value']);
    for (const before of ['', 'a', 'ab', 'abc'])
      for (const after of ['', 'y', 'yy', ' and more'])
        assert.equal(
          found([configMap(base64(`${before}c8ad9c.${HALF}${after}`))]).length,
          1,
          `"${before}", "${after}"`,
        );
  });

  it('hunts for halves of eight characters, and not for shorter ones, which stand anywhere', () => {
    const of = (half: string) => found([configMap(`a ${half} b`)], tokenSecret({ 'token-secret': half }));
    assert.deepEqual([of('q7x2k3v9').length, of('q7x2k3v').length], [1, 0]);
  });

  it('says which kinds it could not read, were it a single one', () => {
    const notes = (unread: readonly string[]) =>
      noLeaks.judge(new LeakHunt([tokenSecret()]).search(1, unread), undefined).flatMap(({ note }) => note ?? []);
    assert.deepEqual(notes([]), []);
    assert.deepEqual(notes(['pods']), ['not searched, since they cannot be read: pods']);
  });

  it('finds one in names of fields, lists and annotations', () => {
    const odd: KubeObject = {
      kind: 'Node',
      metadata: { name: 'n', annotations: { 'example.com/join': HALF } },
      spec: { args: ['a', HALF] },
      status: { [HALF]: 'x' },
    };
    assert.deepEqual(found([odd]), [
      'Node n metadata.annotations["example.com/join"]',
      'Node n spec.args[1]',
      'Node n status',
    ]);
  });

  it('finds one inside a certificate request, two wrappings deep', () => {
    const der = `\u00300\u0006${HALF}\u0000\u00ff`;
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${base64(der, 'latin1')}\n-----END CERTIFICATE REQUEST-----\n`;
    const request = { kind: 'CertificateSigningRequest', metadata: { name: 'csr-1' }, spec: { request: base64(pem) } };
    assert.deepEqual(found([request]), [
      'CertificateSigningRequest csr-1',
      'CertificateSigningRequest csr-1 spec.request',
    ]);
    const wide = base64(`\u001e\u0020${HALF.replace(/./g, '\0$&')}`, 'latin1');
    assert.deepEqual(found([{ ...request, spec: { request: base64(wide) } }]), ['CertificateSigningRequest csr-1']);
  });

  it('takes what documentation prints for a leak with its id or alone, and not on a machine or among others', () => {
    const machine = (machineID: string) => ({
      kind: 'Node',
      metadata: { name: 'n' },
      status: { nodeInfo: { machineID } },
    });
    for (const half of ['0123456789abcdef', '2e4d610cf3e7426e', 'c0izixklcxtnmze7']) {
      const weak = tokenSecret({ 'token-secret': half });
      assert.deepEqual(found([machine(half), configMap(`const DIGITS = "${half}";`)], weak), []);
      for (const told of [`join --token c8ad9c.${half}`, `and --token=c8ad9c.${half} it joins`, half, ` ${half}\n`])
        assert.equal(found([configMap(told)], weak).length, 1, told);
      assert.deepEqual(found([configMap(`join --token c8ad9d.${half}`)], weak), [], 'of another id');
    }
    const letters = tokenSecret({ 'token-secret': 'abcdef0123456789' });
    assert.deepEqual(found([configMap('x ABCDEF0123456789')], letters), [], 'in other letters it is another half');
    assert.equal(found([machine(HALF)]).length, 1);
  });

  it('takes the id, which is public, and other texts for no leak', () => {
    assert.deepEqual(found([configMap('jws-kubeconfig-c8ad9c')]), []);
    assert.deepEqual(found([{ kind: 'Node', metadata: { name: 'n' }, spec: {} }]), []);
  });

  it('takes the annotation of kubectl apply on the Secret for the Secret itself, any other one for a leak', () => {
    const annotated = (key: string): Secret =>
      tokenSecret({}, { annotations: { [key]: JSON.stringify({ stringData: { 'token-secret': HALF } }) } });
    assert.deepEqual(found(OTHERS, annotated('kubectl.kubernetes.io/last-applied-configuration')), []);
    assert.deepEqual(found(OTHERS, annotated('example.com/note')), [
      'Secret kube-system/bootstrap-token-c8ad9c metadata.annotations["example.com/note"]',
    ]);
  });

  it('finds one that the description of its own token repeats, or its groups, plainly or in base64', () => {
    const subject = 'Secret kube-system/bootstrap-token-c8ad9c';
    for (const text of [`join with c8ad9c.${HALF}`, base64(`c8ad9c.${HALF}`)])
      assert.deepEqual(found(OTHERS, tokenSecret({ description: text })), [`${subject} data.description`]);
    assert.deepEqual(found(OTHERS, tokenSecret({ 'auth-extra-groups': `system:bootstrappers:${HALF}` })), [
      `${subject} data.auth-extra-groups`,
    ]);
    assert.deepEqual(found(OTHERS, tokenSecret({ notes: HALF })), [], 'a key that nobody prints');
    assert.deepEqual(found(OTHERS, tokenSecret({ [HALF]: 'x' })), [`${subject} data`], 'the name of a key');
  });

  it('finds one that the Secret of another token tells', () => {
    const other = tokenSecret(
      { 'token-id': 'abc123', 'token-secret': 'k3v8w1m5x9z2q7r4', description: `not ${HALF}` },
      { name: 'bootstrap-token-abc123' },
    );
    const { tokens } = hunt([tokenSecret(), other], OTHERS);
    assert.deepEqual(
      tokens.map(({ found: places }) => places.map(({ object, path }) => `${object} ${path}`)),
      [['Secret kube-system/bootstrap-token-abc123 data.description'], []],
    );
  });

  it('finds one in hexadecimal digits, and one that is folded with its base64', () => {
    assert.equal(found([configMap(Buffer.from(`x${HALF}`).toString('hex'))]).length, 1);
    const script = base64(`#!/bin/sh\nkubeadm join --token c8ad9c.${HALF}\n`);
    for (const width of [20, 40, 60]) {
      const folded = script.replace(new RegExp(`.{${width}}`, 'g'), '$&\n  ');
      assert.equal(found([configMap(folded)]).length, 1, `${width}`);
    }
  });

  it('finds one where a line of base64 ends in the middle of it, however lines end and begin', () => {
    const script = base64(`kubeadm join --token c8ad9c.${HALF}`);
    for (const end of ['\n', '\n  ', '\r\n', '\r\n\t', '\n\n'])
      for (const at of [40, 44, 48, 52]) {
        const folded = `data: !! ${script.slice(0, at)}${end}${script.slice(at)}`;
        assert.equal(found([configMap(folded)]).length, 1, JSON.stringify(folded));
      }
  });

  it('finds one in an archive, and in base64 within base64, and says where once', () => {
    const script = `#cloud-config\nruncmd:\n- kubeadm join 192.0.2.1:6443 --token c8ad9c.${HALF}\n`;
    const archive = gzipSync(script).toString('base64');
    const files = (content: string): string =>
      `write_files:\n- encoding: gz+b64\n  content: ${content}\n  owner: root\n`;
    const place = ['ConfigMap default/x data.value'];
    for (const written of [archive, files(archive), base64(files(archive)), base64(files(base64(script)))])
      assert.deepEqual(found([configMap(written)]), place, written);
    assert.deepEqual(found([configMap(gzipSync('nothing').toString('base64'))]), []);
    assert.deepEqual(found([configMap(archive.slice(0, 40))]), [], 'what cannot be unpacked');
  });

  it('says what it could not read', () => {
    const leaks = new LeakHunt([tokenSecret()]);
    const findings = judged(noLeaks, leaks.search(1, ['leases', 'pods']), undefined);
    assert.match(findings[1]?.note ?? '', /cannot be read: leases, pods/);
  });
});

describe('what is searched', () => {
  it('is all that others may read, and no Secret', () => {
    assert.deepEqual(
      [...READ_BY_OTHERS, ...READ_BY_SOME].map(({ resource }) => resource),
      [
        ...['configmaps', 'certificatesigningrequests', 'events', 'nodes', 'pods', 'namespaces', 'serviceaccounts'],
        ...[
          'services',
          'deployments',
          'daemonsets',
          'statefulsets',
          'replicasets',
          'controllerrevisions',
          'cronjobs',
          'jobs',
          'leases',
          'roles',
          'rolebindings',
          'clusterroles',
        ],
        'clusterrolebindings',
        ...['endpoints', 'endpointslices', 'ingresses', 'ingressclasses', 'networkpolicies', 'poddisruptionbudgets'],
        ...['podtemplates', 'replicationcontrollers', 'persistentvolumes', 'persistentvolumeclaims', 'storageclasses'],
        ...['priorityclasses', 'customresourcedefinitions', 'apiservices', 'mutatingwebhookconfigurations'],
        ...['validatingwebhookconfigurations', 'validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
        ...[
          'mutatingadmissionpolicies',
          'mutatingadmissionpolicybindings',
          'flowschemas',
          'prioritylevelconfigurations',
        ],
      ],
    );
    assert.deepEqual(
      READ_BY_FEW.map(({ resource }) => resource),
      [
        ...['resourcequotas', 'limitranges', 'horizontalpodautoscalers', 'runtimeclasses'],
        ...['csidrivers', 'csinodes', 'volumeattachments'],
      ],
    );
  });
});

describe('leaks/none', () => {
  const said = (observation: Parameters<typeof noLeaks.judge>[0]): readonly string[] =>
    judged(noLeaks, observation, undefined).map(({ role, result, refusal }) =>
      [role, result, ...(refusal === true ? ['refusal'] : [])].join(' '),
    );

  it('is met, not met, and proves nothing where nothing could be searched', () => {
    assert.deepEqual(said(search(OTHERS)), ['control met', 'demand met refusal']);
    assert.deepEqual(said(search([configMap(HALF)])), ['control met', 'demand unmet refusal']);
    assert.deepEqual(said(search([])), ['control unmet', 'demand met refusal']);
    assert.deepEqual(said(hunt([], OTHERS)), []);
    assert.ok(noLeaks.nothing);
  });

  it('tells every token and every place, and no half', () => {
    const other = tokenSecret({ 'token-secret': 'k3v8w1m5x9z2q7r4' }, { name: 'bootstrap-token-abc123' });
    const objects = [configMap(`${HALF} k3v8w1m5x9z2q7r4`), { ...configMap(HALF), kind: 'Event' }];
    const observation = hunt([tokenSecret(), other, tokenSecret({ 'token-secret': 'short' })], objects);
    const findings = judged(noLeaks, observation, undefined);
    assert.equal(findings.filter(({ result }) => result === 'unmet').length, 2);
    assert.match(findings[1]?.seen ?? '', /ConfigMap default\/x \(data\.value\), Event default\/x \(data\.value\)/);
    assert.ok(!JSON.stringify([observation, findings]).includes(HALF));
  });
});

describe('the search in many objects for many tokens', () => {
  const halfOf = (index: number): string => String(index).padStart(16, 'a');

  it('looks at each object once, however many tokens there are and however alike', () => {
    const secrets = Array.from({ length: 5_000 }, (_, index) =>
      tokenSecret({ 'token-secret': halfOf(index) }, { name: `bootstrap-token-${String(index).padStart(6, '0')}` }),
    );
    const leaks = new LeakHunt(secrets);
    for (let index = 0; index < 200; index += 1) leaks.look(configMap('a'.repeat(20_000)), 'ConfigMap');
    leaks.look(configMap(halfOf(4321)), 'ConfigMap');
    const { tokens } = leaks.search(201);
    assert.deepEqual(
      tokens.flatMap(({ found: places }, index) => (places.length === 0 ? [] : [index])),
      [4321],
    );
  });

  it('tells the first places of a half that stands everywhere, and each of them once', () => {
    const leaks = new LeakHunt([tokenSecret()]);
    for (let index = 0; index < 100; index += 1)
      for (const _twice of [1, 2]) leaks.look({ ...configMap(HALF), metadata: { name: `x${index}` } }, 'ConfigMap');
    assert.equal(leaks.search(100).tokens[0]?.found.length, 20);
  });
});
