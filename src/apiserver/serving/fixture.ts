/**
 * A small API for the tests of this room: config maps, secrets and namespaces, one user who may do everything, a clock
 * that stands still.
 */
import type { UserInfo } from '../../kubernetes/objects.js';
import type { AdmissionPlugin, Authenticator, Authorizer } from '../access.js';
import { type ManualClock, manualClock } from '../clock.js';
import type { ApiResponse, Sink } from '../machinery/http.js';
import type { FieldSchema, ResourceDefinition } from '../resource-definition.js';
import { type Api, createApi, type Machinery, namespaceLifecycle, taintNodesByCondition } from '../server.js';
import { createStore, type MemoryStore } from '../storage/store.js';

export const START = Date.parse('2026-11-20T10:00:00Z');
export const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };

const STRING: FieldSchema = { type: 'string' };
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

function definition(
  kind: string,
  namespaced: boolean,
  properties: Readonly<Record<string, FieldSchema>>,
  more: Partial<ResourceDefinition> = {},
): ResourceDefinition {
  return {
    group: '',
    version: 'v1',
    kind,
    resource: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced,
    verbs: VERBS,
    strategy: { allowUnconditionalUpdate: true },
    schema: { type: 'object', properties },
    subresources: [],
    fieldSelectors: {},
    columns: [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }],
    row: (object) => [object.metadata.name ?? ''],
    ...more,
  };
}

const PORT: FieldSchema = {
  type: 'object',
  properties: { name: STRING, port: { type: 'integer', format: 'int32' }, protocol: STRING },
};

export const kinds: readonly ResourceDefinition[] = [
  definition('Namespace', false, {}),
  definition('ConfigMap', true, {
    data: { type: 'map', items: STRING },
    immutable: { type: 'boolean', presence: 'pointer' },
  }),
  definition(
    'Secret',
    true,
    { data: { type: 'map', items: { type: 'string', format: 'byte' } }, type: STRING },
    { fieldSelectors: { type: (object) => String(object.type ?? '') } },
  ),
  definition('Service', true, {
    spec: {
      type: 'object',
      presence: 'value',
      properties: {
        ports: {
          type: 'array',
          items: PORT,
          listType: 'map',
          mapKeys: ['port', 'protocol'],
          patchStrategy: 'merge',
          patchMergeKey: 'port',
        },
        type: STRING,
      },
    },
  }),
];

export interface Fixture {
  readonly api: Api;
  readonly store: MemoryStore;
  readonly clock: ManualClock;
  /** One request as the given user; bodies other than text are sent as JSON. */
  ask(method: string, url: string, body?: unknown, headers?: Readonly<Record<string, string>>): Answer;
}

/** JSON of a shape that only the test knows; lists can be walked. */
export type Loose = { readonly [key: string]: Loose } & Pick<readonly Loose[], 'map' | 'some'>;

export interface Answer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly text: string;
  readonly json: Loose;
}

export function fixture(
  given: {
    readonly authenticator?: Authenticator;
    readonly authorizer?: Authorizer;
    readonly admission?: readonly AdmissionPlugin[];
    readonly manners?: Partial<Machinery['manners']>;
    readonly impersonate?: Machinery['impersonate'];
    readonly minor?: number;
    readonly serviceAccountIssuer?: Machinery['serviceAccountIssuer'];
    /** instead of the small kinds of this file */
    readonly definitions?: readonly ResourceDefinition[];
  } = {},
): Fixture {
  const store = createStore();
  const clock = manualClock(START);
  let counter = 0;
  const api = createApi({
    definitions: given.definitions ?? kinds,
    authenticator: given.authenticator ?? {
      authenticate: () => ({ kind: 'user', user: ADMIN, via: 'certificate' }),
      review: () => ({}),
    },
    authorizer: given.authorizer ?? { authorize: () => ({ decision: 'allow', reason: '' }) },
    admission: [namespaceLifecycle(store), taintNodesByCondition, ...(given.admission ?? [])],
    store,
    clock,
    random: (length) => Buffer.from(Array.from({ length }, () => (counter++ * 7) % 256)),
    manners: {
      unauthorizedMessage: () => 'Unauthorized',
      isAllowed: (decision) => decision === 'allow',
      bodyLimit: () => 3 * 1024 * 1024,
      namesWhatIsThere: (named, stored) => named === stored,
      dryRunsAreStored: () => false,
      watchBegins: (named) => named,
      watchTells: (before, after) => (after ? (before ? 'MODIFIED' : 'ADDED') : before ? 'DELETED' : undefined),
      watchTellsDeletion: (before) => before,
      watchBeginsWithWhatIs: (due) => due,
      watchReaches: (namespace, own) => namespace === undefined || own === namespace,
      watchSaysWhereItBegins: () => true,
      versionOfFound: (own) => own,
      versionOfLost: (_last, ofChange) => ofChange,
      versionOfDeleted: (_last, ofDeletion) => ofDeletion,
      ...given.manners,
    },
    impersonate: given.impersonate ?? ((_headers, { user }) => user),
    version: { minor: given.minor ?? 36, gitVersion: `v1.${given.minor ?? 36}.0` },
    ...(given.serviceAccountIssuer === undefined ? {} : { serviceAccountIssuer: given.serviceAccountIssuer }),
  });
  api.clientFor(ADMIN).create({ group: '', resource: 'namespaces' }, { metadata: { name: 'default' } });
  return {
    api,
    store,
    clock,
    ask(method, url, body, headers = {}) {
      const bytes = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
      const list = Object.fromEntries(
        Object.entries({ 'user-agent': 'test/1', ...headers }).map(([name, value]) => [name.toLowerCase(), [value]]),
      );
      return read(api.handle({ method, url, headers: list, certificates: [], body: Buffer.from(bytes) }));
    },
  };
}

/** A client that takes everything at once. */
export const sink = (hear: (chunk: string | Buffer) => void, end: () => void = () => undefined): Sink => ({
  write(chunk) {
    hear(chunk);
    return true;
  },
  onDrain: () => undefined,
  end,
});

const NOTHING = {} as Loose;

export function read(response: ApiResponse): Answer {
  if (response.kind === 'later') throw new Error('nobody stands behind this server');
  if (response.kind === 'stream') return { code: response.code, headers: response.headers, text: '', json: NOTHING };
  const text = response.body.toString();
  let json = NOTHING;
  try {
    json = JSON.parse(text) as Loose;
  } catch {
    // not every answer is JSON
  }
  return { code: response.code, headers: response.headers, text, json };
}

/** Why an object is refused, "field: message" each; the code of what is no such refusal. */
export const causesOf = ({ code, json }: Answer): readonly string[] =>
  code === 422
    ? (json.details?.causes?.map(({ field, message }) => `${String(field)}: ${String(message)}`) ?? [])
    : [String(code)];

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
export const APPLY = { 'content-type': 'application/apply-patch+yaml' };
export const MERGE = { 'content-type': 'application/merge-patch+json' };
export const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' };
export const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
