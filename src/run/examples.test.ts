import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../model/check.js';
import { demand, type Finding } from '../model/finding.js';
import { examplesOf } from './examples.js';

interface Thing {
  readonly subject: string;
  readonly good: boolean;
  readonly key?: string;
}
const things = (count: number, bad: (index: number) => boolean): Thing[] =>
  Array.from({ length: count }, (_, index) => ({
    subject: `Thing ns/t-${index}`,
    good: !bad(index),
    key: `k${index}`,
  }));

const goodOnes: Check<readonly Thing[]> = {
  id: 'test/good',
  source: 'none',
  judge: (all) =>
    all.map(({ subject, good }) =>
      demand({ subject, demanded: 'is good', seen: good ? 'it is' : 'it is not', ok: good }),
    ),
};

const ownKeys: Check<readonly Thing[]> = {
  id: 'test/own-keys',
  source: 'none',
  judge: (all) => {
    const owners = new Map<string, string>();
    return all.map(({ subject, key = '' }) => {
      const owner = owners.get(key) ?? subject;
      owners.set(key, owner);
      return demand({ subject, demanded: 'a key of its own', seen: `the key of ${owner}`, ok: owner === subject });
    });
  },
};

const counted: Check<readonly Thing[]> = {
  id: 'test/counted',
  source: 'none',
  judge: (all) =>
    all.map(({ subject }) => demand({ subject, demanded: 'is one of many', seen: `${all.length}`, ok: true })),
};

const kept = (check: Check<readonly Thing[]>, observation: readonly Thing[]) =>
  examplesOf(check, { observation, parameters: undefined, findings: check.judge(observation, undefined) });
const results = (findings: readonly Finding[]) => findings.map(({ result }) => result);

/** What is found is about a part of each. */
const parts: Check<readonly Thing[]> = {
  id: 'test/parts',
  source: 'none',
  judge: (all) =>
    all.map(({ subject }) => demand({ subject: `Part of ${subject}`, demanded: 'is there', seen: 'yes', ok: true })),
};

