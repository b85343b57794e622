/**
 * Defects of the chapter cluster-info: who signs and for whom, what a signature is made of, what is published and to
 * whom.
 */
import { createHmac } from 'node:crypto';
import type { Binding, PolicyRule, Role } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { createAuthority } from '../pki/authority.js';
import { upstream } from '../reference/decisions.js';
import { allow, bindCluster, group, serviceAccount, user } from './arrange.js';
import { addToken, decides, editClusterInfo, finds } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const { signingToken } = upstream;
type View = Parameters<typeof signingToken>[0];
const withData = (secret: View, data: Readonly<Record<string, string>>): View => ({
  ...secret,
  data: {
    ...secret.data,
    ...Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value)])),
  },
});
/** Lets the signer write what it has no right to, so that a defect of its mind shows. */
const signerMay = (mutant: Mutant): Mutant => ({
  ...mutant,
  arrange: (reference) =>
    allow(
      reference,
      'signer-everywhere',
      [{ verbs: ['get', 'list', 'watch', 'update'], apiGroups: [''], resources: ['configmaps'] }],
      serviceAccount('bootstrap-signer'),
    ),
});

const SIGNER: readonly Mutant[] = [
  {
    name: 'no-signer',
    defect: '--controllers names tokencleaner only',
    killedBy: ['SIGN-001'],
    options: { controllers: { bootstrapsigner: false } },
  },
  signerMay(
    decides('signs-every-configmap', 'every ConfigMap with a kubeconfig is signed', ['SIGN-002'], {
      signsConfigMap: () => true,
    }),
  ),
  signerMay(
    decides('signs-by-name-alone', 'a ConfigMap named cluster-info is signed in every namespace', ['SIGN-002'], {
      signsConfigMap: (_namespace, name) => name === 'cluster-info',
    }),
  ),
  decides('signature-under-another-key', 'signatures are kept under jws-<id>', ['SIGN-003'], {
    signatureDataKey: (id) => `jws-${id}`,
    isSignatureKey: (key) => key.startsWith('jws-'),
  }),
  {
    name: 'signer-without-rights',
    defect: 'without --use-service-account-credentials the signer may not update the ConfigMap',
    killedBy: ['SIGN-003'],
    options: { serviceAccountCredentials: false },
  },
  decides('signs-for-every-token', 'every token Secret gets a signature', ['SIGN-004', 'SEC-013'], {
    signingToken: (secret, expiration, now) =>
      signingToken(withData(secret, { 'usage-bootstrap-signing': 'true' }), expiration, now),
  }),
  decides('signs-for-expired-tokens', 'an expired token still signs', ['SIGN-005'], {
    signingToken: (secret, _expiration, now) => signingToken(secret, { kind: 'never' }, now),
  }),
  decides('only-additions-are-handled', 'the signer hears of new tokens only', ['SIGN-006', 'SIGN-008'], {
    signerWakes: (event) => event.subject === 'configmap' || event.type === 'ADDED',
  }),
  decides('signed-once', 'a signature is made at creation, and a change of the kubeconfig is not heard', ['SIGN-007'], {
    signerWakes: (event) => event.subject === 'secret' || event.type === 'ADDED',
  }),
  (() => {
    const halves = new Map<string, Buffer>();
    return decides('signatures-cached-by-id', 'the key of a token is remembered by its id', ['SIGN-008'], {
      signatureKey: (id, secret) => {
        const known = halves.get(id) ?? secret;
        halves.set(id, known);
        return known;
      },
    });
  })(),
  (() => {
    let first: Buffer | undefined;
    return {
      ...decides(
        'one-key-for-all-tokens',
        'every signature is made with the secret of the same token',
        ['SIGN-009', 'JWS-007'],
        {
          signatureKey: (_id, secret) => {
            first ??= secret;
            return first;
          },
        },
      ),
      arrange: (reference) => addToken(reference),
    } satisfies Mutant;
  })(),
  decides(
    'kubeconfig-serialised-anew',
    'the signer writes the YAML anew, without comments and blank lines',
    ['SIGN-010'],
    {
      signedData: (data, signatures, isSignature) => ({
        ...upstream.signedData(data, signatures, isSignature),
        kubeconfig: (data.kubeconfig ?? '')
          .split('\n')
          .filter((line) => !/^(#.*)?$/.test(line))
          .join('\n')
          .concat('\n'),
      }),
    },
  ),
  decides('signs-for-any-namespace', 'Secrets of every namespace and type are signed for', ['SIGN-011'], {
    signerWatchesSecret: () => true,
  }),
  decides('signs-by-token-id-alone', 'the name of the Secret is not compared with its token-id', ['SIGN-011'], {
    signingToken: (secret, expiration, now) =>
      signingToken(
        { ...secret, name: `bootstrap-token-${secret.data['token-id']?.toString() ?? ''}` },
        expiration,
        now,
      ),
  }),
  decides(
    'placeholder-first',
    'an empty text stands under the key, so that looking whether it is there says yes',
    ['SIGN-012', 'JWS-001'],
    {
      detachedSignature: () => '',
    },
  ),
  decides('init-signs-by-itself', 'init writes a static signature', ['SIGN-013'], {
    clusterInfoConfigMap: (kubeconfig, tokens) => {
      const made = upstream.clusterInfoConfigMap(kubeconfig, tokens);
      return {
        ...made,
        data: {
          ...made.data,
          ...Object.fromEntries(tokens.map(({ id }) => [`jws-kubeconfig-${id}`, 'eyJhbGciOiJIUzI1NiJ9..x'])),
        },
      };
    },
  }),
  decides('signing-needs-authentication', 'both usages are needed for a signature', ['SIGN-014', 'AUTH-017'], {
    signingToken: (secret, expiration, now) =>
      secret.data['usage-bootstrap-authentication']?.toString() === 'true'
        ? signingToken(secret, expiration, now)
        : undefined,
  }),
  decides('foreign-signatures-survive', 'signatures of no token stay', ['SIGN-015', 'SIGN-006', 'CLEAN-010'], {
    signedData: (data, signatures) => ({ ...data, ...signatures }),
  }),
  decides(
    'keys-are-compared-only',
    'the signer looks whether the key is there, not what it holds',
    ['SIGN-016', 'SIGN-007'],
    {
      signingChanges: (before, after) => Object.keys(before).sort().join() !== Object.keys(after).sort().join(),
    },
  ),
  decides('signs-nothing-too', 'without a kubeconfig an empty text is signed', ['SIGN-017'], {
    contentToSign: (data) => data.kubeconfig ?? '',
  }),
];

/** The parts of a signature, put together otherwise. `header` is given as text. */
const encoded = (text: string | Buffer): string => Buffer.from(text).toString('base64url');
const hmac = (key: Buffer, text: string, hash = 'sha256'): Buffer => createHmac(hash, key).update(text).digest();

const SIGNATURES: readonly Mutant[] = [
  decides('payload-attached', 'the whole JWS is published, payload included', ['JWS-001'], {
    detachedSignature: (header, payload, mac) => `${encoded(header)}.${encoded(payload)}.${encoded(mac)}`,
  }),
  decides('json-serialisation', 'the signature is published as JSON', ['JWS-001'], {
    detachedSignature: (header, _payload, mac) =>
      JSON.stringify({ protected: encoded(header), signature: encoded(mac) }),
  }),
  decides('algorithm-hs512', 'the algorithm is HS512', ['JWS-002', 'JWS-008'], {
    signatureHeader: (id) => `{"alg":"HS512","kid":"${id}"}`,
    signatureMac: (key, header, payload) => hmac(key, `${encoded(header)}.${encoded(payload)}`, 'sha512'),
  }),
  decides('algorithm-none', 'the header says that there is no signature', ['JWS-002'], {
    signatureHeader: (id) => `{"alg":"none","kid":"${id}"}`,
  }),
  decides('kid-is-more-than-the-id', 'the key id is the whole token', ['JWS-003'], {
    signatureHeader: (id) => `{"alg":"HS256","kid":"${id}.0123456789abcdef"}`,
  }),
  decides('header-with-typ', 'the header also has typ', ['JWS-004'], {
    signatureHeader: (id) => `{"alg":"HS256","kid":"${id}","typ":"JWT"}`,
  }),
  decides('header-in-other-order', 'the header has kid before alg', ['JWS-004'], {
    signatureHeader: (id) => `{"kid":"${id}","alg":"HS256"}`,
  }),
  decides('header-with-blanks', 'the header is printed with blanks', ['JWS-004'], {
    signatureHeader: (id) => `{"alg": "HS256", "kid": "${id}"}`,
  }),
  decides('text-is-trimmed', 'the text is signed without its last newline', ['JWS-005', 'SIGN-009'], {
    signaturePayload: (content) => Buffer.from(content.trimEnd(), 'utf8'),
  }),
  decides('standard-base64', 'the payload is encoded in standard base64', ['JWS-005'], {
    // a text whose length makes padding necessary
    clusterInfoKubeconfig: (facts) => {
      const text = upstream.clusterInfoKubeconfig(facts);
      return Buffer.byteLength(text) % 3 === 0 ? `${text}\n` : text;
    },
    signatureMac: (key, header, payload) => hmac(key, `${encoded(header)}.${payload.toString('base64')}`),
  }),
  decides('mac-over-raw-text', 'the MAC covers the raw kubeconfig alone', ['JWS-006'], {
    signatureMac: (key, _header, payload) => hmac(key, payload.toString('utf8')),
  }),
  decides('mac-over-header', 'the MAC covers the header and nothing', ['JWS-006'], {
    signatureMac: (key, header) => hmac(key, `${encoded(header)}..`),
  }),
  decides('key-is-the-whole-token', 'the key is id.secret, as document 001 says', ['JWS-007', 'SIGN-009'], {
    signatureKey: (id, secret) => Buffer.concat([Buffer.from(`${id}.`), secret]),
  }),
  decides('key-is-the-id', 'the key is the id, which is public', ['JWS-007'], {
    signatureKey: (id) => Buffer.from(id),
  }),
  decides('key-is-base64', 'the key is the base64 text of the Secret value', ['JWS-007'], {
    signatureKey: (_id, secret) => Buffer.from(secret.toString('base64')),
  }),
  decides('mac-in-hexadecimal', 'the signature is written in hexadecimal digits', ['JWS-008'], {
    detachedSignature: (header, _payload, mac) => `${encoded(header)}..${mac.toString('hex')}`,
  }),
  decides('mac-is-padded', 'the signature is padded', ['JWS-008'], {
    detachedSignature: (header, _payload, mac) => `${encoded(header)}..${encoded(mac)}=`,
  }),
  decides('unencoded-payload', 'the payload is signed unencoded, as RFC 7797 says', ['JWS-014', 'JWS-004'], {
    signatureHeader: (id) => `{"alg":"HS256","b64":false,"crit":["b64"],"kid":"${id}"}`,
    signatureMac: (key, header, payload) => hmac(key, `${encoded(header)}.${payload.toString('utf8')}`),
  }),
];

const { clusterInfoKubeconfig } = upstream;
type Facts = Parameters<typeof clusterInfoKubeconfig>[0];
/** A mutant that publishes another kubeconfig. */
const publishes = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  change: (text: string, facts: Facts) => string,
): Mutant =>
  decides(name, defect, killedBy, { clusterInfoKubeconfig: (facts) => change(clusterInfoKubeconfig(facts), facts) });

const CONTENT: readonly Mutant[] = [
  decides('cluster-info-named-otherwise', 'the ConfigMap is named clusterinfo', ['INFO-001'], {
    clusterInfoConfigMap: (kubeconfig, tokens) => ({
      ...upstream.clusterInfoConfigMap(kubeconfig, tokens),
      metadata: { name: 'clusterinfo', namespace: 'kube-public' },
    }),
  }),
  decides('cluster-info-in-kube-system', 'the ConfigMap lies in kube-system', ['INFO-001'], {
    clusterInfoConfigMap: (kubeconfig, tokens) => ({
      ...upstream.clusterInfoConfigMap(kubeconfig, tokens),
      metadata: { name: 'cluster-info', namespace: 'kube-system' },
    }),
  }),
  publishes(
    'kubeconfig-encoded-twice',
    'the kubeconfig is a quoted string',
    ['INFO-002'],
    (text) => `${JSON.stringify(text)}\n`,
  ),
  publishes('kubeconfig-of-no-kind', 'the text has no kind', ['INFO-002'], (text) =>
    text.replace('kind: Config\n', ''),
  ),
  decides('kubeconfig-under-another-key', 'the key is named config', ['INFO-002', 'INFO-011'], {
    clusterInfoConfigMap: (kubeconfig, tokens) => ({
      ...upstream.clusterInfoConfigMap(kubeconfig, tokens),
      data: { config: kubeconfig },
    }),
  }),
  publishes(
    'admin-conf-published',
    'admin.conf is copied as it is, with the key of the administrator',
    ['INFO-003', 'INFO-004'],
    (text) =>
      text
        .replace('contexts: null', 'contexts:\n- context:\n    cluster: ""\n    user: admin\n  name: admin')
        .replace('current-context: ""', 'current-context: admin')
        .replace(
          'users: null',
          `users:\n- name: admin\n  user:\n    client-key-data: ` +
            `${Buffer.from('-----BEGIN PRIVATE KEY-----').toString('base64')}`,
        ),
  ),
  publishes('a-context-published', 'a context and a user without credentials are published', ['INFO-003'], (text) =>
    text.replace('contexts: null', 'contexts:\n- context:\n    cluster: ""\n    user: nobody\n  name: join'),
  ),
  finds('token-published', 'the kubeconfig carries the token', ['INFO-004', 'INFO-003', 'TOK-007'], (reference) =>
    editClusterInfo(reference, (data) => ({
      ...data,
      kubeconfig: (data.kubeconfig ?? '').replace(
        'users: null',
        `users:\n- name: join\n  user:\n    token: ${reference.tokens[0] ?? ''}`,
      ),
    })),
  ),
  publishes(
    'key-hidden-in-an-extension',
    'a private key is published among the extensions',
    ['INFO-004'],
    (text) =>
      `${text}extensions:\n- name: helper\n  extension:\n    data: ` +
      `${Buffer.from('-----BEGIN RSA PRIVATE KEY-----\n').toString('base64')}\n`,
  ),
  publishes('no-cluster', 'the list of clusters is empty', ['INFO-005'], (text) =>
    text.replace(/clusters:\n(?:-.*\n)(?: .*\n)+/, 'clusters: []\n'),
  ),
  publishes('cluster-at-top-level', 'server and CA stand at the top level', ['INFO-005'], (text) =>
    text
      .replace(/clusters:\n- cluster:\n/, '')
      .replace(/^ {2}name: ""\n/m, '')
      .replace(/^ {4}/gm, ''),
  ),
  publishes('ca-is-a-path', 'the CA is named by a path', ['INFO-006'], (text) =>
    text.replace(/certificate-authority-data: .*/, 'certificate-authority: /etc/kubernetes/pki/ca.crt'),
  ),
  publishes('ca-is-another', 'the CA of the front proxy is published', ['INFO-007'], (text) =>
    text.replace(
      /certificate-authority-data: .*/,
      `certificate-authority-data: ${Buffer.from(createAuthority({ commonName: 'front-proxy-ca', key: 'ECDSA-P256', now: Date.now() }).certificate.pem).toString('base64')}`,
    ),
  ),
  publishes('server-over-http', 'the address is http://127.0.0.1:8080', ['INFO-008'], (text) =>
    text.replace(/server: .*/, 'server: http://127.0.0.1:8080'),
  ),
  publishes(
    'server-by-another-loopback',
    'the address is https://localhost, while the cluster is reached as 127.0.0.1',
    ['INFO-008'],
    (text, facts) => text.replace(/server: .*/, `server: https://localhost:${new URL(facts.server).port}`),
  ),
  publishes('user-in-address', 'the address carries a user and a password', ['INFO-004'], (text) =>
    text.replace('https://', 'https://admin:password@'),
  ),
  publishes(
    'server-without-certificate',
    'the address is one that the certificate does not name',
    ['INFO-008'],
    (text, facts) => text.replace(/server: .*/, `server: https://0.0.0.0:${new URL(facts.server).port}`),
  ),
  publishes('verification-off', 'insecure-skip-tls-verify is left over', ['INFO-009'], (text) =>
    text.replace(/( *)server: /, '$1insecure-skip-tls-verify: true\n$1server: '),
  ),
  finds('helper-keeps-notes', 'a helper keeps notes in the ConfigMap', ['INFO-011'], (reference) =>
    editClusterInfo(reference, (data) => ({ ...data, notes: 'see the wiki' })),
  ),
];

/** A mutant whose Role or RoleBinding for strangers is another. */
const opens = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  change: { role?: (rules: readonly PolicyRule[]) => readonly PolicyRule[]; binding?: (binding: Binding) => Binding },
): Mutant =>
  decides(name, defect, killedBy, {
    grants: (what, release) =>
      upstream.grants(what, release).map((object) => {
        if (what !== 'cluster-info') return object;
        if (object.kind === 'Role')
          return {
            ...object,
            rules: change.role?.((object as Role).rules ?? []) ?? (object as Role).rules ?? [],
          } as Role;
        return change.binding?.(object as Binding) ?? object;
      }),
  });

