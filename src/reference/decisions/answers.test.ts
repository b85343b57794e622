/** What the reference decides, one by one: as kube-apiserver and kube-controller-manager do. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decide } from '../decisions.js';
import { unescapeKey } from './header-text.js';
import { parseGoRfc3339 } from './rfc3339.js';
import { splitUsername } from './service-account-names.js';

const decisions = decide({});
type Decision = keyof typeof decisions;
const answer = (name: Decision, ...args: readonly unknown[]): unknown =>
  (decisions[name] as unknown as (...all: readonly unknown[]) => unknown)(...args);

const [HOUR, MINUTE] = [3_600_000, 60_000];
const condition = (type: string, status = 'True', lastUpdate?: number) => ({ type, status, lastUpdate });
const [APPROVED, DENIED, FAILED] = ['Approved', 'Denied', 'Failed'].map((type) => condition(type));
const names = { dns: [], email: [], ip: [], uri: [] };
const request = (more: object = {}): object => ({
  commonName: 'system:node:a',
  organizations: ['system:nodes'],
  altNames: names,
  ...more,
});
const CLIENT = ['client auth', 'digital signature'];
const SERVING = ['server auth', 'digital signature'];
const withNames = (altNames: object): object => request({ altNames: { ...names, ...altNames } });
const [DNS, IP, EMAIL, URI] = [{ dns: ['a'] }, { ip: ['192.0.2.1'] }, { email: ['a@b'] }, { uri: ['a:b'] }];
const NOT_NODES = 'subject organization is not system:nodes';
const NOT_NODE = 'subject common name does not begin with system:node:';
const NOT_CLIENT = 'usages did not match [client auth digital signature key encipherment]';
const NOT_SERVING = 'usages did not match [digital signature key encipherment server auth]';
const KUBELET_CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
const KUBELET_SERVING = 'kubernetes.io/kubelet-serving';
const API_CLIENT = 'kubernetes.io/kube-apiserver-client';
const LEGACY = 'kubernetes.io/legacy-unknown';
const user = (more: object = {}): object => ({ username: 'jane', groups: ['dev'], ...more });
const rule = (more: object): object => ({ verbs: ['get'], apiGroups: [''], resources: ['pods'], ...more });
const url = (...nonResourceURLs: readonly string[]): object => ({ verbs: ['get'], nonResourceURLs });
const swept = (conditions: readonly unknown[], more: object = {}): object => ({
  conditions,
  created: 0,
  hasCertificate: false,
  certificateNotAfter: undefined,
  ...more,
});
const ISSUED = { hasCertificate: true };
const certificate = (more: object = {}): object => ({
  commonName: 'jane',
  organizations: ['a', 'a', 'b'],
  uids: [],
  sha256: 'ab',
  ...more,
});
const CREDENTIAL = { 'authentication.kubernetes.io/credential-id': ['X509SHA256=ab'] };
const bytes = (text: string): Buffer => Buffer.from(text);
const secret = (data: object = {}, more: object = {}): object => ({
  namespace: 'kube-system',
  name: 'bootstrap-token-abcdef',
  type: 'bootstrap.kubernetes.io/token',
  deleting: false,
  data: Object.fromEntries(
    Object.entries({
      'token-id': 'abcdef',
      'token-secret': 'x',
      'usage-bootstrap-signing': 'true',
      ...data,
    }).flatMap(([key, value]) => (value === undefined ? [] : [[key, bytes(String(value))]])),
  ),
  ...more,
});
const NEVER = { kind: 'never' };
const at = (instant: number): object => ({ kind: 'at', at: instant });
const SIGNS = { id: 'abcdef', secret: bytes('x') };
const subject = (kind: string, name: string, namespace?: string): object => ({
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
});
const lines = new Map([['t', user()]]);

/** Decision → arguments of a question, and what is answered. */
const ANSWERS: Partial<Record<Decision, readonly (readonly [args: readonly unknown[], answer: unknown])[]>> = {
  // Approval. Source: pkg/controller/certificates/approver/sarapprove.go; pkg/apis/certificates/helpers.go.
  awaitsApproval: [
    [[[], false], true],
    [[[], true], false],
    [[[FAILED], false], true],
    [[[APPROVED], false], false],
    [[[FAILED, DENIED], false], false],
  ],
  kubeletClientProblem: [
    [[request(), CLIENT], undefined],
    [[request(), [...CLIENT, 'key encipherment', 'client auth']], undefined],
    [[request({ organizations: [] }), CLIENT], NOT_NODES],
    [[request({ organizations: ['system:nodes', 'system:nodes'] }), CLIENT], NOT_NODES],
    [[request({ organizations: ['system:node'] }), CLIENT], NOT_NODES],
    [[withNames({ ...DNS, ...EMAIL, ...IP, ...URI }), CLIENT], 'DNS subjectAltNames are not allowed'],
    [[withNames({ ...EMAIL, ...IP, ...URI }), CLIENT], 'Email subjectAltNames are not allowed'],
    [[withNames({ ...IP, ...URI }), CLIENT], 'IP subjectAltNames are not allowed'],
    [[withNames(URI), CLIENT], 'URI subjectAltNames are not allowed'],
    [[request({ commonName: 'system:nodes:a' }), []], NOT_NODE],
    [[request(), []], NOT_CLIENT],
    [[request(), ['client auth']], NOT_CLIENT],
    [[request(), ['client auth', 'key encipherment']], NOT_CLIENT],
    [[request(), [...CLIENT, 'key encipherment', 'server auth']], NOT_CLIENT],
    [[request(), [...CLIENT, 'server auth']], NOT_CLIENT],
  ],
  kubeletServingProblem: [
    [[withNames(DNS), SERVING], undefined],
    [[withNames(IP), [...SERVING, 'key encipherment']], undefined],
    [[request({ organizations: [] }), SERVING], NOT_NODES],
    [[request(), SERVING], 'DNS or IP subjectAltName is required'],
    [[withNames({ ...DNS, ...EMAIL, ...URI }), SERVING], 'Email subjectAltNames are not allowed'],
    [[withNames({ ...IP, ...URI }), SERVING], 'URI subjectAltNames are not allowed'],
    [[{ ...withNames(DNS), commonName: 'x' }, CLIENT], NOT_SERVING],
    [[withNames(DNS), [...SERVING, 'key encipherment', 'client auth']], NOT_SERVING],
    [[withNames(DNS), ['server auth']], NOT_SERVING],
    [[{ ...withNames(DNS), commonName: 'x' }, SERVING], NOT_NODE],
  ],
  approvalRights: [
    [
      [{ signerName: KUBELET_CLIENT, username: 'a' }, 'a', undefined],
      ['selfnodeclient', 'nodeclient'],
    ],
    [[{ signerName: KUBELET_CLIENT, username: 'b' }, 'a', undefined], ['nodeclient']],
    [[{ signerName: KUBELET_CLIENT, username: 'a' }, 'a', 'x'], []],
    [[{ signerName: KUBELET_SERVING, username: 'a' }, 'a', undefined], []],
  ],
  approvalReviewVersion: [
    [[27], ''],
    [[28], '*'],
  ],
  approvalReviewUser: [
    [
      [{ username: 'a', groups: ['g'], uid: 'u', extra: { x: ['y'] } }],
      { username: 'a', groups: ['g'], uid: 'u', extra: { x: ['y'] } },
    ],
    [[{}], { username: '', groups: [] }],
  ],
  approvalVerdict: [
    [[undefined], undefined],
    ...(
      [
        ['selfnodeclient', 'self '],
        ['nodeclient', ''],
      ] as const
    ).map(
      ([right, own]) =>
        [
          [right],
          {
            type: 'Approved',
            status: 'True',
            reason: 'AutoApproved',
            message: `Auto approving ${own}kubelet client certificate after SubjectAccessReview.`,
          },
        ] as const,
    ),
  ],
  approvalRetryDelay: [
    [[1], 200],
    [[2], 400],
    [[13], 819_200],
    [[14], 1_000_000],
    [[5000], 1_000_000],
  ],
  // Signing. Source: pkg/controller/certificates/{signer,authority,cleaner}.
  awaitsSigning: [
    [[[APPROVED], false], true],
    [[[APPROVED], true], false],
    [[[], false], false],
    [[[APPROVED, DENIED], false], false],
    [[[APPROVED, FAILED], false], false],
    [[[APPROVED, condition('Failed', '')], false], false],
    [[[APPROVED, condition('Failed', 'False')], false], true],
  ],
  longestLifetime: [[[], 31_536_000_000]],
  builtInSigners: [[[], [KUBELET_SERVING, KUBELET_CLIENT, API_CLIENT, LEGACY]]],
  signerRules: [
    [[KUBELET_SERVING], 'kubelet-serving'],
    [[KUBELET_CLIENT], 'kubelet-client'],
    [[API_CLIENT], 'client'],
    [[LEGACY], undefined],
  ],
  mayBeSigned: [
    [[{}, 10, 9], true],
    [[{}, 10, 10], false],
    [[{ signatureProblem: 'x' }, 10, 9], false],
  ],
  clientUsagesProblem: [
    [[['client auth', 'digital signature', 'key encipherment']], undefined],
    [[['client auth']], undefined],
    [[['digital signature']], 'missing required usage for client certificate: client auth'],
    [[[]], 'missing required usage for client certificate: client auth'],
    [[['any', 'x']], 'invalid usage for client certificate: any'],
  ],
  signingFailure: [[['x'], { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message: 'x' }]],
  grantedLifetime: [
    [[undefined, HOUR], HOUR],
    [[599, HOUR], 600_000],
    [[600, HOUR], 600_000],
    [[601, HOUR], 601_000],
    [[3600, HOUR], HOUR],
    [[3601, HOUR], HOUR],
  ],
  certificateValidity: [
    [[0, 8 * HOUR - 1, 9 * HOUR], { notBefore: -5 * MINUTE, notAfter: 8 * HOUR - 1 }],
    [[0, 8 * HOUR, 9 * HOUR], { notBefore: -5 * MINUTE, notAfter: 8 * HOUR - 5 * MINUTE }],
    [[1, HOUR, HOUR], { notBefore: 1 - 5 * MINUTE, notAfter: HOUR }],
  ],
  certificateIsAuthority: [[[{}], false]],
  certificateExtensions: [[[{ extensions: [{}] }], []]],
  certificateNamesAuthority: [[[], true]],
  issuedPem: [[['leaf', 'authority'], 'leaf']],
  csrSweepInterval: [[[], HOUR]],
  csrIsSwept: [
    [[swept([]), 24 * HOUR, 36], false],
    [[swept([]), 24 * HOUR + 1, 36], true],
    [[swept([], { created: undefined }), 99 * HOUR, 36], false],
    ...['Denied', 'Failed'].flatMap((type) =>
      [[HOUR, false] as const, [HOUR + 1, true] as const].map(
        ([now, gone]) => [[swept([condition(type, 'True', 0)]), now, 36], gone] as const,
      ),
    ),
    [[swept([condition('Denied', 'True', undefined)]), 99 * HOUR, 36], false],
    [[swept([condition('Approved', 'True', 0)]), 24 * HOUR, 36], false],
    [[swept([condition('Approved', 'True', 0)]), 24 * HOUR + 1, 36], true],
    [[swept([condition('Approved', 'True', 0)]), 24 * HOUR + 1, 35], true],
    [[swept([condition('Approved', 'True', 0)]), 99 * HOUR, 34], false],
    [[swept([condition('Approved', 'True', 0)], ISSUED), HOUR, 34], false],
    [[swept([condition('Approved', 'True', 0)], ISSUED), HOUR + 1, 34], true],
    [[swept([condition('Approved')], { ...ISSUED, certificateNotAfter: 5 }), 5, 36], false],
    [[swept([condition('Approved')], { ...ISSUED, certificateNotAfter: 5 }), 6, 36], true],
    [[swept([condition('Other')], { ...ISSUED, certificateNotAfter: 5 }), 6, 36], false],
    [[swept([condition('Approved')], ISSUED), 99 * HOUR, 36], false],
  ],
  // What runs. Source: pkg/kubeapiserver/options/plugins.go; controller-manager, app/helper.go.
  admissionPlugins: [
    [
      [],
      [
        ...['NamespaceLifecycle', 'ServiceAccount', 'NodeRestriction', 'TaintNodesByCondition', 'Priority'],
        ...['DefaultTolerationSeconds', 'CertificateApproval', 'CertificateSigning', 'CertificateSubjectRestriction'],
      ],
    ],
  ],
  controllerRuns: [true, false].map((on) => [['x', on], on] as const),
  controllerHearsAfter: [
    [['garbage-collector-controller'], 20],
    [['ttl'], 0],
  ],
  controllerAgent: [[['x'], 'kube-controller-manager']],
  groupIsServed: [[['x'], true]],
  rootsAreAsMade: [
    [[{ 'ca.crt': 'a' }, 'a'], true],
    [[{ 'ca.crt': 'b' }, 'a'], false],
    [[{ 'ca.crt': 'a', x: '' }, 'a'], false],
    [[{}, 'a'], false],
  ],
  // Handing requests on. Source: client-go, transport/round_trippers.go SetAuthProxyHeaders.
  standardProxyHeaders: [[31, []] as const, [32, ['x-remote-uid']] as const].map(
    ([minor, uid]) =>
      [[minor], { user: ['x-remote-user'], uid, group: ['x-remote-group'], extra: ['x-remote-extra-'] }] as const,
  ),
  headersAfterImpersonation: [
    [
      [{ 'impersonate-user': ['a'], 'impersonate-extra-x': ['b'], accept: ['c'], 'x-impersonate-user': ['d'] }],
      { accept: ['c'], 'x-impersonate-user': ['d'] },
    ],
  ],
  headersOfUser: [
    [[user(), 36], { 'x-remote-user': ['jane'], 'x-remote-group': ['dev'] }],
    [[user({ groups: [], uid: 'u' }), 33], { 'x-remote-user': ['jane'], 'x-remote-uid': ['u'] }],
    [[user({ groups: [], uid: 'u' }), 32], { 'x-remote-user': ['jane'] }],
    [[user({ groups: [], uid: '' }), 36], { 'x-remote-user': ['jane'] }],
    [
      [{ username: 'é', groups: ['ü', 'b'], extra: { 'a/ä%': ['ö', 'c'] } }, 36],
      {
        'x-remote-user': ['\u00c3\u00a9'],
        'x-remote-group': ['\u00c3\u00bc', 'b'],
        'x-remote-extra-a%2F%C3%A4%25': ['\u00c3\u00b6', 'c'],
      },
    ],
  ],
  // Manners. Source: apiserver, pkg/endpoints/filters; pkg/storage/cacher.
  unauthorizedMessage: [[['x'], 'Unauthorized']],
  isAllowed: [
    [['allow'], true],
    [['deny'], false],
    [['no-opinion'], false],
  ],
  namesWhatIsThere: [
    [['a', 'a'], true],
    [['a', 'b'], false],
    [['a', undefined], false],
  ],
  dryRunsAreStored: [
    [['a creation'], false],
    [['the mark of a deletion'], false],
  ],
  watchBegins: [[[7], 7]],
  watchTells: [
    [[false, true], 'ADDED'],
    [[true, true], 'MODIFIED'],
    [[true, false], 'DELETED'],
    [[false, false], undefined],
  ],
  watchTellsDeletion: [
    [[true], true],
    [[false], false],
  ],
  watchBeginsWithWhatIs: [
    [[true], true],
    [[false], false],
  ],
  watchReaches: [
    [[undefined, 'a'], true],
    [['a', 'a'], true],
    [['a', 'b'], false],
    [['a', undefined], false],
  ],
  watchSaysWhereItBegins: [[[], true]],
  versionOfFound: [
    [['2'], '2'],
    [[undefined], undefined],
  ],
  versionOfLost: [[['1', '2'], '2']],
  versionOfDeleted: [[['1', '2'], '2']],
  bodyLimit: [[[], 3_145_728]],
  // Authorization. Source: pkg/apis/rbac/v1/evaluation_helpers.go; pkg/registry/rbac/validation/rule.go.
  authorizers: [
    [[true], ['superuser', 'AlwaysAllow']],
    [[false], ['superuser', 'Node', 'RBAC']],
  ],
  authorizersTogether: [
    [
      [
        {},
        [
          { decision: 'no-opinion', reason: 'a' },
          { decision: 'no-opinion', reason: '' },
          { decision: 'no-opinion', reason: 'b' },
        ],
      ],
      { decision: 'no-opinion', reason: 'a\nb' },
    ],
    ...['allow', 'deny'].map(
      (decision) =>
        [
          [
            {},
            [
              { decision: 'no-opinion', reason: 'a' },
              { decision, reason: 'b' },
              { decision: 'allow', reason: 'c' },
            ],
          ],
          { decision, reason: 'b' },
        ] as const,
    ),
    [[{}, []], { decision: 'no-opinion', reason: '' }],
  ],
  isSuperuser: [
    [[user({ groups: ['system:masters'] })], true],
    [[user({ username: 'system:masters', groups: ['system:master'] })], false],
  ],
  verbMatches: [
    [[rule({}), 'get'], true],
    [[rule({ verbs: ['*'] }), 'x'], true],
    [[rule({}), '*'], false],
    [[rule({ verbs: undefined }), 'get'], false],
  ],
  groupMatches: [
    [[rule({}), ''], true],
    [[rule({}), 'apps'], false],
    [[rule({ apiGroups: ['*'] }), 'apps'], true],
    [[rule({ apiGroups: undefined }), ''], false],
  ],
  resourceMatches: [
    [[rule({}), 'pods', ''], true],
    [[rule({}), 'pods', 'log'], false],
    [[rule({ resources: ['*'] }), 'pods', 'log'], true],
    [[rule({ resources: ['pods/log'] }), 'pods', 'log'], true],
    [[rule({ resources: ['pods/log'] }), 'pods', ''], false],
    [[rule({ resources: ['*/log'] }), 'pods', 'log'], true],
    [[rule({ resources: ['*/log'] }), '*/log', ''], true],
    [[rule({ resources: ['*/log'] }), 'pods', 'status'], false],
    [[rule({ resources: ['pods/*'] }), 'pods', 'log'], false],
  ],
  resourceNameMatches: [
    [[rule({}), ''], true],
    [[rule({ resourceNames: [] }), 'a'], true],
    [[rule({ resourceNames: ['a', 'b'] }), 'b'], true],
    [[rule({ resourceNames: ['a'] }), ''], false],
    [[rule({ resourceNames: ['a'] }), 'b'], false],
  ],
  nonResourceUrlMatches: [
    [[url('*'), '/x'], true],
    [[url('/a/*'), '/a/b'], true],
    [[url('/a/**'), '/a/b'], true],
    [[url('/a/*'), '/a'], false],
    [[url('/a', '/b'), '/b'], true],
    [[url('/a'), '/a/b'], false],
    [[rule({}), '/a'], false],
  ],
  subjectGroups: [[[], ['rbac.authorization.k8s.io']]],
  roleRefMayChange: [[[], false]],
  principalsOf: [[[user({ groups: ['a', 'b'] })], ['User jane', 'Group a', 'Group b']]],
  subjectPrincipal: [
    [[subject('User', 'a', 'n'), 'ns'], 'User a'],
    [[subject('Group', 'a'), 'ns'], 'Group a'],
    [[subject('Other', 'a'), 'ns'], undefined],
    [[subject('ServiceAccount', 'a'), 'ns'], 'User system:serviceaccount:ns:a'],
    [[subject('ServiceAccount', 'a', ''), 'ns'], 'User system:serviceaccount:ns:a'],
    [[subject('ServiceAccount', 'a', 'n'), 'ns'], 'User system:serviceaccount:n:a'],
    [[subject('ServiceAccount', 'a'), ''], undefined],
  ],
  roleOf: [
    [[{ kind: 'Role', name: 'a' }, 'ns'], { resource: 'roles', namespace: 'ns', name: 'a' }],
    [[{ kind: 'ClusterRole', name: 'a' }, 'ns'], { resource: 'clusterroles', namespace: '', name: 'a' }],
    [[{ kind: 'Other', name: 'a' }, 'ns'], undefined],
  ],
  ruleCovers: [
    [[rule({}), rule({})], true],
    [[rule({}), rule({ verbs: ['get', 'list'] })], false],
    [[rule({ verbs: ['*'] }), rule({ verbs: ['x'] })], true],
    [[rule({}), rule({ apiGroups: ['', 'apps'] })], false],
    [[rule({ apiGroups: ['*'] }), rule({ apiGroups: ['apps'] })], true],
    [[rule({}), rule({ resources: ['pods/log'] })], false],
    [[rule({ resources: ['*'] }), rule({ resources: ['pods/log', 'x'] })], true],
    [[rule({ resources: ['*/log'] }), rule({ resources: ['pods/log'] })], true],
    [[rule({ resources: ['*/log'] }), rule({ resources: ['log'] })], false],
    [[rule({ resourceNames: ['a'] }), rule({})], false],
    [[rule({ resourceNames: ['a'] }), rule({ resourceNames: [] })], false],
    [[rule({ resourceNames: ['a', 'b'] }), rule({ resourceNames: ['b'] })], true],
    [[rule({ resourceNames: ['a'] }), rule({ resourceNames: ['a', 'b'] })], false],
    [[rule({}), rule({ resourceNames: ['a'] })], true],
    [[url('/a/*'), url('/a/b', '/a/c')], true],
    [[url('/a/*'), url('/a/b', '/b')], false],
    [[url('*'), url('/a')], true],
    [[rule({}), { verbs: ['get'], nonResourceURLs: ['/a'] }], false],
  ],
  maySkipEscalationCheck: [
    [[user({ groups: ['system:masters'] }), 'bind', () => false], true],
    [[user(), 'bind', (verb: string) => verb === 'bind'], true],
    [[user(), 'escalate', (verb: string) => verb === 'bind'], false],
  ],
  missingRoleNamesRequest: [
    [[31], false],
    [[32], true],
  ],
  policyIsRepaired: [
    [[{}], true],
    [[{ 'rbac.authorization.kubernetes.io/autoupdate': 'true' }], true],
    [[{ 'rbac.authorization.kubernetes.io/autoupdate': 'false' }], false],
  ],
  rulesCollected: [[[['a'], ['b']], ['a']]],
  namespaceOfListedRules: [[['a'], 'a']],
  listedRules: [[[['a', 'b']], ['a', 'b']]],
  reviewsKnowSelectors: [
    [[31], false],
    [[32], true],
  ],
  // cluster-info. Source: pkg/controller/bootstrap/{bootstrapsigner,util,tokencleaner}.go; token/jws/jws.go.
  signsConfigMap: [
    [['kube-public', 'cluster-info'], true],
    [['kube-system', 'cluster-info'], false],
    [['kube-public', 'other'], false],
  ],
  ...Object.fromEntries(
    (['signerWatchesSecret', 'cleanerWatchesSecret'] as const).map((name) => [
      name,
      [
        [[secret()], true],
        [[secret({}, { namespace: 'kube-public' })], false],
        [[secret({}, { type: 'Opaque' })], false],
        [[secret({ 'token-id': undefined }, { name: 'other' })], true],
      ],
    ]),
  ),
  signerWakes: [
    ...['ADDED', 'MODIFIED', 'DELETED'].map((type) => [[{ subject: 'secret', type }], true] as const),
    [[{ subject: 'configmap', type: 'ADDED' }], true],
    [[{ subject: 'configmap', type: 'MODIFIED' }], true],
    [[{ subject: 'configmap', type: 'DELETED' }], false],
  ],
  signingToken: [
    [[secret(), NEVER, 0], SIGNS],
    [[secret({}, { deleting: true }), at(5), 4], SIGNS],
    [[secret({ 'auth-extra-groups': 'x', 'usage-bootstrap-authentication': 'false' }), NEVER, 0], SIGNS],
    [[secret({}), at(5), 6], undefined],
    ...[
      { 'token-id': undefined },
      { 'token-id': 'abcde' },
      { 'token-id': 'abcdefg' },
      { 'token-id': 'ABCDEF' },
      { 'token-id': 'abcdeg' },
      { 'token-secret': undefined },
      { 'token-secret': '' },
      { 'usage-bootstrap-signing': undefined },
      { 'usage-bootstrap-signing': 'True' },
      { 'usage-bootstrap-signing': '' },
    ].map((data) => [[secret(data), NEVER, 0], undefined] as const),
    [[secret({}, { name: 'abcdef' }), NEVER, 0], undefined],
  ],
  contentToSign: [
    [[{ kubeconfig: '' }], ''],
    [[{ other: 'x' }], undefined],
  ],
  dataWithoutText: [[[{ 'jws-kubeconfig-a': 'x' }, () => true], { 'jws-kubeconfig-a': 'x' }]],
  signatureDataKey: [[['abcdef'], 'jws-kubeconfig-abcdef']],
  signatureHeader: [[['abcdef'], '{"alg":"HS256","kid":"abcdef"}']],
  signaturePayload: [[['aé'], bytes('aé')]],
  signatureKey: [[['abcdef', bytes('x')], bytes('x')]],
  // Source: RFC 7515, appendix A.1, of which the MAC is.
  signatureMac: [
    [
      [
        Buffer.from(
          'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
          'base64url',
        ),
        '{"typ":"JWT",\r\n "alg":"HS256"}',
        bytes('{"iss":"joe",\r\n "exp":1300819380,\r\n "http://example.com/is_root":true}'),
      ],
      Buffer.from('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk', 'base64url'),
    ],
  ],
  detachedSignature: [[['{}', bytes('x'), bytes('yy')], 'e30..eXk']],
  isSignatureKey: [
    [['jws-kubeconfig-'], true],
    [['jws-kubeconfig-x'], true],
    [['jws-kubeconfig'], false],
    [['x-jws-kubeconfig-a'], false],
  ],
  signedData: [
    [[{ a: '1', b: '2', c: '3' }, { b: '4', d: '5' }, (key: string) => key !== 'a'], { a: '1', b: '4', d: '5' }],
  ],
  signingChanges: [
    [[{ a: '1' }, { a: '1' }], false],
    [[{ a: '1' }, { a: '2' }], true],
    [[{ a: '1' }, { b: '1' }], true],
    [[{ a: '1', b: '2' }, { a: '1' }], true],
    [[{}, { a: '' }], true],
    [[{}, {}], false],
  ],
  cleanerDeletes: [
    [[secret(), at(5), 6, undefined], true],
    [[secret(), at(5), 4, 4], false],
    [[secret(), NEVER, 6, undefined], false],
  ],
  cleanerLooksAgain: [
    [[at(5), 4], 5],
    [[at(5), 5], undefined],
    [[NEVER, 4], undefined],
  ],
  // Certificates of clients. Source: Go, crypto/x509/verify.go; apiserver, pkg/authentication/request/x509/x509.go.
  certificatesAreAsked: [true, false].map((given) => [[given], given] as const),
  longestChain: [[[], Number.POSITIVE_INFINITY]],
  mayIssue: [
    [[{ basicConstraints: { ca: true }, version: 3 }, 9, false], true],
    [[{ basicConstraints: { ca: false }, version: 3 }, 0, true], false],
    [[{ version: 3 }, 0, true], false],
    [[{ version: 1 }, 0, true], true],
    [[{ version: 1 }, 0, false], false],
    [[{ basicConstraints: { ca: true, pathLength: 1 }, version: 3 }, 1, false], true],
    [[{ basicConstraints: { ca: true, pathLength: 1 }, version: 3 }, 2, false], false],
    [[{ basicConstraints: { ca: true }, keyUsage: ['keyCertSign'], version: 3 }, 0, false], true],
    [[{ basicConstraints: { ca: true }, keyUsage: ['cRLSign'], version: 3 }, 0, false], false],
  ],
  chainIsTrusted: [
    [[0], false],
    [[1], true],
  ],
  extensionIsHandled: [
    ...['14', '15', '17', '19', '30', '31', '32', '33', '35', '36', '37', '54'].map(
      (last) => [[`2.5.29.${last}`], true] as const,
    ),
    [['1.3.6.1.5.5.7.1.1'], true],
    ...['2.5.29.16', '2.5.29.18', '2.5.29.20', '1.3.6.1.5.5.7.1.11', '1.2.3'].map((oid) => [[oid], false] as const),
  ],
  certificateIsCurrent: [
    [[5, 9, 4], false],
    [[5, 9, 5], true],
    [[5, 9, 9], true],
    [[5, 9, 10], false],
  ],
  certificateMayLogIn: [
    [[undefined], true],
    [[['serverAuth', 'clientAuth']], true],
    [[['any']], true],
    [[['serverAuth']], false],
    [[[]], false],
  ],
  chainIsCurrent: [
    [[[1, 2], () => true], true],
    [[[1, 2], (one: number) => one === 1], false],
  ],
  chainMayLogIn: [
    [[[1, 2], () => true], true],
    [[[1, 2], (one: number) => one === 1], false],
  ],
  certificateUser: [
    [[certificate({ commonName: '' }), 36], 'no-opinion'],
    [[certificate(), 36], { username: 'jane', groups: ['a', 'a', 'b'], extra: CREDENTIAL }],
    [[certificate(), 32], { username: 'jane', groups: ['a', 'a', 'b'], extra: CREDENTIAL }],
    [[certificate(), 31], { username: 'jane', groups: ['a', 'a', 'b'] }],
    [[certificate({ uids: ['u'] }), 33], { username: 'jane', groups: ['a', 'a', 'b'], uid: 'u', extra: CREDENTIAL }],
    [[certificate({ uids: ['u'] }), 32], { username: 'jane', groups: ['a', 'a', 'b'], extra: CREDENTIAL }],
    [[certificate({ uids: ['u', 'v'] }), 36], { error: 'expected 1 UID, but found multiple: 2' }],
    [[certificate({ uids: ['u', undefined] }), 36], { error: 'unable to parse UID into a string' }],
    [[certificate({ uids: [''] }), 36], { error: 'UID cannot be an empty string' }],
  ],
  // Lines of files. Source: apiserver, pkg/authentication/token/tokenfile/tokenfile.go.
  tokenFileIsAsked: [true, false].map((given) => [[given], given] as const),
  tokenFileColumns: [[[], 3]],
  tokenFileLineCounts: [
    [['t'], true],
    [[''], false],
  ],
  tokenFileLine: [
    [[[1, 2]], 2],
    [[[]], undefined],
  ],
  tokenFileUser: [
    [[['t', 'a', 'u', 'g, h']], { username: 'a', uid: 'u', groups: ['g', ' h'] }],
    [[['t', 'a', '']], { username: 'a', groups: [] }],
    [[['t', 'a', 'u', '']], { username: 'a', uid: 'u', groups: [''] }],
  ],
  tokenFileKnows: [
    [[lines, 't'], user()],
    [[lines, 'T'], undefined],
  ],
};

