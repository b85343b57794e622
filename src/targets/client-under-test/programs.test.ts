import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ClientRun } from '../../kubernetes/transcript.js';
import type { ClientDescription } from './description.js';
import { type Ground, type Place, plainGround, together } from './ground.js';
import { Programs } from './programs.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const JOINPROOF = fileURLToPath(new URL('../../cli/joinproof.js', import.meta.url));
const files = {
  'bootstrap-kubeconfig': 'etc/kubernetes/bootstrap-kubelet.conf',
  kubeconfig: 'etc/kubernetes/kubelet.conf',
  ca: 'etc/kubernetes/pki/ca.crt',
  'kubelet-configuration': 'var/lib/kubelet/config.yaml',
  pki: 'etc/kubernetes/pki',
};

async function joined(
  description: Partial<ClientDescription>,
  server = 'ok-pin',
  more: Partial<Place> = {},
): Promise<ClientRun> {
  const plain = plainGround(mkdtempSync(path.join(folder, 'ground-')));
  const ground: Ground = { open: async (id, lie) => ({ ...(await plain.open(id, lie)), ...more }) };
  const { signal } = new AbortController();
  const whole = { name: 'a client', timeLimit: 60_000, environment: {}, files, ways: {}, ...description };
  const run = await new Programs({ description: whole, ground, atOnce: 2, beginning: 2, signal }).join(server);
  assert.ok(run !== undefined);
  return run;
}
/** Does it the first time only. */
function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
const shell = (script: string): ClientDescription['ways'] => ({
  token: ['/bin/sh', '-c', script, 'sh', '{root}', '{token}'],
});
const written = ({ transcript }: ClientRun): readonly string[] =>
  (transcript.deeds ?? []).flatMap((deed) => (deed.kind === 'wrote' ? [deed.path] : []));

describe('a program of a machine', () => {
  const ca = 'etc/kubernetes/pki/ca.crt';
  const list = (isMachine: boolean) =>
    joined({ ways: shell(`stat -c '%F %a' "$1/${ca}" "$1" . 2>&1; exit 1`) }, 'ca-closed', { isMachine });
  const said = async (isMachine: boolean) => (await list(isMachine)).transcript.said.filter((line) => line !== '');

  it('finds what cannot be written: a link that leads nowhere where it is root, a folder where it is not', async () => {
    assert.match((await said(true))[0] ?? '', /^symbolic link /);
    assert.match((await said(false))[0] ?? '', /^directory /);
  });
  it('has folders of its own that nobody else may look into', async () => {
    assert.deepEqual((await said(false)).slice(1), ['directory 700', 'directory 700']);
  });
  it('is apart from what else runs only where that needs no namespace of a user', async () => {
    const { getuid } = process;
    try {
      process.getuid = () => 1000;
      assert.deepEqual(await together(), []);
    } finally {
      if (getuid !== undefined) process.getuid = getuid;
    }
  });
});

