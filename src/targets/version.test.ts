import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnreadableVersion } from './errors.js';
import { readVersion } from './version.js';

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
  ]) {
    assert.throws(() => readVersion(body), UnreadableVersion, JSON.stringify(body));
  }
  assert.throws(() => readVersion({ gitVersion: 'latest' }), /"latest"/);
});
