/** Rightly signed payloads that say what they should not. */
import { base64 } from '../../kubernetes/json.js';
import { CLUSTER_INFO_KUBECONFIG } from '../../kubernetes/names.js';
import { clusterInfoBeside, isClusterInfo } from '../answers.js';
import type { Lie, Right, Told } from '../lie.js';
import { type Around, authorityPem, type ClusterText, clusterInfo, payload, type Scene, sign } from '../scene.js';

const UNSAFE: Told = { pins: () => [], skipsPins: true };

/** Every fetch gives this text, signed. */
const says = (
  name: string,
  server: string,
  right: Right,
  text: (scene: Scene) => string,
  more: Partial<Lie> = {},
): Lie => ({
  name,
  server,
  right,
  data: (scene) => clusterInfo(text(scene)),
  ...more,
});
const clusters = (list: (scene: Scene) => readonly ClusterText[], around?: Around) => (scene: Scene) =>
  payload(scene, list(scene), around);
const one = (cluster: ClusterText | ((scene: Scene) => ClusterText)) =>
  clusters((scene) => [typeof cluster === 'function' ? cluster(scene) : cluster]);

const CONTEXT: Around = { contexts: '[{name: c, context: {cluster: named, user: u}}]', current: 'c' };
const OTHER_CA = (scene: Scene): ClusterText => ({ ca: authorityPem(scene, 'other ca') });
const bundle = (scene: Scene): ClusterText => ({ ca: authorityPem(scene, 'ca') + authorityPem(scene, 'other ca') });
const OTHER_PIN: Told = { pins: (of) => [of('other ca')] };

/** YAML in a form in which kubeadm does not write it; who reads a few lines of it need not know it. */
const ofKubeadm = (name: string, server: string, text: (scene: Scene) => string): Lie => ({
  ...says(name, server, 'joins', text),
  ofKubeadm: true,
});

const parsing: readonly Lie[] = [
  says('kc-not-yaml', 'no YAML', 'refuses', () => '{ [ not: yaml'),
  ofKubeadm('kc-json', 'JSON', (scene) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: '',
          cluster: {
            server: `https://${scene.endpoint}`,
            'certificate-authority-data': base64(authorityPem(scene, 'ca')),
          },
        },
      ],
    }),
  ),
  ofKubeadm('kc-crlf', 'lines end with CR LF', (scene) => payload(scene).replaceAll('\n', '\r\n')),
  ofKubeadm(
    'kc-comments',
    'YAML with comments',
    (scene) =>
      `# of the blue cluster\n${payload(scene).replace(/^(clusters:)/m, '  # those there are\n$1')}# and no more\n`,
  ),
  says('kc-other-kind', 'YAML of another kind', 'refuses', () => 'apiVersion: v1\nkind: Pod\n'),
  says(
    'kc-no-clusters',
    'no clusters',
    'refuses',
    clusters(() => []),
  ),
  says('kc-named-cluster', 'one cluster with a name, no context', 'refuses', one({ name: 'named' })),
  says(
    'kc-named-cluster-context',
    'one cluster with a name, and the current context names it',
    'joins',
    clusters(() => [{ name: 'named' }], CONTEXT),
  ),
];

