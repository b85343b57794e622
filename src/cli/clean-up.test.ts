import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { KubeObject } from '../kubernetes/objects.js';
import { EXPIRES_ANNOTATION, OWN_KINDS, RUN_LABEL } from '../kubernetes/own-objects.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import { type Reference, startReference } from '../targets/reference.js';

const cli = fileURLToPath(new URL('./joinproof.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-clean-up-'));
const kubeconfig = path.join(folder, 'admin.conf');

/** One for all: every test but the last leaves it as it was. */
let reference: Reference;
before(async () => {
  reference = await startReference({ withNode: true, keyAlgorithm: 'ECDSA-P256' });
  writeFileSync(kubeconfig, reference.kubeconfig, { mode: 0o600 });
});
after(async () => {
  await reference.close();
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `during` is handed the child as soon as it runs. */
function joinproof(args: readonly string[], during: (child: ChildProcess) => void = () => {}): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  during(child);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
}

/** Rules that make tokens, requests, nodes, Pods and ConfigMaps. */
const QUICK = ['AUTH-012', 'AUTH-013', 'SIGN-002', 'CSR-012', 'NODE-006'];
const running = (...rules: readonly string[]): readonly string[] => [
  ...['run', '--kubeconfig', kubeconfig, '--allow-writes'],
  ...rules.flatMap((id) => ['--rule', id]),
];
/** With one that makes a binding, and waits for what is not to happen. */
const run = running(...QUICK, 'CSR-014');
const sweep = (...more: readonly string[]): Promise<Ended> => joinproof(['sweep', '--kubeconfig', kubeconfig, ...more]);

const objects = (): readonly KubeObject[] => OWN_KINDS.flatMap(({ resource }) => reference.api.list(resource));
const isMarked = ({ metadata }: KubeObject): boolean => metadata.labels?.[RUN_LABEL] !== undefined;
const marked = (): readonly KubeObject[] => objects().filter(isMarked);
const uids = (all: readonly KubeObject[]): readonly string[] => all.map(({ metadata }) => metadata.uid ?? '').sort();
const foreign = (): readonly string[] => uids(objects().filter((object) => !isMarked(object)));
const runsSeen = (): number => new Set(marked().map(({ metadata }) => metadata.labels?.[RUN_LABEL])).size;
/** Resolves once so many objects are there, of so many runs. */
async function made(count: number, runs = 1): Promise<void> {
  while (marked().length < count || runsSeen() < runs) await pause(5);
}
/** Moments at which runs side by side are killed, each of which has made something by then. */
const MOMENTS = [1, 4, 12];
const killed = (count: number): Promise<Ended> =>
  joinproof(run, (child) => void made(count, MOMENTS.length).then(() => child.kill('SIGKILL')));

/** Somebody left it long ago, as far as its annotations say. */
function expire(resource: Resource, { metadata, ...object }: KubeObject): void {
  const annotations = { [EXPIRES_ANNOTATION]: '2026-01-01T00:00:00Z' };
  reference.api.update(resource, { ...object, metadata: { ...metadata, annotations } });
}

test('runs that are killed leave what sweeps remove, and nothing else', async () => {
  const before = foreign();
  for (const { code } of await Promise.all(MOMENTS.map(killed))) assert.equal(code, null);
  const left = uids(marked());
  const spared = await sweep();
  assert.equal(spared.code, 0, spared.err);
  assert.match(spared.out, /runs? that may be under way .* left alone/);
  assert.deepEqual(
    left.filter((uid) => !uids(marked()).includes(uid)),
    [],
  );

  const run = marked()[0]?.metadata.labels?.[RUN_LABEL];
  const isOver = ({ metadata }: KubeObject): boolean => metadata.labels?.[RUN_LABEL] === run;
  for (const { resource } of OWN_KINDS)
    for (const object of reference.api.list(resource).filter(isOver)) expire(resource, object);
  const over = uids(marked().filter(isOver));
  const others = uids(marked().filter((object) => !isOver(object)));
  const planned = await sweep('--dry-run');
  assert.equal(planned.out.match(/would be removed/g)?.length, over.length);
  assert.deepEqual(uids(marked()), [...over, ...others].sort());
  assert.equal((await sweep()).code, 0);
  assert.deepEqual(uids(marked()), others);

  const swept = await sweep('--all');
  assert.equal(swept.code, 0, swept.err);
  assert.match(swept.out, new RegExp(`${others.length} removed\\.`));
  assert.deepEqual(marked(), []);
  assert.deepEqual(foreign(), before);
});

test('two runs and a sweep at the same time do not see each other', async () => {
  const runs = [joinproof(running(...QUICK)), joinproof(running(...QUICK))];
  await made(10);
  const swept = await sweep();
  assert.equal(swept.code, 0, swept.err);
  assert.doesNotMatch(swept.out, /removed {2}/);
  for (const { code, out, err } of await Promise.all(runs)) assert.equal(code, 0, out + err);
  assert.deepEqual(marked(), []);
});

test('a run that is interrupted removes what it made, and says so only then', async () => {
  const ended = await joinproof(run, (child) => void made(6).then(() => child.kill('SIGINT')));
  assert.equal(ended.code, 3);
  assert.match(ended.err, /What it had made was removed/);
  assert.deepEqual(marked(), []);
});

test('what is left is counted by kind and named, and never ends with 0', async () => {
  const hold = (): void => {
    for (const { metadata, ...secret } of marked())
      if (secret.kind === 'Secret' && (metadata.finalizers ?? []).length === 0)
        reference.api.update(resources.secrets, {
          ...secret,
          metadata: { ...metadata, finalizers: ['example.org/hold'] },
        });
  };
  const timer = setInterval(hold, 20);
  try {
    const { code, out, err } = await joinproof(running('AUTH-012'));
    assert.equal(code, 3, out + err);
    assert.match(err, /of this run (is|are) left \(\d+ Secrets?\): Secret .*example\.org\/hold/);
    assert.match(out, /conformant, but not as it was before/);
    assert.doesNotMatch(out + err, /was removed/);
    const swept = await sweep('--all');
    assert.equal(swept.code, 3);
    assert.match(swept.out, /could not be removed {2}Secret/);
  } finally {
    clearInterval(timer);
  }
});
