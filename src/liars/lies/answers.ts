/** Lies in the answer to the first request: statuses, bodies that are none, redirects, signatures that come late. */
import { base64, record } from '../../kubernetes/json.js';
import { SIGNATURE_KEY_PREFIX } from '../../kubernetes/names.js';
import {
  answer,
  clusterInfoBeside,
  clusterInfoMap,
  compressed,
  isClusterInfo,
  json,
  notFound,
  redirect,
  refusal,
  refusalAsSuccess,
} from '../answers.js';
import type { Asked, Lie, Reply, Right } from '../lie.js';
import { clusterInfo, HEADER, payload, type Scene, SIGNATURE_KEY, sign, TOKEN_ID } from '../scene.js';

/** A token that the machine is told for TLS bootstrap alone. */
const OTHER_ID = 'zzzzzz';
const OTHER_SECRET = 'zzzzzzzzzzzzzzzz';

/** Always the same answer to cluster-info. */
const always = (
  name: string,
  server: string,
  reply: Reply | ((scene: Scene, asked: Asked) => Reply | undefined),
  right: Right = 'gives up',
): Lie => ({
  name,
  server,
  right,
  answer: (asked, scene) => {
    if (!isClusterInfo(asked)) return undefined;
    return typeof reply === 'function' ? reply(scene, asked) : reply;
  },
});

const HTML = '<html><body><h1>502 Bad Gateway</h1></body></html>';
const RETRY = { 'retry-after': '1' };
const busy = refusal(429, 'TooManyRequests', 'too many requests', RETRY);
const unavailable = refusal(503, 'ServiceUnavailable', 'unavailable');
const honest = (scene: Scene): Reply => json(200, clusterInfoMap(clusterInfo(payload(scene))));
/** Statuses of a control plane that is being started, one after the other. */
const REFUSALS = [401, 403, 404, 429, 500, 504] as const;
const refusedAt = (nth: number): Reply | undefined => {
  const status = REFUSALS[nth - 1];
  return status === undefined ? undefined : refusal(status, 'Unknown', 'not yet');
};
/** From this look at cluster-info on. */
const refusedFrom =
  (look: number): Lie['answer'] & object =>
  (asked) =>
    isClusterInfo(asked) ? refusedAt(asked.nth - look + 1) : undefined;
/** So often one after the other, as members of a gzip file may stand. Source: RFC 1952, 2.2. */
const repeated = (reply: Reply, times: number): Reply =>
  typeof reply === 'string' ? reply : { ...reply, body: Buffer.concat(Array(times).fill(Buffer.from(reply.body))) };
let made: Reply | undefined;
/** 256 MiB; made once a process. */
function bomb(): Reply {
  made ??= repeated(compressed(answer(200, Buffer.alloc(1024 * 1024, 0x20))), 256);
  return made;
}
/** Well within what is waited for a call. */
const slowly = (reply: Reply): Reply => (typeof reply === 'string' ? reply : { ...reply, after: 3_000 });
const within = (milliseconds: number, lie: Lie): Lie => ({
  ...lie,
  told: { ...lie.told, discoveryTimeout: milliseconds },
});
/** Looks at cluster-info, of which there is one each five seconds, until a control plane is there that takes minutes. */
const SLOW_START = 40;
/** From that look at cluster-info on. */
const forMinutes = (name: string, server: string, look: number): Lie => ({
  ...within(280_000, {
    name,
    server,
    right: 'joins',
    answer: (asked) =>
      isClusterInfo(asked) && asked.nth >= look && asked.nth < look + SLOW_START ? unavailable : undefined,
  }),
  onlyPlayed: 'nobody waits for minutes to see whether it does',
});
const failingTwice: Lie['answer'] & object = (asked) =>
  isClusterInfo(asked) && asked.nth <= 2 ? unavailable : undefined;
const signedByOther = (scene: Scene): string => sign(payload(scene), { secret: OTHER_SECRET });

