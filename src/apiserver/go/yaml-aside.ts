/**
 * Long YAML is read in a thread of its own, one text after another: three megabytes of it, which an API server takes,
 * are ten seconds of work, and nobody else is to wait for them. Who meets such a body is told to come again when it has
 * been read; until then nothing is changed.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { isRecord } from '../../kubernetes/json.js';
import { readYaml, YamlError, type YamlRead } from './yaml.js';

/** Bytes that are read at once: a tenth of a second. */
const LONG = 64 * 1024;
/** Milliseconds, and mebibytes of memory, that one text may take. */
const LONGEST_MS = 60_000;
const MOST_MB = 1024;
/** Deeply nested texts are read by functions that call themselves. */
const STACK_MB = 16;

/** This body is read later. */
export class NotYetRead extends Error {
  constructor(readonly body: Buffer) {
    super('the body has not been read yet');
  }
}

const patient = new WeakSet<Buffer>();
const outcomes = new WeakMap<Buffer, YamlRead | YamlError>();
let last: Promise<void> = Promise.resolve();

/** Whoever sent it can be asked to wait. */
export function mayWait(body: Buffer): void {
  if (body.length > LONG) patient.add(body);
}

/** The one document of a body. @throws YamlError, NotYetRead */
export function readYamlBody(body: Buffer): YamlRead {
  const known = outcomes.get(body);
  if (known instanceof YamlError) throw known;
  if (known !== undefined) return known;
  if (patient.has(body)) throw new NotYetRead(body);
  return readYaml(body.toString('utf8'));
}

/** Resolves when the body can be read without waiting. */
export function readAside({ body }: NotYetRead): Promise<void> {
  last = last.then(async () => {
    outcomes.set(body, await inThread(body.toString('utf8')));
  });
  return last;
}

/** What the thread says: JSON keeps what is nested deeply, where a copy of the value would not. */
type Said = { readonly fault: string } | { readonly json: string };

function inThread(text: string): Promise<YamlRead | YamlError> {
  return new Promise((resolve) => {
    const resourceLimits = { maxOldGenerationSizeMb: MOST_MB, stackSizeMb: STACK_MB };
    const worker = new Worker(new URL(import.meta.url), { workerData: { yaml: text }, resourceLimits });
    const end = (outcome: YamlRead | YamlError): void => {
      clearTimeout(limit);
      resolve(outcome);
      void worker.terminate();
    };
    const limit = setTimeout(() => end(new YamlError('yaml: document takes too long to be read')), LONGEST_MS);
    worker.once('message', (said: Said) =>
      end('fault' in said ? new YamlError(said.fault) : (JSON.parse(said.json) as YamlRead)),
    );
    worker.once('error', () => end(new YamlError('yaml: document is too large to be read')));
    worker.unref();
  });
}

function answer(text: string): Said {
  try {
    return { json: JSON.stringify(readYaml(text)) };
  } catch (error) {
    if (error instanceof YamlError) return { fault: error.message };
    throw error;
  }
}

if (!isMainThread && isRecord(workerData) && typeof workerData.yaml === 'string')
  parentPort?.postMessage(answer(workerData.yaml));
