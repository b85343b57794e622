/** Defects of the chapter cluster-info: what is published, and how. */
import { base64 } from '../kubernetes/json.js';
import type { ConfigMap } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { createAuthority, issueCredential } from '../pki/authority.js';
import { upstream } from '../reference/decisions.js';
import type { Reference } from '../reference/options.js';
import { decides, edit, finds } from './arrange.js';
import { remembering } from './remembering.js';
import { addToken, editClusterInfo } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const { clusterInfoKubeconfig } = upstream;

const YEAR = 365 * 86_400_000;
const anotherCa = (commonName = 'front-proxy-ca', now = Date.now()): string =>
  createAuthority({ commonName, key: 'ECDSA-P256', now }).certificate.pem;
const aLeaf = (): string => {
  const key = 'ECDSA-P256';
  const authority = createAuthority({ commonName: 'kubernetes', key, now: Date.now() });
  return issueCredential(authority, { subject: { commonName: 'kube-apiserver' }, key, now: Date.now() }).certificatePem;
};
type Facts = Parameters<typeof clusterInfoKubeconfig>[0];
/** A mutant that publishes another kubeconfig. */
const publishes = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  change: (text: string, facts: Facts) => string,
): Mutant =>
  decides(name, defect, killedBy, { clusterInfoKubeconfig: (facts) => change(clusterInfoKubeconfig(facts), facts) });

