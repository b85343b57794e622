import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, mock, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { execCredential } from './exec-plugin.js';
import { Fields } from './kubeconfig-files.js';

const folder = mkdtempSync(path.join(tmpdir(), 'exec-plugin-'));
after(() => rmSync(folder, { recursive: true }));

/** What a plugin that fails is said to have said. */
async function complaintOf(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const command = path.join(folder, 'plugin');
  writeFileSync(command, `#!/bin/sh\n${script}\nexit 1\n`);
  chmodSync(command, 0o755);
  const pairs = Object.entries(env).map(([name, value]) => ({ name, value }));
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never', env: pairs };
  const options = { env: process.env, terminal: false, now: () => 0 };
  const credential = execCredential(new Fields(exec, 'exec of a', folder), { server: 'https://a' }, options);
  const error: unknown = await credential.current(new AbortController().signal).then(
    () => undefined,
    (thrown) => thrown,
  );
  assert.ok(error instanceof Error);
  return error.message;
}

const SECRET = 'canary-Of-The-Plugin/0123';

test('what a plugin complains holds no secret that its kubeconfig gave it, in any form', async () => {
  for (const form of [
    SECRET,
    Buffer.from(SECRET).toString('base64'),
    Buffer.from(SECRET).toString('hex'),
    encodeURIComponent(SECRET),
  ]) {
    const said = await complaintOf(`echo 'cannot log in with ${form} here' >&2`, { PASSWORD: SECRET });
    assert.ok(!said.includes(form.slice(0, 12)), said);
    assert.match(said, /cannot log in with \[redacted\]/);
  }
});

test('nor the token or the key that it gave all the same, nor what looks like one', async () => {
  for (const status of [{ token: SECRET }, { clientKeyData: SECRET }]) {
    const answer = JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status });
    assert.match(await complaintOf(`echo '${answer}'; echo 'bad ${SECRET}' >&2`), /: bad \[redacted\]\.$/);
  }
  assert.match(await complaintOf("echo 'Authorization: Bearer abc.def' >&2"), /Bearer \[redacted\]\.$/);
});

test('is cut after that, not before', async () => {
  for (const before of [380, 390, 395]) {
    const said = await complaintOf(`printf '%${before}s%s' '' ${SECRET} >&2; printf '%500s.' '' >&2`, {
      PASSWORD: SECRET,
    });
    assert.ok(!said.includes('canary'), said);
  }
  const endless = `head -c 300000 /dev/zero | tr '\\0' x >&2`;
  assert.match(await complaintOf(endless), /: its message has no end\.$/);
  assert.match(await complaintOf(`${endless}; echo >&2; echo 'the last word' >&2`), /: the last word\.$/);
});

/** What a plugin is told, which it gives as its token. */
async function toldBy(given: Readonly<Record<string, unknown>>, terminal: boolean): Promise<unknown> {
  const command = path.join(folder, 'telling');
  const apiVersion = given.apiVersion ?? 'client.authentication.k8s.io/v1';
  const head = `{"apiVersion":"${String(apiVersion)}","kind":"ExecCredential","status":{"token":"`;
  writeFileSync(
    command,
    `#!/bin/sh\nprintf '%s' '${head}'; printf '%s' "$KUBERNETES_EXEC_INFO" | base64 | tr -d '\\n'; printf '"}}'\n`,
  );
  chmodSync(command, 0o755);
  const fields = new Fields({ apiVersion, command, ...given }, 'exec of a', folder);
  const cluster = { server: 'https://a', 'tls-server-name': 'b' };
  const credential = execCredential(fields, cluster, { env: process.env, terminal, now: () => 0 });
  const { authorization = '', secrets } = await credential.current(new AbortController().signal);
  const token = authorization.replace(/^Bearer /, '');
  assert.deepEqual(secrets, [token]);
  return JSON.parse(Buffer.from(token, 'base64').toString('utf8'));
}

