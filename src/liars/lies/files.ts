/** Discovery by file and by https URL. */
import { answer, clusterInfoMap, isClusterInfo, json, notFound, redirect, refusal } from '../answers.js';
import type { Lie, Reply, Right, Told } from '../lie.js';
import { authorityPem, type ClusterText, clusterInfo, payload, type Scene, TOKEN } from '../scene.js';

const FILE = '/f.conf';
const HTML = '<html><body>hello</body></html>';

/** A discovery file with what it says of the cluster; cluster-info is honest unless told otherwise. */
const file = (
  name: string,
  server: string,
  right: Right,
  cluster: ClusterText | ((scene: Scene) => ClusterText) = {},
  more: Partial<Lie> & { readonly asked?: Told } = {},
): Lie => {
  const { asked = {}, ...lie } = more;
  const content = (scene: Scene): string => payload(scene, [typeof cluster === 'function' ? cluster(scene) : cluster]);
  return { name, server, right, told: { file: content, ...asked }, ...lie };
};
const content = (name: string, server: string, text: (scene: Scene) => string, right: Right = 'refuses'): Lie => ({
  name,
  server,
  right,
  told: { file: text },
});
/** A user whose token is not that of the join. */
const STRANGER = '{token: fedcba.fedcba9876543210}';
const CONTEXT = { contexts: '[{name: c, context: {cluster: named, user: u}}]', current: 'c' } as const;
/** A context whose user has nothing to show: the token is told. */
const WITHOUT_TOKEN = { ...CONTEXT, users: '[{name: u, user: {}}]' } as const;
/** A file with a context, whose user is this; of kubeadm alone, which takes credentials from there. */
const named = (name: string, server: string, user: string, told: Told): Lie => ({
  name,
  server: `honest; ${server}`,
  right: 'joins',
  ofKubeadm: true,
  told: {
    file: (scene) => payload(scene, [{ name: 'named' }], { ...CONTEXT, users: `[{name: u, user: ${user}}]` }),
    ...told,
  },
});
/** cluster-info is always answered like this. */
const info = (reply: Reply | ((scene: Scene) => Reply)): Partial<Lie> => ({
  answer: (asked, scene) => {
    if (!isClusterInfo(asked)) return undefined;
    return typeof reply === 'function' ? reply(scene) : reply;
  },
});
const map = (data: (scene: Scene) => Readonly<Record<string, string>>): Partial<Lie> =>
  info((scene) => json(200, clusterInfoMap(data(scene))));
const signed = (cluster: (scene: Scene) => readonly ClusterText[]): Partial<Lie> =>
  map((scene) => clusterInfo(payload(scene, cluster(scene))));

