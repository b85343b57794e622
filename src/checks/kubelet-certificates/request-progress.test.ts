import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import type { Finding } from '../../model/finding.js';
import { asBefore, contentOf, reallyChanged } from '../authorization/binding-subjects.js';
import { commandLines } from '../written/control-plane-flags.js';
import {
  isDecided,
  type Progress,
  readProgress,
  readSent,
  requestApproved,
  requestIn,
  requestInvalid,
  requestIssued,
  requestRequester,
  requestTaken,
  requestUnclaimed,
  requestUndecided,
  signerRuns,
} from './request-progress.js';

/** Judged, and judged again from what a report holds. */
function findings<O, P>(check: Check<O, P>, observation: O, parameters: P): readonly Finding[] {
  const found = check.judge(observation, parameters);
  assert.deepEqual(check.judge(JSON.parse(JSON.stringify(observation)) as O, parameters), found, check.id);
  return found;
}
const results = <O, P>(check: Check<O, P>, observation: O, parameters: P): string =>
  findings(check, observation, parameters)
    .map(({ result }) => result)
    .join(' ');

interface Made {
  readonly conditions?: readonly string[];
  readonly reason?: string;
  readonly status?: string;
  readonly certificate?: string;
  readonly username?: string;
  readonly groups?: readonly string[];
}
const request = (made: Made = {}): CertificateSigningRequest => ({
  kind: 'CertificateSigningRequest',
  metadata: { name: 'csr-1', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    request: 'YWJj',
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['digital signature', 'client auth'],
    username: made.username ?? 'system:bootstrap:abcdef',
    groups: made.groups ?? ['system:bootstrappers', 'system:authenticated'],
  },
  status: {
    conditions: (made.conditions ?? []).map((type) => ({
      type,
      status: made.status ?? 'True',
      reason: made.reason ?? 'AutoApproved',
      message: 'x',
    })),
    ...(made.certificate === undefined ? {} : { certificate: made.certificate }),
  },
});
const progress = (made?: Made): Progress => readProgress('a request', request(made));
const gone = readProgress('a request', undefined);

