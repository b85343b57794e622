import assert from 'node:assert/strict';
import { it } from 'node:test';
import { resultsOf } from './judged.testing.js';
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
