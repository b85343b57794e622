import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attempts } from './joining-attempts.js';
import type { Attempt, Seen } from './joining-client-reader.js';
import {
  certificateAskedForAgain,
  certificateRenewed,
  certificateRenewedAnew,
  certificateRenewedBeforeItsEnd,
  clientKeepsItsName,
  nodeRegistered,
  nodeRegisteredAfterPauses,
  nodeRegisteredAsItself,
  nodeThereTaken,
  unapprovedUnused,
} from './joining-kubelets.js';
import { attempted, seenAs } from './joining-seen.testing.js';

const REQUESTS = 'POST /apis/certificates.k8s.io/v1/certificatesigningrequests';
const HOUR = 3_600_000;
const before = (all: readonly Partial<Seen>[], more: Partial<Attempt> = {}): Attempts => [
  attempted({
    milliseconds: 10 * HOUR,
    ...more,
    seen: all.map(({ what = '', as = '', ...one }) => seenAs(what, as, one)),
  }),
];
const asked = (hours: number, as: string, more: Partial<Seen> = {}): Partial<Seen> => ({
  what: REQUESTS,
  as,
  answered: 201,
  first: hours * HOUR,
  last: hours * HOUR,
  ...more,
});
const resultOf = (findings: readonly { readonly result: string }[]): string | undefined => findings[0]?.result;

