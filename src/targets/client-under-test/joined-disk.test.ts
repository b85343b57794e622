import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { joinedDisk, keepDisk } from './joined-disk.js';

/** A machine's root with a key, and a kubelet's pair behind a link. */
function machine(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'joined-disk-'));
  for (const folder of ['etc/kubernetes/pki', 'var/lib/kubelet/pki'])
    mkdirSync(path.join(root, folder), { recursive: true });
  writeFileSync(path.join(root, 'etc/kubernetes/pki/ca.key'), 'a key');
  chmodSync(path.join(root, 'etc/kubernetes/pki/ca.key'), 0o640);
  writeFileSync(path.join(root, 'var/lib/kubelet/pki/dated.pem'), 'a pair');
  symlinkSync('/var/lib/kubelet/pki/dated.pem', path.join(root, 'var/lib/kubelet/pki/current.pem'));
  return root;
}

test('what was kept is read with its modes and behind its links, once the machine is gone', async () => {
  const root = machine();
  const kept = path.join(root, 'kept');
  let joins = 0;
  const disk = joinedDisk(kept, async () => {
    joins += 1;
    keepDisk(root, kept);
    for (const one of ['etc', 'var']) rmSync(path.join(root, one), { recursive: true });
  });
  try {
    const [key] = await disk.read(['/etc/kubernetes/pki/ca.key']);
    assert.deepEqual([key?.mode, key?.text], [0o640, 'a key']);
    const [pair] = await disk.read(['/var/lib/kubelet/pki/current.pem']);
    assert.equal(pair?.text, 'a pair');
    assert.equal(joins, 1);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('nothing is said of the disk of a control plane that did not join', async () => {
  const disk = joinedDisk('/nowhere/at/all', async () => {});
  await assert.rejects(disk.read(['/etc/kubernetes']), /did not join "cp-download-certs"/);
});
