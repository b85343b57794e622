import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ABSENT, Begun, opinionsOf, type Scope, UNKNOWN, type Variable, Whole } from './cel.js';

const SCOPE: Scope = {
  request: {
    operation: 'CREATE',
    userInfo: { username: new Begun('system:node:'), groups: ['system:nodes', new Begun('system:bootstrappers:')] },
  },
  object: { metadata: { labels: ABSENT, annotations: UNKNOWN }, spec: { signerName: 'a/b', count: 3 } },
  oldObject: null,
  labels: new Whole({ 'a/b': 'c', d: new Begun('e') }),
};
const said = (expression: string, variables?: readonly Variable[]): string | undefined =>
  opinionsOf([expression], SCOPE, variables)[0];
const all = (opinion: string, ...expressions: readonly string[]): void => {
  for (const expression of expressions) assert.equal(said(expression), opinion, expression);
};

describe('an expression in CEL', () => {
  it('is true or false of what is known', () => {
    all(
      'true',
      'true',
      '!false',
      '(true)',
      "request.operation == 'CREATE' // so it is",
      'request.operation != "DELETE"',
      "request['operation'] in ['CREATE', r'UPDATE']",
      'object.spec.signerName.startsWith("a/") && object.spec.signerName.endsWith("""b""")',
      'object.spec.signerName.contains("/")',
      'object.spec.count > 2 && object.spec.count >= 3 && object.spec.count < 4 && object.spec.count <= 0x3',
      'oldObject == null',
      'object != null',
      '!has(object.metadata.labels)',
      'has(object.spec.signerName) ? true : false',
      '"signerName" in object.spec',
      'request.userInfo.username.startsWith("system:")',
      '!request.userInfo.username.startsWith("system:serviceaccount:")',
      'request.userInfo.username != "kubernetes-admin"',
      '"system:nodes" in request.userInfo.groups',
      '!("system:masters" in request.userInfo.groups)',
      'request.userInfo.groups.exists(g, g == "system:nodes")',
      'request.userInfo.groups.all(g, g.startsWith("system:"))',
    );
    all('false', 'false', '!true', '1 == 2', 'false && nobody.knows', 'request.operation == "UPDATE" && object.x.y');
    all('true', 'true || nobody.knows');
  });

  it('ends in an error where it takes what is not there', () => {
    all('error', 'object.metadata.labels.owner == "a"', 'oldObject.spec.x', '"a" in object.metadata.labels');
    all('error', '!(object.metadata.labels.a == "b")', 'has(oldObject.spec)');
    all('false', 'has(object.metadata.labels) && object.metadata.labels.owner == "a"');
    all('true', 'oldObject == null || oldObject.spec.x == 1', 'oldObject.spec.x == 1 || true');
  });

  it('says nothing of what is not known', () => {
    all(
      'unknown',
      'object.spec.other == "x"',
      'has(object.spec.other)',
      'has(object.metadata.annotations)',
      'params.x == 1',
      'request.userInfo.username == "system:node:a"',
      'request.userInfo.username.startsWith("system:node:a")',
      'request.userInfo.username.endsWith("a")',
      '"system:bootstrappers:team" in request.userInfo.groups',
      'request.userInfo.groups.exists(g, g.endsWith("x"))',
      'object.spec.signerName.matches("^a")',
      'size(request.userInfo.groups) == 2',
      '1 + 1 == 2',
      '-1 < 0',
      '"a" == 1 ? true : nobody',
      'object.?spec.x.orValue(true)',
      'authorizer.group("").resource("pods").check("get").allowed()',
      'true && nobody.knows',
      'nobody.knows || false',
    );
  });

  it('says nothing where it cannot be read, or takes too long', () => {
    all('unknown', '', '(', 'true true', '"a', 'a.b.', 'Object{spec: 1}', '[1, 2', 'a ? b', '"\\x41" == "A"', '@');
    all('unknown', `${'('.repeat(200)}true${')'.repeat(200)}`, ' '.repeat(30_000));
    const many = `[${Array.from({ length: 40 }, () => '1').join(', ')}]`;
    assert.equal(said(`${many}.all(a, ${many}.all(b, ${many}.all(c, a == b && b == c)))`), 'unknown');
  });

  it('takes variables as they were worked out before', () => {
    const variables = [
      { name: 'isNode', expression: '"system:nodes" in request.userInfo.groups' },
      { name: 'isOther', expression: '!variables.isNode' },
    ];
    assert.equal(said('variables.isOther', variables), 'false');
    assert.equal(said('variables.isOther || variables.none', variables), 'unknown');
    const double = Array.from({ length: 60 }, (_, index) => ({
      name: `v${index}`,
      expression: index === 0 ? 'true' : `variables.v${index - 1} && variables.v${index - 1}`,
    }));
    assert.equal(said('variables.v59', double), 'true');
  });

  it('compares what is there with what is not', () => {
    all(
      'false',
      'null == object',
      'object == null',
      'null == [1]',
      '[1] == null',
      'request.userInfo.username == "other"',
    );
    all('true', 'null != object.spec', '"other" != request.userInfo.username', 'oldObject == oldObject', '1 != "1"');
    all('unknown', 'object == object', '[1] == [1]', 'nobody == null', 'null == request.userInfo.username');
    all('unknown', 'request.userInfo.username == 1', 'object.metadata.annotations == "a"');
    all('error', 'oldObject.x == 1', '1 == oldObject.x', '1 != oldObject.x', 'oldObject.x == oldObject.x');
  });

  it('decides by one side where that is enough', () => {
    all('false', 'false && oldObject.x', 'oldObject.x && false', 'nobody && false', 'true && false');
    all('true', 'true || oldObject.x', 'oldObject.x || true', 'nobody || true', 'false || true', 'true && true');
    all('false', 'false || false');
    all('error', 'oldObject.x && true', 'true && oldObject.x', 'false || oldObject.x', 'oldObject.x || oldObject.x');
    all('unknown', 'nobody && oldObject.x', 'oldObject.x || nobody', 'nobody && nobody', 'true && "a"', 'false || 1');
    all('error', '!oldObject.x');
    all('unknown', '!nobody', '!"a"', '!1');
  });

  it('looks for one in many', () => {
    all('true', '"a" in ["b", "a"]', '1 in [1]', '"metadata" in object', '"spec" in object');
    all('false', '"c" in ["b", "a"]', '"a" in []', '"labels" in object.metadata', '"x" in ["y", 1, null]');
    all('unknown', '"a" in nobody', '1 in object', '"none" in object', '"annotations" in object.metadata');
    all('unknown', '"a" in "abc"', 'nobody in ["a"]', '"a" in [nobody]');
    all('error', '"a" in oldObject', 'oldObject.x in ["a"]', '"a" in oldObject.x', '"a" in [oldObject.x]');
  });

  it('orders numbers alone', () => {
    all('true', '1 < 2', '2 <= 2', '2 > 1', '2 >= 2', '1 <= 2', '3 >= 2');
    all('false', '2 < 2', '3 <= 2', '2 > 2', '1 >= 2', '2 < 1', '1 > 2');
    all(
      'unknown',
      '"a" < "b"',
      '1 < nobody',
      'nobody > 1',
      '1 < "2"',
      '2 - 1',
      '2 * 1 == 2',
      '4 / 2 == 2',
      '3 % 2 == 1',
    );
    all('error', '1 < oldObject.x', 'oldObject.x >= 1', '1 + oldObject.x');
  });

  it('compares texts of which the beginning is known', () => {
    const user = 'request.userInfo.username';
    all(
      'true',
      `${user}.startsWith("system:node:")`,
      `${user}.startsWith("")`,
      `${user}.contains("node")`,
      `${user}.contains("")`,
    );
    all(
      'false',
      `${user}.startsWith("systems")`,
      `${user}.startsWith("a")`,
      '"abc".startsWith("b")',
      '"abc".endsWith("b")',
    );
    all('false', '"abc".contains("d")');
    all(
      'unknown',
      `${user}.startsWith("system:node:x")`,
      `${user}.contains("x")`,
      `${user}.endsWith("")`,
      `${user}.matches("")`,
    );
    all('true', '"abc".startsWith("a")', '"abc".endsWith("c")', '"abc".contains("b")');
    all('unknown', '"abc".startsWith(nobody)', '"abc".startsWith(1)', 'nobody.startsWith("a")', '(1).startsWith("1")');
    all('unknown', '"a".startsWith()', '"a".toString("a")', '"a".valueOf("a")', '"a".startsWith("a", "b")');
    all('error', 'oldObject.x.startsWith("a")', '"a".startsWith(oldObject.x)');
  });

  it('chooses, and asks whether something is there', () => {
    all('true', 'true ? true : nobody', 'false ? nobody : true', 'has(object.spec) ? true : false');
    all('false', 'true ? false : true', 'has(object.metadata.labels)');
    all('error', 'oldObject.x ? true : true', 'has(oldObject.x.y)', 'has(oldObject.x)');
    all('unknown', 'nobody ? true : true', '1 ? true : true', 'has(nobody.x)', 'has(nobody)', 'has("a")', 'has()');
    all('unknown', 'have(object.spec)', 'has(request.userInfo.groups.x)', 'object.has(object.spec)');
    all('true', 'object["spec"]["count"] == 3');
    all('unknown', 'object[nobody]', 'request.userInfo.groups[0] == "system:nodes"', 'object.spec.signerName.x');
    all('error', 'oldObject["x"]', 'object.metadata["labels"]', 'object.metadata.labels.x.y', 'object.metadata.labels');
  });

  it('asks each of a list, by the name that it is given', () => {
    all(
      'true',
      '[1, 2].all(x, x > 0)',
      '[1, 2].exists(x, x > 1)',
      '[].all(x, false)',
      '[[1], [2]].all(a, a.all(b, b > 0))',
    );
    all('false', '[1, 2].all(x, x > 1)', '[1, 2].exists(x, x > 2)', '[].exists(x, true)');
    all('error', '[1].all(x, oldObject.y)', 'oldObject.x.all(x, true)', '[1].exists(x, oldObject.y)');
    all('unknown', '[1].all("x", true)', '[1].map(x, true)', '[1].exists_one(x, true)', 'nobody.all(x, true)');
    all('unknown', '[1, nobody].all(x, x > 0)', 'object.all(x, true)', '"a".all(x, true)');
  });

  it('is worked out within so many steps', () => {
    const list = (count: number): string => `[${Array.from({ length: count }, () => '1').join(', ')}]`;
    assert.equal(said(`${list(60)}.all(a, ${list(30)}.all(b, a == b))`), 'true');
    assert.equal(said(`${list(60)}.all(a, ${list(60)}.all(b, a == b))`), 'unknown');
  });

  it('knows of a whole map what is not there', () => {
    all(
      'true',
      '"a/b" in labels',
      '!("x" in labels)',
      '!has(labels.x)',
      'labels["a/b"] == "c"',
      'labels.exists(key, key.startsWith("a/"))',
      'labels.all(key, key == "d" || labels[key] == "c")',
      'labels.d.startsWith("e")',
    );
    all('error', 'labels.x == "c"');
    all('unknown', 'labels.d == "ef"');
  });
});

