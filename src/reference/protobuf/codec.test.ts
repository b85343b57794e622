import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeProtobuf, encodeProtobuf, ProtobufError } from './codec.js';

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
  it('are read and written to the byte', () => {
    assert.deepEqual(decodeProtobuf(STATUS), status);
    assert.deepEqual(encodeProtobuf(status), STATUS);
  });
  for (const object of [
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', labels: { x: '' } }, data: { k: 'AAH/', empty: '' }, type: 'Opaque', immutable: false },
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
      spec: { request: 'UEVN', signerName: 'a/b', expirationSeconds: 600, usages: ['client auth'], extra: { 'a/b': ['c', 'd'] } },
    },
    {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {},
      spec: { holderIdentity: 'h', renewTime: '2026-11-21T10:57:04.893088Z', leaseDurationSeconds: 15 },
    },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, propagationPolicy: 'Background', dryRun: ['All'] },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { managedFields: [{ manager: 'm', fieldsV1: { 'f:data': {} } }], generation: -1 } },
  ]) {
    it(`bring a ${object.kind} through unchanged`, () => assert.deepEqual(there(object), object));
  }
  it('refuse what is none', () => {
    const refused = (bytes: Buffer, why: RegExp): void => {
      assert.throws(
        () => decodeProtobuf(bytes),
        (error) => error instanceof ProtobufError && why.test(error.message),
      );
    };
    refused(Buffer.from('{}'), /expected prefix \[107 56 115 0\]$/);
    refused(STATUS.subarray(0, 20), /^proto: unexpected EOF$/);
    refused(Buffer.from('k8s\0\n\x08\n\x02v1\x12\x02No', 'latin1'), /no kind "No" is registered for version "v1"/);
  });
});
