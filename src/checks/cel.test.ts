import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ABSENT, Begun, opinionsOf, type Scope, UNKNOWN, type Variable } from './cel.js';

const SCOPE: Scope = {
  request: {
    operation: 'CREATE',
    userInfo: { username: new Begun('system:node:'), groups: ['system:nodes', new Begun('system:bootstrappers:')] },
  },
  object: { metadata: { labels: ABSENT, annotations: UNKNOWN }, spec: { signerName: 'a/b', count: 3 } },
  oldObject: null,
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
});
