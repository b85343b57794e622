import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { readRequestPem } from '../checks/certificates/csr.js';
import { brokenRequest, certificateRequest, requestPem, strangersPair, type Wanted } from './making.js';
import { ownAuthority } from './own-authority.js';

const WANTED: Wanted = {
  subject: [
    ['O', 'people'],
    ['O', 'others'],
    ['CN', 'jane'],
  ],
  signerName: 'example.com/signer',
  usages: ['client auth'],
};
const read = (pem: string) => {
  const facts = readRequestPem(pem);
  assert.ok(!('unreadable' in facts), JSON.stringify(facts));
  return facts;
};

describe('a request that is made', () => {
  it('asks for all that is wanted, and is signed with its own key', () => {
    const facts = read(requestPem({ ...WANTED, altNames: { dns: ['a.example'], ip: ['192.0.2.1'] } }));
    assert.deepEqual([facts.commonName, facts.organizations], ['jane', ['people', 'others']]);
    assert.equal(facts.problem, undefined);
    assert.match(JSON.stringify(facts), /a\.example/);
    assert.match(JSON.stringify(facts), /192\.0\.2\.1/);
  });

  it('is another one for each of its extensions, and for names in one part', () => {
    const extensions = [
      'to be an authority',
      'to sign certificates',
      'to serve',
      'for what nobody knows',
      'to be looked up elsewhere',
    ] as const;
    const shapes = extensions.map((one) => {
      const { pin: _, ...facts } = read(requestPem({ ...WANTED, extensions: [one] }));
      return JSON.stringify(facts);
    });
    assert.equal(new Set(shapes).size, extensions.length);
    const bytesOf = (one: (typeof extensions)[number]): string =>
      Buffer.from(requestPem({ ...WANTED, extensions: [one] }).replace(/-----.*-----/g, ''), 'base64').toString('hex');
    // 2.5.29.31 with an empty SEQUENCE, and 1.3.6.1.4.1.57683.99, critical, with NULL
    assert.match(bytesOf('to be looked up elsewhere'), /0603551d1f04023000/);
    assert.match(bytesOf('for what nobody knows'), /2b0601040183c253630101ff04020500/);
    const lengthOf = (inOnePart: boolean): number => requestPem({ ...WANTED, inOnePart }).length;
    assert.ok(lengthOf(true) < lengthOf(false));
  });

  it('is sent with its signer, usages and life', () => {
    const { metadata, spec } = certificateRequest('mine', { ...WANTED, expirationSeconds: 600 }, 'text');
    assert.equal(metadata.name, 'mine');
    assert.deepEqual(spec, {
      request: Buffer.from('text').toString('base64'),
      signerName: 'example.com/signer',
      usages: ['client auth'],
      expirationSeconds: 600,
    });
    assert.ok(!('expirationSeconds' in certificateRequest('mine', WANTED).spec));
  });
});

describe('a broken request', () => {
  const textOf = (how: string): string =>
    Buffer.from(brokenRequest(how, 'x')?.spec.request ?? '', 'base64').toString('latin1');

  it('is broken in what it says', () => {
    for (const how of ['signed with another key', 'signed by nobody', 'changed after it was signed'])
      assert.notEqual(read(textOf(how)).problem, undefined, how);
    for (const how of ['cut off', 'followed by other bytes', 'PEM of another label', 'no PEM at all'])
      assert.ok('unreadable' in readRequestPem(textOf(how)), how);
    assert.match(textOf('signed by nobody'), /BEGIN CERTIFICATE REQUEST/);
    assert.match(textOf('PEM of another label'), /BEGIN NEW CERTIFICATE REQUEST/);
    assert.match(textOf('behind a PEM block of something else'), /BEGIN CERTIFICATE-[\s\S]*BEGIN CERTIFICATE REQUEST/);
    assert.ok(new X509Certificate(textOf('a certificate, not a request')).subject);
    assert.equal(read(textOf('changed after it was signed')).commonName, 'JP-BROKEN');
  });

  it('is sound but for what it asks for', () => {
    for (const how of ['for less than ten minutes', 'for no usage', 'for no signer', 'for a usage in capitals'])
      assert.equal(read(textOf(how)).problem, undefined, how);
    assert.equal(brokenRequest('for less than ten minutes', 'x')?.spec.expirationSeconds, 599);
    assert.equal(brokenRequest('for a signer of a name too long', 'x')?.spec.signerName.length, 590);
    assert.deepEqual(brokenRequest('cut off', 'x')?.spec.usages, ['digital signature', 'client auth']);
    assert.equal(brokenRequest('in a way that nobody knows', 'x'), undefined);
  });

  it('is wrong in one usage, and its others are good', () => {
    const others = ['digital signature', 'client auth'];
    const usages = (how: string): readonly string[] => brokenRequest(how, 'x')?.spec.usages ?? [];
    for (const [how, one] of [
      ['for a usage that nobody knows', 'surfing'],
      ['for a usage that ends as one that is known', 'web auth'],
      ['for a usage with a blank behind it', 'any '],
    ] as const)
      assert.deepEqual(usages(how), [...others, one]);
    assert.deepEqual(usages('for one usage twice'), [...others, 'client auth']);
    assert.deepEqual(usages('for a usage as certificates call it'), ['digital signature', 'clientAuth']);
    assert.deepEqual(usages('for a usage in capitals'), ['Digital Signature', 'client auth']);
    assert.deepEqual(usages('for no usage'), []);
  });

  it('is wrong in its signer', () => {
    const signers = Object.fromEntries(
      [
        ...['for no signer', 'for a signer without a domain', 'for a signer of three parts'],
        ...['for a signer whose domain has one part', 'for a signer with capitals in its domain'],
        ...['for a signer with a blank in its path', 'for a signer without a path'],
        'for a signer with capitals in its path',
        'for the signer of old, kubernetes.io/legacy-unknown',
      ].map((how) => [how, brokenRequest(how, 'x')?.spec.signerName]),
    );
    assert.deepEqual(signers, {
      'for no signer': '',
      'for a signer without a domain': 'signer',
      'for a signer of three parts': 'joinproof.invalid/nobodys/signer',
      'for a signer whose domain has one part': 'invalid/nobodys-signer',
      'for a signer with capitals in its domain': 'Joinproof.invalid/nobodys-signer',
      'for a signer with a blank in its path': 'joinproof.invalid/nobodys signer',
      'for a signer without a path': 'joinproof.invalid/',
      'for a signer with capitals in its path': 'joinproof.invalid/Nobodys-signer',
      'for the signer of old, kubernetes.io/legacy-unknown': 'kubernetes.io/legacy-unknown',
    });
    assert.deepEqual(brokenRequest('cut off', 'x')?.spec.signerName, 'kubernetes.io/kube-apiserver-client');
  });
});

