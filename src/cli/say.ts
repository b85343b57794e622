/**
 * Everything that joinproof writes for people beside its reports passes here: no secret by its looks, bounded, nothing
 * that acts on a terminal.
 */
import { cut, held, visible, visibleLines } from '../model/foreign.js';
import { Redactor } from '../targets/redaction.js';

/** A sentence, often of what others said, on one line of a stream. */
const line = (text: string): string => visible(cut(new Redactor().redact(held(text))));

/** A sentence on standard error. */
export function say(sentence: string): void {
  process.stderr.write(`joinproof: ${line(sentence)}\n`);
}

/** A line on standard output. */
export function tell(text: string): void {
  process.stdout.write(`${line(text)}\n`);
}

/** A stack trace, where JOINPROOF_DEBUG asks for it. */
export function explain(trace: string): void {
  process.stderr.write(`${visibleLines(cut(new Redactor().redact(held(trace))))}\n`);
}
