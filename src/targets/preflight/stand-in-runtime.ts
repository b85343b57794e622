/**
 * A container runtime that stands in for one: it answers what kubeadm asks before it begins, has every image and runs
 * nothing. Source: k8s.io/cri-api runtime/v1/api.proto.
 */
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';

export interface RuntimeLike {
  /** Why it is not ready; undefined: it is. */
  readonly notReady?: { readonly reason: string; readonly message: string };
  /** It knows the method RuntimeConfig. */
  readonly configures: boolean;
}

const UNIMPLEMENTED = { 'grpc-status': '12', 'grpc-message': 'unknown method' };
const FINE = { 'grpc-status': '0', 'grpc-message': '' };

/** A field that holds bytes, or a true. */
const field = (number: number, value: string | Buffer | true): Buffer => {
  if (value === true) return Buffer.from([number << 3, 1]);
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
};

function condition(type: string, { notReady }: Pick<RuntimeLike, 'notReady'>): Buffer {
  const why = notReady === undefined ? [field(2, true)] : [field(3, notReady.reason), field(4, notReady.message)];
  return field(1, Buffer.concat([field(1, type), ...why]));
}

/** What it answers to a method; undefined: it knows none of that name. */
function answerTo(method: string, like: RuntimeLike): Buffer | undefined {
  switch (method) {
    case 'runtime.v1.RuntimeService/Version':
      return Buffer.concat([field(1, '0.1.0'), field(2, 'joinproof'), field(3, '1.0.0'), field(4, 'v1')]);
    case 'runtime.v1.RuntimeService/Status':
      return field(1, Buffer.concat([condition('RuntimeReady', like), condition('NetworkReady', {})]));
    case 'runtime.v1.RuntimeService/RuntimeConfig':
      return like.configures ? Buffer.alloc(0) : undefined;
    case 'runtime.v1.ImageService/ImageFsInfo':
      return Buffer.alloc(0);
    case 'runtime.v1.ImageService/ImageStatus':
      return field(1, Buffer.concat([field(1, 'sha256:0'), field(4, true)]));
    default:
      return undefined;
  }
}

function answer(stream: ServerHttp2Stream, message: Buffer | undefined): void {
  stream.on('error', () => {});
  stream.resume();
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(message === undefined ? UNIMPLEMENTED : FINE));
  if (message === undefined) {
    stream.end();
    return;
  }
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([head, message]));
}

/** Listens at a path; what it gives ends it. */
export function startRuntime(socket: string, like: RuntimeLike): Promise<() => void> {
  const server: Http2Server = createServer();
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => {});
  });
  server.on('stream', (stream, headers) => answer(stream, answerTo(String(headers[':path']).slice(1), like)));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () =>
      resolve(() => {
        for (const session of sessions) session.destroy();
        server.close();
      }),
    );
  });
}
