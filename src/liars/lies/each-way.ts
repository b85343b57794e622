/** What others tell a machine that finds its cluster by token, told to one that finds it, or joins, in another way. */
import { answer } from '../answers.js';
import type { Lie, Told } from '../lie.js';
import { clusterInfo, payload, type Scene } from '../scene.js';
import { answerLies } from './answers.js';
import { clusterLies } from './clusters.js';
import { connectionLies } from './connections.js';
import { fileLies } from './files.js';
import { honestLies } from './honest.js';
import { kubeletLies } from './kubelets.js';
import { machineLies } from './machines.js';
import { payloadLies } from './payloads.js';
import { pinLies } from './pins.js';
import { signatureLies } from './signatures.js';

const byName = new Map(
  [
    ...honestLies,
    ...answerLies,
    ...connectionLies,
    ...fileLies,
    ...clusterLies,
    ...machineLies,
    ...kubeletLies,
    ...payloadLies,
    ...pinLies,
    ...signatureLies,
  ].map((lie) => [lie.name, lie]),
);

/** Throws where there is none: a mistake of this file. */
function named(name: string): Lie {
  const lie = byName.get(name);
  if (lie === undefined) throw new Error(`there is no lie "${name}" that could be told otherwise`);
  return lie;
}

const FILE = '/f.conf';

/** How a machine finds its cluster, or what it joins as. */
interface Way {
  readonly words: string;
  readonly told: Told;
  /** Its server has the discovery file, too. */
  readonly isServed?: true;
}

const WAYS = {
  unsafe: { words: 'pins renounced', told: { pins: () => [], skipsPins: true } },
  cli: { words: 'flags instead of a configuration', told: { byFlags: true } },
  file: { words: 'a discovery file', told: { file: (scene) => payload(scene) } },
  https: {
    words: 'a discovery file at an https URL',
    told: { path: 'https://{endpoint}/f.conf', hostTrusts: 'ca' },
    isServed: true,
  },
  cp: { words: 'a control plane', told: { certificateKey: 'right' } },
  old: { words: 'a configuration of v1beta3', told: { isOld: true } },
  dotted: { words: 'the machine is told a name with dots', told: { registration: { name: 'worker-9.rack.example' } } },
} as const satisfies Readonly<Record<string, Way>>;
type WayName = keyof typeof WAYS;

/** Who may be told in this way alone. */
const OF_KUBEADM: readonly WayName[] = ['dotted', 'old'];

/** Told in these ways as well, each under a name that begins with the way. */
const inWays = (name: string, ...ways: readonly WayName[]): readonly Lie[] =>
  ways.map((way) => inWay(way, named(name)));

function inWay(name: WayName, lie: Lie): Lie {
  const way: Way = WAYS[name];
  const { file, registration, ...told } = lie.told ?? {};
  const there = way.isServed === true || file === undefined ? {} : { file };
  const own = { ...registration, ...way.told.registration };
  return {
    ...lie,
    name: `${name}-${lie.name}`,
    server: `${lie.server}; ${way.words}`,
    told: {
      ...told,
      ...there,
      ...way.told,
      ...(Object.keys(own).length === 0 ? {} : { registration: own }),
    },
    ...(OF_KUBEADM.includes(name) ? { ofKubeadm: true as const } : {}),
    ...(way.isServed === true ? { answer: serving(file ?? payload, lie.answer) } : {}),
  };
}

/** The discovery file, beside what is answered. */
const serving =
  (file: (scene: Scene) => string, others: Lie['answer']): Lie['answer'] & object =>
  (asked, scene) =>
    asked.path === FILE ? answer(200, file(scene), 'text/plain') : others?.(asked, scene);

const EVERY: readonly WayName[] = ['unsafe', 'cli', 'file', 'https', 'cp'];
const CONFIGURED: readonly WayName[] = ['unsafe', 'file', 'https', 'cp'];
const PLANES: readonly WayName[] = ['unsafe', 'file', 'https', 'dotted'];

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
    answer: serving((scene) => payload(scene, [{ server: byLocalName(scene) }]), undefined),
  },
  ...(['unsafe', 'cp', 'cli'] as const).map((way) => ({
    ...inWay(way, { name: 'server-by-name', server: 'honest; cluster-info names another server', right: 'joins' }),
    cluster: { server: byLocalName },
    data: (scene: Scene) => clusterInfo(payload(scene, [{ server: byLocalName(scene) }])),
  })),
];