const several: readonly Lie[] = [
  says(
    'kc-two-clusters',
    'two clusters, the last without CA',
    'refuses',
    clusters(() => [{}, { name: 'named', ca: null }]),
  ),
  says(
    'kc-two-clusters-context',
    'two clusters, the last without CA, the current context names the first',
    'refuses',
    clusters(() => [{ name: 'named' }, { name: 'second', ca: null }], CONTEXT),
  ),
  says(
    'kc-two-clusters-context-unsafe',
    'two clusters, the current context names the first; pins renounced',
    'joins',
    clusters(() => [{ name: 'named' }, { name: 'second', ca: null }], CONTEXT),
    { told: UNSAFE, careful: 'refuses' },
  ),
  {
    ...says(
      'kc-two-named-unsafe',
      'two clusters with names, and no context; pins renounced',
      'refuses',
      clusters(() => [{ name: 'named' }, { name: 'second' }]),
      { told: UNSAFE },
    ),
    ofKubeadm: true,
  },
  {
    ...says(
      'kc-context-second-unsafe',
      'two clusters, the current context names the second; pins renounced',
      'joins',
      clusters(
        (scene) => [{ name: 'another', server: 'https://192.0.2.1:6443', ...OTHER_CA(scene) }, { name: 'named' }],
        CONTEXT,
      ),
      { told: UNSAFE, since: 32, careful: 'refuses' },
    ),
    ofKubeadm: true,
  },
  {
    ...says(
      'kc-unnamed-unsafe',
      'two clusters: the one that counts has no name, the current context names one with another server; pins renounced',
      'joins',
      clusters(
        ({ endpoint }) => [{ name: 'named', server: `https://${endpoint.replace(/^[^:]+/, 'localhost')}` }, {}],
        CONTEXT,
      ),
      { told: UNSAFE, careful: 'refuses' },
    ),
    ofKubeadm: true,
  },
  {
    ...says(
      'kc-unnamed-and-context',
      'two clusters: the one without a name has another CA, the one of the current context the pinned CA',
      'refuses',
      clusters((scene) => [{ name: 'named' }, OTHER_CA(scene)], CONTEXT),
    ),
    ofKubeadm: true,
  },
  says(
    'kc-two-clusters-second-pinned',
    'two clusters: the one that counts has another CA, the other one the pinned CA',
    'refuses',
    clusters((scene) => [{ name: 'named' }, OTHER_CA(scene)]),
  ),
  says(
    'kc-two-clusters-second-served',
    'two clusters: the one that counts has another CA, which has issued what the server shows, the other one the pinned CA',
    'refuses',
    clusters((scene) => [{ name: 'named' }, OTHER_CA(scene)]),
    { certificate: () => 'by other ca' },
  ),
];

/** Names under which another kubeconfig might stand beside the one that is signed. */
const BESIDE = [
  ...['kubeconfig.yaml', 'kubeconfig.yml', 'kubeconfig.json', 'kubeconfig.conf', 'kubeconfig-abcdef', 'Kubeconfig'],
  ...['kubeConfig', 'KUBECONFIG', 'kube-config', 'kubeconfig-v1', 'cluster-info', 'config', 'conf', 'admin.conf'],
];
/** The honest entries, and before and behind them others of another cluster, which nobody has signed. */
const beside = (name: string, server: string, told: Told): Lie => ({
  name,
  server: `honest; unsigned kubeconfigs of another cluster beside the signed one${server}`,
  right: 'joins',
  told,
  data: (scene) => {
    const other = payload(scene, [{ server: 'https://127.0.0.1:1', ...OTHER_CA(scene) }]);
    const entry = (key: string): readonly [string, string] => [key, other];
    const honest = Object.entries(clusterInfo(payload(scene)));
    return Object.fromEntries([entry('a-kubeconfig'), ...honest, ...BESIDE.map(entry)]);
  },
});
/** The same name stands in binaryData, with another cluster. */
const binary: Lie = {
  name: 'data-binary',
  server: 'honest; a kubeconfig of another cluster in binaryData',
  right: 'joins',
  answer: (asked, scene) => {
    if (!isClusterInfo(asked)) return undefined;
    const other = payload(scene, [{ server: 'https://127.0.0.1:1', ...OTHER_CA(scene) }]);
    return clusterInfoBeside(clusterInfo(payload(scene)), other);
  },
};
const unsigned: readonly Lie[] = [
  beside('data-more', '', {}),
  beside('data-more-unsafe', '; pins renounced', UNSAFE),
  binary,
];

/** PEM of a certificate that is none. */
const UNREADABLE = `-----BEGIN CERTIFICATE-----\n${base64('no certificate')}\n-----END CERTIFICATE-----\n`;

