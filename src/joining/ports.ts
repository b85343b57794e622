/**
 * What a machine that joins needs of the world: somebody who asks an API server, and a clock. A target's own fit as
 * they are.
 */

/** Who asks. `certificate` and `key` are PEM. */
export type Identity =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'certificate'; readonly certificate: string; readonly key: string };

export interface Question {
  /** Default GET. */
  readonly method?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Default application/json; for PATCH the patch type. */
  readonly contentType?: string;
}

/** What came back: any answer with a status, refusals too. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  /** The parsed body where it is JSON, else undefined. */
  readonly body: unknown;
}

/** One identity, asking. */
export interface Asker {
  ask(question: Question): Promise<Answer>;
}

export interface Cluster {
  /** URL of the API server. */
  readonly server: string;
  /** Milliseconds since the epoch, and milliseconds to wait. */
  readonly clock: { now(): number; sleep(milliseconds: number): Promise<void> };
  as(identity: Identity): Asker;
}