describe('a kubelet that goes on', () => {
  const renewed = (hours: number, as = 'a certificate'): string | undefined =>
    resultOf(
      certificateRenewed.judge(
        before([asked(0, 'its token'), asked(hours, as)], { life: 4 * HOUR, milliseconds: 5 * HOUR }),
        undefined,
      ),
    );
  it('renews with what it has, neither early nor late', () => {
    assert.deepEqual(
      [2, 3, 3.9].map((hours) => renewed(hours)),
      ['unmet', 'met', 'unmet'],
    );
    assert.equal(renewed(3, 'its token'), 'unmet');
    // its certificate begins up to a second before it is asked for: 0.7 of four hours and five minutes, without these
    const seconds = 0.7 * 14_700 - 300;
    assert.deepEqual(
      [seconds, seconds - 1, seconds - 2].map((at) => renewed(at / 3_600)),
      ['met', 'met', 'unmet'],
    );
  });
  it('is in time by its first try, which may be refused', () => {
    const tried = (hours: number): string | undefined => {
      const refused = asked(hours, 'a certificate', { answered: 500 });
      const again = asked(3.7, 'a certificate');
      const attempts = before([asked(0, 'its token'), refused, again], { life: 4 * HOUR, milliseconds: 5 * HOUR });
      return resultOf(certificateRenewed.judge(attempts, undefined));
    };
    assert.deepEqual([tried(2), tried(3.59), tried(3.69)], ['unmet', 'met', 'unmet']);
  });
  it('lets a moment pass before it registers once more', () => {
    const at = (first: number, more: Partial<Seen> = {}): Partial<Seen> => ({
      what: 'POST /api/v1/nodes',
      as: 'a certificate',
      answered: 403,
      first,
      last: first,
      ...more,
    });
    const paused = (...all: readonly Partial<Seen>[]): string | undefined =>
      resultOf(nodeRegisteredAfterPauses.judge(before(all), undefined));
    assert.equal(paused(at(0)), undefined);
    assert.equal(paused(at(0), at(50)), 'met');
    assert.equal(paused(at(0), at(49)), 'unmet');
    assert.equal(paused(at(0), at(1, { as: 'its token' })), undefined);
    assert.equal(paused(at(0, { times: 3, last: 100 })), 'met');
    assert.equal(paused(at(0, { times: 3, last: 99 })), 'unmet');
    assert.equal(paused(at(0, { last: 200 }), at(249)), 'unmet');
  });
  it('takes a Node that is there', () => {
    const found = (times: number, more: Partial<Attempt> = {}, what = 'POST /api/v1/nodes'): string | undefined =>
      resultOf(
        nodeThereTaken.judge(
          before([{ what, as: 'a certificate', answered: 409, times }], { exit: 0, ...more }),
          undefined,
        ),
      );
    assert.deepEqual([found(1), found(4), found(5)], ['met', 'met', 'unmet']);
    assert.equal(found(1, { exit: 1 }), 'unmet');
    assert.equal(found(1, { exit: 1, isStarved: true }), 'unclear');
    assert.equal(found(5, { isStarved: true }), 'unmet');
    assert.equal(found(9, {}, 'GET /api/v1/nodes/worker-9'), 'met');
    assert.equal(found(1, {}, 'GET /api/v1/nodes/other'), 'unmet');
    assert.equal(found(1, { node: 'other' }, 'GET /api/v1/nodes/other'), 'met');
  });
  it('renews before the end, with what it has, for as long as it stays', () => {
    const life = HOUR;
    const judged = (milliseconds: number, ...all: readonly (readonly [at: number, key: string, shown: string])[]) =>
      resultOf(
        certificateRenewedBeforeItsEnd.judge(
          before(
            all.map(([at, key, shown]) => asked(at, shown === '' ? 'its token' : 'a certificate', { key, shown })),
            { life, milliseconds },
          ),
          undefined,
        ),
      );
    assert.equal(judged(2 * HOUR, [0, 'a', ''], [0.8, 'b', 'a'], [1.6, 'c', 'b']), 'met');
    assert.equal(judged(2 * HOUR, [0, 'a', ''], [0.8, 'b', 'a'], [1.1, 'c', 'b']), 'met');
    assert.equal(judged(2 * HOUR, [0, 'a', ''], [0.8, 'b', 'a']), 'unmet');
    assert.equal(judged(2 * HOUR, [0, 'a', ''], [0.8, 'b', 'a'], [1.2, 'c', 'a']), 'unmet');
    assert.equal(judged(2 * HOUR, [0, 'a', ''], [1.1, 'b', 'a'], [1.6, 'c', 'b']), 'unmet');
    assert.equal(judged(2 * HOUR, [0, 'a', ''], [0.8, 'b', 'a'], [1.6, 'c', '']), 'unmet');
    assert.equal(judged(1.7 * HOUR, [0, 'a', ''], [0.8, 'b', 'a']), 'unmet');
    assert.equal(judged(2 * HOUR, [0, 'a', '']), 'unmet');
    assert.equal(judged(2 * HOUR), 'unmet');
    assert.deepEqual(certificateRenewedBeforeItsEnd.judge(before([asked(0, 'its token')]), undefined), []);
  });
  it('asks again where it is refused, with what it has', () => {
    const judged = (...all: readonly (readonly [as: string, answered: number])[]) =>
      resultOf(
        certificateAskedForAgain.judge(before(all.map(([as, answered], at) => asked(at, as, { answered }))), undefined),
      );
    const [token, own] = ['its token', 'a certificate'];
    assert.equal(judged([token, 201], [own, 500], [own, 201]), 'met');
    assert.equal(judged([token, 500], [token, 201], [own, 201], [own, 201]), 'met');
    assert.equal(judged([token, 201], [own, 500]), 'unmet');
    assert.equal(judged([token, 201], [own, 500], [token, 201], [own, 201]), 'unmet');
    assert.equal(judged([token, 500]), 'unmet');
    assert.equal(judged(), 'unmet');
    const shown = (...all: readonly (readonly [key: string, shown?: string])[]) =>
      resultOf(
        certificateAskedForAgain.judge(
          before(
            all.map(([key, by], at) =>
              asked(at, by === undefined ? token : own, { key, ...(by === undefined ? {} : { shown: by }) }),
            ),
          ),
          undefined,
        ),
      );
    assert.equal(shown(['a'], ['b', 'a'], ['c', 'a'], ['d', 'c']), 'met');
    assert.equal(shown(['a'], ['b', 'a'], ['c', 'b']), 'unmet');
    const resent = [
      asked(0, token, { key: 'a' }),
      asked(1, own, { key: 'b', shown: 'a', answered: 500 }),
      asked(2, own, { key: 'b', shown: 'a' }),
      asked(3, own, { key: 'c', shown: 'b' }),
    ];
    assert.equal(resultOf(certificateAskedForAgain.judge(before(resent), undefined)), 'met');
  });
  it('may renew earlier in a way of its own', () => {
    const early = (speaksKubeadm: boolean, hours: number): string | undefined =>
      resultOf(
        certificateRenewed.judge(
          before([asked(0, 'its token'), asked(hours, 'a certificate')], {
            life: 4 * HOUR,
            milliseconds: 5 * HOUR,
            speaksKubeadm,
          }),
          undefined,
        ),
      );
    assert.deepEqual([early(true, 2), early(false, 2), early(false, 0.5)], ['unmet', 'met', 'unmet']);
  });
  it('does renew', () => {
    const once = before([asked(0, 'its token')], { life: 4 * HOUR });
    assert.equal(resultOf(certificateRenewed.judge(once, undefined)), 'unmet');
  });
  it('renews with another key', () => {
    const judged = (...all: readonly (readonly [hours: number, key: string])[]) => {
      const attempts = before(all.map(([hours, key]) => asked(hours, 'a certificate', { key })));
      return resultOf(certificateRenewedAnew.judge(attempts, undefined));
    };
    assert.equal(judged([0, 'a'], [3, 'b'], [6, 'c']), 'met');
    assert.equal(judged([0, 'a'], [3, 'b'], [6, 'a']), 'unmet');
    assert.equal(judged([0, 'a']), 'unmet');
  });
  it('shows no certificate that nobody has approved', () => {
    const judged = (...all: readonly (readonly [key: string, shown: string])[]) =>
      resultOf(
        unapprovedUnused.judge(
          before(all.map(([key, shown], at) => asked(at, 'a certificate', { key, shown }))),
          undefined,
        ),
      );
    assert.equal(judged(['a', ''], ['b', 'a']), 'met');
    assert.equal(judged(['a', ''], ['b', 'a'], ['c', 'a'], ['d', 'c']), 'met');
    assert.equal(judged(['a', ''], ['b', 'a'], ['c', 'b']), 'unmet');
    assert.equal(judged(['a', '']), 'unmet');
    assert.equal(judged(), 'unmet');
  });
  it('registers until that is taken', () => {
    const tries = (...answers: readonly number[]): Attempts =>
      before(answers.map((answered) => ({ what: 'POST /api/v1/nodes', as: 'a certificate', answered })));
    const all = [tries(403, 201), tries(403, 403), tries()];
    assert.deepEqual(
      all.map((one) => resultOf(nodeRegistered.judge(one, undefined))),
      ['met', 'unmet', 'unmet'],
    );
  });

  it('without a taint that nobody told it', () => {
    const made = (...taints: readonly string[]): unknown =>
      nodeRegistered.judge(
        before([{ what: 'POST /api/v1/nodes', as: 'a certificate', answered: 201, marks: { labels: [], taints } }]),
        undefined,
      )[1]?.result;
    assert.deepEqual(
      [made(), made('node.cloudprovider.kubernetes.io/uninitialized:NoSchedule'), made('a:NoSchedule')],
      ['met', 'met', 'unmet'],
    );
  });
});

