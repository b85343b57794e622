/**
 * A target that is reached over HTTP: what a live cluster, the bundled reference and a control plane of ours have in
 * common.
 */

import { X509Certificate } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { TOKEN_FORM } from '../kubernetes/names.js';
import { pathOf, resources } from '../kubernetes/resources.js';
import { HttpClient, type Shared } from './client.js';
import type { Connection } from './connection.js';
import { demandDryRuns } from './dry-runs.js';
import { TargetUnreachable } from './errors.js';
import { Exchanges } from './exchanges.js';
import { type CleanOptions, Journal } from './journal.js';
import { accessFor } from './journal-access.js';
import { KeptLists } from './kept-lists.js';
import { LostAnswers } from './lost-answers.js';
import { Redactor } from './redaction.js';
import type { Left } from './removal.js';
import { ServerClock } from './server-clock.js';
import { plainAnswer, presentedCertificates, trusted } from './tls-probe.js';
import { Transport } from './transport.js';
import type {
  Abilities,
  Ability,
  Asker,
  ClientUnderTest,
  Exchange,
  Fact,
  Facts,
  Identity,
  InitPhaseRunner,
  MovableClock,
  Need,
  NodeFiles,
  PreflightUnderTest,
  ServerVersion,
  Target,
  TlsProbe,
  UploadsUnderTest,
  Variants,
} from './types.js';
import { FACTS, isFact } from './types.js';

export interface HttpTargetOptions {
  readonly kind: Target['kind'];
  readonly connection: Connection;
  /** Breaks off every question; clean-up still takes place. */
  readonly signal: AbortSignal;
  /** Letters and digits, unique to the run. */
  readonly run: string;
  /** undefined: may write. Else why not, as the end of a sentence. */
  readonly readOnly?: string;
  /** The target is thrown away as a whole: nothing is written down or cleaned. */
  readonly disposable?: boolean;
  /**
   * Time that can be moved, and what it shows; default: real time, as the server's Date header says where that is more
   * than 2 s off.
   */
  readonly clock?: MovableClock & { now(): number };
  readonly redactor?: Redactor;
  /** The same with other flags, for targets that have them. */
  readonly variants?: Variants;
  /** Phases of kubeadm, for targets that can run them. */
  readonly init?: InitPhaseRunner;
  readonly client?: ClientUnderTest;
  /** The disk of one of its nodes. */
  readonly files?: NodeFiles;
  readonly preflight?: PreflightUnderTest;
  readonly uploads?: UploadsUnderTest;
  /** Ends what was started for this target; called once, after the clean-up. */
  readonly onClose?: () => Promise<void>;
  /** How patient the clean-up is. */
  readonly cleaning?: Pick<CleanOptions, 'idleMs' | 'lateMs' | 'idle'>;
}

/**
 * What whoever opened the target has found out: which facts hold, and why the others and the missing abilities do not.
 */
export interface Found {
  readonly facts: Readonly<Record<Fact, true | string>>;
  /** Of the facts that do not hold: what is known not to be so, not only not seen. */
  readonly absent?: readonly Fact[];
  /** What shows that kubeadm has set the cluster up. */
  readonly signs?: readonly string[];
  /** Of the run's own credential, where that is the token of a service account. */
  readonly account?: string | undefined;
  /**
   * Of the abilities that depend on a credential or a flag; those that are not named are there where the target has
   * them.
   */
  readonly lacks: Partial<Readonly<Record<Ability, string>>>;
  readonly version: ServerVersion | { readonly unreadable: string };
}

/** Creations that are under way when the run is broken off may still be answered within this time. */
const LATE_ANSWER_MS = 1_500;
const NOTHING_FOUND: Found = {
  facts: {
    anonymous: 'unknown',
    controllers: 'unknown',
    kubeadm: 'unknown',
    fresh: 'unknown',
    ours: 'unknown',
    inProcess: 'unknown',
  },
  lacks: {},
  version: { unreadable: 'the target was not asked for its version' },
};

/** Why a target over HTTP may lack an ability, where whoever opened it says nothing else. */
const WHY: Readonly<Record<Ability, string>> = {
  objects: 'objects cannot be read',
  requests: 'it answers no requests',
  writes: 'it may not be written to',
  reviews: 'access cannot be asked for',
  tls: 'it shows no certificate',
  clock: 'the clock of a real cluster cannot be moved',
  variants: 'the switches of a running cluster cannot be changed',
  init: 'this target cannot run the phases of kubeadm init again',
  client: 'a cluster is no joining client; "joinproof run" without a target judges the one that comes with it',
  files: 'no disk of a node was given; "joinproof run --node DIR" judges one',
  preflight: 'a cluster is no kubeadm; "joinproof run --kubeadm FILE" judges what one says of machines',
  uploads: 'a cluster is no kubeadm; "joinproof run --kubeadm FILE" judges what one hands on to those who join',
};

