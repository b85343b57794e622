import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitions } from '../resources/index.js';
import { CONFIG_MAPS, fixture } from './fixture.js';

const NO_OTHER =
  'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';
const representations = (list: string): string => `406: Not Acceptable\n\nAvailable representations: ${list}`;
const ALL = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const AGGREGATED = ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** What a server says to a reader of that type. */
const said = (path: string, accept: string): readonly [number, unknown, unknown] => {
  const { ask } = fixture();
  const { code, headers, json } = ask('GET', path, undefined, { accept });
  return [code, headers['Content-Type'], code === 200 ? json.kind : json.message];
};

test('the router knows no wildcard of subtypes, the aggregator does', () => {
  assert.deepEqual(said('/api', 'application/*'), [406, 'application/json', representations(ALL)]);
  assert.deepEqual(said('/api/v1', 'text/html'), [406, 'application/json', representations(ALL)]);
  assert.deepEqual(said('/version', 'application/*'), [406, 'application/json', representations('application/json')]);
  assert.deepEqual(said('/apis', 'application/*'), [200, 'application/json', 'APIGroupList']);
  assert.deepEqual(said('/apis', 'text/html'), [406, 'application/json', NO_OTHER]);
});

test('the router asks what a request carries, also of one without a body', () => {
  const { ask } = fixture();
  const code = (path: string, type: string): number => ask('GET', path, undefined, { 'content-type': type }).code;
  for (const path of ['/api', '/api/v1', '/version'])
    for (const [type, wanted] of [
      ['application/json; charset=utf-8', 200],
      ['text/html,application/json', 200],
      ['*/*', 415],
      ['Application/JSON', 415],
      ['application/yaml', path === '/version' ? 415 : 200],
    ] as const)
      assert.equal(code(path, type), wanted, `${path} ${type}`);
  assert.equal(code('/apis', 'text/html'), 200);
  assert.equal(code(CONFIG_MAPS, 'text/html'), 200);
});

test('what is asked for as another kind, group or version is given by nobody who has none', () => {
  for (const parameter of ['as=X', 'g=x', 'v=v1', 'v=v2', 'as=Table;v=v1;g=meta.k8s.io', 'sv=v1', 'stream=x']) {
    assert.deepEqual(said('/api', `application/json;${parameter}`), [406, 'application/json', NO_OTHER], parameter);
    const objects = said(CONFIG_MAPS, `application/json;${parameter}`);
    assert.equal(objects[0], parameter.startsWith('as=Table') ? 200 : 406, parameter);
  }
  assert.equal(said('/api', 'application/json;charset=utf-8')[0], 200);
});

test('aggregated discovery is given where any clause asks for it, in the minors that know its version', () => {
  const given = said('/apis', `application/json, application/json${AGGREGATED}`);
  assert.deepEqual(given, [200, `application/json${AGGREGATED}`, 'APIGroupDiscoveryList']);
  assert.equal(said('/api/v1', `application/json${AGGREGATED}`)[0], 406);
  const beta = `application/json${AGGREGATED.replace('v=v2', 'v=v2beta1')}`;
  assert.deepEqual(said('/apis', beta), [406, 'application/json', NO_OTHER]);
  assert.deepEqual(said('/apis', `${beta},application/json`), [200, 'application/json', 'APIGroupList']);
});

test('discovery is written in protocol buffers for who reads these', () => {
  const { api } = fixture();
  const accept = 'application/vnd.kubernetes.protobuf';
  for (const [url, kind] of [
    ['/api', 'APIVersions'],
    ['/api/v1', 'APIResourceList'],
    ['/apis', 'APIGroupList'],
  ] as const) {
    const headers = { accept: [accept] };
    const answer = api.handle({ method: 'GET', url, headers, certificates: [], body: Buffer.alloc(0) });
    assert.ok(answer.kind === 'full' && Buffer.isBuffer(answer.body));
    assert.equal(answer.headers['Content-Type'], accept);
    assert.ok(answer.body.includes(kind), url);
  }
});

test('an error that cannot be written as asked is readable JSON', () => {
  const { ask } = fixture();
  const { text } = ask('GET', `${CONFIG_MAPS}/none`, undefined, {
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  });
  assert.match(text, /^\{\n {2}"kind": "Status"/);
});

test('what is passed on may be written in any way, and nobody is warned of what the router refuses', () => {
  const { ask } = fixture({ definitions: definitions() });
  const read = (path: string, accept: string): readonly [number, unknown] => {
    const { code, headers } = ask('GET', path, undefined, { accept });
    return [code, headers.Warning];
  };
  assert.deepEqual(read('/api/v1/nodes/a/proxy/', 'application/xml'), [404, undefined]);
  assert.deepEqual(read('/api/v1/componentstatuses', 'application/xml'), [406, undefined]);
  const { code, headers } = ask('GET', '/api/v1/componentstatuses', undefined, { accept: 'application/json' });
  assert.deepEqual([code, headers.Warning], [200, ['299 - "v1 ComponentStatus is deprecated in v1.19+"']]);
});