test('a plugin may ask somebody where there is a terminal and it wants one, and is told so', async () => {
  const interactive = async (given: Readonly<Record<string, unknown>>, terminal: boolean): Promise<unknown> =>
    ((await toldBy(given, terminal)) as { spec: { interactive: boolean } }).spec.interactive;
  for (const [interactiveMode, terminal, expected] of [
    ['Never', true, false],
    ['Never', false, false],
    ['IfAvailable', true, true],
    ['IfAvailable', false, false],
    ['Always', true, true],
  ] as const)
    assert.equal(await interactive({ interactiveMode }, terminal), expected, `${interactiveMode} ${terminal}`);
  await assert.rejects(toldBy({ interactiveMode: 'Always' }, false), /wants a terminal, and there is none/);
  const beta = { apiVersion: 'client.authentication.k8s.io/v1beta1' };
  assert.deepEqual([await interactive(beta, true), await interactive(beta, false)], [true, false]);
  await assert.rejects(toldBy({}, true), /interactiveMode of exec of a is missing/);
});

test('a plugin is told of its cluster where it is to be, and in its version', async () => {
  const spec = { interactive: false };
  for (const apiVersion of ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'])
    for (const provideClusterInfo of [true, false])
      assert.deepEqual(await toldBy({ apiVersion, interactiveMode: 'Never', provideClusterInfo }, false), {
        apiVersion,
        kind: 'ExecCredential',
        spec: provideClusterInfo ? { ...spec, cluster: { server: 'https://a', 'tls-server-name': 'b' } } : spec,
      });
});

test('what a plugin gave is used until it ends, or is refused, and by all who ask meanwhile', async () => {
  const command = path.join(folder, 'counting');
  const count = path.join(folder, 'count');
  const status = `{\\"token\\":\\"t$(wc -l <'${count}' | tr -d ' ')\\",\\"expirationTimestamp\\":\\"2030-01-01T00:00:00Z\\"}`;
  writeFileSync(
    command,
    `#!/bin/sh\necho x >>'${count}'\necho "{\\"apiVersion\\":\\"client.authentication.k8s.io/v1\\",\\"kind\\":\\"ExecCredential\\",\\"status\\":${status}}"\n`,
  );
  chmodSync(command, 0o755);
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never' };
  let now = Date.parse('2030-01-01T00:00:00Z') - 1;
  const fields = new Fields(exec, 'exec of a', folder);
  const credential = execCredential(fields, { server: '' }, { env: process.env, terminal: false, now: () => now });
  const { signal } = new AbortController();
  const token = async (): Promise<string> => (await credential.current(signal)).authorization ?? '';
  assert.deepEqual(await Promise.all([token(), token()]), ['Bearer t1', 'Bearer t1']);
  assert.equal(await token(), 'Bearer t1');
  now += 1;
  assert.equal(await token(), 'Bearer t2');
  now -= 1;
  assert.equal(await token(), 'Bearer t2');
  assert.equal(credential.refused(), true);
  assert.equal(await token(), 'Bearer t3');
});

test('where a plugin is missing, may not run or fails, its hint says what to do', async () => {
  const denied = path.join(folder, 'denied');
  writeFileSync(denied, '', { mode: 0o600 });
  const failing = path.join(folder, 'failing');
  writeFileSync(failing, '#!/bin/sh\necho no >&2\nexit 3\n', { mode: 0o755 });
  const said = async (command: string, installHint?: string): Promise<string> => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never', installHint };
    const options = { env: process.env, terminal: false, now: () => 0 };
    const credential = execCredential(new Fields(exec, 'exec of a', folder), { server: '' }, options);
    return credential.current(new AbortController().signal).then(
      () => assert.fail('it ran'),
      ({ message }: Error) => message.replaceAll(`${folder}/`, ''),
    );
  };
  const of = 'The credential plugin';
  assert.equal(await said('./none', '\n install it\n'), `${of} ./none of the kubeconfig was not found. install it`);
  assert.equal(await said('./none'), `${of} ./none of the kubeconfig was not found.`);
  assert.equal(await said(denied, 'ask'), `${of} denied of the kubeconfig may not be executed. ask`);
  assert.equal(await said('./failing', ' mend '), `${of} ./failing failed with exit code 3: no. mend`);
});

