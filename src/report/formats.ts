/** The formats of --out: one definition gives the list, the type and the guard. A writer is loaded when asked for. */
import type { Report } from '../model/report.js';
import type { FeatureTexts } from './messages.js';

/** `features`: their texts, read only for formats that tell them. */
type Writer = (report: Report, features: () => Promise<FeatureTexts>) => string | Promise<string>;

export const FORMATS = [
  'json',
  'junit',
  'sarif',
  'tap',
  'messages',
  'markdown',
  'html',
  'openreports',
  'policyreports',
  'oscal',
  'prometheus',
  'badge',
] as const;
export type Format = (typeof FORMATS)[number];
export const isFormat = (text: string): text is Format => (FORMATS as readonly string[]).includes(text);

const WRITERS: Record<Format, () => Promise<Writer>> = {
  json: async () => (await import('./json.js')).toJson,
  junit: async () => (await import('./junit.js')).toJunit,
  sarif: async () => (await import('./sarif.js')).toSarif,
  tap: async () => (await import('./tap.js')).toTap,
  messages: async () => {
    const { toMessages } = await import('./messages.js');
    return async (report, features) => toMessages(report, await features());
  },
  markdown: async () => (await import('./markdown.js')).toMarkdown,
  html: async () => (await import('./html.js')).toHtml,
  openreports: async () => (await import('./open-reports.js')).toOpenReports,
  policyreports: async () => (await import('./open-reports.js')).toPolicyReports,
  oscal: async () => (await import('./oscal.js')).toOscal,
  prometheus: async () => (await import('./prometheus.js')).toPrometheus,
  badge: async () => (await import('./badge.js')).toBadge,
};

export const writerOf = (format: Format): Promise<Writer> => WRITERS[format]();
