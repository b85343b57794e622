import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { featuresFolder } from './package-root.js';

/** What rules say passes into reports unredacted, so it must not look like a secret: nobody could tell it from one. */
test('no sentence of ours holds the secret half of a token, not even that of an example', () => {
  const folder = path.join(featuresFolder, 'sentences');
  for (const file of readdirSync(folder)) {
    const words = readFileSync(path.join(folder, file), 'utf8').match(/\b[a-z0-9]{16}\b/g) ?? [];
    assert.deepEqual(
      words.filter((word) => /[0-9]/.test(word)),
      [],
      file,
    );
  }
});
