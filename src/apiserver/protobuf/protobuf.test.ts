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
    refused(Buffer.from('k8s\0\n\x08\n\x02v1\x12\x02No', 'latin1'), /no kind "No" is registered for version "v1"/);
  });
});

it('no type of a message is unknown', () => {
  const scalars = 'string bool int32 int64 double bytes time microtime quantity intstr raw duration []string!'.split(
    ' ',
  );
  for (const name of messageNames()) {
    for (const { type, number } of messageNamed(name)?.fields ?? []) {
      assert.ok(scalars.includes(type) || messageNamed(type) !== undefined, `${name}: ${type}`);
      assert.ok(number > 0, name);
    }
  }
});
