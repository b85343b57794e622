import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { parseYaml } from '../kubernetes/yaml.js';
import { castAt } from './cast.js';
import { authorityPem, clusterInfo, payload, sign } from './scene.js';

const scene = { cast: castAt(Date.now()), endpoint: '192.0.2.1:6443', release: '1.36.1' };
const CA = Buffer.from(authorityPem(scene, 'ca')).toString('base64');
const decoded = (part = ''): string => Buffer.from(part, 'base64url').toString();

describe('what a liar tells', () => {
  it('is a kubeconfig as kubeadm writes it', () => {
    assert.deepEqual(parseYaml(payload(scene)), {
      apiVersion: 'v1',
      clusters: [{ cluster: { 'certificate-authority-data': CA, server: 'https://192.0.2.1:6443' }, name: '' }],
      contexts: null,
      'current-context': '',
      kind: 'Config',
      users: null,
    });
  });

  it('may differ in its clusters, and around them', () => {
    const clusters = [
      { name: 'a', server: 'https://a', ca: null },
      { name: 'b', ca: 'x', lines: ['proxy-url: http://127.0.0.1:1', 'tls-server-name: c'] },
    ];
    assert.deepEqual(parseYaml(payload(scene, clusters, { contexts: '[d]', current: 'e', users: '[f]' })), {
      apiVersion: 'v1',
      clusters: [
        { cluster: { server: 'https://a' }, name: 'a' },
        {
          cluster: {
            'certificate-authority-data': 'eA==',
            'proxy-url': 'http://127.0.0.1:1',
            'tls-server-name': 'c',
            server: 'https://192.0.2.1:6443',
          },
          name: 'b',
        },
      ],
      contexts: ['d'],
      'current-context': 'e',
      kind: 'Config',
      users: ['f'],
    });
    assert.match(payload(scene, []), /^clusters: null$/m);
  });

  it('is signed by the token, detached from what it signs', () => {
    const [header, body, mac] = sign('a').split('.');
    assert.deepEqual([decoded(header), body], ['{"alg":"HS256","kid":"abcdef"}', '']);
    const own = createHmac('sha256', '0123456789abcdef').update(`${header}.YQ`).digest('base64url');
    assert.equal(mac, own);
    assert.notEqual(sign('a', { secret: 'b' }).split('.')[2], own);
    assert.equal(Buffer.from(sign('a', { hash: 'sha512' }).split('.')[2] ?? '', 'base64url').length, 64);
    assert.equal(decoded(sign('a', { header: '{}' }).split('.')[0]), '{}');
  });

  it('stands in cluster-info beside its signature', () => {
    assert.deepEqual(clusterInfo('a'), { kubeconfig: 'a', 'jws-kubeconfig-abcdef': sign('a') });
    assert.deepEqual(clusterInfo('a', 'b'), { kubeconfig: 'a', 'jws-kubeconfig-abcdef': 'b' });
  });
});
