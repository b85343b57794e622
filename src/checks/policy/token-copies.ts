/**
 * Copies of bootstrap tokens in Secrets of other namespaces: whoever may read those lets machines join.
 * Source: 001, the parts of a token; cluster-api, bootstrap data.
 */
import { record, text } from '../../kubernetes/json.js';
import { KUBE_SYSTEM } from '../../kubernetes/names.js';
import type { KubeObject, Secret } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { refusal } from '../../model/finding.js';
import type { LeakHunt, LeakSearch } from '../bootstrap-tokens/leaks.js';

/** Machines of Cluster API are given theirs so, and each ends with its machine. */
const OF_MACHINES = 'cluster.x-k8s.io/secret';
/** Of one value; a token in user data stands at its beginning or in the middle of some kilobytes. */
const LONGEST = 262_144;

/** Reader, object by object: what a Secret holds as its readers see it. Nothing of it is kept. */
export function lookForCopies(hunt: LeakHunt, object: KubeObject): true {
  const { metadata, type, data, stringData } = object as KubeObject & Pick<Secret, 'type'> & Record<string, unknown>;
  if (metadata.namespace === KUBE_SYSTEM || type === OF_MACHINES) return true;
  const { annotations: _, ...others } = metadata;
  const plain = Object.entries(record(data)).map(([key, value]) => [
    key,
    Buffer.from(text(value).slice(0, LONGEST), 'base64').toString('latin1'),
  ]);
  return hunt.look({ metadata: others, data: Object.fromEntries(plain), stringData } as KubeObject, 'Secret');
}

/** Places in the token's own namespace are others' to tell. */
const isElsewhere = (object: string): boolean =>
  object.startsWith('Secret ') && !object.startsWith(`Secret ${KUBE_SYSTEM}/`);

export const noCopies: Check<LeakSearch> = {
  id: 'token-copies/none',
  source: '001, the parts of a token',
  nothing: 'there is no bootstrap token with a secret half',
  judge: ({ searched, tokens }) =>
    tokens.map(({ subject, found }) => {
      const places = found.filter(({ object }) => isElsewhere(object)).map(({ object, path }) => `${object} (${path})`);
      return refusal({
        subject,
        demanded: 'its secret half stands in no Secret of another namespace',
        seen: places.length === 0 ? `not in ${searched} Secrets` : `it stands in ${[...new Set(places)].join(', ')}`,
        ok: places.length === 0,
      });
    }),
};
