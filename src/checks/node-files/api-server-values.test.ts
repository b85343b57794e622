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

describe('groups and versions of an API server', () => {
  const told = (item: string, minor: number | null = 36): number =>
    endingApiServer({ 'runtime-config': item }, minor).length;
  // as k8s.io/api has them, the older ones as far as a server still knows their names
  const SERVED = {
    apps: 'v1 v1beta1 v1beta2',
    autoscaling: 'v1 v2 v2beta1 v2beta2',
    batch: 'v1 v1beta1',
    extensions: 'v1beta1',
    policy: 'v1 v1beta1',
    'authentication.k8s.io': 'v1 v1alpha1 v1beta1',
    'authorization.k8s.io': 'v1 v1beta1',
    'certificates.k8s.io': 'v1 v1alpha1 v1beta1',
    'discovery.k8s.io': 'v1 v1beta1',
    'events.k8s.io': 'v1 v1beta1',
    'flowcontrol.apiserver.k8s.io': 'v1 v1beta1 v1beta2 v1beta3',
    'networking.k8s.io': 'v1 v1alpha1 v1beta1',
    'node.k8s.io': 'v1 v1alpha1 v1beta1',
    'rbac.authorization.k8s.io': 'v1 v1alpha1 v1beta1',
    'storage.k8s.io': 'v1 v1alpha1 v1beta1',
  } as const;
  const NONE = { apps: 'v2', autoscaling: 'v2beta3', extensions: 'v1', policy: 'v2', batch: 'v2alpha1' } as const;

  it('are those that it has', () => {
    for (const [group, versions] of Object.entries(SERVED)) {
      for (const version of versions.split(' '))
        assert.equal(told(`${group}/${version}=true`), 0, `${group}/${version}`);
      // one of another group, in a form that versions have
      assert.equal(told(`${group}/v2alpha2=true`), 1, group);
    }
    for (const [group, version] of Object.entries(NONE)) assert.equal(told(`${group}/${version}=false`), 1, group);
    for (const group of [
      'admission.k8s.io',
      'abac.authorization.kubernetes.io',
      'storagemigration.k8s.io',
      'resource.k8s.io',
    ])
      assert.equal(told(`${group}/v1beta1=true`), 0, group);
    for (const version of ['v3', 'v1gamma1', 'v1beta4', 'v1x', 'v11', 'v1beta11', 'v0'])
      assert.equal(told(`resource.k8s.io/${version}=true`), 1, version);
    // no group at all, or no version
    for (const item of ['api/v1=true', 'v1', 'apps/=true', 'apps/x=true']) assert.equal(told(item), 0, item);
  });

  it('are not known of other minors', () => {
    for (const minor of [31, 36]) assert.equal(told('apps/v2=true', minor), 1, `${minor}`);
    for (const minor of [30, 37, null]) {
      assert.equal(told('apps/v2=true', minor), 0, `${minor}`);
      assert.equal(told('nope.example/v1=true', minor), 1, `${minor}`);
    }
  });
});

