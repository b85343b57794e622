import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { kubeadmDescription, versionOfKubeadm } from './kubeadm-ground.js';

const never = new AbortController().signal;

describe('the version of a kubeadm', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'joinproof-kubeadm-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  const program = (name: string, text: string): string => {
    const file = path.join(home, name);
    writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return file;
  };

  it('is what it says', async () => {
    const file = program('kubeadm', 'echo v1.36.2');
    assert.deepEqual(await versionOfKubeadm(file, never), { text: 'v1.36.2', minor: 36 });
  });

  for (const [name, text, why] of [
    ['help', 'echo Usage: help', /answers "kubeadm version -o short" with no version/],
    ['yes', 'exit 0', /with no version/],
    ['crash', 'kill -SEGV $$', /cannot be run/],
    ['other', 'echo v2.0.0', /with no version/],
  ] as const)
    it(`is none of a program that is none: ${name}`, () =>
      assert.rejects(versionOfKubeadm(program(name, text), never), why));
});

describe('a program that is asked for its version', () => {
  it('leaves nothing that it has started', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'joinproof-kubeadm-'));
    const [file, left] = [path.join(home, 'kubeadm'), path.join(home, 'left')];
    writeFileSync(file, `#!/bin/sh\n(sleep 0.4; echo left > ${left}) >/dev/null 2>&1 &\necho v1.36.2\n`, {
      mode: 0o755,
    });
    assert.equal((await versionOfKubeadm(file, never)).minor, 36);
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal(existsSync(left), false);
    rmSync(home, { recursive: true, force: true });
  });
});

describe('a program that never says its version', () => {
  it('is ended with the run', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'joinproof-kubeadm-'));
    const file = path.join(home, 'kubeadm');
    writeFileSync(file, '#!/bin/sh\nsleep 30\n', { mode: 0o755 });
    const over = new AbortController();
    setTimeout(() => over.abort(new Error('interrupted')), 200);
    const begun = performance.now();
    await assert.rejects(versionOfKubeadm(file, over.signal), /interrupted/);
    // long before the program would have ended by itself
    assert.ok(performance.now() - begun < 20_000);
    rmSync(home, { recursive: true, force: true });
  });
});

describe('what is said of kubeadm', () => {
  it('is a configuration, flags, and where its files lie', () => {
    const { ways, files, speaks, minor } = kubeadmDescription('kubeadm v1.36.2', 36);
    assert.deepEqual(Object.keys(ways), ['configuration', 'token', 'token-unsafe', 'none']);
    assert.equal(files.kubeconfig, 'etc/kubernetes/kubelet.conf');
    assert.deepEqual([speaks, minor], ['kubeadm', 36]);
  });
});
