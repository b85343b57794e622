/** From which minor of Kubernetes 1 to which something is there: versions are data. */
import type { Lifetime } from './resource-definition.js';

/** Behaviour that came or went, by the lifetimes in which it is there. */
const FEATURES = {
  /** Gate WatchList: beta and on in 1.32, off again in 1.33. Source: apiserver, pkg/features/kube_features.go. */
  watchList: [{ since: 32, until: 32 }, { since: 34 }],
  /** A resourceVersion that is no number is the client's fault. */
  badVersionIsRefused: [{ since: 32 }],
  /** DeleteOptions that cannot be read are the client's fault. Source: apiserver, pkg/endpoints/handlers/delete.go. */
  badOptionsAreRefused: [{ since: 35 }],
  /** How a list is written is asked before its options are read. Source: pkg/endpoints/handlers/get.go ListResource. */
  listsAreNegotiatedFirst: [{ since: 36 }],
  /**
   * What cannot be made by an update is told to be missing before a UID is asked of it. Source: pkg/registry/generic/
   * registry/store.go Update, ignoreNotFound.
   */
  missingBeforeItsUid: [{ since: 34 }],
  /** A list of exactly a version that is yet to come is refused before etcd is asked. Source: pkg/storage/cacher. */
  futureListsAreTooLarge: [{ since: 34 }],
  /** A time that is not set is left out of metadata (omitzero); it was null before. */
  unsetTimesAreLeftOut: [{ since: 34 }],
  /** /statusz and /flagz. Source: k8s.io/component-base, zpages. */
  statusPages: [{ since: 36 }],
  /** emulation and compatibility fields of /version. */
  emulationVersion: [{ since: 33 }],
  /** The document of the API names the version that is emulated. Source: apiserver, pkg/server/config.go. */
  openapiOfEmulated: [{ since: 31 }],
  /** Names in metrics are escaped with underscores. */
  metricsUnderscores: [{ since: 33 }],
  /** apidiscovery.k8s.io/v2; v2beta1 before it, and beside it until gate AggregatedDiscoveryRemoveBetaType is on. */
  aggregatedDiscoveryV2: [{ since: 30 }],
  aggregatedDiscoveryV2beta1: [{ since: 27, until: 32 }],
} as const satisfies Readonly<Record<string, readonly Lifetime[]>>;

export type Feature = keyof typeof FEATURES;

export const isServed = ({ since, until }: Lifetime, minor: number): boolean =>
  (since === undefined || minor >= since) && (until === undefined || minor <= until);

export const hasFeature = (feature: Feature, minor: number): boolean =>
  FEATURES[feature].some((lifetime: Lifetime) => isServed(lifetime, minor));
