/** Patches for the configuration of a kubelet, from a folder. Source: cmd/kubeadm/app/util/patches/patches.go. */
import { type Fields, isRecord, mergePatched, record } from '../kubernetes/json.js';
import { parseYaml } from '../kubernetes/yaml.js';
import { JoinFailed } from './failures.js';
import type { Machine } from './ports.js';

/** Its target, whatever follows it, and the type of the patch. */
const NAME = /^kubeletconfiguration([^.+\n]*)(\+)?(json|merge|strategic)?/;
const ENDINGS = ['.json', '.yaml'];

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
    // Lists of this configuration are put in place whole by strategic patches, too.
    return record(mergePatched(before, patch));
  }, configuration);
}