describe('upstream decides', () => {
  for (const [name, answers] of Object.entries(ANSWERS))
    it(name, () => {
      for (const [args, expected] of answers)
        assert.deepEqual(answer(name as Decision, ...args), expected, JSON.stringify(args));
    });
});

describe('a time of RFC 3339, as Go reads it', () => {
  it('is an instant', () => {
    for (const [text, instant] of [
      ['1970-01-01T00:00:00Z', 0],
      ['1970-01-01T0:00:01Z', 1000],
      ['1970-01-01T00:00:00.5Z', 500],
      ['1970-01-01T00:00:00,25Z', 250],
      ['1970-01-01T00:00:00.0000005Z', 0.0005],
      ['1970-01-01T00:00:00.0000000019Z', 0.000001],
      ['1970-01-01T01:00:00+01:00', 0],
      ['1970-01-01T00:00:00-00:01', 60_000],
      ['1970-01-03T00:00:00+24:60', 2 * 86_400_000 - 25 * HOUR],
      ['1970-12-31T23:59:59Z', 365 * 86_400_000 - 1000],
      ['0001-01-01T00:00:00Z', -62_135_596_800_000],
      ['2000-02-29T00:00:00Z', Date.UTC(2000, 1, 29)],
      ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
      ['2026-04-30T00:00:00Z', Date.UTC(2026, 3, 30)],
    ] as const)
      assert.equal(parseGoRfc3339(text), instant, text);
  });
  it('is none of what Go refuses', () => {
    for (const text of [
      ...['', '1970-01-01', '1970-01-01T00:00:00', '1970-01-01t00:00:00Z', '1970-01-01T00:00:00z'],
      ...['1970-00-01T00:00:00Z', '1970-13-01T00:00:00Z', '1970-01-00T00:00:00Z', '1970-01-32T00:00:00Z'],
      ...['1970-02-29T00:00:00Z', '1900-02-29T00:00:00Z', '2000-02-30T00:00:00Z'],
      ...[4, 6, 9, 11].map((month) => `1970-${String(month).padStart(2, '0')}-31T00:00:00Z`),
      ...['1970-01-01T24:00:00Z', '1970-01-01T00:60:00Z', '1970-01-01T00:00:60Z', '1970-01-01T00:00:00.Z'],
      ...[
        '1970-01-01T00:00:00+25:00',
        '1970-01-01T00:00:00+00:61',
        '1970-01-01T00:00:00+0100',
        'x1970-01-01T00:00:00Z',
      ],
      ...['1970-01-01T00:00:00Zx', '1970-01-01T00:00:00Z\n', '1970-1-01T00:00:00Z', '70-01-01T00:00:00Z'],
    ])
      assert.equal(parseGoRfc3339(text), undefined, text);
  });
});

