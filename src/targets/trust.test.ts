/** Whom a handshake trusts, and what a server presents in it. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:https';
import { after, describe, it } from 'node:test';
import { issueCredential } from '../pki/authority.js';
import { TargetUnreachable } from './errors.js';
import { authority, type LocalServer, listen, serve } from './local-server.testing.js';
import { presentedCertificates, trusted } from './tls-probe.js';

const { signal } = new AbortController();
const ca = authority();
const { pem: caPem } = ca.certificate;
const { pem: another } = authority('another').certificate;
const open: LocalServer[] = [];
const kept = async (server: Promise<LocalServer>): Promise<LocalServer> => {
  const one = await server;
  open.push(one);
  return one;
};
after(() => Promise.all(open.map((server) => server.close())));

const ended = (response: { end(): void }): void => response.end();
const sound = await kept(serve((_, response) => ended(response), { ca }));
const names = { dns: ['kubernetes.default', '10.96.0.1.example.com'], ip: ['10.96.0.1', '127.0.0.10', 'fd00::1'] };
const elsewhere = await kept(serve((_, response) => ended(response), { ca, names }));
const DAY = 86_400_000;
const old = await kept(serve((_, response) => ended(response), { ca, now: Date.now() - 2 * DAY, validity: DAY }));
const plain = await kept(serve((_, response) => ended(response), { ca, plain: true }));

type Handshake = Omit<Parameters<typeof trusted>[0], 'signal'>;
async function said(handshake: Handshake): Promise<string> {
  try {
    return (await trusted({ ...handshake, signal })).ok ? 'trusted' : 'not trusted';
  } catch (error) {
    assert.ok(error instanceof TargetUnreachable);
    return `not reached: ${error.why}`;
  }
}

describe('a server', () => {
  for (const [what, handshake, wanted] of [
    ['of that authority, at an address that it is for', { server: sound.url, caPem }, 'trusted'],
    ['of another authority', { server: sound.url, caPem: another }, 'not trusted'],
    ['of one of several', { server: sound.url, caPem: `${another}${caPem}` }, 'trusted'],
    ['whose certificate has ended', { server: old.url, caPem }, 'not trusted'],
    ['at an address that it is not for', { server: elsewhere.url, caPem }, 'not trusted'],
    ['under a name that it is for', { server: elsewhere.url, caPem, serverName: 'kubernetes.default' }, 'trusted'],
    ['under another name', { server: elsewhere.url, caPem, serverName: 'kubernetes.other' }, 'not trusted'],
    ['under an address that it is for', { server: elsewhere.url, caPem, serverName: '10.96.0.1' }, 'trusted'],
    ['under another address', { server: elsewhere.url, caPem, serverName: '10.96.0.2' }, 'not trusted'],
    ['under the beginning of its address', { server: elsewhere.url, caPem, serverName: '127.0.0.1' }, 'not trusted'],
    [
      'under its address, and of another authority',
      { server: elsewhere.url, caPem: another, serverName: '10.96.0.1' },
      'not trusted',
    ],
    ['reached by http', { server: plain.url, caPem }, 'not reached: not-https'],
  ] as const satisfies readonly (readonly [string, Handshake, string])[])
    it(`${what} is ${wanted}`, async () => {
      assert.equal(await said(handshake), wanted);
    });

  it('that speaks no TLS, or where nobody listens, is neither trusted nor is it not', async () => {
    assert.match(await said({ server: plain.url.replace('http:', 'https:'), caPem }), /^not reached: /);
    const gone = await serve((_, response) => ended(response), { ca });
    await gone.close();
    assert.equal(await said({ server: gone.url, caPem }), 'not reached: refused');
  });

  it('presents what it sends, in that order and each once, whoever has signed it', async () => {
    const one = authority('one');
    const leaf = issueCredential(one, {
      subject: { commonName: 'kube-apiserver' },
      extendedKeyUsage: ['serverAuth'],
      altNames: { ip: ['127.0.0.1'] },
      key: 'ECDSA-P256',
      now: Date.now(),
    });
    const cert = leaf.certificatePem + one.certificate.pem;
    const server = await kept(listen(createServer({ cert, key: leaf.keyPem }), one, 'https'));
    const presented = await presentedCertificates({ server: server.url, signal });
    assert.deepEqual(
      presented.map((pem) => new X509Certificate(pem).subject),
      ['CN=kube-apiserver', 'CN=one'],
    );
    assert.equal((await presentedCertificates({ server: old.url, signal })).length, 1);
  });
});
