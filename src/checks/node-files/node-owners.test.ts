import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf, saidBy } from '../common/judged.testing.js';
import { closed, kubeconfigsClosed, noSecretsBelow, owned, unwritable } from './node-owners.js';
import { at, conf } from './node-seen.testing.js';

const results = (modes: readonly number[], path: string, isRootless: boolean) =>
  resultsOf(
    closed,
    modes.map((mode) => at(path, { kind: 'other' }, mode)),
    { isRootless },
  );

describe('files of a node', () => {
  it('are read by their owner alone, but for the key of tokens where components are not root', () => {
    const modes = [0o600, 0o640, 0o604, 0o610, 0o660, 0o601];
    const shut = ['met', 'unmet', 'unmet', 'unmet', 'unmet', 'unmet'];
    assert.deepEqual(results(modes, '/p/sa.key', false), shut);
    assert.deepEqual(results(modes, '/p/ca.key', true), shut);
    assert.deepEqual(results(modes, '/p/sa.key.old', true), shut);
    assert.deepEqual(results(modes, '/sa.key/a', true), shut);
    assert.deepEqual(results(modes, '/p/sa.key', true), ['met', 'met', 'unmet', 'unmet', 'unmet', 'unmet']);
    assert.deepEqual(resultsOf(closed, [at('/p/sa.key', { kind: 'other' }, 0o640)], undefined), ['unmet']);
  });

  it('are written by their owner alone, but for folders in which nobody takes what is another’s', () => {
    const told = (kind: 'other' | 'folder', ...modes: readonly number[]) =>
      resultsOf(
        unwritable,
        modes.map((mode) => at('/a', { kind }, mode)),
        undefined,
      );
    assert.deepEqual(told('other', 0o644, 0o664, 0o646, 0o1666, 0o755), ['met', 'unmet', 'unmet', 'unmet', 'met']);
    assert.deepEqual(told('folder', 0o755, 0o775, 0o757, 0o1777, 0o2777), ['met', 'unmet', 'unmet', 'met', 'unmet']);
  });

  it('of which nobody knows who may what are left open', () => {
    const seen = at('/a', { kind: 'other' });
    const unknown = seen.file === null ? seen : { ...seen, file: { ...seen.file, mode: null, owner: null } };
    assert.deepEqual(resultsOf(closed, [unknown], undefined), ['unclear']);
    assert.deepEqual(resultsOf(unwritable, [unknown], undefined), ['unclear']);
    assert.deepEqual(resultsOf(owned, [unknown, at('/b', null), seen], { known: [0] }), ['met']);
  });

  it('below a folder are told, five of them', () => {
    const said = (...paths: readonly string[]) => saidBy(noSecretsBelow, paths, { folder: '/t' });
    assert.deepEqual(said('/t', '/ta', '/a/t/b'), ['met: it is not']);
    assert.deepEqual(said(...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `/t/${name}`)), [
      'unmet: /t/a, /t/b, /t/c, /t/d, /t/e',
    ]);
    assert.deepEqual(said('/x', '/t/a'), ['unmet: /t/a']);
  });
});

it('a kubeconfig of a component is for nobody beside its owner and group', () => {
  const { file } = conf({});
  const told = (mode: number) =>
    resultsOf(
      kubeconfigsClosed,
      [{ path: '/etc/kubernetes/scheduler.conf', file: file === null ? null : { ...file, mode } }],
      undefined,
    );
  for (const mode of [0o600, 0o640]) assert.deepEqual(told(mode), ['met']);
  for (const mode of [0o644, 0o602, 0o601]) assert.deepEqual(told(mode), ['unmet']);
  // what is none is not looked at
  assert.deepEqual(resultsOf(kubeconfigsClosed, [at('/etc/kubernetes', { kind: 'folder' }, 0o755)], undefined), []);
});
