/** Defects of what is written down, selected, counted and listed as a right. */
import { record, records, text } from '../kubernetes/json.js';
import { answering, isList, isTried, PODS, SECRETS, saying } from './answer-hooks.js';
import { remembering } from './remembering.js';
import { failure } from './said.js';
import type { Asked, Mutant } from './types.js';

const OWNER = /^\/api\/v1\/namespaces\/default\/configmaps\/jp-[^/]+-first$/;
const isLease = ({ method, path }: Asked): boolean =>
  method === 'POST' && path === '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const isTriedNode = (asked: Asked): boolean =>
  asked.method === 'POST' && asked.path === '/api/v1/nodes' && isTried(asked);

/** So many rules nobody has who was given rights of his own. */
const FEW = 6;

const WRITTEN: readonly Mutant[] = [
  remembering(() => {
    const owners = new Map<string, unknown>();
    return {
      name: 'owners-wait-for-everybody',
      defect: 'an owner waits for what does not hold it up, too',
      killedBy: ['P-391'],
      gateway: {
        after: ({ method, path, query }, { status, body }) => {
          if (!OWNER.test(path)) return undefined;
          if (method === 'DELETE' && query.get('propagationPolicy') === 'Foreground') owners.set(path, body);
          const known = owners.get(path);
          return method === 'GET' && status === 404 && known !== undefined ? { status: 200, body: known } : undefined;
        },
      },
    };
  }),
  saying('secrets-of-no-type', 'a Secret of no type stays of none', ['P-543'], (body, asked) =>
    asked.method === 'POST' && asked.path === SECRETS && isTried(asked) && body.type === 'Opaque'
      ? { ...body, type: '' }
      : undefined,
  ),
  saying('ranges-of-their-own', 'the range of a Node and its ranges need not agree', ['P-547'], (body, asked) =>
    isTriedNode(asked) ? { ...body, spec: { ...record(body.spec), podCIDR: '198.51.100.0/24' } } : undefined,
  ),
  answering(
    'leases-of-any-form',
    'whatever is said of a Lease, it is made',
    ['P-547'],
    [
      isLease,
      422,
      { status: 201, body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'jp-any' } } },
    ],
  ),
  answering(
    'leases-are-refused',
    'no Lease is made',
    ['P-547'],
    [isLease, 201, failure(422, 'Invalid', 'Lease "jp-any" is invalid: spec: Forbidden')],
  ),
  ...([true, false] as const).map((incomplete) =>
    saying(
      incomplete ? 'rights-are-never-whole' : 'rights-are-always-whole',
      incomplete
        ? 'everybody may have other rights than are listed'
        : 'a node has the rights that are listed, and no others',
      ['P-360'],
      (body) =>
        body.kind === 'SelfSubjectRulesReview' && records(record(body.status).resourceRules).length < FEW
          ? { ...body, status: { ...record(body.status), incomplete } }
          : undefined,
    ),
  ),
];

/** Of what is selected, counted and taken apart. */
const COUNTED: readonly Mutant[] = [
  saying('pages-are-counted', 'a page says how many come after it, whatever was selected', ['P-384'], (body, asked) =>
    isList(asked) && asked.query.has('labelSelector') && asked.query.has('limit')
      ? { ...body, metadata: { ...record(body.metadata), remainingItemCount: 2 } }
      : undefined,
  ),
  saying('deletions-take-one', 'who deletes all deletes the first alone', ['P-384'], (body, { method, path, query }) =>
    method === 'DELETE' && path === SECRETS && !query.has('limit')
      ? { ...body, items: records(body.items).slice(0, 1) }
      : undefined,
  ),
  saying('generations-begin-late', 'the first generation of a Pod is not the first', ['P-559'], (body, asked) =>
    asked.method === 'POST' && asked.path === PODS && body.kind === 'Pod'
      ? { ...body, metadata: { ...record(body.metadata), generation: 2 } }
      : undefined,
  ),
  answering(
    'rights-of-no-namespace',
    'who asks for his rights in no namespace is told of some',
    ['P-360'],
    [
      ({ path }) => path.endsWith('/selfsubjectrulesreviews'),
      400,
      { status: 201, body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', status: {} } },
    ],
  ),
  remembering(() => {
    const shared = new Set<string>();
    return saying('orphans-lose-all-owners', 'what loses one owner loses all', ['P-391'], (body, { method, path }) => {
      const metadata = record(body.metadata);
      const name = text(metadata.name);
      if (body.kind !== 'ConfigMap' || !path.startsWith('/api/v1/namespaces/default/configmaps')) return undefined;
      const owners = records(metadata.ownerReferences);
      if (owners.length > 1) shared.add(name);
      const is = method === 'GET' && shared.has(name) && owners.length === 1;
      return is ? { ...body, metadata: { ...metadata, ownerReferences: [] } } : undefined;
    });
  }),
];

export const mutants: readonly Mutant[] = [...WRITTEN, ...COUNTED];
