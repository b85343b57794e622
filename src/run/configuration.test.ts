import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { stringify } from 'yaml';
import { configured, type RunOptions } from './configuration.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-configuration-'));
after(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, 'joinproof.yaml');
const at = (name: string): string => path.join(folder, name);
const textOf = (written: unknown): string => (typeof written === 'string' ? written : stringify(written));
function using(written: unknown, options: RunOptions = {}): ReturnType<typeof configured> {
  writeFileSync(file, textOf(written));
  return configured(options, file);
}

/** Everything that can be written. */
const TARGET = {
  kubeconfig: 'a.conf',
  context: 'one',
  controlPlane: 'bin',
  manifests: 'dump',
  client: 'client.yaml',
  node: 'disk',
};
const WHOLE = {
  rules: { ids: ['TOK-001'], chapters: ['cluster-info'], level: 'MUST', tags: '@a' },
  gate: { failOn: 'MAY', require: ['writes'], maxSkipped: 0 },
  profile: 'own.yaml',
  outputs: { json: 'out/a.json', junit: '-' },
  evidence: 'full',
  timeout: 5,
  baseline: 'before.json',
};
const OF_WHOLE: RunOptions = {
  rule: ['TOK-001'],
  chapter: ['cluster-info'],
  level: 'MUST',
  tags: '@a',
  failOn: 'MAY',
  require: ['writes'],
  maxSkipped: '0',
  out: [`json=${at('out/a.json')}`, 'junit=-'],
  evidence: 'full',
  timeout: '5',
  baseline: at('before.json'),
  profile: at('own.yaml'),
};

describe('a configuration', () => {
  it('names files from its own folder on', async () => {
    assert.deepEqual((await using(WHOLE)).options, OF_WHOLE);
    for (const [name, value] of Object.entries(TARGET)) {
      const { options } = await using({ target: { [name]: value } });
      assert.deepEqual(options, { [name]: name === 'context' ? value : at(value) });
    }
  });

  it('names profiles of the package by their names', async () => {
    assert.equal((await using({ profile: 'strict' })).options.profile, 'strict');
  });

  it('gives way to the command line, option by option, and by its target altogether', async () => {
    const target = { kubeconfig: 'a.conf', context: 'one', allowWrites: true };
    assert.deepEqual((await using({ ...WHOLE, target }, { rule: [], timeout: '9', require: ['kubeadm'] })).options, {
      ...OF_WHOLE,
      kubeconfig: at('a.conf'),
      context: 'one',
      allowWrites: true,
      timeout: '9',
      require: ['kubeadm'],
    });
    for (const chosen of ['kubeconfig', 'context', 'controlPlane', 'manifests', 'client', 'kubeadm', 'node'] as const)
      assert.deepEqual((await using({ target }, { [chosen]: 'given' })).options, { [chosen]: 'given' });
    assert.deepEqual((await using({ target: { node: 'disk' } }, { inCluster: true })).options, {
      inCluster: true,
    });
  });

  it('is looked for above, unless none is to be read', async () => {
    const below = at('a/b');
    mkdirSync(below, { recursive: true });
    writeFileSync(file, 'timeout: 7\n');
    const before = process.cwd();
    process.chdir(below);
    try {
      const { options, file: read } = await configured({}, undefined);
      assert.deepEqual([options.timeout, path.basename(read ?? '')], ['7', 'joinproof.yaml']);
      assert.deepEqual(await configured({}, false), { options: {}, waivers: [], parameters: {}, file: undefined });
    } finally {
      process.chdir(before);
    }
  });

  it('holds waivers and parameters, which are nobody else’s to say', async () => {
    const waiver = { rule: 'TOK-001', subject: '*', owner: 'anna', reason: 'a toy', expires: '2027-01-31' };
    const { waivers, parameters, options } = await using({ waivers: [waiver], parameters: { tokenHours: 3 } });
    assert.deepEqual([waivers, parameters, options], [[waiver], { tokenHours: 3 }, {}]);
    assert.deepEqual((await using('')).options, {});
  });

  const refused = [
    ['a: [', /is no YAML: /],
    ['- a', /cannot be used: /],
    ['unknown: 1', /cannot be used: .*unknown/],
    ['a: *lost', /its YAML aliases are broken or too many/],
    [{ waivers: [{ rule: 'A', subject: '*', owner: 'b', reason: 'c', expires: '2027-02-29' }] }, /which is no day/],
  ] as const;
  for (const [written, why] of refused)
    it(`is refused: ${why}`, async () => {
      await assert.rejects(using(written), { name: 'UsageError', message: why });
    });

  it('has to be there where it is named', async () => {
    await assert.rejects(configured({}, at('none.yaml')), { name: 'UsageError', message: /cannot be read \(ENOENT\)/ });
  });
});