describe('a kubelet that asks again', () => {
  const named = (...all: readonly (readonly [key: string, called: string])[]): string | undefined =>
    resultOf(
      clientKeepsItsName.judge(
        before(
          all.map(([key, called]) =>
            asked(0, 'its token', { key, request: { subject: 'CN=a', signer: '', usages: [], called } }),
          ),
        ),
        undefined,
      ),
    );
  it('registers what is its own', () => {
    const judged = (marks: Partial<Seen['marks'] & object> | undefined, more: Partial<Attempt> = {}) => {
      const as = 'a certificate';
      const node = { what: 'POST /api/v1/nodes', as, ...(marks && { marks: { labels: [], taints: [], ...marks } }) };
      return nodeRegisteredAsItself
        .judge(before([{ what: 'GET /version', as }, node], more), undefined)
        .map(({ result, seen }) => `${result}: ${seen}`);
    };
    const own = ['kubernetes.io/hostname=worker-9', 'beta.kubernetes.io/os=linux', 'example.com/rack=7'];
    assert.deepEqual(judged({ labels: [...own, 'topology.kubernetes.io/zone=a'] }), ['met: so it is']);
    assert.deepEqual(judged({ labels: own }, { node: 'b' }), ['unmet: the label kubernetes.io/hostname of worker-9']);
    assert.deepEqual(judged({ labels: ['kubernetes.io/hostname'] }), [
      'unmet: the label kubernetes.io/hostname of nothing',
    ]);
    for (const key of ['node.kubernetes.io/exclude-from-external-load-balancers', 'kubernetes.io/x', 'a.k8s.io/b'])
      assert.deepEqual(judged({ labels: [key] }), [`unmet: the label ${key}`]);
    assert.deepEqual(judged({ besides: ['podCIDR'] }), ['unmet: podCIDR']);
    assert.deepEqual(judged(undefined), []);
    const patched = (path: string) =>
      nodeRegisteredAsItself
        .judge(
          before([
            { what: `PATCH ${path}`, as: 'a certificate', marks: { labels: [], taints: [], besides: ['podCIDR'] } },
          ]),
          undefined,
        )
        .map(({ result }) => result);
    assert.deepEqual(patched('/api/v1/nodes/worker-9'), ['unmet']);
    assert.deepEqual(patched('/api/v1/nodes/worker-8'), []);
    const registered = (times: number) =>
      nodeRegisteredAsItself
        .judge(
          before([
            {
              what: 'POST /api/v1/nodes',
              as: 'a certificate',
              answered: 201,
              times,
              marks: { labels: [], taints: [] },
            },
          ]),
          undefined,
        )
        .map(({ result }) => result);
    assert.deepEqual([registered(2), registered(3)].flat(), ['met', 'unmet']);
  });

  it('asks for one key by one name', () => {
    assert.equal(named(['k', 'n'], ['k', 'n']), 'met');
    assert.equal(named(['k', 'n'], ['k', 'm']), 'unmet');
    assert.equal(named(['k', 'n'], ['l', 'n']), 'unmet');
    assert.equal(named(), 'unmet');
  });
});

