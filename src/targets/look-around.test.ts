import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import type { Resource } from '../kubernetes/resources.js';
import { TargetUnreachable, UnexpectedAnswer } from './errors.js';
import type { HttpTarget } from './http-target.js';
import { lookAround } from './look-around.js';

const NOW = Date.UTC(2026, 10, 27);
const HIDDEN = new UnexpectedAnswer('GET', '/a', 403, 'Forbidden', 'no');

/** What a played cluster shows. */
interface Shown {
  /** Seconds since the Lease was renewed; else it is not there. */
  readonly renewed?: number | 'hidden';
  /** How long the Lease says that it lasts, and after how many looks somebody has taken it. */
  readonly lasts?: unknown;
  readonly taken?: number;
  readonly pods?: readonly KubeObject[] | 'hidden';
  /** What becomes of an object without an owner. */
  readonly dangling?: 'collected' | 'refused';
  readonly stranger?: { readonly status: number; readonly user?: string } | Error;
  /** Verbs and resources that reviews allow, and "strangers" where they may list Secrets. */
  readonly may?: readonly string[];
  /** Names of what kubeadm leaves. */
  readonly there?: readonly string[];
  readonly unreadable?: readonly string[];
  readonly mayWrite?: boolean;
}

const pod = (ready: string, ...words: readonly string[]): KubeObject =>
  ({
    metadata: { name: 'a' },
    spec: { containers: [{ command: ['kube-controller-manager'] }, { args: words }] },
    status: {
      conditions: [
        { type: 'Initialized', status: 'True' },
        { type: 'Ready', status: ready },
      ],
    },
  }) as unknown as KubeObject;

function played(shown: Shown): HttpTarget {
  const { renewed, pods = [], stranger = { status: 401 }, may = [], there = [], unreadable = [] } = shown;
  const { lasts: leaseDurationSeconds, taken = Number.POSITIVE_INFINITY } = shown;
  const renewTime = new Date(NOW - (Number(renewed) || 0) * 1000).toISOString();
  let looks = 0;
  const lease = () => {
    looks += 1;
    return { metadata: {}, spec: { leaseDurationSeconds, renewTime: looks > taken ? 'another' : renewTime } };
  };
  const allowed = (body: unknown): boolean => {
    const { spec } = body as { spec: { user?: string; resourceAttributes: Record<string, string> } };
    const { verb, resource } = spec.resourceAttributes;
    return may.includes(spec.user === undefined ? `${verb} ${resource}` : 'strangers');
  };
  return {
    admin: {
      get: async ({ kind }: Resource, name: string) => {
        if (kind === 'Lease' && renewed === 'hidden') throw HIDDEN;
        if (kind === 'Lease') return renewed === undefined ? undefined : lease();
        if (unreadable.includes(name)) throw HIDDEN;
        return there.includes(name) ? { metadata: { name } } : undefined;
      },
      list: async () => {
        if (pods === 'hidden') throw HIDDEN;
        return pods;
      },
      create: async () => {
        if (shown.dangling === 'refused') throw HIDDEN;
        return { metadata: { name: 'jp-dangling-a' } };
      },
      ask: async ({ body }: { readonly body: unknown }) => ({
        status: 201,
        body: { status: { allowed: allowed(body) } },
      }),
    },
    as: () => ({
      ask: async () => {
        if (stranger instanceof Error) throw stranger;
        const { status, user } = stranger;
        return { status, body: user === undefined ? undefined : { message: `User "${user}" cannot list` } };
      },
    }),
    facts: { now: () => NOW },
    redactor: { redact: (text: string) => `<${text}>` },
  } as unknown as HttpTarget;
}

const lookedAt = (shown: Shown) =>
  lookAround(played(shown), {
    readOnly: shown.mayWrite === true ? undefined : 'it is only read',
    version: { gitVersion: 'v1.36.0', minor: 36 } as never,
    signal: new AbortController().signal,
  });

