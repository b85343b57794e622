import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import { createAuthority, issue } from '../../pki/authority.js';
import type { SubjectAltNames } from '../../pki/extensions.js';
import { generateKey, type KeyObject } from '../../pki/keys.js';
import { createRequest } from '../../pki/request.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import { twinsOf } from '../common/twins.testing.js';
import { requestAtRest } from './seen-requests.js';
import { readServingNames, servingIssuedNames, servingKeys, servingNames } from './serving-requests.js';

const CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
const SERVING = 'kubernetes.io/kubelet-serving';
const NOW = Date.UTC(2026, 0, 1);
const ca = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW });
const aKey = generateKey('ECDSA-P256');

interface Made {
  readonly signer?: string;
  readonly node?: string;
  readonly key?: KeyObject;
  readonly names?: Partial<SubjectAltNames>;
  readonly issued?: Partial<SubjectAltNames>;
  readonly text?: string;
}

function seen({ signer = SERVING, node = 'a', key = generateKey('ECDSA-P256'), names, issued, text }: Made) {
  const subject = { commonName: `system:node:${node}`, organizations: ['system:nodes'] };
  const { base64 } = createRequest({ key, subject, ...(names === undefined ? {} : { altNames: names }) });
  const leaf = (altNames: Partial<SubjectAltNames>) =>
    issue(ca, { subject, publicKey: key, notBefore: NOW, notAfter: NOW + 1000, altNames }).pem;
  const object: CertificateSigningRequest = {
    metadata: { name: `csr-${node}`, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { request: text ?? base64, signerName: signer },
    status: issued === undefined ? {} : { certificate: Buffer.from(leaf(issued)).toString('base64') },
  };
  return requestAtRest(object).seen;
}
const broken = seen({ text: Buffer.from('x').toString('base64') });

describe('the key of a serving request', () => {
  const look = (...requests: readonly ReturnType<typeof seen>[]) =>
    resultsOf(servingKeys, requests, undefined).join(' ');

  it('is no client’s and no other node’s', () => {
    assert.equal(look(seen({})), 'met met');
    assert.equal(look(seen({ key: aKey }), seen({ key: aKey })), 'met met met met', 'asked twice');
    assert.equal(look(seen({ signer: CLIENT, key: aKey }), seen({ key: aKey })), 'unmet met');
    assert.equal(look(seen({ key: aKey }), seen({ signer: CLIENT, node: 'b', key: aKey })), 'unmet met');
    assert.equal(look(seen({ key: aKey }), seen({ node: 'b', key: aKey })), 'met unmet met unmet');
    assert.equal(look(seen({ key: aKey }), seen({ signer: 'example.com/x', node: 'b', key: aKey })), 'met met');
    for (const twin of ['A', ' a', 'a ', 'ab'])
      assert.equal(look(seen({ key: aKey }), seen({ node: twin, key: aKey })), 'met unmet met unmet', twin);
    for (const twin of twinsOf(CLIENT))
      assert.equal(look(seen({ key: aKey }), seen({ signer: twin, node: 'b', key: aKey })), 'met met', twin);
    for (const twin of twinsOf(SERVING)) assert.equal(look(seen({ signer: twin })), '', twin);
    assert.equal(look(broken), 'unmet');
    assert.equal(look(seen({ signer: CLIENT })), '');
    assert.equal(typeof servingKeys.nothing, 'string');
  });
});

describe('the names of a serving request', () => {
  const node = (name: string, ...addresses: readonly string[]) => ({
    metadata: { name },
    status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
  });
  const nodes = [node('a', '192.0.2.1', '2001:DB8:0:0::1', 'A.example'), node('b', '192.0.2.2')];
  const look = (made: Made) => resultsOf(servingNames, readServingNames([seen(made)], nodes), undefined).join(' ');

  it('are hosts and addresses of its own Node', () => {
    assert.equal(look({ names: { dns: ['a', 'a.example'], ip: ['192.0.2.1', '2001:db8::1'] } }), 'met met');
    assert.equal(look({ names: { dns: ['A.EXAMPLE'] } }), 'met met');
    for (const names of [{ dns: ['b'] }, { ip: ['192.0.2.2'] }, { dns: ['a', 'nowhere'] }])
      assert.equal(look({ names }), 'met unmet', JSON.stringify(names));
    assert.equal(look({ names: { dns: ['a'], uri: ['spiffe://a'] } }), 'unmet unmet');
    assert.equal(look({ names: { dns: ['a'], email: ['root@a'] } }), 'unmet unmet');
    assert.equal(look({}), 'unmet met');
    const sound = seen({ names: { dns: ['a'] } });
    assert.ok(!('unreadable' in sound.asked));
    const odd = { ...sound, asked: { ...sound.asked, altNames: { ...sound.asked.altNames, other: 1 } } };
    assert.deepEqual(resultsOf(servingNames, readServingNames([odd], nodes), undefined), ['unmet', 'met']);
  });

  it('are told in plain text, in order, with what is no host', () => {
    const told = (made: Made) =>
      judged(servingNames, readServingNames([seen(made)], nodes), undefined).map((one) => `${one.result}: ${one.seen}`);
    const both = told({ names: { dns: ['B', 'a'], ip: ['2001:db8:0:0:0:0:0:1'] } });
    assert.equal(both[0], 'met: 2001:db8::1, a, b');
    assert.equal(both[1], 'unmet: it also names b; its Node has a, 192.0.2.1, 2001:db8::1, a.example');
    const odd = told({ names: { dns: ['a'], email: ['x@a', 'y@a'], uri: ['spiffe://a'] } });
    assert.match(odd[0] ?? '', /^unmet: a, spiffe:..a, x@a, y@a, 3 of them neither hosts nor addresses$/);
    const [gone] = readServingNames([seen({ node: 'gone', names: { dns: ['b', 'a'] } })], nodes);
    assert.deepEqual(gone?.foreign, ['a', 'b']);
    const keys = judged(servingKeys, [broken], undefined)[0];
    assert.equal(keys?.demanded, 'has a key of its own');
    assert.match(keys?.seen ?? '', /^it cannot be read: ./);
  });

  it('are told for a Node that is gone as far as they are another’s', () => {
    assert.equal(look({ node: 'gone', names: { dns: ['gone'] } }), 'met met');
    assert.equal(look({ node: 'gone', names: { dns: ['gone'], ip: ['192.0.2.2'] } }), 'met unmet');
  });

  it('are those of what is issued, no more and no fewer', () => {
    const names = { dns: ['a'], ip: ['192.0.2.1'] };
    assert.equal(look({ names, issued: names }), 'met met met');
    for (const issued of [{ dns: ['a'] }, { dns: ['a', 'b'], ip: ['192.0.2.1'] }, {}])
      assert.equal(look({ names, issued }), 'met met unmet', JSON.stringify(issued));
    const [own] = readServingNames([seen({ names, issued: names })], []);
    const [other] = readServingNames([seen({ names, issued: { dns: ['b'] } })], []);
    assert.ok(own !== undefined && other !== undefined);
    assert.deepEqual(resultsOf(servingIssuedNames, own, undefined), ['met']);
    assert.deepEqual(resultsOf(servingIssuedNames, other, undefined), ['unmet']);
    assert.match(judged(servingIssuedNames, other, undefined)[0]?.seen ?? '', /^b$/);
  });

  it('are not read of other requests, and of those that cannot be read', () => {
    assert.deepEqual(readServingNames([broken, seen({ signer: CLIENT })], nodes), []);
    assert.equal(typeof servingNames.nothing, 'string');
  });
});
