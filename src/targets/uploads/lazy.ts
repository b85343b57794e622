/** joinproof's own upload, loaded when it is first asked for. */
import type { AnotherClient } from '../../joining/another.js';
import { parseRelease } from '../../kubeadm/release.js';
import type { UploadsUnderTest } from '../types.js';

/** `version`: of kubeadm and of the cluster. */
export function lazyUploads(
  version: string,
  another: AnotherClient = {},
): UploadsUnderTest & { close(): Promise<void> } {
  const { minor } = parseRelease(version);
  const load = async () => (await import('./reference-uploads.js')).referenceUploads(`1.${minor}`, another);
  let loaded: ReturnType<typeof load> | undefined;
  return {
    upload: async (circumstance) => {
      loaded ??= load();
      return (await loaded).upload(circumstance);
    },
    close: async () => (await loaded)?.close(),
  };
}
