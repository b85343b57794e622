/** Defects of what an API server says of itself and of what it is asked about. */
import { record, records, text } from '../kubernetes/json.js';
import { ANY, answering, eachOf, type Fields, isList, isOwn, isTried, PODS, SECRETS, saying } from './answer-hooks.js';
import { remembering } from './remembering.js';
import { failure } from './said.js';
import type { Asked, Mutant } from './types.js';

const SERVED: readonly Mutant[] = [
  ...([true, false] as const).map((namespaced) =>
    saying(
      `everything-is-in-${namespaced ? 'a' : 'no'}-namespace`,
      `each resource is said to be in ${namespaced ? 'namespaces' : 'no namespace'}`,
      ['P-556'],
      (body) =>
        body.kind === 'APIResourceList'
          ? eachOf(body, 'resources', (resource) => ({ ...resource, namespaced }))
          : undefined,
    ),
  ),
  saying('parts-are-of-their-whole', 'what is said of a resource is said of its parts, too', ['P-556'], (body) =>
    body.kind === 'APIResourceList'
      ? eachOf(body, 'resources', (one) => ({ ...one, ...(one.kind === 'TokenRequest' ? { kind: 'Account' } : {}) }))
      : undefined,
  ),
  ...(['Namespaced', 'Cluster'] as const).map((scope) =>
    saying(
      `everything-is-${scope.toLowerCase()}`,
      `the list of all resources says of each of them that it is ${scope}`,
      ['P-556'],
      (body) =>
        body.kind === 'APIGroupDiscoveryList'
          ? eachOf(body, 'items', (item) =>
              eachOf(item, 'versions', (version) =>
                eachOf(version, 'resources', (resource) => ({ ...resource, scope })),
              ),
            )
          : undefined,
    ),
  ),
  saying('no-versions-are-preferred', 'a group prefers none of its versions', ['P-556'], (body) =>
    body.kind === 'APIGroupList' ? eachOf(body, 'groups', ({ preferredVersion: _, ...group }) => group) : undefined,
  ),
  saying('oldest-versions-are-preferred', 'of its versions a group prefers the last', ['P-556'], (body) =>
    body.kind === 'APIGroupList'
      ? eachOf(body, 'groups', (group) => ({ ...group, preferredVersion: records(group.versions).at(-1) }))
      : undefined,
  ),
  answering(
    'tags-say-nothing',
    'whoever names the tag of a list is told all of it again',
    ['P-556'],
    [
      () => true,
      304,
      { status: 200, body: { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items: [] } },
    ],
  ),
  answering(
    'checks-of-nobody-are-well',
    'a check that nobody makes is well',
    ['P-556'],
    [({ path }) => path.endsWith('/jp-absent'), 404, { status: 200, body: 'ok' }],
  ),
  answering(
    'checks-are-not-made-alone',
    'nobody is told of one check alone',
    ['P-556'],
    [({ path }) => path.endsWith('/ping'), 200, failure(404, 'NotFound', 'not here')],
  ),
  remembering(() => {
    let isTold = false;
    return {
      name: 'lists-never-change',
      defect: 'who has any list of all resources is told that it has not changed',
      killedBy: ['P-556'],
      gateway: {
        after: (_asked, { status, body }) => {
          if (isTold && record(body).kind === 'APIGroupDiscoveryList') return { status: 304, body: '' };
          isTold ||= status === 304;
          return undefined;
        },
      },
    };
  }),
  {
    name: 'checks-have-few-words',
    defect: 'nobody is told of each check, however many words he asks for',
    killedBy: ['P-556'],
    gateway: {
      after: ({ query }, { status }) => (query.has('verbose') && status === 200 ? { status, body: 'ok' } : undefined),
    },
  },
  {
    name: 'checks-are-always-made',
    defect: 'a check is made that was to be left out',
    killedBy: ['P-556'],
    gateway: {
      after: ({ query }, { status, body }) =>
        query.has('exclude') && typeof body === 'string'
          ? { status, body: body.replaceAll(' excluded: ok', ' ok') }
          : undefined,
    },
  },
  saying('tokens-are-of-another-use', 'what is published of tokens is for another use', ['P-381'], (body, { path }) =>
    path === '/.well-known/openid-configuration' ? { ...body, response_types_supported: ['token'] } : undefined,
  ),
  saying('keys-are-any-json', 'keys are published as any JSON is', ['P-381'], (body, { path }) =>
    path === '/openid/v1/jwks' ? { ...body } : undefined,
  ),
];

