import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endingApiServer } from './api-server-values.js';

const flagsOf = (line: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    line.split(' ').map((word) => [word.slice(2, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const),
  );

describe('values that end an API server', () => {
  it('are told', () => {
    for (const odd of [
      '--tls-cipher-suites=TLS_AES_128_GCM_SHA256,BAD',
      '--runtime-config=bogus',
      '--runtime-config=api/all=maybe',
      '--authorization-mode=Node,RBAC,Node',
      '--authorization-mode=Node,RBAC,Webhook',
      '--authorization-mode=Node,RBAC,ABAC',
      '--apiserver-count=0',
      '--min-request-timeout=-1',
      '--livez-grace-period=-1s',
      '--v=-1',
      '--max-requests-inflight=0 --max-mutating-requests-inflight=0',
      '--cors-allowed-origins=*',
      '--feature-gates=AllAlpha',
      '--feature-gates=AllAlpha=maybe',
      '--strict-transport-security-directives=bogus',
      '--watch-cache-sizes=pods',
      '--kubernetes-service-node-port=1',
      '--oidc-signing-algs=HS256',
      '--oidc-required-claim=bad',
      '--audit-log-path=- --audit-log-mode=batch --audit-log-batch-max-size=0',
      '--audit-log-version=v1',
      '--encryption-provider-config-automatic-reload=true',
      '--etcd-servers-overrides=/pods',
    ])
      assert.equal(endingApiServer(flagsOf(odd)).length, 1, odd);
  });
  it('are not those that it takes', () => {
    for (const sound of [
      '--authorization-mode=Node,RBAC --feature-gates=AllAlpha=false,AllBeta=true',
      '--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_AES_128_GCM_SHA256',
      '--runtime-config=api/all=true,apps/v1=false,batch/v1/jobs,v1=true',
      '--authorization-mode=Node,RBAC,Webhook --authorization-webhook-config-file=/etc/kubernetes/a',
      '--max-requests-inflight=0 --apiserver-count=3 --min-request-timeout=0 --v=2',
      '--cors-allowed-origins=https://.*\\.example,//localhost(:|$)',
      '--strict-transport-security-directives=max-age=31536000,includeSubDomains,preload',
      '--watch-cache-sizes=pods#100,secrets#0 --kubernetes-service-node-port=0',
      '--kubernetes-service-node-port=40000 --service-node-port-range=40000-41000',
      '--oidc-signing-algs=RS256,ES384 --oidc-required-claim=a=b',
      '--audit-log-path=- --audit-log-batch-max-size=0 --audit-log-version=audit.k8s.io/v1',
      '--encryption-provider-config-automatic-reload=true --encryption-provider-config=/a',
      '--etcd-servers-overrides=/events#https://192.0.2.1:2379',
    ])
      assert.deepEqual(endingApiServer(flagsOf(sound)), [], sound);
  });
});
