/** What kubectl reads of the OpenAPI documents: what may be asked where, with what, and what comes back. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { definitions } from '../resources/index.js';
import { fixture } from '../serving/fixture.js';

type Json = Readonly<Record<string, unknown>>;
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly type?: string;
  readonly schema?: { readonly type?: string };
}
interface Operation {
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly schema?: Json; readonly content?: Json }>>;
  readonly requestBody?: { readonly required: boolean; readonly content: Json };
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly 'x-kubernetes-action': string;
  readonly 'x-kubernetes-group-version-kind': Json;
}
type Path = Readonly<Record<string, Operation>> & { readonly parameters: readonly Parameter[] };
interface Document {
  readonly swagger?: string;
  readonly openapi?: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Path>>;
}

const documentAt = (url: string, minor = 36): Document =>
  fixture({ minor }).ask('GET', url).json as unknown as Document;
const [V2, V3] = [documentAt('/openapi/v2'), documentAt('/openapi/v3/api/v1')];
const MAPS = '/api/v1/namespaces/{namespace}/configmaps';
const pathOf = (document: Document, path: string): Path => document.paths[path] ?? assert.fail(path);
const operationOf = (document: Document, path: string, method: string): Operation =>
  pathOf(document, path)[method] ?? assert.fail(`${method} ${path}`);
const namesOf = (parameters: readonly Parameter[], place: string): readonly string[] =>
  parameters.filter((one) => one.in === place).map(({ name }) => name);
const actions = ({ parameters: _held, ...operations }: Path): Json =>
  Object.fromEntries(
    Object.entries(operations as Readonly<Record<string, Operation>>).map(([method, one]) => [
      method,
      one['x-kubernetes-action'],
    ]),
  );

for (const document of [V2, V3]) {
  const [version, prefix] =
    document === V2 ? ['OpenAPI v2', '#/definitions/'] : ['OpenAPI v3', '#/components/schemas/'];
  const reference = { $ref: `${prefix}io.k8s.api.core.v1.ConfigMap` };
  const typeOf = ({ type, schema }: Parameter): string | undefined => type ?? schema?.type;

  describe(version, () => {
    it('says what may be done with all of a kind, and with one of it', () => {
      assert.deepEqual(actions(pathOf(document, MAPS)), { get: 'list', post: 'post', delete: 'deletecollection' });
      const one = { get: 'get', put: 'put', patch: 'patch', delete: 'delete' };
      assert.deepEqual(actions(pathOf(document, `${MAPS}/{name}`)), one);
      assert.deepEqual(actions(pathOf(document, '/api/v1/namespaces/{name}')), one);
      const kind = { group: '', kind: 'ConfigMap', version: 'v1' };
      assert.deepEqual(operationOf(document, MAPS, 'post')['x-kubernetes-group-version-kind'], kind);
    });
    it('says what a path has to hold', () => {
      const held = (path: string): Json =>
        Object.fromEntries(
          pathOf(document, path).parameters.map((one) => [one.name, [one.in, one.required, typeOf(one)]]),
        );
      const text = ['path', true, 'string'];
      assert.deepEqual(held(MAPS), { namespace: text });
      assert.deepEqual(held(`${MAPS}/{name}`), { name: text, namespace: text });
      assert.deepEqual(held('/api/v1/namespaces'), {});
      assert.deepEqual(held('/api/v1/namespaces/{name}'), { name: text });
    });
    it('says what a query may hold', () => {
      const asked = (path: string, method: string): readonly string[] =>
        namesOf(operationOf(document, path, method).parameters, 'query');
      const writing = ['dryRun', 'fieldManager', 'fieldValidation', 'pretty'];
      assert.deepEqual(asked(MAPS, 'post'), writing);
      assert.deepEqual(asked(`${MAPS}/{name}`, 'put'), writing);
      assert.deepEqual(asked(`${MAPS}/{name}`, 'patch').toSorted(), [...writing, 'force'].toSorted());
      const deleting = ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy', 'pretty'];
      assert.deepEqual(asked(`${MAPS}/{name}`, 'delete'), deleting);
      assert.deepEqual(asked(MAPS, 'delete'), deleting);
      assert.deepEqual(asked(`${MAPS}/{name}`, 'get'), ['pretty']);
      const types = operationOf(document, MAPS, 'get').parameters.map((one) => [one.name, typeOf(one)]);
      assert.deepEqual(Object.fromEntries(types), {
        ...{ continue: 'string', fieldSelector: 'string', labelSelector: 'string', limit: 'integer', pretty: 'string' },
        ...{ resourceVersion: 'string', resourceVersionMatch: 'string', timeoutSeconds: 'integer' },
        ...{ allowWatchBookmarks: 'boolean', sendInitialEvents: 'boolean', watch: 'boolean' },
      });
      const removing = operationOf(document, MAPS, 'delete').parameters.map((one) => [one.name, typeOf(one)]);
      const { gracePeriodSeconds, orphanDependents } = Object.fromEntries(removing) as Json;
      assert.deepEqual([gracePeriodSeconds, orphanDependents], ['integer', 'boolean']);
    });
    it('says what is answered: created or found, or that nobody is known who asks', () => {
      for (const [path, method, code] of [
        [MAPS, 'post', '201'],
        [MAPS, 'get', '200'],
        [`${MAPS}/{name}`, 'put', '200'],
        [`${MAPS}/{name}`, 'patch', '200'],
        [`${MAPS}/{name}`, 'delete', '200'],
      ] as const) {
        const { responses } = operationOf(document, path, method);
        assert.deepEqual(Object.keys(responses), [code, '401'], method);
        const { schema, content } = responses[code] ?? {};
        const contents = { 'application/json': { schema: reference }, 'application/yaml': { schema: reference } };
        assert.deepEqual(schema ?? content, document === V2 ? reference : contents);
      }
    });
  });
}

it('subresources have their own verbs', () => {
  const { ask } = fixture({ definitions: definitions() });
  const of = (root: string, path: string): Json =>
    actions(
      pathOf(ask('GET', `/openapi/v3/${root}`).json as unknown as Document, `/${root}/namespaces/{namespace}/${path}`),
    );
  assert.deepEqual(of('apis/apps/v1', 'deployments/{name}/scale'), { get: 'get', put: 'put', patch: 'patch' });
  assert.deepEqual(of('apis/apps/v1', 'deployments/{name}/status'), { get: 'get', put: 'put', patch: 'patch' });
  assert.deepEqual(of('api/v1', 'serviceaccounts/{name}/token'), { post: 'post' });
  const proxied = Object.keys(of('api/v1', 'pods/{name}/proxy')).sort();
  assert.deepEqual(proxied, ['delete', 'get', 'patch', 'post', 'put']);
});

it('a body is a parameter of OpenAPI v2, and one of its own in v3', () => {
  const body = (path: string, method: string): readonly unknown[] => {
    const old = operationOf(V2, path, method).parameters.find((one) => one.in === 'body');
    const now = operationOf(V3, path, method);
    assert.deepEqual(namesOf(now.parameters, 'body'), []);
    return [old?.required, old?.schema, now.requestBody?.required, Object.entries(now.requestBody?.content ?? {})];
  };
  const of = (prefix: string) => ({ $ref: `${prefix}io.k8s.api.core.v1.ConfigMap` });
  const types = ['application/json', 'application/yaml'].map((type) => [type, { schema: of('#/components/schemas/') }]);
  const whole = [true, of('#/definitions/'), true, types];
  assert.deepEqual(body(MAPS, 'post'), whole);
  assert.deepEqual(body(`${MAPS}/{name}`, 'put'), whole);
  const object = { type: 'object' };
  assert.deepEqual(body(`${MAPS}/{name}`, 'patch'), [
    true,
    object,
    true,
    [['application/merge-patch+json', { schema: object }]],
  ]);
  for (const [path, method] of [
    [MAPS, 'get'],
    [MAPS, 'delete'],
    [`${MAPS}/{name}`, 'delete'],
  ] as const)
    assert.deepEqual(body(path, method), [undefined, undefined, undefined, []]);
  const { consumes, produces } = operationOf(V2, MAPS, 'post');
  assert.deepEqual([consumes, produces], [['*/*'], ['application/json', 'application/yaml']]);
  assert.deepEqual([operationOf(V3, MAPS, 'post').consumes, V2.swagger, V3.openapi], [undefined, '2.0', '3.0.0']);
});

