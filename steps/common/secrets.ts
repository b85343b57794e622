/** Secrets that a run makes of no other use than to be there. */
import { base64 } from '../../src/kubernetes/json.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { MADE_BY } from '../../src/kubernetes/own-objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';

/** The namespace that they are in. */
export const DEFAULT = 'default';

/** The path of all of them, and of one by its name. */
export const SECRETS = pathOf(resources.secrets, { namespace: DEFAULT });
export const secretAt = (name: string): string => pathOf(resources.secrets, { namespace: DEFAULT, name });

/** One of no type of its own; what is said besides of its metadata, and of itself, stands in the place of the usual. */
export const ownSecret = (name: string, metadata: object = {}, more: object = {}): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: DEFAULT, ...metadata },
  type: 'Opaque',
  data: { text: base64(MADE_BY) },
  ...more,
});
