/** Answers of plain text. Source: net/http Error, which forbids to sniff what they are; other handlers say nothing of it. */
import type { FullResponse } from '../machinery/http.js';

const PLAIN = 'text/plain; charset=utf-8';
const PAGE = { 'Content-Type': PLAIN, 'Cache-Control': 'no-cache, private' };

export const plainPage = (body: string, type = PLAIN): FullResponse => ({
  kind: 'full',
  code: 200,
  headers: { ...PAGE, 'Content-Type': type },
  body,
});
export const textResponse = (code: number, body: string, type = PLAIN): FullResponse => ({
  kind: 'full',
  code,
  headers: { ...PAGE, 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' },
  body,
});
export const notFoundText = (): FullResponse => textResponse(404, '404 page not found\n');
