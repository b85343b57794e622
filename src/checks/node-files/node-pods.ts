/** Static Pods as their manifests on a node's disk say them, and the flags of their components. */
import { type Fields, record, records, text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, type Look } from '../../model/finding.js';
import { held, type Seen } from './node-files.js';
import type { ManifestSeen } from './node-seen.js';

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
export const componentOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace('.yaml', '');

interface FieldWanted {
  readonly field: string;
  readonly wanted: string;
  /** Where it is not set the kubelet or admission sets it so. */
  readonly optional?: true;
}

/** A field has a value; "its component" stands for the name of the file. */
export const podField: Check<readonly Seen[], FieldWanted> = {
  id: 'node-pods/field',
  source: SOURCE,
  judge: (all, { field, wanted, optional }) =>
    all.map((seen) => {
      const own = wanted === 'its component' ? componentOf(seen.path) : wanted;
      return inPod(seen, `${field} is ${own}${optional ? ', where it is set' : ''}`, ({ pod }) => {
        const value = fieldOf(pod, field);
        return {
          seen: value === '' ? 'it is not set' : value,
          ok: value === own || (optional === true && value === ''),
        };
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
    all.flatMap((seen) =>
      ['data-dir', 'wal-dir']
        .filter((flag) => flag === 'data-dir' || toldIn(seen, flag) !== '')
        .map((flag) =>
          inPod(seen, `--${flag} lies in a volume of the host`, (manifest) => {
            const folder = manifest.flags[flag] ?? '';
            const found = mountOf(manifest, folder);
            const path = text(record(found?.volume.hostPath).path);
            if (found === undefined) return { seen: `${folder} is not mounted`, ok: false };
            if (path === '') return { seen: 'it is no hostPath', ok: false };
            if (found.mount.readOnly === true) return { seen: 'it is mounted to be read alone', ok: false };
            // kubeadm saves and resets what lies at the same path on the host
            const isSame = text(found.mount.mountPath).replace(/\/$/, '') === path.replace(/\/$/, '');
            return { seen: isSame ? 'it does' : `it lies in ${path}`, ok: isSame };
          }),
        ),
    ),
};
const toldIn = ({ file }: Seen, flag: string): string =>
  (file?.held.kind === 'manifest' ? file.held.flags[flag] : undefined) ?? '';

export const isBelow = (path: string, folder: string): boolean =>
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
          ...volumes.filter((name, at) => volumes.indexOf(name) !== at).map((name) => `${name} twice`),
        ];
        return { seen: odd.length === 0 ? 'they do' : `not so: ${odd.join(', ')}`, ok: odd.length === 0 };
      }),
    ),
};

/** The mount that holds a file, the innermost of several, and its volume. */
export function mountOf(
  manifest: ManifestSeen,
  path: string,
): { readonly mount: Fields; readonly volume: Fields } | undefined {
  const around = records(containerOf(manifest).volumeMounts).filter(({ mountPath }) => isBelow(path, text(mountPath)));
  const [mount] = around.sort((one, other) => text(other.mountPath).length - text(one.mountPath).length);
  const volume = records(record(manifest.pod.spec).volumes).find(({ name }) => name === mount?.name);
  return mount === undefined ? undefined : { mount, volume: volume ?? {} };
}

const OF_FOLDERS = ['', 'Directory', 'DirectoryOrCreate'];
const OF_FILES = ['', 'File', 'FileOrCreate'];

/** Why a file that a flag names is not what lies there on the host; undefined where it is. */
function astray(manifest: ManifestSeen, path: string): string | undefined {
  const found = mountOf(manifest, path);
  if (found === undefined) return path;
  const { mountPath, subPath } = found.mount;
  const hostPath = record(found.volume.hostPath);
  if (text(hostPath.path) === '') return `${path} is not of the host`;
  // Where an operator mounts a folder of his own nobody knows what lies there.
  if (!path.startsWith('/etc/kubernetes/')) return undefined;
  const from = `${text(hostPath.path).replace(/\/$/, '')}${text(subPath) === '' ? '' : `/${text(subPath)}`}`;
  if (from !== text(mountPath).replace(/\/$/, '')) return `${path} comes from ${from}`;
  if (text(subPath) !== '') return undefined;
  const types = text(mountPath) === path ? OF_FILES : OF_FOLDERS;
  return types.includes(text(hostPath.type)) ? undefined : `${path} is mounted as ${text(hostPath.type)}`;
}

/** Flags that name a file which is read; images of components have none of their own. */
const READING = /^(?!log-)(?:.*-)?(?:file|cafile|certfile|keyfile|kubeconfig|config|manifest)$/;

/** Files that flags name, each once. Images of components have no folder for logs either. */
export function filesNamed(flags: Readonly<Record<string, string>>): readonly string[] {
  const named = Object.entries(flags).filter(
    ([name, value]) =>
      /^\/.+\.(?:crt|key|pub|conf|yaml|yml|json|csv|crl|pem)$/.test(value) ||
      (READING.test(name) && value.startsWith('/')),
  );
  const logs = (flags['log-outputs'] ?? '').split(',').filter((path) => path.startsWith('/'));
  return [...new Set([...named.map(([, value]) => value), ...logs])];
}

/** Files that flags name lie in volumes that are mounted, and those below /etc/kubernetes are those of the host. */
export const filesMounted: Check<readonly Seen[]> = {
  id: 'node-pods/files-mounted',
  source: '002, static Pod manifests; controlplane/volumes.go',
  judge: (all) =>
    all.map((seen) =>
      inPod(seen, 'the files that its flags name are mounted from where they lie', (manifest) => {
        const missing = filesNamed(manifest.flags).flatMap((path) => astray(manifest, path) ?? []);
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

/** Where kubeadm has brought etcd 3.5: it speaks what later API servers ask for. */
const ETCD_35 = 22;

/** Why an image is not one of the component that runs beside an API server of a minor; undefined where it is. */
function wrongImage(component: string, image: string, minor: number | null): string | undefined {
  const [, name = '', tag, digest] =
    /^([^:@]*)(?::([^@]*))?(@.*)?$/s.exec(image.slice(image.lastIndexOf('/') + 1)) ?? [];
  if (name !== component) return 'it is of something else';
  if (tag === undefined) return digest === undefined ? 'it has no version' : undefined;
  const [, major, own] = /^v?(\d+)\.(\d+)/.exec(tag)?.map(Number) ?? [];
  if (major === undefined || own === undefined) return 'its version is none';
  if (minor === null) return undefined;
  if (component === 'etcd') return minor >= ETCD_35 && major === 3 && own < 5 ? 'it is too old' : undefined;
  if (component === 'kube-apiserver') return undefined;
  return own > minor ? 'it is newer than the API server' : own < minor - 1 ? 'it is too old' : undefined;
}

/** The image is of the component, and of a release that runs beside the API server. */
export const imageRelease: Check<readonly Seen[], { readonly minor: number | null }> = {
  id: 'node-pods/image-release',
  source: '002, static Pod manifests, note 1; Version Skew Policy; cmd/kubeadm/app/images/images.go',
  judge: (all, { minor }) =>
    all.map((seen) =>
      inPod(seen, 'its image is of the component, in a release that goes with the API server', (manifest) => {
        const image = text(containerOf(manifest).image);
        const wrong = wrongImage(componentOf(seen.path), image, minor);
        return { seen: wrong === undefined ? image : `${image || 'none'}: ${wrong}`, ok: wrong === undefined };
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