describe('flags that go together', () => {
  const ends = (line: string, minor: number | null = 36): readonly string[] => endingApiServer(flagsOf(line), minor);

  it('are one way to authorize', () => {
    assert.deepEqual(ends('--authorization-config=/a --authorization-mode=RBAC'), [
      '--authorization-mode beside --authorization-config',
    ]);
    assert.deepEqual(ends('--authorization-config=/a --authorization-webhook-config-file=/b'), [
      '--authorization-webhook-config-file beside --authorization-config',
    ]);
    for (const line of [
      '--authorization-config=/a',
      '--authorization-config=/a --authorization-mode=',
      '--authorization-config= --authorization-mode=RBAC',
    ])
      assert.deepEqual(ends(line), [], line);
  });

  it('are of OpenID Connect as a whole, empty ones since 1.33', () => {
    const empty = '--oidc-username-prefix=';
    const told = ['--oidc-username-prefix without --oidc-issuer-url and --oidc-client-id'];
    assert.deepEqual(ends(empty, 33), told);
    for (const minor of [32, null]) assert.deepEqual(ends(empty, minor), [], `${minor}`);
  });

  it('sign tokens by one key', () => {
    assert.deepEqual(
      ends('--service-account-signing-endpoint=/a --service-account-signing-key-file=/b --service-account-key-file=/c'),
      ['--service-account-signing-key-file beside --service-account-signing-endpoint'],
    );
    assert.deepEqual(ends('--service-account-signing-endpoint= --service-account-key-file=/c'), []);
  });

  it('share fairly where nothing is off', () => {
    const odd = (name: string): readonly string[] => [`--runtime-config=${name}=false beside priority and fairness`];
    for (const name of ['api/all', 'api/ga', 'flowcontrol.apiserver.k8s.io/v1'])
      assert.deepEqual(ends(`--runtime-config=${name}=false`), odd(name));
    // of several the nearest one decides
    assert.deepEqual(ends('--runtime-config=api/all=true,api/ga=false'), odd('api/ga'));
    assert.deepEqual(ends('--runtime-config=api/ga=true,api/all=false'), []);
    assert.deepEqual(ends('--runtime-config=apps/v1=true,api/all=false'), odd('api/all'));
    assert.deepEqual(ends('--runtime-config=api/beta=false'), []);
    for (const off of ['false', '0', 'F', 'False'])
      assert.deepEqual(ends(`--runtime-config=api/all=false --enable-priority-and-fairness=${off}`), [], off);
    for (const on of ['true', '1', 'xfalse', 'falsex']) {
      assert.deepEqual(ends(`--runtime-config=api/all=false --enable-priority-and-fairness=${on}`), odd('api/all'), on);
      const none = '--max-requests-inflight=0 --max-mutating-requests-inflight=0';
      assert.deepEqual(ends(`${none} --enable-priority-and-fairness=${on}`), ['no requests inflight'], on);
    }
  });

  it('lead others in time', () => {
    assert.deepEqual(ends('--coordinated-leadership-lease-duration=10s'), [
      'leadership of 10 s is renewed within 10 s, every 2 s',
    ]);
    assert.deepEqual(ends('--coordinated-leadership-renew-deadline=20s'), [
      'leadership of 15 s is renewed within 20 s, every 2 s',
    ]);
    assert.deepEqual(ends('--coordinated-leadership-renew-deadline=2s'), [
      'leadership of 15 s is renewed within 2 s, every 2 s',
    ]);
    assert.deepEqual(ends('--coordinated-leadership-renew-deadline=3s'), []);
  });

  it('behave as another release where one is named', () => {
    const name = 'runtime-config-emulation-forward-compatible';
    assert.deepEqual(ends(`--${name}=true`), [`--${name} without --emulated-version`]);
    for (const line of [`--${name}=false`, `--${name}=true --emulated-version=1.35`])
      assert.deepEqual(ends(line), [], line);
  });

  it('write down what happens, in batches that there are', () => {
    const log = '--audit-log-path=-';
    const hook = '--audit-webhook-config-file=/a';
    assert.deepEqual(ends(`${log} --audit-log-truncate-max-event-size=9 --audit-log-truncate-max-batch-size=9`), []);
    assert.deepEqual(ends(`${log} --audit-log-batch-buffer-size=0`), []);
    assert.deepEqual(
      ends(`${log} --audit-log-mode=batch --audit-log-batch-throttle-enable=true --audit-log-batch-throttle-burst=0`),
      ['--audit-log-batch-throttle-burst is none'],
    );
    assert.deepEqual(ends(`${hook} --audit-webhook-batch-throttle-burst=0`), [
      '--audit-webhook-batch-throttle-burst is none',
    ]);
    assert.deepEqual(
      ends(`${hook} --audit-webhook-batch-throttle-enable=false --audit-webhook-batch-throttle-qps=0`),
      [],
    );
    assert.deepEqual(ends(`${hook} --audit-webhook-batch-max-size=-1 --audit-webhook-batch-buffer-size=-1`), [
      '--audit-webhook-batch-buffer-size is none',
      '--audit-webhook-batch-max-size is none',
    ]);
  });

  it('name pairs for names, and are not below nothing', () => {
    for (const pair of ['/a,/b', '/a,/b:x', '/a,/b:']) assert.deepEqual(ends(`--tls-sni-cert-key=${pair}`), [], pair);
    for (const pair of ['/a,', ',/b', ':/a,/b', '/a,/b,/c', '/a:x'])
      assert.equal(ends(`--tls-sni-cert-key=${pair}`).length, 1, pair);
    const names = ['min-request-timeout', 'request-timeout', 'storage-initialization-timeout', 'livez-grace-period'];
    for (const name of [...names, 'shutdown-delay-duration', 'shutdown-watch-termination-grace-period', 'v']) {
      assert.deepEqual(ends(`--${name}=-5`), [`--${name}=-5`]);
      assert.deepEqual(ends(`--${name}=5-`), [], name);
    }
    assert.deepEqual(ends('--apiserver-count=-30'), ['--apiserver-count=-30']);
    assert.deepEqual(ends('--apiserver-count=0x3'), []);
    assert.deepEqual(ends('--feature-gates=A=B=true'), ['--feature-gates=A=B=true']);
    assert.deepEqual(ends('--storage-media-type=application/cbor --feature-gates=AllAlpha=true'), []);
  });
});

it('an API server takes every value that Go takes', () => {
  const ends = (line: string): number => endingApiServer(flagsOf(line), 36).length;
  for (const value of ['true', 'false', '1', '0', 't', 'f', 'T', 'F', 'TRUE', 'FALSE', 'True', 'False'])
    assert.equal(ends(`--feature-gates=A=${value}`), 0, value);
  for (const value of ['true', 'false', '1', '0']) assert.equal(ends(`--runtime-config=api/legacy=${value}`), 0, value);
  for (const on of ['true', '1', 't', 'T']) {
    assert.equal(ends(`--encryption-provider-config-automatic-reload=${on}`), 1, on);
    assert.equal(ends(`--runtime-config=api/all=false --enable-priority-and-fairness=${on}`), 1, on);
  }
  for (const off of ['false', '0', 'f', 'F']) {
    assert.equal(ends(`--encryption-provider-config-automatic-reload=${off}`), 0, off);
    assert.equal(ends(`--runtime-config=api/all=false --enable-priority-and-fairness=${off}`), 0, off);
  }
});
