/**
 * What a real kube-apiserver of 1.36 was asked, and what it answered: src/apiserver/recorded/conversations has a file
 * for each subject, which `node dist/src/tools/converse.js KUBECONFIG FILE…` asks anew. Its blocks are questions as HTTP
 * writes them, the body one or more lines; what follows "< " is the answer. "<uid:NAME>" and "<rv:NAME>" are those that
 * the last answer about NAME had, "<continue>" is the last list's. Lines with "#" say what is asked for; a first line
 * "# managedFields" keeps them in the answers.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isRecord } from '../../kubernetes/json.js';
import type { ApiRequest, ApiResponse, Headers } from '../machinery/http.js';
import { definitions } from '../resources/index.js';
import { fixture, sink } from '../serving/fixture.js';

export interface Question {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
export interface Exchange extends Question {
  /** As the file has it, without the answer. */
  readonly asked: string;
  readonly answer: string;
}
export interface Heard {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

const HEADER = /^[A-Z][A-Za-z-]+: /;

export function exchangesOf(text: string): readonly Exchange[] {
  const blocks = text.split(/\n\n+/).map((block) => block.split('\n').filter((line) => line !== ''));
  return blocks.flatMap((lines) => {
    const said = lines.filter((line) => !line.startsWith('#') && !line.startsWith('< '));
    const [first, ...rest] = said;
    if (first === undefined) return [];
    const [method = '', url = ''] = first.split(' ');
    const from = rest.findIndex((line) => !HEADER.test(line));
    const headers = from < 0 ? rest : rest.slice(0, from);
    return {
      method,
      url,
      headers: Object.fromEntries(headers.map((line) => line.split(/: (.*)/s, 2) as [string, string])),
      body: from < 0 ? '' : rest.slice(from).join('\n'),
      asked: lines.filter((line) => !line.startsWith('< ')).join('\n'),
      answer: lines.filter((line) => line.startsWith('< ')).join('\n'),
    };
  });
}

/** What changes from one server to the next, by the names that the questions call it. */
export class Memory {
  private readonly known = new Map<string, string>();
  /** Of the name that was generated last. */
  private prefix = '';
  constructor(private readonly keepsOwners: boolean) {}

  filled(text: string): string {
    this.prefix = /"generateName":"([^"]+)"/.exec(text)?.[1] ?? this.prefix;
    return text.replace(/<(?:uid:[^>]+|rv:[^>]+|continue)>/g, (name) => this.known.get(name) ?? name);
  }

  /** The answer as the file has it. */
  told({ code, headers, text }: Heard): string {
    const lines = [String(code)];
    for (const name of ['content-type', 'warning', 'retry-after', 'allow', 'content-encoding', 'vary']) {
      const values = [headers[name] ?? []].flat();
      for (const value of values) if (value !== 'application/json') lines.push(`${name}: ${value}`);
    }
    lines.push(
      ...text
        .trimEnd()
        .split('\n')
        .map((line) => this.line(line)),
    );
    return lines.map((line) => `< ${line}`).join('\n');
  }

  private line(line: string): string {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return this.hidden(line);
    }
    this.learn(isRecord(value) && isRecord(value.object) ? value.object : value);
    const told =
      isRecord(value) && value.status === 'Failure' ? Object.fromEntries(Object.entries(value).filter(isSaid)) : value;
    return this.hidden(JSON.stringify(this.without(told)));
  }

  private learn(value: unknown): void {
    if (!isRecord(value) || !isRecord(value.metadata)) return;
    const { name, uid, resourceVersion, continue: more } = value.metadata;
    if (typeof more === 'string') this.known.set('<continue>', more);
    if (typeof name !== 'string') return;
    if (typeof uid === 'string') this.known.set(`<uid:${name}>`, uid);
    if (typeof resourceVersion === 'string') this.known.set(`<rv:${name}>`, resourceVersion);
  }

  private without(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.without(one));
    if (!isRecord(value)) return value;
    const keys = Object.keys(value)
      .filter((key) => key !== 'managedFields' || this.keepsOwners)
      .sort();
    return Object.fromEntries(keys.map((key) => [key, VARYING[key]?.(value[key]) ?? this.without(value[key])]));
  }

  private hidden(line: string): string {
    let out = line;
    if (this.prefix !== '')
      out = out
        .split(this.prefix)
        .map((part, at) => (at === 0 ? part : part.replace(GENERATED, '<random>')))
        .join(this.prefix);
    for (const [name, value] of this.known) if (name.startsWith('<uid')) out = out.replaceAll(value, name);
    return CHANGING.reduce((text, [pattern, as]) => text.replace(pattern, as), out);
  }
}

