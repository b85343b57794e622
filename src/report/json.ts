/** The JSON report: the model itself, in a fixed order of keys. Schema: schemas/report.schema.json. */
import { visibleJson } from '../model/foreign.js';
import type { Report } from '../model/report.js';

export const toJson = (report: Report): string => `${visibleJson(JSON.stringify(report, undefined, 2))}\n`;
