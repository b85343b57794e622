/** The kubelet of a node: that its service starts it, and what its configuration says, flags above files. */
import { type Fields, isRecord, record, text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { oddKubeletFields } from '../written/kubelet-fields.js';
import { oddKubeletValues } from '../written/kubelet-values.js';
import { dropInsOf, ENVIRONMENT, type Flags, type Started } from './kubelet-started.js';
import { held, type Seen } from './node-files.js';
import { firstAddress, ipv4Number } from './node-names.js';
import type { Disk } from './node-seen.js';

const SOURCE = '002, constants and well-known paths; cmd/kubeadm/app/componentconfigs/kubelet.go';

/** Fields above others; what is no list of fields replaces what was there. */
function above(lower: Fields, upper: Fields): Fields {
  const merged = Object.entries(upper).map(([name, value]) => {
    const under = lower[name];
    return [name, isRecord(value) && isRecord(under) ? above(under, value) : value] as const;
  });
  return { ...lower, ...Object.fromEntries(merged) };
}

/** The configuration with all that lies in the folder of --config-dir. Source: cmd/kubelet/app/server.go mergeKubeletConfigurations. */
export function settingsSeen(disk: Disk, config: Seen): Seen {
  const folder = dropInsOf(disk);
  const own = config.file?.held;
  if (folder === '' || config.file === null || own?.kind !== 'settings') return config;
  const paths = Object.keys(disk).filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.conf'));
  const dropIns = paths.sort().flatMap((path) => {
    const there = disk[path]?.held;
    return there?.kind === 'settings' ? [there.settings] : [];
  });
  const settings = dropIns.reduce(above, own.settings);
  return { ...config, file: { ...config.file, held: { kind: 'settings', settings } } };
}

/** Source: kubernetes/release, cmd/krel/templates/latest/kubeadm/10-kubeadm.conf. */
const GIVEN: Flags = {
  'bootstrap-kubeconfig': '/etc/kubernetes/bootstrap-kubelet.conf',
  kubeconfig: '/etc/kubernetes/kubelet.conf',
  config: '/var/lib/kubelet/config.yaml',
};

/** Where a unit lies there it gives the kubelet its three files, and what kubeadm has written for it. */
export const serviceStarts: Check<Started> = {
  id: 'node-kubelet/service',
  source: '004, section 1 and 6; kubernetes/release, 10-kubeadm.conf',
  nothing: 'no part of the unit kubelet.service lies there',
  judge: ({ command, files, flags }): readonly Finding[] => {
    if (command === undefined) return [];
    const look = (demanded: string, seen: string, ok: boolean): Finding =>
      demand({ subject: 'kubelet.service', demanded, seen, ok });
    const hasFlags = command.includes('KUBELET_KUBEADM_ARGS') && files.includes(ENVIRONMENT);
    return [
      ...Object.entries(GIVEN).map(([name, wanted]) =>
        look(`--${name}=${wanted}`, flags[name] ?? 'it is not set', flags[name] === wanted),
      ),
      look(`it has the flags of ${ENVIRONMENT}`, hasFlags ? 'it has' : 'it has not', hasFlags),
    ];
  },
};

/** Flags name no other file than those that everybody knows, wherever they stand. */
export const flagsKept: Check<Started, { readonly names: readonly string[] }> = {
  id: 'node-kubelet/flags-kept',
  source: SOURCE,
  judge: ({ flags }, { names }) =>
    names.map((name) => {
      const seen = flags[name];
      const demanded = `--${name} is ${GIVEN[name] ?? 'not set'}, where it is given`;
      return demand({
        subject: 'the kubelet',
        demanded,
        seen: seen ?? 'it is not',
        ok: seen === undefined || seen === GIVEN[name],
      });
    }),
};

/** A setting of the kubelet. */
export interface SettingWanted {
  /** "authentication.anonymous.enabled" */
  readonly name: string;
  /** The flag that stands above it; '' where there is none. */
  readonly flag: string;
  readonly wanted: readonly string[];
  /** What counts where nothing is said. Source: pkg/kubelet/apis/config/v1beta1/defaults.go. */
  readonly otherwise: string;
}

const sideOf = (path: string): string => path.replace(/(?<=.)\/$/, '');

export const kubeletSetting: Check<{ readonly config: Seen; readonly flags: Flags }, SettingWanted> = {
  id: 'node-kubelet/setting',
  source: SOURCE,
  judge: ({ config, flags }, { name, flag, wanted, otherwise }) => [
    held(config, 'settings', `${name} is ${wanted.join(' or ') || 'not set'}`, ({ settings }) => {
      let value: unknown = settings;
      for (const part of name.split('.')) value = record(value)[part];
      const told = value === undefined || value === null ? otherwise : String(value);
      const { [flag]: above } = flags;
      const counts = sideOf(above ?? told);
      const seen = above === undefined ? told || 'it is not set' : `--${flag}=${above}`;
      return { seen, ok: wanted.length === 0 ? counts === '' : wanted.includes(counts) };
    }),
  ],
};

/** A setting that has no default. */
export const kubeletTold: Check<
  { readonly config: Seen; readonly flags: Flags },
  Pick<SettingWanted, 'name' | 'flag'>
> = {
  id: 'node-kubelet/told',
  source: SOURCE,
  judge: ({ config, flags }, { name, flag }) => [
    held(config, 'settings', `${name} is set`, ({ settings }) => {
      const value = text(flags[flag] ?? settings[name]);
      return { seen: value || 'it is not set', ok: value !== '' };
    }),
  ],
};

/** Names are looked up where the cluster answers: within the subnet of services, or on the node itself. */
export const clusterDns: Check<readonly Seen[], { readonly within: string; readonly above?: string }> = {
  id: 'node-kubelet/cluster-dns',
  source: `${SOURCE}; cmd/kubeadm/app/constants GetDNSIP`,
  judge: (all, { within, above }) =>
    all.map((seen) =>
      held(
        seen,
        'settings',
        'clusterDNS is an address of another service than that of the API, or of the node',
        ({ settings: { clusterDNS } }) => {
          const told = above === undefined ? clusterDNS : above.split(',');
          const addresses = Array.isArray(told) ? told.map(String) : [];
          const isThere = (address: string): boolean =>
            /^\d+(?:\.\d+){3}$|:/.test(address) &&
            (/^(?:169\.254\.|fe80:|fd00:169)/.test(address) ||
              address.includes(':') ||
              within === '' ||
              isWithin(address, within));
          return {
            seen: addresses.join(', ') || 'it is not set',
            ok: addresses.length > 0 && addresses.every((one) => isThere(one) && one !== firstAddress(within)),
          };
        },
      ),
    ),
};

/** Of IPv4; subnets with commas between. */
const isWithin = (address: string, subnets: string): boolean =>
  subnets.split(',').some((subnet) => {
    const [base = '', length = '32'] = subnet.split('/');
    const size = 2 ** (32 - Number(length));
    return !base.includes(':') && Math.floor(ipv4Number(address) / size) === Math.floor(ipv4Number(base) / size);
  });

/** What the kubelet would read of it is what stands there. */
export const settingsKnown: Check<readonly Seen[]> = {
  id: 'node-kubelet/settings-known',
  source: `${SOURCE}; pkg/kubelet/kubeletconfig/util/codec/codec.go`,
  judge: (all) =>
    all.map((seen) =>
      held(seen, 'settings', 'it has no field that the kubelet does not know', ({ settings }) => {
        const odd = oddKubeletFields(settings);
        return { seen: odd.slice(0, 5).join(', ') || 'it has none', ok: odd.length === 0 };
      }),
    ),
};

/** It can start with what stands there. */
export const settingsAccepted: Check<readonly Seen[]> = {
  id: 'node-kubelet/settings-accepted',
  source: `${SOURCE}; pkg/kubelet/apis/config/validation/validation.go`,
  judge: (all) =>
    all.map((seen) =>
      held(seen, 'settings', 'it has no value that the kubelet refuses', ({ settings }) => {
        const odd = oddKubeletValues(settings);
        return { seen: odd.slice(0, 5).join(', ').slice(0, 200) || 'it has none', ok: odd.length === 0 };
      }),
    ),
};

/** What is of this machine alone. */
export const instanceSettings: Check<readonly Seen[]> = {
  id: 'node-kubelet/instance',
  source: 'cmd/kubeadm/app/phases/kubelet/config.go WriteInstanceConfigToDisk; KEP-4656',
  nothing: 'no configuration of this machine alone lies there: kubeadm writes it since 1.34',
  judge: (all) =>
    all.map((seen) =>
      held(seen, 'settings', 'it names the socket of the container runtime, and nothing else', ({ settings }) => {
        const names = Object.keys(settings).filter((name) => !['apiVersion', 'kind'].includes(name));
        const { containerRuntimeEndpoint: socket } = settings;
        const isLocal = typeof socket === 'string' && /^(?:unix:\/\/|npipe:|\/)/.test(socket);
        const isKind = [undefined, 'KubeletConfiguration'].includes(settings.kind as string | undefined);
        const ok = names.join() === 'containerRuntimeEndpoint' && isLocal && isKind;
        return { seen: names.length === 0 ? 'it says nothing' : `${names.slice(0, 5).join(', ')}: ${socket}`, ok };
      }),
    ),
};
