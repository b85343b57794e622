/**
 * One identity's view of a cluster: asks over the transport, writes everything down, and keeps the rules of writing.
 */
import { isRecord, text } from '../kubernetes/json.js';
import type { KubeObject, Status } from '../kubernetes/objects.js';
import { EXPIRES_ANNOTATION, isOfOurMaking, LIFETIME_MS, RUN_LABEL } from '../kubernetes/own-objects.js';
import { PATCH_TYPES } from '../kubernetes/patch-types.js';
import { pathOf, type Resource } from '../kubernetes/resources.js';
import { typedObject } from '../kubernetes/typed-objects.js';
import { cut, held } from '../model/foreign.js';
import { MayNotRead, NotAllowed, UnexpectedAnswer } from './errors.js';
import { boundedOpinion, type Exchanges, isOpinion, registerOwnSecrets, registerSecrets } from './exchanges.js';
import { Unlistable } from './item-scanner.js';
import type { Journal } from './journal.js';
import type { KeptLists } from './kept-lists.js';
import { type BodyReader, listPages } from './list-pages.js';
import type { LostAnswers } from './lost-answers.js';
import type { Redactor } from './redaction.js';
import { toldHeaders } from './told-headers.js';
import type { Sent, Transport } from './transport.js';
import type { Answer, Asker, Identity, Keep, ListOptions, ObjectReader, Question, Writer } from './types.js';

export interface Shared {
  readonly transport: Transport;
  readonly exchanges: Pick<Exchanges, 'add'>;
  readonly redactor: Redactor;
  readonly lost: LostAnswers;
  readonly lists: KeptLists;
  /** Id of the run: what it creates is marked with it. */
  readonly run: string;
  /** undefined: the target is thrown away as a whole, nothing is written down. */
  readonly journal: Journal | undefined;
  /** Why nothing may be written; undefined where it may. */
  readonly readOnly: string | undefined;
  readonly signal: AbortSignal;
  /** Breaks off creations that are under way: a little later, so that what they made is known. */
  readonly lateSignal: AbortSignal;
  /** Told of every answer with its arrival, for the clock. */
  readonly heard: (answer: Answer, sentAt: number) => void;
  /** The time there, milliseconds since the epoch. */
  readonly now: () => number;
  /** Reads as admin: whose it is what is about to be changed. */
  readonly admin: () => HttpClient;
  /** Resolves once dry runs are known to change nothing here. Throws CannotTry. */
  readonly dryRuns: () => Promise<void>;
  /** How many objects and lists the run's own credential was shown, and was forbidden. */
  readonly reads: { granted: number; refused: number };
}

const QUESTION_MS = 15_000;
/** What a path names: an object, or where it has no name a collection. */
interface Addressed {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Creating one of these changes nothing. */
const REVIEWS = /^\/apis\/auth(?:entication|orization)\.k8s\.io\/[^/]+\/(?:namespaces\/[^/]+\/)?[a-z]+reviews$/;
/** Of these, what asks who may do what: all that a run which only reads sends beside GETs. */
const isAccessReview = (path: string): boolean => REVIEWS.test(path) && path.startsWith('/apis/authorization');

/** What is no object, of whatever kind it is that is asked for. */
const NO_OBJECTS = /^(?:Status|Table|.*List)?$/;

/** It may be sent twice. */
const isRepeatable = ({ method = 'GET', path, query }: Question): boolean =>
  SAFE.has(method) || REVIEWS.test(path) || query?.dryRun === 'All';

export class HttpClient implements Asker, ObjectReader, Writer {
  readonly identity: Identity;
  readonly #as: string;
  readonly #shared: Shared;

  constructor(identity: Identity, as: string, shared: Shared) {
    this.identity = identity;
    this.#as = as;
    this.#shared = shared;
  }

