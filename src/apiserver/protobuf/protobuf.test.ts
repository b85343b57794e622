import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeProtobuf, encodeProtobuf, ProtobufError } from './index.js';
import { messageNamed, messageNames } from './messages.js';

// The body of a kubelet that sends protocol buffers, its default; a throw-away key.
const KUBELET =
  'azhzAAozChZjZXJ0aWZpY2F0ZXMuazhzLmlvL3YxEhlDZXJ0aWZpY2F0ZVNpZ25pbmdSZXF1ZXN0Ev8DChQKABIEY3NyLRoAIgAqADIAOABCABLkAwqQAy0tLS0tQkVHSU4gQ0VSVElG' +
  'SUNBVEUgUkVRVUVTVC0tLS0tCk1JSHVNSUdVQWdFQU1ESXhGVEFUQmdOVkJBb1RESE41YzNSbGJUcHViMlJsY3pFWk1CY0dBMVVFQXhNUWMzbHoKZEdWdE9tNXZaR1U2YTNjdFl6QlpN' +
  'Qk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQUJEV3NiNzREc0hLNgp4WlJGRERZSFJlZGFkOU1td3JvU1kvb0ZMRXIzTWFra0lKVyszM3pySmdLYU03czY0VzRna2VtWVlEYldU' +
  'eEJ1ClpvQ0hqekZOM0FTZ0FEQUtCZ2dxaGtqT1BRUURBZ05KQURCR0FpRUEwTVk3TzlhNHQ0Mk1QdWdVaHgyajNLUUYKcURJSDE0MnRqd2hhMks3UlpPMENJUURVTHJOTEZaMTg1WDNO' +
  'aWlmR1BBM2NDMXY1OHNKQjY3Rnk3MUZ0UTZDcApIQT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQoSABoAKhFkaWdpdGFsIHNpZ25hdHVyZSoLY2xpZW50IGF1dGg6' +
  'K2t1YmVybmV0ZXMuaW8va3ViZS1hcGlzZXJ2ZXItY2xpZW50LWt1YmVsZXQaABoAIgA=';
const there = (object: object): unknown => decodeProtobuf(encodeProtobuf(object) ?? Buffer.alloc(0));