describe('what is kept of a judgement', () => {
  it('is what examples are about, where they name parts of it', () => {
    const { observation, findings, more } = kept(
      parts,
      things(500, () => false),
    );
    assert.deepEqual([(observation as Thing[]).length, findings.length, more?.met], [20, 20, 480]);
  });

  it('is what examples name in quotes, or as the user of that name, and what holds it within', () => {
    const requests = Array.from({ length: 500 }, (_, index) => ({
      username: `system:bootstrap:t${index}`,
      asked: { commonName: `system:node:n-${index}` },
    }));
    const told = (subjectOf: (of: (typeof requests)[number]) => string) => {
      const check: Check<typeof requests> = {
        id: 'test/requests',
        source: 'none',
        judge: (all) => all.map((one) => demand({ subject: subjectOf(one), demanded: 'is one', seen: '1', ok: true })),
      };
      const findings = check.judge(requests, undefined);
      const { observation, more } = examplesOf(check, { observation: requests, parameters: undefined, findings });
      return [(observation as typeof requests).length, more?.met];
    };
    assert.deepEqual(
      told(({ asked }) => `requests for "${asked.commonName}"`),
      [20, 480],
    );
    assert.deepEqual(
      told(({ username }) => `the token ${username.slice(17)}`),
      [20, 480],
    );
  });

  it('is all of it where it is small', () => {
    const observation = things(20, () => true);
    assert.equal(kept(goodOnes, observation).observation, observation);
    assert.equal(kept(goodOnes, observation).more, undefined);
  });

  it('is what somebody hides behind a hundred findings of his own', () => {
    const check: Check<readonly string[]> = {
      id: 'test/hidden',
      source: 'none',
      judge: (all) =>
        all.map((subject) => {
          const seen = subject.endsWith('t') ? 'it shows a token' : `it says ${subject.slice(-2)}`;
          return demand({ subject, demanded: 'says nothing', seen, ok: false });
        }),
    };
    const noise = Array.from({ length: 300 }, (_, index) => `ConfigMap a/n${index}`);
    const hidden = ['ConfigMap kube-public/x', 'ClusterRoleBinding b', 'ConfigMap z/secret'];
    const same = Array.from({ length: 300 }, () => 'ConfigMap a/n01');
    for (const [before, told] of [
      [noise, hidden.slice(0, 2)],
      [same, hidden],
    ] as const) {
      const { findings } = kept(check as unknown as Check<readonly Thing[]>, [...before, ...hidden] as never);
      const subjects = findings.map(({ subject }) => subject);
      for (const one of told) assert.ok(subjects.includes(one), one);
    }
  });

  it('is the first findings of each kind, what they were found in, and the number of the others', () => {
    const { observation, findings, more } = kept(
      goodOnes,
      things(10_000, (index) => index % 100 === 99),
    );
    assert.equal((observation as Thing[]).length, 40);
    assert.deepEqual(new Set(results(findings)), new Set(['met', 'unmet']));
    assert.deepEqual(more, { met: 9_880, unmet: 80, unclear: 0 });
    assert.deepEqual(goodOnes.judge(observation as Thing[], undefined), findings);
  });

  it('counts of each result what is not kept', () => {
    const results = ['met', 'unmet', 'unclear'] as const;
    const check: Check<readonly Thing[]> = {
      ...goodOnes,
      judge: (all) =>
        all.map(({ subject, key }) =>
          demand({
            subject,
            demanded: 'is',
            seen: 'a',
            ok: key === 'met' ? true : key === 'unmet' ? false : undefined,
          }),
        ),
    };
    const mixed = results.flatMap((key, at) =>
      things(30 + 10 * at, () => false).map((thing) => ({ ...thing, subject: `${thing.subject}${key}`, key })),
    );
    assert.deepEqual(kept(check, mixed).more, { met: 10, unmet: 20, unclear: 30 });
  });

  it('holds what a finding is about beside its subject', () => {
    const shared = things(5_000, () => false).map((thing, index) =>
      index === 4_000 ? { ...thing, key: 'k3000' } : thing,
    );
    const { observation, findings, more } = kept(ownKeys, shared);
    const subjects = (observation as Thing[]).map(({ subject }) => subject);
    assert.ok(subjects.includes('Thing ns/t-3000') && subjects.includes('Thing ns/t-4000'));
    assert.equal(results(findings).filter((result) => result === 'unmet').length, 1);
    assert.equal((more?.met ?? 0) + findings.length, 5_000);
  });

  it('is little where much was looked at and nothing was found', () => {
    const silent: Check<readonly Thing[]> = {
      ...goodOnes,
      judge: (all) =>
        goodOnes.judge(
          all.filter(({ good }) => !good),
          undefined,
        ),
    };
    assert.deepEqual(
      kept(
        silent,
        things(5_000, () => false),
      ),
      { observation: [], parameters: undefined, findings: [] },
    );
    const one = kept(
      silent,
      things(5_000, (index) => index === 7),
    );
    assert.deepEqual([(one.observation as Thing[]).length, one.findings.length, one.more], [1, 1, undefined]);
  });

  it('is all of it where a part would be judged otherwise', () => {
    const { observation, findings, more } = kept(
      counted,
      things(1_000, () => false),
    );
    assert.deepEqual([(observation as Thing[]).length, findings.length, more], [1_000, 1_000, undefined]);
  });
});

