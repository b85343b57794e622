/** Defects of what becomes of Pods that end or are evicted, and of Nodes that are silent. */
import { record, records, text } from '../kubernetes/json.js';
import { ANY, answering, type Fields, isOwn, isPod, isTried, PODS, saying } from './answer-hooks.js';
import { remembering } from './remembering.js';
import { failure } from './said.js';
import type { Asked, Mutant } from './types.js';

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
  remembering(() => {
    const evicted = new Set<string>();
    return {
      name: 'evictions-are-done-once',
      defect: 'who has evicted a Pod, or tried to, evicts it no more',
      killedBy: ['P-557'],
      gateway: {
        after: ({ path, query }, { status }) => {
          if (!path.endsWith('/eviction') || query.size > 0 || status !== 201) return undefined;
          if (evicted.has(path)) return failure(404, 'NotFound', 'pods "jp-any" not found');
          evicted.add(path);
          return undefined;
        },
      },
    };
  }),
  remembering(() => {
    const free = new Set<string>();
    return {
      name: 'who-is-let-go-is-gone',
      defect: 'a Pod that nobody holds any more is gone before its time',
      killedBy: ['P-557'],
      gateway: {
        after: (asked, { status, body }) => {
          const { deletionTimestamp, finalizers } = record(record(body).metadata);
          const isLetGo = deletionTimestamp !== undefined && finalizers === undefined;
          if (asked.method === 'PATCH' && isPod(asked) && status === 200 && isLetGo && !isTried(asked))
            free.add(asked.path);
          return asked.method === 'GET' && free.has(asked.path) ? GONE : undefined;
        },
      },
    };
  }),
  answering(
    'service-of-any-quality',
    'a Pod is of the quality of service that its status is told',
    ['P-557'],
    [
      ({ method, path }) => method === 'PATCH' && path.endsWith('/status') && path.startsWith(PODS),
      422,
      { status: 200, body: { apiVersion: 'v1', kind: 'Pod' } },
    ],
  ),
  {
    name: 'what-is-to-end-is-bound',
    defect: 'a Pod that is being deleted is given a Node',
    killedBy: ['P-557'],
    gateway: {
      after: ({ path }, { status, body }) =>
        path.endsWith('/binding') && status === 409 && text(record(body).message).includes('is being deleted')
          ? { status: 201, body: { kind: 'Status', apiVersion: 'v1', status: 'Success', metadata: {} } }
          : undefined,
    },
  },
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
  saying('silence-has-one-reason', 'nobody is told whether a Node was ever heard of', ['P-561'], (body, asked) =>
    isNode(asked)
      ? conditioned(body, (all) => all.map((one) => (one.status === 'Unknown' ? { ...one, reason: 'Silent' } : one)))
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

export const mutants: readonly Mutant[] = [...ENDED, ...SILENT];
