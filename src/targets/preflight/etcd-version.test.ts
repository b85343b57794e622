import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { authority, clientCertificate, serve } from '../local-server.testing.js';
import { askEtcd } from './etcd-version.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-etcd-'));
after(() => rmSync(folder, { recursive: true }));
const put = (name: string, text: string): string => {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};
const ca = authority();
const strange = authority();
const own = clientCertificate(ca, 'kubeadm');
const others = clientCertificate(strange, 'kubeadm');
const FILES = {
  caFile: put('ca.crt', ca.certificate.pem),
  certFile: put('c.crt', own.certificate),
  keyFile: put('c.key', own.key),
};
const NONE = { caFile: '', certFile: '', keyFile: '' };
const answer: RequestListener = (request, response) => {
  response.statusCode = request.url === '/version' ? 200 : 404;
  response.end(request.url === '/version' ? '{"etcdserver":"3.6.4"}' : 'null');
};

/** What is said of an etcd that answers so. */
async function said(
  listener: RequestListener,
  files: typeof NONE,
  options: Parameters<typeof serve>[1] = {},
  behind = '',
): Promise<string> {
  const server = await serve(listener, { ca, ...options });
  try {
    const told = await askEtcd({ endpoint: `${server.url}${behind}`, ...files });
    return 'version' in told ? `it is ${told.version}` : told.failure;
  } finally {
    await server.close();
  }
}

describe('an etcd of somebody else', () => {
  it('is asked with the files that it is told', async () => {
    assert.equal(await said(answer, FILES, { clientCa: ca, requireClient: true }), 'it is 3.6.4');
    assert.equal(await said(answer, { ...FILES, certFile: '', keyFile: '' }), 'it is 3.6.4');
    assert.equal(await said(answer, NONE, { plain: true }), 'it is 3.6.4');
  });

  it('is not believed without its authority, and does not believe others', async () => {
    assert.match(await said(answer, { ...FILES, caFile: '' }), /certificate/);
    assert.match(await said(answer, { ...FILES, caFile: put('s.crt', strange.certificate.pem) }), /certificate/);
    const mutual = { clientCa: ca, requireClient: true };
    const wrong = { certFile: put('o.crt', others.certificate), keyFile: put('o.key', others.key) };
    for (const files of [
      { ...FILES, certFile: '', keyFile: '' },
      { ...FILES, ...wrong },
    ])
      assert.doesNotMatch(await said(answer, files, mutual), /it is/);
  });

  it('is asked below its address, whatever slashes end it', async () => {
    for (const behind of ['', '/', '//']) assert.equal(await said(answer, FILES, {}, behind), 'it is 3.6.4');
    assert.equal(await said(answer, FILES, {}, '/below'), 'it is ');
  });

  it('is told by what it answers', async () => {
    const status =
      (code: number): RequestListener =>
      (_request, response) =>
        response.writeHead(code).end('{"etcdserver":"3.6.4"}');
    assert.equal(await said(status(499), FILES), 'it is 3.6.4');
    assert.match(await said(status(500), FILES), /^server responded with non-successful status: 500 Internal/);
    assert.match(await said((_, response) => response.end('a'.repeat(70_000)), FILES), /^the answer is too large$/);
    const long = JSON.stringify({ etcdserver: '3.6.4', more: 'a'.repeat(60_000) });
    assert.equal(await said((_, response) => response.end(long), FILES), 'it is 3.6.4');
    assert.match(await said((request) => request.destroy(), FILES), /hang up/);
  });

  it('is not asked where a file is missing', async () => {
    for (const [name, what] of [
      ['caFile', 'server certificate'],
      ['certFile', 'certificate'],
      ['keyFile', 'key'],
    ] as const) {
      const said = await askEtcd({ endpoint: 'https://127.0.0.1:1', ...FILES, [name]: '/no/such' });
      assert.deepEqual(said, {
        failure: `couldn't load external etcd's ${what} /no/such: open /no/such: no such file or directory`,
      });
      const of = await askEtcd({ endpoint: 'https://127.0.0.1:1', ...FILES, [name]: folder });
      assert.deepEqual(of, { failure: `couldn't load external etcd's ${what} ${folder}: open ${folder}: EISDIR` });
    }
  });
});
