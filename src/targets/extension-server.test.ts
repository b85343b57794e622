import assert from 'node:assert/strict';
import { request } from 'node:https';
import { describe, it } from 'node:test';
import { issueCredential } from '../pki/authority.js';
import { ExtensionServers } from './extension-server.js';
import { authority } from './local-server.testing.js';

const ca = authority();
const pair = issueCredential(ca, {
  subject: { commonName: 'extension' },
  extendedKeyUsage: ['serverAuth'],
  altNames: { ip: ['127.0.0.1'] },
  key: 'ECDSA-P256',
  now: Date.now(),
});

/** Status and body. */
const asked = (port: number, path: string): Promise<readonly [number, string]> =>
  new Promise((resolve, reject) => {
    const headers = ['Host', 'a.example', 'X-Remote-Group', 'one', 'x-remote-group', 'two'];
    const options = { host: '127.0.0.1', port, path, headers, ca: ca.certificate.pem, agent: false };
    request(options, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => resolve([response.statusCode ?? 0, body]));
    })
      .on('error', reject)
      .end();
  });

describe('an extension server', () => {
  it('repeats what it is sent, of its group and version, until it is closed', async () => {
    const servers = new ExtensionServers();
    const opened = await Promise.all(
      [1, 2].map(() => servers.open({ certificate: pair.certificatePem, key: pair.keyPem })),
    );
    try {
      for (const { host, port } of opened) {
        assert.equal(host, '127.0.0.1');
        for (const path of [
          '/apis/a.example/v1',
          '/apis/a.example/v1/',
          '/apis/a.example/v1?timeout=1s',
          '/apis/a.example/v1/as',
        ]) {
          const [status, body] = await asked(port, path);
          assert.equal(status, 200);
          const { kind, groupVersion, sent } = JSON.parse(body) as Readonly<Record<string, unknown>>;
          assert.deepEqual([kind, groupVersion], ['APIResourceList', 'a.example/v1']);
          assert.deepEqual((sent as readonly (readonly string[])[]).slice(0, 3), [
            ['host', 'a.example'],
            ['x-remote-group', 'one'],
            ['x-remote-group', 'two'],
          ]);
        }
        for (const path of ['/apis/a.example', '/apis//v1', '/api/v1', '/x/apis/a.example/v1', '/'])
          assert.deepEqual(await asked(port, path), [404, ''], path);
      }
    } finally {
      await servers.close();
    }
    for (const { port } of opened) await assert.rejects(asked(port, '/'), { code: 'ECONNREFUSED' });
    await servers.close();
  });
});