  async ask(question: Question): Promise<Answer> {
    const method = question.method ?? 'GET';
    const { body, path } = question;
    this.#mayWrite(method, path);
    const changes = !SAFE.has(method) && !REVIEWS.test(path);
    const dryRun = changes && question.query?.dryRun === 'All';
    if (dryRun && this.#shared.journal !== undefined) await this.#shared.dryRuns();
    if (!changes || dryRun) return this.#send(question, this.#shared.signal);
    const at = placeOf(path, isMarkable(body) ? body.kind : undefined);
    if (method === 'POST' && at !== undefined && at.name === undefined && isMarkable(body))
      return this.#creation(at.resource, at.namespace, body, question);
    const refusal = `${method} ${path} would change what joinproof did not make; ask with the query dryRun=All.`;
    if (at !== undefined) await this.#demandOurs(at, refusal);
    return this.#send(question, this.#shared.signal);
  }

  /** Marks, writes down, creates. */
  async #creation(
    resource: Resource,
    namespace: string | undefined,
    object: KubeObject,
    question: Question,
  ): Promise<Answer> {
    const { journal, signal, lateSignal } = this.#shared;
    const body = this.#marked(resource, namespace, object);
    signal.throwIfAborted();
    const entry = journal?.creating(resource, namespace, object);
    if (journal === undefined || entry === undefined) return this.#send({ ...question, body }, signal);
    try {
      const answer = await this.#send({ ...question, body }, lateSignal);
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 408) journal.refused(entry);
      else if (answer.status < 300 && isMarkable(answer.body)) journal.created(entry, answer.body);
      else journal.lost(entry);
      return answer;
    } catch (error) {
      journal.lost(entry);
      throw error;
    }
  }

