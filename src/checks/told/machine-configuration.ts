/**
 * What a cluster that kubeadm has set up tells joining machines in ConfigMaps: whoever has a token reads them, and a
 * machine runs what they say.
 * Source: cmd/kubeadm/app/phases/uploadconfig, phases/kubelet/config.go and phases/addons/proxy.
 */
import { isRecord, list, record, text } from '../../kubernetes/json.js';
import type { ConfigMap } from '../../kubernetes/objects.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import { leavingOf, stays } from '../cluster-info/cluster-info-lasting.js';

/** One ConfigMap. */
export interface ToldToMachines {
  /** "ConfigMap kube-system/kubelet-config" */
  readonly subject: string;
  /** The key that machines read, and "group/*, kind" of what stands there. */
  readonly key: string;
  readonly kind: string;
  readonly there: boolean;
  /** Why it goes; '' where it stays, undefined where it is not there. */
  readonly leaving?: string;
  /** "group, kind" of what was read; a sentence where that is not to be had. */
  readonly read: string;
  /** Where credentials stand, never what they are: `data.kubelet: token`. */
  readonly credentials: readonly string[];
  /** Settings of a kubelet by their names, as far as they are said. */
  readonly settings: Readonly<Record<string, string>>;
}

interface Place {
  readonly subject: string;
  readonly key: string;
  readonly kind: string;
}

const SECRET_FIELDS = ['token', 'password', 'client-key-data', 'certificateKey'];
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

const parsed = (written: string): unknown => {
  try {
    return parseYaml(written, { maxAliasCount: 10, prettyErrors: false });
  } catch {
    return undefined;
  }
};

/** Names of fields that hold a credential, at any depth; a name in braces or angles stands for one. */
function secretFields(value: unknown, depth = 0): readonly string[] {
  if (depth > 20) return [];
  if (Array.isArray(value)) return list(value).flatMap((item) => secretFields(item, depth + 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, held]) =>
    SECRET_FIELDS.includes(name) && /^[^<{$\s][^\s]*$/.test(text(held)) ? [name] : secretFields(held, depth + 1),
  );
}

const credentialsIn = (name: string, written: string): readonly string[] => [
  ...(PRIVATE_KEY.test(written) ? [`${name}: a private key`] : []),
  ...new Set(secretFields(parsed(written)).map((field) => `${name}: ${field}`)),
];

interface Setting {
  readonly name: string;
  /** What it is where nothing is said, and what it has to be; '' where it is left out. Source: v1beta1/defaults.go. */
  readonly wanted: string;
}

const SETTINGS: readonly Setting[] = [
  { name: 'authentication.anonymous.enabled', wanted: 'false' },
  { name: 'authorization.mode', wanted: 'Webhook' },
  { name: 'readOnlyPort', wanted: '0' },
  { name: 'staticPodURL', wanted: '' },
];

const settingsIn = (document: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    SETTINGS.flatMap(({ name }) => {
      const value = name.split('.').reduce<unknown>((held, part) => record(held)[part], document);
      return value === undefined || value === null ? [] : [[name, String(value)]];
    }),
  );

const kindOf = (document: unknown): string => {
  const { apiVersion, kind } = record(document);
  return `${text(apiVersion).split('/')[0] ?? ''}, ${text(kind)}`;
};

/** What stands under a key, parsed; undefined: nothing, or nothing that can be. */
export const documentOf = (map: ConfigMap | undefined, key: string): unknown => {
  const written = map?.data?.[key];
  return written === undefined ? undefined : parsed(written);
};

/** Reader; undefined where the ConfigMap is not there. */
export function readToldToMachines({ subject, key, kind }: Place, map: ConfigMap | undefined): ToldToMachines {
  const data = Object.entries(map?.data ?? {});
  const written = map?.data?.[key];
  const document = documentOf(map, key);
  const read =
    map === undefined
      ? 'it is not there'
      : written === undefined
        ? `it has no key ${key}`
        : isRecord(document)
          ? kindOf(document)
          : 'it is no mapping in YAML';
  return {
    subject,
    key,
    kind,
    there: map !== undefined,
    ...(map === undefined ? {} : { leaving: leavingOf(map.metadata) }),
    read,
    credentials: data.flatMap(([name, value]) => credentialsIn(`data.${name}`, value)),
    settings: settingsIn(document),
  };
}

/** A machine that joins reads them before it starts its kubelet, and gives up without. */
export const machinesFindConfiguration: Check<readonly ToldToMachines[]> = {
  id: 'machine-configuration/found',
  source: 'cmd/kubeadm/app/util/config/cluster.go FetchInitConfigurationFromCluster; componentconfigs/kubelet.go',
  judge: (maps) =>
    maps.flatMap(({ subject, key, kind, read, leaving }) => [
      demand({ subject, demanded: `holds ${kind} under "${key}"`, seen: read, ok: read === kind }),
      ...stays(subject, leaving),
    ]),
};

/** Whoever has a token reads it, and every node does. */
export const machinesReadNoCredential: Check<readonly ToldToMachines[]> = {
  id: 'machine-configuration/credentials',
  source: 'cmd/kubeadm/app/phases/bootstraptoken/node/tlsbootstrap.go: the rights of a token',
  nothing: 'no ConfigMap that machines read is there',
  judge: (maps) =>
    maps
      .filter(({ there }) => there)
      .map(({ subject, credentials }) =>
        refusal({
          subject,
          demanded: 'holds no credential',
          seen: credentials.join('; ') || 'it holds none',
          ok: credentials.length === 0,
        }),
      ),
};

/** Every machine that joins lets in whom they name. */
export const kubeletsGuarded: Check<ToldToMachines> = {
  id: 'machine-configuration/guarded',
  source: 'pkg/kubelet/apis/config/types.go; kubernetes.io, kubelet authentication and authorization',
  nothing: 'no configuration of kubelets is there',
  judge: ({ subject, there, settings }) =>
    there
      ? SETTINGS.map(({ name, wanted }) => {
          const { [name]: told = wanted } = settings;
          return demand({
            subject,
            demanded: `${name} is ${wanted || 'not set'}`,
            seen: told || 'it is not set',
            ok: told === wanted,
          });
        })
      : [],
};