const isPair = ({ certificate, key }: { readonly certificate: string; readonly key: string }): boolean =>
  new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));

describe('the pair of a stranger', () => {
  it('names who is wanted, goes together, is current, and is signed by an authority of its own', () => {
    const pair = strangersPair('system:node:a', ['system:nodes', 'people']);
    const certificate = new X509Certificate(pair.certificate);
    assert.equal(certificate.subject, 'O=system:nodes\nO=people\nCN=system:node:a');
    assert.ok(isPair(pair));
    assert.ok(Date.parse(certificate.validFrom) < Date.now() && Date.parse(certificate.validTo) > Date.now());
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
    assert.ok(!certificate.verify(certificate.publicKey));
    assert.equal(certificate.issuer, 'CN=kubernetes');
  });
});

describe('an authority of our own', () => {
  const authority = ownAuthority('an authority');
  const root = new X509Certificate(authority.pem);
  const certificatesOf = (pem: string): readonly X509Certificate[] =>
    (pem.match(/-----BEGIN [\s\S]*?-----END CERTIFICATE-----/g) ?? []).map((block) => new X509Certificate(block));
  const leafOf = (pem: string): X509Certificate => new X509Certificate(pem);

  it('signs pairs of its own, current, ended or not yet begun', () => {
    const now = Date.now();
    for (const [time, isCurrent] of [
      ['current', true],
      ['expired', false],
      ['early', false],
    ] as const) {
      const pair = authority.pair({ commonName: 'dora', organizations: ['team'], time });
      const leaf = leafOf(pair.certificate);
      assert.ok(isPair(pair) && leaf.verify(root.publicKey));
      assert.equal(Date.parse(leaf.validFrom) < now && now < Date.parse(leaf.validTo), isCurrent, time);
      assert.equal(leaf.subject, 'O=team\nCN=dora');
      assert.equal(Date.parse(leaf.validTo) < now, time === 'expired');
    }
  });

  it('says for what they are, and by which names', () => {
    assert.equal(leafOf(authority.pair({ commonName: 'a', usages: [] }).certificate).keyUsage, undefined);
    const server = leafOf(authority.pair({ commonName: 'a', usages: ['serverAuth'], dns: ['a.example'] }).certificate);
    assert.deepEqual([server.keyUsage, server.subjectAltName], [['1.3.6.1.5.5.7.3.1'], 'DNS:a.example']);
    const [odd, plain] = [{ unknown: true as const }, {}].map((more) =>
      Buffer.from(leafOf(authority.pair({ commonName: 'a', ...more }).certificate).raw).toString('hex'),
    );
    // 1.3.6.1.4.1.57683.99
    assert.deepEqual([odd?.includes('2b0601040183c25363'), plain?.includes('2b0601040183c25363')], [true, false]);
  });

  it('has authorities below it, which come along with what they sign', () => {
    const below = authority.below({ pathLength: 0 });
    const [leaf, between, ...more] = certificatesOf(below.pair({ commonName: 'dora' }).certificate);
    assert.ok(leaf?.verify(leafOf(below.pem).publicKey));
    assert.ok(between?.verify(root.publicKey) && between.ca);
    assert.deepEqual(more, []);
    assert.equal(certificatesOf(below.below().pair({ commonName: 'dora' }).certificate).length, 3);
    assert.equal(certificatesOf(below.alone().pair({ commonName: 'dora' }).certificate).length, 1);
    const weak = authority.below({ may: { ca: false, keyUsage: ['digitalSignature'] }, time: 'expired' });
    assert.ok(!leafOf(weak.pem).ca && Date.parse(leafOf(weak.pem).validTo) < Date.now());
    assert.deepEqual(leafOf(authority.below({ usages: ['serverAuth'] }).pem).keyUsage, ['1.3.6.1.5.5.7.3.1']);
  });
});
