/** Defects of what one write after another comes to, of the forms of answers, and of what they say besides. */
import { list, record, records, text } from '../kubernetes/json.js';
import { ANY, answering, type Fields, isOwn, isTried, PODS, SECRETS, saying } from './answer-hooks.js';
import { failure } from './said.js';
import type { Asked, Mutant } from './types.js';

const NAMESPACE = '/api/v1/namespaces/default';
const isLook = ({ method, path }: Asked): boolean => method === 'GET' && path === NAMESPACE;
const isBinding = ({ method, path }: Asked): boolean => method === 'POST' && path.endsWith('/binding');
const managersOf = (body: Fields): readonly Fields[] => records(record(body.metadata).managedFields);
const withManagers = (body: Fields, managedFields: readonly Fields[]): Fields => ({
  ...body,
  metadata: { ...record(body.metadata), managedFields },
});
const isAncient = ({ manager }: Fields): boolean => manager === 'ancient-changes';
const isLastOfTwelve = ({ manager }: Fields): boolean => manager === 'jp-12';
const isTerminating = ({ status }: Fields): boolean => record(status).phase === 'Terminating';
const isEnding = ({ metadata }: Fields): boolean => list(record(metadata).finalizers).includes('foregroundDeletion');
/** By how closed they are. */
const closedIs = (query: URLSearchParams): string | undefined =>
  /spec\.unschedulable=(true|false)/.exec(query.get('fieldSelector') ?? '')?.[1];

/** A Node that is only tried. */
const isNodeTried = ({ method, path, query }: Asked): boolean =>
  method === 'POST' && path === '/api/v1/nodes' && query.has('dryRun');

