/** The disk of an init that is told patches: manifests and the configuration of the kubelet are patched on their way. */

import { type HostFiles, InitFailed } from '../kubeadm/init/host.js';
import { goYaml } from '../kubeadm/yaml.js';
import { record } from '../kubernetes/json.js';
import { parseYaml } from '../kubernetes/yaml.js';
import { JoinFailed } from './failures.js';
import { patchedKubelet, patchedManifest } from './patches.js';
import type { GivenFiles } from './ports.js';

const KUBELET = '/var/lib/kubelet/config.yaml';

/** Writing throws InitFailed where a patch cannot be read. `folder` undefined: there are none. */
export function patchedFiles(files: HostFiles, given: GivenFiles, folder: string | undefined): HostFiles {
  if (folder === undefined) return files;
  const patched = (path: string, text: string): string =>
    path === KUBELET
      ? goYaml(patchedKubelet({ given }, folder, record(parseYaml(text))))
      : patchedManifest({ given }, folder, path, text);
  return {
    exists: (path) => files.exists(path),
    read: (path) => files.read(path),
    write: (path, text, ...rest) =>
      files.write(
        path,
        asInit(() => patched(path, text)),
        ...rest,
      ),
  };
}

/** Patches are read by what reads them for a join, too. */
function asInit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof JoinFailed) throw new InitFailed(error.message);
    throw error;
  }
}
