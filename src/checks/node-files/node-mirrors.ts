/**
 * Static Pods: the manifests on a node's disk, and the Pods that its kubelet shows of them.
 * Source: pkg/kubelet/config/{file,common}.go; pkg/kubelet/pod/mirror_client.go.
 */
import { createHash } from 'node:crypto';
import { type Fields, isRecord, record, records, text, texts } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { commandLines } from '../written/control-plane-flags.js';
import type { Seen } from './node-files.js';

const SOURCE = 'pkg/kubelet/config/common.go applyDefaults; pkg/kubelet/pod/mirror_client.go';

/** What of a Pod has to be alike on both sides, in words that can be compared and hold no secret. */
export interface PodParts {
  readonly images: string;
  readonly program: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly volumes: string;
  readonly rights: string;
  /** Digest of the variables of its environment. */
  readonly environment: string;
}

/** A Pod that the kubelet of the node shows, or that says so. */
export interface MirrorSeen {
  readonly namespace: string;
  readonly name: string;
  /** "file", "http" */
  readonly source: string;
  readonly parts: PodParts;
}

/** Without what says nothing, in one order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isRecord(value)) return typeof value === 'number' ? String(value) : value;
  const parts = Object.entries(value).map(([key, inner]) => [key, canonical(inner)] as const);
  const says = parts.filter(([, inner]) => !['', false, null, undefined].includes(inner as string) && !isEmpty(inner));
  return Object.fromEntries(says.sort(([a], [b]) => (a < b ? -1 : 1)));
}
const isEmpty = (value: unknown): boolean => typeof value === 'object' && JSON.stringify(value).length === 2;

const picked = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name]]));
const byName = (all: readonly Fields[]): readonly Fields[] =>
  [...all].sort((a, b) => (text(a.name) < text(b.name) ? -1 : 1));
const digest = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(value)))
    .digest('hex')
    .slice(0, 12);

const isFlag = (word: string): boolean => word.startsWith('-');

export function podParts(pod: Fields): PodParts {
  const spec = record(pod.spec);
  const containers = [...records(spec.initContainers), ...records(spec.containers)];
  const [line] = commandLines([{ ...pod, metadata: record(pod.metadata) } as KubeObject]);
  const words = containers.map(({ command, args }) =>
    [...texts(command), ...texts(args)].filter((one) => !isFlag(one)),
  );
  const mounts = containers.map(({ name, volumeMounts }) => ({
    name,
    mounts: byName(records(volumeMounts).filter(({ mountPath }) => !text(mountPath).startsWith(ACCOUNT))),
  }));
  const paths = byName(records(spec.volumes)).map(({ name, hostPath }) => ({ name, path: record(hostPath).path }));
  const rights = [spec, ...containers].map((one) => picked(one, RIGHTS));
  return {
    images: containers.map(({ name, image }) => `${text(name)} from ${text(image)}`).join(', '),
    program: words.map((all) => all.join(' ')).join(', '),
    flags: Object.fromEntries(line?.flags ?? []),
    volumes: JSON.stringify(canonical({ paths, mounts })),
    rights: JSON.stringify(canonical(rights)),
    environment: digest(containers.map(({ env, envFrom }) => ({ env: byName(records(env)), envFrom }))),
  };
}

/** Where admission mounts the tokens of service accounts. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const RIGHTS = ['hostNetwork', 'hostPID', 'hostIPC', 'securityContext'];

/** A Pod that a kubelet has made of a file or a URL; undefined: it is none. */
export function mirrorSeen(pod: KubeObject): MirrorSeen | undefined {
  const { namespace = '', name = '', annotations = {} } = pod.metadata;
  if (annotations['kubernetes.io/config.mirror'] === undefined) return undefined;
  return { namespace, name, source: annotations['kubernetes.io/config.source'] ?? '', parts: podParts(pod) };
}

/** A manifest, and what the kubelet makes of it. */
interface Made {
  readonly path: string;
  readonly name: string;
  readonly parts: PodParts;
}

