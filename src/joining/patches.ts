/** Patches for the configuration of a kubelet and for manifests, from a folder. Source: cmd/kubeadm/app/util/patches/patches.go. */
import { goYaml } from '../kubeadm/yaml.js';
import { firstLine } from '../kubernetes/first-line.js';
import { type Fields, isRecord, mergePatched, record, records } from '../kubernetes/json.js';
import { jsonPatch, PatchFailed } from '../kubernetes/patch-json.js';
import { documentTexts, parseYaml } from '../kubernetes/yaml.js';
import { JoinFailed } from './failures.js';
import type { Machine } from './ports.js';

/** What follows the target in a name: something, and the type of the patch. */
const AFTER = /^[^.+\n]*(\+)?(json|merge|strategic)?/;
const ENDINGS = ['.json', '.yaml'];
const MANIFEST = /\/manifests\/([a-z-]+)\.yaml$/;

/** Where they lie. */
type Given = Pick<Machine, 'given'>;

type Patch =
  | { readonly type: 'merge' | 'strategic'; readonly fields: Fields }
  | { readonly type: 'json'; readonly operations: readonly unknown[] };

/** Those for a target, in order. Throws JoinFailed where one cannot be read, or is of a type that nobody knows. */
function patchesFor({ given }: Given, folder: string | undefined, target: string): readonly Patch[] {
  if (folder === undefined || folder === '') return [];
  return given.list(folder).flatMap((name): readonly Patch[] => {
    if (!name.startsWith(target) || !ENDINGS.some((ending) => name.endsWith(ending))) return [];
    const [, plus, type] = AFTER.exec(name.slice(target.length)) ?? [];
    if (plus !== undefined && type === undefined)
      throw new JoinFailed(
        `The patch ${name} is neither a merge patch nor a strategic one nor one of JSON. ` +
          `Give a file ${target}+merge.yaml.`,
      );
    return documentTexts(given.read(`${folder}/${name}`) ?? '').map((own): Patch => {
      const fields = readPatch(name, own);
      if (type === 'json') {
        if (!Array.isArray(fields))
          throw new JoinFailed(`The patch ${name} is no list of operations. Give one as RFC 6902 has it.`);
        return { type, operations: fields };
      }
      if (!isRecord(fields))
        throw new JoinFailed(`The patch ${name} is no YAML with fields. Give the fields to be set.`);
      return { type: type === 'merge' ? 'merge' : 'strategic', fields };
    });
  });
}

/** Throws JoinFailed where it cannot be read. */
function readPatch(name: string, text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    const why = firstLine(error);
    throw new JoinFailed(`The patch ${name} cannot be read: ${why} Give it as YAML or JSON.`);
  }
}

/** Throws JoinFailed where operations do not fit. */
function operated(before: unknown, operations: readonly unknown[]): unknown {
  try {
    return jsonPatch(before, operations);
  } catch (error) {
    if (error instanceof PatchFailed) throw new JoinFailed(`could not apply a JSON patch: ${error.message}`);
    throw error;
  }
}

/** One after the other; `strategic`: what a strategic one makes. Throws JoinFailed. */
const patchedBy = (patches: readonly Patch[], whole: unknown, strategic: typeof mergePatched): Fields =>
  record(
    patches.reduce((before, patch) => {
      if (patch.type === 'json') return operated(before, patch.operations);
      return (patch.type === 'merge' ? mergePatched : strategic)(before, patch.fields);
    }, whole),
  );

/** Lists of this configuration are put in place whole by strategic patches, too. Throws JoinFailed. */
export const patchedKubelet = (machine: Given, folder: string | undefined, configuration: Fields): Fields =>
  patchedBy(patchesFor(machine, folder, 'kubeletconfiguration'), configuration, mergePatched);

/** The text of a manifest, patched; that of another file as it is. Throws JoinFailed. */
export function patchedManifest(machine: Given, folder: string | undefined, path: string, content: string): string {
  const target = MANIFEST.exec(path)?.[1];
  const patches = target === undefined ? [] : patchesFor(machine, folder, target);
  return patches.length === 0 ? content : goYaml(patchedBy(patches, parseYaml(content), strategicPatched));
}

/**
 * What entries of a Pod's lists are known by, by the fields that hold these; other lists are put in place whole.
 * Source: k8s.io/api, core/v1/types.go; apimachinery, pkg/apis/meta/v1/types.go; patchMergeKey.
 */
const KNOWN_BY: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  env: 'name',
  imagePullSecrets: 'name',
  resourceClaims: 'name',
  schedulingGates: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  ports: 'containerPort',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  ownerReferences: 'uid',
};

const strategicPatched = (target: unknown, patch: unknown): unknown => mergePatched(target, patch, joined);

function joined(target: readonly unknown[], patch: readonly unknown[], field: string): readonly unknown[] {
  const key = KNOWN_BY[field];
  if (key === undefined || ![...target, ...patch].every((entry) => isRecord(entry) && entry[key] !== undefined))
    return patch;
  const all = new Map(records(target).map((entry): [unknown, unknown] => [entry[key], entry]));
  for (const entry of records(patch)) all.set(entry[key], strategicPatched(all.get(entry[key]), entry));
  return [...all.values()];
}
