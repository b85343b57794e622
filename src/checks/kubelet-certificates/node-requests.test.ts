import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { createAuthority } from '../../pki/authority.js';
import { generateKey } from '../../pki/keys.js';
import { createRequest } from '../../pki/request.js';
import { resultsOf } from '../common/judged.testing.js';
import { twinsOf } from '../common/twins.testing.js';
import {
  cameWithIts,
  nodesCome,
  readCame,
  requestersKnown,
  servingAfterClient,
  servingByItsNode,
  type Written,
} from './node-requests.js';
import { requestAtRest, type SeenRequest } from './seen-requests.js';

const CREDENTIAL = 'authentication.kubernetes.io/credential-id';
const CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
const SERVING = 'kubernetes.io/kubelet-serving';
const { base64 } = createRequest({
  key: generateKey('ECDSA-P256'),
  subject: { commonName: 'system:node:a', organizations: ['system:nodes'] },
});

interface Made {
  readonly username?: string;
  readonly groups?: readonly string[];
  readonly credential?: string;
  readonly signer?: string;
  readonly text?: string;
}
const NODES = ['system:nodes', 'system:authenticated'];
const made = ({ username = 'system:node:a', groups = NODES, ...more }: Made = {}): CertificateSigningRequest => ({
  metadata: { name: 'csr-1', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    request: more.text ?? base64,
    signerName: more.signer ?? SERVING,
    username,
    groups,
    ...(more.credential === undefined ? {} : { extra: { [CREDENTIAL]: [more.credential] } }),
  },
});
const CERTIFICATE = { credential: 'X509SHA256=00' };

describe('who asks in a node’s name', () => {
  const look = <P>(check: Check<readonly SeenRequest[], P>, parameters: P, ...of: readonly Made[]): string =>
    resultsOf(
      check,
      of.map((one) => requestAtRest(made(one)).seen),
      parameters,
    ).join(' ');
  const today: Written = { minor: 36 };

  for (const check of [nodesCome, servingAfterClient])
    it(`came with a certificate, where the server writes that down (${check.id})`, () => {
      assert.equal(look(check, today, CERTIFICATE), 'met');
      assert.equal(look(check, { minor: 32 }, {}), 'unmet');
      assert.equal(look(check, { minor: 31 }, {}), 'met');
      assert.equal(look(check, today, { credential: 'JTI=00' }), 'unmet');
      assert.equal(look(check, today), '');
      assert.equal(typeof check.nothing, 'string');
    });

  it('is looked at where it is a node, and where a serving certificate is asked for', () => {
    const token = { username: 'system:bootstrap:abcdef', groups: ['system:bootstrappers'] };
    assert.equal(look(nodesCome, today, token, { username: 'system:nodes' }), '');
    assert.equal(look(nodesCome, today, { ...CERTIFICATE, signer: CLIENT }), 'met');
    assert.equal(look(servingAfterClient, today, { ...CERTIFICATE, signer: CLIENT }), '');
    assert.equal(look(servingAfterClient, { minor: 31 }, token, { username: 'kubernetes-admin' }), 'unmet unmet');
    assert.equal(look(servingAfterClient, today, { username: '', ...CERTIFICATE }), 'unmet');
    for (const twin of twinsOf(SERVING)) assert.equal(look(servingAfterClient, today, { signer: twin }), '', twin);
    for (const username of ['System:Node:a', ' system:node:a'])
      assert.equal(look(nodesCome, today, { username }), '', username);
    for (const credential of ['x509SHA256=00', ' X509SHA256=00', ''])
      assert.equal(look(nodesCome, today, { credential }), 'unmet', credential);
    assert.equal(look(nodesCome, today, CERTIFICATE, { credential: 'JTI=00' }), 'met unmet');
  });

  it('is somebody who had logged in', () => {
    assert.equal(look(requestersKnown, undefined, {}, { signer: CLIENT }), 'met met');
    assert.equal(look(requestersKnown, undefined, { username: 'system:anonymous' }), 'unmet');
    assert.equal(look(requestersKnown, undefined, { username: '' }), 'unmet');
    assert.equal(look(requestersKnown, undefined, { groups: ['system:unauthenticated'] }), 'unmet');
    assert.equal(look(requestersKnown, undefined, { username: '', signer: 'example.com/x' }), '');
    for (const twin of twinsOf('system:anonymous').filter((name) => name !== ''))
      assert.equal(look(requestersKnown, undefined, { username: twin }), 'met', twin);
    for (const twin of twinsOf('system:unauthenticated'))
      assert.equal(look(requestersKnown, undefined, { groups: [twin] }), 'met', twin);
    for (const signer of [CLIENT, SERVING])
      for (const twin of twinsOf(signer))
        assert.equal(look(requestersKnown, undefined, { username: '', signer: twin }), '', twin);
  });

  it('is the node that its serving certificate names', () => {
    assert.equal(look(servingByItsNode, undefined, {}), 'met');
    assert.equal(look(servingByItsNode, undefined, { username: 'system:node:b' }), 'unmet');
    assert.equal(look(servingByItsNode, undefined, { groups: ['system:authenticated'] }), 'unmet');
    assert.equal(look(servingByItsNode, undefined, { username: '', text: 'YQ==' }), 'unmet');
    assert.equal(look(servingByItsNode, undefined, { username: 'b', signer: CLIENT }), '');
    for (const twin of twinsOf('system:node:a'))
      assert.equal(look(servingByItsNode, undefined, { username: twin }), 'unmet', twin);
    for (const twin of twinsOf('system:nodes'))
      assert.equal(look(servingByItsNode, undefined, { groups: [twin] }), 'unmet', twin);
    assert.equal(look(servingByItsNode, undefined, { groups: ['a', 'system:nodes'] }), 'met');
    assert.equal(look(servingByItsNode, undefined, {}, { username: 'system:node:b' }), 'met unmet');
  });
});

it('a request names the certificate that its node has shown', () => {
  const { certificate } = createAuthority({ commonName: 'a', key: 'ECDSA-P256', now: Date.UTC(2026, 0, 1) });
  const credential = `X509SHA256=${createHash('sha256').update(certificate.der).digest('hex')}`;
  const look = (request: CertificateSigningRequest | undefined, pem = certificate.pem) =>
    resultsOf(cameWithIts, readCame('a', request, pem), undefined).join();
  assert.equal(look(made({ credential })), 'met');
  assert.equal(look(made(CERTIFICATE)), 'unmet');
  assert.equal(look(made()), 'unmet');
  assert.equal(look(undefined), 'unmet');
  for (const twin of twinsOf(credential)) assert.equal(look(made({ credential: twin })), 'unmet', twin);
  assert.equal(look(made({ credential }), 'no PEM'), 'unclear');
});