const files: readonly Lie[] = [
  file('file-ok', 'honest; file with one cluster', 'joins'),
  content('file-ok-context', 'honest; file whose context has no user', (scene) =>
    payload(scene, [{ name: 'named' }], { contexts: '[{name: c, context: {cluster: named}}]', current: 'c' }),
  ),
  {
    name: 'file-token-inside',
    server: 'honest; file with a context and a token',
    right: 'joins',
    told: {
      tlsToken: '',
      file: (scene) =>
        payload(scene, [{ name: 'named' }], {
          contexts: '[{name: c, context: {cluster: named, user: u}}]',
          current: 'c',
          users: `[{name: u, user: {token: ${TOKEN}}}]`,
        }),
    },
  },
  named('file-token-path', 'file that names a file with the token', '{tokenFile: token}', {
    tlsToken: '',
    beside: () => ({ token: TOKEN }),
  }),
  {
    ...named(
      'file-client-paths',
      'cluster-info is for who shows a certificate; file that names files with one and its key',
      '{client-certificate: own.crt, client-key: own.key}',
      {
        tlsToken: '',
        beside: ({ cast }) => ({
          'own.crt': cast.serving['client eku'].certificatePem,
          'own.key': cast.serving['client eku'].keyPem,
        }),
      },
    ),
    answer: (asked) =>
      isClusterInfo(asked) && !asked.certified ? refusal(401, 'Unauthorized', 'Unauthorized') : undefined,
  },
  named(
    'file-client-both',
    'file with a certificate and its key, and a token for TLS bootstrap',
    '{client-certificate: own.crt, client-key: own.key}',
    {
      beside: ({ cast }) => ({
        'own.crt': cast.serving['client eku'].certificatePem,
        'own.key': cast.serving['client eku'].keyPem,
      }),
    },
  ),
  named('file-other-token', 'file with another token than that of TLS bootstrap', STRANGER, {}),
  named('file-current-context', 'two clusters, the context names the second', `{token: ${TOKEN}}`, {
    tlsToken: '',
    file: (scene) =>
      payload(scene, [{ name: 'another', ca: authorityPem(scene, 'other ca') }, { name: 'named' }], {
        ...CONTEXT,
        users: `[{name: u, user: {token: ${TOKEN}}}]`,
      }),
  }),
  {
    ...named('file-token-known', 'cluster-info is for who shows a token; a file with one', `{token: ${TOKEN}}`, {
      tlsToken: '',
    }),
    answer: (asked) =>
      isClusterInfo(asked) && asked.authorization === undefined
        ? refusal(401, 'Unauthorized', 'Unauthorized')
        : undefined,
  },
  named('file-several-users', 'three contexts, the current one names the second of three users', '', {
    tlsToken: '',
    file: (scene) =>
      payload(scene, [{ name: 'named' }], {
        contexts: `[${['a', 'm', 'z'].map((name) => `{name: ${name}, context: {cluster: named, user: ${name}}}`).join(', ')}]`,
        current: 'm',
        users: `[{name: a, user: ${STRANGER}}, {name: m, user: {token: ${TOKEN}}}, {name: z, user: ${STRANGER}}]`,
      }),
  }),
  {
    ...file(
      'file-ca-path',
      'honest; file that names a file with the CA',
      'joins',
      { ca: null, lines: ['certificate-authority: of-the-file.crt'] },
      { asked: { beside: (scene) => ({ 'of-the-file.crt': authorityPem(scene, 'ca') }) } },
    ),
    ofKubeadm: true,
  },
  {
    ...file(
      'file-ca-path-403',
      'cluster-info 403; file that names a file with the CA',
      'joins',
      { ca: null, lines: ['certificate-authority: of-the-file.crt'] },
      {
        asked: { beside: (scene) => ({ 'of-the-file.crt': authorityPem(scene, 'ca') }) },
        ...info(refusal(403, 'Forbidden', 'configmaps is forbidden')),
      },
    ),
    ofKubeadm: true,
  },
  file(
    'file-ca-bundle',
    'honest; file with the CA and another',
    'joins',
    (scene) => ({
      ca: authorityPem(scene, 'ca') + authorityPem(scene, 'other ca'),
    }),
    { cluster: { ca: ['ca', 'other ca'] } },
  ),
  file('file-no-credentials', 'honest; no credentials anywhere', 'refuses', {}, { asked: { tlsToken: '' } }),
  file('file-missing', 'honest; the file is not there', 'asks nothing', {}, { asked: { path: 'none.conf' } }),
  file('file-relative', 'honest; file by a relative name', 'joins'),
  file('file-http-url', 'honest; http:// URL', 'asks nothing', {}, { asked: { path: 'http://{endpoint}/f.conf' } }),
  content('file-not-yaml', 'honest; the file is no YAML', () => '{ [ not: yaml'),
  content('file-empty', 'honest; the file is empty', () => ''),
  content('file-no-clusters', 'honest; a file without clusters', (scene) => payload(scene, [])),
  {
    ...content('file-two-named', 'honest; two clusters with names, no context', (scene) =>
      payload(scene, [{ name: 'named' }, { name: 'second' }]),
    ),
    ofKubeadm: true,
  },
  // Whose token is told: who takes the first, or the last, joins another cluster than that of the context.
  content(
    'file-context-other',
    'honest; two clusters, and the context names the second, of another CA',
    (scene) =>
      payload(scene, [{ name: 'first' }, { name: 'named', ca: authorityPem(scene, 'other ca') }], WITHOUT_TOKEN),
    'gives up',
  ),
  content(
    'file-context-first',
    'honest; two clusters, and the context names the first, of another CA',
    (scene) =>
      payload(scene, [{ name: 'named', ca: authorityPem(scene, 'other ca') }, { name: 'last' }], WITHOUT_TOKEN),
    'gives up',
  ),
  content(
    'file-two-clusters',
    'honest; two clusters, no context',
    (scene) => payload(scene, [{}, { name: 'named' }]),
    'joins',
  ),
  file('file-403', 'cluster-info 403', 'joins', {}, info(refusal(403, 'Forbidden', 'configmaps is forbidden'))),
  file('file-401', 'cluster-info 401', 'gives up', {}, info(refusal(401, 'Unauthorized', 'Unauthorized'))),
  file('file-404', 'cluster-info 404', 'gives up', {}, info(notFound('configmaps', 'cluster-info'))),
  file('file-500', 'cluster-info 500', 'gives up', {}, info(refusal(500, 'InternalError', 'boom'))),
  file('file-html', 'cluster-info is an HTML page', 'gives up', {}, info(answer(200, HTML, 'text/html'))),
  file(
    'file-no-jws',
    'cluster-info without a signature',
    'joins',
    {},
    map((scene) => ({ kubeconfig: payload(scene) })),
  ),
  file(
    'file-bad-jws',
    'cluster-info with a wrong signature',
    'joins',
    {},
    map((scene) => clusterInfo(payload(scene), 'a..b')),
  ),
  file(
    'file-no-kubeconfig',
    'cluster-info without kubeconfig',
    'joins',
    {},
    map(() => ({ a: 'b' })),
  ),
  file(
    'file-cm-garbage',
    'the kubeconfig of cluster-info is no YAML',
    'joins',
    {},
    map(() => clusterInfo('{ [ not: yaml')),
  ),
  file(
    'file-cm-two-clusters',
    'two clusters in cluster-info',
    'joins',
    {},
    signed(() => [{}, { name: 'named', ca: null }]),
  ),
  file(
    'file-other-server',
    'cluster-info names another server',
    'joins',
    {},
    signed(() => [{ server: 'https://192.0.2.1:6443' }]),
  ),
  file(
    'file-other-ca',
    'cluster-info has another CA',
    'joins',
    {},
    signed((scene) => [{ ca: authorityPem(scene, 'other ca') }]),
  ),
  file('file-no-ca', 'honest; no CA in the file', 'gives up', { ca: null }),
  file(
    'file-no-ca-skip',
    'honest; no CA in the file, insecure-skip-tls-verify',
    'joins',
    {
      ca: null,
      lines: ['insecure-skip-tls-verify: true'],
    },
    { careful: 'refuses' },
  ),
  file(
    'file-no-ca-anywhere',
    'no CA in cluster-info; none in the file, insecure-skip-tls-verify',
    'refuses',
    { ca: null, lines: ['insecure-skip-tls-verify: true'] },
    { ...signed(() => [{ ca: null }]), since: 36 },
  ),
  file('file-wrong-ca', 'honest; another CA in the file', 'gives up', (scene) => ({
    ca: authorityPem(scene, 'other ca'),
  })),
  file(
    'file-ca-ended',
    'an expired CA in the file; the serving certificate by it is valid',
    'gives up',
    (scene) => ({ ca: authorityPem(scene, 'expired ca') }),
    { certificate: () => 'by expired ca' },
  ),
  file('file-refused', 'nobody listens', 'gives up', {}, { listens: false }),
  file('file-hang', 'cluster-info is never answered', 'gives up', {}, info('hang')),
];

