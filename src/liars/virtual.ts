/**
 * A liar on a wire that exists in memory only, with a clock that moves when somebody waits: what takes a client minutes
 * takes no time. Certificates are judged as TLS libraries judge them.
 */

import { isIP } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { rememberedText } from '../kubernetes/remembered.js';
import type { Trust, Wire, WireAnswer, WireFailure, WireQuestion } from '../kubernetes/wire.js';
import { type CertificateFacts, parseCertificate } from '../pki/certificate.js';
import { spkiPin } from '../pki/keys.js';
import { certificatesOfPem } from '../pki/pem.js';
import { serverProblem } from '../pki/verify.js';
import { ownHost } from './addresses.js';
import { bundleOf } from './cast.js';
import { componentAt, startsPods } from './components.js';
import { Liar } from './liar.js';
import type { Lie, Reply } from './lie.js';

/** A client that waits without a limit is ended after so long. */
const FOR_EVER = 60_000;

/** No client asks so often before a server: one that waits without a pause would never end. */
const MOST = 5_000;

/** The client would wait, or ask, for ever. */
export class NeverEnds extends Error {
  constructor(why = 'the client waits without a limit for a server that never answers') {
    super(why);
    this.name = 'NeverEnds';
  }
}

/** Moves when somebody sleeps. Milliseconds since the epoch. */
export interface VirtualClock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

export function virtualClock(start: number): VirtualClock {
  let now = start;
  return {
    now: () => now,
    async sleep(milliseconds) {
      now += Math.max(0, milliseconds);
    },
  };
}

interface Connection {
  readonly number: number;
  alive: boolean;
}

const failure = (given: WireFailure): WireAnswer => ({ kind: 'failure', failure: given });
/** "sha256:<hex>" of the key of the first certificate of a PEM text. */
const keyOf = rememberedText((pem: string): string => roots(pem).map(({ spki }) => spkiPin(spki))[0] ?? '');
/** What cannot be read is believed by nobody. Source: crypto/x509 CertPool.AppendCertsFromPEM. */
const roots = (pem: string): readonly CertificateFacts[] =>
  certificatesOfPem(pem).flatMap((der) => {
    try {
      return [parseCertificate(der)];
    } catch {
      return [];
    }
  });

const HERE = '127.0.0.1';
/** The same address, written as one of IPv6. */
const MAPPED = '[::ffff:127.0.0.1]';
/** And that of IPv6. */
const LOOPBACK6 = '[::1]';

/** The name of a server in a URL; '' where it has an address. */
function nameIn(url: string): string {
  const [, host = ''] = /^https:\/\/(\[[^\]]*\]|[^/:]*)/.exec(url) ?? [];
  return host.startsWith('[') || isIP(host) !== 0 ? '' : host.toLowerCase();
}

export class VirtualWire implements Wire {
  readonly liar: Liar;
  readonly #clock: VirtualClock;
  /** Whom the client asked where nobody listens, in order. */
  readonly astray: string[] = [];
  readonly #connections = new Map<string, Connection>();
  #asked = 0;

  /** @param endpoint host:port where the liar listens */
  constructor(lie: Lie, endpoint: string, clock: VirtualClock) {
    this.#clock = clock;
    this.liar = new Liar(lie, { endpoint, now: () => clock.now() });
  }

  /** Throws NeverEnds. */
  async exchange(question: WireQuestion): Promise<WireAnswer> {
    this.#asked += 1;
    if (this.#asked > MOST) throw new NeverEnds(`the client asks more than ${MOST} times, and does not end`);
    const url = /^(https?):\/\/([^/]*?)(?::(\d+))?(\/.*)?$/.exec(question.url);
    if (url === null) return failure({ cause: 'other', why: 'this is no URL' });
    const [, scheme = '', host = '', port = scheme === 'http' ? '80' : '443', target = '/'] = url;
    const status = scheme === 'https' ? this.#component(host, Number(port), target) : undefined;
    if (status !== undefined) return { kind: 'answer', status, headers: {}, body: Buffer.alloc(0) };
    const unreachable = this.#unreachable(host, Number(port));
    if (unreachable !== undefined) {
      this.astray.push(`${scheme}://${host}:${port}`);
      return failure(unreachable);
    }
    if (scheme === 'http') {
      this.liar.note(this.liar.accept().connection, 'plain request');
      return failure({ cause: 'reset' });
    }
    const end = question.within === undefined ? undefined : this.#clock.now() + question.within;
    const connected = await this.#connect(`${host.replace(MAPPED, HERE)}:${port}`, host, question, end);
    return 'cause' in connected
      ? failure(connected)
      : this.#ask(connected, target, { ...question, headers: { host: `${host}:${port}`, ...question.headers } }, end);
  }

  /** What runs beside the client says how it is; undefined: it is not asked. */
  #component(host: string, port: number, target: string): number | undefined {
    const { lie, components } = this.liar;
    const component = host === '127.0.0.1' && startsPods(lie) ? componentAt(port) : undefined;
    return component && components.answer(component, target.replace(/\?.*$/s, ''));
  }

