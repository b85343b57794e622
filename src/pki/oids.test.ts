/** Object identifiers, held against the names that OpenSSL and node-forge have for them. */
import assert from 'node:assert/strict';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import forge from 'node-forge';
import { createCertificate } from './certificate.js';
import { der, oid } from './der-write.js';
import { generateKey } from './keys.js';
import {
  ATTRIBUTE,
  EXTENDED_KEY_USAGES,
  EXTENSION,
  EXTENSION_REQUEST,
  extendedKeyUsageName,
  KEY_TYPE,
} from './oids.js';

test('attributes of names are those that OpenSSL knows', () => {
  const key = generateKey('ECDSA-P256');
  const named = {
    commonName: 'CN',
    serialNumber: 'serialNumber',
    country: 'C',
    locality: 'L',
    province: 'ST',
    street: 'street',
    organization: 'O',
    organizationalUnit: 'OU',
    title: 'title',
    postalCode: 'postalCode',
    emailAddress: 'emailAddress',
    userId: 'UID',
    domainComponent: 'DC',
  } as const satisfies Partial<Record<keyof typeof ATTRIBUTE, string>>;
  for (const [attribute, name] of Object.entries(named) as [keyof typeof named, string][]) {
    const certificate = createCertificate({
      subject: [[{ oid: ATTRIBUTE[attribute], value: 'DE' }]],
      publicKey: key,
      signingKey: key,
      notBefore: 0,
      notAfter: 1000,
      serial: Buffer.from([1]),
    });
    assert.equal(new X509Certificate(certificate.der).subject, `${name}=DE`);
  }
  // Source: apimachinery, pkg/apis/asn1 X509UID.
  assert.equal(ATTRIBUTE.kubernetesUid, '1.3.6.1.4.1.57683.2');
});

test('extensions, usages and keys are those that node-forge knows', () => {
  for (const [name, id] of [
    ...Object.entries(EXTENSION).flatMap(([name, id]) =>
      name === 'nameConstraints' ? [] : [[name === 'extendedKeyUsage' ? 'extKeyUsage' : name, id] as const],
    ),
    ['extensionRequest', EXTENSION_REQUEST],
    ['rsaEncryption', KEY_TYPE.rsa],
    ['EdDSA25519', KEY_TYPE.ed25519],
    ...(['serverAuth', 'clientAuth', 'codeSigning', 'emailProtection', 'timeStamping'] as const).map(
      (usage) => [usage, EXTENDED_KEY_USAGES[usage]] as const,
    ),
  ] as const)
    assert.equal((forge.pki.oids as Readonly<Record<string, string>>)[name], id, name);
});

// Source: RFC 5280, 4.2.1.10; node-forge has no name for it.
test('constraints of names are those of the RFC', () => assert.equal(EXTENSION.nameConstraints, '2.5.29.30'));

test('keys are written with their kinds', () => {
  for (const [algorithm, id] of [
    ['ECDSA-P256', KEY_TYPE.ec],
    ['Ed448', KEY_TYPE.ed448],
    ['Ed25519', KEY_TYPE.ed25519],
  ] as const) {
    const spki = createPublicKey(generateKey(algorithm)).export({ type: 'spki', format: 'der' });
    assert.ok(spki.subarray(0, 16).includes(der(oid(id))), algorithm);
  }
});

test('an extended key usage has its name, or is its identifier', () => {
  for (const [name, id] of Object.entries(EXTENDED_KEY_USAGES)) assert.equal(extendedKeyUsageName(id), name);
  assert.equal(extendedKeyUsageName('1.2.3'), '1.2.3');
});
