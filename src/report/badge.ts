/** A badge for a README: SVG, one line, readable without colours. */
import type { Report } from '../model/report.js';
import { conformity } from './told.js';

/** Contrast with white text is at least 4.5 to 1. */
const COLOURS = { 0: '#1a7f37', 1: '#b42318', 3: '#57606a' } as const;
const LABEL = 'join conformance';
/** Width of a character of Verdana at 11 px, on average; the texts are stretched to it exactly. */
const CHARACTER = 6.6;
const PADDING = 6;

const widthOf = (text: string): number => Math.round(text.length * CHARACTER);

export function toBadge(report: Report): string {
  const { exitCode } = report.summary;
  const message = conformity(report);
  const left = widthOf(LABEL) + 2 * PADDING;
  const right = widthOf(message) + 2 * PADDING;
  const text = (content: string, x: number): string =>
    `  <text x="${x}" y="14" textLength="${widthOf(content)}">${content}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20"`,
    `  role="img" aria-label="${LABEL}: ${message}">`,
    `  <title>${LABEL}: ${message}</title>`,
    `  <rect width="${left}" height="20" fill="#24292f"/>`,
    `  <rect x="${left}" width="${right}" height="20" fill="${COLOURS[exitCode]}"/>`,
    '  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    text(LABEL, PADDING),
    text(message, left + PADDING),
    '  </g>',
    '</svg>',
    '',
  ].join('\n');
}
