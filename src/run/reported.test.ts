import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import type { Report } from '../model/report.js';
import type { Need, Target } from '../targets/types.js';
import { documentsOf, type JudgeOptions, judge } from './judge.js';
import { distFolder, packageFile } from './package-root.js';
import { packageProfile } from './profiles.js';
import { toyTarget } from './testing/toy-target.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-reported-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Toys of rules that documents demand: one whose document is wrong, one that is over, one that is right. */
const NAMES = { 'TOY-01': 'KAPI-019', 'TOY-02': 'APIAUTH-001', 'TOY-05': 'AUTH-001' } as const;
const toys = readFileSync(packageFile('src/run/testing/features/toys/toy.feature'), 'utf8');
const written = Object.entries(NAMES)
  .reduce((text, [toy, name]) => text.replaceAll(`@${toy} `, `@${name} `), toys)
  .replace(/ +@until:1\.20\n.*\n.*\n/, '');
/** A folder of features that has the toys as one chapter. */
const suiteOf = (chapter: string): string => {
  const features = path.join(folder, `as-${chapter}`);
  mkdirSync(path.join(features, chapter), { recursive: true });
  writeFileSync(path.join(features, chapter, 'toy.feature'), written);
  return features;
};
const steps = [path.join(distFolder, 'src/run/testing/toy-steps.js')];
const suite = { features: suiteOf('toys'), steps };

const reported = async (options: Partial<JudgeOptions> = {}, has: readonly Need[] = ['writes']): Promise<Report> => {
  const { report } = await judge({
    target: toyTarget(has),
    selection: { rules: Object.values(NAMES) },
    signal: new AbortController().signal,
    suite,
    ...options,
  });
  return report;
};
const ofRule = ({ rules }: Report, id: string) => {
  const found = rules.find((rule) => rule.id === id);
  assert.ok(found, id);
  return found;
};

describe('what a report says of a rule', () => {
  it('are the sentences that demand it, with what their documents say wrongly and since when', async () => {
    const report = await reported();
    assert.deepEqual(
      report.rules.map(({ id }) => id),
      ['APIAUTH-001', 'AUTH-001', 'KAPI-019'],
    );
    assert.deepEqual(
      ofRule(report, 'KAPI-019').sentences.map(({ id, documents, erratum }) => [id, documents, erratum]),
      [
        [
          'KAPI-019',
          ['002'],
          'the document says: 002 prints a semicolon inside the value.; The value has no semicolon.',
        ],
      ],
    );
    const [over] = ofRule(report, 'APIAUTH-001').sentences;
    assert.equal(over?.erratum, 'Basic authentication was removed. (since 1.19)');
    const right = ofRule(report, 'AUTH-001').sentences.find(({ id }) => id === 'AUTH-001');
    assert.deepEqual(right?.documents, ['001', '002', '004']);
    assert.deepEqual(documentsOf('AUTH-001'), ['001', '002', '004']);
    assert.ok(ofRule(report, 'KAPI-019').errata.some(({ id }) => id === 'TRAP-49'));
  });

  it('are none of one that passed, where nobody reads them', async () => {
    const report = await reported({ sentences: 'not passed' });
    assert.deepEqual([ofRule(report, 'KAPI-019').verdict, ofRule(report, 'KAPI-019').sentences], ['passed', []]);
    assert.equal(ofRule(report, 'APIAUTH-001').verdict, 'failed');
    assert.equal(ofRule(report, 'APIAUTH-001').sentences.length, 1);
  });

  it('is that it is advice, where it is of the policy and the profile does not demand it', async () => {
    const advised = async (chapter: string, demands: 'all' | readonly string[]) => {
      const held = { profile: { ...packageProfile('kubeadm'), demands }, chosen: 'given', signs: [] } as const;
      const report = await reported({ held, suite: { features: suiteOf(chapter), steps } });
      return report.rules.filter(({ advice }) => advice === true).map(({ id }) => id);
    };
    assert.deepEqual(await advised('policy', ['AUTH-001']), ['APIAUTH-001', 'KAPI-019']);
    assert.deepEqual(await advised('policy', 'all'), []);
    assert.deepEqual(await advised('toys', ['AUTH-001']), []);
  });
});

describe('what a report says of a run', () => {
  it('is what was chosen, in order, and what its target can', async () => {
    const selection = {
      rules: ['KAPI-019', 'APIAUTH-001'],
      chapters: ['toys'],
      level: 'MUST',
      tags: 'not @waits',
    } as const;
    const { profile, target } = await reported({ selection }, ['writes', 'clock', 'reviews']);
    assert.deepEqual(
      [profile.rules, profile.chapters, profile.level, profile.tags],
      [['APIAUTH-001', 'KAPI-019'], ['toys'], 'MUST', 'not @waits'],
    );
    assert.deepEqual(target.abilities, ['clock', 'reviews', 'writes']);
    assert.equal(target.version, 'v1.36.0');
    assert.equal('authenticators' in target, false);
    const { profile: whole } = await reported({ selection: {} });
    assert.deepEqual([whole.rules, whole.chapters, whole.level, whole.tags], [[], [], null, null]);
  });

  it('is that nobody knows the version, where it cannot be read', async () => {
    const known = toyTarget(['writes']);
    const unknown: Target = { ...known, facts: { ...known.facts, version: { unreadable: 'it is gone' } } };
    assert.equal((await reported({ target: unknown })).target.version, null);
  });

  it('tells of no objects of its own where none were made', async () => {
    assert.equal('ownObjects' in (await reported()), false);
  });
});
