/**
 * What controllers put right that is not as they have made it.
 * Source: pkg/controller/certificates/rootcacertpublisher/publisher.go syncNamespace.
 */

export const controllerDecisions = {
  /** Whether the root certificates of a namespace are as they were made: nothing else, and nothing beside them. */
  rootsAreAsMade: (data: Readonly<Record<string, string>>, caPem: string): boolean =>
    data['ca.crt'] === caPem && Object.keys(data).length === 1,
};
