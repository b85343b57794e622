/** A target as one scenario sees it: the same connections, clock and journal, with somebody listening to its exchanges. */
import { HttpClient, type Shared } from './client.js';
import type { HttpTarget } from './http-target.js';
import type { Capability, Client, Exchange, Identity, ServerVersion, Switches, Target, TargetClock } from './types.js';

export class ObservedTarget implements Target {
  readonly admin: Client;
  readonly caPem?: string;
  readonly #whole: HttpTarget;
  readonly #shared: Shared;

  constructor(whole: HttpTarget, shared: Shared, listener: (exchange: Exchange) => void) {
    this.#whole = whole;
    if (whole.caPem !== undefined) this.caPem = whole.caPem;
    const add = (exchange: Exchange): Exchange => {
      const shown = shared.exchanges.add(exchange);
      listener(shown);
      return shown;
    };
    this.#shared = { ...shared, exchanges: { add } };
    this.admin = new HttpClient({ kind: 'admin' }, 'admin', this.#shared);
  }

  get kind(): Target['kind'] {
    return this.#whole.kind;
  }
  get name(): string {
    return this.#whole.name;
  }
  get server(): string {
    return this.#whole.server;
  }
  get capabilities(): ReadonlySet<Capability> {
    return this.#whole.capabilities;
  }
  get clock(): TargetClock {
    return this.#whole.clock;
  }
  why(capability: Capability): string {
    return this.#whole.why(capability);
  }
  as(identity: Identity): Client {
    return identity.kind === 'admin' ? this.admin : this.#whole.clientFor(identity, this.#shared);
  }
  version(): Promise<ServerVersion> {
    return this.#whole.version();
  }
  secret(value: string): void {
    this.#whole.secret(value);
  }
  exchanges(since?: number): readonly Exchange[] {
    return this.#whole.exchanges(since);
  }
  servingCertificates(): Promise<readonly string[]> {
    return this.#whole.servingCertificates();
  }
  trusts(caPem: string, server?: string): Promise<{ ok: true } | { ok: false; reason: string }> {
    return this.#whole.trusts(caPem, server);
  }
  with(switches: Switches): Promise<Target> {
    return this.#whole.with(switches);
  }
  repeatBootstrapPhase(): Promise<void> {
    return this.#whole.repeatBootstrapPhase();
  }
  close(): Promise<void> {
    return this.#whole.close();
  }
}
