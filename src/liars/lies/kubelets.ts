/** Honest servers, and kubelets that go on, ask again, or find what an earlier one has left. */
import { stringify } from 'yaml';
import { base64 } from '../../kubernetes/json.js';
import { issueCredential } from '../../pki/authority.js';
import { refusal } from '../answers.js';
import type { Lie, Reply, Told } from '../lie.js';
import type { Scene } from '../scene.js';
import { WRONG_CERTIFICATES } from './connections.js';

const KUBERNETES = '/etc/kubernetes';
const at = (name: string, server: string, told: Told): Lie => ({
  name,
  server: `honest; ${server}`,
  right: 'joins',
  told,
});

/** What answers the first request for a certificate, and no other. */
const toFirstRequest =
  (answer: ReturnType<typeof refusal>): NonNullable<Lie['answer']> =>
  ({ method, path, nth }) =>
    method === 'POST' && nth === 1 && path.endsWith('/certificatesigningrequests') ? answer : undefined;

/** What answers the first look at a request for a certificate, however that is looked for, and no other. */
const toFirstLook =
  (answer: Reply): NonNullable<Lie['answer']> =>
  ({ method, path, nth }) => {
    const found = /\/certificatesigningrequests(\/[^/]+)?$/.exec(path);
    const isFirst = found !== null && nth === (found[1] === undefined ? 2 : 1);
    return method === 'GET' && isFirst ? answer : undefined;
  };

const ALREADY = refusal(409, 'AlreadyExists', 'nodes "worker-9" already exists');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** From when on, and until when, a certificate is good: milliseconds from now. */
type Life = readonly [begins: number, ends: number];

/** kubelet.conf and what it names, of certificates of one kubelet. The first is that of the key. */
function earlierKubelet({ cast, endpoint }: Scene, ...lives: readonly Life[]): Readonly<Record<string, string>> {
  const now = Date.now();
  const { ca } = cast.authorities;
  const issued = lives.map(([begins, ends]) =>
    issueCredential(ca, {
      subject: { commonName: 'system:node:worker-9', organizations: ['system:nodes'] },
      key: 'ECDSA-P256',
      now: now + begins,
      validity: ends - begins,
      extendedKeyUsage: ['clientAuth'],
    }),
  );
  const certificates = issued.map(({ certificatePem }) => certificatePem).join('');
  const pair = '/var/lib/kubelet/pki/kubelet-client-current.pem';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'default-cluster',
        cluster: { server: `https://${endpoint}`, 'certificate-authority-data': base64(ca.certificate.pem) },
      },
    ],
    users: [{ name: 'default-auth', user: { 'client-certificate': pair, 'client-key': pair } }],
    contexts: [{ name: 'default-context', context: { cluster: 'default-cluster', user: 'default-auth' } }],
    'current-context': 'default-context',
  };
  return { [`${KUBERNETES}/kubelet.conf`]: stringify(config), [pair]: certificates + (issued[0]?.keyPem ?? '') };
}

/** The disk of a machine that was a node before; checks of its files are told to go on. */
const before = (name: string, server: string, ...lives: readonly Life[]): Lie => ({
  ...at(name, server, {
    registration: { ignorePreflightErrors: ['all'] },
    present: (scene) => earlierKubelet(scene, ...lives),
  }),
  ofKubeadm: true,
  onlyPlayed: 'kubeadm has joined as soon as it finds a kubelet.conf, before its kubelet asks for anything',
});

/** Certificates of servers that a kubelet is not to renew at. */
const WRONG: typeof WRONG_CERTIFICATES = [
  ['other-ca', 'one of another CA', 'by other ca'],
  ...WRONG_CERTIFICATES.filter(([how]) => ['other-name', 'expired', 'client-eku'].includes(how)),
];

/** Servers at which renewals are waited for. */
const SECONDS: readonly (readonly [how: string, words: string, more: Partial<Lie>])[] = [
  ['', '', {}],
  ['-denied', ', and the first renewal is denied', { signing: 'second denied' }],
  [
    '-broken',
    ', and the first renewal is answered with 500',
    // Who watches his request asks at the same path.
    { signing: 'second broken' },
  ],
  [
    '-unapproved',
    ', and the first renewal carries a certificate that nobody has approved',
    { signing: 'second unapproved' },
  ],
  ['-for-others', ', and whoever renews is given one for another key', { signing: 'other key at last' }],
  [
    '-at-other-ca',
    '; right certificate, and one of another CA once anything was asked with a certificate',
    { changes: { after: [/^/], to: 'by other ca', isCertified: true } },
  ],
  [
    '-at-old-tls',
    '; TLS 1.1 once anything was asked with a certificate',
    { changes: { after: [/^/], to: 'good', isCertified: true, how: 'old tls' } },
  ],
];

