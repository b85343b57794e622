import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { openNode, openReferenceNode } from './node.js';

const home = mkdtempSync(path.join(tmpdir(), 'joinproof-node-'));
after(() => rmSync(home, { recursive: true }));
const MANIFESTS = 'etc/kubernetes/manifests';

describe('the disk of a node', () => {
  it('shows the version that the image of its API server has', async () => {
    let count = 0;
    const versionOf = async (manifest: string | undefined): Promise<unknown> => {
      count += 1;
      const folder = path.join(home, String(count));
      mkdirSync(path.join(folder, MANIFESTS), { recursive: true });
      if (manifest !== undefined) writeFileSync(path.join(folder, MANIFESTS, 'kube-apiserver.yaml'), manifest);
      const { facts, name, abilities, why } = await openNode(folder);
      assert.equal(facts.server, '');
      assert.equal(facts.holds.size, 0);
      assert.ok(name.includes(folder));
      assert.deepEqual(Object.keys(abilities), ['files']);
      assert.match(String(why('requests')), /nobody answers requests/);
      return facts.version;
    };
    const unreadable = { unreadable: 'the disk shows no version of Kubernetes' };
    const of = (minor: number, gitVersion: string): object => ({ gitVersion, minor });
    const known = async (manifest: string): Promise<object> => {
      const { gitVersion, minor } = (await versionOf(manifest)) as Readonly<Record<string, unknown>>;
      return { gitVersion, minor };
    };
    for (const [image, gitVersion] of [
      ['registry.k8s.io/kube-apiserver:v1.36.1', 'v1.36.1'],
      ['registry.example:5000/k8s/kube-apiserver:v1.33.0', 'v1.33.0'],
      ['a:v1.34.2-rke2r1+build.5', 'v1.34.2-rke2r1+build.5'],
    ] as const) {
      const minor = Number(gitVersion.split('.')[1]);
      assert.deepEqual(await known(`spec:\n  containers:\n  - name: a\n    image: ${image}\n`), of(minor, gitVersion));
      assert.deepEqual(await known(`spec:\n  containers:\n  - image: ${image}\n    name: a\n`), of(minor, gitVersion));
    }
    for (const image of ['a:latest', 'a', 'a@sha256:00', 'a:v1.36.1@sha256:00', 'a:v1.36.1 b', '"a:v1.36.1"', 'a:vx'])
      assert.deepEqual(await versionOf(`    image: ${image}\n`), unreadable, image);
    assert.deepEqual(await versionOf('    otherimage: a:v1.36.1\n'), unreadable);
    assert.deepEqual(await versionOf(undefined), unreadable);
  });

  it('is that of the reference, with what is done to it', async () => {
    const target = await openReferenceNode((disk) => {
      disk.write('/etc/more', 'more', 0o640);
      disk.files.delete('/etc/kubernetes/admin.conf');
      disk.owners.set('/etc/more', 7);
      disk.folders.set('/etc', 0o700);
      disk.members.set('/etc/more', ['a']);
      disk.links.set('/etc/more', '/srv/more');
    });
    assert.deepEqual([...target.facts.holds], ['inProcess']);
    assert.equal('gitVersion' in target.facts.version && target.facts.version.gitVersion, 'v1.36.1');
    const { files } = target.abilities;
    assert.ok(files !== undefined);
    const [more] = await files.read(['/etc/more']);
    assert.deepEqual(more, {
      path: '/etc/more',
      kind: 'file',
      text: 'more',
      mode: 0o640,
      owner: 7,
      members: ['a'],
      at: '/srv/more',
    });
    const [etc] = await files.read(['/etc']);
    assert.deepEqual(etc, { path: '/etc', kind: 'folder', mode: 0o700, owner: 0 });
    assert.deepEqual(await files.read(['/etc/kubernetes/admin.conf', '/none']), []);
    const all = (await files.read(['/etc/kubernetes/pki'])).map(({ path: at }) => at);
    assert.deepEqual(all, [...all].sort());
    const [untouched] =
      (await (await openReferenceNode(() => {})).abilities.files?.read(['/etc/kubernetes/admin.conf'])) ?? [];
    assert.equal(untouched?.mode, 0o600);
  });

  it('keeps credentials that lie open there out of what is told, wherever they stand', async () => {
    const folder = path.join(home, 'credentials');
    mkdirSync(path.join(folder, 'etc/kubernetes'), { recursive: true });
    const users = 'users:\n- user: {token: own1Token2Of3Somebody}\n- user: {token: abcdef.n4kd93jx71mzpw0r}\n';
    writeFileSync(path.join(folder, 'etc/kubernetes/admin.conf'), users);
    const { abilities, redactor } = await openNode(folder);
    await abilities.files?.read(['/etc/kubernetes']);
    assert.equal(redactor.redact('--x=own1Token2Of3Somebody'), '--x=[redacted]');
    assert.equal(redactor.redact('join abcdef.n4kd93jx71mzpw0r'), 'join abcdef.[redacted]');
    assert.equal(redactor.redact('APIAUTH-022 admin.conf'), 'APIAUTH-022 admin.conf');
  });
});
