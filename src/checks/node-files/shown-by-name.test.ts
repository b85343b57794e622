import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentenceOf } from '../../model/finding.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import { at, crt, key, pod } from './node-seen.testing.js';
import { believedByName, pairsByName, shownByName } from './shown-by-name.js';

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
      // what only looks like it
      '/f.crt,/f.key',
      '--other=--tls-sni-cert-key=/f.crt,/f.key',
      '/x--tls-sni-cert-key=/f.crt,/f.key',
      '--tls-sni-cert-key=f.crt,/f.key',
      '--tls-sni-cert-key=/f.crt,f.key',
      5,
    ];
    const args = ['--tls-sni-cert-key=/g.crt,/g.key:a:b'];
    const told = pairsByName({ ...held, pod: { spec: { containers: [{ command, args }, { args: 'no list' }, {}] } } });
    assert.deepEqual(
      told.map(({ holder, key: own, names }) => [holder, own, ...names].join(' ')),
      ['/a.crt /a.key a.example *.b.example', '/b.crt /b.key', '/c.crt /c.key', '/g.crt /g.key a:b'],
    );
    assert.deepEqual(pairsByName({ kind: 'other' }), []);
    assert.deepEqual(pairsByName(undefined), []);
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
  it('are for servers among other things as well', () => {
    for (const usages of [['clientAuth', 'serverAuth'], ['clientAuth', 'any'], ['any']])
      assert.deepEqual(told([{ extendedKeyUsage: usages }, []], 'sha256:1'), ['met', 'met'], usages.join());
    assert.deepEqual(told([{ extendedKeyUsage: [] }, []], 'sha256:1'), ['unmet', 'met']);
    assert.deepEqual(told([{ extendedKeyUsage: ['serverAuth'] }, ['ca', 'etcd']], 'sha256:1'), ['unmet', 'met']);
  });
  it('are told with what they are', () => {
    const said = (...[holder, own]: readonly [Parameters<typeof crt>, string]) =>
      judged(shownByName, [{ holder: crt(...holder), key: key(own) }], { authorities: ['etcd'] }).map(sentenceOf);
    const [cert, pair] = ['/etc/kubernetes/pki/a.crt', '/etc/kubernetes/pki/a.key'];
    assert.deepEqual(said([{}, ['ca']], 'sha256:1'), [
      `${cert}: it is a server's; seen: it is`,
      `${pair}: it is the private key of ${cert}; seen: it is`,
    ]);
    assert.deepEqual(said([{ extendedKeyUsage: ['clientAuth', 'codeSigning'] }, []], 'sha256:2'), [
      `${cert}: it is a server's; seen: clientAuth, codeSigning`,
      `${pair}: it is the private key of ${cert}; seen: it is another one`,
    ]);
    assert.deepEqual(said([{}, ['etcd']], 'sha256:1').slice(0, 1), [
      `${cert}: it is a server's; seen: it is of an authority that its clients do not know`,
    ]);
  });
});

describe('names within the cluster', () => {
  const shown = (dns: readonly string[], signedBy: readonly string[], names: readonly string[] = [], own = ['ca']) =>
    resultsOf(
      believedByName,
      [{ holder: crt({ altNames: { dns, email: [], ip: [], uri: [], other: 0 } }, signedBy), key: key('k'), names }],
      { own },
    );
  it('are shown for by what the authority of the cluster has signed', () => {
    assert.deepEqual(shown(['kubernetes'], ['ca']), ['met']);
    assert.deepEqual(shown(['kubernetes'], ['another']), ['unmet']);
    assert.deepEqual(shown(['Kubernetes.Default'], []), ['unmet']);
    assert.deepEqual(shown(['*.default.svc'], []), ['unmet']);
    assert.deepEqual(shown(['*.svc'], []), ['unmet']);
  });
  it('count where they are told beside the pair, and else those of the certificate', () => {
    assert.deepEqual(shown(['a.example'], [], ['kubernetes.default.svc']), ['unmet']);
    assert.deepEqual(shown(['kubernetes'], [], ['a.example']), []);
    assert.deepEqual(shown(['a.example', '*.example.com'], []), []);
  });
  it('are not asked of where nobody knows who signs', () => {
    assert.deepEqual(shown(['kubernetes'], [], [], []), []);
    const none = { holder: at('/x', null), key: key('k'), names: ['kubernetes'] };
    assert.deepEqual(resultsOf(believedByName, [none], { own: ['ca'] }), []);
    const alone = crt({ altNames: { dns: ['kubernetes'], email: [], ip: [], uri: [], other: 0 } }, []);
    if (alone.file?.held.kind !== 'certificates') assert.fail();
    const held = {
      ...alone.file.held,
      certificates: [...alone.file.held.certificates, ...alone.file.held.certificates],
    };
    const chain = { holder: { ...alone, file: { ...alone.file, held } }, key: key('k'), names: [] };
    assert.deepEqual(resultsOf(believedByName, [chain], { own: ['ca'] }), []);
    assert.deepEqual(resultsOf(believedByName, [{ ...chain, holder: alone }], { own: ['ca'] }), ['unmet']);
  });
});
