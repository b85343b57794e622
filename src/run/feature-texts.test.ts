import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { featureTexts } from './feature-texts.js';
import { featuresFolder } from './package-root.js';

test('every scenario has a place, whose line begins it in the text of its file', () => {
  const { texts, places } = featureTexts();
  assert.ok(texts.size > 50 && places.size > 1000);
  for (const [file, text] of texts) assert.equal(text, readFileSync(path.join(featuresFolder, file), 'utf8'), file);
  for (const [id, place] of places) {
    const [, file = '', line = ''] = /^(.*):(\d+)$/.exec(place) ?? [];
    const told = texts.get(file)?.split('\n')[Number(line) - 1] ?? '';
    assert.match(told, /^\s*(?:Scenario|Scenario Outline|Example|\|)/, `${id} at ${place}`);
  }
});