  /**
   * With the label and the annotation by which a sweep, and other runs, know it; what they would not know is not
   * made.
   */
  #marked(resource: Resource, namespace: string | undefined, object: KubeObject): KubeObject {
    const { run, now, journal } = this.#shared;
    const at = now();
    const time = (milliseconds: number): string => new Date(milliseconds).toISOString().replace(/\.\d+/, '');
    const { labels, annotations } = object.metadata;
    const metadata = {
      ...object.metadata,
      labels: { ...labels, [RUN_LABEL]: run },
      annotations: { ...annotations, [EXPIRES_ANNOTATION]: time(at + LIFETIME_MS) },
    };
    const seen = { ...object, metadata: { ...metadata, namespace, creationTimestamp: time(at) } };
    if (isOfOurMaking(resource, seen as KubeObject)) return { ...object, metadata };
    // Set-up of a cluster that is thrown away is the cluster's own.
    if (journal === undefined) return object;
    throw new NotAllowed(
      `joinproof makes no ${resource.kind} "${object.metadata.name ?? ''}": a sweep would not know it for its own.`,
    );
  }

  async get<T extends KubeObject>(resource: Resource, name: string, namespace?: string): Promise<T | undefined> {
    // What has no name is not there: it was refused. Its path would be that of all.
    if (name === '') return undefined;
    const path = pathOf(resource, { namespace, name });
    const answer = await this.#send({ path }, this.#shared.signal);
    if (answer.status === 200 || answer.status === 404) this.#shared.reads.granted += 1;
    if (answer.status === 404 && isStatus(answer.body)) return undefined;
    const there = this.#typed<T>(resource, 'GET', path, answer, [200]);
    if (there.metadata.name !== name)
      throw this.#notAsked('GET', path, answer, `the ${resource.kind} "${there.metadata.name}" instead of it`);
    return there;
  }

  list<T extends KubeObject>(resource: Resource, options?: ListOptions): Promise<T[]>;
  list<T>(resource: Resource, options: ListOptions, keep: Keep<T>): Promise<T[]>;
  list<T>(resource: Resource, options: ListOptions = {}, keep: Keep<T> = (item) => item as T): Promise<T[]> {
    const { namespace, labelSelector, fieldSelector } = options;
    const path = pathOf(resource, { namespace });
    const selectors = {
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
    const { redactor, signal, lists } = this.#shared;
    const named = path + queryOf(selectors);
    return listPages({
      path,
      fits: (bytes) => lists.fits(named, bytes),
      ask: async (page, read) => {
        const answer = await this.#send({ path, query: { ...selectors, ...page } }, signal, { read });
        if (answer.status === 200) this.#shared.reads.granted += 1;
        return answer;
      },
      object: (answer) => this.#object('GET', path, answer, [200]),
      keep: (item) => {
        registerSecrets(item, redactor);
        return keep(this.#typedItem(item, resource));
      },
    });
  }

  async create<T extends KubeObject>(resource: Resource, object: T, query?: Question['query']): Promise<T> {
    const namespace = resource.namespaced ? object.metadata.namespace : undefined;
    const path = pathOf(resource, { namespace });
    this.#mayWrite('POST', path);
    const question: Question = { method: 'POST', path, body: object, ...(query === undefined ? {} : { query }) };
    const answer = REVIEWS.test(path)
      ? this.#send(question, this.#shared.signal)
      : this.#creation(resource, namespace, object, question);
    return this.#typed<T>(resource, 'POST', path, await answer, [200, 201, 202]);
  }

  async patch<T extends KubeObject>(
    resource: Resource,
    name: string,
    namespace: string | undefined,
    patch: unknown,
    options: { type?: 'merge' | 'json' | 'strategic'; subresource?: string } = {},
  ): Promise<T> {
    const type = options.type ?? 'merge';
    const path = pathOf(resource, {
      namespace,
      name,
      ...(options.subresource === undefined ? {} : { subresource: options.subresource }),
    });
    this.#mayWrite('PATCH', path);
    const question: Question = {
      method: 'PATCH',
      path,
      body: typeof patch === 'string' ? patch : JSON.stringify(patch),
      contentType: PATCH_TYPES[type],
    };
    await this.#demandOurs({ resource, name, namespace }, changesNothingElse(path));
    const answer = await this.#send(question, this.#shared.signal);
    return this.#typed<T>(resource, 'PATCH', path, answer, [200, 201]);
  }

  async delete(resource: Resource, name: string, namespace?: string): Promise<void> {
    const path = pathOf(resource, { namespace, name });
    this.#mayWrite('DELETE', path);
    if (!(await this.#demandOurs({ resource, name, namespace }, changesNothingElse(path)))) return;
    const answer = await this.#send({ method: 'DELETE', path }, this.#shared.signal);
    if (answer.status !== 404) this.#object('DELETE', path, answer, [200, 202]);
  }

  /** For the journal and the sweep: no guard, no writing down, a signal of its own. */
  async raw(question: Question, signal: AbortSignal, expected: readonly number[], read?: BodyReader): Promise<Answer> {
    const method = question.method ?? 'GET';
    this.#mayWrite(method, question.path);
    const answer = await this.#send(question, signal, { stubborn: true, ...(read === undefined ? {} : { read }) });
    if (!expected.includes(answer.status)) throw this.#unexpected(method, question.path, answer);
    return answer;
  }

  /** A dry run and a token review are writes to the audit log of the cluster, and to a gateway that drops the query. */
  #mayWrite(method: string, path: string): void {
    if (this.#shared.readOnly !== undefined && !SAFE.has(method) && !isAccessReview(path))
      throw new NotAllowed(`${method} ${path} would write, but ${this.#shared.readOnly}.`);
  }

  /**
   * A change on a cluster that is not ours may go wrong way round: it is meant to be refused and is not. What joinproof
   * did not make is therefore out of reach but for dry runs, which the server authorizes, admits and validates alike.
   * Throws NotAllowed where the object is not of this run, or a whole collection is meant; false where there is none.
   * Whatever a target that is thrown away holds is ours.
   */
  async #demandOurs({ resource, name, namespace }: Addressed, refusal: string): Promise<boolean> {
    const { journal, admin } = this.#shared;
    if (journal === undefined) return true;
    if (name === undefined) throw new NotAllowed(refusal);
    const there = await admin().get(resource, name, namespace);
    if (there !== undefined && !journal.owns({ resource, namespace }, there)) throw new NotAllowed(refusal);
    return there !== undefined;
  }

  async #send(question: Question, signal: AbortSignal, how: Pick<Sent, 'read' | 'stubborn'> = {}): Promise<Answer> {
    const { transport, exchanges, redactor, heard } = this.#shared;
    const method = question.method ?? 'GET';
    const path = question.path + queryOf(question.query);
    const body =
      question.body === undefined
        ? undefined
        : typeof question.body === 'string'
          ? question.body
          : JSON.stringify(question.body);
    const headers = Object.entries({
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': question.contentType ?? 'application/json' }),
      ...lowerCased(question.headers),
    }).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]));
    registerOwnSecrets(question.body, redactor);
    const told = (): readonly string[] => toldHeaders(this.identity, headers);
    const sentAt = Date.now();
    const started = performance.now();
    const line = {
      at: new Date(sentAt).toISOString(),
      as: this.#as,
      method,
      path,
      ...(body === undefined ? {} : { requestBody: body }),
    };
    try {
      const repeatable = isRepeatable(question);
      const sent: Sent = {
        method,
        path,
        headers,
        ...(body === undefined ? {} : { body }),
        ...how,
        repeatable,
        ...(question.expects === undefined ? {} : { expects: question.expects }),
        timeoutMs: question.timeoutMs ?? QUESTION_MS,
      };
      const send = (): Promise<Answer> => transport.send(this.identity, sent, signal);
      const got = repeatable
        ? await send()
        : await this.#shared.lost.send({
            question,
            asAdmin: this.identity.kind === 'admin',
            signal,
            send,
            look: (looked) => this.#shared.admin().#send(looked, signal, how),
          });
      registerSecrets(got.body, redactor);
      const answer = isOpinion(got.body) ? { ...got, body: boundedOpinion(got.body, redactor) } : got;
      heard(answer, sentAt);
      exchanges.add(
        {
          ...line,
          status: answer.status,
          milliseconds: Math.round(performance.now() - started),
          responseBody: answer.text,
        },
        answer.body,
        told,
      );
      return answer;
    } catch (error) {
      exchanges.add(
        {
          ...line,
          status: undefined,
          milliseconds: Math.round(performance.now() - started),
          error: error instanceof Error ? error.message : String(error),
        },
        undefined,
        told,
      );
      throw error;
    }
  }

  #object<T extends KubeObject>(method: string, path: string, answer: Answer, expected: readonly number[]): T {
    if (expected.includes(answer.status) && isRecord(answer.body)) return answer.body as unknown as T;
    throw this.#unexpected(method, path, answer);
  }

  #typed<T extends KubeObject>(
    resource: Resource,
    method: string,
    path: string,
    answer: Answer,
    expected: readonly number[],
  ): T {
    const object = this.#object<T>(method, path, answer, expected);
    // A gateway may say of anything that all is well: a Status, a Table, a list are no object, as for client-go.
    const kind = text((object as { kind?: unknown }).kind);
    const wanted = resource.kind === '' ? 'object' : resource.kind;
    if (resource.kind === '' ? NO_OBJECTS.test(kind) : kind !== resource.kind) {
      const what = kind === '' ? 'something without a kind' : `a ${kind}`;
      throw this.#notAsked(method, path, answer, `${what} instead of the ${wanted}`);
    }
    return typedObject(object, resource, (why) => this.#notAsked(method, path, answer, `no ${wanted}: ${why}`));
  }

  /** It answered, but not with what was asked for. */
  #notAsked(method: string, path: string, { status }: Answer, what: string): UnexpectedAnswer {
    return new UnexpectedAnswer(method, path, status, undefined, cut(this.#shared.redactor.redact(held(what))));
  }

  #typedItem(item: KubeObject, resource: Resource): KubeObject {
    return typedObject(item, resource, (why) => {
      const name = cut(this.#shared.redactor.redact(held(text(item.metadata.name))));
      return new Unlistable(`an item of it, "${name}", is no ${resource.kind}: ${why}`);
    });
  }

  #unexpected(method: string, path: string, answer: Answer): UnexpectedAnswer {
    const redact = (text: string): string => cut(this.#shared.redactor.redact(held(text)));
    const { status, body, text: written } = answer;
    const says = (what: string, reason?: string): UnexpectedAnswer =>
      new UnexpectedAnswer(method, redact(path), status, reason, what);
    const message = isStatus(body) ? redact(body.message ?? '') : undefined;
    // of a cluster of ours the credential may read everything
    const isForeign = this.#shared.journal !== undefined || this.#shared.readOnly !== undefined;
    if (message !== undefined && isForeign && method === 'GET' && status === 403) {
      this.#shared.reads.refused += 1;
      return new MayNotRead(redact(path), status, 'Forbidden', message);
    }
    if (isStatus(body)) return says(redact(body.message ?? ''), body.reason);
    const to = answer.headers.location;
    if (status >= 300 && status < 400 && typeof to === 'string')
      return says(`a redirect to ${redact(to)}; joinproof follows none`);
    if (/^\s*</.test(written)) return says('an HTML page instead of an API object');
    return says(written === '' ? 'an empty body' : redact(written));
  }
}

const changesNothingElse = (path: string): string =>
  `joinproof changes and deletes nothing that it did not make: ${path}.`;

const isStatus = (value: unknown): value is Status => isRecord(value) && value.kind === 'Status';

const isMarkable = (value: unknown): value is KubeObject =>
  isRecord(value) && isRecord(value.metadata) && value.kind !== 'Status';

function queryOf(query: Question['query']): string {
  if (query === undefined) return '';
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => `${encodeURIComponent(key)}=${encodeURIComponent(one)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

const lowerCased = (headers: Question['headers']): Record<string, string | readonly string[]> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));

/**
 * The object or collection that an API path names; undefined for other paths. Without `kind` objects of any are taken, as
 * where a part of an object is named: what is sent there may be of another kind.
 */
function placeOf(path: string, kind?: string): Addressed | undefined {
  const match =
    /^\/(?:api\/(?<core>[^/]+)|apis\/(?<group>[^/]+)\/(?<version>[^/]+))(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<part>[^/]+))?)?/.exec(
      path,
    );
  const { core, group = '', version = core, namespace, resource, name, part } = match?.groups ?? {};
  if (version === undefined || resource === undefined) return undefined;
  return {
    resource: {
      group,
      version,
      resource,
      kind: (part === undefined ? kind : undefined) ?? '',
      namespaced: namespace !== undefined,
    },
    namespace,
    name,
  };
}
