/**
 * What joinproof makes on a cluster, and how it is told from what only says so. A label can be put on anything by
 * whoever may change it;
 * therefore an object is taken for joinproof's own only where its kind, namespace, name and content are those that
 * joinproof makes as well.
 * One predicate for all: the judge leaves such objects out, the client makes no others, a sweep removes no others.
 */
import { X509Certificate } from 'node:crypto';
import { isRecord, list, record, records, text } from './json.js';
import { GROUP_NODES, KUBE_PUBLIC, KUBE_SYSTEM, SIGNATURE_KEY_PREFIX, TOKEN_KEYS } from './names.js';
import type { KubeObject } from './objects.js';
import { type Resource, resources } from './resources.js';

/** Every object of a run carries it; the value is the run's id. */
export const RUN_LABEL = 'joinproof.io/run';
/** RFC 3339; an hour after the object was made. No scenario needs it then. */
export const EXPIRES_ANNOTATION = 'joinproof.io/expires';
/** Milliseconds. */
export const LIFETIME_MS = 3_600_000;
/** Finalizers that scenarios put on objects of their own. Nobody else's are ever taken away. */
export const OWN_FINALIZERS = 'joinproof.io/';
/** Description of a token, where no scenario is about another one. */
export const MADE_BY = 'made by joinproof';
/** Image of a Pod that nothing runs. */
export const NO_IMAGE = 'joinproof.invalid/nothing';
/**
 * A container that nothing runs, so meek that it is let in where the standard "restricted" or a quota is kept to.
 * Source: staging/src/k8s.io/pod-security-admission/policy, checks of level "restricted".
 */
export const noContainer = (name = 'nothing') => ({
  name,
  image: NO_IMAGE,
  resources: { requests: { cpu: '1m', memory: '1Mi' }, limits: { cpu: '1m', memory: '1Mi' } },
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  },
});
/**
 * How names of certificate requests end that are no DNS names, and yet good: a kubelet without rotation names its request
 * node-csr- and 43 letters of base64url.
 */
export const ODD_ENDS: Readonly<Record<string, string>> = {
  'capitals and underscores': '-aB_C-9Z',
  'a colon': ':csr',
};
/** Text of a ConfigMap that resembles cluster-info. */
export const DECOY_KUBECONFIG = 'kind: Config\n';
/** Owner of an object that the garbage collector is to take. It does not exist. */
export const NO_OWNER = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'joinproof-no-such-owner',
  uid: '00000000-0000-4000-8000-000000000000',
} as const;

const RUN_ID = /^[a-z0-9]{10}$/;
const OWN_NAME = /^jp-(?:(?:csr|other|dangling|dry)-)?[a-z0-9]{5,12}$/;
/** What the API server puts after a generateName; only its form matters. */
const GENERATED = 'xxxxx';
const CONTAINER_LISTS = ['containers', 'initContainers', 'ephemeralContainers'] as const;
const TOKEN_NAME = /^bootstrap-token-[a-z0-9]{6}(?:0|-2)?$/;
const DEFAULT = 'default';

/** A kind that joinproof makes, where, and what is so of each one beside its name. */
interface OwnKind {
  readonly resource: Resource;
  /** undefined: it has no namespace. */
  readonly namespaces?: readonly string[];
  looks(object: KubeObject, name: string): boolean;
}

const named = (name: string): boolean => OWN_NAME.test(name);

const isRequestName = (name: string): boolean =>
  named(name) || Object.values(ODD_ENDS).some((end) => name.endsWith(end) && named(name.slice(0, -end.length)));

/** In the order of removal: what grants goes before what it grants to. */
export const OWN_KINDS: readonly OwnKind[] = [
  {
    resource: resources.clusterRoleBindings,
    looks: ({ roleRef, subjects }, name) =>
      named(name) &&
      text(record(roleRef).kind) === 'ClusterRole' &&
      text(record(roleRef).name) === 'system:node-bootstrapper' &&
      records(subjects).every(
        (subject) => subject.kind === 'Group' && text(subject.name).startsWith('system:bootstrappers:jp-'),
      ),
  },
  {
    resource: resources.secrets,
    namespaces: [KUBE_SYSTEM, DEFAULT, KUBE_PUBLIC],
    looks: (object, name) => named(name) || (TOKEN_NAME.test(name) && (isDescribed(object) || isShortLived(object))),
  },
  { resource: resources.certificateSigningRequests, looks: (_, name) => isRequestName(name) },
  {
    resource: resources.pods,
    namespaces: [DEFAULT],
    looks: ({ spec }, name) => named(name) && containersOf(spec).every(({ image }) => image === NO_IMAGE),
  },
  { resource: resources.serviceAccounts, namespaces: [DEFAULT], looks: (_, name) => named(name) },
  {
    resource: resources.configMaps,
    namespaces: [DEFAULT, KUBE_PUBLIC, KUBE_SYSTEM],
    looks: (object, name) =>
      object.data === undefined && object.binaryData === undefined
        ? named(name)
        : (named(name) ||
            (name === 'cluster-info' && [DEFAULT, KUBE_SYSTEM].includes(object.metadata.namespace ?? ''))) &&
          isDecoy(object),
  },
  {
    resource: resources.nodes,
    looks: ({ status }, name) => named(name) && text(record(record(status).nodeInfo).kubeletVersion) === '',
  },
];