it('a document tells its release, since 1.31 without what is a patch of it', () => {
  for (const url of ['/openapi/v2', '/openapi/v3/api/v1'])
    assert.deepEqual(
      [31, 30].map((minor) => documentAt(url, minor).info.version).map((one) => one.split('.').length),
      [2, 3],
    );
});

describe('documents', () => {
  const { ask } = fixture();
  const answered = (url: string, accept?: string): readonly unknown[] => {
    const { code, headers, text } = ask('GET', url, undefined, accept === undefined ? {} : { accept });
    return [code, headers['Content-Type'], text === '' ? 'nothing' : 'something'];
  };
  it('of OpenAPI v2 come in JSON, or in protocol buffers by either of their names', () => {
    const proto = (at: string): string => `application/com.github.proto-openapi.spec.v2${at}v1.0+protobuf`;
    assert.deepEqual(answered('/openapi/v2'), [200, 'application/json', 'something']);
    assert.deepEqual(answered('/openapi/v2', proto('@')), [200, proto('.'), 'something']);
    assert.deepEqual(answered('/openapi/v2', proto('.')), [200, proto('.'), 'something']);
    assert.deepEqual(answered('/openapi/v2', 'text/html'), [406, undefined, 'nothing']);
    assert.equal(ask('GET', '/openapi/v2').headers.Vary, 'Accept-Encoding, Accept');
  });
  it('of OpenAPI v3 are one for each group, in JSON', () => {
    const { paths } = ask('GET', '/openapi/v3').json;
    assert.deepEqual(Object.keys(paths ?? {}), ['api/v1']);
    const url = String(paths?.['api/v1']?.serverRelativeURL);
    assert.match(url, /^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]{64}$/);
    assert.equal(String(ask('GET', '/openapi/v3').json.paths?.['api/v1']?.serverRelativeURL), url);
    assert.deepEqual(answered(url), [200, 'application/json', 'something']);
    assert.deepEqual(answered('/openapi/v3'), [200, 'text/plain; charset=utf-8', 'something']);
    assert.deepEqual(answered('/openapi/v3/apis/none/v1'), [404, undefined, 'nothing']);
    assert.deepEqual(answered('/openapi/v3/api/v1', 'text/html'), [406, undefined, 'nothing']);
    assert.equal(ask('GET', '/openapi/v3/api/v1').text, ask('GET', '/openapi/v3/api/v1').text);
    for (const path of ['/openapi', '/openapi/v4', '/openapi/v2/api']) assert.equal(ask('GET', path).code, 404, path);
  });
});