/** In any text; the last is a path that depends on how a server was built. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/current: \d+/g, 'current: <rv>'],
  [/(resourceVersion\W+)[1-9]\d*/g, '$1<rv>'],
  [/(creationTimestamp\W+|\btime\W+)20\d\d-[\d:T-]+Z/g, '$1<time>'],
  [/(\buid\W+)[0-9a-f]{8}-[0-9a-f-]{27}/g, '$1<uid>'],
  [/(?<="cells":\[[^\]]*)"\d+[smh]"/g, '"<age>"'],
  [/X509SHA256=[0-9a-f]{64}/g, '<credential>'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/k8s\.io\/apimachinery\/pkg\/apis/g, 'pkg/apis'],
];

/** Source: apimachinery, pkg/util/rand. */
const GENERATED = /^[bcdfghjklmnpqrstvwxz2456789]{5}/;

/** Is it more than what every Status says? */
const isSaid = ([key, value]: readonly [string, unknown]): boolean =>
  FAILURE[key] !== JSON.stringify(value) && key !== 'code';
const FAILURE: Readonly<Record<string, string>> = {
  kind: '"Status"',
  apiVersion: '"v1"',
  metadata: '{}',
  status: '"Failure"',
};

const shown = (as: string) => (value: unknown) => (typeof value === 'string' && value !== '' ? as : undefined);
const VARYING: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  resourceVersion: (value) => (typeof value === 'string' && /^[1-9]\d*$/.test(value) ? '<rv>' : undefined),
  creationTimestamp: shown('<time>'),
  deletionTimestamp: shown('<time>'),
  // One that was asked for stays.
  lastUpdateTime: (value) => (String(value).startsWith('2026-01-02') ? undefined : '<time>'),
  expirationTimestamp: shown('<time>'),
  lastTransitionTime: shown('<time>'),
  time: shown('<time>'),
  continue: shown('<continue>'),
  // Of columns, which this server does not describe.
  description: () => '',
  uid: (value) => (typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value) ? '<uid>' : undefined),
};

export const memoryFor = (text: string): Memory => new Memory(text.startsWith('# managedFields\n'));

/** Milliseconds for which a watch is listened to. */
const LISTENED_MS = 3_600_000;

/** Hands a question over as the owner of some certificates. A watch is listened to as long as `listen` lets time pass. */
export function askedBy(
  handle: (request: ApiRequest) => ApiResponse,
  certificates: readonly Buffer[] = [],
  listen: () => void = () => undefined,
): (question: Question) => Heard {
  return ({ method, url, headers, body }) => {
    const sent = { 'user-agent': 'test/1', ...headers };
    const lists = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), [value]]));
    const answer = handle({ method, url, headers: lists, certificates, body: Buffer.from(body) });
    if (answer.kind === 'later') throw new Error('nobody stands behind this server');
    if (answer.kind === 'full')
      return { code: answer.code, headers: lowered(answer.headers), text: answer.body.toString() };
    let text = '';
    const stop = answer.open(
      sink((chunk) => {
        text += String(chunk);
      }),
    );
    listen();
    stop();
    return { code: answer.code, headers: lowered(answer.headers), text };
  };
}
const lowered = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** A server of its own, without users. */
function freshServer(): (question: Question) => Heard {
  const { api, clock } = fixture({ definitions: definitions() });
  return askedBy(api.handle, [], () => clock.advance(LISTENED_MS));
}

/** Asks a server the questions of a file, in their order. */
export function* replay(
  text: string,
  ask = freshServer(),
): Generator<{ readonly exchange: Exchange; readonly answer: string }> {
  const memory = memoryFor(text);
  for (const exchange of exchangesOf(text)) {
    const { method, url, headers, body } = exchange;
    const filled = { method, url: memory.filled(url), headers, body: memory.filled(body) };
    yield { exchange, answer: memory.told(ask(filled)) };
  }
}

/** From where the compiled file lies. */
const CONVERSATIONS = new URL('../../../../src/apiserver/recorded/conversations/', import.meta.url);

/** Each answer is held to the real one. */
export function testConversation(name: string): void {
  test(`answers as a real server does: ${name}`, () => {
    const text = readFileSync(new URL(`${name}.txt`, CONVERSATIONS), 'utf8');
    for (const { exchange, answer } of replay(text)) assert.equal(answer, exchange.answer, exchange.asked);
  });
}