export const kubeletLies: readonly Lie[] = [
  ...WRONG.map(
    ([how, words, to]): Lie => ({
      ...at(
        `kubelet-renews-at-${how}`,
        `certificates live for four hours; right certificate, and ${words} once a Node is registered`,
        { kubeletGoesOn: 4 * HOUR },
      ),
      onlyPlayed: 'nobody waits for hours to see what its kubelet does',
      certificateLife: 4 * HOUR,
      changes: { after: [/^\/api\/v1\/nodes$/], to, isCertified: true },
    }),
  ),
  {
    ...at(
      'kubelet-renewed-at-other-ca',
      'certificates live for four hours; right certificate, and one of another CA once a renewal was asked for',
      { kubeletGoesOn: 4 * HOUR },
    ),
    onlyPlayed: 'nobody waits for hours to see what its kubelet does',
    certificateLife: 4 * HOUR,
    changes: { after: [/\/certificatesigningrequests$/], to: 'by other ca', isCertified: true },
  },
  {
    ...at('kubelet-registers-at-other-ca', 'right certificate, and one of another CA once a certificate was fetched', {
      kubeletGoesOn: MINUTE / 4,
    }),
    changes: { after: [/\/certificatesigningrequests\/[^/]+$/], to: 'by other ca' },
  },
  {
    ...at('kubelet-registers-late', 'a Node is registered at the third time', { kubeletGoesOn: MINUTE / 4 }),
    registersLate: true,
  },
  {
    ...at('kubelet-node-there', 'its Node is there already', { kubeletGoesOn: MINUTE / 4 }),
    answer: ({ method, path, certified }) =>
      method === 'POST' && certified && path === '/api/v1/nodes' ? ALREADY : undefined,
  },
  {
    ...at('kubelet-stays', 'certificates live for four hours, and a Node is registered at the third time', {
      // Two renewals, whatever their chance: the second comes within 7.2 hours, a third never before 8.3.
      kubeletGoesOn: 8 * HOUR,
    }),
    onlyPlayed: 'nobody waits for hours to see what its kubelet does',
    certificateLife: 4 * HOUR,
    registersLate: true,
  },
  {
    ...at('kubelet-stays-long', 'certificates live for twenty days, and it stays for months', {
      kubeletGoesOn: 300 * DAY,
    }),
    onlyPlayed: 'nobody waits for months to see what its kubelet does',
    certificateLife: 20 * DAY,
  },
  {
    ...at(
      'kubelet-renewed-late',
      'certificates live for four hours, the first renewal fails, others take two minutes; its Node is there already',
      { kubeletGoesOn: 10 * HOUR },
    ),
    onlyPlayed: 'nobody waits for hours to see what its kubelet does',
    certificateLife: 4 * HOUR,
    renewsIn: 2 * MINUTE,
    answer: ({ method, path, nth, certified }) => {
      if (method !== 'POST' || !certified) return undefined;
      if (path === '/api/v1/nodes') return ALREADY;
      return nth === 2 && path.endsWith('/certificatesigningrequests')
        ? refusal(500, 'InternalError', 'Internal error occurred: boom')
        : undefined;
    },
  },
  {
    ...at('kubelet-renews-at-old-tls', 'certificates live for four hours; TLS 1.1 once a Node is registered', {
      kubeletGoesOn: 4 * HOUR,
    }),
    onlyPlayed: 'nobody waits for hours to see what its kubelet does',
    certificateLife: 4 * HOUR,
    changes: { after: [/^\/api\/v1\/nodes$/], to: 'good', isCertified: true, how: 'old tls' },
  },
  ...(['denied', 'failed'] as const).map(
    (how): Lie => ({
      ...at(`kubelet-renewal-${how}`, `certificates live for four hours, and the first renewal is ${how}`, {
        kubeletGoesOn: 8 * HOUR,
      }),
      onlyPlayed: 'nobody waits for hours to see what its kubelet does',
      certificateLife: 4 * HOUR,
      signing: `second ${how}`,
    }),
  ),
  {
    ...at(
      'kubelet-renewed-for-others',
      'certificates live for four hours, and whoever renews is given one for another key',
      { kubeletGoesOn: 4 * HOUR },
    ),
    onlyPlayed: 'nobody waits for hours to see what its kubelet does',
    certificateLife: 4 * HOUR,
    signing: 'other key at last',
  },
  ...SECONDS.map(
    ([how, words, more]): Lie => ({
      ...at(`kubelet-seconds${how}`, `certificates live for thirty seconds${words}`, { kubeletGoesOn: MINUTE }),
      certificateLife: MINUTE / 2,
      isIssuedNow: true,
      ...more,
    }),
  ),
  {
    ...at('kubelet-serves', 'kubelets ask for what they serve with; certificates live for thirty seconds', {
      kubeletGoesOn: MINUTE,
    }),
    certificateLife: MINUTE / 2,
    isIssuedNow: true,
    serving: 'signed',
    about: 'kubelet-configuration',
  },
  {
    ...at('kubelet-serves-unapproved', 'kubelets ask for what they serve with, which nobody approves', {
      kubeletGoesOn: MINUTE / 2,
    }),
    serving: 'never',
    about: 'kubelet-configuration',
  },
  {
    ...at('kubelet-configured-much', 'kubelet-config says much that kubeadm does not say by itself', {
      registration: { criSocket: 'unix:///run/other/runtime.sock' },
    }),
    kubeletIsTold: 'much',
    serving: 'signed',
    about: 'kubelet-configuration',
  },
  {
    ...at('kubelet-issued-between', 'an authority below the CA issues certificates, and its own comes along', {}),
    signing: 'by between',
  },
  {
    ...at('csr-said-more-of', 'before and behind the approval of a request stand conditions of others', {}),
    signing: 'among others',
  },
  { ...at('csr-cut', 'the answer to the first request for a certificate never comes', {}), signing: 'cut' },
  {
    ...at('csr-500-once', 'the first request for a certificate is answered with 500', {}),
    answer: toFirstRequest(refusal(500, 'InternalError', 'Internal error occurred: boom')),
  },
  {
    ...at('csr-429-twice', 'the first two requests for a certificate are answered with 429, without Retry-After', {}),
    answer: ({ path, method, nth }) =>
      method === 'POST' && path.endsWith('/certificatesigningrequests') && nth <= 2
        ? refusal(429, 'TooManyRequests', 'too many requests')
        : undefined,
  },
  {
    ...at(
      'csr-503-once',
      'the first request for a certificate is answered with 503, and to come again after a second',
      {},
    ),
    answer: toFirstRequest(
      refusal(503, 'ServiceUnavailable', 'the server is currently unable to handle the request', {
        'retry-after': '1',
      }),
    ),
  },
  {
    ...at(
      'csr-look-503-once',
      'takes its time to sign; the first look at the request is answered with 503, and to come again after a second',
      {},
    ),
    signing: 'late',
    answer: toFirstLook(
      refusal(503, 'ServiceUnavailable', 'the server is currently unable to handle the request', {
        'retry-after': '1',
      }),
    ),
  },
  {
    ...at('csr-look-cut-once', 'takes its time to sign; the first look at the request is broken off', {}),
    signing: 'late',
    answer: toFirstLook('reset'),
  },
  {
    ...at('kubelet-unrotated', 'certificates are not renewed, and the answer to the first request never comes', {}),
    isUnrotated: true,
    signing: 'cut',
    ofKubeadm: true,
  },
  {
    ...at('kubelet-unrotated-signed', 'certificates are not renewed', {}),
    isUnrotated: true,
    ofKubeadm: true,
  },
  {
    ...at('kubelet-unrotated-unsigned', 'certificates are not renewed, and no request is signed', {}),
    right: 'fails later',
    isUnrotated: true,
    signing: 'never',
    ofKubeadm: true,
  },
  before('kubelet-ended', 'the certificate of an earlier kubelet has ended a minute ago', [-HOUR, -MINUTE]),
  before(
    'kubelet-ended-second',
    'of two certificates of an earlier kubelet the second has ended',
    [-HOUR, HOUR],
    [-HOUR, -MINUTE],
  ),
  before(
    'kubelet-ended-first',
    'of two certificates of an earlier kubelet the first has ended',
    [-HOUR, -MINUTE],
    [-HOUR, HOUR],
  ),
  {
    ...at('kubelet-before', 'the pair of an earlier kubelet lies on the machine', {
      registration: { ignorePreflightErrors: ['FileAvailable--etc-kubernetes-kubelet.conf'] },
      present: (scene) => earlierKubelet(scene, [-HOUR, HOUR]),
    }),
    ofKubeadm: true,
  },
  before('kubelet-there', 'the certificate of an earlier kubelet lives for an hour more', [-HOUR, HOUR]),
  before('kubelet-there-early', 'the certificate of an earlier kubelet begins in half an hour', [HOUR / 2, 2 * HOUR]),
];
