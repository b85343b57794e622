/**
 * For tests and tools only: faults between joinproof and a server of this process. They are put before the server's own
 * listener, behind its TLS, so that identities stay as they are. Seeded: the n-th request of a seed meets the same
 * fault.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export const FAULTS = [
  /** 429 with Retry-After, and without: the request was not looked at. */
  'busy',
  'busy-silent',
  /** The connection is closed before the request is looked at. */
  'reset',
  /** The answer stops half way, or is cut and says that it is whole. */
  'truncated',
  'cut',
  /** 500, 502, 503, 504 instead of looking at the request. */
  'broken',
  'slow',
  'very-slow',
  /** Date says another year. */
  'wrong-date',
  /** The request is done and its answer lost: the connection is closed, or says 504. */
  'lost',
  'lost-504',
  'dropped-watch',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultPlan {
  readonly seed: number;
  /** Of all requests, how many meet which fault: 0 to 1. What is every second one is 0.5. */
  readonly rates: Partial<Readonly<Record<Fault, number>>>;
}

const SLOW_MS = 300;
const VERY_SLOW_MS = 2_000;
const WATCHED_MS = 200;
const WRONG_MS = 400 * 86_400_000;
const BROKEN = [500, 502, 503, 504];

/** 0 to 1, by seed and number. Source: splitmix32. */
function chance(seed: number, n: number): number {
  let state = (Math.imul(seed, 0x9e3779b9) + Math.imul(n, 0x85ebca6b)) | 0;
  state = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
  state = Math.imul(state ^ (state >>> 15), 0x735a2d97);
  return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32;
}

function chosen({ seed, rates }: FaultPlan, n: number): Fault | undefined {
  let at = chance(seed, n);
  for (const fault of FAULTS) {
    at -= rates[fault] ?? 0;
    if (at < 0) return fault;
  }
  return undefined;
}

export interface Faulty {
  /** Faults so far. */
  readonly met: Partial<Record<Fault, number>>;
  end(): void;
}

/** Puts faults before the server of this process that listens at `port`. */
export function faultsBefore(port: number, plan: FaultPlan): Faulty {
  const met: Partial<Record<Fault, number>> = {};
  let n = 0;
  let over = false;
  let server: Server | undefined;
  const seen = (message: unknown): void => {
    const started = message as { readonly server: Server; readonly request: IncomingMessage };
    // not the server's own address: it may stand behind another one that listens
    if (server !== undefined || started.request.socket.localPort !== port) return;
    server = started.server;
    const emit = server.emit.bind(server) as (event: string, ...given: unknown[]) => boolean;
    server.emit = (event: string, ...given: unknown[]) => {
      const pass = (): boolean => emit(event, ...given);
      if (event !== 'request') return pass();
      const [request, response] = given as [IncomingMessage, ServerResponse];
      n += 1;
      const fault = over ? undefined : chosen(plan, n);
      if (fault === undefined) return pass();
      met[fault] = (met[fault] ?? 0) + 1;
      meet(fault, { request, response, pass, n });
      return true;
    };
  };
  subscribe('http.server.request.start', seen);
  const end = (): void => {
    over = true;
    unsubscribe('http.server.request.start', seen);
  };
  return { met, end };
}

interface Meeting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Hands the request on to the server. */
  readonly pass: () => boolean;
  readonly n: number;
}

function meet(fault: Fault, { request, response, pass, n }: Meeting): void {
  switch (fault) {
    case 'busy':
    case 'busy-silent':
      refuse(response, 429, fault === 'busy' ? { 'retry-after': '1' } : {});
      break;
    case 'reset':
      request.socket.destroy();
      break;
    case 'truncated':
    case 'cut':
      cutOff(response, fault === 'cut');
      pass();
      break;
    case 'broken':
      refuse(response, BROKEN[n % BROKEN.length] ?? 500);
      break;
    case 'slow':
    case 'very-slow':
      setTimeout(pass, fault === 'slow' ? SLOW_MS : VERY_SLOW_MS);
      break;
    case 'wrong-date':
      response.sendDate = false;
      response.setHeader('Date', new Date(Date.now() - WRONG_MS).toUTCString());
      pass();
      break;
    case 'lost':
    case 'lost-504':
      lose(response, fault === 'lost-504');
      pass();
      break;
    case 'dropped-watch':
      if (request.url?.includes('watch=') === true) setTimeout(() => request.socket.destroy(), WATCHED_MS);
      pass();
      break;
  }
}

function refuse(response: ServerResponse, code: number, headers: Record<string, string> = {}): void {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'a fault of the test', code };
  response.writeHead(code, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(status));
}

/** Half of the body goes out; `whole`: and is called all of it. */
function cutOff(response: ServerResponse, whole: boolean): void {
  const { end, writeHead } = response;
  let head: readonly [number, Record<string, string>] | undefined;
  response.writeHead = (...given: unknown[]) => {
    head = given as unknown as [number, Record<string, string>];
    return response;
  };
  response.end = (...given: unknown[]) => {
    const body = Buffer.from((given[0] as Buffer | string | undefined) ?? '');
    const half = body.subarray(0, Math.floor(body.length / 2));
    const [code, headers] = head ?? [200, {}];
    const length = String((whole ? half : body).length);
    writeHead.call(response, code, { ...headers, 'Content-Length': length });
    if (whole) end.call(response, half, 'utf8');
    else response.write(half, () => response.socket?.destroy());
    return response;
  };
}

/** What the server answers is not told. */
function lose(response: ServerResponse, told: boolean): void {
  const { end, writeHead } = response;
  response.writeHead = () => response;
  response.write = () => true;
  response.end = () => {
    if (told) {
      writeHead.call(response, 504, { 'content-length': '0' });
      end.call(response, '', 'utf8');
    } else response.socket?.destroy();
    return response;
  };
}
