/**
 * Every regular expression of the rooms that meet foreign texts, held against texts that are made of what it looks for
 * and of what it does not: none of them may take longer than in proportion to the text.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import ts from 'typescript';
import { workOf } from '../model/work.testing.js';
import { packageRoot } from './package-root.js';

const ROOMS = [
  ...['checks', 'targets', 'run', 'report', 'cli', 'model', 'kubernetes'].map((room) => `src/${room}`),
  ...['apiserver', 'reference', 'joining', 'kubeadm', 'pki'].map((room) => `src/${room}`),
  'steps',
];
const SHORT = 50_000;
const LONG = 1_000_000;
/**
 * Milliseconds of work of this process. What is linear takes a few; what is quadratic takes seconds already for the
 * short text.
 */
const BOUND = 100;

interface Pattern {
  readonly place: string;
  readonly pattern: RegExp;
}

interface Patterns {
  readonly file: string;
  /** Those that stand in the source as such. */
  readonly written: readonly Pattern[];
  /** Others are put together: `new RegExp(…)`. */
  readonly assembles: boolean;
}

function patternsIn(file: string): Patterns {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const written: Pattern[] = [];
  let assembles = false;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      written.push({ place: `${path.relative(packageRoot, file)}: ${node.text}`, pattern });
    }
    const made = ts.isNewExpression(node) || ts.isCallExpression(node) ? node.expression : undefined;
    if (made !== undefined && ts.isIdentifier(made) && made.text === 'RegExp') assembles = true;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { file, written, assembles };
}

const sources = ROOMS.flatMap((room) =>
  readdirSync(path.join(packageRoot, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/(?:\.(?:test|testing)|\/testing|\/fixture)\.ts$/.test(name))
    .sort()
    .map((name) => patternsIn(path.join(packageRoot, room, name))),
);

/** Their parts are sentences of our own features, and they meet nothing but these. */
const OF_OUR_OWN = ['src/run/support-library.ts', 'steps/kubelet-certificates/requests-at-rest.ts'];

/** Put together while the module is loaded, by file: one that is made anew for each text has no place here. */
const assembled = new Map<string, readonly Pattern[]>();
const { RegExp: original } = globalThis;
for (const { file } of sources.filter(({ assembles }) => assembles)) {
  const place = path.relative(packageRoot, file);
  if (OF_OUR_OWN.includes(place)) continue;
  const made: Pattern[] = [];
  const construct = (target: typeof RegExp, given: unknown[]): RegExp => {
    const pattern = Reflect.construct(target, given) as RegExp;
    made.push({ place: `${place}: new RegExp, ${pattern}`, pattern });
    return pattern;
  };
  globalThis.RegExp = new Proxy(original, { construct, apply: (target, _, given) => construct(target, given) });
  await import(pathToFileURL(path.join(packageRoot, 'dist', place.replace(/\.ts$/, '.js'))).href);
  globalThis.RegExp = original;
  assembled.set(place, made);
}

const patterns = [...sources.flatMap(({ written }) => written), ...[...assembled.values()].flat()];

/** All that can be seen of it. */
const ASCII = String.fromCharCode(...Array.from({ length: 95 }, (_, n) => 32 + n));

/** What a pattern matches, as far as fast-check can say. */
function samplesOf({ source, flags }: RegExp): readonly string[] {
  try {
    // fast-check draws from ASCII, and would look without end for what is none of it.
    const drawable = source
      .replace(/\(\?<[a-z]+>/g, '(')
      .replace(/\[\^(?:\\.|[^\]\\])*\]/g, (set) => (new RegExp(set).test(ASCII) ? set : 'é'));
    const plain = new RegExp(drawable, flags.replace(/[gi]/g, ''));
    return fc.sample(fc.stringMatching(plain), { numRuns: 4, seed: 7 }).map((sample) => sample.slice(0, 60));
  } catch {
    return [source.replace(/\\[a-z]|[\\^$()?:*+{}[\]|]/g, '')];
  }
}

/** How attacks begin and what they repeat. */
function attacksOn(pattern: RegExp): readonly (readonly [string, string])[] {
  const characters = [...' a0=-./[(":\n\\@'];
  return samplesOf(pattern).flatMap((sample, index) => {
    const cuts = Array.from({ length: Math.min(sample.length, 12) }, (_, n) => Math.ceil((n * sample.length) / 12));
    return [
      ['', sample] as const,
      ...[...new Set(cuts)].flatMap((cut) => [
        ['', sample.slice(0, cut)] as const,
        [sample.slice(0, cut), sample.slice(cut, cut + 1)] as const,
        [sample.slice(0, cut), sample.slice(cut, cut + 2)] as const,
      ]),
      ...(index === 0 ? characters.flatMap((one) => [['', one] as const, [sample.slice(0, -1), one] as const]) : []),
    ];
  });
}

const attack = ([begin, repeated]: readonly [string, string], length: number): string =>
  `${begin}${repeated.repeat(Math.ceil(length / Math.max(1, repeated.length)))}\u0001`;

const millisecondsOf = (pattern: RegExp, text: string): number => workOf(() => void text.replace(pattern, ''), BOUND);

test('the patterns are found', () => {
  assert.ok(patterns.length > 100);
  for (const [place, made] of assembled) assert.ok(made.length > 0, place);
});

for (const { place, pattern } of patterns)
  test(`takes time in proportion to the text: ${place}`, () => {
    let slowest: readonly [string, string] = ['', ' '];
    let most = 0;
    for (const one of attacksOn(pattern)) {
      const spent = millisecondsOf(pattern, attack(one, SHORT));
      assert.ok(spent < BOUND, `${spent} ms for ${JSON.stringify(one)} up to ${SHORT} characters`);
      if (spent > most) [most, slowest] = [spent, one];
    }
    const spent = millisecondsOf(pattern, attack(slowest, LONG));
    assert.ok(spent < BOUND, `${spent} ms for ${JSON.stringify(slowest)} up to ${LONG} characters`);
  });
