import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { createAuthority, issue } from '../../pki/authority.js';
import { generateKey, type KeyObject } from '../../pki/keys.js';
import { createRequest, parseRequestPem } from '../../pki/request.js';
import { twinsOf } from '../common/twins.testing.js';
import * as judge from './requests.js';
import { readSigned, requestAtRest, type SeenRequest } from './seen-requests.js';

const atRest = (objects: readonly CertificateSigningRequest[]) =>
  objects.flatMap((object) => requestAtRest(object) ?? []);
const readRequests = (objects: readonly CertificateSigningRequest[]): SeenRequest[] =>
  atRest(objects).map(({ seen }) => seen);

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

/** What a check says in the end; the same again from what a report holds of the observation. */
function kindOf<O, P>(check: Check<O, P>, observation: O, parameters: P): string {
  const findings = check.judge(observation, parameters);
  assert.deepEqual(check.judge(JSON.parse(JSON.stringify(observation)) as O, parameters), findings, check.id);
  if (findings.length === 0) return check.nothing === undefined ? 'passed' : 'skipped';
  return findings.every(({ result }) => result === 'met') ? 'passed' : 'failed';
}

const kind = (check: Check<readonly SeenRequest[]>, ...requests: readonly CertificateSigningRequest[]): string =>
  kindOf(check, readRequests(requests), undefined);
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
    for (const check of [
      judge.requestCommonName,
      judge.requestOrganization,
      judge.requestLowerCase,
      judge.requestClientUsages,
      judge.requestNoAltNames,
      judge.requestProof,
      judge.requestOwnKeys,
      judge.requestApprovals,
      judge.requestFirstRequester,
      judge.requestValidity,
    ]) {
      assert.equal(kind(check, sound), 'passed', check.id);
      assert.equal(kind(check), 'skipped', check.id);
    }
  });

  for (const [what, check, options] of [
    ['a name without the prefix', judge.requestCommonName, { cn: 'worker-1' }],
    ['an empty node name', judge.requestCommonName, { cn: 'system:node:' }],
    ['a name with a blank', judge.requestCommonName, { cn: 'system:node:worker 1' }],
    ['a name that ends in a dot', judge.requestCommonName, { cn: 'system:node:worker-1.' }],
    ['a path', judge.requestCommonName, { cn: 'system:node:../worker-1' }],
    ['a name too long for a Node', judge.requestCommonName, { cn: `system:node:${'a.'.repeat(127)}a` }],
    ['a second organization', judge.requestOrganization, { o: ['system:nodes', 'system:masters'] }],
    ['no organization', judge.requestOrganization, { o: [] }],
    ['capitals', judge.requestLowerCase, { cn: 'system:node:IP-1' }],
    ['server auth', judge.requestClientUsages, { usages: ['digital signature', 'client auth', 'server auth'] }],
    ['no client auth', judge.requestClientUsages, { usages: ['digital signature'] }],
    ['a DNS name', judge.requestNoAltNames, { dns: ['kubernetes'] }],
    [
      'an administrator as the first requester',
      judge.requestFirstRequester,
      { username: 'kubernetes-admin', groups: ['kubeadm:cluster-admins'] },
    ],
    [
      'another node as the first requester',
      judge.requestFirstRequester,
      { username: 'system:node:b', groups: ['system:nodes'] },
    ],
    ['a person as the first requester', judge.requestFirstRequester, { username: 'jane', groups: ['developers'] }],
    ['ten years', judge.requestValidity, { issuer: ca, days: 3650 }],
    ['an approval of somebody else', judge.requestApprovals, { approval: { reason: 'Cron', message: 'nightly' } }],
    [
      'a serving request that logs in',
      judge.requestServingUsages,
      { signer: serving, usages: ['digital signature', 'server auth', 'client auth'] },
    ],
  ] as const) {
    it(`fail with ${what}`, () => assert.equal(kind(check, made(options as Made)), 'failed'));
  }

  it('tell every request that is not as it should be', () => {
    const findings = judge.requestCommonName.judge(
      readRequests([made({ cn: 'a' }), made(), made({ cn: 'b' })]),
      undefined,
    );
    assert.deepEqual(
      findings.map(({ result }) => result),
      ['unmet', 'met', 'unmet'],
    );
  });

  it('fail where a token asks another signer', () => {
    const look = (...requests: readonly CertificateSigningRequest[]) =>
      kindOf(judge.requestSigner, readRequests(requests), { signer: 'kubernetes.io/kube-apiserver-client-kubelet' });
    assert.equal(look(made({ signer: 'kubernetes.io/kube-apiserver-client' })), 'failed');
    assert.equal(look(made()), 'passed');
    assert.equal(look(), 'skipped');
  });

  it('fail where a usage, a group or a signer only looks like one', () => {
    for (const usage of ['client auth', 'digital signature'])
      for (const twin of twinsOf(usage)) {
        const usages = ['digital signature', 'client auth'].map((one) => (one === usage ? twin : one));
        const [sound] = readRequests([made()]);
        assert.ok(sound);
        assert.equal(kindOf(judge.requestClientUsages, [{ ...sound, usages }], undefined), 'failed', twin);
        const more = [...sound.usages, twin];
        assert.equal(kindOf(judge.requestClientUsages, [{ ...sound, usages: more }], undefined), 'failed', twin);
      }
    for (const twin of twinsOf('system:nodes').filter((name) => name !== ''))
      assert.equal(kind(judge.requestOrganization, made({ o: [twin] })), 'failed', twin);
    for (const twin of twinsOf('kubernetes.io/kube-apiserver-client-kubelet'))
      assert.equal(
        kindOf(
          judge.requestSigner,
          readRequests([made()]).map((one) => ({ ...one, signer: twin })),
          {
            signer: 'kubernetes.io/kube-apiserver-client-kubelet',
          },
        ),
        'failed',
        twin,
      );
  });

  it('fail where two nodes share a key', () => {
    const key = generateKey('ECDSA-P256');
    const twice = [made({ key, issuer: ca }), made({ key, cn: 'system:node:b', issuer: ca })];
    assert.equal(kind(judge.requestOwnKeys, ...twice), 'failed');
  });

  it('fail where no accepted CA has signed', () => {
    const look = (...requests: readonly CertificateSigningRequest[]) =>
      kindOf(judge.requestIssuer, readSigned(atRest(requests), ca.certificate.pem), undefined);
    assert.equal(look(made({ issuer: other })), 'failed');
    assert.equal(look(made({ issuer: ca })), 'passed');
    assert.equal(look(made()), 'skipped');
  });

  it('take any credential of the group for a first requester, and the node itself', () => {
    for (const options of [
      { username: 'kubelet', groups: ['system:bootstrappers'] },
      { username: 'system:bootstrap:abcdef', groups: [] },
      { username: 'system:node:a', groups: ['system:nodes'] },
    ])
      assert.equal(kind(judge.requestFirstRequester, made(options)), 'passed', options.username);
    for (const twin of twinsOf('system:node:a'))
      assert.equal(kind(judge.requestFirstRequester, made({ username: twin, groups: [] })), 'failed', twin);
    for (const username of ['system:node:A', 'system:node:a ', 'system:node:ab', 'system:node:'])
      assert.equal(kind(judge.requestFirstRequester, made({ username, groups: [] })), 'failed', username);
    for (const twin of twinsOf('system:bootstrappers'))
      assert.equal(kind(judge.requestFirstRequester, made({ username: 'kubelet', groups: [twin] })), 'failed', twin);
    const plain = { cn: 'jane', username: 'jane', groups: [] };
    assert.equal(kind(judge.requestFirstRequester, made(plain)), 'failed');
  });

  it('fail where one of several approvals is of somebody else', () => {
    const object = made({ approval: { reason: 'AutoApproved', message: 'x after SubjectAccessReview.' } });
    assert.equal(kind(judge.requestApprovals, object), 'passed');
    assert.equal(kind(judge.requestApprovals, made({ approval: { reason: 'AutoApproved', message: 'x' } })), 'failed');
    const conditions = [...(object.status?.conditions ?? []), { type: 'Approved', status: 'True', reason: 'Cron' }];
    assert.equal(kind(judge.requestApprovals, { ...object, status: { conditions } }), 'failed');
  });

  it('fail where a node serves with the key of another one', () => {
    const key = generateKey('ECDSA-P256');
    const pair = [made({ key, issuer: ca }), made({ key, cn: 'system:node:b', signer: serving, issuer: ca })];
    assert.equal(kind(judge.requestOwnKeys, ...pair), 'failed');
  });

  it('fail where a later request comes from somebody else', () => {
    const first = made({ created: '2026-01-01T00:00:00Z' });
    const later = { name: 'csr-2', created: '2026-01-02T00:00:00Z' };
    const own = made({ ...later, username: 'system:node:a', groups: ['system:nodes'] });
    const foreign = made({ ...later, username: 'kubelet', groups: [] });
    assert.equal(kind(judge.requestLaterRequesters, first, foreign), 'failed');
    assert.equal(kind(judge.requestLaterRequesters, first, own), 'passed');
    const others = made({ username: 'system:node:b', groups: ['system:nodes'] });
    assert.equal(kind(judge.requestLaterRequesters, others), 'failed', 'the first of another node');
  });

  it('fail where names of kinds are asked for that no host has', () => {
    const [sound] = readRequests([made()]);
    assert.ok(sound !== undefined && !('unreadable' in sound.asked));
    const odd = { ...sound, asked: { ...sound.asked, altNames: { ...sound.asked.altNames, other: 1 } } };
    assert.equal(kindOf(judge.requestNoAltNames, [odd], undefined), 'failed');
  });

  it('fail where a certificate lives for more than a year', () => {
    assert.equal(kind(judge.requestValidity, made({ issuer: ca, days: 365 })), 'passed');
    assert.equal(kind(judge.requestValidity, made({ issuer: ca, days: 366 })), 'failed');
  });

  it('fail where the text is no request', () => {
    const broken = made();
    const spec = { ...broken.spec, request: Buffer.from('x').toString('base64') };
    assert.equal(kind(judge.requestProof, { ...broken, spec }), 'failed');
    assert.equal(kind(judge.requestCommonName, { ...broken, spec }), 'failed');
  });
});

describe('a certificate request that has not the form of one', () => {
  const { spec, ...rest } = made();
  const objects: unknown = [
    { ...rest, spec: { ...spec, usages: ['clientAuth'] } },
    { ...rest, spec: { ...spec, groups: 'system:nodes' } },
    { metadata: { name: 'csr-2', labels: null } },
  ];
  const read = readRequests(objects as CertificateSigningRequest[]);

  it('is told by the rule on what a request is', () => {
    const seen = judge.requestProof.judge(read, undefined).map((finding) => `${finding.result}: ${finding.seen}`);
    assert.deepEqual(seen, [
      'unmet: spec.usages[0] is none of 23 known values',
      'unmet: it cannot be read: it has not the form of a CertificateSigningRequest; spec.groups is no array or null',
      'unmet: it cannot be read: it has not the form of a CertificateSigningRequest; it has no spec',
    ]);
  });

  it('stops no other rule', () => {
    assert.equal(judge.requestClientUsages.judge(read, undefined).length, 1);
    assert.deepEqual(readSigned(atRest(objects as CertificateSigningRequest[]), ca.certificate.pem), []);
  });
});