/** The text with another CA; `change` gets the PEM that stands there. */
const withCa = (text: string, change: (own: string) => string): string =>
  text.replace(
    /certificate-authority-data: (.*)/,
    (_, own: string) => `certificate-authority-data: ${base64(change(Buffer.from(own, 'base64').toString()))}`,
  );

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
  decides('kubeconfig-under-another-key', 'the key is named config', ['INFO-002', 'INFO-011', 'SIGN-013'], {
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
          `users:\n- name: admin\n  user:\n    client-key-data: ${base64('-----BEGIN PRIVATE KEY-----')}`,
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
      `${base64('-----BEGIN RSA PRIVATE KEY-----\n')}\n`,
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
  publishes('ca-beside-another', 'another CA stands beside that of the cluster', ['INFO-007'], (text) =>
    withCa(text, (own) => `${own}${anotherCa()}`),
  ),
  publishes(
    'leaf-beside-the-ca',
    'a certificate that is no CA stands beside that of the cluster',
    ['INFO-006'],
    (text) => withCa(text, (own) => `${own}${aLeaf()}`),
  ),
  publishes('ca-is-another', 'the CA of the front proxy is published', ['INFO-007'], (text) =>
    withCa(text, () => anotherCa()),
  ),
  publishes(
    'ca-of-the-same-name',
    'a CA that only bears the name of the cluster’s is published',
    ['INFO-007'],
    (text) => withCa(text, () => anotherCa('kubernetes')),
  ),
  remembering(() => {
    let run = 0;
    return publishes('text-with-a-number', 'each run of init publishes another text', ['INFO-022'], (text) => {
      run += 1;
      return `${text}# ${run}\n`;
    });
  }),
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
  publishes('server-is-the-service', 'the address is that of the Service kubernetes', ['INFO-008'], (text) =>
    text.replace(/server: .*/, 'server: https://10.96.0.1:443'),
  ),
  publishes('server-is-the-name-of-the-service', 'the address is a name that only Pods know', ['INFO-008'], (text) =>
    text.replace(/server: .*/, 'server: https://kubernetes.default.svc:443'),
  ),
  publishes('server-with-a-path', 'the address leads to a path behind the API server', ['INFO-008'], (text) =>
    text.replace(/(server: .*)/, '$1/k8s'),
  ),
  publishes('server-without-anybody', 'nobody listens on the port that is published', ['INFO-008'], (text) =>
    text.replace(/server: .*/, 'server: https://127.0.0.1:1'),
  ),
  finds('cluster-info-for-ever', 'the ConfigMap is immutable', ['P-134'], (reference) =>
    edit<ConfigMap>(
      reference,
      { resource: resources.configMaps, namespace: 'kube-public', name: 'cluster-info' },
      (found) => ({ ...found, immutable: true }),
    ),
  ),
  finds('cluster-info-of-another', 'the ConfigMap belongs to something, and goes with it', ['P-134'], (reference) =>
    edit<ConfigMap>(
      reference,
      { resource: resources.configMaps, namespace: 'kube-public', name: 'cluster-info' },
      (found) => {
        const owner = { apiVersion: 'v1', kind: 'Namespace', name: 'kube-public', uid: uidOf(reference) };
        return { ...found, metadata: { ...found.metadata, ownerReferences: [owner] } };
      },
    ),
  ),
  publishes('ca-that-has-ended', 'a CA that ended a year ago is published beside the one of today', ['P-135'], (text) =>
    withCa(text, (own) => own + anotherCa('kubernetes', Date.now() - 11 * YEAR)),
  ),
  publishes('ca-of-tomorrow', 'a CA that begins tomorrow is published beside the one of today', ['P-135'], (text) =>
    withCa(text, (own) => own + anotherCa('kubernetes', Date.now() + YEAR / 365)),
  ),
  publishes('ca-that-has-almost-ended', 'the CA that is published began nearly ten years ago', ['P-534'], (text) =>
    withCa(text, () => anotherCa('kubernetes', Date.now() - 9.5 * YEAR)),
  ),
  {
    name: 'serving-certificate-of-last-year',
    defect: 'the certificate of the API server was made 350 days ago, for a year',
    killedBy: ['P-534'],
    options: { servingAge: (350 / 365) * YEAR },
  },
  ...[
    '10.96.0.1',
    ...['', '.default', '.default.svc', '.default.svc.cluster.local'].map((on) => `kubernetes${on}`),
  ].map(
    (host): Mutant => ({
      name: `serving-certificate-without-${host}`,
      defect: `the certificate of the API server does not name ${host}`,
      killedBy: ['P-551'],
      options: { servingNames: (one) => one !== host },
    }),
  ),
  publishes('proxy-published', 'joining machines are told to go through a proxy', ['P-80'], (text) =>
    text.replace(/( *)server: /, '$1proxy-url: http://10.0.0.9:3128\n$1server: '),
  ),
  publishes('server-name-published', 'joining machines are told to expect another name', ['P-80'], (text) =>
    text.replace(/( *)server: /, '$1tls-server-name: kubernetes\n$1server: '),
  ),
  publishes('second-cluster', 'another cluster stands beside that of the cluster', ['P-03'], (text) =>
    text.replace('- cluster:', '- cluster:\n    server: https://10.0.0.9:6443\n  name: other\n- cluster:'),
  ),
  publishes('cluster-with-a-name', 'the cluster is named kubernetes', ['P-03'], (text) =>
    text.replace('  name: ""', '  name: kubernetes'),
  ),
  publishes(
    'token-in-a-comment',
    'a ServiceAccount’s token stands in a comment',
    ['INFO-004'],
    (text) =>
      `# ${['{"alg":"RS256"}', '{"sub":"system:serviceaccount:a:b"}', 'signed by nobody'].map((part) => Buffer.from(part).toString('base64url')).join('.')}\n${text}`,
  ),
  publishes('verification-off', 'insecure-skip-tls-verify is left over', ['INFO-009'], (text) =>
    text.replace(/( *)server: /, '$1insecure-skip-tls-verify: true\n$1server: '),
  ),
  finds('notes-in-binary-data', 'a helper keeps notes as binary data', ['INFO-011'], (reference) =>
    edit<ConfigMap>(
      reference,
      { resource: resources.configMaps, namespace: 'kube-public', name: 'cluster-info' },
      (found) => ({ ...found, binaryData: { notes: base64('see the wiki') } }),
    ),
  ),
  finds('helper-keeps-notes', 'a helper keeps notes in the ConfigMap', ['INFO-011'], (reference) =>
    editClusterInfo(reference, (data) => ({ ...data, notes: 'see the wiki' })),
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
  finds('harmless-copied-cluster-info', 'somebody has copied it, signatures and all', [], (reference) => {
    for (const namespace of ['default', 'kube-system'])
      reference.api.create(resources.configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'cluster-info', namespace },
        data: { kubeconfig: 'kind: Config\n', 'jws-kubeconfig-abcdef': 'header..signature' },
      });
  }),
  finds('harmless-many-tokens', 'three tokens sign', [], (reference) => {
    for (const id of ['m1man1', 'm1man2', 'm1man3'])
      addToken(reference, { 'token-id': id }, { name: `bootstrap-token-${id}` });
  }),
  publishes(
    'harmless-extensions',
    'the kubeconfig has an extension and a comment',
    [],
    (text) => `# ${'x'.repeat(20)}\n${text}extensions:\n- name: site\n  extension:\n    region: north\n`,
  ),
];

/** Of an owner that is there. */
const uidOf = ({ api }: Reference): string =>
  api.get(resources.namespaces, undefined, 'kube-public')?.metadata.uid ?? '';

export const mutants: readonly Mutant[] = [...CONTENT, ...HARMLESS];
