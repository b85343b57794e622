/** Protocol buffers over the API: bodies, answers, errors and watches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeProtobuf, encodeProtobuf } from '../protobuf/index.js';
import { CONFIG_MAPS, fixture, sink } from './fixture.js';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { b: 'c' } }, data: { k: 'v' } };

function exchange() {
  const { api, ask } = fixture();
  return {
    ask,
    api,
    send(method: string, url: string, accept: string, body: Buffer = Buffer.alloc(0)) {
      const response = api.handle({
        method,
        url,
        headers: { accept: [accept], 'content-type': [PROTOBUF] },
        certificates: [],
        body,
      });
      assert.equal(response.kind, 'full');
      return response.kind === 'full'
        ? { code: response.code, type: response.headers['Content-Type'], body: Buffer.from(response.body) }
        : assert.fail('a stream was not asked for');
    },
  };
}

test('a body in protocol buffers is stored as its JSON would be', () => {
  const { send, ask } = exchange();
  const answer = send('POST', CONFIG_MAPS, 'application/json', encodeProtobuf(object));
  assert.deepEqual([answer.code, answer.type], [201, 'application/json']);
  const stored = ask('GET', `${CONFIG_MAPS}/a`).json as unknown as typeof object;
  assert.deepEqual([stored.data, stored.metadata.labels], [object.data, object.metadata.labels]);
});

test('answers, lists and errors come in what is accepted first', () => {
  const { send, ask } = exchange();
  ask('POST', CONFIG_MAPS, object);
  const one = send('GET', `${CONFIG_MAPS}/a`, `${PROTOBUF},application/json`);
  assert.equal(one.type, PROTOBUF);
  assert.deepEqual(decodeProtobuf(one.body).data, object.data);
  const list = send('GET', CONFIG_MAPS, PROTOBUF);
  assert.deepEqual([list.code, list.type], [200, PROTOBUF]);
  assert.ok(list.body.includes(Buffer.from('\x12\rConfigMapList')));
  const missing = send('GET', `${CONFIG_MAPS}/b`, PROTOBUF);
  assert.deepEqual([missing.code, missing.type], [404, PROTOBUF]);
  assert.equal(decodeProtobuf(missing.body).reason, 'NotFound');
  assert.equal(send('GET', `${CONFIG_MAPS}/a`, `application/json,${PROTOBUF}`).type, 'application/json');
});

test('a Table has no message: the next that is accepted is sent', () => {
  const { send, ask } = exchange();
  ask('POST', CONFIG_MAPS, object);
  const table = `${PROTOBUF};as=Table;v=v1;g=meta.k8s.io`;
  assert.equal(send('GET', CONFIG_MAPS, `${table},application/json`).type, 'application/json');
  assert.equal(send('GET', CONFIG_MAPS, table).code, 406);
});

test('a broken body is refused with its reason', () => {
  const { send } = exchange();
  const answer = send('POST', CONFIG_MAPS, 'application/json', encodeProtobuf(object)?.subarray(0, 40));
  assert.equal(answer.code, 400);
  assert.match(
    String(answer.body),
    /the object provided is unrecognized \(must be of type ConfigMap\): unexpected EOF \(6b387300/,
  );
});

test('a watch sends frames: four bytes of length, an event, in it a body', () => {
  const { api, ask, send } = exchange();
  ask('POST', CONFIG_MAPS, object);
  const frames: Buffer[] = [];
  const headers = { accept: [`${PROTOBUF},application/json`] };
  const response = api.handle({
    method: 'GET',
    url: `${CONFIG_MAPS}?watch=1`,
    headers,
    certificates: [],
    body: Buffer.alloc(0),
  });
  assert.ok(response.kind === 'stream');
  assert.equal(response.headers['Content-Type'], `${PROTOBUF};stream=watch`);
  response.open(sink((frame) => frames.push(Buffer.from(frame))))();
  const frame = frames[0] ?? Buffer.alloc(4);
  assert.equal(frame.readUInt32BE(), frame.length - 4);
  // WatchEvent {type, object: RawExtension {raw}}: a length of two bytes each
  const { body } = send('GET', `${CONFIG_MAPS}/a`, PROTOBUF);
  const length = (of: number): Buffer => Buffer.from([0x80 | (of % 128), of >> 7]);
  const raw = Buffer.concat([Buffer.from('\n'), length(body.length), body]);
  assert.deepEqual(frame.subarray(4), Buffer.concat([Buffer.from('\n\x05ADDED\x12'), length(raw.length), raw]));
});
