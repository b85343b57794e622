/** What has to be allowed before somebody acts as another. Source: apiserver, pkg/endpoints/filters/impersonation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask } from '../world.test.js';
import {
  type ImpersonationMode,
  type ImpersonationStep,
  impersonationDecisions,
  type WantedUser,
} from './impersonation.js';

const wanted = (name: string, more: Partial<WantedUser> = {}): WantedUser => ({
  ...{ name, uid: '', groups: [], extra: {} },
  ...more,
});
const NODE = 'system:node:n1';
const ACCOUNT = 'system:serviceaccount:ns:sa';
const requestor = (username: string, extra?: Record<string, string[]>) => ({
  ...{ username, groups: [] },
  ...(extra === undefined ? {} : { extra }),
});

it('a mode is for those of whom it speaks', () => {
  const own = 'authentication.kubernetes.io/node-name';
  const applies = (mode: ImpersonationMode, who: WantedUser, by = requestor('jane')): boolean =>
    impersonationDecisions.impersonationModeApplies(mode, who, by);
  const plain = ['arbitrary-node', 'serviceaccount', 'user-info', 'legacy'] as const;
  const of = (who: WantedUser): readonly boolean[] => plain.map((mode) => applies(mode, who));
  assert.deepEqual(of(wanted(NODE)), [true, false, false, true]);
  assert.deepEqual(of(wanted(ACCOUNT)), [false, true, false, true]);
  assert.deepEqual(of(wanted('joe')), [false, false, true, true]);
  for (const odd of ['system:node:', 'system:node:N', `system:node:${'a'.repeat(254)}`, 'system:node:a.'])
    assert.deepEqual(of(wanted(odd)), [false, false, true, true], odd);
  for (const more of [{ uid: 'u' }, { groups: ['g'] }, { extra: { a: ['b'] } }])
    for (const name of [NODE, ACCOUNT]) assert.deepEqual(of(wanted(name, more)), [false, false, false, true]);
  const associated = (who: WantedUser, username: string, nodes?: string[]): boolean =>
    applies('associated-node', who, requestor(username, nodes === undefined ? undefined : { [own]: nodes }));
  assert.equal(associated(wanted(NODE), ACCOUNT, ['n1']), true);
  assert.equal(associated(wanted(NODE), ACCOUNT, ['n2']), false);
  assert.equal(associated(wanted(NODE), ACCOUNT, ['n1', 'n1']), false);
  assert.equal(associated(wanted(NODE), ACCOUNT), false);
  assert.equal(associated(wanted(NODE), 'jane', ['n1']), false);
  assert.equal(associated(wanted('joe'), ACCOUNT, ['n1']), false);
  assert.equal(associated(wanted(NODE, { uid: 'u' }), ACCOUNT, ['n1']), false);
});

describe('what is asked', () => {
  const told = (step: ImpersonationStep): string => {
    const { verb, group, resource, subresource, namespace, name } = step.question;
    const text = `${verb} ${resource}${subresource && `/${subresource}`}.${group} ${namespace}/${name}`;
    return step.kind === 'ask'
      ? text
      : step.kind === 'refuse'
        ? `no: ${step.why}`
        : `${text} or ${step.instead.length}`;
  };
  const steps = (mode: ImpersonationMode, who: WantedUser): readonly string[] =>
    impersonationDecisions
      .impersonationSteps(mode, who, ask(requestor('jane', { b: [], a: [] }), 'list', 'pods', { namespace: 'd' }))
      .map(told);
  const on = (mode: string): string => `impersonate-on:${mode}:list pods. d/`;

  it('is the plain verb where no mode constrains it', () => {
    assert.deepEqual(steps('legacy', wanted('joe')), ['impersonate users. /joe']);
    assert.deepEqual(steps('legacy', wanted(NODE)), [`impersonate users. /${NODE}`]);
    assert.deepEqual(steps('legacy', wanted(ACCOUNT)), ['impersonate serviceaccounts. ns/sa']);
    const groups = ['g', '', 'system:masters', 'h'];
    assert.deepEqual(steps('legacy', wanted('joe', { uid: 'u', groups, extra: { k: ['x', 'y'], '': ['z'] } })), [
      ...['impersonate users. /joe', 'impersonate uids.authentication.k8s.io /u'],
      ...groups.map((name) => `impersonate groups. /${name}`),
      ...['k /x', 'k /y'].map((one) => `impersonate userextras/${one.replace(' ', '.authentication.k8s.io ')}`),
      'impersonate userextras.authentication.k8s.io /z',
    ]);
  });

  it('is what is done, and as whom, in a mode', () => {
    const verb = (mode: string): string => `impersonate:${mode}`;
    const api = 'authentication.k8s.io';
    assert.deepEqual(steps('user-info', wanted('joe')), [on('user-info'), `${verb('user-info')} users.${api} /joe`]);
    assert.deepEqual(steps('arbitrary-node', wanted(NODE))[1], `${verb('arbitrary-node')} nodes.${api} /n1`);
    assert.deepEqual(steps('associated-node', wanted(NODE))[1], `${verb('associated-node')} nodes.${api} /*`);
    assert.deepEqual(
      steps('serviceaccount', wanted(ACCOUNT))[1],
      `${verb('serviceaccount')} serviceaccounts.${api} ns/sa`,
    );
    const userOf = (mode: ImpersonationMode) =>
      impersonationDecisions.impersonationSteps(
        mode,
        wanted(NODE),
        ask(requestor('jane', { b: [], a: [] }), 'list', 'pods'),
      )[0]?.question.user.extra;
    assert.deepEqual(userOf('associated-node'), { 'authentication.kubernetes.io/associated-node-keys': ['a', 'b'] });
    assert.deepEqual(userOf('arbitrary-node'), { b: [], a: [] });
  });

  it('is about all at once from four on, and refuses groups that nobody may have', () => {
    const [first, second] = steps('user-info', wanted('joe'));
    const beyond = (more: Partial<WantedUser>): readonly string[] => {
      const all = steps('user-info', wanted('joe', more));
      assert.deepEqual(all.slice(0, 2), [first, second]);
      return all.slice(2);
    };
    const group = 'impersonate:user-info groups.authentication.k8s.io /';
    assert.deepEqual(beyond({ groups: ['a', 'b', 'c'] }), [`${group}a`, `${group}b`, `${group}c`]);
    assert.deepEqual(beyond({ groups: ['a', 'b', 'c', 'd'] }), [`${group}* or 4`]);
    assert.equal(beyond({ groups: [''] })[0], 'no: impersonating the empty string group is not allowed');
    assert.equal(
      beyond({ groups: ['system:masters'] })[0],
      'no: impersonating the system:masters group is not allowed',
    );
    const extra = (of: string): string =>
      `impersonate:user-info userextras/${of.replace(' ', '.authentication.k8s.io ')}`;
    assert.deepEqual(beyond({ extra: { 'a.io/k': ['x', 'y', 'z'] } }), [
      ...[extra('a.io/k /x'), extra('a.io/k /y'), extra('a.io/k /z')],
    ]);
    assert.deepEqual(beyond({ extra: { 'a.io/k': ['x', 'y', 'z', 'w'] } }), [`${extra('* /*')} or 4`]);
    const four = { 'a.io/a': ['x'], 'a.io/b': ['x'], 'a.io/c': ['x'], 'a.io/d': ['x'] };
    assert.deepEqual(beyond({ extra: four }), [`${extra('* /*')} or 4`]);
  });

  it('refuses extra whose keys are no paths of a domain', () => {
    const why = (key: string, values: readonly string[] = ['x']): string =>
      (steps('user-info', wanted('joe', { extra: { [key]: values } }))[2] ?? '').replace(/^no: impersonating /, '');
    const invalid = (key: string): string =>
      `an invalid key in extra is not allowed: extra.key: Invalid value: ${JSON.stringify(key)}: `;
    assert.equal(why(''), 'the empty string key in extra is not allowed');
    for (const key of ['a', '/a', 'a/'])
      assert.equal(why(key), `${invalid(key)}must be a domain-prefixed path (such as "acme.io/foo")`, key);
    const domain =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
      "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    for (const key of ['A.io/a', '-a/a', 'a./a', `${'a'.repeat(254)}/a`])
      assert.equal(why(key), `${invalid(key)}${domain}`, key);
    const path = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";
    for (const key of ['a.io/ä', 'a.io/a b', 'a.io/a?']) assert.equal(why(key), `${invalid(key)}${path}`, key);
    assert.equal(
      why("a.io/a-1._~%!$&'()*+,;=:/b"),
      "impersonate:user-info userextras/a.io/a-1._~%!$&'()*+,;=:/b.authentication.k8s.io /x",
    );
    assert.equal(why('a.io/A'), 'a non-lowercase key in extra is not allowed: "a.io/A"');
    assert.equal(why('a.io/a', []), 'empty values in extra is not allowed');
    assert.equal(why('a.io/a', ['x', '']), 'the empty string value in extra is not allowed');
  });
});

it('one is in the groups that were asked for, or in those of an account or a node', () => {
  const of = (mode: ImpersonationMode, who: WantedUser) => impersonationDecisions.impersonatedUser(mode, who);
  assert.deepEqual(of('user-info', wanted('joe', { uid: 'u', groups: ['g'], extra: { k: ['v'] } })), {
    ...{ username: 'joe', groups: ['g'], uid: 'u', extra: { k: ['v'] } },
  });
  assert.deepEqual(of('arbitrary-node', wanted(NODE)), { username: NODE, groups: ['system:nodes'] });
  assert.deepEqual(of('legacy', wanted(NODE)), { username: NODE, groups: [] });
  assert.deepEqual(of('legacy', wanted(ACCOUNT)).groups, ['system:serviceaccounts', 'system:serviceaccounts:ns']);
  assert.deepEqual(of('legacy', wanted(ACCOUNT, { groups: ['g'] })).groups, ['g']);
  const grouped = (username: string, ...groups: string[]): readonly string[] =>
    impersonationDecisions.withImpersonatedGroups({ username, groups }).groups;
  assert.deepEqual(grouped('joe', 'g'), ['g', 'system:authenticated']);
  assert.deepEqual(grouped('joe', 'system:authenticated'), ['system:authenticated']);
  assert.deepEqual(grouped('joe', 'system:unauthenticated'), ['system:unauthenticated']);
  assert.deepEqual(grouped('system:anonymous'), ['system:unauthenticated']);
});

it('releases differ in their modes and in what they think of headers without a user', () => {
  const { impersonationModes, impersonationPrintsUser, impersonationHeadersAreChecked } = impersonationDecisions;
  assert.deepEqual(
    [35, 36].map((minor) => impersonationModes(minor).length),
    [1, 5],
  );
  assert.deepEqual(impersonationModes(36), [
    'associated-node',
    'arbitrary-node',
    'serviceaccount',
    'user-info',
    'legacy',
  ]);
  assert.deepEqual([35, 36].map(impersonationPrintsUser), [false, true]);
  assert.deepEqual([33, 34].map(impersonationHeadersAreChecked), [false, true]);
});
