import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseRelease } from '../../kubeadm/release.js';
import { packageFile } from '../../run/package-root.js';
import { machineNamed } from './machines.js';
import { referencePreflight } from './reference-preflight.js';

const FOLDER = packageFile('features/preflight');
const release = parseRelease('1.36');

describe('machines of the features', () => {
  const rows = readdirSync(FOLDER).flatMap((file) => [
    ...readFileSync(`${FOLDER}/${file}`, 'utf8').matchAll(/^ +\| (\S[^|]*?) +\|/gm),
  ]);
  for (const name of new Set(rows.map(([, name = '']) => name)))
    it(name, () => assert.ok(machineNamed(name, release) !== undefined));
});

describe('what is said of a machine', () => {
  const clauses = new Set(
    readdirSync(FOLDER)
      .flatMap((file) => [...readFileSync(`${FOLDER}/${file}`, 'utf8').matchAll(/^ +\| (\S[^|]*?) +\|/gm)])
      .flatMap(([, name = '']) => name.split(', ')),
  );
  it('is said as it is, and not within something else', () => {
    assert.ok(clauses.size > 100);
    for (const clause of clauses) {
      assert.equal(machineNamed(`un${clause}`, release), undefined, clause);
      assert.equal(machineNamed(`${clause} indeed 7`, release), undefined, clause);
    }
  });
});

describe('a machine', () => {
  it('that nobody has described is none', () => {
    assert.equal(machineNamed('on the moon', release), undefined);
    assert.equal(machineNamed('without mount, on the moon', release), undefined);
  });

  it('has all that is said of it, also what is said several times', () => {
    const machine = machineNamed(
      'with the flag --a=1, with the flag --b=2, without mount, without cp, with port 6443 in use, with port 10250 in use',
      release,
    );
    const plain = machineNamed('as it should be', release);
    assert.deepEqual(machine?.flags, ['--a=1', '--b=2']);
    assert.deepEqual(machine?.host.lacks, [...(plain?.host.lacks ?? []), 'mount', 'cp']);
    assert.deepEqual(machine?.host.portsInUse, [...(plain?.host.portsInUse ?? []), 6443, 10_250]);
    const twice = machineNamed('told besides {"kind":"A"}, told besides {"kind":"B"}', release);
    assert.deepEqual(twice?.besides, [{ kind: 'A' }, { kind: 'B' }]);
  });

  it('ends with the codes of its minor', async () => {
    const exit = async (version: string, name: string): Promise<number | undefined> =>
      (await referencePreflight(version, {}).look(name, 'init'))?.exit;
    assert.deepEqual(
      await Promise.all([
        exit('1.33', 'without mount'),
        exit('1.33', 'named Bad_Name'),
        exit('1.36', 'without mount'),
        exit('1.36', 'named Bad_Name'),
        exit('1.36', 'as it should be'),
      ]),
      [2, 3, 1, 1, 0],
    );
  });

  it('is written to by a whole init only, and where nothing is wrong', async () => {
    const preflight = referencePreflight('1.36', {});
    const written = async (name: string, look: 'init' | 'a whole init'): Promise<number> =>
      (await preflight.look(name, look))?.written.length ?? -1;
    assert.ok((await written('as it should be', 'a whole init')) > 10);
    assert.equal(await written('as it should be', 'init'), 0);
    assert.equal(await written('without mount', 'a whole init'), 0);
  });
});