const UNSEEN = 'whether kube-controller-manager runs cannot be seen: kube-system shows neither its Lease nor its Pod';
const STOPPED = (ago: number): string =>
  `kube-controller-manager does not run: its Lease was last renewed ${ago} s ago`;

describe('whether controllers run', () => {
  const rows: readonly (readonly [string, Shown, true | string, boolean])[] = [
    ['a fresh Lease', { renewed: 59 }, true, false],
    ['a Lease that is old', { renewed: 60 }, STOPPED(60), true],
    ['an old Lease, and a Pod that is elected', { renewed: 61, pods: [pod('True')] }, STOPPED(61), true],
    [
      'an old Lease, and Pods one of which is elected by nobody',
      { renewed: 61, pods: [pod('True', '--leader-elect=true'), pod('True', '--a', '--leader-elect=False')] },
      true,
      false,
    ],
    [
      'an old Lease, and such a Pod that is not ready',
      { renewed: 61, pods: [pod('False', '--leader-elect=false')] },
      STOPPED(61),
      true,
    ],
    [
      'an old Lease, and a flag that only looks alike',
      { renewed: 61, pods: [pod('True', '--leader-elect=falsely', 'x--leader-elect=0')] },
      STOPPED(61),
      true,
    ],
    ['no Lease, and Pods one of which is ready', { pods: [pod('False'), pod('True')] }, true, false],
    ['no Lease, and a Pod that is not ready', { pods: [pod('False')] }, UNSEEN, false],
    ['no Lease, and a Pod that says nothing', { pods: [{ metadata: { name: 'a' } } as KubeObject] }, UNSEEN, false],
    ['nothing that may be read', { renewed: 'hidden', pods: 'hidden' }, UNSEEN, false],
    ['nothing, where writing shows it', { mayWrite: true, dangling: 'collected' }, true, false],
    ['nothing, where nothing may be made', { mayWrite: true, dangling: 'refused' }, UNSEEN, false],
  ];
  for (const [name, shown, controllers, absent] of rows)
    it(`is told by ${name}`, async () => {
      const { facts, absent: known } = await lookedAt(shown);
      assert.deepEqual([facts.controllers, known], [controllers, absent ? ['controllers'] : []]);
    });
});

describe('whether controllers will run', () => {
  let time = 0;
  beforeEach(() => {
    time = 0;
    mock.method(performance, 'now', () => time);
    mock.method(Date, 'now', () => time);
    mock.method(globalThis, 'setTimeout', (act: () => void, milliseconds: number) => {
      time += milliseconds;
      return setImmediate(act);
    });
  });
  afterEach(() => mock.restoreAll());

  it('is waited for as long as the Lease lasts, and somewhat longer, within bounds', async () => {
    for (const [lasts, taken, runs, waited] of [
      [15, 1, true, 500],
      [15, 39, true, 19_500],
      [15, 40, false, 19_500],
      [30, 78, true, 39_000],
      [100, 79, false, 39_000],
      [0, 1, false, 0],
      ['15', 1, false, 0],
      [undefined, 1, false, 0],
    ] as const) {
      time = 0;
      const { facts } = await lookedAt({ renewed: 100, lasts, taken });
      assert.deepEqual([facts.controllers === true, time], [runs, waited], `${lasts} taken after ${taken}`);
    }
  });

  it('is seen by whether what has no owner goes, within twelve seconds', async () => {
    const stays = await lookedAt({ mayWrite: true, dangling: 'collected', there: ['jp-dangling-a'] });
    assert.equal(stays.facts.controllers, 'no controller acts: an object without an owner was not collected');
    assert.deepEqual([stays.absent, time], [['controllers'], 12_000]);
    time = 0;
    const there = ['jp-dangling-a'];
    const goes = lookedAt({ mayWrite: true, dangling: 'collected', there });
    while (time < 3_000) await new Promise((resolve) => setImmediate(resolve));
    there.pop();
    assert.equal((await goes).facts.controllers, true);
    assert.ok(time < 12_000);
  });
});

