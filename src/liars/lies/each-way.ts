/** What others tell a machine that finds its cluster by token, told to one that finds it, or joins, in another way. */
import { answer } from '../answers.js';
import type { Lie, Told } from '../lie.js';
import { payload, type Scene } from '../scene.js';
import { answerLies } from './answers.js';
import { clusterLies } from './clusters.js';
import { connectionLies } from './connections.js';
import { fileLies } from './files.js';
import { honestLies } from './honest.js';
import { kubeletLies } from './kubelets.js';
import { machineLies } from './machines.js';

const byName = new Map(
  [...honestLies, ...answerLies, ...connectionLies, ...fileLies, ...clusterLies, ...machineLies, ...kubeletLies].map(
    (lie) => [lie.name, lie],
  ),
);

/** Throws where there is none: a mistake of this file. */
function named(name: string): Lie {
  const lie = byName.get(name);
  if (lie === undefined) throw new Error(`there is no lie "${name}" that could be told otherwise`);
  return lie;
}

/** How a machine finds its cluster, or what it joins as. */
interface Way {
  readonly words: string;
  readonly told: Told;
  readonly answer?: Lie['answer'];
}

const WAYS = {
  unsafe: { words: 'pins renounced', told: { pins: () => [], skipsPins: true } },
  cli: { words: 'flags instead of a configuration', told: { byFlags: true } },
  file: { words: 'a discovery file', told: { file: (scene) => payload(scene) } },
  https: {
    words: 'a discovery file at an https URL',
    told: { path: 'https://{endpoint}/f.conf', hostTrusts: 'ca' },
    answer: ({ path }, scene) => (path === '/f.conf' ? answer(200, payload(scene), 'text/plain') : undefined),
  },
  cp: { words: 'a control plane', told: { certificateKey: 'right' } },
  dotted: { words: 'the machine is told a name with dots', told: { registration: { name: 'worker-9.rack.example' } } },
} as const satisfies Readonly<Record<string, Way>>;
type WayName = keyof typeof WAYS;

/** Who may be told in this way alone. */
const OF_KUBEADM: readonly WayName[] = ['dotted'];

/** Told in these ways as well, each under a name that begins with the way. */
const inWays = (name: string, ...ways: readonly WayName[]): readonly Lie[] =>
  ways.map((way) => inWay(way, named(name)));

function inWay(name: WayName, lie: Lie): Lie {
  const way: Way = WAYS[name];
  const own = way.answer;
  return {
    ...lie,
    name: `${name}-${lie.name}`,
    server: `${lie.server}; ${way.words}`,
    told: { ...lie.told, ...way.told },
    ...(OF_KUBEADM.includes(name) ? { ofKubeadm: true as const } : {}),
    ...(own === undefined ? {} : { answer: (asked, scene) => own(asked, scene) ?? lie.answer?.(asked, scene) }),
  };
}

const EVERY: readonly WayName[] = ['unsafe', 'cli', 'file', 'https', 'cp'];
const CONFIGURED: readonly WayName[] = ['unsafe', 'file', 'https', 'cp'];

/** Right certificate, and one of another CA once this was asked for. */
const changing = (name: string, words: string, after: RegExp, way: WayName, more: Partial<Lie> = {}): Lie => ({
  ...inWay(way, {
    name,
    server: `right certificate, and one of another CA after ${words}`,
    right: 'fails later',
    changes: { after: [after], to: 'by other ca' },
    ...more,
  }),
});

const byLocalName = ({ endpoint }: Scene): string => `https://${endpoint.replace(/^[^:]*/, 'localhost')}`;

const elsewhere: readonly Lie[] = [
  {
    ...inWay('https', { name: 'server-by-name', server: 'honest; the file names another server', right: 'joins' }),
    cluster: { server: byLocalName },
    answer: ({ path }, scene) =>
      path === '/f.conf' ? answer(200, payload(scene, [{ server: byLocalName(scene) }]), 'text/plain') : undefined,
  },
];

/** Control planes that find their cluster otherwise than by token, or have another name. */
const controlPlanes: readonly Lie[] = (['unsafe', 'file', 'https', 'dotted'] as const).map((way) => {
  const lie = inWay(way, named('cp-download-certs'));
  return { ...lie, name: `cp-${way}`, told: { certificateKey: 'right', ...lie.told } };
});

const MINUTE = 60_000;

export const eachWayLies: readonly Lie[] = [
  ...inWays('kubelet-stays', ...EVERY, 'dotted'),
  ...inWays('kubelet-renews-at-other-ca', ...EVERY),
  ...inWays('node-taken-ready', ...EVERY),
  ...inWays('csr-500-once', ...EVERY),
  ...inWays('no-autoapprove', ...CONFIGURED),
  ...inWays('kubelet-unhealthy', ...CONFIGURED),
  ...inWays('token-tls-other', 'unsafe', 'cp'),
  ...inWays('no-jws', 'unsafe', 'cp'),
  ...inWays('file-500', 'https'),
  ...(['unsafe', 'https'] as const).flatMap((way) => [
    changing('changes-after-configuration', 'the configuration', /\/configmaps\/kubeadm-config$/, way),
    changing('changes-after-node', 'the Node', /\/api\/v1\/nodes\/[^/]+$/, way),
  ]),
  changing('changes-after-file', 'the file', /^\/f\.conf$/, 'https', { right: 'gives up' }),
  {
    ...changing('kubelet-unrotated-changes', 'the Node', /\/api\/v1\/nodes\/[^/]+$/, 'unsafe'),
    name: 'kubelet-unrotated-changes',
    isUnrotated: true,
    ofKubeadm: true,
  },
  ...elsewhere,
  ...controlPlanes,
  {
    name: 'signed-in-a-while',
    server: 'honest; signs each request after a quarter of a minute',
    right: 'joins',
    signsIn: MINUTE / 4,
  },
  {
    name: 'cli-signed-in-minutes',
    server: 'honest; signs each request after two minutes and a half; flags',
    right: 'joins',
    told: { byFlags: true },
    signsIn: 2.5 * MINUTE,
    onlyPlayed: 'nobody waits for minutes to see whether its kubelet does',
  },
];
