/** Patches for the configuration of a kubelet, from a folder. Source: cmd/kubeadm/app/util/patches/patches.go. */
import { type Fields, isRecord } from '../kubernetes/json.js';
import { parseYaml } from '../kubernetes/yaml.js';
import { JoinFailed } from './failures.js';
import type { Machine } from './ports.js';

/** Its target, whatever follows it, and the type of the patch. */
const NAME = /^kubeletconfiguration([^.+\n]*)(\+)?(json|merge|strategic)?/;
const ENDINGS = ['.json', '.yaml'];

/** RFC 7386. Lists of this configuration are put in place whole by strategic patches, too. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

/** Throws JoinFailed where a patch cannot be read, or is of a type that is not applied here. */
export function patchedKubelet({ given }: Machine, folder: string | undefined, configuration: Fields): Fields {
  if (folder === undefined || folder === '') return configuration;
  return given.list(folder).reduce((before: Fields, name) => {
    const [whole, , plus, type] = NAME.exec(name) ?? [];
    if (whole === undefined || !ENDINGS.some((ending) => name.endsWith(ending))) return before;
    if (type === 'json' || (plus !== undefined && type === undefined))
      throw new JoinFailed(
        `The patch ${name} is neither a merge patch nor a strategic one, and no other is applied. ` +
          'Give a file kubeletconfiguration+merge.yaml.',
      );
    const patch: unknown = parseYaml(given.read(`${folder}/${name}`) ?? '');
    if (!isRecord(patch)) throw new JoinFailed(`The patch ${name} is no YAML with fields. Give the fields to be set.`);
    return merged(before, patch) as Fields;
  }, configuration);
}