const decoded = ({ data }: KubeObject, key: string): string =>
  Buffer.from(text(record(data)[key]), 'base64').toString('utf8');

const isDescribed = (secret: KubeObject): boolean => decoded(secret, TOKEN_KEYS.description) === MADE_BY;

/** What runs first, beside it and to look into it is no less of a Pod than what it is for. */
const containersOf = (spec: unknown): readonly Readonly<Record<string, unknown>>[] =>
  CONTAINER_LISTS.flatMap((name) => records(record(spec)[name]));

/** A token whose description is what a scenario is about. */
function isShortLived(secret: KubeObject): boolean {
  const life = Date.parse(decoded(secret, TOKEN_KEYS.expiration)) - createdAt(secret);
  return life > 0 && life <= LIFETIME_MS;
}

const isDangling = ({ data, metadata }: KubeObject): boolean =>
  data === undefined && metadata.ownerReferences?.length === 1 && metadata.ownerReferences[0]?.uid === NO_OWNER.uid;

/** A signer that is broken may have signed it. */
const isDecoy = ({ data }: KubeObject): boolean =>
  isRecord(data) &&
  data.kubeconfig === DECOY_KUBECONFIG &&
  Object.keys(data).every((key) => key === 'kubeconfig' || key.startsWith(SIGNATURE_KEY_PREFIX));

const createdAt = ({ metadata }: KubeObject): number => Date.parse(text(metadata.creationTimestamp));

/** The run that an object says it is of; undefined where it does not. */
export const runOf = ({ metadata }: KubeObject): string | undefined => {
  const run = record(record(metadata).labels)[RUN_LABEL];
  return typeof run === 'string' ? run : undefined;
};

/**
 * When nobody needs it any more, milliseconds since the epoch; undefined where it does not say. Never later than an
 * hour after its creation.
 */
export function expiryOf(object: KubeObject): number | undefined {
  const said = Date.parse(text(record(object.metadata.annotations)[EXPIRES_ANNOTATION]));
  const created = createdAt(object);
  return Number.isNaN(said) || Number.isNaN(created) ? undefined : Math.min(said, created + LIFETIME_MS);
}

/**
 * Is it marked, and of the making, as joinproof makes objects of this kind? `object` as the API server shows it, or as
 * it is to be created (with creationTimestamp).
 */
export function isOfOurMaking(resource: Resource, object: KubeObject): boolean {
  const { metadata } = object;
  if (!isRecord(metadata) || !RUN_ID.test(runOf(object) ?? '') || expiryOf(object) === undefined) return false;
  const own = OWN_KINDS.find((kind) => kind.resource.resource === resource.resource);
  if (own === undefined || own.resource.group !== resource.group) return false;
  if (own.namespaces !== undefined && !own.namespaces.includes(text(metadata.namespace))) return false;
  if (list(metadata.ownerReferences).length > 0 && !isDangling(object)) return false;
  const name = metadata.name === undefined ? text(metadata.generateName) + GENERATED : text(metadata.name);
  return own.looks(object, name);
}

/** Whom scenarios ask certificates for: nodes, users and groups that nobody else has. */
const OWN_IDENTITY = /^(?:system:node:)?jp-[a-z0-9]/;
const isNodesOrOwn = (organization: string): boolean => organization === GROUP_NODES || OWN_IDENTITY.test(organization);

/**
 * Was a certificate issued for somebody whom joinproof does not ask for? It may ask for anybody, to see that it is
 * refused; who got such a certificate has a right that is judged, whoever asked for it.
 */
function namesOthers({ status }: KubeObject): boolean {
  const issued = Buffer.from(text(record(status).certificate), 'base64').toString('utf8');
  if (issued === '') return false;
  try {
    const { O = [], CN = [] } = new X509Certificate(issued).toLegacyObject().subject as Subject;
    return ![CN].flat().every((name) => OWN_IDENTITY.test(name)) || ![O].flat().every(isNodesOrOwn);
  } catch {
    return true;
  }
}

/** A name that occurs several times has a list. */
type Subject = Readonly<Partial<Record<'O' | 'CN', string | readonly string[]>>>;

/** Whose eyes see it: the time there, in milliseconds since the epoch, and the run that looks. */
export interface Onlooker {
  readonly now: number;
  readonly run?: string | undefined;
}

/**
 * `own`: of a run that is under way, or of the one that looks. `expired`: left behind by a run that was killed. Else
 * `foreign`, whatever its labels say.
 */
export function ownership(
  resource: Resource,
  object: KubeObject,
  { now, run }: Onlooker,
): 'own' | 'expired' | 'foreign' {
  if (!isOfOurMaking(resource, object)) return 'foreign';
  if (resource.resource === resources.certificateSigningRequests.resource && namesOthers(object)) return 'foreign';
  return runOf(object) === run || (expiryOf(object) ?? 0) > now ? 'own' : 'expired';
}
