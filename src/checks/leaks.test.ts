import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject, Secret } from '../kubernetes/objects.js';
import { judged } from './judged.testing.js';
import { noLeaks, searchLeaks } from './leaks.js';
import { base64, GOOD_HALF as HALF, tokenSecret } from './token-secret.testing.js';

const configMap = (value: string): KubeObject => ({
  kind: 'ConfigMap',
  metadata: { name: 'x', namespace: 'default' },
  data: { value },
});
const OTHERS = [configMap('nothing')];
const search = (objects: readonly KubeObject[], secret: Secret = tokenSecret()) => searchLeaks([secret], objects);
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
    assert.deepEqual(found([request]), ['CertificateSigningRequest csr-1']);
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
    assert.deepEqual(said(searchLeaks([], OTHERS)), []);
    assert.ok(noLeaks.nothing);
  });

  it('tells every token and every place, and no half', () => {
    const other = tokenSecret({ 'token-secret': 'k3v8w1m5x9z2q7r4' }, { name: 'bootstrap-token-abc123' });
    const objects = [configMap(`${HALF} k3v8w1m5x9z2q7r4`), { ...configMap(HALF), kind: 'Event' }];
    const observation = searchLeaks([tokenSecret(), other, tokenSecret({ 'token-secret': 'short' })], objects);
    const findings = judged(noLeaks, observation, undefined);
    assert.equal(findings.filter(({ result }) => result === 'unmet').length, 2);
    assert.match(findings[1]?.seen ?? '', /ConfigMap default\/x \(data\.value\), Event default\/x \(data\.value\)/);
    assert.ok(!JSON.stringify([observation, findings]).includes(HALF));
  });
});