/** Gone, or dead and nobody has asked how it ended. */
function isOver(pid: string): boolean {
  try {
    return /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

test('a plugin that does not end is ended with all that it has started', async () => {
  const command = path.join(folder, 'hanging');
  const began = path.join(folder, 'began');
  // what it starts writes its number down whole, and lasts
  const child = `echo $$ > ${began}.new; mv ${began}.new ${began}; exec sleep 1000`;
  writeFileSync(command, `#!/bin/sh\nsh -c '${child}' &\nwait\n`);
  chmodSync(command, 0o755);
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never' };
  const options = { env: process.env, terminal: false, now: () => 0 };
  const credential = execCredential(new Fields(exec, 'exec of a', folder), { server: 'https://a' }, options);
  const controller = new AbortController();
  const ended = assert.rejects(credential.current(controller.signal), /enough of it/);
  while (!existsSync(began)) await pause(5);
  controller.abort(new Error('enough of it'));
  await ended;
  const pid = readFileSync(began, 'utf8').trim();
  for (let tries = 0; tries < 2_000 && !isOver(pid); tries += 1) await pause(5);
  const over = isOver(pid);
  if (!over) process.kill(Number(pid), 'SIGKILL');
  assert.ok(over);
});

const EXEC = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never' };
const ANSWER = '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t"}}';

/** A credential by a plugin that runs this script. */
function credentialBy(name: string, script: string, more: { given?: object; terminal?: boolean; timeoutMs?: number }) {
  const command = path.join(folder, name);
  writeFileSync(command, `#!/bin/sh\n${script}\n`);
  chmodSync(command, 0o755);
  const { given = {}, terminal = false, timeoutMs } = more;
  const fields = new Fields({ ...EXEC, command, ...given }, 'exec of a', folder);
  const options = { env: process.env, terminal, now: () => 0, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  return execCredential(fields, { server: '' }, options);
}

test('a plugin has a minute, and five where a person may have to answer it', async () => {
  const real = globalThis.setTimeout;
  const limits: number[] = [];
  const spied = mock.method(globalThis, 'setTimeout', (act: () => void, milliseconds: number, ...given: []) => {
    limits.push(milliseconds);
    return real(act, milliseconds, ...given);
  });
  const limitOf = async (interactiveMode: string, terminal: boolean): Promise<number | undefined> => {
    limits.length = 0;
    const credential = credentialBy('quick', `echo '${ANSWER}'`, { given: { interactiveMode }, terminal });
    await credential.current(new AbortController().signal);
    return limits.find((milliseconds) => milliseconds >= 10_000);
  };
  try {
    assert.equal(await limitOf('Never', true), 60_000);
    assert.equal(await limitOf('IfAvailable', false), 60_000);
    assert.equal(await limitOf('IfAvailable', true), 300_000);
    assert.equal(await limitOf('Always', true), 300_000);
  } finally {
    spied.mock.restore();
  }
});

test('a plugin that has not answered in its time is ended, whoever it may ask, and that is said', async () => {
  for (const [interactiveMode, terminal] of [
    ['Never', false],
    ['Always', true],
  ] as const) {
    const more = { given: { interactiveMode }, terminal, timeoutMs: 50 };
    const credential = credentialBy('sleeping', 'exec sleep 1000', more);
    await assert.rejects(credential.current(new AbortController().signal), {
      name: 'ConfigurationError',
      message: `The credential plugin ${path.join(folder, 'sleeping')} did not answer within 0.05 s.`,
    });
  }
});

test('a plugin writes a MiB at most', async () => {
  const MIB = 1024 * 1024;
  const fill = (bytes: number): string => `printf '%${bytes - ANSWER.length}s' ''; printf '%s' '${ANSWER}'`;
  const { signal } = new AbortController();
  assert.equal((await credentialBy('full', fill(MIB), {}).current(signal)).authorization, 'Bearer t');
  await assert.rejects(credentialBy('over', fill(MIB + 1), {}).current(signal), {
    name: 'ConfigurationError',
    message: /wrote more than 1 MiB; an ExecCredential is smaller\.$/,
  });
});

test('a plugin that a signal ends is told so, and one that is not asked any more is not started', async () => {
  const { signal } = new AbortController();
  await assert.rejects(credentialBy('dying', 'kill -TERM $$', {}).current(signal), /dying was ended by SIGTERM\.$/);
  const mark = path.join(folder, 'was-started');
  const over = new Error('over');
  await assert.rejects(credentialBy('late', `: > '${mark}'`, {}).current(AbortSignal.abort(over)), over);
  assert.equal(existsSync(mark), false);
});

test('what a plugin complains is kept to 400 characters of its last line', async () => {
  const said = await complaintOf("printf 'first\\n' >&2; printf '%401s' '' | tr ' ' y >&2");
  assert.match(said, /: y{400}… \(cut, 401 characters\)\.$/);
  assert.match(await complaintOf("printf '%400s' '' | tr ' ' y >&2"), /: y{400}\.$/);
});