describe('whether strangers are strangers', () => {
  const added = 'something before the API server adds a credential of its own';
  const rows: readonly (readonly [string, Shown, true | string])[] = [
    ['401', { stranger: { status: 401, user: 'a' } }, true],
    ['403 for a stranger', { stranger: { status: 403, user: 'system:anonymous' } }, true],
    ['403 for nobody', { stranger: { status: 403 } }, true],
    [
      '403 for somebody',
      { stranger: { status: 403, user: 'bob' } },
      `a request without credentials is taken for <bob>: ${added}`,
    ],
    ['Secrets, which strangers may read', { stranger: { status: 200 }, may: ['strangers'] }, true],
    [
      'Secrets, which strangers may not read',
      { stranger: { status: 200 } },
      `a request without credentials reads Secrets, which system:anonymous may not: ${added}`,
    ],
    [
      'no answer',
      { stranger: new TargetUnreachable('it was closed', 'closed') },
      'a request without credentials gets no answer: it was closed',
    ],
  ];
  for (const [name, shown, anonymous] of rows)
    it(`is told by ${name}`, async () => assert.deepEqual((await lookedAt(shown)).facts.anonymous, anonymous));

  it('is not told where the run ends, or something else is wrong', async () => {
    for (const stranger of [new TargetUnreachable('it was over', 'aborted'), new Error('other')])
      await assert.rejects(lookedAt({ stranger }), stranger);
  });
});

describe('what a target lacks', () => {
  const neither = 'the credential may neither create SubjectAccessReviews nor impersonate';
  const rows: readonly (readonly [string, Shown, object])[] = [
    ['reviews and writes', {}, { writes: 'it is only read', reviews: neither }],
    [
      'reviews, where users alone can be spoken for',
      { mayWrite: true, may: ['impersonate users'], dangling: 'collected' },
      { reviews: neither },
    ],
    [
      'reviews, where groups alone can be spoken for',
      { mayWrite: true, may: ['impersonate groups'], dangling: 'collected' },
      { reviews: neither },
    ],
    [
      'nothing, where both can',
      { mayWrite: true, may: ['impersonate users', 'impersonate groups'], dangling: 'collected' },
      {},
    ],
    [
      'writes alone, where reviews can be made',
      { may: ['create subjectaccessreviews'] },
      { writes: 'it is only read' },
    ],
  ];
  for (const [name, shown, lacks] of rows)
    it(`is ${name}`, async () => assert.deepEqual((await lookedAt(shown)).lacks, lacks));
});

describe('whether kubeadm has set a cluster up', () => {
  const none =
    'kube-system has no ConfigMap kubeadm-config, nor is there what else kubeadm leaves: kubeadm did not set the cluster up';
  const rows: readonly (readonly [string, Shown, true | string, readonly string[]])[] = [
    ['its configuration', { there: ['kubeadm-config'] }, true, ['ConfigMap kube-system/kubeadm-config']],
    [
      'two of what else it leaves',
      { there: ['kubelet-config', 'kubeadm:get-nodes'] },
      true,
      ['ConfigMap kube-system/kubelet-config', 'ClusterRole kubeadm:get-nodes'],
    ],
    ['one of it, which is too little', { there: ['kubelet-config'] }, none, []],
    ['nothing', {}, none, []],
    [
      'what may not be read',
      { unreadable: ['kubeadm-config', 'kubeadm:get-nodes'] },
      'ConfigMap kubeadm-config cannot be read (GET /a answered 403 Forbidden: no)',
      [],
    ],
  ];
  for (const [name, shown, kubeadm, signs] of rows)
    it(`is told by ${name}`, async () => {
      const found = await lookedAt(shown);
      assert.deepEqual([found.facts.kubeadm, found.signs], [kubeadm, signs]);
    });
});

it('what is looked at from outside is neither fresh, ours nor in this process', async () => {
  const { fresh, ours, inProcess } = (await lookedAt({})).facts;
  const foreign = 'the cluster is not ours: joinproof neither disturbs what others made nor hands out rights';
  assert.deepEqual([fresh, ours, inProcess], [foreign, foreign, 'the target is another process']);
});
