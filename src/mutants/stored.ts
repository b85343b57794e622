/** Defects of what an API server stores, patches, deletes and lists of what it was given. */
import { list, record, text } from '../kubernetes/json.js';
import { isOwn, isTried, SECRETS } from './answer-hooks.js';
import { remembering } from './remembering.js';
import { failure } from './said.js';
import type { Asked, Mutant, Said } from './types.js';

const LONG_AGO = '2017-03-10T03:22:11Z';
const AS_SAID = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'jp-any',
    namespace: 'default',
    uid: '00000000-0000-4000-8000-000000000000',
    creationTimestamp: LONG_AGO,
    deletionTimestamp: LONG_AGO,
    deletionGracePeriodSeconds: 30,
  },
  type: 'Opaque',
};
const isTriedPatch = (asked: Asked): boolean =>
  asked.method === 'PATCH' && isOwn(asked.path, SECRETS) && isTried(asked);

/** Of patches that are only tried, and of the managers whose fields they change. */
const PATCHED: readonly Mutant[] = [
  {
    name: 'patches-take-away-the-rest',
    defect: 'what a patch does not name is gone afterwards',
    killedBy: ['P-545'],
    gateway: {
      after: (asked, { status, body }) => {
        if (!isTriedPatch(asked) || status !== 200) return undefined;
        const { metadata, data: _, ...rest } = record(body);
        return { status, body: { ...rest, metadata: { ...record(metadata), finalizers: [] } } };
      },
    },
  },
  {
    name: 'patches-are-let-be',
    defect: 'a JSON patch that cannot be applied leaves all as it was, and is no error',
    killedBy: ['P-545', 'P-383'],
    gateway: {
      after: (asked, { status }) =>
        isTriedPatch(asked) && status === 422 ? { status: 200, body: AS_SAID } : undefined,
    },
  },
  {
    name: 'managers-always-force',
    defect: 'who applies takes what others have said, without having said that he wants to',
    killedBy: ['P-545'],
    gateway: {
      after: (asked, { status }) =>
        isTriedPatch(asked) && status === 409 ? { status: 200, body: AS_SAID } : undefined,
    },
  },
];

const isTriedStatus = (asked: Asked): boolean =>
  asked.method === 'PATCH' && /^\/api\/v1\/nodes\/jp-[^/]+\/status$/.test(asked.path) && isTried(asked);

/** Of lists whose items have names of their own. */
const OF_ITEMS: readonly Mutant[] = [
  {
    name: 'conditions-are-left',
    defect: 'a patch of conditions leaves those that it names as they were, and those that it takes away',
    killedBy: ['P-545'],
    gateway: {
      after: (asked, { status, body }) => {
        if (!isTriedStatus(asked) || status !== 200) return undefined;
        const conditions = ['JoinproofOne', 'JoinproofTwo'].map((type) => ({ type, status: 'True' }));
        return { status, body: { ...record(body), status: { conditions } } };
      },
    },
  },
  remembering(() => {
    let isForced = false;
    return {
      name: 'managers-keep-what-is-taken',
      defect: 'what one has taken by force the other has said, too',
      killedBy: ['P-545'],
      gateway: {
        after: (asked, { status, body }) => {
          if (isOwn(asked.path, SECRETS) && asked.query.get('force') === 'true' && !isTried(asked)) isForced = true;
          if (!isForced || !isTriedPatch(asked) || status !== 200) return undefined;
          return { status, body: { ...record(body), data: { five: 'MA==', ...record(record(body).data) } } };
        },
      },
    };
  }),
];

const isGoing = (body: unknown): boolean => record(record(body).metadata).deletionTimestamp !== undefined;
const GONE = failure(404, 'NotFound', 'secrets "jp" not found');

/** What is shown of something that somebody has only tried to let go. */
const LET_GO = [
  { name: 'trying-lets-go', how: 'gone', shown: (): Said => GONE },
  {
    name: 'trying-lets-one-go',
    how: 'held by one of two alone',
    shown: (body: unknown): Said => {
      const { finalizers, ...metadata } = record(record(body).metadata);
      return {
        status: 200,
        body: { ...record(body), metadata: { ...metadata, finalizers: list(finalizers).slice(1) } },
      };
    },
  },
];

