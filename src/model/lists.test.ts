/** What is told by name in reports: the lists of the model and the schema of the report have the same names. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { packageFile } from '../run/package-root.js';
import { RESULTS, ROLES } from './finding.js';
import { REASONS, VERDICTS } from './verdict.js';
import { WAIVER_STATES } from './waiver.js';

const { definitions, properties } = JSON.parse(readFileSync(packageFile('schemas/report.schema.json'), 'utf8'));

test('verdicts, reasons, findings and waivers have the names that the schema of the report has', () => {
  for (const [names, schema] of [
    [VERDICTS, definitions.verdict],
    [REASONS, definitions.why.properties.kind],
    [RESULTS, definitions.finding.properties.result],
    [ROLES, definitions.finding.properties.role],
    [WAIVER_STATES, properties.waivers.items.properties.state],
  ])
    assert.deepEqual(names, schema.enum);
});
