/** A target that is reached over HTTP: what a live cluster, the bundled reference and a control plane of ours have in common. */

import { X509Certificate } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { HttpClient, type Shared } from './client.js';
import type { Connection } from './connection.js';
import { ConfigurationError, TargetUnreachable } from './errors.js';
import { Exchanges } from './exchanges.js';
import { Journal, type Left } from './journal.js';
import { accessFor } from './journal-access.js';
import { ObservedTarget } from './observed.js';
import { Redactor } from './redaction.js';
import { presentedCertificates, trusted } from './tls-probe.js';
import { pause, Transport } from './transport.js';
import type {
  Answer,
  Capability,
  Client,
  Exchange,
  Identity,
  ServerVersion,
  Switches,
  Target,
  TargetClock,
} from './types.js';
import { readVersion } from './version.js';

export interface HttpTargetOptions {
  readonly kind: Target['kind'];
  readonly connection: Connection;
  /** Breaks off every question; clean-up still takes place. */
  readonly signal: AbortSignal;
  /** Letters and digits, unique to the run. */
  readonly run: string;
  /** undefined: may write. Else why not, as the end of a sentence. */
  readonly readOnly?: string;
  /** The target is thrown away as a whole: nothing is marked, written down or cleaned. */
  readonly disposable?: boolean;
  /** Default: real time, moved to the server's where its Date header is more than 2 s off. */
  readonly clock?: TargetClock;
  readonly redactor?: Redactor;
  /** A twin with other switches, for targets that have them. */
  readonly with?: (switches: Switches) => Promise<Target>;
  /** Runs kubeadm's init phase bootstrap-token once more, for targets that can. */
  readonly repeatBootstrapPhase?: () => Promise<void>;
  /** Ends what was started for this target; called once, after the clean-up. */
  readonly onClose?: () => Promise<void>;
  /** Milliseconds for the whole clean-up; default 20 000. */
  readonly cleanMs?: number;
}

/** Which capabilities there are, and for the others why not. */
export interface Abilities {
  readonly has: ReadonlySet<Capability>;
  readonly lacks: ReadonlyMap<Capability, string>;
}

const CLEAN_MS = 20_000;
/** The Date header has whole seconds; below this the clocks count as one. */
const SKEW_MS = 2_000;

export class HttpTarget implements Target {
  readonly kind: Target['kind'];
  readonly name: string;
  readonly server: string;
  readonly caPem?: string;
  readonly clock: TargetClock;
  readonly admin: HttpClient;
  readonly redactor: Redactor;
  readonly #options: HttpTargetOptions;
  readonly #transport: Transport;
  readonly #exchanges: Exchanges;
  readonly #journal: Journal | undefined;
  readonly #shared: Shared;
  readonly #cleaning = new AbortController();
  #abilities: Abilities = { has: new Set(), lacks: new Map() };
  #version: Promise<ServerVersion> | undefined;
  #skew: number | undefined;
  #closed: Promise<void> | undefined;
  #left: readonly Left[] = [];

