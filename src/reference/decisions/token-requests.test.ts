/** What may be asked of a ServiceAccount's tokens. Source: pkg/registry/core/serviceaccount/storage/token.go. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tokenRequestDecisions as decisions } from './token-requests.js';

it('a token lives between ten minutes and 2^32 seconds, an hour where nobody says', () => {
  const problems = (seconds: number): readonly string[] => decisions.tokenRequestSecondsProblems(seconds);
  const [short, long] = ['less than 10 minutes', 'larger than 2^32 seconds'].map(
    (why) => `may not specify a duration ${why}`,
  );
  assert.deepEqual([599, 600, 2 ** 32, 2 ** 32 + 1].map(problems), [[short], [], [], [long]]);
  assert.equal(decisions.tokenRequestSeconds(), 3600);
});

it("a Pod's token for the API server lives a year where the kubelet asked for it", () => {
  const life = (more: object): unknown =>
    decisions.tokenLifetime({ seconds: 3607, boundToPod: true, audiences: ['a'], own: ['a', 'b'], ...more });
  const year = { seconds: 31536000, warnAfterSeconds: 3607 };
  assert.deepEqual([life({}), life({ audiences: [] }), life({ audiences: ['b', 'a'] })], [year, year, year]);
  const plain = { seconds: 3607, warnAfterSeconds: undefined };
  assert.deepEqual(life({ boundToPod: false }), plain);
  assert.deepEqual([life({ audiences: ['c'] }), life({ audiences: ['a', 'c'] })], [plain, plain]);
  for (const seconds of [3606, 3608]) assert.deepEqual(life({ seconds }), { ...plain, seconds });
});

it('a token is bound to Pods, Secrets and, from 1.31 on, Nodes', () => {
  const bound = (kind: string, minor = 36, group = '') => decisions.bindableResource(group, kind, minor);
  assert.deepEqual(
    ['Pod', 'Secret', 'Node', 'ConfigMap'].map((kind) => bound(kind)),
    ['pods', 'secrets', 'nodes', undefined],
  );
  assert.deepEqual([bound('Node', 30), bound('Node', 31), bound('Pod', 36, 'apps')], [undefined, 'nodes', undefined]);
  const names = (minor: number, node = 'n'): boolean => decisions.podBindingNamesNode(node, minor);
  assert.deepEqual([names(29), names(30), names(36, '')], [false, true, false]);
  assert.deepEqual(
    [33, 34].map((minor) => decisions.tokenRequestUidIsCompared(minor)),
    [false, true],
  );
});

it('what it is bound to is what was meant', () => {
  const { boundUidFits, boundObjectNamespaces, podBindingProblem, tokenRequestAudiences } = decisions;
  assert.deepEqual(boundObjectNamespaces('default'), ['default']);
  assert.deepEqual([boundUidFits('', 'u'), boundUidFits('u', 'u'), boundUidFits('v', 'u')], [true, true, false]);
  assert.equal(podBindingProblem('a', 'a'), undefined);
  const why = 'cannot bind token for serviceaccount "a" to pod running with different serviceaccount name.';
  assert.equal(podBindingProblem('a', 'b'), why);
  assert.deepEqual([tokenRequestAudiences([], ['o']), tokenRequestAudiences(['x'], ['o'])], [['o'], ['x']]);
});
