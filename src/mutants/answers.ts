/** Defects of what an API server says of itself, of what it is asked about, and of Pods and Nodes that end or are silent. */
import { isRecord, record, records, text } from '../kubernetes/json.js';
import { remembering } from './remembering.js';
import { failure } from './said.js';
import type { Asked, Mutant, Said } from './types.js';

type Fields = Readonly<Record<string, unknown>>;
const SECRETS = '/api/v1/namespaces/default/secrets';
const PODS = '/api/v1/namespaces/default/pods';
const ANY = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'jp-any', namespace: 'default' } };
const isTried = ({ query }: Asked): boolean => query.has('dryRun');
const isOwn = (path: string, of: string): boolean => path.startsWith(`${of}/jp-`);
const isPod = ({ path }: Asked): boolean => isOwn(path, PODS) && path.split('/').length === PODS.split('/').length + 1;

/** Of what answers with that status in the place of another. */
const answering = (
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
const saying = (
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

const eachOf = (body: Fields, key: string, change: (item: Fields) => unknown): Fields => ({
  ...body,
  [key]: records(body[key]).map(change),
});

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

const isList = ({ method, path }: Asked): boolean => method === 'GET' && path.split('/').length < 7;
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

const isTriedPod = (asked: Asked): boolean => asked.method === 'PATCH' && isPod(asked) && isTried(asked);
const GONE = failure(404, 'NotFound', 'pods "jp-any" not found');
const ending = (body: unknown): unknown => record(record(body).metadata).deletionGracePeriodSeconds;
const given = (body: unknown, seconds: unknown): Fields => ({
  ...record(body),
  metadata: { ...record(record(body).metadata), deletionGracePeriodSeconds: seconds },
});

const ENDED: readonly Mutant[] = [
  {
    name: 'pods-go-at-once',
    defect: 'a Pod that is deleted is gone, whatever time it asks for',
    killedBy: ['P-557'],
    gateway: {
      after: (asked, { body }) =>
        asked.method === 'GET' && isPod(asked) && ending(body) !== undefined ? GONE : undefined,
    },
  },
  remembering(() => {
    const first = new Map<string, unknown>();
    return {
      name: 'time-is-given-once',
      defect: 'the time that a Pod was given first is not shortened any more',
      killedBy: ['P-557'],
      gateway: {
        after: (asked, { status, body }) => {
          const seconds = ending(body);
          if (asked.method !== 'GET' || !isPod(asked) || seconds === undefined) return undefined;
          const kept = first.get(asked.path) ?? seconds;
          first.set(asked.path, kept);
          return { status, body: given(body, kept) };
        },
      },
    };
  }),
  remembering(() => {
    const last = new Map<string, number>();
    return {
      name: 'time-is-given-back',
      defect: 'a Pod that was given less time is given more again',
      killedBy: ['P-557'],
      gateway: {
        after: (asked, { status, body }) => {
          if (!isPod(asked)) return undefined;
          const seconds = asked.query.get('gracePeriodSeconds');
          if (asked.method === 'DELETE' && seconds !== null) last.set(asked.path, Number(seconds));
          const wanted = last.get(asked.path);
          const is = asked.method === 'GET' && ending(body) !== undefined && wanted !== undefined;
          return is ? { status, body: given(body, wanted) } : undefined;
        },
      },
    };
  }),
  {
    name: 'what-runs-goes-at-once',
    defect: 'a Pod that runs is gone once it is deleted, and one that does not waits',
    killedBy: ['P-557'],
    gateway: {
      after: (asked, { body }) => {
        const runs = record(record(body).status).phase === 'Running';
        return asked.method === 'GET' && isPod(asked) && runs && ending(body) !== undefined ? GONE : undefined;
      },
    },
  },
  remembering(() => {
    const pods = new Map<string, unknown>();
    return {
      name: 'what-has-ended-stays',
      defect: 'a Pod is there when its time has come to an end',
      killedBy: ['P-557'],
      gateway: {
        after: (asked, { status, body }) => {
          if (!asked.path.startsWith(PODS) || isTried(asked)) return undefined;
          const path = asked.path.replace(/\/status$/, '');
          if (record(body).kind === 'Pod') pods.set(path, body);
          const known = pods.get(asked.path);
          return asked.method === 'GET' && status === 404 && known !== undefined
            ? { status: 200, body: given(known, 300) }
            : undefined;
        },
      },
    };
  }),
  remembering(() => {
    const pods = new Map<string, unknown>();
    return {
      name: 'what-has-ended-goes-on',
      defect: 'a Pod that has ended waits for its time to end',
      killedBy: ['P-557'],
      gateway: {
        after: (asked, { status, body }) => {
          if (!asked.path.startsWith(PODS)) return undefined;
          const path = asked.path.replace(/\/status$/, '');
          const { phase } = record(record(body).status);
          if (path !== asked.path && ['Succeeded', 'Failed'].includes(text(phase))) pods.set(path, body);
          const known = pods.get(asked.path);
          return asked.method === 'GET' && status === 404 && known !== undefined
            ? { status: 200, body: given(known, 300) }
            : undefined;
        },
      },
    };
  }),
  remembering(() => {
    const evicted = new Set<string>();
    return {
      name: 'evictions-end-at-once',
      defect: 'a Pod that is evicted is gone, whatever time it asks for',
      killedBy: ['P-557'],
      gateway: {
        after: (asked, { status }) => {
          const pod = /^(.*)\/eviction$/.exec(asked.path)?.[1];
          if (pod !== undefined && status === 201 && !isTried(asked)) evicted.add(pod);
          return asked.method === 'GET' && evicted.has(asked.path) ? GONE : undefined;
        },
      },
    };
  }),
  remembering(() => {
    const evicted = new Set<string>();
    return {
      name: 'evictions-are-not-tried',
      defect: 'an eviction that is only tried takes its Pod away',
      killedBy: ['P-557'],
      gateway: {
        after: (asked, { status }) => {
          const pod = /^(.*)\/eviction$/.exec(asked.path)?.[1];
          if (pod !== undefined && status === 201 && isTried(asked)) evicted.add(pod);
          return asked.method === 'GET' && evicted.has(asked.path) ? GONE : undefined;
        },
      },
    };
  }),
  answering(
    'evictions-of-any-name',
    'an eviction takes the Pod of its path away, whatever it names',
    ['P-557'],
    [
      ({ path }) => path.endsWith('/eviction'),
      400,
      { status: 201, body: { kind: 'Status', apiVersion: 'v1', status: 'Success', metadata: {} } },
    ],
  ),
  answering(
    'nobody-is-evicted',
    'no Pod is evicted',
    ['P-557'],
    [({ path }) => path.endsWith('/eviction'), 201, failure(404, 'NotFound', 'pods "jp-any" not found')],
  ),
  answering(
    'evictions-are-only-tried',
    'a Pod may be evicted where that is only tried, and not else',
    ['P-557'],
    [
      (asked) => asked.path.endsWith('/eviction') && !isTried(asked),
      201,
      failure(404, 'NotFound', 'pods "jp-any" not found'),
    ],
  ),
  answering(
    'no-mirrors-are-made',
    'nobody makes a mirror',
    ['P-557'],
    [
      (asked) => asked.method === 'POST' && asked.path === PODS && isTried(asked),
      201,
      failure(422, 'Invalid', 'Pod "jp-any" is invalid: metadata.annotations: Forbidden'),
    ],
  ),
  answering(
    'pods-become-others',
    'of a Pod anything is changed',
    ['P-557'],
    [isTriedPod, 422, { status: 200, body: { ...ANY, kind: 'Pod' } }],
  ),
  answering(
    'pods-never-change',
    'of a Pod nothing is changed',
    ['P-557'],
    [isTriedPod, 200, failure(422, 'Invalid', 'Pod "jp-any" is invalid: spec: Forbidden')],
  ),
  answering(
    'mirrors-on-no-node',
    'a mirror is made that is on no Node',
    ['P-557'],
    [
      (asked) => asked.method === 'POST' && asked.path === PODS && isTried(asked),
      422,
      { status: 201, body: { ...ANY, kind: 'Pod' } },
    ],
  ),
  ...(['each', 'no'] as const).map((which) =>
    saying(
      `generations-of-${which}-write`,
      which === 'each' ? 'each write of a Pod is another generation' : 'no write of a Pod is another generation',
      ['P-559'],
      (body, asked) => {
        const metadata = record(body.metadata);
        const is = asked.method === 'PATCH' && isTried(asked) && isOwn(asked.path, PODS) && body.kind === 'Pod';
        return is ? { ...body, metadata: { ...metadata, generation: which === 'each' ? 2 : 1 } } : undefined;
      },
    ),
  ),
];

const isNode = ({ method, path }: Asked): boolean => method === 'GET' && path.startsWith('/api/v1/nodes/jp-');
const conditioned = (body: Fields, change: (conditions: readonly Fields[]) => readonly Fields[]): Fields => {
  const status = record(body.status);
  return { ...body, status: { ...status, conditions: change(records(status.conditions)) } };
};

const SILENT: readonly Mutant[] = [
  saying(
    'silent-nodes-stay-as-they-were',
    'a Node is ready for as long as nobody says otherwise',
    ['P-561'],
    (body, asked) =>
      isNode(asked)
        ? conditioned(body, (all) =>
            all.map((one) => (one.reason === 'NodeStatusUnknown' ? { ...one, status: 'True' } : one)),
          )
        : undefined,
  ),
  saying(
    'nothing-is-said-of-the-silent',
    'of a Node that was never heard of nothing is said',
    ['P-561'],
    (body, asked) =>
      isNode(asked)
        ? conditioned(body, (all) => all.filter(({ reason }) => reason !== 'NodeStatusNeverUpdated'))
        : undefined,
  ),
  saying('silence-has-no-time', 'nobody is told since when a Node is silent', ['P-561'], (body, asked) =>
    isNode(asked)
      ? conditioned(body, (all) =>
          all.map((one) => (one.status === 'Unknown' ? { ...one, lastTransitionTime: '2017-03-10T03:22:11Z' } : one)),
        )
      : undefined,
  ),
  remembering(() => {
    const silent = new Set<string>();
    return saying('silence-is-for-ever', 'a Node that was silent is never ready again', ['P-561'], (body, asked) => {
      if (!isNode(asked)) return undefined;
      const { conditions } = record(body.status);
      if (records(conditions).some(({ reason }) => reason === 'NodeStatusUnknown')) silent.add(asked.path);
      return silent.has(asked.path)
        ? conditioned(body, (all) => all.map((one) => ({ ...one, status: 'Unknown' })))
        : undefined;
    });
  }),
];

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

export const mutants: readonly Mutant[] = [
  ...SERVED,
  ...TOLD,
  ...LISTED,
  ...MANAGED,
  ...ENDED,
  ...SILENT,
  ...WRITTEN,
  ...COUNTED,
];
