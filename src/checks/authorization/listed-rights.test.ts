import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ListedOf, listedWhole, listedWithin, readListed } from './listed-rights.js';
import type { Permission } from './rbac-policy.js';

const at = { subject: 'in kube-system', namespace: 'kube-system' };
const review = (resourceRules: unknown, nonResourceRules: unknown = []) => ({
  status: 201,
  body: { kind: 'SelfSubjectRulesReview', status: { resourceRules, nonResourceRules, incomplete: false } },
});
const get = (name: string, namespace: string): Permission => ({
  kind: 'resource',
  verb: 'get',
  group: '',
  resource: 'configmaps',
  namespace,
  name,
});
const rule = (more: object) => ({ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], ...more });
const documented: readonly Permission[] = [get('a', 'kube-system'), { kind: 'url', verb: 'get', url: '/api/*' }];
const wanted = { documented, extras: [], groups: ['Group system:authenticated'] };
const judged = (answer: { status: number; body: unknown }, more: Partial<typeof wanted> & object = {}) =>
  listedWithin.judge([JSON.parse(JSON.stringify(readListed(at, answer)))], { ...wanted, ...more })[0];

describe('the rights that an API server lists', () => {
  it('are documented, of resources and of URLs', () => {
    const answer = review([rule({ resourceNames: ['a'] })], [{ verbs: ['get'], nonResourceURLs: ['/api/v1'] }]);
    assert.deepEqual([judged(answer)?.result, judged(answer)?.refusal], ['met', true]);
    const more = review([rule({})], [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }]);
    assert.equal(judged(more)?.seen, 'get /metrics; get configmaps in kube-system');
    assert.equal(judged(more)?.result, 'unmet');
  });

  it('are documented under the name of an older release, too', () => {
    const reads = (name: string, today: string) =>
      judged(review([rule({ resourceNames: [name] })]), { documented: [get(today, 'kube-system')] })?.result;
    for (const today of ['kubelet-config', 'kubelet-config-1.23'])
      assert.deepEqual(
        [reads('kubelet-config-1.22', today), reads('kubelet-config-x', today)],
        ['met', 'unmet'],
        today,
      );
  });

  it('count in their namespace only', () => {
    const listed = readListed(
      { subject: 'in default', namespace: 'default' },
      review([rule({ resourceNames: ['a'] })]),
    );
    assert.deepEqual(
      listedWithin.judge([listed], wanted).map(({ result }) => result),
      ['unmet'],
    );
  });

  it('may be those that a distribution adds for a group of theirs', () => {
    const answer = review([], [{ verbs: ['get'], nonResourceURLs: ['/.well-known'] }]);
    const extra = (subject: string) => ({
      distribution: 'Some',
      source: 'its source',
      binding: 'ClusterRoleBinding x',
      subjects: [subject],
      rules: [{ verbs: ['get'], nonResourceURLs: ['/.well-known'] }],
    });
    const known = (subject: string) =>
      listedWithin.judge([readListed(at, answer)], { ...wanted, extras: [extra(subject)] });
    assert.equal(known('Group system:authenticated')[0]?.result, 'met');
    assert.equal(known('Group system:unauthenticated')[0]?.result, 'unmet');
  });

  it('are not known where no list of rules came', () => {
    assert.equal(judged({ status: 403, body: { message: 'no' } })?.result, 'unclear');
    assert.equal(judged({ status: 201, body: { status: {} } })?.result, 'unclear');
    assert.equal(judged(review([]))?.result, 'met');
  });
});

describe('the list of rights', () => {
  const held = [rule({ resourceNames: ['a'] }), { verbs: ['get'], nonResourceURLs: ['/api'] }];
  const elsewhere = [rule({ resources: ['secrets'] })];
  const whole = (answer: { status: number; body: unknown }) => {
    const one: ListedOf = { ...readListed(at, answer), held, elsewhere };
    const [found] = listedWhole.judge([JSON.parse(JSON.stringify(one))], undefined);
    return [found?.result, found?.seen];
  };
  const all = [rule({ resourceNames: ['a'] })];
  const urls = [{ verbs: ['get'], nonResourceURLs: ['/api'] }];

  it('is whole', () => {
    assert.deepEqual(whole(review(all, urls)), ['met', '2 rules']);
    assert.deepEqual(whole(review([rule({ verbs: ['get', 'list'] })], urls)), ['met', '2 rules']);
    assert.deepEqual(whole(review([], urls)), ['unmet', 'not get configmaps named a in kube-system']);
    assert.deepEqual(whole(review(all)), ['unmet', 'not get /api']);
  });

  it('has nothing of other namespaces', () => {
    const [result, seen] = whole(review([...all, rule({ resources: ['secrets'] })], urls));
    assert.equal(result, 'unmet');
    assert.equal(seen, 'get secrets in kube-system, which is not given there');
  });

  it('is not judged where it says that it is not all, or is no list', () => {
    const { status, body } = review([]);
    assert.equal(whole({ status, body: { ...body, status: { ...body.status, incomplete: true } } })[0], 'unclear');
    assert.equal(whole({ status: 403, body: {} })[0], 'unclear');
  });
});
