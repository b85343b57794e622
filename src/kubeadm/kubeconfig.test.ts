import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Kubeconfig, writeKubeconfig } from './kubeconfig.js';
import { parseRelease } from './release.js';

const written = (config: Kubeconfig, release = '1.36'): readonly string[] =>
  writeKubeconfig(config, parseRelease(release)).split('\n');
const CLUSTER = { name: 'blue', server: 'https://192.0.2.1:6443' };

describe('a kubeconfig', () => {
  it('says all that it is given, in the order of the keys', () => {
    const config = {
      cluster: { ...CLUSTER, caPem: 'a', caFile: '/ca' },
      user: {
        name: 'me',
        certificatePem: 'b',
        keyPem: 'c',
        certificateFile: '/crt',
        keyFile: '/key',
        token: 't',
        tokenFile: '/t',
      },
      context: { name: 'me@blue', namespace: 'default' },
    };
    assert.deepEqual(written(config), [
      'apiVersion: v1',
      'clusters:',
      '- cluster:',
      '    certificate-authority: /ca',
      '    certificate-authority-data: YQ==',
      '    server: https://192.0.2.1:6443',
      '  name: blue',
      'contexts:',
      '- context:',
      '    cluster: blue',
      '    namespace: default',
      '    user: me',
      '  name: me@blue',
      'current-context: me@blue',
      'kind: Config',
      'users:',
      '- name: me',
      '  user:',
      '    client-certificate: /crt',
      '    client-certificate-data: Yg==',
      '    client-key: /key',
      '    client-key-data: Yw==',
      '    token: t',
      '    tokenFile: /t',
      '',
    ]);
  });

  it('leaves out what is empty, and has no lists of nobody', () => {
    assert.deepEqual(written({ cluster: { name: '', server: CLUSTER.server, caPem: '' } }), [
      'apiVersion: v1',
      'clusters:',
      '- cluster:',
      '    server: https://192.0.2.1:6443',
      '  name: ""',
      'contexts: null',
      'current-context: ""',
      'kind: Config',
      'users: null',
      '',
    ]);
  });

  for (const [release, says] of [
    ['1.33', true],
    ['1.34', false],
  ] as const)
    it(`of ${release} ${says ? 'says' : 'does not say'} that nobody prefers anything`, () => {
      assert.equal(written({ cluster: CLUSTER }, release).includes('preferences: {}'), says);
    });
});
