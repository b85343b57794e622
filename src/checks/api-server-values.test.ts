import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endingApiServer } from './api-server-values.js';

const flagsOf = (line: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    line.split(' ').map((word) => [word.slice(2, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const),
  );

const OIDC = '--oidc-issuer-url=https://a --oidc-client-id=b';

describe('values that end an API server', () => {
  it('are told', () => {
    for (const odd of [
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
      `${OIDC} --oidc-signing-algs=HS256`,
      `${OIDC} --oidc-required-claim=bad`,
      '--audit-log-path=- --audit-log-mode=batch --audit-log-batch-max-size=0',
      '--audit-log-version=v1',
      '--encryption-provider-config-automatic-reload=true',
      '--etcd-servers-overrides=/pods',
    ])
      assert.equal(endingApiServer(flagsOf(odd), 36).length, 1, odd);
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
      `${OIDC} --oidc-signing-algs=RS256,ES384 --oidc-required-claim=a=b`,
      '--audit-log-path=- --audit-log-batch-max-size=0 --audit-log-version=audit.k8s.io/v1',
      '--encryption-provider-config-automatic-reload=true --encryption-provider-config=/a',
      '--etcd-servers-overrides=/events#https://192.0.2.1:2379',
    ])
      assert.deepEqual(endingApiServer(flagsOf(sound), 36), [], sound);
  });
  it('are told by their flag and their value, item by item', () => {
    const twice = '--authorization-mode: RBAC twice';
    for (const [flags, ...told] of [
      [`${OIDC} --oidc-signing-algs=${'B'.repeat(70)}`, `--oidc-signing-algs=${'B'.repeat(60)}`],
      [`${OIDC} --oidc-signing-algs=,`, ''],
      ['--runtime-config=api/', '--runtime-config=api/'],
      ['--runtime-config=api/all', ''],
      ['--runtime-config=api/all=', ''],
      ['--runtime-config=api/v1beta1=0', ''],
      ['--runtime-config=api/all=1x', '--runtime-config=api/all=1x'],
      ['--runtime-config=xapi/all=maybe', ''],
      ['--runtime-config=a=b/c', '--runtime-config=a=b/c'],
      ['--runtime-config=xv1', '--runtime-config=xv1'],
      ['--feature-gates==true', '--feature-gates==true'],
      ['--feature-gates=A=trues', '--feature-gates=A=trues'],
      ['--feature-gates=A=t,B=F,C=1,D=0,E=TRUE,F=False', ''],
      ['--runtime-config=nope.example/v1=true', '--runtime-config=nope.example/v1=true'],
      ['--runtime-config=apps/v1=true,batch/v1/jobs=false', ''],
      ['--runtime-config=apps/v9=true', '--runtime-config=apps/v9=true'],
      ['--runtime-config=resource.k8s.io/v1beta2=true,apps/v1', ''],
      [
        '--service-account-signing-endpoint=/a --service-account-key-file=/b',
        '--service-account-key-file beside --service-account-signing-endpoint',
      ],
      ['--service-account-signing-endpoint=/a', ''],
      ['--runtime-config=api/ga=false', '--runtime-config=api/ga=false beside priority and fairness'],
      ['--runtime-config=api/ga=false --enable-priority-and-fairness=false', ''],
      ['--runtime-config=api/all=false,flowcontrol.apiserver.k8s.io/v1=true', ''],
      ['--tls-sni-cert-key=/a.crt', '--tls-sni-cert-key=/a.crt'],
      ['--tls-sni-cert-key=/a.crt,/a.key:a.example', ''],
      ['--request-timeout=-1s', '--request-timeout=-1s'],
      ['--emulation-forward-compatible=true', '--emulation-forward-compatible without --emulated-version'],
      ['--emulation-forward-compatible=true --emulated-version=1.35', ''],
      ['--storage-media-type=application/cbor', '--storage-media-type=application/cbor'],
      ['--storage-media-type=application/cbor --feature-gates=CBORServingAndStorage=true', ''],
      ['--oidc-username-prefix=-', '--oidc-username-prefix without --oidc-issuer-url and --oidc-client-id'],
      ['--oidc-username-prefix=', '--oidc-username-prefix without --oidc-issuer-url and --oidc-client-id'],
      ['--oidc-ca-file=/a --oidc-client-id=b', '--oidc-issuer-url and --oidc-client-id go together'],
      [`${OIDC} --authentication-config=/a`, '--oidc-issuer-url beside --authentication-config'],
      ['--oidc-ca-file=/a --authentication-config=/a', '--oidc-ca-file beside --authentication-config'],
      ['--authentication-config=/a', ''],
      ['--coordinated-leadership-lease-duration=5s', 'leadership of 5 s is renewed within 10 s, every 2 s'],
      ['--coordinated-leadership-retry-period=10s', 'leadership of 15 s is renewed within 10 s, every 10 s'],
      ['--coordinated-leadership-lease-duration=30s', ''],
      ['--enable-priority-and-fairness=false --max-requests-inflight=0 --max-mutating-requests-inflight=0', ''],
      [
        '--audit-log-path=- --audit-log-truncate-max-event-size=0',
        '--audit-log-truncate-max-event-size of 0 and 10485760',
      ],
      [
        '--audit-log-path=- --audit-log-truncate-max-batch-size=9',
        '--audit-log-truncate-max-event-size of 102400 and 9',
      ],
      ['--audit-log-truncate-max-event-size=0', ''],
      [
        '--audit-webhook-config-file=/a --audit-webhook-batch-buffer-size=0',
        '--audit-webhook-batch-buffer-size is none',
      ],
      ['--audit-webhook-config-file=/a --audit-webhook-mode=blocking --audit-webhook-batch-buffer-size=0', ''],
      [
        '--audit-webhook-config-file=/a --audit-webhook-batch-throttle-qps=0',
        '--audit-webhook-batch-throttle-qps is none',
      ],
      ['--audit-log-path=- --audit-log-mode=batch --audit-log-batch-throttle-qps=0', ''],
      ['--cors-allowed-origins=foo', '--cors-allowed-origins=foo'],
      ['--cors-allowed-origins=^https://a', ''],
      ['--cors-allowed-origins=^a', '--cors-allowed-origins=^a'],
      ['--cors-allowed-origins=+a', '--cors-allowed-origins=+a'],
      ['--cors-allowed-origins=?a,//a*:', '--cors-allowed-origins=?a'],
      ['--strict-transport-security-directives=xmax-age=1', '--strict-transport-security-directives=xmax-age=1'],
      ['--strict-transport-security-directives=max-age=', '--strict-transport-security-directives=max-age='],
      ['--strict-transport-security-directives=preload;', '--strict-transport-security-directives=preload;'],
      ['--watch-cache-sizes=#1', '--watch-cache-sizes=#1'],
      ['--watch-cache-sizes=a#1x', '--watch-cache-sizes=a#1x'],
      ['--watch-cache-sizes=a#b#1', '--watch-cache-sizes=a#b#1'],
      [`${OIDC} --oidc-signing-algs=PS512`, ''],
      [`${OIDC} --oidc-signing-algs=RS2567`, '--oidc-signing-algs=RS2567'],
      [`${OIDC} --oidc-signing-algs=xRS256`, '--oidc-signing-algs=xRS256'],
      ['--audit-log-version=xaudit.k8s.io/v1', '--audit-log-version=xaudit.k8s.io/v1'],
      ['--apiserver-count=00', '--apiserver-count=00'],
      ['--apiserver-count=-3', '--apiserver-count=-3'],
      ['--apiserver-count=10', ''],
      ['--apiserver-count=1-', ''],
      ['--shutdown-delay-duration=-1s', '--shutdown-delay-duration=-1s'],
      ['--shutdown-delay-duration=1-', ''],
      ['--shutdown-watch-termination-grace-period=-1s', '--shutdown-watch-termination-grace-period=-1s'],
      ['--max-requests-inflight=0', ''],
      ['--max-requests-inflight=0 --max-mutating-requests-inflight=0', 'no requests inflight'],
      ['--audit-log-mode=batch --audit-log-batch-max-size=0', ''],
      ['--audit-log-path=- --audit-log-mode=batch --audit-log-batch-max-size=1', ''],
      ['--audit-log-path=- --audit-log-mode=batch --audit-log-batch-max-size=0', '--audit-log-batch-max-size is none'],
      ['--encryption-provider-config-automatic-reload=false', ''],
      ['--encryption-provider-config-automatic-reload=xtrue', ''],
      ['--encryption-provider-config-automatic-reload=trues', ''],
      [
        '--encryption-provider-config-automatic-reload=T --encryption-provider-config=',
        '--encryption-provider-config-automatic-reload without what is read again',
      ],
      ['--authorization-mode=Node,RBAC,RBAC', twice],
      ['--authorization-mode=RBAC,Node,RBAC', twice],
      [
        '--authorization-mode=RBAC,Webhook',
        '--authorization-mode: Webhook without --authorization-webhook-config-file',
      ],
      [
        '--authorization-mode=ABAC --authorization-policy-file=',
        '--authorization-mode: ABAC without --authorization-policy-file',
      ],
      ['--authorization-mode=ABAC --authorization-policy-file=/a', ''],
      ['--authorization-policy-file=', ''],
      ['--kubernetes-service-node-port=30000', ''],
      ['--kubernetes-service-node-port=32767', ''],
      [
        '--kubernetes-service-node-port=29999',
        '--kubernetes-service-node-port=29999 is none of --service-node-port-range',
      ],
      [
        '--kubernetes-service-node-port=32768',
        '--kubernetes-service-node-port=32768 is none of --service-node-port-range',
      ],
      ['--kubernetes-service-node-port=-1', ''],
      ['--kubernetes-service-node-port=5 --service-node-port-range=30000', ''],
    ] as const)
      assert.deepEqual(
        endingApiServer(flagsOf(flags), 36),
        told.filter((one) => one !== ''),
        flags,
      );
    assert.deepEqual(endingApiServer({ 'tls-cipher-suites': ' TLS_A , TLS_B' }, 36), []);
    assert.deepEqual(endingApiServer({}, null), []);
  });
});