it('a user name is that of a service account, or it is not', () => {
  const long = (length: number): string => 'a'.repeat(length);
  const of = (rest: string): unknown => splitUsername(`system:serviceaccount:${rest}`);
  assert.deepEqual(of('ns:a'), { namespace: 'ns', name: 'a' });
  assert.deepEqual(of('n-1:a.b-c'), { namespace: 'n-1', name: 'a.b-c' });
  assert.deepEqual(of(`${long(63)}:${long(253)}`), { namespace: long(63), name: long(253) });
  for (const rest of ['', 'ns', 'ns:', ':a', 'ns:a:b', 'Ns:a', '-n:a', 'n-:a', 'n.s:a', 'ns:a..b', 'ns:.a', 'ns:A'])
    assert.equal(of(rest), undefined, rest);
  for (const rest of [`${long(64)}:a`, `ns:${long(254)}`]) assert.equal(of(rest), undefined);
  assert.equal(splitUsername('system:serviceaccounts:ns:a'), undefined);
});

it('a key in a header is decoded whole, or not at all', () => {
  for (const [key, text] of [
    ['a', 'a'],
    ['a%2Fb%2f', 'a/b/'],
    ['%C3%A4', 'ä'],
    ['%', '%'],
    ['%2', '%2'],
    ['%2F%zz', '%2F%zz'],
    ['%25', '%'],
    ['\u00c3\u00a4%2F', 'ä/'],
  ] as const)
    assert.equal(unescapeKey(key), text, key);
});
