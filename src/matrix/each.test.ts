import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExchangeSeen, Report } from '../model/report.js';
import { eachOtherwise } from './each.js';
import { readersIn } from './each-kind.js';
import { elsewhereIn, faresIn, openElsewhere } from './elsewhere.js';
import type { Lines } from './rule-lines.js';

describe('rules played where one thing is otherwise', () => {
  const WHOLE: Lines = { 'A-01': ['A: passed'], 'A-02': ['B: passed'] };
  const one = (name: string, rules: readonly string[], fares: Lines) => ({
    name,
    rules,
    fare: async (some: readonly string[]) => {
      assert.deepEqual(some, rules);
      return fares;
    },
  });
  const found = async (...all: readonly ReturnType<typeof one>[]) =>
    Object.fromEntries(await eachOtherwise(all, WHOLE));

  it('are told of where they fare otherwise, by how many they pass', async () => {
    const told = await found(
      one('a', ['A-01', 'A-02'], { 'A-01': ['A: failed'], 'A-02': ['B: passed'] }),
      one('b', ['A-01'], { 'A-01': ['A: passed with less'] }),
      one('c', ['A-01'], {}),
    );
    assert.deepEqual(Object.keys(told), ['A-01']);
    assert.match(told['A-01'] ?? '', /^1 of 3 passed, [0-9a-f]{8}$/);
  });

  it('are told of by what is otherwise, and how they fare there', async () => {
    const all = await Promise.all([
      found(one('a', ['A-01'], { 'A-01': ['A: failed'] })),
      found(one('b', ['A-01'], { 'A-01': ['A: failed'] })),
      found(one('a', ['A-01'], { 'A-01': ['A: error'] })),
      found(one('a', ['A-01'], { 'A-01': ['A: failed'] }), one('b', ['A-01'], { 'A-01': ['A: failed'] })),
    ]);
    assert.equal(new Set(all.map((told) => told['A-01'])).size, 4);
  });

  it('are not played where there are none', async () => {
    const never = { name: 'a', rules: [], fare: () => assert.fail('all rules would be played') };
    assert.deepEqual(Object.fromEntries(await eachOtherwise([never], WHOLE)), {});
  });
});

const report = (...all: readonly (readonly [string, readonly Partial<ExchangeSeen>[]])[]): Report =>
  ({
    rules: all.map(([id, exchanges]) => ({
      id,
      verdict: 'passed',
      reason: null,
      scenarios: [{ id: `${id}/a`, judgements: [{ check: 'c/d', parameters: null, observation: null, exchanges }] }],
    })),
    observations: {},
  }) as unknown as Report;
const asks = (request: string, as = 'admin'): Partial<ExchangeSeen> => ({ as, request, status: 200 });

describe('who reads a kind', () => {
  const readers = (how: 'get' | 'list', ...all: readonly (readonly [string, readonly Partial<ExchangeSeen>[]])[]) =>
    Object.fromEntries(readersIn(report(...all), how).map(([{ resource }, ids]) => [resource, ids]));
  const all = [
    ['A-01', [asks('GET /api/v1/secrets?limit=500'), asks('GET /api/v1/namespaces/kube-system/configmaps/a')]],
    ['A-02', [asks('GET /apis/certificates.k8s.io/v1/certificatesigningrequests?a=b&limit=500')]],
    ['A-03', [asks('GET /api/v1/secrets?limit=500', 'token'), asks('GET /api/v1/pods'), asks('POST /api/v1/secrets')]],
    ['A-04', [asks('GET /api/v1/nodes/a?limit=1'), asks('GET /api/v1/secrets?unlimit=5'), asks('GET /version')]],
    ['A-05', [asks('GET /api/v1/secrets?limit=500'), asks('GET /api/v1/namespaces/a/secrets?limit=500')]],
  ] as const;

  it('is who lists it, as the run itself', () => {
    assert.deepEqual(readers('list', ...all), {
      secrets: ['A-01', 'A-05'],
      certificatesigningrequests: ['A-02'],
    });
  });

  it('is who looks at one of it', () => {
    assert.deepEqual(readers('get', ...all), { configmaps: ['A-01'], nodes: ['A-04'] });
  });
});

describe('how rules fare elsewhere', () => {
  it('is their verdict, its reason, and what they ask and are given', () => {
    const before = report(['A-01', [asks('GET /version')]]);
    const [line = ''] = faresIn(before)['A-01'] ?? [];
    assert.match(line, /^passed, asks 1 [0-9a-f]{8}, is given 1 [0-9a-f]{8}$/);
    const why = (kind: string, text: string): string => {
      const [rule] = before.rules;
      const changed = { ...before, rules: [{ ...rule, verdict: 'skipped', reason: { kind, text } }] };
      return (faresIn(changed as unknown as Report)['A-01'] ?? []).join();
    };
    assert.match(why('missing', 'a'), /^skipped \(missing [0-9a-f]{8}\), asks 1 /);
    assert.notEqual(why('missing', 'a'), why('missing', 'b'));
    assert.equal(why('missing', 'jp-1a2b3c4d'), why('missing', 'jp-9z8y7x6w'));
  });

  it('is told of each place, of several that are one by what they come to, and of what is beside', () => {
    const one = { 'A-01': ['passed, a'] };
    assert.deepEqual(elsewhereIn('here', [one]), { 'A-01': ['here: passed, a'] });
    assert.deepEqual(elsewhereIn('here', [one], [{ 'A-01': ['b'], 'A-02': ['c'] }]), {
      'A-01': ['here: passed, a', 'here: b'],
    });
    const [several = ''] = elsewhereIn('here', [one, { 'A-01': ['failed, passed'] }])['A-01'] ?? [];
    assert.match(several, /^here: 1 of 2 passed, [0-9a-f]{8}$/);
    const [other] = elsewhereIn('here', [one, { 'A-01': ['error'] }])['A-01'] ?? [];
    assert.notEqual(other, several);
    assert.deepEqual(elsewhereIn('here', []), {});
  });

  it('is nowhere that nobody knows', () => {
    assert.throws(() => openElsewhere('nowhere', () => AbortSignal.timeout(1)), /There is no place "nowhere"/);
    assert.ok(openElsewhere('dumps of older releases', () => AbortSignal.timeout(1)).length > 10);
  });
});