export class HttpTarget implements Target {
  readonly kind: Target['kind'];
  readonly name: string;
  readonly run: string;
  readonly redactor: Redactor;
  readonly admin: HttpClient;
  readonly serverClock = new ServerClock();
  readonly #options: HttpTargetOptions;
  readonly #transport: Transport;
  readonly #exchanges: Exchanges;
  readonly #holders = new Map<string, string>();
  readonly #journal: Journal | undefined;
  readonly #shared: Shared;
  readonly #cleaning = new AbortController();
  #found: Found = NOTHING_FOUND;
  #facts: Facts;
  #abilities: Partial<Abilities> | undefined;
  #dryRuns: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #left: readonly Left[] = [];
  #cleaned: CleanOptions['onProgress'];

  constructor(options: HttpTargetOptions) {
    this.#options = options;
    this.kind = options.kind;
    this.name = options.connection.name;
    this.run = options.run;
    this.redactor = options.redactor ?? new Redactor();
    this.#exchanges = new Exchanges(this.redactor);
    this.#transport = new Transport(options.connection, {
      secret: (value) => this.redactor.add(value),
      redact: (text) => this.redactor.redact(text),
    });
    this.#journal =
      options.disposable === true || options.readOnly !== undefined ? undefined : new Journal(options.run);
    const late = new AbortController();
    const breakOff = (): void => {
      setTimeout(() => late.abort(options.signal.reason), LATE_ANSWER_MS).unref();
    };
    options.signal.addEventListener('abort', breakOff, { once: true });
    setMaxListeners(0, options.signal, this.#cleaning.signal, late.signal);
    this.#shared = {
      transport: this.#transport,
      exchanges: this.#exchanges,
      redactor: this.redactor,
      lost: new LostAnswers(),
      lists: new KeptLists(),
      run: options.run,
      journal: this.#journal,
      readOnly: options.readOnly,
      signal: options.signal,
      lateSignal: late.signal,
      heard: ({ headers }, sentAt) => this.serverClock.heard(headers.date, sentAt),
      reads: { granted: 0, refused: 0 },
      now: () => this.facts.now(),
      admin: () => this.admin,
      dryRuns: () => {
        this.#dryRuns ??= demandDryRuns(this.admin, options.run);
        return this.#dryRuns;
      },
    };
    this.admin = new HttpClient({ kind: 'admin' }, 'admin', this.#shared);
    this.#facts = this.#stated(NOTHING_FOUND);
  }

  #stated({ facts, version, absent = [], signs = [], account }: Found): Facts {
    const { server, caPem } = this.#options.connection;
    const { clock } = this.#options;
    return {
      server,
      ...(caPem === undefined ? {} : { caPem }),
      version,
      holds: new Set(FACTS.filter((fact) => facts[fact] === true)),
      absent: new Set(absent),
      signs,
      ...(account === undefined ? {} : { account }),
      now: clock === undefined ? () => this.serverClock.now() : () => clock.now(),
      readsNothing: () => this.#shared.reads.refused > 0 && this.#shared.reads.granted === 0,
      // where time is moved nobody waits for it
      ...(clock === undefined ? { pace: () => this.#transport.pace.times } : {}),
    };
  }

  /** Said once by whoever opened the target, after looking. */
  declare(found: Found): void {
    this.#found = found;
    this.#facts = this.#stated(found);
    this.#abilities = undefined;
  }

  get facts(): Facts {
    return this.#facts;
  }

  get abilities(): Partial<Abilities> {
    this.#abilities ??= this.#abilitiesOver(this.#shared);
    return this.#abilities;
  }

  why(need: Need): string {
    if (isFact(need)) {
      const why = this.#found.facts[need];
      return why === true ? `${this.name} is so: ${need}` : why;
    }
    return this.#found.lacks[need] ?? WHY[need];
  }

  /** Aborted when the target has stopped answering. */
  get gone(): AbortSignal {
    return this.#transport.gone;
  }

  observed(listener: (exchange: Exchange) => void): Target {
    const { exchanges } = this.#shared;
    const add: Exchanges['add'] = (...kept) => {
      const shown = exchanges.add(...kept);
      listener(shown);
      return shown;
    };
    const { kind, name, run } = this;
    const facts = this.#facts;
    const abilities = this.#abilitiesOver({ ...this.#shared, exchanges: { add } });
    return { kind, name, run, facts, abilities, why: (need) => this.why(need), close: () => this.close() };
  }

  #abilitiesOver(shared: Shared): Partial<Abilities> {
    const { lacks } = this.#found;
    const { clock, variants, init, client, files, preflight, uploads, readOnly } = this.#options;
    const admin = new HttpClient({ kind: 'admin' }, 'admin', shared);
    const as = (identity: Identity): Asker => (identity.kind === 'admin' ? admin : this.#clientFor(identity, shared));
    const given = <K extends Ability>(name: K, ability: Abilities[K] | undefined): Partial<Pick<Abilities, K>> =>
      ability === undefined || lacks[name] !== undefined ? {} : ({ [name]: ability } as Pick<Abilities, K>);
    return {
      ...given('objects', admin),
      ...given('requests', { as, secret: (value) => this.redactor.add(value) }),
      ...given('writes', readOnly === undefined ? admin : undefined),
      ...given('reviews', {
        review: (body) => admin.ask({ method: 'POST', path: pathOf(resources.subjectAccessReviews), body }),
      }),
      ...given('tls', this.#tls()),
      ...given('clock', clock),
      ...given('variants', variants),
      ...given('init', init),
      ...given('client', client),
      ...given('files', files),
      ...given('preflight', preflight),
      ...given('uploads', uploads),
    };
  }

  #tls(): TlsProbe {
    const { server, serverName } = this.#options.connection;
    const { signal } = this.#options;
    const named = serverName === undefined ? {} : { serverName };
    return {
      presented: (host) =>
        presentedCertificates({ server, ...(host === undefined ? named : { serverName: host }), signal }),
      plain: () => plainAnswer({ server, signal }),
      // tls-server-name belongs to the kubeconfig's own address.
      trusts: (caPem, other) =>
        trusted({ server: other ?? server, caPem, ...(other === undefined ? named : {}), signal }),
    };
  }

  as(identity: Identity): HttpClient {
    return identity.kind === 'admin' ? this.admin : this.#clientFor(identity, this.#shared);
  }

  /** A client over what is shared; what the identity knows is registered as secret. */
  #clientFor(identity: Identity, shared: Shared): HttpClient {
    switch (identity.kind) {
      case 'token':
        if (identity.isPublic !== true) this.redactor.add(identity.token);
        break;
      case 'certificate':
        this.redactor.add(identity.key);
        if (identity.token !== undefined) this.redactor.add(identity.token);
        break;
      case 'header':
        for (const value of identity.authorization) this.redactor.addAuthorization(value);
        break;
      case 'admin':
      case 'anonymous':
        break;
    }
    return new HttpClient(identity, this.#labelOf(identity), shared);
  }

  #labelOf(identity: Identity): string {
    switch (identity.kind) {
      case 'admin':
      case 'anonymous':
        return identity.kind;
      case 'token': {
        const id = TOKEN_FORM.exec(identity.token)?.[1];
        return id === undefined ? 'a bearer token' : `system:bootstrap:${id}`;
      }
      case 'header':
        return `raw Authorization (${identity.authorization.length})`;
      case 'certificate': {
        const name = this.#holderOf(identity.certificate);
        return identity.token === undefined || name === UNREADABLE ? name : `${name} and a bearer token`;
      }
    }
  }

  /** Whom a certificate (PEM) names; read once, since one is used for many requests. */
  #holderOf(pem: string): string {
    let name = this.#holders.get(pem);
    if (name === undefined) {
      name = holderOf(pem);
      this.#holders.set(pem, name);
    }
    return name;
  }

  /** Exchanges so far (redacted), newest last. */
  exchanges(since?: number): readonly Exchange[] {
    return this.#exchanges.list(since);
  }

  /** What the clean-up could not remove; empty before close(). */
  get leftovers(): readonly Left[] {
    return this.#left;
  }

  /** Told how many objects are gone, of how many, while close() cleans up. */
  onCleaning(listener: (gone: number, known: number) => void): void {
    this.#cleaned = listener;
  }

  /** Ends a clean-up that is under way: for a second signal. */
  abort(): void {
    this.#cleaning.abort(new TargetUnreachable('The clean-up was broken off.', 'aborted'));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    try {
      if (this.#journal !== undefined)
        this.#left = await this.#journal.clean({
          ...this.#options.cleaning,
          signal: this.#cleaning.signal,
          access: (signal) => accessFor(this.admin, signal),
          onProgress: this.#cleaned,
        });
    } finally {
      await this.#transport.close();
      await this.#options.onClose?.();
    }
  }
}

/** "anonymous", "system:bootstrap:<id>", "CN=…": never a secret. */

const UNREADABLE = 'an unreadable certificate';

function holderOf(pem: string): string {
  try {
    return /^CN=(.+)$/m.exec(new X509Certificate(pem).subject)?.[1] ?? 'a certificate without CN';
  } catch {
    return UNREADABLE;
  }
}
