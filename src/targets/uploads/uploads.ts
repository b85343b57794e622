/** Uploads of shared certificates to a cluster of ours, one after the other, and what becomes of them there. */
import { isRecord, record, textMap } from '../../kubernetes/json.js';
import {
  CLUSTER_INFO,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  TAINT_UNINITIALIZED,
  TOKEN_SECRET_TYPE,
} from '../../kubernetes/names.js';
import type { KubeObject, Secret } from '../../kubernetes/objects.js';
import { type Resource, resources } from '../../kubernetes/resources.js';
import type { UploadRun, UploadTime } from '../../kubernetes/upload-run.js';
import { castAt } from '../../liars/cast.js';
import { manualClock, type Reference, startReference } from '../../reference/index.js';
import { OWN_ADDRESS } from '../client-under-test/cell.js';
import { Turns } from '../turns.js';
import type { UploadsUnderTest } from '../types.js';
import { type Circumstance, circumstances, diskFor, OWN_NODE, OWN_PORT, TOKEN } from './circumstances.js';

/** What is told once. */
export interface Told {
  readonly circumstance: Circumstance;
  readonly key: string | undefined;
  /** PEM by the name of the file below the folder of certificates. */
  readonly files: ReadonlyMap<string, string>;
  readonly cluster: Reference;
}

export type Uploader = (told: Told) => Promise<Pick<UploadTime, 'exit' | 'said'>>;

const GRANT = 'kubeadm:kubeadm-certs';
const SEEN = [resources.secrets, resources.configMaps, resources.roles, resources.roleBindings];
const ADDONS = [resources.deployments, resources.daemonSets, resources.services];
/** Of these init makes what those who join need, and its addons, wherever it lies. */
const MADE = [...SEEN, resources.clusterRoles, resources.clusterRoleBindings, resources.nodes, ...ADDONS];
const READ_BY_JOINS = /^(cluster-info|kubeadm-config|kubelet-config(-1\.\d+)?|kube-proxy|coredns)$/;
/** Without this nobody administers. */
const ADMINISTRATORS = 'kubeadm:cluster-admins';

/** `release`: "1.36", of the cluster and of kubeadm. */
export class Uploads implements UploadsUnderTest {
  readonly #release: string;
  readonly #uploader: Uploader;
  readonly #turns = new Turns(1);
  readonly #clock = manualClock(Date.now());
  #cluster: Promise<Reference> | undefined;

  constructor(release: string, uploader: Uploader) {
    this.#release = release;
    this.#uploader = uploader;
  }

  async upload(name: string): Promise<UploadRun | undefined> {
    const circumstance = circumstances[name];
    return circumstance && this.#turns.enter(() => this.#run(name, circumstance));
  }

