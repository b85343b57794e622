import assert from 'node:assert/strict';
import { it } from 'node:test';
import { resultsOf, saidBy } from '../common/judged.testing.js';
import { issuerAnswers } from './node-issuer.js';
import { pod } from './node-seen.testing.js';

it('an issuer answers over https, in the domain of its cluster', () => {
  const told = (issuer: string, domain = 'cluster.local') =>
    resultsOf(issuerAnswers, [pod('kube-apiserver', { 'service-account-issuer': issuer })], { domain }).join();
  assert.equal(told('https://kubernetes.default.svc.cluster.local'), 'met');
  assert.equal(told('https://kubernetes.default.svc.cluster.local', 'cluster.local.'), 'met');
  assert.equal(told('https://kubernetes.default.svc.cluster.local', ''), 'met');
  assert.equal(told('https://kubernetes.default.svc.other.local'), 'unmet');
  assert.equal(told('https://oidc.example.org/a'), 'met');
  assert.equal(told('kubernetes/serviceaccount'), 'met');
  assert.equal(told('http://kubernetes.default.svc.cluster.local'), 'unmet');
});

it('the first of several issuers signs', () => {
  const [own, former] = ['https://issuer.example', 'http://issuer.example'].map(
    (issuer) => `--service-account-issuer=${issuer}`,
  );
  const told = (...flags: readonly (string | undefined)[]) => {
    const command = ['kube-apiserver', ...flags];
    const seen = pod('kube-apiserver', {}, { containers: [{ name: 'kube-apiserver', command }] });
    return resultsOf(issuerAnswers, [seen], { domain: '' }).join();
  };
  assert.equal(told(own, former), 'met');
  assert.equal(told(former, own), 'unmet');
});

it('an issuer is compared as a whole, and told', () => {
  const told = (issuer: string | undefined, domain = 'cluster.local') =>
    saidBy(issuerAnswers, [pod('kube-apiserver', issuer === undefined ? {} : { 'service-account-issuer': issuer })], {
      domain,
    }).join();
  const own = 'https://kubernetes.default.svc';
  for (const [issuer, result] of [
    [`${own}.other.local/path`, 'met'],
    [`https://x/?${own}.other.local`, 'met'],
    [`${own}.other.local`, 'unmet'],
    ['https:http:', 'met'],
  ] as const)
    assert.equal(told(issuer), `${result}: ${issuer}`);
  assert.equal(told(undefined), 'met: none is told');
  assert.equal(told(undefined, 'other'), 'met: none is told');
  const command = ['kube-apiserver', `--service-account-issuer=${own}.other.local`];
  const [one] = issuerAnswers.judge(
    [pod('kube-apiserver', {}, { containers: [{ name: 'kube-apiserver', command }] })],
    { domain: 'cluster.local' },
  );
  assert.equal(one?.demanded, 'the issuer of its tokens answers over https, in the domain of the cluster');
});