/** Of what is being deleted. */
const GOING: readonly Mutant[] = [
  {
    name: 'going-secrets-are-held-anew',
    defect: 'what is being deleted takes new finalizers',
    killedBy: ['P-552'],
    gateway: {
      after: (asked, { status, body }) =>
        isTriedPatch(asked) && status === 422 && text(record(body).message).includes('finalizers')
          ? { status: 200, body: AS_SAID }
          : undefined,
    },
  },
  {
    name: 'one-who-lets-go-is-enough',
    defect: 'what is being deleted is gone once the first of its finalizers is',
    killedBy: ['P-552'],
    gateway: {
      after: ({ method, path }, { body }) =>
        method === 'GET' &&
        isOwn(path, SECRETS) &&
        isGoing(body) &&
        list(record(record(body).metadata).finalizers).length < 2
          ? GONE
          : undefined,
    },
  },
  {
    name: 'deletions-are-taken-back',
    defect: 'a patch takes back that something is being deleted',
    killedBy: ['P-552'],
    gateway: {
      after: (asked, { status, body }) => {
        if (!isTriedPatch(asked) || !isGoing(body)) return undefined;
        const { deletionTimestamp: _, ...metadata } = record(record(body).metadata);
        return { status, body: { ...record(body), metadata } };
      },
    },
  },
  ...LET_GO.map(({ name, how, shown }) =>
    remembering(() => {
      const gone = new Set<string>();
      return {
        name,
        defect: `what is being deleted is ${how} once somebody has only tried to let it go`,
        killedBy: ['P-552'],
        gateway: {
          after: (asked: Asked, { status, body }: Said): Said | undefined => {
            const { method, path } = asked;
            if (isTriedPatch(asked) && isGoing(body) && list(record(record(body).metadata).finalizers).length === 0)
              gone.add(path);
            return method === 'GET' && gone.has(path) && status === 200 ? shown(body) : undefined;
          },
        },
      };
    }),
  ),
  remembering(() => {
    const going = new Map<string, unknown>();
    return {
      name: 'what-was-deleted-stays',
      defect: 'what is being deleted stays once its finalizers are gone',
      killedBy: ['P-552'],
      gateway: {
        after: ({ method, path }: Asked, { status, body }: Said): Said | undefined => {
          if (method !== 'GET' || !isOwn(path, SECRETS)) return undefined;
          if (isGoing(body)) going.set(path, body);
          return status === 404 && going.has(path) ? { status: 200, body: going.get(path) } : undefined;
        },
      },
    };
  }),
];

const PATHS_OF_TWO = /^\/api\/v1\/(?:nodes|namespaces\/default\/pods)\/jp-\w+(\/status)?$/;
/** What a write that is only tried comes to; `through`: by which of the two paths. */
const comesTo = (
  name: string,
  defect: string,
  through: 'object' | 'status',
  change: (body: Readonly<Record<string, unknown>>) => object,
): Mutant => ({
  name,
  defect,
  killedBy: ['P-559'],
  gateway: {
    after: (asked, { status, body }) => {
      const [path, ofStatus] = PATHS_OF_TWO.exec(asked.path) ?? [];
      const isMeant = path !== undefined && (ofStatus !== undefined) === (through === 'status');
      if (!isMeant || !isTried(asked) || !['PUT', 'PATCH'].includes(asked.method) || status !== 200) return undefined;
      return { status, body: { ...record(body), ...change(record(body)) } };
    },
  },
});
const SEEN = [{ type: 'joinproof.invalid/seen', status: 'True' }];

/** Of the two ways to write what has a status. */
const STATUSES: readonly Mutant[] = [
  comesTo('statuses-bring-all', 'who writes a status writes the specification too', 'status', ({ spec }) => ({
    spec: { ...record(spec), unschedulable: true, activeDeadlineSeconds: 3_600 },
  })),
  comesTo('statuses-come-along', 'who writes an object writes its status too', 'object', ({ status }) => ({
    status: { ...record(status), conditions: SEEN },
  })),
  comesTo('statuses-are-fixed', 'a status is not written through its own path', 'status', ({ status }) => ({
    status: { ...record(status), conditions: [] },
  })),
  comesTo('specifications-are-fixed', 'a specification is not written through its object', 'object', () => ({
    spec: {},
  })),
];

