import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { createAuthority, issueCredential } from '../pki/authority.js';
import { type Reference, startReference } from './index.js';

const SERVICES = { group: '', resource: 'services' };
const API_SERVICES = { group: 'apiregistration.k8s.io', resource: 'apiservices' };
const now = Date.now();
const authority = createAuthority({ commonName: 'extensions', key: 'ECDSA-P256', now });
const serving = issueCredential(authority, {
  subject: { commonName: 'behind' },
  altNames: { dns: ['behind.default.svc'] },
  extendedKeyUsage: ['serverAuth'],
  key: 'ECDSA-P256',
  now,
});

/** What the extension API server was sent last. */
let heard: { method?: string; url?: string; headers: Record<string, unknown>; by?: string; body: string };

describe('an API server behind the reference', () => {
  let server: Server;
  let reference: Reference;
  const register = (group: string, spec: object, caBundle = authority.certificate.pem): void => {
    reference.api.create(SERVICES, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: group.split('.')[0] ?? '', namespace: 'default' },
      ...{ spec },
    });
    reference.api.create(API_SERVICES, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `v1.${group}` },
      ...{
        spec: {
          group,
          version: 'v1',
          groupPriorityMinimum: 100,
          versionPriority: 10,
          caBundle: Buffer.from(caBundle).toString('base64'),
          service: { name: group.split('.')[0], namespace: 'default', port: (server.address() as AddressInfo).port },
        },
      },
    });
  };
  const ask = async (url: string, headers: Record<string, string[]> = {}, method = 'GET', body = '') => {
    const admin = { authorization: [`Bearer ${reference.tokens[0]}`] };
    const request = { method, url, headers: { ...admin, ...headers }, certificates: [], body: Buffer.from(body) };
    const answer = reference.handle(request);
    const full = answer.kind === 'later' ? await answer.answer : answer;
    assert.ok(full.kind === 'full');
    return {
      code: full.code,
      type: full.headers['content-type'] ?? full.headers['Content-Type'],
      text: `${full.body}`,
    };
  };

  before(async () => {
    server = createServer(
      { cert: serving.certificatePem, key: serving.keyPem, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        let body = '';
        request.on('data', (chunk) => {
          body += chunk;
        });
        request.on('end', () => {
          const { method = '', url = '', headers } = request;
          const by = (request.socket as TLSSocket).getPeerCertificate().subject.CN;
          heard = { method, url, headers: { ...headers }, by: String(by), body };
          if (url.includes('reset')) request.socket.destroy();
          else if (url.includes('endless')) response.writeHead(200).end(Buffer.alloc(17 * 1024 * 1024));
          else response.writeHead(202, { 'Content-Type': 'text/odd' }).end(`behind ${url}`);
        });
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    reference = await startReference({ tokens: [{}] });
    register('behind.example', { type: 'ExternalName', externalName: '127.0.0.1' });
    register('nowhere.example', { type: 'ClusterIP', ports: [{ port: 443 }] });
    register('stranger.example', { type: 'ExternalName', externalName: '127.0.0.1' });
  });
  after(async () => {
    await reference.close();
    server.close();
    server.closeAllConnections();
  });

  it('answers for its group, and hears who asks from the front proxy', async () => {
    assert.deepEqual(await ask('/apis/behind.example/v1?limit=1', { 'x-own': ['a'] }), {
      code: 202,
      type: 'text/odd',
      text: 'behind /apis/behind.example/v1?limit=1',
    });
    assert.equal(heard.by, 'front-proxy-client');
    assert.equal(heard.headers['x-own'], 'a');
    assert.equal(heard.headers.authorization, undefined);
    assert.match(String(heard.headers['x-remote-user']), /^system:bootstrap:/);
  });

  it('is not asked where the reference answers itself, nobody is registered, or the asker may not', async () => {
    assert.equal((await ask('/apis/apps/v1')).code, 200);
    assert.equal((await ask('/apis/unknown.example/v1')).code, 404);
    assert.equal((await ask('/apis/behind.example/v2')).code, 404);
    assert.equal((await ask('/apis/behind.example/v1/widgets')).code, 403);
  });

  it('is unavailable where its Service leads nowhere, it breaks off, or answers without end', async () => {
    const unavailable = { code: 503, type: 'text/plain; charset=utf-8', text: 'service unavailable\n' };
    assert.deepEqual(await ask('/apis/nowhere.example/v1'), unavailable);
    assert.deepEqual(await ask('/apis/behind.example/v1?reset'), unavailable);
    assert.deepEqual(await ask('/apis/behind.example/v1?endless'), unavailable);
    // its certificate names another Service
    assert.deepEqual(await ask('/apis/stranger.example/v1'), unavailable);
  });
});
