import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigurationError, TargetUnreachable } from '../errors.js';
import { MARK } from '../marked-processes.js';
import { demandNamespaces } from './cell.js';
import { plainGround } from './ground.js';
import { openKubeadm, openProgram, type ProgramTargetOptions } from './program-target.js';

const description = { name: 'a client', timeLimit: 1000, environment: {}, files: {}, ways: {} };
const { signal } = new AbortController();

/** What is opened beside the client, and what of it has been closed. */
function beside() {
  const closed: string[] = [];
  const seen: { folder: string } = { folder: '' };
  let left: ChildProcess | undefined;
  const options = {
    description,
    signal,
    preflight: (folder: string) => {
      seen.folder = folder;
      // a program of a join that nobody has ended
      left = spawn('sleep', ['600'], {
        env: { PATH: process.env.PATH ?? '', [MARK]: `${folder}/1/` },
        stdio: 'ignore',
      });
      return { name: 'looks', close: () => void closed.push('preflight') };
    },
    uploads: () => ({ name: 'uploads', close: async () => void closed.push('uploads') }),
    ground: async (folder: string) => ({ ...plainGround(folder), close: () => void closed.push('ground') }),
  } as unknown as ProgramTargetOptions;
  const ended = (): Promise<unknown> => {
    const child = left;
    assert.ok(child !== undefined);
    if (child.signalCode !== null) return Promise.resolve(child.signalCode);
    return new Promise((resolve) => {
      child.once('exit', (_, name) => resolve(name));
    });
  };
  return { closed, seen, options, ended };
}

describe('a program as a target', () => {
  it('has what is beside it, and leaves nothing: neither folder nor process', async () => {
    const { closed, seen, options, ended } = beside();
    const { abilities, close } = await openProgram(options);
    assert.deepEqual(
      ['preflight', 'uploads'].map((name) => (abilities as Record<string, unknown>)[name] !== undefined),
      [true, true],
    );
    assert.ok(existsSync(seen.folder));
    assert.deepEqual(closed, []);
    await close();
    assert.deepEqual(closed, ['ground', 'preflight', 'uploads']);
    assert.equal(existsSync(seen.folder), false);
    assert.equal(await ended(), 'SIGKILL');
  });

  it('leaves nothing where its ground cannot be made', async () => {
    const { closed, seen, options, ended } = beside();
    const ground = async (): Promise<never> => {
      throw new Error('there is no ground');
    };
    await assert.rejects(openProgram({ ...options, ground }), /there is no ground/);
    assert.deepEqual(closed, ['preflight', 'uploads']);
    assert.equal(existsSync(seen.folder), false);
    assert.equal(await ended(), 'SIGKILL');
  });

  it('has nothing beside it that is not given', async () => {
    const { abilities, close } = await openProgram({ description, signal });
    await close();
    assert.deepEqual(
      ['preflight', 'uploads', 'files'].filter((name) => name in abilities),
      [],
    );
  });
});

describe('what is known of a program', () => {
  const program = { ...description, name: 'mine', files: { kubeconfig: 'k.conf' }, ways: { token: ['p', '{token}'] } };

  it('is what its description says, and whose kubelet it is', async () => {
    const target = await openProgram({ description: program, signal, minor: 33, standIn: 'one of ours' });
    try {
      const { client } = target.abilities;
      assert.deepEqual([target.name, client?.name], ['mine', 'mine']);
      assert.deepEqual(target.facts.version, { gitVersion: 'v1.33.0', minor: 33 });
      assert.deepEqual([...target.facts.holds], []);
      assert.equal(client?.program?.standIn, 'one of ours');
      assert.equal(client?.program?.lacksFile('kubeconfig'), undefined);
      assert.equal(client?.program?.lacksFile('ca'), 'its description names no ca below {root}');
      assert.equal(client?.program?.lacks('no such server'), undefined);
      assert.match(client?.program?.lacks('ok-pin') ?? '', /takes no \{ca-hash\}/);
      assert.equal(await client?.join('no such server'), undefined);
      assert.equal(client?.likeKubeadm, undefined);
    } finally {
      await target.close();
    }
    const plain = await openProgram({ description: program, signal });
    assert.equal(plain.facts.version && 'minor' in plain.facts.version && plain.facts.version.minor, 36);
    assert.ok(!('standIn' in (plain.abilities.client?.program ?? {})));
    await plain.close();
  });

  it('is before servers until the target is closed, or the run broken off', async () => {
    const never = {
      ...program,
      ways: { 'token-unsafe': ['/bin/sleep', '600', '{endpoint}', '{token}'] },
      timeLimit: 60_000,
    };
    for (const how of ['closed', 'broken off'] as const) {
      const run = new AbortController();
      const { abilities, close } = await openProgram({ description: never, signal: run.signal });
      const joining = assert.rejects(
        abilities.client?.join('ok-unsafe') ?? Promise.resolve(),
        /the run is over|SIGINT/,
      );
      if (how === 'broken off') run.abort(new Error('SIGINT'));
      else await close();
      await joining;
      await close();
    }
  });
});