const authorities: readonly Lie[] = [
  says('kc-no-ca-pin', 'no CA', 'refuses', one({ ca: null })),
  says('kc-no-ca-unsafe', 'no CA; pins renounced', 'refuses', one({ ca: null }), { told: UNSAFE, since: 36 }),
  says(
    'kc-no-ca-host',
    'no CA, and the host believes that of the server; pins renounced',
    'refuses',
    one({ ca: null }),
    { told: { ...UNSAFE, hostTrusts: 'ca' }, since: 36 },
  ),
  says(
    'kc-ca-file',
    'the CA as a file name; pins renounced',
    'refuses',
    one({ ca: null, lines: ['certificate-authority: /etc/ssl/ca.crt'] }),
    { told: UNSAFE, since: 36 },
  ),
  says(
    'kc-ca-beside',
    'the CA as the name of a file that is there',
    'refuses',
    one({ ca: null, lines: ['certificate-authority: of-the-host.crt'] }),
    { told: { beside: (scene) => ({ 'of-the-host.crt': authorityPem(scene, 'ca') }) } },
  ),
  says('kc-ca-garbage', 'the CA is no PEM', 'refuses', one({ ca: 'this is no PEM' })),
  says('kc-ca-garbage-unsafe', 'the CA is no PEM; pins renounced', 'refuses', one({ ca: 'this is no PEM' }), {
    told: UNSAFE,
    since: 36,
  }),
  says(
    'kc-ca-not-base64',
    'the CA is no base64',
    'refuses',
    one({ ca: null, lines: ['certificate-authority-data: %%%'] }),
  ),
  {
    ...says(
      'kc-ca-unreadable-first',
      'what is no certificate and another CA, which has issued what the server shows; pin of the true one',
      'refuses',
      one((scene) => ({ ca: UNREADABLE + authorityPem(scene, 'other ca') })),
    ),
    certificate: () => 'by other ca',
  },
  says('kc-ca-other', 'another CA, pin of the true one', 'refuses', one(OTHER_CA)),
  says('kc-ca-other-pinned', 'another CA, and its pin', 'gives up', one(OTHER_CA), { told: OTHER_PIN }),
  says('kc-ca-other-unsafe', 'another CA; pins renounced', 'fails later', one(OTHER_CA), { told: UNSAFE }),
  says(
    'kc-ca-again',
    'another certificate for the same key',
    'joins',
    one((scene) => ({ ca: authorityPem(scene, 'ca again') })),
    { cluster: { ca: 'ca again' } },
  ),
  {
    ...says(
      'kc-ca-explained',
      'the CA, with text around it',
      'joins',
      one((scene) => ({ ca: `Subject: CN=kubernetes\n\n${authorityPem(scene, 'ca')}\n# the end\n` })),
    ),
    ofKubeadm: true,
  },
  says('kc-ca-bundle-right-first', 'the true CA and another, pin of the true one', 'joins', one(bundle), {
    cluster: { ca: ['ca', 'other ca'] },
  }),
  {
    ...says(
      'kc-ca-bundle-ended',
      'the true CA and one that has ended, pin of the true one',
      'joins',
      one((scene) => ({ ca: authorityPem(scene, 'ca') + authorityPem(scene, 'expired ca') })),
      { cluster: { ca: ['ca', 'expired ca'] } },
    ),
    ofKubeadm: true,
  },
  says(
    'kc-ca-bundle-right-second',
    'another CA and the true one, pin of the true one',
    'joins',
    one((scene) => ({ ca: authorityPem(scene, 'other ca') + authorityPem(scene, 'ca') })),
    { cluster: { ca: ['other ca', 'ca'] } },
  ),
  says(
    'kc-ca-bundle-right-third',
    'two other CAs and the true one, pin of the true one',
    'joins',
    one((scene) => ({ ca: (['other ca', 'p384 ca', 'ca'] as const).map((ca) => authorityPem(scene, ca)).join('') })),
    { cluster: { ca: ['other ca', 'p384 ca', 'ca'] } },
  ),
  says('kc-ca-bundle-pin-other', 'the true CA and another, pin of the other', 'joins', one(bundle), {
    told: OTHER_PIN,
    careful: 'refuses',
  }),
  says('kc-ca-bundle-none', 'two CAs, pin of neither', 'refuses', one(bundle), {
    told: { pins: (of) => [of('expired ca')] },
  }),
  says(
    'kc-ca-expired',
    'an expired CA with its pin; the serving certificate by it is valid',
    'gives up',
    one((scene) => ({ ca: authorityPem(scene, 'expired ca') })),
    { told: { pins: (of) => [of('expired ca')] }, certificate: () => 'by expired ca' },
  ),
];

/** Where a gateway has the API server of the cluster. */
const behind = ({ endpoint }: Scene): string => `https://${endpoint}/clusters/blue`;

/** What whoever may write cluster-info would have a machine show, or run. */
const USERS: readonly (readonly [how: string, words: string, user: (scene: Scene) => string])[] = [
  [
    'token',
    'a token, a certificate and its key',
    ({ cast }) => {
      const { certificatePem, keyPem } = cast.serving['client eku'];
      return `{token: not-for-you, client-certificate-data: ${base64(certificatePem)}, client-key-data: ${base64(keyPem)}}`;
    },
  ],
  [
    'plugin',
    'an exec plug-in',
    () =>
      '{exec: {apiVersion: client.authentication.k8s.io/v1, command: systemctl, args: [enable, plug-in], interactiveMode: Never}}',
  ],
];