const nameOf = ({ namespace, name }: MirrorSeen): string => `${namespace}/${name}`;

function madeOf(all: readonly Seen[], node: string): readonly Made[] {
  return all.flatMap(({ path, file }) => {
    if (file?.held.kind !== 'manifest') return [];
    const { namespace, name } = record(file.held.pod.metadata);
    return [{ path, name: `${text(namespace) || 'default'}/${text(name)}-${node}`, parts: podParts(file.held.pod) }];
  });
}

/** Flags that both sides are not told alike. */
function otherFlags(own: PodParts['flags'], theirs: PodParts['flags']): string {
  const names = [...new Set([...Object.keys(own), ...Object.keys(theirs)])].filter(
    (name) => own[name] !== theirs[name],
  );
  const told = (value: string | undefined, name: string): string =>
    value === undefined ? 'none' : `--${name}=${value}`;
  return names.map((name) => `${told(theirs[name], name)}, in the file ${told(own[name], name)}`).join('; ');
}

const alike = (own: string, theirs: string): string => (own === theirs ? '' : `${theirs}, in the file ${own}`);

const PARTS: readonly (readonly [what: string, look: (own: PodParts, theirs: PodParts) => string])[] = [
  ['its images are', (own, theirs) => alike(own.images, theirs.images)],
  ['its program is', (own, theirs) => alike(own.program, theirs.program)],
  ['its flags are', (own, theirs) => otherFlags(own.flags, theirs.flags)],
  ['its volumes are', (own, theirs) => alike(own.volumes, theirs.volumes)],
  ['its rights are', (own, theirs) => alike(own.rights, theirs.rights)],
  ['its environment is', (own, theirs) => (own.environment === theirs.environment ? '' : 'it is another')],
];

const partsOf = ({ path, parts }: Made, mirror: MirrorSeen): readonly Finding[] =>
  PARTS.map(([what, look]) => {
    const other = look(parts, mirror.parts);
    return demand({
      subject: `Pod ${nameOf(mirror)}`,
      demanded: `${what} as ${path} says`,
      seen: other || 'so it is',
      ok: other === '',
    });
  });

interface Shown {
  readonly manifests: readonly Seen[];
  readonly pods: readonly MirrorSeen[];
}

const NOTHING =
  'no Pod of the cluster is a static Pod of this node: its control plane is hidden, or it runs no kubelet';

/** Every manifest runs, as it stands there. */
export const runsAsWritten: Check<Shown, { readonly node: string }> = {
  id: 'node-mirrors/as-written',
  source: SOURCE,
  nothing: NOTHING,
  judge: ({ manifests, pods }, { node }) =>
    pods.length === 0
      ? []
      : madeOf(manifests, node).flatMap((made) => {
          const mirror = pods.find((pod) => nameOf(pod) === made.name);
          const seen = mirror === undefined ? 'no Pod is shown' : 'it is';
          const demanded = `it runs as Pod ${made.name}`;
          return [
            demand({ subject: made.path, demanded, seen, ok: mirror !== undefined }),
            ...(mirror === undefined ? [] : partsOf(made, mirror)),
          ];
        }),
};

/** `isTold`: the kubelet is told of static Pods at a URL. */
export const runsNothingElse: Check<Shown, { readonly node: string; readonly isTold: boolean }> = {
  id: 'node-mirrors/nothing-else',
  source: SOURCE,
  nothing: NOTHING,
  judge: ({ manifests, pods }, { node, isTold }) => {
    const known = madeOf(manifests, node).map(({ name }) => name);
    const isClear = manifests.every(({ file }) => file?.held.kind !== 'unreadable');
    return pods.map((pod) => {
      const isKnown = known.includes(nameOf(pod)) || (isTold && pod.source === 'http');
      return demand({
        subject: `Pod ${nameOf(pod)}`,
        demanded: 'a manifest of the node says it',
        seen: isKnown ? 'one does' : isClear ? 'none does' : 'none that can be read does',
        ok: isKnown || (isClear ? false : undefined),
      });
    });
  },
};