describe('what is told of a kubelet', () => {
  type Told = readonly {
    readonly result: string;
    readonly demanded: string;
    readonly seen: string;
    readonly refusal?: true;
  }[];
  const told = (findings: Told): string => findings.map(({ result, seen }) => `${result}: ${seen}`).join();
  const [token, own] = ['its token', 'a certificate'];
  const BUSY = '; the machine was too busy for it';

  it('is what it renewed, and with what', () => {
    const renewed = (times: readonly number[], more: Partial<Attempt> = {}, as = own): string =>
      told(
        certificateRenewedBeforeItsEnd.judge(
          before(
            times.map((at, index) =>
              asked(at, index === 0 ? token : as, {
                key: `k${index}`,
                ...(index > 0 ? { shown: `k${index - 1}` } : {}),
              }),
            ),
            { life: HOUR, milliseconds: 2 * HOUR, ...more },
          ),
          undefined,
        ),
      );
    assert.equal(renewed([0, 0.8, 1.6]), 'met: 2 are');
    assert.equal(renewed([0, 1.2, 1.9]), 'unmet: 2 are, too late');
    assert.equal(renewed([0, 0.8, 1.6], {}, token), 'unmet: 2 are, with something else');
    assert.equal(renewed([0, 0.8], { milliseconds: HOUR }), 'unmet: it does not stay');
    assert.equal(renewed([0]), 'unmet: none is');
    // what it has not had the time for is not its doing; what it did is
    assert.equal(renewed([0], { isStarved: true }), `unclear: none is${BUSY}`);
    assert.equal(renewed([0, 0.8, 1.6], { isStarved: true }, token), 'unmet: 2 are, with something else');
    // one that has no key belongs to none
    const keyless = [asked(0, token), asked(0.8, own), asked(1.6, own)];
    const judged = certificateRenewedBeforeItsEnd.judge(
      before(keyless, { life: HOUR, milliseconds: 2 * HOUR }),
      undefined,
    );
    assert.equal(told(judged), 'met: 2 are');
  });

  it('is how often it asked again', () => {
    const again = (all: readonly Partial<Seen>[], more: Partial<Attempt> = {}): string =>
      told(certificateAskedForAgain.judge(before(all, more), undefined));
    const first = asked(0, token, { key: 'a' });
    const refused = asked(1, own, { key: 'b', shown: 'a', answered: 500 });
    assert.equal(again([first, refused, asked(2, own, { key: 'c', shown: 'a' })]), 'met: 2 renewals are asked for');
    assert.equal(again([first, refused]), 'unmet: 1 renewals are asked for');
    assert.equal(again([first, refused], { isStarved: true }), `unclear: 1 renewals are asked for${BUSY}`);
    assert.equal(again([first, asked(1, own, { times: 2 })]), 'met: 2 renewals are asked for');
    assert.equal(
      again([first, refused, asked(2, own, { key: 'c', shown: 'b' })], { isStarved: true }),
      'unmet: 2 renewals are asked for, and what was refused is used',
    );
    assert.equal(
      again([first, refused, asked(2, token, { key: 'c' })]),
      'unmet: 1 renewals are asked for, and 1 with something else',
    );
    // another request that is taken makes the refused one no better
    const other = [first, refused, asked(2, own, { key: 'c', shown: 'b' }), asked(3, own, { key: 'd', shown: 'c' })];
    assert.equal(again(other), 'unmet: 3 renewals are asked for, and what was refused is used');
    const untaken = asked(2, own, { key: 'b', shown: 'b', answered: 500 });
    assert.equal(again([first, refused, untaken]), 'unmet: 2 renewals are asked for, and what was refused is used');
    const keyless = [first, asked(1, own, { answered: 500 }), asked(2, own), { what: 'GET /version', as: own }];
    assert.equal(again(keyless), 'met: 2 renewals are asked for');
  });

  it('is whether it shows what nobody has approved', () => {
    const unapproved = (all: readonly Partial<Seen>[], more: Partial<Attempt> = {}) =>
      unapprovedUnused.judge(before(all, more), undefined);
    const two = [asked(0, token, { key: 'a' }), asked(1, own, { key: 'b', shown: 'a' })];
    assert.deepEqual(
      unapproved(two).map(({ demanded, refusal }) => [demanded, refusal]),
      [['a certificate of a renewal that nobody has approved is not shown', true]],
    );
    assert.equal(told(unapproved(two)), 'met: it is not');
    assert.equal(told(unapproved([...two, asked(2, own, { key: 'c', shown: 'b' })])), 'unmet: it is shown');
    assert.equal(told(unapproved(two.slice(0, 1))), 'unmet: none is renewed');
    assert.equal(told(unapproved(two.slice(0, 1), { isStarved: true })), `unclear: none is renewed${BUSY}`);
    const used = [...two, asked(2, own, { key: 'c', shown: 'b' })];
    assert.equal(told(unapproved(used, { isStarved: true })), 'unmet: it is shown');
    // a request that was not taken is none
    const refused = asked(2, own, { key: 'c', shown: 'a', answered: 500 });
    assert.equal(told(unapproved([two[0] ?? {}, refused])), 'unmet: none is renewed');
  });

  it('is how many keys its certificates have', () => {
    const anew = (...keys: readonly string[]): string =>
      told(
        certificateRenewedAnew.judge(
          before(keys.map((key, at) => asked(at, own, key === '' ? {} : { key }))),
          undefined,
        ),
      );
    assert.equal(anew('a', 'b', 'b'), 'unmet: 3 certificates, 2 keys');
    assert.equal(anew('a', 'b'), 'met: 2 certificates, 2 keys');
    assert.equal(anew('a'), 'unmet: none is renewed');
    assert.equal(anew('', 'a', 'b'), 'met: 2 certificates, 2 keys');
  });

  it('is how often it registers a Node, and what it does not say itself', () => {
    const node = (more: Partial<Seen>): Partial<Seen> => ({
      what: 'POST /api/v1/nodes',
      as: own,
      answered: 201,
      marks: { labels: [], taints: [] },
      ...more,
    });
    const itself = (all: readonly Partial<Seen>[]): string =>
      told(nodeRegisteredAsItself.judge(before(all), undefined));
    assert.equal(itself([node({ times: 3 })]), 'unmet: it is registered 3 times');
    // changes are not registrations
    const patch = node({ what: 'PATCH /api/v1/nodes/worker-9', times: 9 });
    assert.equal(itself([node({ times: 2 }), patch]), 'met: so it is');
    assert.equal(itself([node({ times: 9, answered: 409 })]), 'met: so it is');
  });

  it('is by which name it asks', () => {
    const named = (all: readonly Partial<Seen>[]): string => told(clientKeepsItsName.judge(before(all), undefined));
    assert.equal(named([asked(0, token, { key: 'a' })]), 'met: 1 keys, by one that the API server chooses');
    assert.equal(named([]), 'unmet: nothing is asked for');
  });
});
