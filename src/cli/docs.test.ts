/** The site that joinproof docs writes, and the errata that joinproof rules prints: what is given is in them. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { documentName } from '../report/documents.js';
import { toJson } from '../report/json.js';
import { report } from '../report/testing-report.js';
import { readFeatures } from '../run/features.js';
import { featuresFolder } from '../run/package-root.js';
import { packageTraps } from '../run/sentences.js';
import { commanded } from './commands.testing.js';
import { toldErrata } from './errata.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-docs-'));
const SIGNED = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzIn0.c2lnbmF0dXJlc2lnbmF0dXJl';
/** A report of a target of that name, with a join that shows in which order a client asks. */
const reportOf = (name: string): string => {
  const file = path.join(folder, `${name}.json`);
  const seen = [{ what: `GET /asked-of-${name}`, as: 'anonymous', answered: 200 }];
  const observations = { o1: [{ subject: 'ok-pin (a client)', exit: 0, seen }], o2: { toys: `toys of ${name}` } };
  const target = { ...report.target, name: `${name} ${SIGNED}` };
  const [one] = report.rules;
  writeFileSync(
    file,
    toJson({ ...report, target, observations, rules: one === undefined ? [] : [{ ...one, id: 'TOK-001' }] }),
  );
  return file;
};
const site = path.join(folder, 'site');

// before a test is said to run, which is said on the same stream
const made = await commanded(['docs', reportOf('alpha'), reportOf('beta'), '--out', site]);
const pages = readdirSync(site, { recursive: true, encoding: 'utf8' });
const textOf = (name: string): string => readFileSync(path.join(site, name), 'utf8');
const all = pages.filter((name) => path.extname(name) !== '').map(textOf);
const chapters = pages.filter((name) => name.startsWith('chapters/')).map(textOf);
const index = textOf('index.html');
const targets = textOf('targets.html');
const errata = await commanded(['rules', '--errata']);
const errataOfOne = await commanded(['rules', '--errata', '--chapter', 'pinning', '--format', 'json']);
const errataOfMust = await commanded(['rules', '--errata', '--level', 'MUST', '--format', 'json']);
const errataOfTag = await commanded(['rules', '--errata', '--tags', '@INFO-018', '--format', 'json']);
rmSync(folder, { recursive: true });

describe('the site', () => {
  it('is written whole, and says where it lies', () => {
    const files = pages.filter((name) => path.extname(name) !== '').length;
    assert.deepEqual([made.code, made.err], [0, '']);
    assert.equal(made.out, `${files} files in ${site}; open ${path.join(site, 'index.html')}\n`);
  });

  it('calls documents by their names, and tells of every rule', () => {
    assert.ok(index.includes(documentName('001')));
    for (const { id } of readFeatures(featuresFolder).rules)
      assert.ok(
        chapters.some((text) => text.includes(`id="${id}"`)),
        id,
      );
  });

  it('tells of every report that it is given, and no secret of any', () => {
    for (const name of ['alpha', 'beta']) assert.ok(targets.includes(`${name} [redacted]`), name);
    assert.ok(all.every((text) => !text.includes(SIGNED)));
  });

  it('shows the joins of a report, and nothing else that was observed', () => {
    assert.ok(all.some((text) => text.includes('/asked-of-alpha')));
    assert.ok(all.every((text) => !text.includes('toys of')));
  });
});

describe('the errata', () => {
  interface Told {
    readonly id: string;
    readonly places: readonly { readonly document: string; readonly heading: string }[];
    readonly rules: readonly string[];
    readonly unjudged: readonly { readonly sentence: string; readonly why: string }[];
  }
  const told = (text: string): readonly Told[] => JSON.parse(text);
  const whole = told(toldErrata([], { all: true, format: 'json' }));

  it('are all of them where nothing is chosen, each with its places and with why nobody judges it', () => {
    assert.deepEqual(
      whole.map(({ id }) => id),
      packageTraps().map(({ id }) => id),
    );
    assert.equal(errata.code, 0);
    assert.equal(errata.out, toldErrata([], { all: true, format: 'table' }));
    const paragraphs = errata.out.split('\n\n');
    assert.equal(paragraphs.length, whole.length);
    for (const [index, { id, places, rules, unjudged }] of whole.entries()) {
      const [first = '', ...lines] = (paragraphs[index] ?? '').trimEnd().split('\n');
      assert.equal(first, `${id}  ${rules.join(', ') || 'no rule yet'}`);
      for (const { document, heading } of places) assert.ok(lines[0]?.includes(`${document}, ${heading}`), id);
      for (const { sentence, why } of unjudged) assert.ok(lines.includes(`  ${sentence}: ${why}`), sentence);
    }
    assert.ok(
      whole.every(({ unjudged }) => unjudged.every(({ why }) => why.length > 10 && !why.includes('undefined'))),
    );
  });

  it('are those of the chosen rules where some are', () => {
    const known = new Map(readFeatures(featuresFolder).rules.map(({ id, chapter, level }) => [id, { chapter, level }]));
    const of = (fits: (id: string) => boolean): readonly string[] =>
      whole.filter(({ rules }) => rules.some(fits)).map(({ id }) => id);
    const ids = ({ out }: typeof errata): readonly string[] => told(out).map(({ id }) => id);
    assert.deepEqual(
      ids(errataOfOne),
      of((id) => known.get(id)?.chapter === 'pinning'),
    );
    assert.deepEqual(
      ids(errataOfMust),
      of((id) => known.get(id)?.level === 'MUST'),
    );
    assert.deepEqual(
      ids(errataOfTag),
      of((id) => id === 'INFO-018'),
    );
    assert.ok(ids(errataOfMust).length < whole.length);
  });
});
