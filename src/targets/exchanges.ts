/**
 * Evidence: every exchange with a target, kept raw but bounded and shown only redacted, with what is known as secret at
 * the time of reading.
 */
import { type Fields, isRecord, list, record, text } from '../kubernetes/json.js';
import * as names from '../kubernetes/names.js';
import {
  KUBE_SYSTEM,
  LAST_APPLIED,
  TOKEN_KEYS,
  TOKEN_SECRET_TYPE,
  USAGE_AUTHENTICATION,
  USAGE_PREFIX,
  USAGE_SIGNING,
} from '../kubernetes/names.js';
import { resources } from '../kubernetes/resources.js';
import { cut, held, LONGEST_TEXT, throughout } from '../model/foreign.js';
import { VERDICTS } from '../model/verdict.js';
import { jsonOf } from './answer-body.js';
import { REDACTED, type Redactor } from './redaction.js';
import type { Exchange } from './types.js';

/** Items of a list that are looked at. */
const MOST_ITEMS = 200;
/** Of so many newest exchanges what was received is kept, or what was sent, which is short; others keep their line. */
const [RECEIVED, SENT] = [2_000, 20_000];

type Raw = { -readonly [Key in keyof Exchange]: Exchange[Key] };

export class Exchanges {
  readonly #raw: Raw[] = [];
  readonly #views: Exchange[] = [];
  readonly #redactor: Redactor;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /**
   * Keeps it; returns its redacted view. `body`: of the response, where it is read already; `headers`: what is told of
   * those of the request, which few ask for.
   */
  add(exchange: Exchange, body?: unknown, headers?: () => readonly string[]): Exchange {
    const raw: Raw = { ...exchange };
    const { requestBody, responseBody, error } = exchange;
    if (requestBody !== undefined) raw.requestBody = held(withoutSecrets(requestBody, undefined));
    if (responseBody !== undefined) raw.responseBody = held(withoutSecrets(responseBody, body));
    if (error !== undefined) raw.error = held(error);
    delete this.#raw[this.#raw.length - RECEIVED]?.responseBody;
    delete this.#raw[this.#raw.length - SENT]?.requestBody;
    this.#raw.push(raw);
    const shown = view(raw, this.#redactor, headers);
    this.#views.push(shown);
    return shown;
  }

  /** Those after the first `since`, oldest first. Cheap: texts are redacted when they are read. */
  list(since = 0): readonly Exchange[] {
    return this.#views.slice(since);
  }
}

/** Own enumerable getters, so that spreading and JSON.stringify see redacted texts. */
function view(raw: Raw, redactor: Redactor, headers: (() => readonly string[]) | undefined): Exchange {
  const shown = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : cut(redactor.redact(text));
  return Object.defineProperties(
    { ...raw },
    {
      as: { enumerable: true, get: () => redactor.redact(raw.as) },
      path: { enumerable: true, get: () => redactor.redact(raw.path) },
      ...(headers === undefined
        ? {}
        : { requestHeaders: { enumerable: true, get: () => headers().map((line) => shown(line)) } }),
      requestBody: { enumerable: true, get: () => shown(raw.requestBody) },
      responseBody: { enumerable: true, get: () => shown(raw.responseBody) },
      error: { enumerable: true, get: () => shown(raw.error) },
    },
  );
}

const PUBLIC_KEYS: ReadonlySet<string> = new Set([
  TOKEN_KEYS.id,
  TOKEN_KEYS.expiration,
  TOKEN_KEYS.description,
  TOKEN_KEYS.groups,
  USAGE_AUTHENTICATION,
  USAGE_SIGNING,
]);

/**
 * Bodies with Secrets lose the values that nobody needs as evidence: a list of kube-system shows other people's
 * passwords.
 */
function withoutSecrets(text: string, body: unknown): string {
  const parsed = body ?? parsedLines(text);
  if (parsed !== undefined) return holdsSecrets(parsed) ? JSON.stringify(withoutData(parsed)) : text;
  return /"Secret(List)?"/.test(text) ? `(${text.length} characters with Secrets that cannot be read)` : text;
}

/** What a watch answers: a JSON value a line. undefined where it is none, or not whole. */
function parsedLines(text: string): unknown {
  if (!text.includes('Secret')) return undefined;
  try {
    const values = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => jsonOf(line));
    if (values.includes(undefined)) return undefined;
    return values.length === 1 ? values[0] : values;
  } catch {
    return undefined;
  }
}

