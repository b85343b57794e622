import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateKey } from '../pki/keys.js';
import type { Asker } from './ports.js';
import { certificateOf, clientRequest, decide, isRequest, requestObject, send, servingRequest } from './request.js';

const [rsa, curve] = [generateKey('RSA-2048'), generateKey('ECDSA-P256')];
const PATH = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

describe('what a kubelet asks for', () => {
  it('is a certificate of its own for clients, by the kind of its key', () => {
    const subject = { commonName: 'system:node:a', organizations: ['system:nodes'] };
    const signerName = 'kubernetes.io/kube-apiserver-client-kubelet';
    assert.deepEqual(clientRequest('a', curve), {
      ...{ key: curve, ...subject, signerName },
      usages: ['digital signature', 'client auth'],
    });
    assert.deepEqual(clientRequest('a', rsa).usages, ['digital signature', 'key encipherment', 'client auth']);
  });

  it('is a certificate of its own to serve with, for its names', () => {
    const { altNames, signerName, usages } = servingRequest('a', curve, { dns: ['a.example'], ip: ['192.0.2.1'] });
    assert.deepEqual(altNames, { dns: ['a.example'], ip: ['192.0.2.1'] });
    assert.equal(signerName, 'kubernetes.io/kubelet-serving');
    assert.deepEqual(usages, ['digital signature', 'server auth']);
  });

  it('is sent as an object, by its name or one that the server chooses', async () => {
    const wanted = clientRequest('a', curve);
    const { apiVersion, kind, metadata, spec } = requestObject(wanted, 'before\n');
    assert.deepEqual([apiVersion, kind], ['certificates.k8s.io/v1', 'CertificateSigningRequest']);
    assert.deepEqual(metadata, { generateName: 'csr-' });
    assert.deepEqual(Object.keys(spec).sort(), ['request', 'signerName', 'usages']);
    assert.match(Buffer.from(spec.request, 'base64').toString(), /^before\n-----BEGIN CERTIFICATE REQUEST-----/);
    assert.deepEqual(requestObject({ ...wanted, name: 'n', generateName: 'g-' }).metadata, { name: 'n' });
    assert.deepEqual(requestObject({ ...wanted, generateName: 'g-' }).metadata, { generateName: 'g-' });
    assert.equal(requestObject({ ...wanted, expirationSeconds: 600 }).spec.expirationSeconds, 600);
    const asked: unknown[] = [];
    const client = {
      ask: async (question: unknown) => {
        asked.push(question);
        return { status: 201, headers: {}, body: undefined };
      },
    } as unknown as Asker;
    const object = requestObject(wanted);
    assert.equal((await send(client, object)).status, 201);
    assert.deepEqual(asked, [{ method: 'POST', path: PATH, body: object }]);
  });
});

describe('what becomes of a request', () => {
  const object = requestObject({ ...clientRequest('a', curve), name: 'n' });

  it('is known for one, with its certificate once that is there', () => {
    assert.equal(isRequest(object), true);
    const { spec: _, ...specless } = object;
    const { metadata: __, ...nameless } = object;
    for (const other of [undefined, null, 'text', {}, { ...object, kind: 'Status' }, specless, nameless])
      assert.equal(isRequest(other), false);
    assert.equal(certificateOf(object), undefined);
    assert.equal(certificateOf({ ...object, status: {} }), undefined);
    assert.equal(certificateOf({ ...object, status: { certificate: '' } }), undefined);
    assert.equal(certificateOf({ ...object, status: { certificate: Buffer.from('pem').toString('base64') } }), 'pem');
  });

  it('is decided beside what others have decided', async () => {
    const decided = async (body: unknown, type: 'Approved' | 'Denied') => {
      const asked: { readonly body?: unknown }[] = [];
      const client = {
        ask: async (question: object) => {
          asked.push(question);
          return { status: 200, headers: {}, body };
        },
      } as unknown as Asker;
      await decide(client, 'n', type);
      return asked;
    };
    const condition = (type: string) => ({
      ...{ type, status: 'True', reason: 'JoinproofDecided' },
      message: `This request was ${type.toLowerCase()} by joinproof.`,
    });
    const other = { type: 'Failed', status: 'True' };
    const patch = (...conditions: readonly unknown[]) => [
      { path: `${PATH}/n` },
      {
        ...{ method: 'PATCH', path: `${PATH}/n/approval`, contentType: 'application/merge-patch+json' },
        body: { status: { conditions } },
      },
    ];
    assert.deepEqual(
      await decided({ ...object, status: { conditions: [other] } }, 'Denied'),
      patch(other, condition('Denied')),
    );
    assert.deepEqual(await decided(object, 'Approved'), patch(condition('Approved')));
    assert.deepEqual(await decided({ kind: 'Status' }, 'Approved'), patch(condition('Approved')));
  });
});
