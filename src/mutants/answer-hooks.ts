/** What several defects of answers do: they say another status, or change what is said. */
import { isRecord, records } from '../kubernetes/json.js';
import type { Asked, Mutant, Said } from './types.js';

export type Fields = Readonly<Record<string, unknown>>;
export const SECRETS = '/api/v1/namespaces/default/secrets';
export const PODS = '/api/v1/namespaces/default/pods';
export const ANY = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'jp-any', namespace: 'default' } };
export const isTried = ({ query }: Asked): boolean => query.has('dryRun');
export const isOwn = (path: string, of: string): boolean => path.startsWith(`${of}/jp-`);
export const isPod = ({ path }: Asked): boolean =>
  isOwn(path, PODS) && path.split('/').length === PODS.split('/').length + 1;

export const isList = ({ method, path }: Asked): boolean => method === 'GET' && path.split('/').length < 7;

/** Of what answers with that status in the place of another. */
export const answering = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  [is, from, said]: readonly [is: (asked: Asked) => boolean, from: number, said: Said],
): Mutant => ({
  name,
  defect,
  killedBy,
  gateway: { after: (asked, { status }) => (is(asked) && status === from ? said : undefined) },
});
/** Of what says something else; undefined: it is left as it is. */
export const saying = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  change: (body: Fields, asked: Asked) => unknown,
): Mutant => ({
  name,
  defect,
  killedBy,
  gateway: {
    after: (asked, { status, body }) => {
      if (!isRecord(body)) return undefined;
      const changed = change(body, asked);
      return changed === undefined ? undefined : { status, body: changed };
    },
  },
});

export const eachOf = (body: Fields, key: string, change: (item: Fields) => unknown): Fields => ({
  ...body,
  [key]: records(body[key]).map(change),
});