const STRANGERS: readonly Mutant[] = [
  {
    name: 'no-strangers',
    defect: 'anonymous authentication is off',
    killedBy: ['INFO-013'],
    options: { anonymousAuth: false },
  },
  decides('no-binding-for-strangers', 'the RoleBinding is missing', ['INFO-013', 'INFO-015', 'INFO-016'], {
    grants: (what, release) =>
      upstream.grants(what, release).filter(({ kind }) => what !== 'cluster-info' || kind === 'Role'),
  }),
  opens(
    'all-of-kube-public',
    'the Role names no ConfigMap, so that all of kube-public is open',
    ['INFO-014', 'INFO-019'],
    {
      role: (rules) => rules.map(({ resourceNames: _names, ...rule }) => rule),
    },
  ),
  opens('strangers-do-anything', 'the Role allows every verb', ['INFO-014', 'INFO-018'], {
    role: (rules) => rules.map((rule) => ({ ...rule, verbs: ['*'] })),
  }),
  opens('strangers-list', 'the Role allows list and watch', ['INFO-014', 'INFO-018'], {
    role: (rules) => rules.map((rule) => ({ ...rule, verbs: ['get', 'list', 'watch'] })),
  }),
  opens('strangers-view', 'the RoleBinding refers to the ClusterRole view', ['INFO-015', 'INFO-018', 'INFO-019'], {
    binding: (binding) => ({ ...binding, roleRef: { ...binding.roleRef, kind: 'ClusterRole', name: 'view' } }),
  }),
  opens('bound-to-who-has-logged-in', 'the RoleBinding names system:authenticated only', ['INFO-016', 'INFO-013'], {
    binding: (binding) => ({ ...binding, subjects: [group('system:authenticated')] }),
  }),
  opens('bound-to-everybody', 'the RoleBinding names system:authenticated as well', ['INFO-016'], {
    binding: (binding) => ({ ...binding, subjects: [...(binding.subjects ?? []), group('system:authenticated')] }),
  }),
  finds(
    'strangers-view-everything',
    'a ClusterRoleBinding named anonymous-view',
    ['INFO-017', 'INFO-019'],
    (reference) => bindCluster(reference, 'anonymous-view', 'view', user('system:anonymous')),
  ),
  finds(
    'strangers-see-nodes',
    'a ClusterRole of its own shows Nodes to strangers',
    ['INFO-017', 'INFO-019'],
    (reference) =>
      allow(
        reference,
        'node-list',
        [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['nodes'] }],
        group('system:unauthenticated'),
      ),
  ),
];