const STORED: readonly Mutant[] = [
  {
    name: 'makers-say-it-all',
    defect: 'a new object has the UID, the times and the namespace that its maker says',
    killedBy: ['P-382'],
    gateway: {
      before: (asked) =>
        asked.method === 'POST' && asked.path === SECRETS && isTried(asked)
          ? { status: 201, body: AS_SAID }
          : undefined,
    },
  },
  {
    name: 'makers-say-how-long-it-has-to-end',
    defect: 'a new object has the time to end that its maker says',
    killedBy: ['P-382'],
    gateway: {
      after: (asked, { status, body }) => {
        if (asked.method !== 'POST' || asked.path !== SECRETS || !isTried(asked) || status !== 201) return undefined;
        const { metadata, ...rest } = record(body);
        return { status, body: { ...rest, metadata: { ...record(metadata), deletionGracePeriodSeconds: 30 } } };
      },
    },
  },
  {
    name: 'texts-give-way-to-data',
    defect: 'of a key that a Secret has twice the data are held, and the texts are told again',
    killedBy: ['P-543'],
    gateway: {
      after: (asked, { status, body }) => {
        if (asked.method !== 'POST' || asked.path !== SECRETS || !isTried(asked) || status !== 201) return undefined;
        const { data, ...rest } = record(body);
        const keys = Object.keys(record(data));
        return { status, body: { ...rest, data: Object.fromEntries(keys.map((key) => [key, ''])), stringData: {} } };
      },
    },
  },
  {
    name: 'texts-are-kept-as-well',
    defect: 'what a Secret is told as texts is told again beside its data',
    killedBy: ['P-543'],
    gateway: {
      after: (asked, { status, body }) =>
        asked.method === 'POST' && asked.path === SECRETS && isTried(asked) && status === 201
          ? { status, body: { ...record(body), stringData: { text: 'as it was written' } } }
          : undefined,
    },
  },
  {
    name: 'config-maps-take-anything',
    defect: 'a ConfigMap has a key in two parts, and changes where it says that it does not',
    killedBy: ['P-543'],
    gateway: {
      after: (asked, { status }) =>
        asked.path.startsWith('/api/v1/namespaces/default/configmaps') && isTried(asked) && status === 422
          ? { status: asked.method === 'POST' ? 201 : 200, body: { ...AS_SAID, kind: 'ConfigMap' } }
          : undefined,
    },
  },
  {
    name: 'secrets-become-others',
    defect: 'a Secret takes another name, namespace or type, and changes where it says that it does not',
    killedBy: ['P-382', 'P-383'],
    gateway: {
      before: (asked) =>
        ['PUT', 'PATCH'].includes(asked.method) && isOwn(asked.path, SECRETS) && isTried(asked)
          ? { status: 200, body: AS_SAID }
          : undefined,
    },
  },
  remembering(() => {
    const made = new Map<string, unknown[]>();
    return {
      name: 'lists-hold-everything',
      defect: 'a list holds all that there is, whatever was asked for, and some of it twice',
      killedBy: ['P-384'],
      gateway: {
        after: ({ method, path }: Asked, { status, body }: Said): Said | undefined => {
          if (!/\/(secrets|certificatesigningrequests)$/.test(path)) return undefined;
          const known = made.get(path) ?? [];
          if (method === 'POST' && text(record(record(body).metadata).name).startsWith('jp-')) {
            made.set(path, [...known, body]);
            return undefined;
          }
          return method === 'GET' && status === 200
            ? { status, body: { ...record(body), items: [...known, ...known] } }
            : undefined;
        },
      },
    };
  }),
];

export const mutants: readonly Mutant[] = [...STORED, ...STATUSES, ...PATCHED, ...OF_ITEMS, ...GOING];
