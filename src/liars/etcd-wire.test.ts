import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { connect as connectPlainly, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { issueCredential } from '../pki/authority.js';
import { castAt } from './cast.js';
import { PlayedEtcd } from './etcd.js';
import { readCall, serveEtcd, writeReply } from './etcd-wire.js';

const cast = castAt(Date.now());
const lie = { name: 'x', server: 'y', right: 'joins' } as const;
const framed = (body: Uint8Array): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
};
const PEER = 'https://192.0.2.20:2380';
const added = framed(
  new BinaryWriter().tag(1, WireType.LengthDelimited).string(PEER).tag(2, WireType.Varint).bool(true).finish(),
);

/** Status of gRPC, and what came; undefined: nobody is let in. */
async function asked(name: string, body: Buffer, by: 'etcd ca' | 'other ca' = 'etcd ca'): Promise<unknown> {
  const etcd = new PlayedEtcd(lie, () => 0);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = serveEtcd(etcd, cast, false, [server]);
  const { certificatePem: cert, keyPem: key } = issueCredential(cast.authorities[by], {
    subject: { commonName: 'client' },
    extendedKeyUsage: ['clientAuth'],
    key: 'ECDSA-P256',
    now: Date.now(),
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const session = connect(`https://127.0.0.1:${port}`, {
    ca: cast.authorities['etcd ca'].certificate.pem,
    cert,
    key,
  });
  try {
    session.on('error', () => {});
    const stream = session.request({ ':method': 'POST', ':path': `/etcdserverpb.Cluster/${name}` });
    stream.end(body);
    const got: Buffer[] = [];
    let status: unknown;
    stream.on('data', (chunk: Buffer) => got.push(chunk));
    stream.on('trailers', (trailers) => {
      status = trailers['grpc-status'];
    });
    await new Promise<void>((resolve) => {
      stream.on('error', () => resolve());
      stream.on('close', () => resolve());
    });
    return status === undefined ? undefined : { status, text: Buffer.concat(got).toString('latin1'), etcd };
  } finally {
    session.destroy();
    close();
  }
}

describe('an etcd on the wire', () => {
  it('reads what it is asked', () => {
    assert.deepEqual(readCall('MemberAdd', added), { call: 'MemberAdd', peerUrls: [PEER], asLearner: true });
    const promote = framed(new BinaryWriter().tag(1, WireType.Varint).uint64(9).finish());
    assert.deepEqual(readCall('MemberPromote', promote), { call: 'MemberPromote', id: 9 });
    assert.deepEqual(readCall('Status', framed(Buffer.alloc(0))), { call: 'Status' });
  });

  it('answers who has a certificate of its authority, and nobody else', async () => {
    const answer = (await asked('MemberAdd', added)) as { status: string; text: string; etcd: PlayedEtcd };
    assert.equal(answer.status, '0');
    assert.match(answer.text, /control-plane-1/);
    assert.ok(answer.text.includes(PEER));
    assert.deepEqual(answer.etcd.calls, [
      { call: 'MemberAdd', after: 0, peerUrls: [PEER], asLearner: true, isDone: true },
    ]);
    assert.equal(await asked('MemberAdd', added, 'other ca'), undefined);
  });

  it('refuses what it does not know, and what is no message', async () => {
    assert.equal(((await asked('Snapshot', framed(Buffer.alloc(0)))) as { status: string }).status, '12');
    assert.equal(((await asked('MemberAdd', framed(Buffer.from([0x0a, 0xff])))) as { status: string }).status, '3');
  });

  /** Fields of a message: numbers, texts, and messages of those fields that hold some. */
  function fieldsOf(bytes: Uint8Array, within: readonly number[] = []): readonly unknown[] {
    const reader = new BinaryReader(bytes);
    const found: unknown[] = [];
    while (reader.pos < reader.len) {
      const [field, type] = reader.tag();
      if (type === WireType.Varint) found.push([field, Number(reader.uint64())]);
      else if (within.includes(field)) found.push([field, fieldsOf(reader.bytes())]);
      else found.push([field, reader.string()]);
    }
    return found;
  }
  const HEADER = [
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
  ];
  const message = (call: string, reply: Parameters<typeof writeReply>[1], within: readonly number[]) => {
    const frame = writeReply(call, reply);
    assert.deepEqual([frame[0], frame.readUInt32BE(1)], [0, frame.length - 5]);
    return fieldsOf(frame.subarray(5), within);
  };

  it('writes members with what they have told, which is nothing before they have started', () => {
    const started = { id: 1, name: 'a', peerUrl: 'https://p', clientUrl: 'https://c', isLearner: false };
    const learner = { id: 9, name: '', peerUrl: 'https://q', clientUrl: 'https://d', isLearner: true };
    const [one, other] = [
      [
        [1, 1],
        [2, 'a'],
        [3, 'https://p'],
        [4, 'https://c'],
      ],
      [
        [1, 9],
        [3, 'https://q'],
        [5, 1],
      ],
    ];
    assert.deepEqual(message('MemberList', { members: [started, learner] }, [1, 2]), [
      [1, HEADER],
      [2, one],
      [2, other],
    ]);
    assert.deepEqual(message('MemberAdd', { members: [started], added: learner }, [1, 2, 3]), [
      [1, HEADER],
      [2, other],
      [3, one],
    ]);
    assert.deepEqual(message('MemberPromote', { members: [] }, [1, 2]), [[1, HEADER]]);
  });

  it('writes how it is: its version, and who leads', () => {
    assert.deepEqual(message('Status', {}, [1]), [
      [1, HEADER],
      [2, '3.6.0'],
      ...[3, 4, 5, 6, 7].map((field) => [field, 1]),
    ]);
  });

  it('reads learners as such, and passes over what it does not know', () => {
    const plain = new BinaryWriter().tag(1, WireType.LengthDelimited).string(PEER);
    assert.deepEqual(readCall('MemberAdd', framed(plain.finish())), {
      call: 'MemberAdd',
      peerUrls: [PEER],
      asLearner: false,
    });
    const odd = new BinaryWriter().tag(7, WireType.Bit32).fixed32(5).tag(1, WireType.Varint).uint64(4);
    assert.deepEqual(readCall('MemberPromote', framed(odd.finish())), { call: 'MemberPromote', id: 4 });
    assert.deepEqual(readCall('MemberPromote', framed(Buffer.alloc(0))), { call: 'MemberPromote', id: 0 });
  });

  it('goes on where somebody breaks a connection off, and ends with all of them', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const close = serveEtcd(new PlayedEtcd(lie, () => 0), cast, false, [server]);
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const broken = connectPlainly(port, '127.0.0.1');
    broken.on('error', () => {});
    await once(broken, 'connect');
    broken.write('no TLS');
    await once(broken, 'close');
    const reset = connectPlainly(port, '127.0.0.1');
    await once(reset, 'connect');
    reset.resetAndDestroy();
    const kept = connectPlainly(port, '127.0.0.1');
    kept.on('error', () => {});
    await once(kept, 'connect');
    await new Promise((resolve) => setTimeout(resolve, 20));
    close();
    if (!kept.closed) await once(kept, 'close');
    assert.equal(server.listening, false);
  });
});
