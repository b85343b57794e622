/**
 * What runs and what is served. Source: controller-manager, app/helper.go; apiserver,
 * pkg/server/storage/resource_config.go.
 */

export const controlPlaneDecisions = {
  /**
   * Whether a controller runs that the switches of the controller manager turn on or off. Source: helper.go
   * IsControllerEnabled.
   */
  controllerRuns: (_name: string, switchedOn: boolean): boolean => switchedOn,

  /**
   * Milliseconds after which a controller looks at what has changed. It hears of it at once, but for the collector,
   * whose graph comes first: who orphans dependents sees the object once more.
   */
  controllerHearsAfter: (name: string): number => (name === 'garbage-collector-controller' ? 20 : 0),

  /** What a controller calls itself (its User-Agent), noted beside all that it writes. Source: client-go, rest/config.go. */
  controllerAgent: (_name: string): string => 'kube-controller-manager',

  /** Whether an API group is served: --runtime-config says nothing against any. */
  groupIsServed: (_group: string): boolean => true,
};