describe('kubeadm as a target', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'jp-kubeadm-target-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  const put = (name: string, text: string, mode = 0o755): string => {
    writeFileSync(path.join(home, name), `#!/bin/sh\n${text}\n`, { mode });
    return path.join(home, name);
  };

  it('is refused that is no program, and leaves nothing', async () => {
    const [text, good] = [put('text', 'exit 0', 0o644), put('good', 'echo v1.36.2')];
    for (const [given, option, file] of [
      [{ kubeadm: path.join(home, 'none') }, '--kubeadm', path.join(home, 'none')],
      [{ kubeadm: home }, '--kubeadm', home],
      [{ kubeadm: text }, '--kubeadm', text],
      [{ kubeadm: good, kubelet: text }, '--kubelet', text],
    ] as const)
      await assert.rejects(
        openKubeadm({ ...given, signal }),
        new ConfigurationError(`${option} ${file} is no program that may be run. Give the path of one.`),
      );
    await assert.rejects(openKubeadm({ kubeadm: put('bad', 'exit 1'), signal }), TargetUnreachable);
  });

  const lacking = demandNamespaces().then(
    () => false,
    () => true,
  );
  it('has its version, and is all that a kubeadm is judged by', async (t) => {
    if (await lacking) return t.skip('this host allows no namespaces');
    mkdirSync(path.join(home, 'tmp'));
    const temporary = process.env.TMPDIR;
    process.env.TMPDIR = path.join(home, 'tmp');
    try {
      const link = path.join(home, 'link');
      symlinkSync(put('kubeadm', 'echo v1.35.2'), link);
      const kubelet = put('kubelet', 'exit 0');
      for (const [given, name, standIn] of [
        [{}, 'kubeadm v1.35.2', /^the kubelet that bootstrapped is one of joinproof that stands in: .* --kubelet$/],
        [{ kubelet }, 'kubeadm v1.35.2, with a kubelet', undefined],
      ] as const) {
        const target = await openKubeadm({ kubeadm: link, signal, atOnce: 1, ...given });
        const { client } = target.abilities;
        assert.equal(target.name, name);
        assert.deepEqual(target.facts.version, { gitVersion: 'v1.35.0', minor: 35 });
        assert.deepEqual(Object.keys(target.abilities).sort(), ['client', 'files', 'preflight', 'uploads']);
        if (standIn === undefined) assert.equal(client?.program?.standIn, undefined);
        else assert.match(client?.program?.standIn ?? '', standIn);
        const [folder = ''] = readdirSync(path.join(home, 'tmp'));
        assert.ok(existsSync(path.join(home, 'tmp', folder, 'stand-ins/kubelet')));
        assert.match(readFileSync(path.join(home, 'tmp', folder, 'stand-ins/kubelet'), 'utf8'), /v1\.35\.2/);
        await target.close();
        assert.deepEqual(readdirSync(path.join(home, 'tmp')), []);
      }
    } finally {
      if (temporary === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = temporary;
    }
  });
});
