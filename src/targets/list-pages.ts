/** Lists as a stream: page by page, each item on its own, so that neither a page nor a list is ever held as a whole. */
import type { Readable } from 'node:stream';
import { isRecord, record } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { ended } from './answer-body.js';
import { UnexpectedAnswer } from './errors.js';
import { ItemScanner, Unlistable } from './item-scanner.js';
import { costOf, KeptLists } from './kept-lists.js';
import type { Answer } from './types.js';

/** Reads a body and returns the text that stands for it; `alive`: it gets on, which puts the time limit off. */
export type BodyReader = (body: Readable, alive: () => void) => Promise<string>;

export interface Pages<T> {
  /** Of the collection, for messages. */
  readonly path: string;
  /** Asks for one page. `read` takes the body of a 200; it is called again where the page is asked for again. */
  readonly ask: (page: Readonly<Record<string, string>>, read: BodyReader) => Promise<Answer>;
  /** The answer as an object. Throws UnexpectedAnswer where it is none. */
  readonly object: (answer: Answer) => KubeObject;
  /** What is kept of an item; undefined: nothing. Of no effect but its value, since a page may come twice. */
  readonly keep: (item: KubeObject) => T | undefined;
  /** Is there room for so many bytes of what is kept of this list? default: within the limit of one target. */
  readonly fits?: (bytes: number) => boolean;
  /** Milliseconds of a steady clock; default: this machine's. */
  readonly now?: () => number;
}

const PAGE = 500;
/** Bytes by which a page has to get on within the time limit of a question: what drips is not waited for. */
const PROGRESS = 64 * 1024;
/** Times that a list is begun anew because it became older than what the server keeps. */
const ATTEMPTS = 3;
const MOST_PAGES = 20_000;
/** A server that filters may send a page without items; one that does nothing else has no end. */
const MOST_EMPTY_PAGES = 20;
const MOST_ITEMS = 2_000_000;
const LONGEST_CONTINUE = 8 * 1024;
/** Milliseconds for all pages of a list: what only just gets on has an end, too. */
const LONGEST_MS = 600_000;

const isObject = (item: unknown): item is KubeObject => isRecord(item) && isRecord(item.metadata);

/** All of a list, in order. Throws UnexpectedAnswer, also where the list has no end or is no list. */
export async function listPages<T>(pages: Pages<T>): Promise<T[]> {
  const lists = new KeptLists();
  const { fits = (bytes) => lists.fits(pages.path, bytes) } = pages;
  try {
    for (let attempt = 1; ; attempt += 1) {
      const kept = await once({ ...pages, fits }, attempt < ATTEMPTS);
      if (kept !== undefined) return kept;
    }
  } catch (error) {
    fits(0);
    throw error;
  }
}

/** undefined: the server does not keep the list any more, and it may be begun anew. */
async function once<T>(
  { path, ask, object, keep, fits, now = () => performance.now() }: Pages<T> & Required<Pick<Pages<T>, 'fits'>>,
  mayBeginAnew: boolean,
): Promise<T[] | undefined> {
  const end = now() + LONGEST_MS;
  const all: T[] = [];
  const told = new Set<string>();
  let seen = 0;
  let size = 0;
  let empty = 0;
  let next = '';
  const refuse = (why: string): never => {
    throw new UnexpectedAnswer('GET', path, 200, undefined, why);
  };
  do {
    let kept: T[] = [];
    let items = 0;
    let added = 0;
    let problem: string | undefined;
    const onItem = (item: unknown): void => {
      if (!isObject(item)) throw new Unlistable('one of its items is no object with metadata');
      items += 1;
      if (seen + items > MOST_ITEMS) throw new Unlistable(`it has more than ${MOST_ITEMS} items`);
      const what = keep(item);
      if (what === undefined) return;
      kept.push(what);
      added += costOf(what);
      if (!fits(size + added)) throw new Unlistable('what would be judged of it does not fit into the memory');
    };
    const read: BodyReader = async (body, alive) => {
      [kept, items, added, problem] = [[], 0, 0, undefined];
      const inTime = (): void => {
        if (now() > end) throw new Unlistable(`it has not ended within ${LONGEST_MS / 1000} s`);
        alive();
      };
      try {
        return await scan(body, new ItemScanner(onItem), inTime);
      } catch (error) {
        if (!(error instanceof Unlistable)) throw error;
        problem = error.message;
        return '';
      }
    };
    const answer = await ask({ limit: String(PAGE), ...(next === '' ? {} : { continue: next }) }, read);
    if (answer.status === 410 && next !== '' && mayBeginAnew) return undefined;
    if (problem !== undefined) refuse(`the list is not read: ${problem}`);
    const page = object(answer);
    const why = whyNoList(page);
    if (why !== undefined) refuse(why);
    for (const one of kept) all.push(one);
    seen += items;
    size += added;
    empty = items === 0 ? empty + 1 : 0;
    next = continueOf(page);
    if (next.length > LONGEST_CONTINUE) refuse('the token of its next page is longer than 8 KiB');
    if (told.has(next)) refuse('it names the same next page twice, so the list has no end');
    if (next !== '') told.add(next);
    if (empty > MOST_EMPTY_PAGES) refuse(`${empty} pages in a row hold nothing, and there is still a next one`);
    if (next !== '' && now() > end) refuse(`it has not ended within ${LONGEST_MS / 1000} s`);
    if (told.size > MOST_PAGES) refuse(`the list has more than ${MOST_PAGES} pages`);
  } while (next !== '');
  return all;
}

const continueOf = ({ metadata }: KubeObject): string => {
  const token = record(metadata).continue;
  return typeof token === 'string' ? token : '';
};

/** A Status with 200, a Table, anything else. No items at all stand for none. */
function whyNoList(page: KubeObject): string | undefined {
  const { kind, items } = page;
  if (typeof kind !== 'string' || !kind.endsWith('List')) return `it is no list but ${kindOf(kind)}`;
  if (items !== undefined && items !== null && !Array.isArray(items)) return 'its items are no list';
  return undefined;
}

const kindOf = (kind: unknown): string =>
  typeof kind === 'string' && /^[A-Za-z]{1,63}$/.test(kind) ? `a ${kind}` : 'an object without a kind';

/** Hands the body to the scanner; a stream that ends early rejects as the connection does. */
async function scan(body: Readable, scanner: ItemScanner, alive: () => void): Promise<string> {
  let since = 0;
  body.on('data', (chunk: Buffer) => {
    if (body.destroyed) return;
    since += chunk.length;
    try {
      scanner.push(chunk);
      if (since < PROGRESS) return;
      since = 0;
      alive();
    } catch (error) {
      body.destroy(error as Error);
    }
  });
  await ended(body);
  return scanner.end();
}
