import assert from 'node:assert/strict';
import { createHash, createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { readRequestPem } from '../checks/certificates/csr.js';
import { readLeaf } from '../checks/certificates/x509.js';
import {
  brokenRequest,
  certificateRequest,
  keyOfKind,
  newKeyOf,
  nodeRequest,
  nodeServingRequest,
  requestPem,
  strangersPair,
  type Wanted,
} from './making.js';
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

  it('asks for what each of its extensions is named by', () => {
    const asked = (one: NonNullable<Wanted['extensions']>[number]) => {
      const { ca, keyUsage, extendedKeyUsage } = read(requestPem({ ...WANTED, extensions: [one] }));
      return { ca, keyUsage, extendedKeyUsage };
    };
    const nothing = { ca: false, keyUsage: undefined, extendedKeyUsage: undefined };
    assert.deepEqual(asked('to be an authority'), { ...nothing, ca: true });
    assert.deepEqual(asked('to sign certificates'), {
      ...nothing,
      keyUsage: ['digitalSignature', 'keyCertSign', 'cRLSign'],
    });
    assert.deepEqual(asked('to serve'), { ...nothing, extendedKeyUsage: ['serverAuth', 'clientAuth'] });
    assert.deepEqual(asked('to be looked up elsewhere'), nothing);
  });

  it('holds every attribute that a name may have, one part each or all in one', () => {
    const subject: Wanted['subject'] = [
      ['OU', 'unit'],
      ['serialNumber', '7'],
      ['CN', 'jane'],
    ];
    const facts = read(requestPem({ ...WANTED, subject }));
    // 2.5.4.5 and 2.5.4.11
    assert.deepEqual([facts.commonName, facts.others?.length, facts.isOdd], ['jane', 2, undefined]);
    assert.match(JSON.stringify(facts.others), /2\.5\.4\.11.*2\.5\.4\.5/);
    assert.equal(read(requestPem({ ...WANTED, subject, inOnePart: true })).isOdd, true);
  });

  it('is for a new key each time, of the kind that is wanted', () => {
    assert.notEqual(read(requestPem(WANTED)).pin, read(requestPem(WANTED)).pin);
    const bytes = (wanted: Wanted): string =>
      Buffer.from(requestPem(wanted).replace(/-----.*-----/g, ''), 'base64').toString('hex');
    // the curves 1.2.840.10045.3.1.7 and 1.3.132.0.34
    assert.match(bytes(WANTED), /06082a8648ce3d030107/);
    assert.match(bytes({ ...WANTED, key: 'ECDSA-P384' }), /06052b81040022/);
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

describe('the requests of a kubelet', () => {
  const textOf = ({ object }: ReturnType<typeof nodeRequest>): string =>
    Buffer.from(object.spec.request, 'base64').toString('latin1');

  it('are named as wanted, ask for the node, and make a pair with the key that they are for', async () => {
    const addresses = { dns: ['a.example'], ip: ['192.0.2.1'] };
    for (const [made, signer, usage] of [
      [nodeRequest('a', 'mine'), 'kubernetes.io/kube-apiserver-client-kubelet', 'client auth'],
      [nodeServingRequest('a', 'mine', addresses), 'kubernetes.io/kubelet-serving', 'server auth'],
    ] as const) {
      const { metadata, spec } = made.object;
      assert.deepEqual([metadata.name, spec.signerName, spec.usages], ['mine', signer, ['digital signature', usage]]);
      const facts = read(textOf(made));
      assert.deepEqual(
        [facts.commonName, facts.organizations, facts.problem],
        ['system:node:a', ['system:nodes'], undefined],
      );
      const pair = made.pair('issued');
      assert.equal(pair.certificate, 'issued');
      assert.equal(pinOf(createPrivateKey(pair.key)), facts.pin);
    }
    assert.deepEqual(read(textOf(nodeServingRequest('a', 'mine', addresses))).altNames, {
      ...read(textOf(nodeRequest('a', 'mine'))).altNames,
      ...addresses,
    });
  });

  it('are for the key that is given, else for one of their own', async () => {
    const key = newKeyOf('ECDSA-P384');
    assert.equal(read(textOf(nodeRequest('a', 'b', key))).pin, pinOf(key));
    assert.notEqual(read(textOf(nodeRequest('a', 'b'))).pin, read(textOf(nodeRequest('a', 'b'))).pin);
    const rsa = await keyOfKind('RSA-2048');
    assert.equal(rsa.asymmetricKeyDetails?.modulusLength, 2_048);
    assert.deepEqual(nodeRequest('a', 'b', rsa).object.spec.usages, [
      'digital signature',
      'key encipherment',
      'client auth',
    ]);
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
    assert.deepEqual(usages('for one usage twice, another between'), ['client auth', ...others]);
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

const pinOf = (key: ReturnType<typeof createPrivateKey>): string =>
  `sha256:${createHash('sha256')
    .update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .digest('hex')}`;
const isPair = ({ certificate, key }: { readonly certificate: string; readonly key: string }): boolean =>
  new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));

const factsOf = (pem: string) => {
  const facts = readLeaf(pem);
  assert.ok(!('unreadable' in facts));
  return facts;
};
/** From when until when the first certificate is good, in minutes from now, rounded. */
const minutesOf = (pem: string): readonly number[] => {
  const facts = factsOf(pem);
  return [facts.notBefore, facts.notAfter].map((time) => Math.round((time - Date.now()) / 60_000));
};

describe('the pair of a stranger', () => {
  it('names who is wanted, goes together, is current, and is signed by an authority of its own', () => {
    const pair = strangersPair('system:node:a', ['system:nodes', 'people']);
    const certificate = new X509Certificate(pair.certificate);
    assert.equal(certificate.subject, 'O=system:nodes\nO=people\nCN=system:node:a');
    assert.ok(isPair(pair));
    assert.deepEqual(minutesOf(pair.certificate), [-5, 60]);
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
    for (const [time, from, to] of [
      ['current', -5, 60],
      ['expired', -120, -1],
      ['early', 2, 60],
    ] as const) {
      const pair = authority.pair({ commonName: 'dora', organizations: ['team'], time });
      const leaf = leafOf(pair.certificate);
      assert.ok(isPair(pair) && leaf.verify(root.publicKey));
      assert.deepEqual(minutesOf(pair.certificate), [from, to], time);
      assert.deepEqual(minutesOf(authority.below({ time }).pem), [from, to], time);
      assert.equal(leaf.subject, 'O=team\nCN=dora');
    }
    for (const pem of [authority.pair({ commonName: 'a' }).certificate, authority.below().pem])
      assert.deepEqual(minutesOf(pem), [-5, 60]);
    // before all that it signs, what is over as well
    assert.equal(minutesOf(authority.pem)[0], -185);
  });

  it('says for what they are, and by which names', () => {
    assert.equal(leafOf(authority.pair({ commonName: 'a', usages: [] }).certificate).keyUsage, undefined);
    const usual = factsOf(authority.pair({ commonName: 'a' }).certificate);
    assert.deepEqual([usual.keyUsage, usual.extendedKeyUsage], [['digitalSignature'], ['clientAuth']]);
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
    assert.ok(!leafOf(weak.pem).ca);
    assert.deepEqual(factsOf(weak.pem).keyUsage, ['digitalSignature']);
    assert.deepEqual(factsOf(authority.below().pem).keyUsage, ['digitalSignature', 'keyCertSign']);
    assert.deepEqual([factsOf(below.pem).pathLength, factsOf(authority.below().pem).pathLength], [0, undefined]);
    assert.ok(below.pem !== authority.below().pem && leafOf(below.pem).checkIssued(root));
    assert.deepEqual(
      [factsOf(below.pem).commonName, factsOf(below.below().pem).commonName],
      ['an authority-below', 'an authority-below-below'],
    );
    assert.equal(leafOf(authority.below().pem).keyUsage, undefined);
    assert.deepEqual(leafOf(authority.below({ usages: ['serverAuth'] }).pem).keyUsage, ['1.3.6.1.5.5.7.3.1']);
  });
});
