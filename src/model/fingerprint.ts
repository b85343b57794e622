/** By what a finding is known again in another run. */
import { createHash } from 'node:crypto';
import type { Finding } from './finding.js';
import type { ScenarioResult } from './report.js';

/** Names of joinproof's own making differ in every run. */
const lasting = (text: string): string => text.replace(/\b(jp|joinproof)-[a-z0-9-]+/g, '$1-…');

/** Of scenario, object and demand, SHA-256 in hex: the same in every run, whatever was seen. */
export const fingerprintOf = (scenario: string, { subject, demanded }: Finding): string =>
  createHash('sha256')
    .update(JSON.stringify([scenario, lasting(subject), lasting(demanded)]))
    .digest('hex');

/** What a scenario demands and did not see, with what each is known by. */
export const unmetDemands = ({ id, judgements }: ScenarioResult): readonly (readonly [print: string, Finding])[] =>
  judgements
    .flatMap(({ findings }) => findings)
    .filter(({ role, result }) => role === 'demand' && result === 'unmet')
    .map((finding) => [fingerprintOf(id, finding), finding] as const);
