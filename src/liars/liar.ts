/**
 * A liar without a transport: which certificate a connection is served under, what each request is answered, and a
 * journal of it all. virtual.ts and server.ts put it on a wire.
 */

import { withoutSlashes } from '../kubernetes/slashes.js';
import type { ConnectionEvent, Entry } from '../kubernetes/transcript.js';
import { ownHost } from './addresses.js';
import { answer as answering, clusterInfoMap, isClusterInfo, json, refusal } from './answers.js';
import { type Cast, castAt, type Serving, type ServingName } from './cast.js';
import { ClusterState } from './cluster-state.js';
import { HEALTH, PlayedComponents, startsPods } from './components.js';
import { PlayedEtcd } from './etcd.js';
import { type Accepted, type Asked, isWeak, type Lie, type Reply } from './lie.js';
import { formRefused } from './negotiation.js';
import { authorityPem, type ClusterText, clusterInfo, payload, type Scene } from './scene.js';

/** A request as it came. */
export interface Came {
  readonly connection: number;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly clientCertificate?: string;
  /** "sha256:<hex>" of its key. */
  readonly clientKey?: string;
  readonly tls?: string;
  /** Name of the server that was told in the handshake; '': none was. */
  readonly serverName?: string;
}

/** Where it listens, by what clock (milliseconds since the epoch). */
export interface Place {
  /** host:port that clients are told. */
  readonly endpoint: string;
  now(): number;
  /** Release of the cluster, "1.36.1"; default that. */
  readonly release?: string;
}

/** What stands behind host and port. */
const pathIn = (at = ''): string => /^[^/]*(\/.*)$/.exec(withoutSlashes(at))?.[1] ?? '';

export class Liar {
  readonly lie: Lie;
  readonly scene: Scene;
  readonly journal: Entry[] = [];
  readonly etcd: PlayedEtcd;
  readonly components: PlayedComponents;
  readonly #place: Place;
  readonly #began: number;
  readonly #state: ClusterState;
  readonly #asked = new Map<string, number>();
  #connections = 0;
  /** Number of the last connection when a path was first asked for that changes the certificate. */
  readonly #last = new Map<RegExp, number>();
  /** Connections that protect nothing. */
  readonly #unprotected = new Set<number>();

