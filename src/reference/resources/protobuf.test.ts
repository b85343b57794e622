import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeProtobuf, PROTOBUF_PREFIX, ProtobufError } from './protobuf.js';

const bytes = (field: number, value: string | Buffer): Buffer => {
  const body = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([Buffer.from([(field << 3) | 2, body.length]), body]);
};
const varint = (field: number, value: number): Buffer => Buffer.from([field << 3, value]);
const message = (...fields: readonly Buffer[]): Buffer => Buffer.concat(fields);
const body = (apiVersion: string, kind: string, raw: Buffer): Buffer =>
  message(PROTOBUF_PREFIX, bytes(1, message(bytes(1, apiVersion), bytes(2, kind))), bytes(2, raw));

test('a Secret: metadata, map of bytes, map of text', () => {
  const metadata = message(bytes(1, 's'), bytes(2, ''), bytes(8, Buffer.alloc(0)), bytes(11, message(bytes(1, 'a'), bytes(2, 'b'))), varint(7, 0));
  const raw = message(bytes(1, metadata), bytes(2, message(bytes(1, 'k'), bytes(2, 'v'))), bytes(3, 'Opaque'), bytes(4, message(bytes(1, 't'), bytes(2, 'x'))));
  assert.deepEqual(decodeProtobuf(body('v1', 'Secret', raw)), {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', labels: { a: 'b' } },
    data: { k: 'dg==' },
    type: 'Opaque',
    stringData: { t: 'x' },
  });
});

test('a Pod: fields of inlined structs are found', () => {
  const volume = message(bytes(1, 'v'), bytes(2, message(bytes(6, message(bytes(1, 'secret'))))));
  const raw = message(bytes(2, message(bytes(1, volume), bytes(2, message(bytes(1, 'c'), bytes(2, 'image'))))));
  const pod = decodeProtobuf(body('v1', 'Pod', raw)) as { spec: { volumes: unknown; containers: readonly { name: string }[] } };
  assert.deepEqual(pod.spec.volumes, [{ name: 'v', secret: { secretName: 'secret' } }]);
  assert.equal(pod.spec.containers[0]?.name, 'c');
});

test('what is no message is refused', () => {
  assert.throws(() => decodeProtobuf(Buffer.from('{}')), ProtobufError);
  assert.throws(() => decodeProtobuf(body('v1', 'Nope', Buffer.alloc(0))), /no kind "Nope" is registered/);
  assert.throws(() => decodeProtobuf(body('v1', 'Secret', Buffer.from([0x0a, 0x7f]))), /unexpected EOF/);
});
