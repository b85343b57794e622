/** The formats of --out: one definition gives the list, the type and the guard. */

import type { Report } from '../model/report.js';
import { toJson } from './json.js';
import { toJunit } from './junit.js';

export const FORMATS = ['json', 'junit'] as const;
export type Format = (typeof FORMATS)[number];
export const isFormat = (text: string): text is Format => (FORMATS as readonly string[]).includes(text);

export const WRITERS = { json: toJson, junit: toJunit } satisfies Record<Format, (report: Report) => string>;
