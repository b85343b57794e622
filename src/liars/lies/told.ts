/**
 * Lies that are told to a machine beside something else: to change nothing, to be a control plane, to pass over what it
 * finds on its disk, by flags. None of that makes anybody more credible.
 */
import type { Lie, Told } from '../lie.js';
import { clusterInfo, payload, sign } from '../scene.js';

const BESIDE: readonly (readonly [name: string, words: string, told: Told])[] = [
  ['dry-run', 'to a client that is to change nothing', { dryRun: true }],
  ['control-plane', 'to a control plane', { certificateKey: 'right' }],
  [
    'ignored',
    'to a client that is to pass over whatever its checks find',
    { registration: { ignorePreflightErrors: ['all'] } },
  ],
  ['verbose', 'to a client that is to say more', { isVerbose: true }],
];

export const toldLies: readonly Lie[] = BESIDE.flatMap(([name, words, told]): readonly Lie[] => [
  {
    name: `pin-wrong-${name}`,
    server: `honest, with the pin of another CA, ${words}`,
    right: 'refuses',
    ofKubeadm: true,
    told: { ...told, pins: (of) => [of('other ca')] },
  },
  {
    name: `jws-wrong-secret-${name}`,
    server: `signed with another secret, ${words}`,
    right: 'refuses',
    ofKubeadm: true,
    told,
    data: (scene) => clusterInfo(payload(scene), sign(payload(scene), { secret: 'fedcba9876543210' })),
  },
]);
