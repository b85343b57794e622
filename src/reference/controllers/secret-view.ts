/** A Secret as the two token controllers see it: decoded, with its expiration read. */
import { record, text } from '../../kubernetes/json.js';
import { TOKEN_KEYS } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { SecretView } from '../decisions/cluster-info.js';
import type { TokenExpiration } from '../decisions/tokens.js';
import type { Decisions } from '../decisions.js';

const known = new WeakMap<KubeObject, SecretView>();

/** Decodes what the store holds, once: its objects never change. A value that is no text is nothing. */
export function viewSecret(object: KubeObject): SecretView {
  const seen = known.get(object);
  if (seen !== undefined) return seen;
  const view = decode(object);
  known.set(object, view);
  return view;
}

function decode(object: KubeObject): SecretView {
  const data: Record<string, Buffer> = {};
  for (const [key, value] of Object.entries(record(object.data)))
    if (typeof value === 'string') data[key] = Buffer.from(value, 'base64');
  return {
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name ?? '',
    type: text(object.type),
    deleting: object.metadata.deletionTimestamp !== undefined,
    data,
  };
}

const expirations = new WeakMap<SecretView, { readonly by: Decisions; readonly found: TokenExpiration }>();

/** Read once as well: the signer asks for every token at every change of one. */
export function expirationOf(decisions: Decisions, secret: SecretView): TokenExpiration {
  const seen = expirations.get(secret);
  if (seen?.by === decisions) return seen.found;
  const found = decisions.readExpiration(secret.data[TOKEN_KEYS.expiration]?.toString('latin1') ?? '');
  expirations.set(secret, { by: decisions, found });
  return found;
}
