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

  /** Whether an API group is served: --runtime-config says nothing against any. */
  groupIsServed: (_group: string): boolean => true,
};
