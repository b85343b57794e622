import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { KubeObject } from '../kubernetes/objects.js';
import { EXPIRES_ANNOTATION, OWN_KINDS, RUN_LABEL } from '../kubernetes/own-objects.js';
import { resources } from '../kubernetes/resources.js';
import { type Reference, startReference } from '../targets/reference.js';

const cli = fileURLToPath(new URL('./joinproof.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-clean-up-'));
const kubeconfig = path.join(folder, 'admin.conf');
after(() => rmSync(folder, { recursive: true }));

let reference: Reference;
beforeEach(async () => {
  reference = await startReference({ withNode: true });
  writeFileSync(kubeconfig, reference.kubeconfig, { mode: 0o600 });
});
afterEach(() => reference.close());

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

/** Rules that make tokens, requests, nodes, Pods, a binding and ConfigMaps, and wait for little. */
const RULES = ['AUTH-012', 'AUTH-013', 'SIGN-002', 'CSR-012', 'CSR-014', 'NODE-006'].flatMap((id) => ['--rule', id]);
const run = ['run', '--kubeconfig', kubeconfig, '--allow-writes', ...RULES];
const sweep = (...more: readonly string[]): Promise<Ended> => joinproof(['sweep', '--kubeconfig', kubeconfig, ...more]);

const objects = (): readonly KubeObject[] => OWN_KINDS.flatMap(({ resource }) => reference.api.list(resource));
const isMarked = ({ metadata }: KubeObject): boolean => metadata.labels?.[RUN_LABEL] !== undefined;
const marked = (): readonly KubeObject[] => objects().filter(isMarked);
const foreign = (): readonly (string | undefined)[] =>
  objects()
    .filter((object) => !isMarked(object))
    .map(({ metadata }) => metadata.uid);
/** Resolves once so many objects of a run are there. */
async function made(count: number): Promise<void> {
  while (marked().length < count) await pause(5);
}

test('a run that is killed leaves what a sweep removes, and nothing else', async () => {
  const before = foreign();
  for (const count of [1, 6, 12]) {
    const ended = await joinproof(run, (child) => void made(count).then(() => child.kill('SIGKILL')));
    assert.equal(ended.code, null);
    const left = marked().length;
    assert.ok(left >= 1, `${left} objects`);
    const spared = await sweep();
    assert.equal(spared.code, 0, spared.err);
    assert.match(spared.out, /runs? that may be under way .* left alone/);
    assert.equal(marked().length, left);
    const swept = await sweep('--all');
    assert.equal(swept.code, 0, swept.err);
    assert.match(swept.out, new RegExp(`${left} removed\\.`));
    assert.deepEqual(marked(), []);
    assert.deepEqual(foreign(), before);
  }
  assert.match((await sweep()).out, /no run of joinproof left anything/);
});

test('two runs and a sweep at the same time do not see each other', async () => {
  const runs = [joinproof(run), joinproof(run)];
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
    const { code, out, err } = await joinproof([
      'run',
      '--kubeconfig',
      kubeconfig,
      '--allow-writes',
      '--rule',
      'AUTH-012',
    ]);
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

test('what is over is swept without --all, and a dry run of it only reads', async () => {
  await joinproof(run, (child) => void made(6).then(() => child.kill('SIGKILL')));
  const expired = { [EXPIRES_ANNOTATION]: '2026-01-01T00:00:00Z' };
  for (const { resource } of OWN_KINDS)
    for (const object of reference.api.list(resource).filter(isMarked))
      reference.api.update(resource, { ...object, metadata: { ...object.metadata, annotations: expired } });
  const left = marked().length;
  const planned = await sweep('--dry-run');
  assert.equal(planned.out.match(/would be removed/g)?.length, left);
  assert.equal(marked().length, left);
  assert.equal((await sweep()).code, 0);
  assert.deepEqual(marked(), []);
});
