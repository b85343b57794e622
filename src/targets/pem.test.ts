/** Certificates and keys that TLS could not use are refused before they are used. */
import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { ConfigurationError } from './errors.js';
import { authority, clientCertificate } from './local-server.testing.js';
import { checkedCertificates, checkedPair } from './pem.js';

const ca = authority();
const [one, other] = [clientCertificate(ca, 'one'), clientCertificate(ca, 'other')];
const DAMAGED = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const refused = (act: () => unknown, message: RegExp): void =>
  assert.throws(act, (error: unknown) => {
    assert.ok(error instanceof ConfigurationError);
    assert.match(error.message, message);
    return true;
  });

describe('certificates', () => {
  it('are given back as they are, where each can be read', () => {
    const text = `# the first\n${one.certificate}\n${ca.certificate.pem}text`;
    assert.equal(checkedCertificates(text, 'x'), text);
  });
  it('are refused where there is none, or one of them is damaged', () => {
    for (const text of ['', 'text', one.key, '-----BEGIN CERTIFICATE-----\nAAAA\n'])
      refused(() => checkedCertificates(text, 'x of y'), /^x of y holds no PEM certificate; /);
    refused(() => checkedCertificates(DAMAGED, 'x'), /^x: certificate 1 of 1 cannot be read; /);
    refused(() => checkedCertificates(one.certificate + DAMAGED, 'x'), /^x: certificate 2 of 2 cannot be read; /);
    refused(() => checkedCertificates(DAMAGED + one.certificate, 'x'), /^x: certificate 1 of 2 cannot be read; /);
  });
});

describe('a certificate and a key', () => {
  const pair = (certificate: string, key: string) => checkedPair(certificate, key, 'c of a', 'k of a');
  it('are given back where they belong together, whatever follows the certificate', () => {
    const chain = `${one.certificate}${ca.certificate.pem}`;
    assert.deepEqual(pair(chain, one.key), { certificate: chain, key: one.key });
  });
  it('are refused where they do not, by what is wrong', () => {
    refused(() => pair(one.certificate, other.key), /^k of a does not belong to the certificate of c of a; /);
    refused(() => pair(ca.certificate.pem + one.certificate, one.key), /^k of a does not belong to /);
    refused(() => pair('', one.key), /^c of a holds no PEM certificate/);
    refused(() => pair(one.certificate, 'text'), /^k of a holds no PEM private key/);
    refused(() => pair(one.certificate, one.certificate), /^k of a holds no PEM private key/);
    const key = createPrivateKey(one.key);
    const encrypted = key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString();
    refused(() => pair(one.certificate, encrypted), /^k of a is encrypted with a pass phrase; /);
    const older = '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n';
    refused(() => pair(one.certificate, older), /^k of a is encrypted with a pass phrase; /);
  });
});