describe('asking for a certificate', () => {
  const answered = (status: number, body: unknown = {}) => [readSent('a request', { status, body })];

  it('is taken with 201 and the request', () => {
    assert.equal(results(requestTaken, answered(201, request()), undefined), 'met');
    assert.equal(results(requestTaken, answered(201, {}), undefined), 'unmet');
    assert.equal(results(requestTaken, answered(200, request()), undefined), 'unmet');
    assert.equal(results(requestTaken, answered(403), undefined), 'unmet');
    for (const status of [0, 404, 405, 429, 503])
      assert.equal(results(requestTaken, answered(status), undefined), 'unclear');
    assert.equal(requestIn({ status: 200, body: { kind: 'Status' } }), undefined);
    const broken = { kind: 'CertificateSigningRequest', metadata: {}, spec: { request: 1 } };
    assert.equal(requestIn({ status: 201, body: broken }), undefined);
    assert.match(findings(requestTaken, answered(201, broken), undefined)[0]?.seen ?? '', /spec has no signerName/);
    assert.equal(results(requestTaken, answered(201, broken), undefined), 'unmet');
    const short = { ...request(), spec: { ...request().spec, expirationSeconds: 60 } };
    assert.equal(results(requestTaken, answered(201, short), undefined), 'unmet');
  });

  it('is refused with 422 where it is broken, and that is a refusal', () => {
    const invalid = answered(422, { message: 'CertificateSigningRequest "x" is invalid: spec.request: Invalid value' });
    assert.equal(results(requestInvalid, invalid, undefined), 'met');
    assert.equal(results(requestInvalid, answered(201, request()), undefined), 'unmet');
    const unread = answered(400, { message: 'x in version "v1" cannot be handled as a CertificateSigningRequest' });
    for (const other of [unread, answered(403)]) assert.equal(results(requestInvalid, other, undefined), 'unmet');
    for (const status of [400, 401, 404, 405, 422, 429, 500])
      assert.equal(results(requestInvalid, answered(status), undefined), 'unclear');
    assert.equal(findings(requestInvalid, invalid, undefined)[0]?.refusal, true);
  });

  it('is written down with who asked', () => {
    const username = 'system:bootstrap:abcdef';
    const groups = ['system:authenticated', 'system:bootstrappers'];
    const wanted = { username, groups, exactly: true };
    assert.equal(results(requestRequester, progress(), wanted), 'met met');
    assert.equal(results(requestRequester, progress({ username: 'x' }), wanted), 'unmet met');
    assert.equal(results(requestRequester, progress({ groups: [...groups, 'more'] }), wanted), 'met unmet');
    const more = progress({ groups: [...groups, 'more'] });
    assert.equal(results(requestRequester, more, { ...wanted, exactly: false }), 'met met');
    assert.equal(results(requestRequester, progress({ groups: [] }), { ...wanted, exactly: false }), 'met unmet');
    assert.equal(results(requestRequester, gone, wanted), 'unclear unclear');
    const withUid = (uid: string) => results(requestRequester, { ...progress(), uid }, { ...wanted, uid: 'u' });
    assert.deepEqual([withUid('u'), withUid('v'), withUid('')], ['met met met', 'met met unmet', 'met met unmet']);
    assert.equal(results(requestRequester, gone, { ...wanted, uid: 'u' }), 'unclear unclear unclear');
  });

  it('is not there to those who read it where it has not the form of a request', () => {
    const body: unknown = { ...request(), status: { conditions: { type: 'Approved' } } };
    const read = readProgress('a request', body as CertificateSigningRequest);
    assert.equal(read.there, false);
  });

  it('is written down without what was claimed besides, and that is a refusal', () => {
    const claims = { uid: 'jp', extra: 'a.b/c' };
    const look = (uid?: string, ...extra: readonly string[]) => {
      const object = request();
      const more = Object.fromEntries(extra.map((key) => [key, ['x']]));
      const spec = { ...object.spec, extra: more, ...(uid === undefined ? {} : { uid }) };
      return findings(requestUnclaimed, readProgress('a request', { ...object, spec }), claims);
    };
    const seen = (...found: Parameters<typeof look>) => look(...found).map(({ result }) => result);
    assert.deepEqual(seen(), ['met', 'met']);
    assert.deepEqual(seen('other', 'other'), ['met', 'met']);
    assert.deepEqual(seen('jp'), ['unmet', 'met']);
    assert.deepEqual(seen('', 'other', 'a.b/c'), ['met', 'unmet']);
    assert.ok(look().every(({ refusal }) => refusal === true));
    assert.equal(results(requestUnclaimed, gone, claims), 'unclear unclear');
  });

  it('starts without a decision, and that is a refusal', () => {
    assert.equal(results(requestUndecided, progress(), undefined), 'met met');
    assert.equal(results(requestUndecided, progress({ conditions: ['Approved'] }), undefined), 'unmet met');
    assert.equal(results(requestUndecided, progress({ certificate: 'AAAA' }), undefined), 'met unmet');
    assert.equal(results(requestUndecided, gone, undefined), 'unclear unclear');
    assert.ok(findings(requestUndecided, progress(), undefined).every(({ refusal }) => refusal === true));
  });
});

