/**
 * Part of "npm run build": holds features/sentences to its schema and keeps what was parsed as JSON in dist, because
 * parsing the YAML would cost every run 0.3 s; the same of the features. Writes only what has changed; without it a run
 * parses the texts itself.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { COMPILED_FEATURES, compiledFeatures, featureHash } from '../run/compiled-features.js';
import { featureFiles, parseFeature } from '../run/features.js';
import { featuresFolder } from '../run/package-root.js';
import { validAreas, validTraps } from '../run/sentence-files.js';
import { areaTexts, COMPILED, compiledAreas, textHash, trapText } from '../run/sentences.js';
import { writeProof } from './proof.js';

const texts = areaTexts();
const traps = trapText();
const before = compiledAreas();
const missing = [...texts.values(), traps].some((text) => before[textHash(text)] === undefined);
if (missing || Object.keys(before).length !== texts.size + 1) {
  const areas = [...validAreas(texts)].map(([file, area]) => [textHash(texts.get(file) ?? ''), area] as const);
  const compiled = Object.fromEntries([...areas, [textHash(traps), { traps: validTraps() }]]);
  writeFileSync(COMPILED, `${JSON.stringify(compiled)}\n`);
}

const features = featureFiles(featuresFolder).map((file) => {
  const text = readFileSync(path.join(featuresFolder, file), 'utf8');
  return { file, text, hash: featureHash(file, text) };
});
const parsed = compiledFeatures();
if (features.some(({ hash }) => parsed[hash] === undefined) || Object.keys(parsed).length !== features.length)
  writeFileSync(
    COMPILED_FEATURES,
    `${JSON.stringify(Object.fromEntries(features.map(({ file, text, hash }) => [hash, parseFeature(file, text)])))}\n`,
  );
await writeProof();