/** What stands in the details of a Status. */
const withDetails = (body: Fields, change: (details: Fields) => Fields): Fields | undefined =>
  body.kind === 'Status' && body.details !== undefined ? { ...body, details: change(record(body.details)) } : undefined;
const without = (key: string, defect: string): Mutant =>
  saying(`answers-without-${key}`, defect, ['P-558'], (body) => withDetails(body, ({ [key]: _left, ...rest }) => rest));
const isDeletion = ({ method, path }: Asked): boolean => method === 'DELETE' && isOwn(path, SECRETS);

const TOLD: readonly Mutant[] = [
  without('name', 'nobody is told the name of what is not there'),
  without('kind', 'nobody is told of which resource it is that is not there'),
  without('group', 'nobody is told of which API group it is that is not there'),
  without('uid', 'nobody is told the UID of what he has deleted'),
  without('causes', 'nobody is told which field is wrong'),
  saying(
    'accounts-are-just-gone',
    'who deletes an account is told that it has gone',
    ['P-558'],
    (_body, { method, path }) =>
      method === 'DELETE' && path.endsWith('/serviceaccounts/default')
        ? { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }
        : undefined,
  ),
  {
    name: 'answers-may-be-kept',
    defect: 'nothing keeps who is on the way from keeping an answer',
    killedBy: ['P-558'],
    gateway: { after: (_asked, { status, body }) => ({ status, body }) },
  },
  saying('refusals-in-other-words', 'nobody is told in words why he is refused', ['P-558'], (body) =>
    body.status === 'Failure' ? { ...body, message: 'it is refused' } : undefined,
  ),
  saying('what-ends-is-there', 'who makes again what is being deleted is not told that it is', ['P-558'], (body) =>
    body.status === 'Failure'
      ? { ...body, message: text(body.message).replace('object is being deleted: ', '') }
      : undefined,
  ),
  saying('refusals-without-reasons', 'nobody is told why he is refused, but in words', ['P-558'], (body) =>
    body.status === 'Failure' ? { ...body, reason: undefined } : undefined,
  ),
  answering(
    'refusals-are-bad-requests',
    'what is there already is a bad request',
    ['P-558'],
    [
      (asked) => asked.method === 'POST' && isTried(asked) && asked.path === SECRETS,
      409,
      failure(400, 'BadRequest', 'json: it is there'),
    ],
  ),
  answering(
    'old-forms-are-shown',
    'a form that was given up is shown',
    ['P-558'],
    [({ query }) => query.has('export'), 400, { status: 200, body: ANY }],
  ),
  answering(
    'deletions-are-done',
    'who deletes what waits is told that it is done',
    ['P-558'],
    [isDeletion, 202, { status: 200, body: ANY }],
  ),
  {
    name: 'deletions-are-always-accepted',
    defect: 'who deletes what waits is never told that it waits for others',
    killedBy: ['P-558'],
    gateway: {
      after: (asked, { status, body }) =>
        isDeletion(asked) && isTried(asked) && status === 200 && record(body).kind === 'Secret'
          ? { status: 202, body }
          : undefined,
    },
  },
  {
    name: 'nobody-is-warned',
    defect: 'nobody is warned of what he has written',
    killedBy: ['P-558'],
    gateway: {
      after: ({ query }, { status, body }) =>
        query.get('fieldValidation') === 'Warn' && status === 201 ? { status, body } : undefined,
    },
  },
  {
    name: 'refusals-without-warnings',
    defect: 'who is refused is not warned',
    killedBy: ['P-558'],
    gateway: {
      after: ({ query }, { status, body }) =>
        query.get('fieldValidation') === 'Warn' && status === 422 ? { status, body } : undefined,
    },
  },
];
const EMPTY = { kind: 'SecretList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] };
const listing = (name: string, defect: string, from: number, is: (asked: Asked) => boolean = isList): Mutant => ({
  name,
  defect,
  killedBy: ['P-560'],
  gateway: {
    after: (asked, { status }) => {
      const kind = asked.path.endsWith('/configmaps') ? 'ConfigMapList' : 'SecretList';
      return is(asked) && status === from ? { status: 200, body: { ...EMPTY, kind } } : undefined;
    },
  },
});

const LISTED: readonly Mutant[] = [
  listing('lists-of-what-is-to-come', 'a list of a version that is still to come is of now', 504),
  saying('lists-of-any-version-by-pages', 'a list of any version is told page by page', ['P-560'], (body, { query }) =>
    query.get('resourceVersion') === '0' && query.has('limit')
      ? { ...body, metadata: { ...record(body.metadata), continue: 'more' } }
      : undefined,
  ),
  listing(
    'lists-of-what-is-soon-to-come',
    'a list of a version that is to come soon is of now',
    504,
    (asked) => isList(asked) && (asked.query.get('resourceVersion') ?? '').length < 15,
  ),
  listing('lists-of-any-words', 'a list is made, however it is asked for', 400),
  listing('lists-of-any-match', 'a list is made, however its version is to be met', 422),
  listing(
    'lists-without-a-match-are-empty',
    'nothing is told of a version of which nobody says how it is to be met',
    200,
    (asked) => isList(asked) && asked.query.has('resourceVersion') && !asked.query.has('resourceVersionMatch'),
  ),
  saying('lists-are-of-now', 'a list of exactly a version is of the latest', ['P-560'], (body, { query }) =>
    query.get('resourceVersionMatch') === 'Exact'
      ? eachOf(body, 'items', (item) => ({ ...item, metadata: { ...record(item.metadata), resourceVersion: '1' } }))
      : undefined,
  ),
  {
    name: 'lists-are-of-then',
    defect: 'nobody is told anything of a version that is not the latest',
    killedBy: ['P-560'],
    gateway: {
      after: ({ query }, { status }) =>
        query.get('resourceVersionMatch') === 'NotOlderThan' && status === 200 ? { status, body: EMPTY } : undefined,
    },
  },
  remembering(() => {
    const labels = new Map<string, Fields>();
    return {
      name: 'empty-labels-are-none',
      defect: 'a label without a value counts as none',
      killedBy: ['P-384'],
      gateway: {
        after: (asked, { status, body }) => {
          const items = records(record(body).items);
          if (!isList(asked) || asked.path !== SECRETS || status !== 200) return undefined;
          for (const item of items) labels.set(text(record(item.metadata).name), item);
          const [mark = '', key] = (asked.query.get('labelSelector') ?? '').split(',!');
          if (key === undefined) return undefined;
          const [label = '', value] = mark.split('=');
          const more = [...labels.values()].filter(({ metadata }) => {
            const own = record(record(metadata).labels);
            return own[label] === value && (own[key] ?? '') === '';
          });
          return { status, body: { ...record(body), items: more } };
        },
      },
    };
  }),
  remembering(() => {
    let all: readonly Fields[] = [];
    return {
      name: 'deletions-take-every-page',
      defect: 'who deletes one page deletes all',
      killedBy: ['P-384'],
      gateway: {
        after: ({ method, path, query }, { status, body }) => {
          if (method !== 'DELETE' || path !== SECRETS || status !== 200) return undefined;
          if (query.has('limit')) return { status, body: { ...record(body), items: all } };
          all = records(record(body).items);
          return undefined;
        },
      },
    };
  }),
];

/** Of the managers of what is written. */
const managed = (name: string, defect: string, change: (entry: Fields) => Fields): Mutant =>
  saying(name, defect, ['P-562'], (body, asked) => {
    const metadata = record(body.metadata);
    return asked.method === 'PATCH' && isTried(asked) && isOwn(asked.path, PODS) && metadata.managedFields !== undefined
      ? { ...body, metadata: eachOf(metadata, 'managedFields', change) }
      : undefined;
  });

const MANAGED: readonly Mutant[] = [
  managed('clients-are-nobody', 'what is written in no name is of nobody', (entry) =>
    entry.manager === 'jp-agent' ? { ...entry, manager: 'unknown' } : entry,
  ),
  managed('applies-are-updates', 'what was applied is held to be written in another way', (entry) => ({
    ...entry,
    operation: 'Update',
  })),
  managed(
    'paths-are-not-held',
    'nobody holds through which path it was written',
    ({ subresource: _, ...entry }) => entry,
  ),
  managed('everybody-is-one', 'all that is written is of one manager', (entry) => ({ ...entry, manager: 'joinproof' })),
  answering(
    'applies-say-who-keeps-what',
    'an apply says itself who keeps what',
    ['P-562'],
    [
      (asked) => asked.method === 'PATCH' && isOwn(asked.path, PODS),
      400,
      { status: 200, body: { ...ANY, kind: 'Pod' } },
    ],
  ),
];

export const mutants: readonly Mutant[] = [...SERVED, ...TOLD, ...LISTED, ...MANAGED];
