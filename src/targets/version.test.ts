import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnreadableVersion } from './errors.js';
import { readVersion, versionIn } from './version.js';

test('versions as distributions write them', () => {
  const cases: readonly [Record<string, unknown>, number, number | undefined][] = [
    [{ gitVersion: 'v1.33.4+k3s1', minor: '33' }, 33, 4],
    [{ gitVersion: 'v1.30.1-gke.100', minor: '30' }, 30, 1],
    [{ gitVersion: 'v1.36.0-alpha.1.12+abcdef', minor: '36+' }, 36, 0],
    [{ gitVersion: 'v1.29.6-eks-db838b0', minor: '29+' }, 29, 6],
    [{ gitVersion: '1.28.2' }, 28, 2],
    [{ gitVersion: 'v1.31', minor: '31' }, 31, undefined],
    [{ gitVersion: '', major: '1', minor: '30+' }, 30, undefined],
    [{ gitVersion: 'release-x', minor: '27' }, 27, undefined],
    [{ major: '', minor: '9' }, 9, undefined],
    [{ gitVersion: 7, minor: '27' }, 27, undefined],
    [{ gitVersion: 'v1.100.12345', major: '2', minor: '7' }, 100, 12_345],
  ];
  for (const [body, minor, patch] of cases) {
    const version = readVersion(body);
    assert.deepEqual([version.minor, version.patch], [minor, patch], JSON.stringify(body));
  }
});

test('what shows no minor is refused with what was seen', () => {
  for (const body of [
    {},
    undefined,
    'v1.30.0',
    { gitVersion: 'v2.1.0' },
    { gitVersion: 'latest' },
    { minor: 'x' },
    { gitVersion: 'v2.30.0', major: '2', minor: '30' },
    { gitVersion: 'v1.30.1.5' },
    { gitVersion: 'v1.30.123456' },
    { gitVersion: 'v1.12345' },
    { gitVersion: 'about v1.30.1' },
    { gitVersion: 'v10.30.1' },
    { minor: 30 },
    { major: 1, minor: '30' },
    { minor: 'x30' },
    { minor: '30x' },
    { minor: '12345' },
    null,
  ]) {
    assert.throws(() => readVersion(body), UnreadableVersion, JSON.stringify(body));
  }
  assert.throws(() => readVersion({ gitVersion: 'latest' }), /"latest"/);
});

test('a version is called as the server calls it, or by its minor', () => {
  assert.equal(readVersion({ gitVersion: 'v1.33.4+k3s1' }).gitVersion, 'v1.33.4+k3s1');
  assert.equal(readVersion({ gitVersion: 'release-x', minor: '27+' }).gitVersion, 'release-x');
  assert.equal(readVersion({ minor: '27+' }).gitVersion, 'v1.27');
});

test('an answer that shows none says what was seen of it, and no more than that', () => {
  const body = { gitVersion: 'v1.36.0' };
  assert.deepEqual(versionIn({ status: 200, body }), { gitVersion: 'v1.36.0', minor: 36, patch: 0 });
  const unreadable = (what: string) => ({
    unreadable: `GET /version shows ${what}, from which no minor release of Kubernetes 1 can be read.`,
  });
  assert.deepEqual(versionIn({ status: 403, body }), unreadable('no gitVersion'));
  assert.deepEqual(versionIn({ status: 200, body: [] }), unreadable('no gitVersion'));
  const long = { gitVersion: 'x'.repeat(81) };
  assert.deepEqual(versionIn({ status: 200, body: long }), unreadable(`gitVersion "${'x'.repeat(80)}"`));
});
