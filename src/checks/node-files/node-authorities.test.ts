import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { createAuthority } from '../../pki/authority.js';
import { publicAnew } from '../../pki/keys.js';
import { encodePem } from '../../pki/pem.js';
import { pinOf } from '../certificates/signature.js';
import { certificatesSeen, isBehind, pinsOfJwks, publishedIn } from './node-authorities.js';
import { digestOf } from './node-reader.js';

const [ca, other] = ['kubernetes', 'other'].map((commonName) =>
  createAuthority({ commonName, key: 'ECDSA-P256', now: Date.UTC(2026, 0, 1) }),
) as [ReturnType<typeof createAuthority>, ReturnType<typeof createAuthority>];
const [OWN, OTHER] = [ca.certificate, other.certificate];

describe('certificates that a cluster shows', () => {
  it('are all those of a text, with whom of some has signed each', () => {
    const seen = certificatesSeen('it', `${OWN.pem}text\n${OTHER.pem}`, [OTHER.der, OWN.der]);
    assert.deepEqual([seen.subject, seen.unreadable], ['it', '']);
    assert.deepEqual(
      seen.certificates.map(({ digest, facts, signedBy }) => [digest, facts.commonName, signedBy]),
      [
        [digestOf(OWN.der), 'kubernetes', [digestOf(OWN.der)]],
        [digestOf(OTHER.der), 'other', [digestOf(OTHER.der)]],
      ],
    );
    assert.deepEqual(certificatesSeen('it', OWN.pem).certificates[0]?.signedBy, []);
    assert.deepEqual(certificatesSeen('it', OWN.pem, [OTHER.der]).certificates[0]?.signedBy, []);
  });

  it('are none where one of them cannot be read, and where there is none', () => {
    const bad = encodePem('CERTIFICATE', Buffer.from('x'));
    for (const text of [bad, OWN.pem + bad, bad + OWN.pem]) {
      const seen = certificatesSeen('it', text);
      assert.deepEqual([seen.subject, seen.certificates], ['it', []]);
      assert.match(seen.unreadable, /./);
      assert.notEqual(seen.unreadable, 'it holds no certificate');
    }
    const none = { subject: 'it', certificates: [], unreadable: 'it holds no certificate' };
    assert.deepEqual(certificatesSeen('it', ''), none);
    assert.deepEqual(certificatesSeen('it', encodePem('X509 CRL', OWN.der)), none);
  });
});

describe('what a cluster publishes', () => {
  it('is the first cluster of its kubeconfig', () => {
    const cluster = (server: string, text: string) => ({
      cluster: { server, 'certificate-authority-data': Buffer.from(text).toString('base64') },
    });
    const both = JSON.stringify({ clusters: [cluster('https://a', 'one'), cluster('https://b', 'two')] });
    assert.deepEqual(publishedIn(both), { server: 'https://a', authorities: 'one' });
    assert.deepEqual(publishedIn('clusters: [{cluster: {server: a}}]'), { server: 'a', authorities: '' });
    // clients of Go take the last of two fields of one name
    assert.deepEqual(publishedIn('a: 1\na: 2\nclusters: [{cluster: {server: a}}]'), { server: 'a', authorities: '' });
    for (const text of ['{', 'a: [', '', '[]'])
      assert.deepEqual(publishedIn(text), { server: '', authorities: '' }, text);
  });

  it('are pins of keys, of which those that cannot be read are left out', () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const keys = [
      { kty: 'RSA' },
      publicAnew(publicKey).export({ format: 'jwk' }),
      publicAnew(publicKey).export({ format: 'jwk' }),
      7,
    ];
    const pin = pinOf(publicKey.export({ type: 'spki', format: 'der' }));
    assert.deepEqual(pinsOfJwks({ keys }), [pin, pin]);
    assert.deepEqual([pinsOfJwks({ keys: [{ kty: 'RSA' }] }), pinsOfJwks({}), pinsOfJwks(null)], [[], [], []]);
  });
});

it('an API server is behind something where no authority of its cluster has signed what is presented', () => {
  const presented = (...signers: readonly (readonly string[])[]) => ({
    subject: 'a',
    unreadable: '',
    certificates: signers.map((signedBy) => ({ digest: 'd', facts: {} as never, signedBy })),
  });
  assert.equal(isBehind(presented(['x'], ['b']), ['a', 'b']), false);
  assert.equal(isBehind(presented(['x'], []), ['a', 'b']), true);
  assert.equal(isBehind(presented(), ['a']), true);
  assert.equal(isBehind(presented(['x']), []), false);
});
