/** Static Pods as their manifests on a node's disk say them, and the flags of their components. */
import { type Fields, record, records, text } from '../kubernetes/json.js';
import type { Check } from '../model/check.js';
import { demand, type Finding, type Look } from '../model/finding.js';
import { held, type Seen } from './node-files.js';
import type { ManifestSeen } from './node-reader.js';

const SOURCE = '002, static Pod manifests; cmd/kubeadm/app/phases/controlplane/manifests.go, phases/etcd/local.go';

export const containerOf = ({ pod }: ManifestSeen): Fields => records(record(pod.spec).containers)[0] ?? {};
export const inPod = (
  seen: Seen,
  demanded: string,
  look: (manifest: ManifestSeen) => Pick<Look, 'seen' | 'ok'>,
): Finding => held(seen, 'manifest', demanded, look);

/** "spec.hostNetwork" of a Pod, as text. */
function fieldOf(pod: Fields, path: string): string {
  let value: unknown = pod;
  for (const part of path.split('.')) value = record(value)[part];
  return value === undefined || value === null ? '' : String(value);
}

/** "etcd" of "/etc/kubernetes/manifests/etcd.yaml" */
const componentOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace('.yaml', '');

/** A field has a value; "its component" stands for the name of the file. */
export const podField: Check<readonly Seen[], { readonly field: string; readonly wanted: string }> = {
  id: 'node-pods/field',
  source: SOURCE,
  judge: (all, { field, wanted }) =>
    all.map((seen) => {
      const own = wanted === 'its component' ? componentOf(seen.path) : wanted;
      return inPod(seen, `${field} is ${own}`, ({ pod }) => {
        const value = fieldOf(pod, field);
        return { seen: value === '' ? 'it is not set' : value, ok: value === own };
      });
    }),
};

/** A component runs once, from the file that is named for it: the kubelet runs every file of the folder. */
export const oneManifestEach: Check<readonly Seen[], { readonly components: readonly string[] }> = {
  id: 'node-pods/one-manifest-each',
  source: '002, constants and well-known paths; pkg/kubelet/config/file.go',
  judge: (all, { components }) => [
    ...all.flatMap(({ path, file }) => {
      if (file?.held.kind !== 'unreadable') return [];
      const seen = `it cannot be read: ${file.held.why}`;
      return [demand({ subject: path, demanded: 'it is a manifest', seen, ok: undefined })];
    }),
    ...components.map((component) => {
      const runs = all.filter(({ file }) => {
        if (file?.held.kind !== 'manifest') return false;
        const { name, command } = containerOf(file.held);
        return name === component || (Array.isArray(command) && command[0] === component);
      });
      const wanted = `${component}.yaml`;
      const names = runs.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
      return demand({
        subject: component,
        demanded: `its one manifest is ${wanted}`,
        seen: names.join(' and ') || 'there is none',
        ok: names.length === 1 && names[0] === wanted,
      });
    }),
  ],
};

/** The folder of data outlives the Pod. */
export const dataOnHost: Check<readonly Seen[]> = {
  id: 'node-pods/data-on-host',
  source: '002, etcd',
  judge: (all) =>
    all.map((seen) =>
      inPod(seen, '--data-dir lies in a volume of the host', (manifest) => {
        const folder = manifest.flags['data-dir'] ?? '';
        const mounts = records(containerOf(manifest).volumeMounts);
        const around = mounts.find(({ mountPath }) => isBelow(folder, text(mountPath)));
        const volume = records(record(manifest.pod.spec).volumes).find(({ name }) => name === around?.name);
        const ok = folder !== '' && text(record(volume?.hostPath).path) !== '';
        return { seen: around === undefined ? `${folder} is not mounted` : ok ? 'it does' : 'it is no hostPath', ok };
      }),
    ),
};

const isBelow = (path: string, folder: string): boolean =>
  folder !== '' && (path === folder || path.startsWith(`${folder.replace(/\/$/, '')}/`));

/** Every volume is mounted, and every mount has a volume. */
export const volumesMounted: Check<readonly Seen[]> = {
  id: 'node-pods/volumes-mounted',
  source: '002, static Pod manifests; controlplane/volumes.go',
  judge: (all) =>
    all.map((seen) =>
      inPod(seen, 'volumes and mounts belong together', (manifest) => {
        const spec = record(manifest.pod.spec);
        const volumes = records(spec.volumes).map(({ name }) => text(name));
        const containers = [...records(spec.containers), ...records(spec.initContainers)];
        const mounts = containers.flatMap(({ volumeMounts }) => records(volumeMounts).map(({ name }) => text(name)));
        const odd = [
          ...volumes.filter((name) => !mounts.includes(name)),
          ...mounts.filter((name) => !volumes.includes(name)),
        ];
        return { seen: odd.length === 0 ? 'they do' : `not so: ${odd.join(', ')}`, ok: odd.length === 0 };
      }),
    ),
};

/** Files that flags name lie in volumes that are mounted. */
export const filesMounted: Check<readonly Seen[]> = {
  id: 'node-pods/files-mounted',
  source: '002, static Pod manifests; controlplane/volumes.go',
  judge: (all) =>
    all.map((seen) =>
      inPod(seen, 'the files that its flags name are mounted', (manifest) => {
        const mounts = records(containerOf(manifest).volumeMounts).map(({ mountPath }) => text(mountPath));
        const named = Object.values(manifest.flags).filter((value) =>
          /^\/.+\.(?:crt|key|pub|conf|yaml|pem)$/.test(value),
        );
        const missing = named.filter((path) => !mounts.some((folder) => isBelow(path, folder)));
        return { seen: missing.length === 0 ? 'they are' : `not so: ${missing.join(', ')}`, ok: missing.length === 0 };
      }),
    ),
};

const repositoryOf = (manifest: ManifestSeen): string => text(containerOf(manifest).image).replace(/\/[^/]*$/, '');

/** Since when the former registry is frozen. */
const FROZEN = 25;

export const imageRegistry: Check<readonly Seen[], { readonly minor: number | null }> = {
  id: 'node-pods/image-registry',
  source: '002, static Pod manifests, note 1; release notes of 1.25',
  judge: (all, { minor }) =>
    all.map((seen) =>
      inPod(seen, 'its image comes from a registry that has it', (manifest) => {
        const image = text(containerOf(manifest).image);
        const isFrozen = image.startsWith('k8s.gcr.io/') && minor !== null && minor >= FROZEN;
        return { seen: image === '' ? 'it has none' : image, ok: image !== '' && !isFrozen };
      }),
    ),
};

const DEFAULT_REGISTRY = /^(?:registry\.k8s\.io|k8s\.gcr\.io)$/;

/** One repository for all, the API server first; etcd may have its own, but not the default beside a custom one. */
export const oneRepository: Check<readonly Seen[]> = {
  id: 'node-pods/one-repository',
  source: '002, static Pod manifests, note 1, and etcd, note 1',
  judge: ([main, ...others]) => {
    const wanted = main?.file?.held.kind === 'manifest' ? repositoryOf(main.file.held) : undefined;
    return others.map((seen) => {
      const demanded = 'its image comes from the repository of the API server, or etcd from one of its own';
      return inPod(seen, demanded, (manifest) => {
        const own = repositoryOf(manifest);
        const isEtcds = componentOf(seen.path) === 'etcd' && !DEFAULT_REGISTRY.test(own);
        return { seen: own, ok: wanted === undefined ? undefined : own === wanted || isEtcds };
      });
    });
  },
};