/** The first look for the Node of its name is answered like this. */
const nodeOnce = (name: string, server: string, reply: Reply): Lie => ({
  name,
  server: `the first look for its Node: ${server}`,
  right: 'joins',
  ofKubeadm: true,
  answer: ({ method, path, nth }) =>
    method === 'GET' && nth === 1 && /^\/api\/v1\/nodes\/[^/]+$/.test(path) ? reply : undefined,
});

export const answerLies: readonly Lie[] = [
  nodeOnce('node-429-once', '429 with Retry-After', busy),
  nodeOnce('node-503-once', '503 with Retry-After', refusal(503, 'ServiceUnavailable', 'unavailable', RETRY)),
  nodeOnce('node-reset-once', 'the connection is reset', 'reset'),
  within(12_000, always('missing', '404 Status NotFound', notFound('configmaps', 'cluster-info'))),
  always('401', '401 Status Unauthorized', refusal(401, 'Unauthorized', 'Unauthorized')),
  always(
    '403',
    '403 Status Forbidden',
    refusal(
      403,
      'Forbidden',
      'configmaps "cluster-info" is forbidden: User "system:anonymous" cannot get resource "configmaps" ' +
        'in API group "" in the namespace "kube-public"',
    ),
  ),
  within(
    12_000,
    always('200-status', 'a Status of failure with 200', refusalAsSuccess(503, 'ServiceUnavailable', 'unavailable')),
  ),
  always('404-plain', '404 with text', answer(404, '404 page not found\n', 'text/plain')),
  always('500', '500 Status InternalError', refusal(500, 'InternalError', 'Internal error occurred: boom')),
  within(
    20_000,
    always('503-twice', '503 twice, then honest', (_, { nth }) => (nth <= 2 ? unavailable : undefined), 'joins'),
  ),
  within(
    20_000,
    always(
      '429-retry-after',
      '429 with Retry-After three times, then honest',
      (_, { nth }) => (nth <= 3 ? busy : undefined),
      'joins',
    ),
  ),
  within(
    20_000,
    always('slow', 'honest; takes three seconds for each answer', (scene) => slowly(honest(scene)), 'joins'),
  ),
  within(
    20_000,
    always(
      '429-twice',
      '429 without Retry-After twice, then honest',
      (_, { nth }) => (nth <= 2 ? refusal(429, 'TooManyRequests', 'too many requests') : undefined),
      'joins',
    ),
  ),
  within(
    60_000,
    always('many-refusals', `${REFUSALS.join(', ')}, then honest`, (_, { nth }) => refusedAt(nth), 'joins'),
  ),
  within(60_000, {
    name: 'second-many-refusals',
    server: `second fetch: ${REFUSALS.join(', ')}, then honest`,
    right: 'joins',
    answer: refusedFrom(2),
  }),
  forMinutes('minutes-of-refusals', '503 forty times, then honest', 1),
  forMinutes('second-minutes-of-refusals', 'second fetch: 503 forty times, then honest', 2),
  always('429-for-ever', '429 with Retry-After for ever', busy),
  always('503-retry-after', '503 with Retry-After for ever', refusal(503, 'ServiceUnavailable', 'unavailable', RETRY)),
  always('404-true', '404, and the true cluster-info as its body', (scene) =>
    json(404, clusterInfoMap(clusterInfo(payload(scene)))),
  ),
  always('300-true', '300 without a Location, and the true cluster-info as its body', (scene) =>
    json(300, clusterInfoMap(clusterInfo(payload(scene)))),
  ),
  always(
    '503-retry-after-4',
    '503 with Retry-After of four seconds for ever',
    refusal(503, 'ServiceUnavailable', 'unavailable', { 'retry-after': '4' }),
  ),
  always(
    '503-retry-after-tomorrow',
    '503 with Retry-After of the day that follows for ever',
    refusal(503, 'ServiceUnavailable', 'unavailable', { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' }),
  ),
  always('html-200', '200 with an HTML page', answer(200, HTML, 'text/html')),
  always('html-200-as-json', '200 with an HTML page that is said to be JSON', answer(200, HTML)),
  always('html-502', '502 with the HTML page of a load balancer', answer(502, HTML, 'text/html')),
  {
    name: 'redirect-same',
    server: '302 to another path of the same server, which is honest',
    right: 'joins',
    answer: (asked, scene) => {
      if (asked.path === '/elsewhere') return honest(scene);
      return isClusterInfo(asked) ? redirect('/elsewhere') : undefined;
    },
  },
  always('redirect-http', '302 to http:// of the same port', ({ endpoint }, { path }) =>
    redirect(`http://${endpoint}${path}`),
  ),
  always('redirect-loop', '302 to itself', (_, { path }) => redirect(path)),
  always('empty-body', '200 with an empty body', answer(200, '')),
  always('json-empty-object', '200 with {}', answer(200, '{}')),
  always('json-null', '200 with null', answer(200, 'null')),
  always('json-array', '200 with []', answer(200, '[]')),
  always('other-kind', '200 with a Secret that holds the right data', (scene) =>
    json(200, { ...(clusterInfoMap(clusterInfo(payload(scene))) as object), kind: 'Secret' }),
  ),
  always(
    'status-success-200',
    '200 with a Status of success',
    json(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }),
  ),
  always(
    'other-name',
    '200 with a ConfigMap of another name and namespace with the right data',
    (scene) => json(200, clusterInfoMap(clusterInfo(payload(scene)), { name: 'other', namespace: 'default' })),
    'joins',
  ),
  always(
    'json-of-utf-8',
    'cluster-info as JSON, and that it is UTF-8',
    (scene) =>
      answer(200, JSON.stringify(clusterInfoMap(clusterInfo(payload(scene)))), 'application/json; charset=utf-8'),
    'joins',
  ),
  always('data-empty', 'ConfigMap with data {}', json(200, clusterInfoMap({}))),
  {
    name: 'binary-kubeconfig',
    server: 'signature in data, and the signed kubeconfig in binaryData',
    right: 'refuses',
    answer: (asked, scene) => {
      if (!isClusterInfo(asked)) return undefined;
      const { kubeconfig = '', ...signatures } = clusterInfo(payload(scene));
      return clusterInfoBeside(signatures, kubeconfig);
    },
  },
  always('data-absent', 'ConfigMap without data', json(200, clusterInfoMap())),
  {
    name: 'no-kubeconfig',
    server: 'signature, no kubeconfig',
    right: 'refuses',
    data: () => ({ [SIGNATURE_KEY]: sign('') }),
  },
  {
    name: 'kubeconfig-elsewhere',
    server: 'signature, and the signed kubeconfig under other keys',
    right: 'refuses',
    data: (scene) => ({
      'kubeconfig.yaml': payload(scene),
      config: payload(scene),
      [SIGNATURE_KEY]: sign(payload(scene)),
    }),
  },
  {
    name: 'kubeconfig-empty',
    server: 'kubeconfig empty, rightly signed',
    right: 'refuses',
    data: () => clusterInfo(''),
  },
  always(
    'cookie',
    'honest, and asks to be told a cookie again',
    (scene) =>
      json(200, clusterInfoMap(clusterInfo(payload(scene))), {
        'set-cookie': 'session=of-this-server; Path=/; Secure',
      }),
    'joins',
  ),
  always('gzip', 'honest, compressed whether asked for or not', (scene) => compressed(honest(scene)), 'joins'),
  {
    name: 'huge',
    server: '8 MiB of other data, otherwise honest',
    right: 'joins',
    data: (scene) => ({ ...clusterInfo(payload(scene)), filler: 'x'.repeat(8 * 1024 * 1024) }),
  },
  always('gzip-bomb', 'a few KiB that become 256 MiB', bomb, 'gives up'),
  within(12_000, {
    name: 'no-jws',
    server: 'no signature at all',
    right: 'gives up',
    data: (scene) => ({ kubeconfig: payload(scene) }),
  }),
  {
    name: 'jws-other-id',
    server: "only another token's signature",
    right: 'gives up',
    data: (scene) => ({ kubeconfig: payload(scene), 'jws-kubeconfig-zzzzzz': sign(payload(scene)) }),
  },
  {
    name: 'jws-of-tls-token',
    server: 'only a signature of the token for TLS bootstrap, which is another one',
    right: 'gives up',
    told: { tlsToken: `${OTHER_ID}.${OTHER_SECRET}` },
    data: (scene) => ({
      kubeconfig: payload(scene),
      [SIGNATURE_KEY_PREFIX + OTHER_ID]: sign(payload(scene), {
        header: HEADER.replace(TOKEN_ID, OTHER_ID),
        secret: OTHER_SECRET,
      }),
    }),
  },
  {
    name: 'jws-longer-id',
    server: 'a right signature, under an id that begins with its own, and one under a key that ends with its own',
    right: 'gives up',
    data: (scene) => ({
      kubeconfig: payload(scene),
      [`${SIGNATURE_KEY}7`]: sign(payload(scene)),
      [`old-${SIGNATURE_KEY}`]: sign(payload(scene)),
    }),
  },
  always('jws-beside', 'a right signature, in binaryData and in an annotation, and not in data', (scene) => {
    const [kubeconfig, signature] = [payload(scene), sign(payload(scene))];
    const map = clusterInfoMap({ kubeconfig }, { annotations: { [SIGNATURE_KEY]: signature } });
    return json(200, { ...record(map), binaryData: { [SIGNATURE_KEY]: base64(signature) } });
  }),
  within(20_000, {
    name: 'jws-late',
    server: 'the signature appears at the third fetch',
    right: 'joins',
    data: (scene, nth) => (nth < 3 ? { kubeconfig: payload(scene) } : undefined),
  }),
  within(20_000, {
    name: 'jws-late-wrong',
    server: "no signature twice, then one with another token's secret",
    right: 'refuses',
    data: (scene, nth) =>
      nth < 3 ? { kubeconfig: payload(scene) } : clusterInfo(payload(scene), signedByOther(scene)),
  }),
  within(20_000, {
    name: 'jws-wrong-after-503',
    server: "503 twice, then signed with another token's secret",
    right: 'refuses',
    answer: failingTwice,
    data: (scene) => clusterInfo(payload(scene), signedByOther(scene)),
  }),
  within(20_000, {
    name: 'pin-wrong-after-503',
    server: '503 twice, then honest; pin of another CA',
    right: 'refuses',
    told: { pins: (of) => [of('other ca')] },
    answer: failingTwice,
  }),
  within(60_000, {
    name: 'jws-wrong-after-many',
    server: `${REFUSALS.join(', ')}, then signed with another token's secret`,
    right: 'refuses',
    answer: refusedFrom(1),
    data: (scene) => clusterInfo(payload(scene), signedByOther(scene)),
  }),
  within(60_000, {
    name: 'pin-wrong-after-many',
    server: `${REFUSALS.join(', ')}, then honest; pin of another CA`,
    right: 'refuses',
    told: { pins: (of) => [of('other ca')] },
    answer: refusedFrom(1),
  }),
  within(20_000, {
    name: 'second-503-differs',
    server: 'second fetch: 503, then a comment more, rightly signed',
    right: 'refuses',
    answer: (asked) => (isClusterInfo(asked) && asked.nth === 2 ? unavailable : undefined),
    data: (scene, nth) => (nth === 1 ? undefined : clusterInfo(`${payload(scene)}# more\n`)),
  }),
  ...(
    [
      ['timeout-2s', 2000],
      ['timeout-0s', 0],
    ] as const
  ).map(([name, timeout]) =>
    within(timeout, {
      name,
      ...(timeout === 0 ? { ofKubeadm: true, since: 33 } : {}),
      server: 'no signature at all',
      right: 'gives up',
      data: (scene) => ({ kubeconfig: payload(scene) }),
    }),
  ),
];