export const mutants: readonly Mutant[] = [
  saying('managers-without-end', 'however many have written, each of them is held', ['P-562'], (body) =>
    managersOf(body).some(isAncient)
      ? withManagers(
          body,
          managersOf(body).flatMap((one): readonly Fields[] =>
            isAncient(one) ? ['jp-1', 'jp-2'].map((manager) => ({ ...one, manager })) : [one],
          ),
        )
      : undefined,
  ),
  saying('latest-managers-are-forgotten', 'who comes after ten is held with all before', ['P-562'], (body) =>
    managersOf(body).some(isAncient)
      ? withManagers(
          body,
          managersOf(body).map((one) => (isLastOfTwelve(one) ? { ...one, manager: 'jp-2' } : one)),
        )
      : undefined,
  ),
  saying('managers-stay', 'nobody takes the managers away', ['P-562'], (body, { method, path, query }) =>
    method === 'PATCH' && isOwn(path, SECRETS) && query.has('dryRun') && body.kind === 'Secret'
      ? withManagers(body, [{ manager: 'jp-1', operation: 'Update' }, ...managersOf(body)])
      : undefined,
  ),
  saying('conflicts-with-somebody', 'who is in conflict is not told with whom', ['P-562'], (body) => {
    const { causes, ...details } = record(body.details);
    return records(causes).some(({ reason }) => reason === 'FieldManagerConflict')
      ? { ...body, details: { ...details, causes: records(causes).map((one) => ({ ...one, message: 'conflict' })) } }
      : undefined;
  }),
  answering(
    'pods-are-bound-again',
    'a Pod is bound to another Node',
    ['P-557'],
    [isBinding, 409, { status: 201, body: { kind: 'Status', apiVersion: 'v1', status: 'Success' } }],
  ),
  saying('deletions-change-nothing', 'what is being deleted is of its old generation', ['P-557'], (body, asked) =>
    asked.method === 'DELETE' && isTried(asked) && isOwn(asked.path, PODS) && body.kind === 'Pod'
      ? { ...body, metadata: { ...record(body.metadata), generation: 1 } }
      : undefined,
  ),
  saying(
    'nodes-are-neither',
    'a Node that does not say whether it is closed is neither',
    ['P-384'],
    (body, { query }) => (closedIs(query) === 'false' ? { ...body, items: [] } : undefined),
  ),
  saying('nodes-are-both', 'Nodes are listed whether they are closed or not', ['P-384'], (body, { query }) => {
    const name = /metadata\.name=([^,]+)/.exec(query.get('fieldSelector') ?? '')?.[1];
    return closedIs(query) === 'true' ? { ...body, items: [{ metadata: { name } }] } : undefined;
  }),
  saying(
    'pages-are-never-the-last',
    'whoever asks for one is told that there are more',
    ['P-384'],
    (body, { query }) =>
      query.get('limit') === '1' && (query.get('fieldSelector') ?? '').startsWith('metadata.name=')
        ? { ...body, metadata: { ...record(body.metadata), continue: 'more' } }
        : undefined,
  ),
  saying('applied-statuses-stay', 'what is applied of a status no more stays in it', ['P-562'], (body, asked) =>
    asked.query.get('fieldManager') === 'jp-status' && isTried(asked)
      ? {
          ...body,
          status: {
            ...record(body.status),
            conditions: [...records(record(body.status).conditions), { type: 'joinproof.invalid/two' }],
          },
        }
      : undefined,
  ),
  saying(
    'nothing-was-before-an-apply',
    'what nobody has written to is of who first applies',
    ['P-562'],
    (body, asked) =>
      asked.query.get('fieldManager') === 'jp-first'
        ? withManagers(
            body,
            records(record(body.metadata).managedFields).filter(({ operation }) => operation === 'Apply'),
          )
        : undefined,
  ),
  saying(
    'nobody-says-that-a-namespace-ends',
    'nobody is told why nothing new is made',
    ['P-364'],
    (body, { method }) =>
      method === 'POST' && records(record(body.details).causes).some(({ reason }) => reason === 'NamespaceTerminating')
        ? { ...body, details: { ...record(body.details), causes: undefined } }
        : undefined,
  ),
  {
    name: 'namespaces-go-before-what-they-hold',
    defect: 'a namespace goes before what is held in it',
    killedBy: ['P-364'],
    gateway: {
      after: ({ method, path }, { status, body }) =>
        method === 'GET' && /^\/api\/v1\/namespaces\/[^/]+$/.test(path) && status === 200 && isTerminating(record(body))
          ? failure(404, 'NotFound', 'namespaces "jp-any" not found')
          : undefined,
    },
  },
  {
    name: 'namespaces-go-under-any-uid',
    defect: 'a namespace goes under whatever UID and version it is deleted',
    killedBy: ['P-364'],
    gateway: {
      after: ({ method, path }, { status }) =>
        method === 'DELETE' && /^\/api\/v1\/namespaces\/[^/]+$/.test(path) && status === 409
          ? { status: 200, body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'jp-any' } } }
          : undefined,
    },
  },
  {
    name: 'owners-wait-for-nobody',
    defect: 'an owner goes before what holds it up',
    killedBy: ['P-391'],
    gateway: {
      after: ({ method, path }, { status, body }) =>
        method === 'GET' && path.endsWith('-first') && status === 200 && isEnding(record(body))
          ? failure(404, 'NotFound', 'configmaps "jp-any" not found')
          : undefined,
    },
  },
  saying('nothing-is-for-people', 'JSON is in one line, whatever was asked for', ['P-556'], (body, asked) =>
    isLook(asked) ? body : undefined,
  ),
  {
    name: 'everything-is-for-people',
    defect: 'JSON is in many lines, whatever was asked for',
    killedBy: ['P-556'],
    gateway: {
      after: (asked, { status, body }) =>
        isLook(asked) && status === 200 ? { status, body: JSON.stringify(body, undefined, 2) } : undefined,
    },
  },
  answering(
    'tables-in-protobuf',
    'a table is told in protobuf',
    ['P-556'],
    [isLook, 406, { status: 200, body: { ...ANY, kind: 'Table' } }],
  ),
  saying('tables-are-refused', 'who would take a table in another form is told none', ['P-556'], (body, asked) =>
    isLook(asked) && body.kind === 'Table' ? { ...body, kind: 'Namespace' } : undefined,
  ),
  saying('tables-come-first', 'who would rather take no table is told one', ['P-556'], (body, asked) =>
    isLook(asked) && body.kind === 'Namespace' ? { ...body, kind: 'Table' } : undefined,
  ),
  {
    name: 'nobody-is-told-what-is-given-up',
    defect: 'nobody is warned of what is given up',
    killedBy: ['P-558'],
    gateway: {
      after: (asked, { status, body }) => (isNodeTried(asked) && status === 201 ? { status, body } : undefined),
    },
  },
  {
    name: 'everybody-is-warned',
    defect: 'who writes a Node is warned of what it does not say',
    killedBy: ['P-558'],
    gateway: {
      after: (asked, { status, body }) =>
        isNodeTried(asked) && status === 201
          ? { status, body, headers: { warning: '299 - "spec.externalID: this field is deprecated"' } }
          : undefined,
    },
  },
  saying('escalations-in-one-word', 'who may not hand on what he writes is not told what', ['P-332'], (body) =>
    body.reason === 'Forbidden' && text(body.message).includes('attempting to grant')
      ? { ...body, message: text(body.message).split('\n')[0] }
      : undefined,
  ),
  ...(['2020-01-01T00:00:00Z', '2120-01-01T00:00:00Z', undefined] as const).map((creationTimestamp) =>
    saying(
      `reviews-of-${creationTimestamp?.slice(0, 4) ?? 'no-time'}`,
      'a review of who one is does not say when it was asked',
      ['P-564'],
      (body) => (body.kind === 'SelfSubjectReview' ? { ...body, metadata: { creationTimestamp } } : undefined),
    ),
  ),
];