describe('objects in protocol buffers', () => {
  // What a real API server 1.36 answered to GET of a ConfigMap that is not there.
  const STATUS = Buffer.from(
    'k8s\0\n\f\n\u0002v1\u0012\u0006Status\u0012[\n\u0006\n\0\u0012\0\u001a\0\u0012\u0007Failure\u001a\u001econfigmaps "jp-none" not found"\bNotFound*\u001b\n\u0007jp-none\u0012\0\u001a\nconfigmaps(\u00002\u00000\u0094\u0003\u001a\0"\0',
    'latin1',
  );
  const status = {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message: 'configmaps "jp-none" not found',
    reason: 'NotFound',
    details: { name: 'jp-none', kind: 'configmaps' },
    code: 404,
  };
  it('may be JSON in their envelope, where that says so', () => {
    const field = (number: number, content: string): Buffer =>
      Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), Buffer.from(content)]);
    const json = field(2, '{"a":{"b":1}}');
    const prefix = Buffer.from('k8s\0');
    assert.deepEqual(decodeProtobuf(Buffer.concat([prefix, json, field(4, 'application/json')])), { a: { b: 1 } });
    assert.throws(() => decodeProtobuf(Buffer.concat([prefix, json, field(3, 'application/json')])), ProtobufError);
  });
  it('are read and written to the byte', () => {
    assert.deepEqual(decodeProtobuf(STATUS), status);
    assert.deepEqual(encodeProtobuf(status), STATUS);
  });
  for (const object of [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a', labels: { x: '' } },
      data: { k: 'AAH/', empty: '' },
      type: 'Opaque',
      immutable: false,
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', creationTimestamp: '2026-11-21T10:03:45Z' },
      spec: {
        volumes: [{ name: 'v', secret: { secretName: 's', defaultMode: 420 } }],
        containers: [
          {
            name: 'c',
            env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } }],
            resources: { limits: { cpu: '250m' } },
            livenessProbe: { httpGet: { path: '/x', port: 'named' }, periodSeconds: 3 },
            readinessProbe: { tcpSocket: { port: 53 } },
          },
        ],
      },
    },
    {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { generateName: 'csr-' },
      spec: {
        request: 'UEVN',
        signerName: 'a/b',
        expirationSeconds: 600,
        usages: ['client auth'],
        extra: { 'a/b': ['c', 'd'] },
      },
    },
    {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {},
      spec: { holderIdentity: 'h', renewTime: '2026-11-21T10:57:04.893088Z', leaseDurationSeconds: 15 },
    },
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: {
        audiences: ['a'],
        expirationSeconds: 3607,
        boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'u' },
      },
      status: { token: 'x' },
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
      propagationPolicy: 'Background',
      dryRun: ['All'],
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { managedFields: [{ manager: 'm', fieldsV1: { 'f:data': {} } }], generation: -1 },
    },
  ]) {
    it(`bring a ${object.kind} through unchanged`, () => assert.deepEqual(there(object), object));
  }
  it('are read as a kubelet 1.36 sends its first request for a certificate', () => {
    const { spec, ...rest } = decodeProtobuf(Buffer.from(KUBELET, 'base64')) as { spec: { request: string } };
    const { request, ...asked } = spec;
    assert.deepEqual(rest, {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { generateName: 'csr-' },
      status: {},
    });
    assert.deepEqual(asked, {
      usages: ['digital signature', 'client auth'],
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    });
    assert.match(Buffer.from(request, 'base64').toString(), /^-----BEGIN CERTIFICATE REQUEST-----\n/);
  });
  const bytesOf = (object: object): Buffer => encodeProtobuf(object) ?? assert.fail('no message');
  const envelope = (apiVersion: string, kind: string, raw: string): Buffer => {
    const field = (number: number, content: string): string =>
      `${String.fromCharCode((number << 3) | 2, content.length)}${content}`;
    const type = field(1, field(1, apiVersion) + field(2, kind));
    return Buffer.from(`k8s\0${type}${field(2, raw)}\x1a\0"\0`, 'latin1');
  };
  it('are lists, too: what is told of the list, whole, and items without their type', () => {
    const list = { apiVersion: 'v1', kind: 'ConfigMapList', metadata: { resourceVersion: '7' } };
    const meta = '\n\x07\n\0\x12\x017\x1a\0';
    assert.deepEqual(bytesOf({ ...list, items: [] }), envelope('v1', 'ConfigMapList', meta));
    // metadata {name}, data {k: v}: fields 1 and 2
    const item = (name: string): string => `\x12\x0f\n\x03\n\x01${name}\x12\x08\n\x01k\x12\x03v\xc3\xa4`;
    assert.deepEqual(
      bytesOf({ ...list, items: ['a', 'b'].map((name) => ({ metadata: { name }, data: { k: 'v\u00e4' } })) }),
      envelope('v1', 'ConfigMapList', `${meta}${item('a')}${item('b')}`),
    );
    const more = { ...list, metadata: { continue: 'c', remainingItemCount: 300 } };
    assert.deepEqual(bytesOf(more), envelope('v1', 'ConfigMapList', '\n\x0a\n\0\x12\0\x1a\x01c\x20\xac\x02'));
  });
  it('are nothing where their kind has no message', () => {
    assert.equal(encodeProtobuf({ apiVersion: 'meta.k8s.io/v1', kind: 'Table', rows: [] }), undefined);
    assert.equal(encodeProtobuf({ apiVersion: 'example.com/v1', kind: 'ThingList', items: [] }), undefined);
  });
  it('name every cause of a refusal in full', () => {
    const causes = [{ reason: 'FieldValueRequired', message: 'm' }];
    const cause = '\n\x12FieldValueRequired\x12\x01m\x1a\0';
    const details = `\n\0\x12\0\x1a\0"\x19${cause}(\x002\0`;
    assert.deepEqual(
      bytesOf({ apiVersion: 'v1', kind: 'Status', details: { causes } }),
      envelope('v1', 'Status', `\n\x06\n\0\x12\0\x1a\0\x12\0\x1a\0"\0*\x25${details}0\0`),
    );
  });
  it('tell a port from the name of one', () => {
    const pod = (port: unknown): object => ({
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: {} },
      spec: { containers: [{ name: 'c', livenessProbe: { tcpSocket: { port } } }] },
    });
    assert.ok(bytesOf(pod('named')).includes(Buffer.from('\n\x0b\x08\x01\x10\0\x1a\x05named', 'latin1')));
    assert.ok(bytesOf(pod(80)).includes(Buffer.from('\n\x06\x08\0\x10\x50\x1a\0', 'latin1')));
  });
  it('do not hold what is null', () => {
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: {} };
    assert.deepEqual(bytesOf({ ...role, rules: null }), bytesOf(role));
  });
  it('hold maps in the order of their keys', () => {
    const map = (data: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data });
    assert.deepEqual(bytesOf(map({ b: '1', a: '2' })), bytesOf(map({ a: '2', b: '1' })));
  });
  it('hold times to the microsecond, where JSON had fewer digits, too', () => {
    const lease = (renewTime: string): object => ({
      ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: {}, spec: { renewTime } },
    });
    assert.deepEqual(there(lease('2026-11-21T10:57:04.5Z')), lease('2026-11-21T10:57:04.500000Z'));
    assert.deepEqual(there(lease('2026-11-21T10:57:04Z')), lease('2026-11-21T10:57:04.000000Z'));
    assert.deepEqual(there(lease('1969-12-31T23:59:59.250000Z')), lease('1969-12-31T23:59:59.250000Z'));
  });
  it('read as empty what an entry of a map does not say', () => {
    const read = (apiVersion: string, kind: string, raw: string): Readonly<Record<string, unknown>> =>
      decodeProtobuf(envelope(apiVersion, kind, raw));
    const entry = '\n\x01k';
    const { data } = read('v1', 'ConfigMap', `\x12\x03${entry}`);
    assert.deepEqual(data, { k: '' });
    // Secret.data, ResourceQuota.spec.hard, CertificateSigningRequest.spec.extra, Node.status.runtimeHandlers
    assert.deepEqual(read('v1', 'Secret', `\x12\x03${entry}`).data, { k: '' });
    assert.deepEqual(read('v1', 'ResourceQuota', `\x12\x05\n\x03${entry}`).spec, { hard: { k: '0' } });
    const csr = read('certificates.k8s.io/v1', 'CertificateSigningRequest', `\x12\x05\x32\x03${entry}`);
    assert.deepEqual(csr.spec, { extra: { k: [] } });
    const proto = read('v1', 'ConfigMap', '\x12\x0e\n\x09__proto__\x12\x01v');
    assert.deepEqual(Object.keys(proto.data ?? {}), ['__proto__']);
  });
  it('take the last of what is said twice, and pass over what nobody knows', () => {
    const unknown = '\xfa\x01\x01x';
    const raw = '\n\x03\n\x01a\x12\x03\n\x01k';
    const twice = decodeProtobuf(
      Buffer.concat([Buffer.from('k8s\0\n\x04\n\x02v9', 'latin1'), envelope('v1', 'ConfigMap', raw).subarray(4)]),
    );
    assert.deepEqual(twice, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: '' } });
    assert.deepEqual(decodeProtobuf(envelope('v1', 'ConfigMap', `${raw}${unknown}`)), twice);
  });
  it('name fields as JSON does, also where the message names them otherwise', () => {
    // TokenRequest {spec {boundObjectRef {uid}}}: fields 2, 3 and 4.
    const envelope = Buffer.from(
      'k8s\0\n(\n\x18authentication.k8s.io/v1\x12\x0cTokenRequest\x12\x07\x12\x05\x1a\x03\x22\x01u',
      'latin1',
    );
    const { spec } = decodeProtobuf(envelope);
    assert.deepEqual(spec, { boundObjectRef: { uid: 'u' } });
  });
  it('refuse what is none', () => {
    const refused = (bytes: Buffer, why: RegExp): void => {
      assert.throws(
        () => decodeProtobuf(bytes),
        (error) => error instanceof ProtobufError && why.test(error.message),
      );
    };
    refused(Buffer.from(''), /^empty data$/);
    refused(Buffer.from('{}'), /expected prefix \[107 56 115 0\]$/);
    refused(STATUS.subarray(0, 20), /^unexpected EOF$/);
    // metadata and its name as numbers; a name of three bytes, of which two are there
    refused(envelope('v1', 'ConfigMap', '\x08\x01'), /^proto: wrong wireType = 0$/);
    refused(envelope('v1', 'ConfigMap', '\n\x02\x08\x01'), /^proto: wrong wireType = 0$/);
    refused(envelope('v1', 'ConfigMap', '\n\x04\n\x03ab'), /^unexpected EOF$/);
    refused(envelope('v1', 'ConfigMap', '\x07'), /^proto: /);
    refused(Buffer.from('k8s\0\n\x08\n\x02v1\x12\x02No', 'latin1'), /no kind "No" is registered for version "v1"/);
  });
});

it('no type of a message is unknown', () => {
  const scalars = 'string bool int32 int64 bytes time microtime quantity intstr raw []string!'.split(' ');
  for (const name of messageNames()) {
    for (const { type, number } of messageNamed(name)?.fields ?? []) {
      assert.ok(scalars.includes(type) || messageNamed(type) !== undefined, `${name}: ${type}`);
      assert.ok(number > 0, name);
    }
  }
});
