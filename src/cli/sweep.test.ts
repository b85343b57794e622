/** What joinproof sweep removes of a cluster and of this machine, and how it ends. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parse, stringify } from 'yaml';
import { EXPIRES_ANNOTATION, RUN_LABEL } from '../kubernetes/own-objects.js';
import { resources } from '../kubernetes/resources.js';
import { identityOf } from '../targets/control-plane/process-record.js';
import { startReference } from '../targets/reference.js';
import { commanded } from './commands.testing.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-sweep-'));
const reference = await startReference({ keyAlgorithm: 'ECDSA-P256' });
const config = parse(reference.kubeconfig);
const [context] = config.contexts;
config.contexts.push({ ...context, name: 'lost', context: { ...context.context, user: 'nobody' } });
const kubeconfig = path.join(folder, 'admin.conf');
writeFileSync(kubeconfig, stringify(config), { mode: 0o600 });

/** A ServiceAccount that a run has left, long ago or just now. */
function leave(name: string, expires: string, finalizers: readonly string[] = []): void {
  const labels = { [RUN_LABEL]: `run00${name}` };
  const annotations = { [EXPIRES_ANNOTATION]: expires };
  const metadata = { name: `jp-${name}`, namespace: 'default', labels, annotations };
  reference.api.create(resources.serviceAccounts, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: finalizers.length === 0 ? metadata : { ...metadata, finalizers },
  });
}
const LONG_AGO = '2026-01-01T00:00:00Z';
const LATER = '2999-01-01T00:00:00Z';
const there = (): readonly string[] =>
  reference.api
    .list(resources.serviceAccounts)
    .flatMap(({ metadata: { name = '' } }) => (name.startsWith('jp-') ? [name] : []));
const swept = async (...words: readonly string[]) => {
  const { code, out, err } = await commanded(['sweep', '--kubeconfig', kubeconfig, ...words]);
  return { code, out, err, left: [...there()].sort() };
};

// before a test is said to run, which is said on the same stream
leave('aaaaa', LONG_AGO);
leave('bbbbb', LONG_AGO);
leave('ccccc', LATER);
const lost = await swept('--context', 'lost', '--all');
const planned = await swept('--dry-run');
const expired = await swept();
const young = await swept('--older-than', '100000');
const all = await swept('--context', context.name, '--all');
leave('ddddd', LONG_AGO, ['example.org/hold']);
const held = await swept();

/** A program that a killed run of this machine has left: its folder is in its command line, and its owner is gone. */
const { TMPDIR } = process.env;
process.env.TMPDIR = folder;
const own = path.join(folder, 'joinproof-abcdef');
mkdirSync(own);
const program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', own], { stdio: 'ignore' });
const gone = new Promise<string | null>((resolve) => program.once('exit', (_, signal) => resolve(signal)));
const owner = { pid: 2 ** 22 + 1, started: '1' };
writeFileSync(path.join(own, 'processes.json'), JSON.stringify({ owner, children: [identityOf(program.pid ?? 0)] }));
const isThere = (): boolean => identityOf(program.pid ?? 0) !== undefined;
const machinePlanned = { ...(await commanded(['sweep', '--dry-run'])), isThere: isThere() };
const machine = await commanded(['sweep']);
const signal = await gone;
const nothing = await commanded(['sweep']);
if (TMPDIR === undefined) delete process.env.TMPDIR;
else process.env.TMPDIR = TMPDIR;
await reference.close();
rmSync(folder, { recursive: true });

describe('a sweep of a cluster', () => {
  it('goes to the context that is named, or to the current one', () => {
    assert.ok(lost.code === 2 || lost.code === 3, `${lost.code}`);
    assert.deepEqual(lost.left, ['jp-aaaaa', 'jp-bbbbb', 'jp-ccccc']);
  });

  it('only says what it would remove where it is a dry run', () => {
    assert.equal(planned.code, 0, planned.err);
    assert.equal(planned.out.match(/^would be removed {2}ServiceAccount default\/jp-(aaaaa|bbbbb) /gm)?.length, 2);
    assert.match(planned.out, /: 2 to be removed\. 1 objects of 1 runs that may be under way are left alone/);
    assert.deepEqual(planned.left, ['jp-aaaaa', 'jp-bbbbb', 'jp-ccccc']);
  });

  it('removes what is over, or older than it is told, or all', () => {
    assert.deepEqual([expired.code, expired.left], [0, ['jp-ccccc']]);
    assert.match(expired.out, /: 2 removed\. 1 objects/);
    assert.deepEqual([young.code, young.left], [0, ['jp-ccccc']]);
    assert.deepEqual([all.code, all.left], [0, []]);
    assert.match(all.out, /: 1 removed\.\n$/);
  });

  it('ends with 3 where a single object is left, and says why', () => {
    assert.deepEqual([held.code, held.left], [3, ['jp-ddddd']]);
    assert.match(held.out, /could not be removed {2}ServiceAccount default\/jp-ddddd: .*example\.org\/hold/);
    assert.match(held.out, /1 could not be removed \(1 ServiceAccount\)/);
  });
});

describe('a sweep of this machine', () => {
  it('ends the programs of killed runs, and in a dry run only says so', () => {
    assert.deepEqual(
      [machinePlanned.code, machinePlanned.out, machinePlanned.isThere],
      [0, `would be ended  1 programs of ${own}\n`, true],
    );
    assert.deepEqual([machine.code, machine.out, signal], [0, `ended  1 programs of ${own}\n`, 'SIGKILL']);
    assert.equal(
      nothing.out,
      'This machine: no run of joinproof left anything. Give --kubeconfig to sweep a cluster.\n',
    );
  });
});
