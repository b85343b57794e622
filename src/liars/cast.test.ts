import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { parseCertificate } from '../pki/certificate.js';
import { certificatesOfPem } from '../pki/pem.js';
import { serverProblem } from '../pki/verify.js';
import { type AuthorityName, castAt, pinOf, type ServingName } from './cast.js';

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const { authorities, serving } = castAt(NOW);
const facts = (name: AuthorityName) => parseCertificate(authorities[name].certificate.der);
const problem = (name: ServingName, by: AuthorityName, host = '127.0.0.1', now = NOW): boolean =>
  serverProblem(parseCertificate(serving[name].der), { roots: [facts(by)], host, now }) !== undefined;

describe('certificates of a liar', () => {
  it('are made anew after an hour, and where time went back', () => {
    const cast = castAt(NOW);
    assert.equal(castAt(NOW + HOUR), cast);
    const later = castAt(NOW + HOUR + 1);
    assert.notEqual(later, cast);
    assert.equal(castAt(NOW + HOUR + 1), later);
    assert.notEqual(castAt(NOW), later);
    // keys stay
    assert.equal(pinOf(later.authorities.ca), pinOf(cast.authorities.ca));
  });

  it('are of one key for the CA and the CA again, and of others for all others', () => {
    const names: readonly AuthorityName[] = ['ca', 'other ca', 'expired ca', 'p384 ca', 'etcd ca', 'between'];
    assert.equal(new Set(names.map((name) => pinOf(authorities[name]))).size, names.length);
    assert.equal(pinOf(authorities['ca again']), pinOf(authorities.ca));
    assert.ok(!authorities['ca again'].certificate.der.equals(authorities.ca.certificate.der));
    const curve = ({ der }: { readonly der: Buffer }) =>
      new X509Certificate(der).publicKey.asymmetricKeyDetails?.namedCurve;
    assert.equal(curve(authorities['p384 ca'].certificate), 'secp384r1');
    assert.equal(curve(authorities.ca.certificate), 'prime256v1');
  });

  it('are in force, but for the CA that is expired', () => {
    for (const name of Object.keys(authorities) as AuthorityName[]) {
      const { notBefore, notAfter, basicConstraints } = facts(name);
      assert.equal(notBefore <= NOW && NOW < notAfter, name !== 'expired ca', name);
      assert.equal(basicConstraints?.ca, true, name);
    }
  });

  for (const [name, by, isGood] of [
    ['good', 'ca', true],
    ['good', 'ca again', true],
    ['good', 'other ca', false],
    ['by other ca', 'other ca', true],
    ['by other ca', 'ca', false],
    ['beside ca', 'ca', false],
    ['brings ca', 'ca', false],
    ['by expired ca', 'expired ca', false],
    ['by p384 ca', 'p384 ca', true],
    ['by between', 'between', true],
    ['by between', 'ca', false],
    ['by leaf', 'ca', false],
    ['self-signed', 'ca', false],
    ['other name', 'ca', false],
    ['no san', 'ca', false],
    ['ip as name', 'ca', false],
    ['expired', 'ca', false],
    ['future', 'ca', false],
    ['client eku', 'ca', false],
  ] as const)
    it(`"${name}" is ${isGood ? '' : 'not '}good by "${by}"`, () => assert.equal(problem(name, by), !isGood));

  it('are for both names of here, and that of a control plane that joins', () => {
    const hosts = ['127.0.0.1', 'localhost', '192.0.2.20', '192.0.2.7', 'other.example'];
    assert.deepEqual(
      hosts.map((host) => problem('good', 'ca', host)),
      [false, false, false, true, true],
    );
    assert.deepEqual(
      hosts.map((host) => problem('other name', 'ca', host)),
      [true, true, true, false, false],
    );
    assert.deepEqual(
      hosts.map((host) => problem('ip alone', 'ca', host)),
      [false, true, false, true, false],
    );
  });

  it('are wrong by one thing each', () => {
    const DAY = 24 * HOUR;
    assert.equal(problem('expired', 'ca', '127.0.0.1', NOW - 2 * HOUR), false, 'nothing but its end is wrong');
    const of = (name: ServingName) => parseCertificate(serving[name].der);
    assert.ok(of('expired').notAfter < NOW && of('expired').notBefore < of('expired').notAfter);
    assert.ok(of('future').notBefore > NOW + DAY);
    assert.deepEqual([of('no san').altNames.dns, of('no san').altNames.ip], [[], []]);
    assert.equal(of('no san').commonName, '127.0.0.1');
    for (const name of ['expired', 'future', 'client eku', 'self-signed'] as const)
      assert.deepEqual(of(name).altNames, of('good').altNames, name);
    for (const name of ['expired', 'future', 'other name', 'no san', 'ip as name', 'client eku'] as const)
      assert.ok(
        new X509Certificate(serving[name].der).verify(new X509Certificate(authorities.ca.certificate.der).publicKey),
        name,
      );
  });

  it('are shown with what stands above them', () => {
    const shown = (name: ServingName): readonly string[] =>
      certificatesOfPem(serving[name].certificatePem).map((der) => der.toString('base64'));
    const own = (name: ServingName): string => serving[name].der.toString('base64');
    const above = (name: AuthorityName): string => authorities[name].certificate.der.toString('base64');
    assert.deepEqual(shown('good'), [own('good')]);
    assert.deepEqual(shown('by leaf'), [own('by leaf'), own('good')]);
    assert.deepEqual(shown('beside ca'), [own('beside ca'), above('ca')]);
    assert.deepEqual(shown('brings ca'), [own('by other ca'), above('other ca')]);
    assert.deepEqual(shown('by between'), [own('by between'), above('between')]);
  });
});
