import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import type { Verdict } from '../model/evidence.js';
import { createAuthority, issue } from '../pki/authority.js';
import { generateKey, type KeyObject } from '../pki/keys.js';
import { createRequest, parseRequestPem } from '../pki/request.js';
import * as judge from './requests.js';

const NOW = Date.UTC(2026, 0, 1);
const ca = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW });
const other = createAuthority({ commonName: 'front-proxy-ca', key: 'ECDSA-P256', now: NOW });

interface Made {
  name?: string;
  cn?: string;
  o?: readonly string[];
  usages?: readonly string[];
  signer?: string;
  dns?: readonly string[];
  key?: KeyObject;
  username?: string;
  groups?: readonly string[];
  issuer?: typeof ca;
  days?: number;
  created?: string;
  approval?: { reason: string; message: string };
}

function made(options: Made = {}): CertificateSigningRequest {
  const key = options.key ?? generateKey('ECDSA-P256');
  const { base64, pem } = createRequest({
    key,
    subject: { commonName: options.cn ?? 'system:node:a', organizations: options.o ?? ['system:nodes'] },
    ...(options.dns === undefined ? {} : { altNames: { dns: options.dns } }),
  });
  const facts = parseRequestPem(pem);
  const leaf =
    options.issuer === undefined
      ? undefined
      : issue(options.issuer, {
          subject: { commonName: facts.commonName },
          publicKey: key,
          notBefore: NOW,
          notAfter: NOW + (options.days ?? 365) * 86_400_000,
        });
  return {
    metadata: { name: options.name ?? 'csr-1', creationTimestamp: options.created ?? '2026-01-01T00:00:00Z' },
    spec: {
      request: base64,
      signerName: options.signer ?? 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: options.usages ?? ['digital signature', 'client auth'],
      username: options.username ?? 'system:bootstrap:abcdef',
      groups: options.groups ?? ['system:bootstrappers', 'system:authenticated'],
    },
    status: {
      ...(options.approval === undefined
        ? {}
        : { conditions: [{ type: 'Approved', status: 'True', ...options.approval }] }),
      ...(leaf === undefined ? {} : { certificate: Buffer.from(leaf.pem).toString('base64') }),
    },
  };
}

const kind = (
  look: (requests: readonly judge.SeenRequest[]) => Verdict,
  ...requests: readonly CertificateSigningRequest[]
): string => look(judge.readRequests(requests)).kind;
const serving = 'kubernetes.io/kubelet-serving';

describe('certificate requests at rest', () => {
  it('pass where they are sound, and are skipped where there are none', () => {
    const sound = made({
      issuer: ca,
      approval: {
        reason: 'AutoApproved',
        message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
      },
    });
    const looks = [
      judge.judgeCommonName,
      judge.judgeOrganization,
      judge.judgeLowerCase,
      judge.judgeClientUsages,
      judge.judgeNoAltNames,
      judge.judgeProof,
    ];
    for (const look of [
      ...looks,
      judge.judgeOwnKeys,
      judge.judgeApprovals,
      judge.judgeFirstRequester,
      judge.judgeValidity,
    ]) {
      assert.equal(kind(look, sound), 'passed', look.name);
      assert.equal(kind(look), 'skipped', look.name);
    }
  });

  it('leave out what joinproof made itself', () => {
    assert.deepEqual(judge.readRequests([made({ name: 'jp-abc', cn: 'x' })]), []);
  });

  for (const [what, look, options] of [
    ['a name without the prefix', judge.judgeCommonName, { cn: 'worker-1' }],
    ['an empty node name', judge.judgeCommonName, { cn: 'system:node:' }],
    ['a second organization', judge.judgeOrganization, { o: ['system:nodes', 'system:masters'] }],
    ['capitals', judge.judgeLowerCase, { cn: 'system:node:IP-1' }],
    ['server auth', judge.judgeClientUsages, { usages: ['digital signature', 'client auth', 'server auth'] }],
    ['a DNS name', judge.judgeNoAltNames, { dns: ['kubernetes'] }],
    [
      'an administrator as the first requester',
      judge.judgeFirstRequester,
      { username: 'kubernetes-admin', groups: ['kubeadm:cluster-admins'] },
    ],
    ['ten years', judge.judgeValidity, { issuer: ca, days: 3650 }],
    ['an approval of somebody else', judge.judgeApprovals, { approval: { reason: 'Cron', message: 'nightly' } }],
    [
      'a serving request that logs in',
      judge.judgeServingUsages,
      { signer: serving, usages: ['digital signature', 'server auth', 'client auth'] },
    ],
  ] as const) {
    it(`fail with ${what}`, () => assert.equal(kind(look, made(options as Made)), 'failed'));
  }

  it('fail where a token asks another signer', () => {
    const look = (requests: readonly judge.SeenRequest[]) =>
      judge.judgeSigner(requests, 'kubernetes.io/kube-apiserver-client-kubelet');
    assert.equal(kind(look, made({ signer: 'kubernetes.io/kube-apiserver-client' })), 'failed');
    assert.equal(kind(look, made()), 'passed');
  });

  it('fail where two nodes share a key, and where a kubelet serves with the key that it logs in with', () => {
    const key = generateKey('ECDSA-P256');
    assert.equal(
      kind(judge.judgeOwnKeys, made({ key, issuer: ca }), made({ key, cn: 'system:node:b', issuer: ca })),
      'failed',
    );
    assert.equal(kind(judge.judgeServingKeys, made({ key }), made({ key, signer: serving })), 'failed');
    assert.equal(kind(judge.judgeServingKeys, made(), made({ signer: serving })), 'passed');
  });

  it('fail where no accepted CA has signed', () => {
    const look = (requests: readonly judge.SeenRequest[]) => judge.judgeIssuer(requests, ca.certificate.pem);
    assert.equal(kind(look, made({ issuer: other })), 'failed');
    assert.equal(kind(look, made({ issuer: ca })), 'passed');
  });

  it('fail where a later request comes from somebody else', () => {
    const first = made({ created: '2026-01-01T00:00:00Z' });
    const later = { name: 'csr-2', created: '2026-01-02T00:00:00Z' };
    assert.equal(
      kind(judge.judgeLaterRequesters, first, made({ ...later, username: 'kubelet', groups: [] })),
      'failed',
    );
    assert.equal(
      kind(judge.judgeLaterRequesters, first, made({ ...later, username: 'system:node:a', groups: ['system:nodes'] })),
      'passed',
    );
  });

  it('fail where a serving request names a host of another Node, and pass over Nodes that are gone', () => {
    const nodes = [{ metadata: { name: 'a' }, status: { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] } }];
    const look = (requests: readonly judge.SeenRequest[]) => judge.judgeServingNames(requests, nodes);
    assert.equal(kind(look, made({ signer: serving, dns: ['a'] })), 'passed');
    assert.equal(kind(look, made({ signer: serving, dns: ['a', 'b'] })), 'failed');
    assert.equal(kind(look, made({ signer: serving, cn: 'system:node:gone', dns: ['x'] })), 'skipped');
  });

  it('fail where the text is no request', () => {
    const broken = made();
    assert.equal(
      kind(judge.judgeProof, { ...broken, spec: { ...broken.spec, request: Buffer.from('x').toString('base64') } }),
      'failed',
    );
  });
});