/** What an answer may hold objects in: lists, tables, events of a watch. */
function partsOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const { items, rows, object } = record(body);
  return [...list(items), ...list(rows), ...(object === undefined ? [] : [object])];
}

const isSecret = (value: unknown): boolean =>
  isRecord(value) && (value.kind === 'Secret' || value.type === TOKEN_SECRET_TYPE);

const isSecretList = (value: unknown): boolean => isRecord(value) && value.kind === 'SecretList';

const holdsSecrets = (body: unknown): boolean =>
  isSecret(body) || isSecretList(body) || partsOf(body).some(holdsSecrets);

function withoutData(body: unknown, listed = false): unknown {
  if (Array.isArray(body)) return body.map((item) => withoutData(item));
  if (!isRecord(body)) return body;
  if (listed || isSecret(body)) return withoutValues(body);
  const { items, rows, object } = body;
  const inner = (part: unknown): unknown => withoutData(part, isSecretList(body));
  return {
    ...body,
    // More than is ever shown.
    ...(Array.isArray(items) ? { items: items.slice(0, MOST_ITEMS).map(inner) } : {}),
    ...(Array.isArray(rows) ? { rows: rows.slice(0, MOST_ITEMS).map(inner) } : {}),
    ...(object === undefined ? {} : { object: inner(object) }),
  };
}

function withoutValues(secret: Fields): Fields {
  const clean: Record<string, unknown> = { ...secret };
  const isToken = secret.type === TOKEN_SECRET_TYPE;
  for (const field of ['data', 'stringData']) {
    const data = secret[field];
    if (!isRecord(data)) continue;
    clean[field] = Object.fromEntries(
      Object.entries(data).map(([key, value]) => [
        key,
        isToken && (PUBLIC_KEYS.has(key) || key.startsWith(USAGE_PREFIX)) ? value : REDACTED,
      ]),
    );
  }
  const metadata = record(secret.metadata);
  const annotations = record(metadata.annotations);
  if (LAST_APPLIED in annotations)
    clean.metadata = { ...metadata, annotations: { ...annotations, [LAST_APPLIED]: REDACTED } };
  return clean;
}

const halvesOf = ({ data, stringData }: Fields): readonly string[] =>
  [
    Buffer.from(text(record(data)[TOKEN_KEYS.secret]), 'base64').toString('utf8'),
    text(record(stringData)[TOKEN_KEYS.secret]),
  ].filter((half) => half !== '');

/**
 * Registers what a body of our own shows of secrets: the secret half of a token Secret, whatever namespace it is in.
 */
export function registerOwnSecrets(body: unknown, redactor: Redactor): void {
  if (isRecord(body) && body.type === TOKEN_SECRET_TYPE) for (const half of halvesOf(body)) redactor.add(half);
}

/**
 * What everybody writes, in lower case: a half that is one of these words hides nothing, nobody logs in with it, and
 * without the word no report could be read.
 */
const EVERYDAY: ReadonlySet<string> = new Set(
  [
    ...Object.values(names).flatMap((name) => (typeof name === 'string' ? [name] : [])),
    ...Object.values(resources).flatMap(({ kind, resource }) => [kind, resource]),
    ...VERDICTS,
    ...['conformant', 'default', 'metadata', 'namespace', 'secret', 'token', 'bootstrap', 'kubernetes'],
  ].map((word) => word.toLowerCase()),
);

/**
 * Registers what an answer shows of secrets: the secret half of every token Secret. Those of kube-system are the
 * administrators'; elsewhere tenants may make them, and name them as they like.
 */
export function registerSecrets(body: unknown, redactor: Redactor): void {
  if (!isRecord(body)) return;
  const { name, namespace } = record(body.metadata);
  redactor.spare(text(name));
  redactor.spare(text(namespace));
  if (body.type === TOKEN_SECRET_TYPE) {
    for (const half of halvesOf(body)) {
      if (namespace !== KUBE_SYSTEM) redactor.addForeign(half);
      else if (!EVERYDAY.has(half.toLowerCase())) redactor.add(half);
    }
  }
  for (const part of partsOf(body)) registerSecrets(part, redactor);
}

/** What servers and webhooks say for people to read: a Status, the answer to a review. */
export const isOpinion = (body: unknown): boolean => /^Status$|Review$/.test(text(record(body).kind));

/** The same without texts longer than any that is shown. */
export const boundedOpinion = (body: unknown, redactor: Redactor): unknown =>
  throughout(body, (long) => (long.length <= LONGEST_TEXT ? long : cut(redactor.redact(held(long)))));