describe('names and texts in CEL', () => {
  it('are those in these letters', () => {
    all('true', '"Abc".contains("bc")', '"a b".startsWith("a ")', '"" == ""', '"abc".contains("")');
    all('false', '"Abc" == "abc"', '"abc " == "abc"', '"abcd" == "abc"', '"" == "abc"', '"abc".contains("B")');
    all(
      'false',
      '"abc".contains("c ")',
      '"abc".startsWith("A")',
      '"abc".endsWith("bc ")',
      '"a" in ["A", " a", "ab", ""]',
    );
    all('true', '"a" in ["b", "a"]', '["b", "a"].exists(x, x == "a")', '["a", "b"].exists(x, x == "b")');
    all('false', '["a", "b"].all(x, x == "a")', '["b", "a"].all(x, x == "a")', '"b" in []');
    all('true', '[].all(x, x == "a")');
    all('unknown', '["a"].Exists(x, x == "a")', '["a"].ALL(x, true)', 'Has(object.spec)', '["a"].map(x, x)');
    all('unknown', '"a".StartsWith("a")', '"a".matches("a")', '"a".size()');
    all('unknown', 'request.userInfo.username.contains("x")', 'request.userInfo.username.endsWith("a")');
    all('true', 'request.userInfo.username.contains("node")');
    all('false', 'request.userInfo.username.startsWith("System")', 'request.userInfo.username == "system"');
  });
});
