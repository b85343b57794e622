/**
 * The calls of etcd on the wire: gRPC, of which a message is a byte, its length and protocol buffers.
 * Source: etcd, api/etcdserverpb/rpc.proto; grpc, doc/PROTOCOL-HTTP2.md.
 */
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { Server } from 'node:net';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { issueCredential } from '../pki/authority.js';
import type { Cast } from './cast.js';
import type { EtcdAsked, EtcdMember, EtcdReply, PlayedEtcd } from './etcd.js';

const VARINT = WireType.Varint;
const DELIMITED = WireType.LengthDelimited;
const FRAME = 5;
/** Bytes of a call that are read. */
const LARGEST = 64 * 1024;
const INVALID_ARGUMENT = 3;

/** Fields of a call: texts and numbers, by number, the last of each number but for texts. */
export function readCall(call: string, frame: Buffer): EtcdAsked {
  const reader = new BinaryReader(frame.subarray(FRAME));
  const texts: string[] = [];
  const numbers = new Map<number, number>();
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (type === DELIMITED) texts.push(reader.string());
    else if (type === VARINT) numbers.set(field, Number(reader.uint64()));
    else reader.skip(type, field);
  }
  if (call === 'MemberAdd') return { call, peerUrls: texts, asLearner: numbers.get(2) === 1 };
  return call === 'MemberPromote' ? { call, id: numbers.get(1) ?? 0 } : { call };
}

const message = (write: (writer: BinaryWriter) => void): Uint8Array => {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
};
const numbered = (writer: BinaryWriter, field: number, value: number): void => {
  writer.tag(field, VARINT).uint64(value);
};
const delimited = (writer: BinaryWriter, field: number, value: Uint8Array): void => {
  writer.tag(field, DELIMITED).bytes(value);
};

const header = message.bind(undefined, (writer: BinaryWriter) => {
  for (const [index, value] of [1, 1, 1, 2].entries()) numbered(writer, index + 1, value);
});
const memberOf = ({ id, name, peerUrl, clientUrl, isLearner }: EtcdMember): Uint8Array =>
  message((writer) => {
    numbered(writer, 1, id);
    if (name !== '') writer.tag(2, DELIMITED).string(name);
    writer.tag(3, DELIMITED).string(peerUrl);
    if (name !== '') writer.tag(4, DELIMITED).string(clientUrl);
    if (isLearner) numbered(writer, 5, 1);
  });

/** An answer to a call; the header and members of one, the version and terms of the other. */
export function writeReply(call: string, reply: Exclude<EtcdReply, { problem: unknown }>): Buffer {
  const body = message((writer) => {
    delimited(writer, 1, header());
    const { members = [], added } = reply;
    if (call === 'Status') {
      writer.tag(2, DELIMITED).string('3.6.0');
      for (const field of [3, 4, 5, 6, 7]) numbered(writer, field, 1);
    }
    if (added !== undefined) delimited(writer, 2, memberOf(added));
    for (const one of members) delimited(writer, call === 'MemberAdd' ? 3 : 2, memberOf(one));
  });
  const frame = Buffer.alloc(FRAME);
  frame.writeUInt32BE(body.length, 1);
  return Buffer.concat([frame, body]);
}

/** Ends a call with a status of gRPC. */
function end(stream: ServerHttp2Stream, status: number, text: string, body: Buffer = Buffer.alloc(0)): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () =>
    stream.sendTrailers({ 'grpc-status': String(status), ...(text === '' ? {} : { 'grpc-message': text }) }),
  );
  stream.end(body);
}

function serve(stream: ServerHttp2Stream, path: string, etcd: PlayedEtcd): void {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= LARGEST) chunks.push(chunk);
  });
  stream.on('end', () => {
    const call = path.slice(path.lastIndexOf('/') + 1);
    try {
      const reply = etcd.answer(readCall(call, Buffer.concat(chunks)));
      if ('problem' in reply) end(stream, reply.problem.code, reply.problem.message);
      else end(stream, 0, '', writeReply(call, reply));
    } catch {
      end(stream, INVALID_ARGUMENT, 'not to be read');
    }
  });
}

/** Serves it to whoever has a certificate of etcd's authority, with servers that listen already. Returns what ends it. */
export function serveEtcd(etcd: PlayedEtcd, cast: Cast, isStranger: boolean, servers: readonly Server[]): () => void {
  const { authorities } = cast;
  const { certificatePem: cert, keyPem: key } = issueCredential(authorities[isStranger ? 'other ca' : 'etcd ca'], {
    subject: { commonName: 'etcd' },
    extendedKeyUsage: ['serverAuth', 'clientAuth'],
    altNames: { dns: ['localhost'], ip: ['127.0.0.1', '192.0.2.20'] },
    key: 'ECDSA-P256',
    now: Date.now(),
  });
  const ca = authorities['etcd ca'].certificate.pem;
  const secure = createSecureServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true });
  secure.on('sessionError', () => {});
  secure.on('tlsClientError', () => {});
  secure.on('stream', (stream, headers) => serve(stream, headers[':path'] ?? '', etcd));
  const sockets = new Set<{ destroy(): void }>();
  for (const server of servers)
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => sockets.delete(socket));
      secure.emit('connection', socket);
    });
  return () => {
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
  };
}
