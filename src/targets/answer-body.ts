/**
 * Bodies of answers, within limits: whatever a server sends, this process neither fills its memory nor stands still.
 */
import type { Readable } from 'node:stream';
import { Turns } from './turns.js';

/**
 * Bytes of one answer that is no page of a list. An object is at most 1.5 MiB where etcd keeps it, and longer as JSON.
 */
export const LARGEST_ANSWER = 8 * 1024 * 1024;
/** Bytes from which on an answer is read while no other one of that length is. */
const LONG = 1024 * 1024;
/** Of a JSON text: objects within objects, and values of all. */
interface Limits {
  readonly deepest: number;
  readonly values: number;
}
/**
 * Of one answer that is no page of a list. The deepest objects of Kubernetes have some forty levels; those that are
 * asked for by name are small, and many answers may be looked at at a time.
 */
const ANSWER_LIMITS: Limits = { deepest: 128, values: 100_000 };
/** Of a report, whose observations are what was read of ten thousand objects, and hold answers. */
export const REPORT_LIMITS: Limits = { deepest: 256, values: 10_000_000 };

/** An answer that is not read (on); the message is the end of a sentence. */
export class Unreadable extends Error {}
/** It says that it is JSON, and is none. */
export class CutOff extends Error {
  readonly code = 'JOINPROOF_CUT_OFF';
}
/** The body ended before it should have. */
export class Unfinished extends Error {
  readonly code = 'ECONNRESET';
}

const longOnes = new Turns(1);

/**
 * Resolves when a body that is listened to has ended, rejects where its connection did so before. Its events are
 * listened to: an iterator over it costs more than the rest of the request.
 */
export const ended = (body: Readable): Promise<void> =>
  new Promise((resolve, reject) => {
    body.on('end', resolve);
    body.on('error', reject);
    // an error is dear to make, and every body closes
    body.on('close', () => body.readableEnded || reject(new Unfinished('the answer did not end')));
  });

/**
 * All of a body. Its events are listened to: an iterator over it costs more than the rest of the request. Rejects with
 * Unreadable beyond `most` bytes, or as the connection ends.
 */
export async function textOf(body: Readable, most: number = LARGEST_ANSWER): Promise<string> {
  let holds = false;
  let over = false;
  const chunks: Buffer[] = [];
  let size = 0;
  const wait = async (): Promise<void> => {
    body.pause();
    await longOnes.take();
    if (over) longOnes.leave();
    else {
      holds = true;
      body.resume();
    }
  };
  try {
    let asked = false;
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) body.destroy(new Unreadable(`the answer is larger than ${most / 1024 / 1024} MiB`));
      else chunks.push(chunk);
      if (size <= LONG || asked || size > most) return;
      asked = true;
      void wait();
    });
    await ended(body);
    return (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString('utf8');
  } finally {
    over = true;
    if (holds) longOnes.leave();
  }
}

/**
 * The first event of a watch, or '' where it ends without one: that it was let through is all that is asked of one, and
 * what lies in a cluster may be long.
 */
export async function firstEvent(body: Readable): Promise<string> {
  let text = '';
  const first = new Promise<string>((resolve) => {
    body.setEncoding('utf8');
    body.on('data', (chunk: string) => {
      const at = chunk.indexOf('\n');
      text += at < 0 ? chunk : chunk.slice(0, at);
      if (at >= 0) resolve(text);
      else if (text.length > LARGEST_ANSWER) resolve('');
    });
  });
  try {
    return await Promise.race([first, ended(body).then(() => text)]);
  } finally {
    body.destroy();
  }
}

/** Why a text is not parsed as JSON, whether it is any or not. One linear look: parsing builds all of it at once. */
function whyUnparsed(text: string, { deepest, values: most }: Limits): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 34:
        for (at += 1; at < text.length && text.charCodeAt(at) !== 34; at += 1) if (text.charCodeAt(at) === 92) at += 1;
        break;
      case 44:
        values += 1;
        break;
      case 91:
      case 123:
        values += 1;
        depth += 1;
        if (depth > deepest) return `is nested deeper than ${deepest} levels`;
        break;
      case 93:
      case 125:
        depth -= 1;
        break;
    }
  }
  return values > most ? `holds more than ${most} values` : undefined;
}

/** The value; undefined where the text is no JSON. Throws Unreadable, "is nested …", where there is too much in it. */
export function jsonOf(text: string, limits: Limits = ANSWER_LIMITS): unknown {
  const why = whyUnparsed(text, limits);
  if (why !== undefined) throw new Unreadable(why);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
