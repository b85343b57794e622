/** Files that configure an API server and a scheduler, as flags of their manifests name them. */
import type { Fields } from '../../kubernetes/json.js';
import {
  CONFIGURING,
  type ConfigurationSaid,
  type ConfiguredBy,
  configurationSeen,
  refusedSeen,
} from '../written/api-configuration.js';
import { ATTRIBUTES, oddPolicies } from '../written/attribute-policies.js';
import { flagsBy } from '../written/scheduler-configuration.js';
import { fieldsIn, Unread } from '../written/written-fields.js';
import { manifestOf, manifestPath, minorOf } from './node-roles.js';
import type { Disk, Entry, FileSeen, Held, ManifestSeen } from './node-seen.js';

/** Flags of an API server that name a file of this kind. */
export const CONFIGURED_BY: readonly string[] = [...CONFIGURING, ATTRIBUTES];

/** Kubeconfigs that kubeadm and kubelets keep, whatever else names them. */
const OWN = /^\/etc\/kubernetes\/(?:admin|super-admin|kubelet|bootstrap-kubelet|controller-manager|scheduler)\.conf$/;
const MAY_BE = ['other', 'unreadable', 'kubeconfig', 'settings'];

type Configuration = FileSeen & { readonly held: Extract<Held, { kind: 'configuration' }> };

const textOf = (entries: readonly Entry[], path: string | undefined): string | undefined =>
  entries.find((one) => one.path === path)?.text;

/** Files that flags of an API server and a scheduler name as what configures them, and those that such files name. */
export function configurationsOn(disk: Disk, entries: readonly Entry[]): Disk {
  const minor = minorOf(disk);
  const at = (flag: string, path = '', flags: ManifestSeen['flags']): readonly Configuration[] => {
    const [seen, content] = [disk[path], textOf(entries, path)];
    if (seen === undefined || content === undefined || OWN.test(path) || !MAY_BE.includes(seen.held.kind)) return [];
    return [{ ...seen, held: { kind: 'configuration', flag, ...saidIn(flag, content, { path, flags, minor }) } }];
  };
  const api = manifestOf(disk, 'kube-apiserver')?.flags ?? {};
  const scheduler = manifestOf(disk, 'kube-scheduler')?.flags ?? {};
  const told = [
    ...CONFIGURED_BY.flatMap((flag) => at(flag, api[flag], api)),
    ...at('config', scheduler.config, scheduler),
  ];
  const asked = told.flatMap(({ held: { flag, names } }) =>
    flag === 'authorization-config' ? names.flatMap((path) => at('authorization-webhook-config-file', path, api)) : [],
  );
  return Object.fromEntries([...told, ...asked].map((seen) => [seen.path, seen] as const));
}

/** Fields of a text that can be read, or why it has none: its program ends at it. */
function written(content: string): Fields | string {
  if (content.trim() === '') return 'it is empty';
  try {
    return fieldsIn(content);
  } catch (error) {
    if (error instanceof Unread) return error.message;
    throw error;
  }
}

function saidIn(flag: string, content: string, by: ConfiguredBy): ConfigurationSaid {
  if (flag === ATTRIBUTES) return refusedSeen(oddPolicies(content));
  const said = written(content);
  return typeof said === 'string' ? refusedSeen([said]) : configurationSeen(flag, said, by);
}

/** A scheduler with a file has what it says for its flags. */
export function byItsFile(disk: Disk, entries: readonly Entry[]): Disk {
  const path = manifestPath('kube-scheduler');
  const { [path]: seen } = disk;
  if (seen?.held.kind !== 'manifest') return {};
  const { held } = seen;
  const content = textOf(entries, held.flags.config);
  const said = content === undefined ? '' : written(content);
  return typeof said === 'string' ? {} : { [path]: { ...seen, held: { ...held, flags: flagsBy(said, held.flags) } } };
}
