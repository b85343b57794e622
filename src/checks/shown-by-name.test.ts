import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from './judged.testing.js';
import { at, crt, key, pod } from './node-seen.testing.js';
import { pairsByName, shownByName } from './shown-by-name.js';

describe('pairs by name', () => {
  it('are those of every flag', () => {
    const { file } = pod('kube-apiserver', {});
    const held = file?.held;
    if (held?.kind !== 'manifest') throw new Error('no manifest');
    const command = [
      'kube-apiserver',
      '--tls-sni-cert-key=/a.crt,/a.key:a.example,*.b.example',
      '--tls_sni_cert_key=/b.crt,/b.key;/c.crt,/c.key',
      '--tls-sni-cert-key=/d.crt',
      '--tls-cert-file=/e.crt',
      5,
    ];
    const told = pairsByName({ ...held, pod: { spec: { containers: [{ command }] } } });
    assert.deepEqual(
      told.map(({ holder, key: own }) => `${holder} ${own}`),
      ['/a.crt /a.key', '/b.crt /b.key', '/c.crt /c.key'],
    );
    assert.deepEqual(pairsByName({ kind: 'other' }), []);
  });
  const told = (...[holder, own]: readonly [Parameters<typeof crt>, string]) =>
    resultsOf(shownByName, [{ holder: crt(...holder), key: key(own) }], { authorities: ['etcd'] });
  it('are of servers, of no authority that clients do not know, with their keys', () => {
    assert.deepEqual(told([{}, ['ca']], 'sha256:1'), ['met', 'met']);
    assert.deepEqual(told([{ extendedKeyUsage: ['serverAuth'] }, []], 'sha256:1'), ['met', 'met']);
    assert.deepEqual(told([{ extendedKeyUsage: ['clientAuth'] }, []], 'sha256:1'), ['unmet', 'met']);
    assert.deepEqual(told([{}, ['etcd']], 'sha256:1'), ['unmet', 'met']);
    assert.deepEqual(told([{}, []], 'sha256:2'), ['met', 'unmet']);
  });
  it('are not asked of where they do not lie there', () => {
    const none = at('/x', null);
    assert.deepEqual(resultsOf(shownByName, [{ holder: none, key: none }], { authorities: [] }), []);
    assert.deepEqual(resultsOf(shownByName, [{ holder: crt(), key: none }], { authorities: [] }), ['met']);
  });
});