const servers: readonly Lie[] = [
  says('kc-server-elsewhere', 'a server where nobody listens', 'fails later', one({ server: 'https://127.0.0.1:1' })),
  says(
    'kc-server-http',
    'a server without TLS',
    'fails later',
    one(({ endpoint }) => ({ server: `http://${endpoint}` })),
    {
      careful: 'refuses',
    },
  ),
  {
    ...says(
      'kc-server-path',
      'a server behind a path',
      'joins',
      one((scene) => ({ server: behind(scene) })),
    ),
    cluster: { server: behind },
    ofKubeadm: true,
  },
  says('kc-server-empty', 'no server', 'fails later', one({ server: '""' })),
  says(
    'kc-insecure-skip',
    'insecure-skip-tls-verify beside the CA, served under a certificate of another CA; pins renounced',
    'fails later',
    one({ lines: ['insecure-skip-tls-verify: true'] }),
    { told: UNSAFE, certificate: () => 'by other ca' },
  ),
  says(
    'kc-insecure-skip-noca',
    'insecure-skip-tls-verify and no CA; pins renounced',
    'refuses',
    one({ ca: null, lines: ['insecure-skip-tls-verify: true'] }),
    { told: UNSAFE, certificate: () => 'by other ca', since: 36 },
  ),
  says('kc-proxy-url', 'a proxy where nobody listens', 'joins', one({ lines: ['proxy-url: http://127.0.0.1:1'] })),
  says(
    'kc-tls-server-name',
    'tls-server-name, and a certificate for that name only; pins renounced',
    'fails later',
    one({ lines: ['tls-server-name: other.example'] }),
    { told: UNSAFE, certificate: () => 'other name' },
  ),
  says(
    'kc-users',
    'users with a token and an exec plug-in',
    'joins',
    clusters(() => [{}], {
      users: '[{name: a, user: {token: not-for-you}}, {name: b, user: {exec: {apiVersion: v1, command: /bin/false}}}]',
    }),
  ),
  ...USERS.map(([how, words, user]) =>
    says(`kc-context-${how}`, `a context whose user has ${words}`, 'joins', (scene) =>
      payload(scene, [{}], {
        contexts: '[{name: c, context: {cluster: "", user: u}}]',
        current: 'c',
        users: `[{name: u, user: ${user(scene)}}]`,
      }),
    ),
  ),
];

/** What a machine does that takes a text of strangers for code; the service manager hears of it. */
const DOES = 'systemctl enable plug-in';
const byNobody = (text: string): string => sign(text, { secret: 'zzzzzzzzzzzzzzzz' });

/** Texts that nobody has signed, and that are code to who reads them carelessly. */
const code: readonly Lie[] = [
  says(
    'kc-yaml-code',
    "tags of YAML that name programs; signed with another token's secret",
    'refuses',
    one({
      lines: [
        `python: !!python/object/apply:os.system ["${DOES}"]`,
        `python-more: !!python/object/apply:subprocess.check_output [[${DOES.split(' ').join(', ')}]]`,
        `ruby: !ruby/object:Gem::Requirement {requirements: ["| ${DOES}"]}`,
      ],
    }),
  ),
  says(
    'kc-shell-code',
    "names that a shell would run; signed with another token's secret",
    'refuses',
    clusters(() => [{ name: `"$(${DOES})"`, lines: [`more: "'; ${DOES}; '"`] }], {
      contexts: `[{name: "\`${DOES}\`", context: {cluster: "$(${DOES})", user: "$(${DOES})"}}]`,
      current: `"\`${DOES}\`"`,
      users: `[{name: "$(${DOES})", user: {token: "$(${DOES})"}}]`,
    }),
  ),
].map(({ data, ...lie }) => ({
  ...lie,
  data: (scene: Scene, nth: number) => {
    const { [CLUSTER_INFO_KUBECONFIG]: text = '' } = data?.(scene, nth) ?? {};
    return clusterInfo(text, byNobody(text));
  },
}));

export const payloadLies: readonly Lie[] = [...code, ...parsing, ...several, ...unsigned, ...authorities, ...servers];
