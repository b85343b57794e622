/**
 * Asks a container runtime what kubeadm asks it before it begins: whether it is there, ready, and says how it is
 * configured. gRPC over its socket, three calls that read. Source: k8s.io/cri-api runtime/v1/api.proto.
 */
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import type { Runtime } from '../../kubeadm/preflight/host.js';

/** Milliseconds of a call, and bytes of an answer. Source: util/runtime/runtime.go defaultTimeout. */
const LIMIT = 2000;
const LARGEST = 4 * 1024 * 1024;
const UNIMPLEMENTED = 12;
/** An empty message, not compressed. Source: grpc, PROTOCOL-HTTP2.md. */
const EMPTY = Buffer.alloc(5);

interface Called {
  /** Code of gRPC. */
  readonly code: number;
  readonly message: string;
  readonly body: Buffer;
}

const failure = (code: string, description: string): string => `rpc error: code = ${code} desc = ${description}`;

/** Why a socket cannot be connected to, as Go says it. */
const SAID: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ECONNREFUSED: 'connection refused',
  EACCES: 'permission denied',
  ENOTSOCK: 'connection refused',
};

const undialled = (path: string, error: NodeJS.ErrnoException): string =>
  failure(
    'Unavailable',
    `connection error: desc = "transport: Error while dialing: dial unix ${path}: connect: ` +
      `${SAID[error.code ?? ''] ?? error.code ?? error.message}"`,
  );

/** Connects first by itself, so that who is not there is told from who does not speak. */
function reached(path: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const socket = connectSocket(path);
    socket.setTimeout(LIMIT, () => socket.destroy(Object.assign(new Error('i/o timeout'), { code: 'ETIMEDOUT' })));
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', resolve);
  });
}

function call(session: ClientHttp2Session, method: string): Promise<Called> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: `/runtime.v1.RuntimeService/${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const chunks: Buffer[] = [];
    let length = 0;
    let status: Readonly<Record<string, unknown>> = {};
    const heard = (headers: Readonly<Record<string, unknown>>): void => {
      if (headers['grpc-status'] !== undefined) status = headers;
    };
    stream.setTimeout(LIMIT, () => stream.destroy(new Error('context deadline exceeded')));
    stream.on('response', heard);
    stream.on('trailers', heard);
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > LARGEST) stream.destroy(new Error('the answer is larger than a client reads'));
      else chunks.push(chunk);
    });
    stream.on('error', reject);
    stream.on('end', () =>
      resolve({
        code: Number(status['grpc-status'] ?? 2),
        message: String(status['grpc-message'] ?? ''),
        body: Buffer.concat(chunks).subarray(EMPTY.length),
      }),
    );
    stream.end(EMPTY);
  });
}

/** The fields of a message by number: a number, or bytes. What is no message has none. */
function fieldsOf(message: Buffer): ReadonlyMap<number, readonly (number | Buffer)[]> {
  const fields = new Map<number, (number | Buffer)[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; at < message.length && shift < 49; shift += 7) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < message.length) {
    const tag = varint();
    const kind = tag & 7;
    if (kind !== 0 && kind !== 2) break;
    const length = varint();
    const value = kind === 0 ? length : message.subarray(at, at + length);
    if (kind === 2) at += length;
    fields.set(tag >>> 3, [...(fields.get(tag >>> 3) ?? []), value]);
  }
  return fields;
}

const messagesIn = (message: Buffer, field: number): readonly Buffer[] =>
  (fieldsOf(message).get(field) ?? []).filter((value) => typeof value !== 'number');
const textIn = (message: Buffer, field: number): string => messagesIn(message, field)[0]?.toString('utf8') ?? '';

/** Why it is not ready: the condition RuntimeReady of StatusResponse. */
function notReady(response: Buffer): { readonly reason: string; readonly message: string } | undefined {
  const [status = Buffer.alloc(0)] = messagesIn(response, 1);
  const condition = messagesIn(status, 1).find((one) => textIn(one, 1) === 'RuntimeReady');
  if (condition === undefined || fieldsOf(condition).get(2)?.[0] === 1) return undefined;
  return { reason: textIn(condition, 3), message: textIn(condition, 4) };
}

/** Only names of what went wrong: a program that speaks no gRPC may answer anything. */
const CODES: Readonly<Record<number, string>> = {
  2: 'Unknown',
  4: 'DeadlineExceeded',
  12: 'Unimplemented',
  14: 'Unavailable',
};

/** `socket`: "unix:///run/containerd/containerd.sock" */
export async function askRuntime(socket: string): Promise<Runtime> {
  const path = socket.replace(/^unix:\/\//, '');
  const error = await reached(path);
  if (error !== undefined) return { failure: undialled(path, error) };
  const session = connect('http://localhost', { createConnection: () => connectSocket(path) });
  let lost: Error | undefined;
  session.on('error', (problem) => {
    lost = problem;
  });
  try {
    const version = await call(session, 'Version');
    if (version.code !== 0) return { failure: failure(CODES[version.code] ?? String(version.code), version.message) };
    const status = await call(session, 'Status');
    if (status.code !== 0) return { failure: failure(CODES[status.code] ?? String(status.code), status.message) };
    const why = notReady(status.body);
    const { code } = await call(session, 'RuntimeConfig');
    return { ...(why === undefined ? {} : { notReady: why }), configures: code !== UNIMPLEMENTED };
  } catch (problem) {
    return { failure: failure('Unavailable', (lost ?? (problem as Error)).message) };
  } finally {
    session.destroy();
  }
}