/** An https URL, answered like this. */
const url = (
  name: string,
  server: string,
  right: Right,
  reply: (scene: Scene, path: string) => Reply | undefined,
  more: Partial<Lie> = {},
): Lie => ({
  name,
  server,
  right,
  told: { path: `https://{endpoint}${FILE}`, hostTrusts: 'ca' },
  answer: ({ path, method }, scene) => {
    if (!/^\/.\.conf$/.test(path)) return undefined;
    return /^(GET|HEAD)$/.test(method)
      ? reply(scene, path)
      : refusal(405, 'MethodNotAllowed', `${method} is not allowed`);
  },
  ...more,
});
const COMMENT = `# ${'-'.repeat(78)}\n`.repeat(15_000);
const yaml = (scene: Scene, status = 200): Reply => answer(status, payload(scene), 'text/plain');

const urls: readonly Lie[] = [
  url('https-unknown-ca', 'a CA that the host does not know', 'refuses', (scene) => yaml(scene), {
    told: { path: `https://{endpoint}${FILE}` },
  }),
  url('https-ok', 'honest', 'joins', (scene) => yaml(scene)),
  url('https-long', 'more than a megabyte of comments before what counts', 'joins', (scene) =>
    answer(200, `${COMMENT}${payload(scene)}`, 'text/plain'),
  ),
  url('https-404', '404 with text', 'refuses', () => answer(404, '404 page not found\n', 'text/plain')),
  url('https-404-kubeconfig', '404 whose body is a right kubeconfig', 'joins', (scene) => yaml(scene, 404), {
    careful: 'refuses',
  }),
  url('https-html', 'an HTML page', 'refuses', () => answer(200, HTML, 'text/html')),
  url('https-redirect', '302 to another path', 'joins', (scene, path) =>
    path === FILE ? redirect('/g.conf') : yaml(scene),
  ),
  url(
    'https-redirect-unknown-ca',
    '302 to a server of a CA that the host does not know',
    'refuses',
    (scene, path) =>
      path === FILE
        ? redirect(`https://${scene.endpoint}/g.conf`)
        : answer(200, payload(scene, [{ ca: authorityPem(scene, 'other ca') }]), 'text/plain'),
    { changes: { after: [/^\/f\.conf$/], to: 'by other ca' } },
  ),
  url(
    'https-redirect-http',
    '302 to http:// of the same port',
    'refuses',
    (scene, path) => (path === FILE ? redirect(`http://${scene.endpoint}/g.conf`) : yaml(scene)),
    { careful: 'refuses' },
  ),
  url('https-cut', 'ends in the middle, where what has come reads like a discovery file', 'refuses', (scene) => ({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: payload(scene),
    isHalf: true,
  })),
  url('https-hang', 'never answers', 'waits for ever', () => 'hang', { careful: 'gives up', limit: 25_000 }),
];

export const fileLies: readonly Lie[] = [...files, ...urls];
