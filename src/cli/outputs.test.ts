import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('./joinproof.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-outputs-'));
after(() => rmSync(folder, { recursive: true }));

const FULL = '/dev/full';
const isHere = ((): boolean => {
  try {
    openSync(FULL, 'w');
    return true;
  } catch {
    return false;
  }
})();

/** With standard output on a device that takes nothing, or read. */
const joinproof = (args: readonly string[], toFull: boolean): { code: number | null; out: string; err: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', toFull ? openSync(FULL, 'w') : 'pipe', 'pipe'],
  });
  return { code: status, out: stdout ?? '', err: stderr };
};

describe('an output that takes nothing', { skip: isHere ? false : `there is no ${FULL} here` }, () => {
  for (const args of [
    ['rules'],
    ['rules', '--format', 'json'],
    ['--help'],
    ['--version'],
    ['run', '--rule', 'TOK-001'],
  ])
    it(`is told of joinproof ${args.join(' ')}: 3`, () => {
      const { code, err } = joinproof(args, true);
      assert.equal(code, 3, err);
      assert.match(err, /could not be written: .*no space/);
    });

  it('costs neither the other outputs nor the console, and leaves no file', () => {
    const whole = path.join(folder, 'a.xml');
    const outs = ['--out', `json=${FULL}`, '--out', `junit=${whole}`];
    const { code, out, err } = joinproof(['run', '--rule', 'TOK-001', ...outs], false);
    assert.equal(code, 3);
    assert.match(err, /json report could not be written to \/dev\/full: .*no space/);
    assert.match(out, /1 rule: 1 passed/);
    assert.match(readFileSync(whole, 'utf8'), /<\/testsuites>/);
    assert.deepEqual(readdirSync(folder), ['a.xml']);
  });

  it('costs the console where it is standard output, not the files', () => {
    const whole = path.join(folder, 'b.json');
    const { code } = joinproof(['run', '--rule', 'TOK-001', '--out', `json=${whole}`], true);
    assert.equal(code, 3);
    assert.equal(JSON.parse(readFileSync(whole, 'utf8')).summary.passed, 1);
  });
});
