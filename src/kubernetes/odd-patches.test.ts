/**
 * What patches make of documents, also those that do not apply: src/kubernetes/patched.txt.
 * `node dist/src/kubernetes/odd-patches.test.js --write` writes it anew.
 */
import { testRecorded } from '../report/recorded.testing.js';
import { packageFile } from '../run/package-root.js';
import { jsonPatch, mergePatch, PatchFailed, patchedText } from './patch-json.js';

const DOCUMENT = { b: { d: 1, c: [1, { f: 2, e: 3 }, null], 'a/b~c': '<&>' }, a: 'text', n: null };
const VALUES: readonly unknown[] = [undefined, null, 5, '', 'a', [], [1], {}, { z: 1, y: null }, DOCUMENT];
const PATHS = [
  ...['', '/', 'a', 'x/a', '/a', '/n', '/none', '/none/a', '/a/b', '/b', '/b/d', '/b/none', '/b/a~1b~0c', '/b/a/b'],
  ...['/b/c', '/b/c/0', '/b/c/1', '/b/c/2', '/b/c/3', '/b/c/4', '/b/c/-', '/b/c/-1', '/b/c/-3', '/b/c/-4', '/b/c/01'],
  ...['/b/c/1/e', '/b/c/1/none', '/b/c/x', '/b/c/1.5', '/b/c/0/a', '/b/c/2/a', '/__proto__', '/constructor/a'],
];

/** Its text, with keys in order where they are printed so. */
function made(act: (seen: Set<object>) => unknown): string {
  const seen = new Set<object>();
  try {
    return patchedText(act(seen), seen);
  } catch (error) {
    if (!(error instanceof PatchFailed)) throw error;
    return `fails: ${error.message}`;
  }
}
const lines: string[] = [];
const operate = (...operations: readonly unknown[]): void => {
  const before = JSON.stringify(DOCUMENT);
  lines.push(`${JSON.stringify(operations)}\n  ${made((seen) => jsonPatch(DOCUMENT, operations, seen))}`);
  if (JSON.stringify(DOCUMENT) !== before) lines.push('  and the document itself is another');
};
for (const path of PATHS) {
  for (const op of ['add', 'replace', 'remove', 'test']) operate({ op, path, value: { z: 1, y: [2] } });
  for (const op of ['move', 'copy']) {
    operate({ op, path, from: '/b/c/1' });
    operate({ op, path: '/b/c/1', from: path });
  }
  for (const value of VALUES) operate({ op: 'test', path, value });
}
for (const value of VALUES) {
  operate({ op: 'add', path: '/b/c/-', value });
  operate({ op: 'replace', path: '', value });
  operate({ op: 'test', path: '', value }, { op: 'remove', path: '/a' });
}
for (const one of [
  undefined,
  null,
  'a',
  [],
  {},
  { op: 'add' },
  { path: '/a' },
  { op: 'none', path: '/a' },
  { op: 'add', path: 5 },
  { op: 'move', path: '/a' },
])
  operate(one);
operate({ op: 'remove', path: '/a' }, { op: 'remove', path: '/a' });
operate(
  { op: 'add', path: '/x', value: {} },
  { op: 'add', path: '/x/y', value: 1 },
  { op: 'move', from: '/x', path: '/b/c/0' },
);
const large = 'a'.repeat(1024 * 1024 - 10);
for (const times of [2, 3, 4]) {
  const copies = Array.from({ length: times }, (_, index) => ({ op: 'copy', from: '/large', path: `/${index}` }));
  lines.push(`${times} copies: ${made(() => Object.keys(jsonPatch({ large }, copies) as object).join(' '))}`);
}
for (const target of VALUES)
  for (const patch of [
    ...VALUES,
    { b: null },
    { b: { c: null, d: { x: null, w: [null, { v: null, u: 1 }] } } },
    { a: { b: {} } },
  ])
    lines.push(
      `${JSON.stringify(target)} with ${JSON.stringify(patch)}\n  ${made((seen) => mergePatch(target, patch, seen) ?? 'nothing')}`,
    );

testRecorded('what patches make', packageFile('src/kubernetes'), new Map([['patched.txt', `${lines.join('\n')}\n`]]));
