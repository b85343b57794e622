/** Where the programs of a machine listen: of two at one port the later one ends at its start. */
import { type Fields, text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import type { Look } from '../../model/finding.js';
import { itemsOf } from './component-values.js';
import { held, type Seen } from './node-files.js';
import { canonical, hostOf } from './node-names.js';
import { componentOf, inPod } from './node-pods.js';

type Flags = Readonly<Record<string, string>>;

interface Listener {
  readonly program: string;
  readonly address: string;
  readonly port: number;
}

/** Every address of a machine, of both families: so Go listens at either. Source: Go, net favoriteAddrFamily. */
const EVERYWHERE = ['0.0.0.0', canonical('::'), ''];
const isMet = (one: Listener, other: Listener): boolean =>
  one.port === other.port &&
  (one.address === other.address || [one, other].some(({ address }) => EVERYWHERE.includes(address)));

const listener = (program: string, address: string, port: unknown): readonly Listener[] => {
  const number = Number(port);
  // nobody listens at port 0, and of what is no port other rules tell
  if (!Number.isInteger(number) || number <= 0) return [];
  return [{ program, address: canonical(address === 'localhost' ? '127.0.0.1' : address), port: number }];
};

/** Source: cmd/kube-apiserver, cmd/kube-controller-manager, cmd/kube-scheduler: defaults of --secure-port. */
const SECURE_PORTS: Flags = {
  'kube-apiserver': '6443',
  'kube-controller-manager': '10257',
  'kube-scheduler': '10259',
};
const ETCD_LISTENS = ['listen-client-urls', 'listen-peer-urls', 'listen-metrics-urls', 'listen-client-http-urls'];

function listenersOf(program: string, flags: Flags): readonly Listener[] {
  if (program !== 'etcd')
    return listener(program, flags['bind-address'] ?? '0.0.0.0', flags['secure-port'] ?? SECURE_PORTS[program]);
  const urls = ETCD_LISTENS.flatMap((flag) => itemsOf(flags[flag]));
  return urls.flatMap((url) => listener(program, hostOf(url), /:(\d+)\/*$/.exec(url)?.[1]));
}

/** Settings of a kubelet, the flags above them, and their defaults. Source: pkg/kubelet/apis/config/v1beta1/defaults.go. */
const KUBELET_LISTENS = [
  { address: ['address', 'address', '0.0.0.0'], port: ['port', 'port', 10_250] },
  { address: ['address', 'address', '0.0.0.0'], port: ['readOnlyPort', 'read-only-port', 0] },
  {
    address: ['healthzBindAddress', 'healthz-bind-address', '127.0.0.1'],
    port: ['healthzPort', 'healthz-port', 10_248],
  },
] as const;

function listenersOfKubelet(settings: Fields, flags: Flags): readonly Listener[] {
  const told = ([name, flag, otherwise]: readonly [string, string, string | number]): unknown =>
    flags[flag] ?? settings[name] ?? otherwise;
  return KUBELET_LISTENS.flatMap(({ address, port }) => listener('kubelet', text(told(address)), told(port)));
}

const shownAt = ({ address, port }: Listener): string =>
  EVERYWHERE.includes(address) ? `:${port}` : address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

function met(own: readonly Listener[], all: readonly Listener[]): Pick<Look, 'seen' | 'ok'> {
  const odd = own.flatMap((one) => {
    const other = all.find((another) => another !== one && isMet(one, another));
    return other === undefined ? [] : [`${shownAt(one)} is that of ${other.program}, too`];
  });
  return { seen: odd.slice(0, 4).join('; ') || 'it does', ok: odd.length === 0 };
}

export interface Listening {
  /** Of the components that run there. */
  readonly manifests: readonly Seen[];
  readonly kubelet: Seen;
  /** Those of the kubelet. */
  readonly flags: Flags;
}

/** Each program of a machine listens where no other does. */
export const portsApart: Check<Listening> = {
  id: 'node-listeners/apart',
  source: 'listen(2), EADDRINUSE; cmd/kubeadm/app/constants/constants.go; pkg/kubelet/apis/config/v1beta1/defaults.go',
  judge: ({ manifests, kubelet, flags }) => {
    const demanded = 'it listens at ports of its own';
    const ofPods = manifests.flatMap(({ path, file }) =>
      file?.held.kind === 'manifest' ? listenersOf(componentOf(path), file.held.flags) : [],
    );
    const ofKubelet =
      kubelet.file?.held.kind === 'settings' ? listenersOfKubelet(kubelet.file.held.settings, flags) : [];
    const all = [...ofPods, ...ofKubelet];
    return [
      ...manifests.map((seen) =>
        inPod(seen, demanded, () =>
          met(
            all.filter(({ program }) => program === componentOf(seen.path)),
            all,
          ),
        ),
      ),
      held(kubelet, 'settings', demanded, () => met(ofKubelet, all)),
    ];
  },
};