describe('what of a long judgement is told', () => {
  const judged = <O, P>(check: Check<O, P>, observation: O, parameters: P) =>
    examplesOf(check, { observation, parameters, findings: check.judge(observation, parameters) });

  it('has twenty of each role, result and refusal', () => {
    const check: Check<readonly number[]> = {
      id: 'test/kinds',
      source: 'none',
      judge: (all) =>
        all.map((one) => ({
          ...demand({ subject: `Thing t${one}`, demanded: 'is good', seen: `${one}`, ok: one % 2 === 0 }),
          ...(one % 3 === 0 ? { refusal: true as const } : {}),
        })),
    };
    const { findings } = judged(
      check,
      Array.from({ length: 600 }, (_, index) => index),
      undefined,
    );
    // by a number nothing is named, so that all of it is kept
    assert.equal(findings.length, 600);
    const named: Check<readonly { readonly name: string; readonly at: number }[]> = {
      ...check,
      judge: (all) =>
        check.judge(
          all.map(({ at }) => at),
          undefined,
        ),
    };
    const kept = judged(
      named,
      Array.from({ length: 600 }, (_, at) => ({ name: `t${at}`, at })),
      undefined,
    ).findings;
    const counts = new Map<string, number>();
    for (const { result, refusal } of kept)
      counts.set(`${result} ${refusal}`, (counts.get(`${result} ${refusal}`) ?? 0) + 1);
    assert.deepEqual(
      [...counts].sort(),
      ['met true', 'met undefined', 'unmet true', 'unmet undefined'].map((kind) => [kind, 20]),
    );
  });

  it('keeps of long lists that it was put to what the examples name', () => {
    const check: Check<readonly Thing[], { readonly known: readonly string[] }> = {
      id: 'test/known',
      source: 'none',
      judge: (all, { known }) =>
        all.map(({ subject }) => {
          const ok = known.includes(subject);
          return demand({ subject, demanded: 'is known', seen: ok ? 'it is' : 'it is not', ok });
        }),
    };
    const all = things(500, () => false);
    const told = judged(check, all, { known: all.map(({ subject }) => subject) });
    assert.deepEqual(
      [(told.observation as Thing[]).length, told.parameters],
      [20, { known: all.slice(0, 20).map(({ subject }) => subject) }],
    );
    // what was looked at is one thing, and only what it was put to is long
    const one = judged(check, all.slice(0, 1), { known: all.map(({ subject }) => subject) });
    assert.deepEqual([one.findings.length, one.more], [1, undefined]);
  });

  it('keeps what an unmet finding has seen, however deep its name lies there', () => {
    interface Held {
      readonly name: string;
      readonly of: { readonly inner: { readonly key: string } };
    }
    const check: Check<readonly Held[]> = {
      id: 'test/seen',
      source: 'none',
      judge: (all) => {
        const first = new Map<string, string>();
        return all.map(({ name, of }) => {
          const owner = first.get(of.inner.key) ?? name;
          first.set(of.inner.key, owner);
          const ok = owner === name;
          return demand({
            subject: name,
            demanded: 'a key of its own',
            seen: ok ? 'it is' : `${of.inner.key} twice`,
            ok,
          });
        });
      },
    };
    const held = Array.from({ length: 900 }, (_, at) => ({
      name: `n${at}`,
      of: { inner: { key: `k${at === 899 ? 500 : at}` } },
    }));
    const { observation, findings } = judged(check, held, undefined);
    assert.ok((observation as Held[]).length < 50);
    assert.deepEqual(
      findings.filter(({ result }) => result === 'unmet').map(({ subject }) => subject),
      ['n899'],
    );
  });

  it('has each thing that is demanded, though thousands are seen alike', () => {
    const check: Check<readonly Thing[]> = {
      id: 'test/demands',
      source: 'none',
      judge: (all) =>
        all.map(({ subject, key = '' }) => demand({ subject, demanded: `has no ${key}`, seen: 'it has', ok: false })),
    };
    const many = Array.from({ length: 400 }, (_, at) => ({
      subject: `ConfigMap a/c-${at}`,
      good: false,
      key: at === 300 ? 'key' : 'token',
    }));
    const kept = judged(check, many, undefined).findings;
    assert.equal(kept.length, 20);
    assert.ok(kept.some(({ demanded }) => demanded === 'has no key'));
  });

  it('leaves half of it to what is not of tenants, and the other half to theirs', () => {
    const check: Check<readonly Thing[]> = {
      id: 'test/halves',
      source: 'none',
      judge: (all) => all.map(({ subject, key = '' }) => demand({ subject, demanded: 'is', seen: key, ok: false })),
    };
    const of = (prefix: string) =>
      Array.from({ length: 60 }, (_, at) => ({ subject: `${prefix}-${at}`, good: false, key: `${prefix} ${at}` }));
    const kept = judged(check, [...of('ConfigMap a/x'), ...of('Secret kube-system/y')], undefined).findings;
    const own = kept.filter(({ subject }) => subject.startsWith('Secret'));
    assert.deepEqual([kept.length, own.length], [20, 10]);
  });
});

describe('what is in parts', () => {
  interface Parts {
    readonly name: string;
    readonly few: readonly Thing[];
    readonly many: readonly Thing[];
  }
  const fewAreGood: Check<Parts> = {
    id: 'test/few-good',
    source: 'none',
    judge: ({ few }) => goodOnes.judge(few, undefined),
  };
  it('is kept in part where any of them is long, whatever stands before it', () => {
    const observation = { name: 'x', few: things(2, () => false), many: things(5000, () => false) };
    const { observation: less, more } = examplesOf(fewAreGood, {
      observation,
      parameters: undefined,
      findings: fewAreGood.judge(observation, undefined),
    });
    assert.deepEqual((less as Parts).few, observation.few);
    assert.ok((less as Parts).many.length < 5000);
    assert.equal(more, undefined);
  });
});
