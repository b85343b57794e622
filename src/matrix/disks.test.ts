import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Mutant } from '../mutants/types.js';
import { givenOnBroken, isBroken, isOnBroken } from './broken.js';
import { disksPlayed, givenOnDisks, isOnDisks, isSoundDisk, merged, rulesOfDisks } from './disks.js';
import type { Job } from './job.js';

const variant = (name: string, more: Partial<Mutant> = {}): Mutant => ({ name, defect: name, killedBy: [], ...more });
const disk = (): void => {};
const played = (name: string, ...lines: readonly string[]) => ({
  job: { kind: 'mutant', name, rules: undefined } satisfies Job,
  given: { 'P-191': lines },
});

describe('disks of sound nodes', () => {
  it('are variants that nobody has to notice, and that are a disk alone', () => {
    assert.equal(isSoundDisk(variant('one', { disk })), true);
    assert.equal(isSoundDisk(variant('one')), false);
    assert.equal(isSoundDisk(variant('one', { disk, killedBy: ['P-191'] })), false);
    assert.equal(isSoundDisk(variant('one', { disk, beside: true })), false);
  });

  it('are played one by one, by the rules that look at disks', () => {
    const variants = [variant('one', { disk }), variant('two', { disk }), variant('another')];
    assert.deepEqual(rulesOfDisks(['TOK-001', 'P-191']), ['P-191']);
    assert.deepEqual(disksPlayed(variants, ['TOK-001', 'P-191']), [
      { kind: 'mutant', name: 'one', rules: ['P-191'] },
      { kind: 'mutant', name: 'two', rules: ['P-191'] },
    ]);
    assert.deepEqual(disksPlayed(variants, ['TOK-001']), []);
  });

  it('say what each check is given, a line for all of them', () => {
    const lines = (...all: readonly ReturnType<typeof played>[]): readonly string[] => givenOnDisks(all)['P-191'] ?? [];
    const both = lines(played('one', 'as node-places/closed - 11111111'), played('two', 'as node-places/closed - 2'));
    assert.equal(both.length, 1);
    assert.match(both[0] ?? '', /^as node-places\/closed on other disks \(2\) [0-9a-f]{8}$/);
    assert.equal(isOnDisks(both[0] ?? ''), true);
    assert.equal(isOnDisks('as node-places/closed - 11111111'), false);
    const others = [
      lines(played('one', 'as node-places/closed - 11111111')),
      lines(played('one', 'as node-places/closed - 11111111'), played('two', 'as node-places/closed - 3')),
      lines(played('two', 'as node-places/closed - 11111111'), played('one', 'as node-places/closed - 2')),
    ].map((all) => all.join());
    assert.equal(new Set([both.join(), ...others]).size, 4);
  });

  it('add to what the reference says', () => {
    assert.deepEqual(merged({ 'P-191': ['b'], 'P-192': ['c'] }, { 'P-191': ['a'], 'P-193': ['d'] }), {
      'P-191': ['a', 'b'],
      'P-192': ['c'],
    });
  });
});

describe('what is broken', () => {
  it('is told of where it is a disk alone, or what rules of the policy look at', () => {
    assert.equal(isBroken(variant('one', { disk, killedBy: ['P-191'] })), true);
    assert.equal(isBroken(variant('one', { killedBy: ['P-170'] })), true);
    assert.equal(isBroken(variant('one', { killedBy: ['P-170', 'TOK-001'] })), false);
    assert.equal(isBroken(variant('one', { disk })), false);
  });

  it('says what each check is given, by the rules that name it', () => {
    const broken = [
      variant('one', { disk, killedBy: ['P-191'] }),
      variant('two', { disk, killedBy: ['P-192'] }),
      variant('three', { killedBy: ['P-191'] }),
    ];
    const all = ['one', 'two', 'three', 'four'].map((name) => played(name, `as node-places/closed - ${name}`));
    const [line = '', ...more] = givenOnBroken(all, broken)['P-191'] ?? [];
    assert.deepEqual(more, []);
    assert.match(line, /^as node-places\/closed on broken ones \(1\) [0-9a-f]{8}$/);
    assert.deepEqual([isOnBroken(line), isOnDisks(line)], [true, false]);
    assert.notEqual(givenOnBroken([played('one', 'as node-places/closed - 2')], broken)['P-191']?.[0], line);
  });
});