  constructor(options: HttpTargetOptions) {
    this.#options = options;
    this.kind = options.kind;
    this.name = options.connection.name;
    this.server = options.connection.server;
    if (options.connection.caPem !== undefined) this.caPem = options.connection.caPem;
    this.redactor = options.redactor ?? new Redactor();
    this.#exchanges = new Exchanges(this.redactor);
    this.#transport = new Transport(options.connection, {
      secret: (value) => this.redactor.add(value),
      redact: (text) => this.redactor.redact(text),
    });
    this.#journal =
      options.disposable === true || options.readOnly !== undefined
        ? undefined
        : new Journal(options.run, Date.now(), () => accessFor(this.admin, this.#cleaning.signal));
    setMaxListeners(0, options.signal, this.#cleaning.signal);
    this.#shared = {
      transport: this.#transport,
      exchanges: this.#exchanges,
      redactor: this.redactor,
      journal: this.#journal,
      readOnly: options.readOnly,
      signal: options.signal,
      heard: (answer, sentAt) => this.#heard(answer, sentAt),
      admin: () => this.admin,
    };
    this.admin = new HttpClient({ kind: 'admin' }, 'admin', this.#shared);
    this.clock = options.clock ?? {
      now: () => Date.now() + (this.#skew ?? 0),
      sleep: (milliseconds) => pause(milliseconds, options.signal),
    };
  }

  /** Said once by whoever opened the target, after looking. */
  declare(abilities: Abilities): void {
    this.#abilities = abilities;
  }

  get capabilities(): ReadonlySet<Capability> {
    return this.#abilities.has;
  }

  why(capability: Capability): string {
    return this.#abilities.lacks.get(capability) ?? `${this.name} has the capability ${capability}`;
  }

  as(identity: Identity): Client {
    return identity.kind === 'admin' ? this.admin : this.clientFor(identity, this.#shared);
  }

  observed(listener: (exchange: Exchange) => void): Target {
    return new ObservedTarget(this, this.#shared, listener);
  }

  /** A client over what is shared; what the identity knows is registered as secret. */
  clientFor(identity: Identity, shared: Shared): HttpClient {
    switch (identity.kind) {
      case 'token':
        this.secret(identity.token);
        break;
      case 'certificate':
        this.secret(identity.key);
        if (identity.token !== undefined) this.secret(identity.token);
        break;
      case 'header':
        for (const value of identity.authorization) this.secret(value.replace(/^\S+\s+/, ''));
        break;
      case 'admin':
      case 'anonymous':
        break;
    }
    return new HttpClient(identity, labelOf(identity), shared);
  }

  version(): Promise<ServerVersion> {
    this.#version ??= this.admin.ask({ path: '/version' }).then((answer) => {
      if (answer.status === 200) return readVersion(answer.body);
      return readVersion(undefined);
    });
    return this.#version;
  }

  secret(value: string): void {
    this.redactor.add(value);
  }

  exchanges(since?: number): readonly Exchange[] {
    return this.#exchanges.list(since);
  }

  servingCertificates(): Promise<readonly string[]> {
    const { server, serverName } = this.#options.connection;
    return presentedCertificates({
      server,
      ...(serverName === undefined ? {} : { serverName }),
      signal: this.#options.signal,
    });
  }

  trusts(caPem: string, server?: string): Promise<{ ok: true } | { ok: false; reason: string }> {
    const { serverName } = this.#options.connection;
    // tls-server-name belongs to the kubeconfig's own address.
    const named = server === undefined && serverName !== undefined ? { serverName } : {};
    return trusted({ server: server ?? this.server, caPem, ...named, signal: this.#options.signal });
  }

  async repeatBootstrapPhase(): Promise<void> {
    if (this.#options.repeatBootstrapPhase === undefined)
      throw new ConfigurationError(`${this.name} cannot run the phases of kubeadm init again.`);
    await this.#options.repeatBootstrapPhase();
  }

  with(switches: Switches): Promise<Target> {
    if (this.#options.with === undefined) {
      return Promise.reject(
        new ConfigurationError(`${this.name} cannot be started with other switches: it is not ours.`),
      );
    }
    return this.#options.with(switches);
  }

  /** What the clean-up could not remove or put back; empty before close(). */
  get leftovers(): readonly Left[] {
    return this.#left;
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
    const limit = this.#options.cleanMs ?? CLEAN_MS;
    const timer = setTimeout(
      () => this.#cleaning.abort(new TargetUnreachable(`Cleaning up took longer than ${limit / 1000} s.`, 'timeout')),
      limit,
    );
    try {
      if (this.#journal !== undefined) this.#left = await this.#journal.clean(this.#cleaning.signal);
    } finally {
      clearTimeout(timer);
      await this.#transport.close();
      await this.#options.onClose?.();
    }
  }

  /** The first answer with a Date decides: later ones would let time jump within a scenario. */
  #heard(answer: Answer, sentAt: number): void {
    const date = answer.headers.date;
    if (this.#skew !== undefined || typeof date !== 'string') return;
    const server = Date.parse(date);
    if (Number.isNaN(server)) return;
    const difference = server + 500 - (sentAt + Date.now()) / 2;
    this.#skew = Math.abs(difference) > SKEW_MS ? Math.round(difference) : 0;
  }
}

/** "anonymous", "system:bootstrap:<id>", "CN=…": never a secret. */
function labelOf(identity: Identity): string {
  switch (identity.kind) {
    case 'admin':
    case 'anonymous':
      return identity.kind;
    case 'token': {
      const id = /^([a-z0-9]{6})\.[a-z0-9]{16}$/.exec(identity.token)?.[1];
      return id === undefined ? 'a bearer token' : `system:bootstrap:${id}`;
    }
    case 'header':
      return `raw Authorization (${identity.authorization.length})`;
    case 'certificate':
      try {
        const name =
          /^CN=(.+)$/m.exec(new X509Certificate(identity.certificate).subject)?.[1] ?? 'a certificate without CN';
        return identity.token === undefined ? name : `${name} and a bearer token`;
      } catch {
        return 'an unreadable certificate';
      }
  }
}