describe('a program before a server', () => {
  it('joins, and all of it is seen: requests, files with their order, and what it ends with', async () => {
    const ways = {
      configuration: [process.execPath, JOINPROOF, 'join', '--root', '{root}', '--config', '{configuration}'],
    };
    const { transcript, truth } = await joined({
      ways: { configuration: [...ways.configuration, '--ignore-preflight-errors', 'all'] },
    });
    assert.equal(transcript.exit, 0, transcript.message);
    const asked = transcript.entries.flatMap((entry) =>
      entry.kind === 'request' ? [entry.method + entry.answered] : [],
    );
    assert.deepEqual(asked.slice(0, 2), ['GET200', 'GET200']);
    assert.ok(asked.includes('POST201'));
    assert.ok(written({ transcript } as ClientRun).includes('/etc/kubernetes/bootstrap-kubelet.conf'));
    assert.equal(transcript.files['/etc/kubernetes/pki/ca.crt']?.text, truth.caPem);
    assert.equal(transcript.files['/etc/kubernetes/bootstrap-kubelet.conf'], undefined);
    assert.equal(transcript.files['/etc/kubernetes/kubelet.conf']?.mode, 0o600);
    assert.match(
      transcript.files['/etc/kubernetes/kubelet.conf']?.text ?? '',
      /client-certificate"?: "?\/var\/lib\/kubelet/,
    );
  });
  it('says what it says, writes what it writes, and what it has started ends with it', async () => {
    const script = 'echo out; echo "error: no" >&2; echo "$2" >"$1/t"; (setsid sleep 1000 &); sleep 0.2; exit 3';
    const { transcript } = await joined({ ways: shell(script) });
    assert.equal(transcript.exit, 3);
    assert.equal(transcript.message, 'error: no');
    assert.deepEqual(
      transcript.said.filter((line) => line !== ''),
      ['out', 'error: no'],
    );
    assert.deepEqual(Object.keys(transcript.files), ['/t']);
    assert.deepEqual(transcript.entries, []);
  });
  it('leaves keys, in whatever form they stand in its files and in its home', async () => {
    const key = `$(printf '%s\n' '-----BEGIN PRIVATE KEY-----' AAAA '-----END PRIVATE KEY-----' | base64 -w 0)`;
    const keeps = `printf %s "${key}" > "$1/kept" && printf 'k: %s' "${key}" > "$HOME/kept" && echo hi > "$HOME/else"`;
    const { transcript } = await joined({ ways: shell(`${keeps} && echo hi > "$1/else"`) });
    assert.deepEqual(Object.keys(transcript.files), ['/kept']);
    assert.deepEqual(Object.keys(transcript.beside ?? {}), ['(HOME)/kept']);
  });
  it('has had keys in its home, where others might read them', async () => {
    const key = `'-----BEGIN PRIVATE KEY-----' AAAA '-----END PRIVATE KEY-----'`;
    const had = (name: string, mode: string): string =>
      `printf '%s\n' ${key} > "$HOME/${name}" && chmod ${mode} "$HOME/${name}"`;
    // who asks the service manager is looked at before he is answered
    const script = `umask 077; ${had('open', '644')}; ${had('own', '600')}; systemctl restart kubelet; rm "$HOME"/o*`;
    const { transcript } = await joined({ ways: shell(script) });
    assert.deepEqual(Object.keys(transcript.passing ?? {}), ['(HOME)/open']);
    assert.equal(transcript.beside, undefined);
  });
  it('is ended with what has thrown its environment away', async () => {
    const script = 'env -i setsid sleep 1002 >/dev/null 2>&1 </dev/null & echo $! >"$1/t"; sleep 0.2; exit 0';
    const { transcript } = await joined({ ways: shell(script) });
    assert.equal(transcript.exit, 0);
    const commands = readdirSync('/proc').flatMap((id) => {
      try {
        return [readFileSync(`/proc/${id}/cmdline`, 'latin1')];
      } catch {
        return [];
      }
    });
    assert.ok(!commands.includes('sleep\u00001002\u0000'));
  });
  it('is ended when it fills its disk', async () => {
    const fill = 'const f = require("fs"); for (let i = 0; ; i++) f.writeFileSync(process.argv[1] + "/f" + i, "");';
    const { transcript } = await joined({ ways: { token: [process.execPath, '-e', fill, '{root}', '{token}'] } });
    assert.equal(transcript.exit, undefined);
  });
  it('may leave paths that are longer than the system takes, loops, and what is no file', async () => {
    const script =
      'cd "$1" && ln -s . self && ln -s b a && ln -s a b && mkfifo etc; i=0;' +
      ' while [ $i -lt 600 ]; do mkdir dddddddd && cd dddddddd || break; i=$((i+1)); done; exit 0';
    const { transcript } = await joined({ ways: shell(script) });
    assert.equal(transcript.exit, 0);
    assert.deepEqual(transcript.files, {});
  });
  it('is ended at its limit', async () => {
    const { transcript } = await joined({ ways: shell('trap "" TERM; sleep 1000'), timeLimit: 300 });
    assert.equal(transcript.exit, undefined);
    assert.ok(transcript.milliseconds < 30_000);
  });
  it('is before it once more where the machine left it no time', async () => {
    const beside = mkdtempSync(path.join(tmpdir(), 'joinproof-test-'));
    const script = `mkdir '${beside}/seen' 2>/dev/null || exit 0; sleep 3.1; exit 1`;
    const joining = joined({ ways: shell(script) });
    const busy = once(() => {
      const end = performance.now() + 2_000;
      while (performance.now() < end);
    });
    const looking = setInterval(() => existsSync(path.join(beside, 'seen')) && busy(), 10);
    const { transcript } = await joining;
    clearInterval(looking);
    assert.equal(transcript.exit, 0);
    // whoever fails of itself is before it once
    rmSync(path.join(beside, 'seen'), { recursive: true });
    const failing = await joined({ ways: shell(`mkdir '${beside}/seen' 2>/dev/null || exit 0; exit 1`) });
    assert.equal(failing.transcript.exit, 1);
    rmSync(beside, { recursive: true });
  });
  it('is told the service manager, which waits until somebody has looked', async () => {
    const script =
      'mkdir -p "$1/etc/kubernetes/pki"; echo a >"$1/etc/kubernetes/pki/ca.crt"; systemctl restart kubelet.service';
    const { transcript } = await joined({ ways: shell(script) });
    assert.deepEqual(
      transcript.deeds?.map((deed) => (deed.kind === 'ran' ? deed.command : deed.kind)),
      ['wrote', 'restart kubelet'],
    );
  });
  it('leaves nothing', () => {
    const left = readdirSync(folder).flatMap((ground) => readdirSync(path.join(folder, ground)));
    assert.deepEqual([...new Set(left)], ['bin']);
    assert.ok(!existsSync(path.join(folder, 'root')));
  });
});