  constructor(lie: Lie, place: Place) {
    this.lie = lie;
    this.etcd = new PlayedEtcd(lie, () => this.journal.length);
    this.#place = place;
    this.#began = place.now();
    this.components = new PlayedComponents(lie, () => this.#at);
    const cast: Cast = castAt(this.#began);
    this.scene = { cast, endpoint: place.endpoint, release: place.release ?? '1.36.1' };
    this.#state = new ClusterState(lie, this.scene, () => place.now());
  }

  /** A new connection: its number, what becomes of it, and the certificate that it is served under. */
  accept(): {
    readonly connection: number;
    readonly how: Accepted;
    readonly serving: Serving;
  } {
    this.#connections += 1;
    const connection = this.#connections;
    const name = this.#certificate(connection);
    const { accepts, changes } = this.lie;
    const how = (this.#isChanged(connection) ? changes?.how : accepts?.(connection)) ?? 'tls';
    if (isWeak(how)) this.#unprotected.add(connection);
    return { connection, how, serving: this.scene.cast.serving[name] };
  }

  #isChanged(connection: number): boolean {
    return this.lie.changes?.after.every((path) => connection > (this.#last.get(path) ?? connection)) === true;
  }

  #certificate(connection: number): ServingName {
    const { changes, certificate } = this.lie;
    return this.#isChanged(connection) ? (changes?.to ?? 'good') : (certificate?.(connection) ?? 'good');
  }

  /** Keeps no connection, where the next ones are to be others. */
  #changing(asked: Asked, reply: Reply): Reply {
    const { changes } = this.lie;
    if (changes === undefined) return reply;
    const counts = changes.isCertified !== true || asked.certified;
    for (const path of changes.after)
      if (counts && path.test(asked.path) && !this.#last.has(path)) this.#last.set(path, this.#connections);
    return typeof reply === 'string' ? reply : { ...reply, headers: { ...reply.headers, connection: 'close' } };
  }

  #formed(reply: Reply): Reply {
    const { form } = this.lie;
    return form === undefined || typeof reply === 'string' || reply.holds === true ? reply : { ...reply, form };
  }

  get #at(): number {
    return this.#place.now() - this.#began;
  }

  /** Something happened to a connection. */
  note(connection: number, event: ConnectionEvent, more: { readonly firstByte?: number } = {}): void {
    const certificate = this.#certificate(connection);
    const underTls = event !== 'answered without tls' && event !== 'closed after accept' && event !== 'silent';
    this.journal.push({
      kind: 'connection',
      at: this.#at,
      connection,
      ...(underTls ? { certificate } : {}),
      event,
      ...more,
    });
  }

  /** Answers a request, and writes it down. */
  answer(came: Came): Reply {
    const asked = this.#seen(came);
    const own = this.#ofComponent(asked, came) ?? formRefused({ ...asked, headers: came.headers });
    const reply = this.#formed(this.#changing(asked, own ?? this.#reply(asked)));
    const { connection, method, target, headers, body, clientCertificate, clientKey, tls, serverName } = came;
    this.journal.push({
      kind: 'request',
      at: this.#at,
      connection,
      certificate: this.#certificate(connection),
      method,
      target,
      headers,
      authorization: headers.authorization,
      ...(clientCertificate === undefined ? {} : { clientCertificate }),
      ...(clientKey === undefined ? {} : { clientKey }),
      ...(tls === undefined ? {} : { tls }),
      ...(this.#unprotected.has(connection) ? { isUnprotected: true as const } : {}),
      ...(serverName === undefined ? {} : { serverName }),
      body,
      answered: typeof reply === 'string' ? reply : reply.status,
    });
    return reply;
  }

  /** What the API server of the machine itself says of its health; a kubelet asks it with its token before it bootstraps. */
  #ofComponent({ path, authorization }: Asked, { headers }: Came): Reply | undefined {
    const isAsked = headers.host === ownHost(this.lie.told) && HEALTH.test(path) && authorization === undefined;
    if (!startsPods(this.lie) || !isAsked) return undefined;
    return answering(this.components.answer('kube-apiserver', path), '', 'text/plain');
  }

  #seen({ connection, method, target, headers, body, clientCertificate }: Came): Asked {
    const [given = '', query = ''] = target.split('?');
    // An endpoint, or a server, may have a path of its own, which is put before every other.
    const { told, cluster } = this.lie;
    const [at, server] = [told?.endpoint?.(this.scene), cluster?.server?.(this.scene)?.replace(/^https:\/\//, '')];
    const prefix = pathIn(at) || pathIn(server);
    const path = prefix !== '' && given.startsWith(`${prefix}/`) ? given.slice(prefix.length) : given;
    // cluster-info is below the endpoint, everything else below the server that it names.
    const isAstray = path === given && pathIn(isClusterInfo({ path }) ? at : server) !== '';
    const nth = (this.#asked.get(path) ?? 0) + 1;
    this.#asked.set(path, nth);
    const certified = clientCertificate !== undefined;
    return { method, path, query, isAstray, nth, connection, authorization: headers.authorization, certified, body };
  }

  /** Who takes the place of the server of a node says that his own CA is that of the cluster. */
  #clusterAt({ connection }: Asked): ClusterText {
    const { changes } = this.lie;
    const isStranger = changes?.isCertified === true && changes.to === 'by other ca' && this.#isChanged(connection);
    return isStranger ? { ca: authorityPem(this.scene, 'other ca') } : {};
  }

  #reply(asked: Asked): Reply {
    const told = this.lie.answer?.(asked, this.scene);
    if (told !== undefined) return told;
    if (asked.isAstray) return refusal(404, 'NotFound', 'nobody is here');
    if (!isClusterInfo(asked) || asked.method !== 'GET') return this.#state.answer(asked);
    const data = this.lie.data?.(this.scene, asked.nth) ?? clusterInfo(payload(this.scene, [this.#clusterAt(asked)]));
    return json(200, clusterInfoMap(data));
  }
}