describe('approval', () => {
  const kubeadm = { kubeadm: true, reason: 'AutoApproved' };

  it('comes by itself where kubeadm has bound the roles; elsewhere it may be left to people', () => {
    const approved = progress({ conditions: ['Approved'] });
    assert.equal(results(requestApproved, approved, kubeadm), 'met');
    assert.equal(results(requestApproved, progress(), kubeadm), 'unmet');
    assert.equal(results(requestApproved, progress({ conditions: ['Denied'] }), kubeadm), 'unmet');
    assert.equal(results(requestApproved, progress({ conditions: ['Approved'], status: 'False' }), kubeadm), 'unmet');
    assert.equal(results(requestApproved, progress({ conditions: ['Approved'], reason: 'Cron' }), kubeadm), 'unmet');
    const byAnybody = progress({ conditions: ['Approved'], reason: 'Cron' });
    assert.equal(results(requestApproved, byAnybody, { kubeadm: true }), 'met');
    assert.equal(results(requestApproved, progress(), { kubeadm: false }), '');
    assert.equal(results(requestApproved, approved, { kubeadm: false }), 'met');
    assert.equal(results(requestApproved, gone, kubeadm), 'unclear');
    assert.equal(typeof requestApproved.nothing, 'string');
    assert.deepEqual([isDecided(approved), isDecided(progress())], [true, false]);
  });
});

describe('signing', () => {
  const known = { kubeadm: true, signer: true };
  const approved = progress({ conditions: ['Approved'] });

  it('follows approval, in time where the signer is known to run', () => {
    assert.equal(results(requestIssued, [progress({ certificate: 'AAAA' })], known), 'met');
    assert.equal(results(requestIssued, [approved], known), 'unmet');
    assert.equal(results(requestIssued, [approved], { ...known, signer: false }), 'unclear');
    assert.equal(results(requestIssued, [progress()], known), 'unmet');
    assert.equal(results(requestIssued, [progress()], { kubeadm: false, signer: false }), '');
    for (const condition of ['Denied', 'Failed'])
      assert.equal(
        results(requestIssued, [progress({ conditions: [condition] })], { kubeadm: false, signer: false }),
        'unmet',
      );
    assert.equal(results(requestIssued, [gone, approved], known), 'unclear unmet');
  });

  it('is known to be on by the flags, or because kubeadm has set the cluster up', () => {
    const lines = (...flags: readonly string[]) => linesOf(flags);
    const linesOf = (...all: readonly (readonly string[])[]) =>
      commandLines(
        all.map((flags, n) => ({
          metadata: { name: `kube-controller-manager-${n}`, namespace: 'kube-system' },
          spec: { containers: [{ command: ['kube-controller-manager', ...flags] }] },
        })),
      );
    const [on, off] = [['--cluster-signing-cert-file=/ca.crt'], ['--controllers=*,-csrsigning']];
    assert.equal(signerRuns(linesOf(off, on), false), true);
    assert.equal(signerRuns(linesOf(off, off), true), false);
    assert.equal(signerRuns(lines('--cluster-signing-cert-file=/ca.crt'), false), true);
    assert.equal(signerRuns(lines('--cluster-signing-cert-file='), true), false);
    assert.equal(signerRuns(lines('--cluster-signing-cert-file=/ca.crt', '--controllers=*,-csrsigning'), true), false);
    assert.deepEqual([signerRuns([], true), signerRuns([], false)], [true, false]);
  });
});

it('what was changed is made again as it was', () => {
  const role = { metadata: {}, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['nodes'] }] };
  const binding = (...names: readonly string[]) => ({
    metadata: {},
    roleRef: { apiGroup: '', kind: 'ClusterRole', name: 'r' },
    subjects: names.map((name) => ({ kind: 'Group', name })),
  });
  assert.equal(contentOf({ ...binding('y', 'x'), ...role }), 'Group x; Group y; get nodes');
  assert.equal(contentOf(undefined), '');
  const object = (before: string, changed: string, after: string) => [{ subject: 'a', before, changed, after }];
  const changed = (...texts: readonly [string, string, string]) => results(reallyChanged, object(...texts), undefined);
  assert.deepEqual([changed('x', '', ''), changed('x', 'x', ''), changed('', 'x', '')], ['met', 'unmet', 'unmet']);
  const again = (...texts: readonly [string, string, string]) => results(asBefore, object(...texts), undefined);
  assert.deepEqual([again('x', 'y', 'x'), again('x', 'y', 'y'), again('x', '', '')], ['met', 'unmet', 'unmet']);
});
