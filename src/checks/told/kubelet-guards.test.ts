import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubeletsKeepUp, readKubeletGuards } from './kubelet-guards.js';

const said = (yaml: string): readonly string[] =>
  kubeletsKeepUp
    .judge(readKubeletGuards('a', { metadata: { name: 'kubelet-config' }, data: { kubelet: yaml } }), undefined)
    .map(({ result, seen }) => `${result}: ${seen}`);

describe('what guards kubelets', () => {
  it('is TLS of today', () => {
    for (const sound of ['', 'tlsMinVersion: VersionTLS12\n', 'tlsMinVersion: VersionTLS13\n'])
      assert.deepEqual(said(`kind: KubeletConfiguration\n${sound}`), ['met: it does']);
    assert.deepEqual(said('tlsMinVersion: VersionTLS10\n'), ['unmet: tlsMinVersion VersionTLS10']);
    assert.deepEqual(said('tlsMinVersion: VersionTLS11\n'), ['unmet: tlsMinVersion VersionTLS11']);
    const [gcm, weak] = ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_RSA_WITH_RC4_128_SHA'];
    assert.deepEqual(said(`tlsCipherSuites: [${gcm}]\n`), ['met: it does']);
    for (const suite of [weak, 'TLS_RSA_WITH_3DES_EDE_CBC_SHA'])
      assert.deepEqual(said(`tlsCipherSuites: [${gcm}, ${suite}]\n`), [`unmet: tlsCipherSuites ${suite}`]);
  });

  it('is asked for again', () => {
    const held = (field: string, ttl: string) => said(`${field}: {webhook: {${ttl}}}\n`)[0];
    assert.equal(held('authorization', 'cacheAuthorizedTTL: 0s'), 'met: it does');
    assert.equal(held('authorization', 'cacheAuthorizedTTL: 1h0m0s'), 'met: it does');
    assert.equal(
      held('authorization', 'cacheAuthorizedTTL: 8760h'),
      'unmet: authorization.webhook.cacheAuthorizedTTL 8760h',
    );
    assert.equal(held('authentication', 'cacheTTL: 61m'), 'unmet: authentication.webhook.cacheTTL 61m');
    assert.equal(held('authorization', 'cacheUnauthorizedTTL: 8760h'), 'met: it does');
  });

  it('is told with all that is weak, as far as anybody reads', () => {
    const both = 'tlsMinVersion: VersionTLS10\nauthentication: {webhook: {cacheTTL: 2h}}\n';
    assert.deepEqual(said(both), ['unmet: tlsMinVersion VersionTLS10; authentication.webhook.cacheTTL 2h']);
    const suites = Array.from({ length: 20 }, () => 'TLS_ECDHE_RSA_WITH_RC4_128_SHA').join(', ');
    assert.equal(said(`tlsCipherSuites: [${suites}]\n`)[0]?.length, 'unmet: '.length + 240);
    const [judged] = kubeletsKeepUp.judge({ subject: 'a', there: true, weak: [] }, undefined);
    const demanded = 'has kubelets speak TLS of today, and ask again within an hour whom they let in';
    assert.equal(judged?.demanded, demanded);
  });

  it('says nothing of what cannot be read', () => {
    assert.deepEqual(said('- a'), []);
    assert.deepEqual(readKubeletGuards('a', undefined), { subject: 'a', there: false, weak: [] });
    assert.deepEqual(kubeletsKeepUp.judge(readKubeletGuards('a', undefined), undefined), []);
  });
});
