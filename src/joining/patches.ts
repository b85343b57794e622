/** Patches for the configuration of a kubelet and for manifests, from a folder. Source: cmd/kubeadm/app/util/patches/patches.go. */
import { goYaml } from '../kubeadm/yaml.js';
import { type Fields, isRecord, mergePatched, record, records } from '../kubernetes/json.js';
import { documentTexts, parseYaml } from '../kubernetes/yaml.js';
import { JoinFailed } from './failures.js';
import type { Machine } from './ports.js';

/** What follows the target in a name: something, and the type of the patch. */
const AFTER = /^[^.+\n]*(\+)?(json|merge|strategic)?/;
const ENDINGS = ['.json', '.yaml'];
const MANIFEST = /\/manifests\/([a-z-]+)\.yaml$/;

interface Patch {
  readonly type: 'merge' | 'strategic';
  readonly fields: Fields;
}

/** Those for a target, in order. Throws JoinFailed where one cannot be read, or is of a type that is not applied here. */
function patchesFor({ given }: Machine, folder: string | undefined, target: string): readonly Patch[] {
  if (folder === undefined || folder === '') return [];
  return given.list(folder).flatMap((name): readonly Patch[] => {
    if (!name.startsWith(target) || !ENDINGS.some((ending) => name.endsWith(ending))) return [];
    const [, plus, type] = AFTER.exec(name.slice(target.length)) ?? [];
    if (type === 'json' || (plus !== undefined && type === undefined))
      throw new JoinFailed(
        `The patch ${name} is neither a merge patch nor a strategic one, and no other is applied. ` +
          `Give a file ${target}+merge.yaml.`,
      );
    return documentTexts(given.read(`${folder}/${name}`) ?? '').map((own) => {
      const fields: unknown = parseYaml(own);
      if (!isRecord(fields))
        throw new JoinFailed(`The patch ${name} is no YAML with fields. Give the fields to be set.`);
      return { type: type === 'merge' ? 'merge' : 'strategic', fields };
    });
  });
}

/** Lists of this configuration are put in place whole by strategic patches, too. Throws JoinFailed. */
export const patchedKubelet = (machine: Machine, folder: string | undefined, configuration: Fields): Fields =>
  patchesFor(machine, folder, 'kubeletconfiguration').reduce(
    (before, { fields }) => record(mergePatched(before, fields)),
    configuration,
  );

/** The text of a manifest, patched; that of another file as it is. Throws JoinFailed. */
export function patchedManifest(machine: Machine, folder: string | undefined, path: string, content: string): string {
  const target = MANIFEST.exec(path)?.[1];
  const patches = target === undefined ? [] : patchesFor(machine, folder, target);
  if (patches.length === 0) return content;
  const patched = patches.reduce(
    (before: unknown, { type, fields }) =>
      type === 'merge' ? mergePatched(before, fields) : strategicPatched(before, fields),
    parseYaml(content),
  );
  return goYaml(record(patched));
}

/** What entries of a Pod's lists are known by; other lists are put in place whole. */
const KNOWN_BY = ['name', 'mountPath', 'containerPort'] as const;

const strategicPatched = (target: unknown, patch: unknown): unknown => mergePatched(target, patch, joined);

function joined(target: readonly unknown[], patch: readonly unknown[]): readonly unknown[] {
  const key = KNOWN_BY.find((one) =>
    [...target, ...patch].every((entry) => isRecord(entry) && entry[one] !== undefined),
  );
  if (key === undefined) return patch;
  const all = new Map(records(target).map((entry): [unknown, unknown] => [entry[key], entry]));
  for (const entry of records(patch)) all.set(entry[key], strategicPatched(all.get(entry[key]), entry));
  return [...all.values()];
}