/** Control planes that find their cluster otherwise than by token, or have another name. */
const controlPlanes: readonly Lie[] = (['unsafe', 'file', 'https', 'dotted'] as const).map((way) => {
  const lie = inWay(way, named('cp-download-certs'));
  return { ...lie, name: `cp-${way}`, told: { certificateKey: 'right', ...lie.told } };
});

/** What control planes alone are told, and find. */
const ofControlPlanes: readonly Lie[] = [
  ...inWays('cp-etcd', ...PLANES),
  ...inWays('cp-marked', ...PLANES),
  ...inWays('cp-untainted', ...PLANES),
  ...inWays('cp-well', ...PLANES),
  ...inWays('cp-configured', ...PLANES),
  ...inWays('cp-etcd-stranger', 'file', 'https'),
  ...inWays('cp-etcd-sick', 'file', 'https'),
  ...inWays('cp-server-sick', 'unsafe', 'file'),
  ...inWays('cp-patched', 'unsafe', 'file', 'https'),
  ...inWays('cp-dry-run', 'unsafe', 'file', 'https'),
  ...inWays('cp-wrong-key', 'unsafe', 'file', 'https'),
];

const MINUTE = 60_000;

export const eachWayLies: readonly Lie[] = [
  ...inWays('kubelet-stays', ...EVERY, 'dotted'),
  ...inWays('kubelet-renews-at-other-ca', ...EVERY),
  ...inWays('node-taken-ready', ...EVERY),
  ...inWays('csr-500-once', ...EVERY),
  ...inWays('no-autoapprove', ...CONFIGURED),
  ...inWays('kubelet-unhealthy', ...CONFIGURED),
  ...inWays('csr-denied', ...CONFIGURED, 'dotted'),
  ...inWays('csr-failed', ...CONFIGURED, 'dotted'),
  ...inWays('csr-unapproved', ...CONFIGURED, 'dotted'),
  ...inWays('csr-other-key', ...CONFIGURED, 'dotted'),
  ...inWays('no-autoapprove', 'dotted'),
  ...inWays('node-told', ...CONFIGURED),
  ...inWays('node-patched', 'unsafe', 'file', 'https'),
  ...inWays('dry-run', 'unsafe', 'file', 'https'),
  ...inWays('ca-elsewhere', 'unsafe', 'file', 'https'),
  ...inWays('kc-ca-bundle-right-first', 'cli', 'cp'),
  ...inWays('file-ca-bundle', 'https'),
  ...inWays('pin-wrong', 'cli', 'dotted'),
  inWay('old', { name: 'ok', server: 'honest', right: 'joins' }),
  inWay('old', {
    name: 'node-told',
    server: 'honest; the machine is told its runtime, a taint and an argument',
    right: 'joins',
    told: {
      registration: {
        criSocket: 'unix:///run/other/runtime.sock',
        taints: [{ key: 'example.com/kept', value: 'for-others', effect: 'NoSchedule' }],
        kubeletExtraArgs: [{ name: 'node-labels', value: 'example.com/rack=r7' }],
      },
    },
  }),
  ...inWays('no-jws', 'old'),
  ...inWays('cp-download-certs', 'old'),
  ...inWays('https-unknown-ca', 'cp'),
  ...inWays('pin-two-first', 'cp', 'cli'),
  ...inWays('pin-two-second', 'cp'),
  ...inWays('pin-two-wrong', 'cp', 'cli'),
  ...inWays('jws-wrong-secret', 'cli', 'dotted'),
  ...inWays('second-differs', 'cli', 'cp', 'dotted'),
  ...inWays('file-several-users', 'https', 'cp'),
  ...inWays('file-current-context', 'https', 'cp'),
  ...inWays('file-token-inside', 'https', 'cp'),
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
  ...ofControlPlanes,
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
