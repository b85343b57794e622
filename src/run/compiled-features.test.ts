/** What is kept of the features is used only of the same text, read by the same code. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { featureHash } from './compiled-features.js';
import { distFolder } from './package-root.js';

/** Of the text of a module of this room: those of the room that it imports values of. */
const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^import (?!type ).* from '\.\/([\w-]+)\.js';$/gm)].map(([, name = '']) => name);
const textOf = (name: string): string => readFileSync(path.join(distFolder, 'src', 'run', `${name}.js`), 'utf8');

/** They say where a text lies, what an error is called, and what else was meant: nothing of a rule. */
const NOTHING_OF_RULES = ['compiled-features', 'usage-error', 'nearest', 'package-root'];

/** Modules of which rules come, from that which parses on. */
function makers(name = 'features', found: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  if (found.has(name) || NOTHING_OF_RULES.includes(name)) return found;
  return importsOf(textOf(name)).reduce<ReadonlySet<string>>(
    (all, next) => makers(next, all),
    new Set([...found, name]),
  );
}

describe('the hash of a feature', () => {
  it('is that of its name, its text and all code that makes rules of it', () => {
    const code = [...makers()].sort().map(textOf).join('');
    const expected = createHash('sha256').update(`${code}\na/b.feature\nFeature: b`).digest('base64url');
    assert.equal(featureHash('a/b.feature', 'Feature: b'), expected);
  });
  it('is another one for another name and another text', () => {
    const all = [
      featureHash('a/b.feature', 'Feature: b'),
      featureHash('a/c.feature', 'Feature: b'),
      featureHash('a/b.feature', 'Feature: c'),
    ];
    assert.equal(new Set(all).size, 3);
  });
});
