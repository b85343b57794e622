/**
 * What several mutants of the first two chapters arrange: token Secrets as somebody else may have left them, and
 * cluster-info rewritten.
 */
import { createHash } from 'node:crypto';
import { base64 } from '../kubernetes/json.js';
import { KUBE_PUBLIC, KUBE_SYSTEM, TOKEN_SECRET_TYPE } from '../kubernetes/names.js';
import type { ConfigMap, Secret } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';
import { edit } from './arrange.js';

/** A secret half that looks random, another one for each id. */
export const halfOf = (id: string): string =>
  BigInt(`0x${createHash('sha256').update(id).digest('hex')}`)
    .toString(36)
    .slice(-16);

/**
 * Adds a Secret: a good token with the id m1tant, but for what is said. `data` is plain; undefined leaves a key out.
 */
export function addToken(
  reference: Reference,
  data: Readonly<Record<string, string | undefined>> = {},
  other: {
    readonly name?: string;
    readonly namespace?: string;
    readonly type?: string;
    readonly raw?: Readonly<Record<string, string>>;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  } = {},
): void {
  const plain = {
    'token-id': 'm1tant',
    'token-secret': halfOf(other.name ?? data['token-id'] ?? 'm1tant'),
    description: 'made by hand',
    expiration: new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z'),
    'usage-bootstrap-authentication': 'true',
    'usage-bootstrap-signing': 'true',
    'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
    ...data,
  };
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: other.name ?? 'bootstrap-token-m1tant',
      namespace: other.namespace ?? KUBE_SYSTEM,
      ...(other.labels === undefined ? {} : { labels: other.labels }),
      ...(other.annotations === undefined ? {} : { annotations: other.annotations }),
    },
    type: other.type ?? TOKEN_SECRET_TYPE,
    data: {
      ...Object.fromEntries(
        Object.entries(plain).flatMap(([key, value]) => (value === undefined ? [] : [[key, base64(value)]])),
      ),
      ...other.raw,
    },
  };
  reference.api.create(resources.secrets, secret);
}

/** Adds a token that logs in, in the groups named, and signs nothing. */
export const addLoginToken = (reference: Reference, id: string, groups: string): void =>
  addToken(
    reference,
    { 'token-id': id, 'usage-bootstrap-signing': undefined, 'auth-extra-groups': groups },
    { name: `bootstrap-token-${id}` },
  );

/** Rewrites the data of cluster-info. */
export const editClusterInfo = (
  reference: Reference,
  change: (data: Readonly<Record<string, string>>) => Readonly<Record<string, string>>,
): void =>
  edit<ConfigMap>(
    reference,
    { resource: resources.configMaps, namespace: KUBE_PUBLIC, name: 'cluster-info' },
    (found) => ({ ...found, data: change(found.data ?? {}) }),
  );

/** The plain value of a key; '' where it is absent. */
export const decoded = (secret: Secret | undefined, key: string): string =>
  Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8');

/**
 * The Secret of a token id in a namespace of the reference that was started last, for defects that need more than a
 * decision is told.
 */
export class Peephole {
  #reference: Reference | undefined;

  readonly arrange = (reference: Reference): void => {
    this.#reference = reference;
  };

  token(id: string, namespace = KUBE_SYSTEM): Secret | undefined {
    return this.#reference?.api.get(resources.secrets, namespace, `bootstrap-token-${id}`) as Secret | undefined;
  }

  /** Takes its finalizers away: where it is being deleted it is gone then. */
  release(id: string): void {
    const secret = this.token(id);
    if (secret === undefined) return;
    const { finalizers: _, ...metadata } = secret.metadata;
    this.#reference?.api.update(resources.secrets, { ...secret, metadata });
  }

  remove(id: string): void {
    this.#reference?.api.delete(resources.secrets, KUBE_SYSTEM, `bootstrap-token-${id}`);
  }
}
