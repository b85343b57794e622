import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readFeatures } from './features.js';
import { nearest } from './nearest.js';
import { distFolder, packageFile, packageRoot, supportModule } from './package-root.js';
import { type Selection, select } from './select.js';
import { loadSteps } from './support-library.js';
import { withDerivedTags } from './traits.js';
import { releasesOf, whyNotApplicable } from './versions.js';

const toys = readFeatures(packageFile('src/run/testing/features'));
const library = await loadSteps([supportModule, path.join(distFolder, 'src/run/testing/toy-steps.js')], packageRoot);
const catalogue = withDerivedTags(toys, library, {
  sources: (rule) => (rule === 'TOY-02' ? ['001'] : []),
  traps: (rule) => (rule === 'TOY-02' ? ['TRAP-01'] : []),
});
const ids = (selection: Selection): string =>
  select(catalogue, selection)
    .rules.map(({ id }) => id.slice(-2))
    .join(' ');
const refuses = (selection: Selection, message: RegExp): void =>
  assert.throws(() => select(catalogue, selection), { name: 'UsageError', message });

describe('selection', () => {
  it('takes everything without an option', () => assert.equal(ids({}), '01 02 03 04 05 06 07 08'));
  it('takes at least a level', () => {
    assert.equal(ids({ level: 'MUST' }), '01 02 06 07 08');
    assert.equal(ids({ level: 'should' }), '01 02 03 04 06 07 08');
    assert.equal(ids({ level: 'MAY' }), ids({}));
  });
  it('takes every rule that is named, and all options together', () => {
    assert.equal(ids({ rules: ['TOY-03', 'TOY-01'] }), '01 03');
    assert.equal(ids({ rules: ['TOY-03', 'TOY-01'], level: 'MUST', chapters: ['toys'] }), '01');
  });
  it('takes scenarios by tags: of a rule only those that match', () => {
    const { rules, chosen } = select(catalogue, { tags: '@TOY-08 and not @waits' });
    assert.deepEqual([rules.length, chosen.size], [1, 1]);
    assert.equal(ids({ tags: '@source:001 or @needs:variants' }), '02 05 07');
    assert.equal(ids({ tags: '@beyond and not @TOY-03' }), '01 04 05 06 07 08');
    assert.equal(ids({ tags: '@erratum:TRAP-01' }), '02');
  });
  it('keeps a rule that has no scenario, where none is chosen by its tags', () => {
    const [first, ...rest] = catalogue.rules;
    assert.ok(first !== undefined);
    const odd = { ...catalogue, rules: [{ ...first, scenarios: [] }, ...rest] };
    const kept = (selection: Selection): boolean => select(odd, selection).rules.some(({ id }) => id === first.id);
    assert.deepEqual([kept({}), kept({ level: 'MUST' }), kept({ tags: 'not @waits' })], [true, true, false]);
  });
  it('refuses what is unknown and names the nearest', () => {
    refuses({ rules: ['TOY-00'] }, /no rule "TOY-00"\. Did you mean "TOY-01"/);
    refuses({ chapters: ['toy'] }, /no chapter "toy"\. Did you mean "toys"/);
    refuses({ level: 'MUSTN' }, /no level "MUSTN"\. Did you mean "MUST"/);
    refuses({ tags: '@waits and not @WAIT' }, /No rule carries the tag "@WAIT"/);
    refuses({ tags: '@needs:writse' }, /Did you mean "@needs:writes"/);
  });
  it('refuses an expression that cannot be read, is empty, or matches nothing', () => {
    refuses({ tags: '@waits and' }, /cannot be read/);
    refuses({ tags: ' ' }, /--tags is empty/);
    refuses({ tags: '@waits and not @waits' }, /matches no scenario/);
    refuses({ rules: ['TOY-05'], level: 'MUST' }, /matches no scenario/);
  });
});

describe('releases', () => {
  const why = (range: { since?: string; until?: string }, gitVersion: string): string | undefined => {
    const [, minor = '', patch] = /^v1\.(\d+)(?:\.(\d+))?/.exec(gitVersion) ?? [];
    const read = (text: string | undefined) => (text === undefined ? undefined : releasesOf(text));
    const [since, until] = [read(range.since), read(range.until)];
    return whyNotApplicable(
      { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) },
      { gitVersion, minor: Number(minor), ...(patch === undefined ? {} : { patch: Number(patch) }) },
    );
  };
  const applies = (range: { since?: string; until?: string }, version: string, expected: boolean): void =>
    assert.equal(why(range, version) === undefined, expected, `${JSON.stringify(range)} on ${version}`);

  it('counts both ends in', () => {
    applies({ since: '1.29' }, 'v1.29.0', true);
    applies({ since: '1.29' }, 'v1.28.9', false);
    applies({ until: '1.23' }, 'v1.23.17+k3s1', true);
    applies({ until: '1.23' }, 'v1.24.0', false);
  });
  it('knows backports: the first patch of each minor that has a change', () => {
    const since = '1.36.1,1.35.5';
    for (const [version, expected] of [
      ['v1.36.1', true],
      ['v1.36.0', false],
      ['v1.35.5', true],
      ['v1.35.4', false],
      ['v1.37.0', true],
      ['v1.34.9', false],
    ] as const) {
      applies({ since }, version, expected);
    }
    applies({ until: '1.36.0,1.35.4' }, 'v1.35.5', false);
    applies({ until: '1.36.0,1.35.4' }, 'v1.34.9', true);
  });
  it('says the version, and says so where the patch is not shown', () => {
    assert.match(why({ since: '1.29' }, 'v1.28.3') ?? '', /since Kubernetes 1\.29; the target is v1\.28\.3/);
    assert.match(why({ since: '1.36.1' }, 'v1.36') ?? '', /shows none/);
  });
  it('reads nothing but releases', () => {
    for (const text of ['', '1', '2.3', '1.29.', '1.29,1.29', 'v1.29']) assert.equal(releasesOf(text), undefined, text);
  });
});

describe('the nearest name', () => {
  it('is by edits, a swap counts once, the first of equals', () => {
    assert.equal(nearest('--contxet', ['--control-plane', '--context']), '--context');
    assert.equal(nearest('xc', ['bc', 'ac']), 'ac');
    assert.equal(nearest('nonsense', ['eks', 'k3s']), undefined);
    assert.equal(nearest('x', []), undefined);
  });
});