const HARMLESS: readonly Mutant[] = [
  finds('harmless-other-configmap', 'another ConfigMap in kube-public', [], (reference) =>
    reference.api.create(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'motd', namespace: 'kube-public' },
      data: { text: 'hello' },
    }),
  ),
  finds('harmless-many-tokens', 'three tokens sign', [], (reference) => {
    for (const id of ['m1man1', 'm1man2', 'm1man3'])
      addToken(reference, { 'token-id': id, 'token-secret': `k3s9x0q7w2${id}` }, { name: `bootstrap-token-${id}` });
  }),
  opens(
    'harmless-group-of-strangers',
    'the RoleBinding names the group system:unauthenticated, as document 002 says',
    [],
    {
      binding: (binding) => ({ ...binding, subjects: [group('system:unauthenticated')] }),
    },
  ),
  publishes(
    'harmless-extensions',
    'the kubeconfig has an extension and a comment',
    [],
    (text) => `# ${'x'.repeat(20)}\n${text}extensions:\n- name: site\n  extension:\n    region: north\n`,
  ),
  {
    name: 'harmless-older-minor',
    defect: 'the cluster plays 1.33, whose kubeconfig still has preferences',
    killedBy: [],
    options: { kubernetesVersion: 'v1.33.5' },
  },
];

export const mutants: readonly Mutant[] = [...SIGNER, ...SIGNATURES, ...CONTENT, ...STRANGERS, ...HARMLESS];
