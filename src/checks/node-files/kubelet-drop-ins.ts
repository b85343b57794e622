/**
 * What lies in the folder of --config-dir, and whose key the kubelet serves with.
 * Source: cmd/kubelet/app/server.go mergeKubeletConfigurations, InitializeTLS.
 */
import { text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { dropInsOf } from './kubelet-started.js';
import type { Told } from './node-kubelet-files.js';
import type { Disk } from './node-seen.js';

/** A file of that folder. */
export interface DropIn {
  readonly path: string;
  /** It says that it is a KubeletConfiguration. */
  readonly isConfiguration: boolean;
}

/** Written to be read: others are notes and copies. */
const MEANT = /\.(?:conf|ya?ml|json)$/;

/** Reader. */
export function readDropIns(disk: Disk): readonly DropIn[] {
  const folder = dropInsOf(disk);
  if (folder === '') return [];
  return Object.entries(disk)
    .filter(([path, { held }]) => path.startsWith(`${folder}/`) && MEANT.test(path) && held.kind !== 'folder')
    .map(([path, { held }]) => ({ path, isConfiguration: held.kind === 'settings' }));
}

/** Files of another ending are passed over, and one that is no configuration ends the kubelet. */
export const dropInsRead: Check<readonly DropIn[]> = {
  id: 'kubelet-drop-ins/read',
  source: 'cmd/kubelet/app/server.go mergeKubeletConfigurations',
  nothing: 'the kubelet is told of no folder of further configuration, or nothing lies there',
  judge: (dropIns) =>
    dropIns.map(({ path, isConfiguration }): Finding => {
      const isRead = path.endsWith('.conf');
      const seen = !isRead
        ? 'it does not end with .conf, and is passed over'
        : isConfiguration
          ? 'it does'
          : 'it says no kind KubeletConfiguration, and the kubelet ends';
      return demand({ subject: path, demanded: 'the kubelet reads it', seen, ok: isRead && isConfiguration });
    }),
};

const FOLDER = '/var/lib/kubelet/pki';
const PKI = '/etc/kubernetes/pki';
/** Source: cmd/kubeadm/app/phases/certs/certlist.go. */
const OF_COMPONENTS = [
  'apiserver',
  'apiserver-kubelet-client',
  'apiserver-etcd-client',
  'front-proxy-client',
  'etcd/server',
  'etcd/peer',
  'etcd/healthcheck-client',
].map((name) => `${PKI}/${name}.crt`);

/** Certificates with the pin of their key; null: what lies there is none. */
export interface Serving {
  readonly path: string;
  readonly pin: string | null;
  readonly others: readonly { readonly path: string; readonly pin: string }[];
}

const pinAt = (disk: Disk, path: string): string | null => {
  const held = disk[path]?.held;
  if (held?.kind === 'pair') return held.certificate.facts.pin;
  return held?.kind === 'certificates' ? (held.certificates[0]?.facts.pin ?? null) : null;
};

/** Reader. */
export function readServing(disk: Disk, { settings, flags }: Told): Serving {
  const named = text(flags['tls-cert-file'] ?? settings.tlsCertFile);
  const own = settings.serverTLSBootstrap === true ? 'kubelet-server-current.pem' : 'kubelet.crt';
  const path = named === '' ? `${FOLDER}/${own}` : named;
  const others = OF_COMPONENTS.flatMap((other) => {
    const pin = pinAt(disk, other);
    return pin === null ? [] : [{ path: other, pin }];
  });
  return { path, pin: pinAt(disk, path), others };
}

/** Whoever gets the key of a kubelet would be the component, too. */
export const servesWithItsOwn: Check<Serving> = {
  id: 'kubelet-drop-ins/serves-with-its-own',
  source: 'cmd/kubelet/app/server.go InitializeTLS; cmd/kubeadm/app/phases/certs/certlist.go',
  nothing: 'the kubelet serves with a certificate that does not lie there, or no component has one here',
  judge: ({ path, pin, others }) => {
    if (pin === null || others.length === 0) return [];
    const same = others.filter((other) => other.pin === pin).map((other) => other.path);
    return [
      demand({
        subject: path,
        demanded: 'its key is that of the kubelet alone',
        seen: same.length === 0 ? 'so it is' : `${same.join(', ')} has it as well`,
        ok: same.length === 0,
      }),
    ];
  },
};