  #unreachable(host: string, port: number): WireFailure | undefined {
    if (port > 65_535) return { cause: 'bad address' };
    const { lie } = this.liar;
    if (lie.told?.certificateKey !== undefined && `${host}:${port}` === ownHost(lie.told)) return undefined;
    const [own = '', ownPort = ''] = this.liar.scene.endpoint.split(':');
    const isHere = [own, 'localhost', HERE, MAPPED, LOOPBACK6].includes(host.toLowerCase());
    if (!isHere) return { cause: 'unknown host' };
    const isItsPort =
      port === Number(ownPort) ||
      (port === 443 && /^https:\/\/[^/:]+$/.test(lie.cluster?.server?.(this.liar.scene) ?? ''));
    return !isItsPort || lie.listens === false ? { cause: 'refused' } : undefined;
  }

  /** Waits until the limit; where there is none the client would wait for ever. */
  async #wait(end: number | undefined): Promise<void> {
    await this.#clock.sleep(end === undefined ? FOR_EVER : end - this.#clock.now());
    if (end === undefined) throw new NeverEnds();
  }

  /** The connection of this client to this server, or a new one. */
  async #connect(
    origin: string,
    host: string,
    { trust, certificate, offersWeak }: WireQuestion,
    end: number | undefined,
  ): Promise<Connection | WireFailure> {
    const key = JSON.stringify([origin, trust, certificate?.certificate]);
    const kept = this.#connections.get(key);
    if (kept?.alive === true) return kept;
    const { connection: number, how, serving } = this.liar.accept();
    switch (how) {
      case 'closed':
        this.liar.note(number, 'closed after accept');
        return { cause: 'reset' };
      case 'silent':
        this.liar.note(number, 'silent');
        await this.#wait(end);
        return { cause: 'time', during: 'connecting' };
      case 'plain http':
        this.liar.note(number, 'answered without tls', { firstByte: 0x16 });
        return { cause: 'not tls' };
      case 'no common cipher':
        this.liar.note(number, 'no common cipher');
        return { cause: 'handshake' };
      default: {
        if (how !== 'tls' && offersWeak !== true) {
          this.liar.note(number, 'no common cipher');
          return { cause: 'handshake' };
        }
        const problem = this.#problem(serving.der, host, trust);
        if (problem !== undefined) {
          this.liar.note(number, 'certificate refused');
          return { cause: 'untrusted', problem };
        }
        const made = { number, alive: true };
        this.#connections.set(key, made);
        return made;
      }
    }
  }

  #problem(der: Buffer, host: string, trust: Trust): ReturnType<typeof serverProblem> {
    if (trust === 'anybody') return undefined;
    const { hostTrusts } = this.liar.lie.told ?? {};
    const ofHost = hostTrusts === undefined ? '' : bundleOf(this.liar.scene.cast, hostTrusts);
    const expected = { roots: roots(trust === 'host' ? ofHost : trust.caPem), host, now: this.#clock.now() };
    return serverProblem(parseCertificate(der), expected);
  }

  async #ask(
    connection: Connection,
    target: string,
    { method, url, headers, body = '', largest, certificate, serverName = nameIn(url) }: WireQuestion,
    end: number | undefined,
  ): Promise<WireAnswer> {
    const reply = this.liar.answer({
      connection: connection.number,
      method,
      target,
      headers,
      body,
      serverName,
      ...(certificate === undefined
        ? {}
        : { clientCertificate: 'one that the client has', clientKey: keyOf(certificate.certificate) }),
    });
    if (typeof reply !== 'string' && reply.after !== undefined) {
      const due = this.#clock.now() + reply.after;
      await this.#clock.sleep(Math.min(due, end ?? due) - this.#clock.now());
      if (end !== undefined && due > end) return failure({ cause: 'time', during: 'waiting' });
    }
    const isHalf = typeof reply !== 'string' && reply.isHalf === true;
    const form = typeof reply === 'string' ? undefined : reply.form;
    connection.alive =
      typeof reply !== 'string' && !isHalf && form !== 'until closed' && reply.headers?.connection !== 'close';
    if (isHalf) return failure({ cause: 'cut', begun: Buffer.from(reply.body) });
    if (typeof reply !== 'string') return received(reply, largest);
    switch (reply) {
      case 'hang':
        await this.#wait(end);
        return failure({ cause: 'time', during: 'waiting' });
      case 'drip':
        await this.#wait(end);
        this.liar.note(connection.number, 'closed by client');
        return failure({ cause: 'time', during: 'reading' });
      default:
        return failure({ cause: reply });
    }
  }
}

/** An answer as the client sees it. */
function received({ status, headers = {}, body, form }: Exclude<Reply, string>, largest: number): WireAnswer {
  const { 'content-encoding': encoding, ...others } = headers;
  try {
    const whole = encoding === 'gzip' ? gunzipSync(body, { maxOutputLength: largest }) : Buffer.from(body);
    return whole.length > largest
      ? failure({ cause: 'too large' })
      : { kind: 'answer', status, headers: others, body: whole, ...(form === undefined ? {} : { form }) };
  } catch {
    return failure({ cause: 'too large' });
  }
}
