import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { visibleLines } from '../model/foreign.js';
import type { Report } from '../model/report.js';
import { toConsole } from './console.js';
import { whyUnwritable, writeWhole } from './files.js';
import { toJson } from './json.js';
import { toJunit } from './junit.js';
import { report } from './testing-report.js';

const schema: object = JSON.parse(
  readFileSync(new URL('../../../schemas/report.schema.json', import.meta.url), 'utf8'),
);
const ajv = new Ajv({ allErrors: true });
formats.default(ajv);
const validate = ajv.compile(schema);

describe('the JSON report', () => {
  it('is what the schema says', () => {
    assert.ok(validate(JSON.parse(toJson(report))), JSON.stringify(validate.errors));
  });

  it('must have a reason for all but passed, and no field more', () => {
    const [first, ...others] = report.rules;
    assert.ok(first);
    assert.equal(validate({ ...report, rules: [{ ...first, verdict: 'skipped', reason: null }, ...others] }), false);
    assert.equal(validate({ ...report, more: 1 }), false);
    assert.equal(validate({ ...report, rules: [] }), false);
  });
});

describe('the JUnit report', () => {
  const xml = toJunit(report);

  it('counts, and tells failure, error and both kinds of skip apart', () => {
    assert.match(xml, /<testsuites name="joinproof" tests="6" failures="1" errors="1" skipped="3" time="1.25"/);
    assert.match(xml, /<testcase name="TOY-01 rule TOY-01" classname="toys.MUST" time="0.5"\/>/);
    assert.match(xml, /<skipped message="skipped because of a &lt;b&gt; &amp; &quot;c&quot;/);
    assert.match(xml, /<skipped message="waived: waived because/);
    assert.match(xml, /<skipped message="advised: advised because/);
    assert.match(xml, /<failure message="failed because/);
    assert.match(xml, /<error message="error because/);
  });

  it('holds nothing that XML forbids, and every element is closed', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the forbidden ones.
    assert.doesNotMatch(xml, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u);
    const open: string[] = [];
    for (const [, slash, name, attributes] of xml.matchAll(/<(\/?)([a-z]+)((?:[^<>"]|"[^"<]*")*)>/g)) {
      if (slash === '/') assert.equal(open.pop(), name);
      else if (!attributes?.endsWith('/')) open.push(name ?? '');
    }
    assert.deepEqual(open, []);
    assert.doesNotMatch(xml, /&(?!amp;|lt;|gt;|quot;|#\d+;)/);
  });
});

describe('the console', () => {
  const text = toConsole(report, { colour: false });

  it('shows of a failed rule what was demanded, what was seen, where, how to repair and the document', () => {
    for (const line of [
      'object:    Secret TOY-04',
      'demanded:  a <sound> id',
      'repair:    mend it.',
      '001 Authenticating with Bootstrap Tokens; features/toys/a.feature:3',
    ]) {
      assert.ok(text.includes(line), line);
    }
  });

  it('ends with a line that counts', () => {
    assert.equal(
      text.trimEnd().split('\n').at(-1),
      '6 rules: 1 passed, 1 waived, 1 skipped, 1 advised, 1 failed, 1 not judged (error); not conformant; not judged: 2 of toys (1.3 s)',
    );
  });

  it('never says conformant of what was not judged', () => {
    const last = (rules: Report['rules'], changed: Partial<Report> = {}): string | undefined => {
      const count = (kind: string): number => rules.filter(({ verdict }) => verdict === kind).length;
      const counts = { passed: count('passed'), skipped: count('skipped'), waived: 0, advised: 0, failed: 0, error: 0 };
      const exitCode = changed.summary?.exitCode ?? 0;
      const summary = { ...report.summary, rules: rules.length, ...counts, exitCode };
      return toConsole({ ...report, ...changed, rules, summary }, { colour: false })
        .trimEnd()
        .split('\n')
        .at(-1);
    };
    const [first, , skipped] = report.rules;
    assert.ok(first && skipped);
    assert.equal(last([first]), '1 rule: 1 passed; conformant (1.3 s)');
    assert.equal(
      last([first, skipped]),
      '2 rules: 1 passed, 1 skipped; conformant in 1 of 2; not judged: 1 of toys (1.3 s)',
    );
    const gate = {
      failOn: 'SHOULD',
      require: ['writes'],
      maxSkipped: null,
      shortfalls: ['it lacks "writes"'],
    } as const;
    assert.match(
      last([first], { gate, summary: { ...report.summary, exitCode: 3 } }) ?? '',
      /conformant, but not what was demanded/,
    );
  });

  it('lets no control character of a target through, and colours only where asked', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these.
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f]/);
    assert.ok(toConsole(report, { colour: true }).includes('\u001b[31mfailed\u001b[0m'));
  });

  it('names what passed only where asked', () => {
    assert.ok(!text.includes('rule TOY-01'));
    assert.ok(toConsole(report, { colour: false, detail: 'verbose' }).includes('TOY-01 MUST  rule TOY-01'));
  });

  it('takes a line for each rule that is not met, and the one that counts, where it is to be quiet', () => {
    const lines = toConsole(report, { colour: false, detail: 'quiet' }).trimEnd().split('\n');
    const unmet = report.rules.filter(({ verdict }) => ['failed', 'error', 'advised'].includes(verdict));
    assert.ok(unmet.length > 1);
    for (const { id, verdict } of unmet)
      assert.equal(lines.filter((line) => line.startsWith(`${verdict}  ${id} `)).length, 1, id);
    assert.deepEqual(
      lines.filter((line) => /^(passed|skipped|waived) |^ {2}/.test(line)),
      [],
    );
    assert.equal(lines.at(-1), text.trimEnd().split('\n').at(-1));
  });
});

describe('what a target says, whatever it says', () => {
  const fake = '\n234 rules: 234 passed; conformant (1.0 s)\n\u001b[2J\u202e\u200b]]>';
  const hostile: Report = {
    ...report,
    target: { ...report.target, name: `a${fake}`, version: `v1.36.0${fake}` },
    rules: report.rules.map((rule) => ({
      ...rule,
      reason: rule.reason === null ? null : { ...rule.reason, text: fake },
      scenarios: rule.scenarios.map((scenario) => ({
        ...scenario,
        reason: scenario.reason === null ? null : { ...scenario.reason, text: fake },
        judgements: scenario.judgements.map((judgement) => ({
          ...judgement,
          findings: judgement.findings.map((finding) => ({ ...finding, subject: fake, demanded: fake, seen: fake })),
        })),
      })),
    })),
    observations: { o1: { [fake]: fake } },
  };

  for (const [name, write] of [
    ['console', (given: Report) => toConsole(given, { colour: false, detail: 'verbose' })],
    ['JUnit', toJunit],
    ['JSON', toJson],
  ] as const)
    it(`begins no line of the ${name} and hides nothing in it`, () => {
      const text = write(hostile);
      assert.ok(text.includes('\\n234 rules') && text.includes('\\u202e') && text.includes('\\u200b'));
      assert.equal(visibleLines(text), text);
      assert.ok(!text.split('\n').some((line) => line.trimStart().startsWith('234 rules')));
    });

  it('is the same text in JSON when that is read again', () => {
    assert.deepEqual(JSON.parse(toJson(hostile)), JSON.parse(JSON.stringify(hostile)));
  });
});

describe('files', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-files-'));
  after(() => rmSync(folder, { recursive: true }));

  it('makes the folder, writes whole and leaves no other file', () => {
    const file = path.join(folder, 'new', 'a.json');
    assert.equal(whyUnwritable(file), undefined);
    writeWhole(file, 'text');
    assert.equal(readFileSync(file, 'utf8'), 'text');
    assert.deepEqual(readdirSync(path.dirname(file)), ['a.json']);
  });

  it('leaves nothing behind where writing fails, and follows no link that lies in the way', () => {
    const taken = path.join(folder, 'taken');
    mkdirSync(path.join(taken, 'a.json', 'more'), { recursive: true });
    assert.throws(() => writeWhole(path.join(taken, 'a.json'), 'text'), { code: 'EISDIR' });
    assert.deepEqual(readdirSync(taken), ['a.json']);
    const victim = path.join(folder, 'victim');
    writeFileSync(victim, 'kept');
    symlinkSync(victim, path.join(taken, `.b.json.${process.pid}.tmp`));
    writeWhole(path.join(taken, 'b.json'), 'text');
    assert.equal(readFileSync(victim, 'utf8'), 'kept');
    assert.deepEqual(readdirSync(taken), ['a.json', 'b.json']);
  });

  it('writes into a pipe that is there, and leaves it one', () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      assert.equal(whyUnwritable(pipe), undefined);
      writeWhole(pipe, 'text');
      const got = Buffer.alloc(10);
      assert.equal(got.toString('utf8', 0, readSync(reader, got)), 'text');
      assert.ok(statSync(pipe).isFIFO());
    } finally {
      closeSync(reader);
    }
  });

  it('replaces a file that is there, and leaves what others hold of it as it was', () => {
    const file = path.join(folder, 'old.json');
    const held = path.join(folder, 'held.json');
    writeFileSync(file, 'old');
    linkSync(file, held);
    assert.equal(whyUnwritable(file), undefined);
    assert.equal(readFileSync(file, 'utf8'), 'old');
    writeWhole(file, 'new');
    assert.deepEqual([readFileSync(file, 'utf8'), readFileSync(held, 'utf8')], ['new', 'old']);
    const deep = path.join(folder, 'a', 'b', 'c', 'd.json');
    assert.equal(whyUnwritable(deep), undefined);
    writeWhole(deep, 'text');
    assert.deepEqual(readdirSync(path.dirname(deep)), ['d.json']);
  });

  it('says why a path cannot be written', () => {
    writeFileSync(path.join(folder, 'file'), '');
    assert.equal(whyUnwritable(folder), 'it is a folder');
    assert.match(whyUnwritable(path.join(folder, 'a'.repeat(300))) ?? '', /^ENAMETOOLONG/);
    assert.equal(whyUnwritable(path.join(folder, 'file', 'a.json')), 'a part of the path is no folder');
  });
});
