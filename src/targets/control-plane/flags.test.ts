import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllersFlag } from '../../kubeadm/flags.js';
import type { Switches } from '../types.js';
import { extraArgsOf } from './flags.js';

const of = (switches: Switches) => extraArgsOf({ etcd: 1, etcdPeer: 2, controllerManager: 3 }, switches);
const USUAL = {
  etcd: {
    'experimental-initial-corrupt-check': undefined,
    'experimental-watch-progress-notify-interval': undefined,
    'feature-gates': undefined,
    'listen-metrics-urls': undefined,
    'watch-progress-notify-interval': undefined,
    'advertise-client-urls': 'https://127.0.0.1:1',
    'initial-advertise-peer-urls': 'https://127.0.0.1:2',
    'initial-cluster': 'joinproof=https://127.0.0.1:2',
    'listen-client-urls': 'https://127.0.0.1:1',
    'listen-peer-urls': 'https://127.0.0.1:2',
    name: 'joinproof',
    'unsafe-no-fsync': 'true',
  },
  'kube-apiserver': { 'bind-address': '127.0.0.1', 'etcd-servers': 'https://127.0.0.1:1' },
  'kube-controller-manager': { controllers: controllersFlag([]), 'secure-port': '3' },
};

describe('what a control plane on loopback is told', () => {
  it('is where its parts listen and find each other', () => assert.deepEqual(of({}), USUAL));

  const server = USUAL['kube-apiserver'];
  const controllers = USUAL['kube-controller-manager'];
  const without = (...off: readonly string[]) => ({ ...controllers, controllers: controllersFlag(off) });
  const rows: readonly (readonly [Switches, object])[] = [
    [{ bootstrapTokenAuth: false }, { 'kube-apiserver': { ...server, 'enable-bootstrap-token-auth': undefined } }],
    [{ anonymousAuth: false }, { 'kube-apiserver': { ...server, 'anonymous-auth': 'false' } }],
    [{ bootstrapTokenAuth: true, anonymousAuth: true }, {}],
    [{ signingSeconds: 60 }, { 'kube-controller-manager': { ...controllers, 'cluster-signing-duration': '60s' } }],
    [{ bootstrapSigner: false }, { 'kube-controller-manager': without('bootstrapsigner') }],
    [{ tokenCleaner: false }, { 'kube-controller-manager': without('tokencleaner') }],
    [{ csrApprover: false }, { 'kube-controller-manager': without('csrapproving') }],
    [{ csrSigner: false }, { 'kube-controller-manager': without('csrsigning') }],
    [
      { csrSigner: false, tokenCleaner: false, csrApprover: true },
      { 'kube-controller-manager': without('tokencleaner', 'csrsigning') },
    ],
  ];
  for (const [switches, told] of rows)
    it(`follows ${JSON.stringify(switches)}`, () => assert.deepEqual(of(switches), { ...USUAL, ...told }));
});