  async close(): Promise<void> {
    await (await this.#cluster)?.close();
  }

  async #run(name: string, circumstance: Circumstance): Promise<UploadRun> {
    this.#cluster ??= startReference({
      kubernetesVersion: this.#release,
      clock: this.#clock,
      certSANs: [OWN_ADDRESS],
      // Nobody waits there to see what follows.
      decisions: { controllerHearsAfter: () => 0 },
    });
    const cluster = await this.#cluster;
    this.#clear(cluster);
    const files = diskFor(castAt(Date.now()), circumstance);
    const before = circumstance.isWhole === true ? this.#withoutInit(cluster) : undefined;
    const times: UploadTime[] = [];
    for (const key of circumstance.keys ?? [undefined]) {
      // The clock there stands still.
      this.#clock.advance(Math.max(0, Date.now() - this.#clock.now()));
      const began = this.#clock.now();
      const ended = await this.#uploader({ circumstance, key, files, cluster });
      await cluster.settle();
      const objects = SEEN.flatMap((resource) => withKind(resource, cluster.api.list(resource, KUBE_SYSTEM)));
      times.push({ began, ...ended, objects, ...(key === undefined ? {} : { told: key }) });
    }
    const { missing = [], unreadable = [] } = circumstance;
    const disk = new Map<string, string | null>([
      ...files,
      ...[...missing, ...unreadable].map((name) => [name, null] as const),
    ]);
    return {
      circumstance: name,
      times,
      files: Object.fromEntries([...disk].map(([file, pem]) => [file.replaceAll('/', '-'), pem])),
      token: TOKEN,
      authorityPem: cluster.caPem,
      server: `https://${OWN_ADDRESS}:${OWN_PORT}`,
      ...(before === undefined ? {} : { made: madeSince(before, cluster) }),
      ...(await this.#afterwards(cluster)),
    };
  }

  /** As if nothing had been uploaded yet. */
  #clear({ api }: Reference): void {
    for (const { type, metadata } of api.list(resources.secrets, KUBE_SYSTEM) as readonly Secret[])
      if (type === TOKEN_SECRET_TYPE || metadata.name?.startsWith('kubeadm-cert') === true)
        api.delete(resources.secrets, KUBE_SYSTEM, metadata.name ?? '');
    for (const resource of [resources.roleBindings, resources.roles])
      if (api.get(resource, KUBE_SYSTEM, GRANT) !== undefined) api.delete(resource, KUBE_SYSTEM, GRANT);
  }

  /** As if init had not written anything yet, on a machine whose kubelet has made its Node; what is there by then. */
  #withoutInit(cluster: Reference): ReadonlyMap<string, string> {
    const { api } = cluster;
    for (const resource of MADE)
      for (const { metadata } of api.list(resource)) {
        const { name = '', namespace } = metadata;
        const isOfInit =
          resource === resources.configMaps
            ? READ_BY_JOINS.test(name)
            : resource !== resources.secrets && /^(kubeadm:|kube-proxy$|system:coredns$|coredns$|kube-dns$)/.test(name);
        if ((isOfInit && name !== ADMINISTRATORS) || resource === resources.nodes)
          api.delete(resource, namespace, name);
      }
    const labels = { 'kubernetes.io/hostname': OWN_NODE };
    const spec = { taints: [{ key: TAINT_UNINITIALIZED, effect: 'NoSchedule' }] };
    api.create(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: OWN_NODE, labels }, spec });
    return new Map(there(cluster));
  }

  /** What the owner of the Secret is good for, and what becomes of the Secret without it. */
  async #afterwards(cluster: Reference): Promise<Pick<UploadRun, 'login' | 'signs' | 'outlives'>> {
    const { api } = cluster;
    const certs = (): KubeObject | undefined => api.get(resources.secrets, KUBE_SYSTEM, 'kubeadm-certs');
    const owner = certs()?.metadata.ownerReferences?.[0]?.name ?? '';
    const token = api.get(resources.secrets, KUBE_SYSTEM, owner);
    if (token === undefined) return {};
    const data = textMap(record((token as Secret).data));
    const [id, secret] = ['token-id', 'token-secret'].map((key) => Buffer.from(data[key] ?? '', 'base64').toString());
    const answer = cluster.handle({
      method: 'GET',
      url: '/version',
      headers: { authorization: [`Bearer ${id}.${secret}`] },
      certificates: [],
      body: Buffer.alloc(0),
    });
    const info = api.get(resources.configMaps, KUBE_PUBLIC, CLUSTER_INFO);
    const signatures = isRecord(info) ? Object.keys(record(info.data)) : [];
    api.delete(resources.secrets, KUBE_SYSTEM, owner);
    await cluster.settle();
    return {
      ...(answer.kind === 'full' ? { login: answer.code } : {}),
      signs: signatures.includes(`jws-kubeconfig-${id}`),
      outlives: certs() !== undefined,
    };
  }
}

const keyOf = (resource: Resource, { metadata }: KubeObject): string =>
  [resource.resource, metadata.namespace ?? '', metadata.name].join('/');

/** Revisions of what init could have made. */
const there = ({ api }: Reference): readonly (readonly [string, string])[] =>
  MADE.flatMap((resource) =>
    api.list(resource).map((object) => [keyOf(resource, object), object.metadata.resourceVersion ?? ''] as const),
  );

const madeSince = (before: ReadonlyMap<string, string>, { api }: Reference): readonly KubeObject[] =>
  MADE.flatMap((resource) =>
    withKind(
      resource,
      api.list(resource).filter((object) => before.get(keyOf(resource, object)) !== object.metadata.resourceVersion),
    ),
  );

/** Lists leave out what their own kind says. */
const withKind = ({ kind }: Resource, objects: readonly KubeObject[]): readonly KubeObject[] =>
  objects.map((object) => ({ ...object, kind }));
