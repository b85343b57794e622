import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitions } from '../resources/index.js';
import { APPLY, CONFIG_MAPS, fixture, JSON_PATCH, MERGE, STRATEGIC } from './fixture.js';

const SERVICES = '/api/v1/namespaces/default/services';
const config = (data?: Record<string, string>, labels?: Record<string, string>): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...(labels === undefined ? {} : { labels }) },
  ...(data === undefined ? {} : { data }),
});

test('JSON patches apply or are refused as a whole', () => {
  const { ask } = fixture();
  ask('POST', CONFIG_MAPS, config({ x: '1' }));
  const ops = [
    { op: 'test', path: '/data/x', value: '1' },
    { op: 'copy', from: '/data/x', path: '/data/y' },
    { op: 'replace', path: '/data/z', value: '3' },
  ];
  assert.deepEqual(ask('PATCH', `${CONFIG_MAPS}/a`, ops, JSON_PATCH).json.data, { x: '1', y: '1', z: '3' });
  const refused = ask('PATCH', `${CONFIG_MAPS}/a`, [{ op: 'remove', path: '/data/none' }], JSON_PATCH);
  assert.deepEqual(
    [refused.code, refused.json.message, refused.json.details],
    [422, 'the server rejected our request due to an error in our request', {}],
  );
});

test('a JSON pointer without a slash names nothing, but the whole to replace and test', () => {
  const { ask } = fixture();
  ask('POST', CONFIG_MAPS, config({ x: '1' }));
  for (const path of ['', 'data']) {
    const refused = ask('PATCH', `${CONFIG_MAPS}/a`, [{ op: 'add', path, value: {} }], JSON_PATCH);
    assert.deepEqual([refused.code, refused.json.reason], [422, 'Invalid'], path);
  }
  const replaced = ask(
    'PATCH',
    `${CONFIG_MAPS}/a`,
    [{ op: 'replace', path: '', value: config({ y: '2' }) }],
    JSON_PATCH,
  );
  assert.deepEqual(replaced.json.data, { y: '2' });
  const tested = ask('PATCH', `${CONFIG_MAPS}/a`, [{ op: 'test', path: '', value: {} }], JSON_PATCH);
  assert.equal(tested.code, 422);
  assert.equal(
    ask('PATCH', `${CONFIG_MAPS}/a`, [1], JSON_PATCH).json.message,
    'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp',
  );
});

test('a patch whose fields nobody is to check is read by what applies it alone', () => {
  const { ask } = fixture();
  ask('POST', CONFIG_MAPS, config({ x: '1' }));
  const said = (body: string, type: typeof MERGE): readonly unknown[] => {
    const { code, json } = ask('PATCH', `${CONFIG_MAPS}/a?fieldValidation=Ignore`, body, type);
    return [code, code === 200 ? undefined : json.message];
  };
  const list = 'json: cannot unmarshal object into Go value of type jsonpatch.Patch';
  const operation = 'json: cannot unmarshal number into Go value of type jsonpatch.Operation';
  const rejected = 'the server rejected our request due to an error in our request';
  assert.deepEqual(
    ['{}', 'x', '', '[1]', '[{"op":1,"path":"/x"}]', '[{"op":"add","path":5,"value":1}]', '[]', 'null'].map((body) =>
      said(body, JSON_PATCH),
    ),
    [
      [400, list],
      [400, "invalid character 'x' looking for beginning of value"],
      [400, 'unexpected end of JSON input'],
      [400, operation],
      [422, rejected],
      [422, rejected],
      [200, undefined],
      [200, undefined],
    ],
  );
  const bad = [400, 'Invalid JSON Patch'];
  assert.deepEqual(
    ['x', '', '"x"', '5', 'null'].map((body) => said(body, MERGE)),
    [bad, bad, bad, bad, bad],
  );
  const [code, message] = said('[{"op":1}]', MERGE);
  assert.equal(code, 422);
  assert.match(String(message), /Invalid value: "\[\{\\"op\\":1\}\]": couldn't get version\/kind; .* array into/);
  assert.deepEqual(said('{"data":{"y":"2"},"odd":1}', MERGE), [200, undefined]);
});

test('an apply that gives up all its labels leaves the name, and one without a name loses it', () => {
  const { ask } = fixture();
  const labelled = { ...config({}), metadata: { name: 'a', labels: { x: 'y' } } };
  const apply = (body: object | string, query = ''): ReturnType<typeof ask> =>
    ask('PATCH', `${CONFIG_MAPS}/a?fieldManager=m${query}`, body, { 'content-type': 'application/apply-patch+yaml' });
  const bare = { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} };
  for (const without of [bare, { ...bare, metadata: { name: 'a' } }]) {
    assert.deepEqual(apply(labelled).json.metadata?.labels, { x: 'y' });
    const { code, json } = apply(without);
    assert.deepEqual([code, json.metadata?.name, json.metadata?.labels], [200, 'a', undefined]);
  }
  apply(labelled);
  const nameless = apply({ apiVersion: 'v1', kind: 'ConfigMap' });
  assert.equal(nameless.code, 400);
  assert.match(String(nameless.json.message), /^the name of the object \(a based on URL\) was undeterminable/);
  assert.equal(apply({ ...bare, metadata: { name: 'b' } }).code, 400);
});

test('an apply is told of keys that stand twice when all else is well', () => {
  const { ask } = fixture();
  const apply = (validation: string, body: string): readonly unknown[] => {
    const { code, headers, json } = ask(
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=m&fieldValidation=${validation}`,
      body,
      {
        'content-type': 'application/apply-patch+yaml',
      },
    );
    return [code, headers.Warning !== undefined, code === 400 && String(json.message).slice(0, 20)];
  };
  const odd = 'a: 1\na: 2\n';
  const good = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: "1"}\ndata: {x: "2"}\n';
  for (const validation of ['Ignore', 'Warn', 'Strict'])
    assert.deepEqual(apply(validation, odd), [400, false, 'invalid object type:'], validation);
  assert.deepEqual(apply('Strict', good), [400, false, 'error strict decodin']);
  assert.deepEqual(apply('Ignore', good), [201, false, false]);
  assert.deepEqual(apply('Warn', good), [200, true, false]);
});

test('a list that is not there yet is taken as it is sent, without directives and nulls', () => {
  const { ask } = fixture();
  ask('POST', SERVICES, { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' } });
  const ports = [
    { port: 80, name: null },
    { $patch: 'delete', port: 81 },
  ];
  const patched = ask('PATCH', `${SERVICES}/s`, { spec: { ports } }, STRATEGIC);
  assert.deepEqual(patched.json.spec?.ports, [{ port: 80 }]);
});

test('merge patches remove by null and do not know media types in capitals', () => {
  const { ask } = fixture();
  ask('POST', CONFIG_MAPS, config({ x: '1', y: '2' }));
  assert.deepEqual(ask('PATCH', `${CONFIG_MAPS}/a`, { data: { x: null, z: '3' } }, MERGE).json.data, {
    y: '2',
    z: '3',
  });
  assert.equal(ask('PATCH', `${CONFIG_MAPS}/a`, {}, { 'content-type': 'Application/Merge-Patch+JSON' }).code, 415);
});

test('strategic merge patches know keys, directives and order', () => {
  const { ask } = fixture();
  ask('POST', SERVICES, {
    metadata: { name: 's' },
    spec: {
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
    },
  });
  const ports = (patch: object): unknown => ask('PATCH', `${SERVICES}/s`, { spec: patch }, STRATEGIC).json.spec?.ports;
  assert.deepEqual(ports({ ports: [{ port: 2, name: 'c' }] }), [
    { name: 'a', port: 1 },
    { name: 'c', port: 2 },
  ]);
  assert.deepEqual(ports({ ports: [{ port: 3 }], '$setElementOrder/ports': [{ port: 3 }, { port: 2 }, { port: 1 }] }), [
    { port: 3 },
    { name: 'c', port: 2 },
    { name: 'a', port: 1 },
  ]);
  assert.deepEqual(ports({ ports: [{ port: 3, $patch: 'delete' }] }), [
    { name: 'c', port: 2 },
    { name: 'a', port: 1 },
  ]);
  assert.deepEqual(ports({ $patch: 'replace', ports: [{ port: 9 }] }), [{ port: 9 }]);
  const unknown = ask('PATCH', `${SERVICES}/s`, { spec: { $patch: 'frob' } }, STRATEGIC);
  assert.deepEqual([unknown.code, unknown.json.message], [500, 'unknown patch type: frob in map: map[$patch:frob]']);
});

test('strategic merge patches that cannot be merged say why, as upstream does', () => {
  const { ask } = fixture();
  ask('POST', CONFIG_MAPS, config({ x: '1' }, { l: '1' }));
  const said = (patch: object): readonly [number, unknown] => {
    const { code, json } = ask('PATCH', `${CONFIG_MAPS}/a`, patch, STRATEGIC);
    return [code, json.message];
  };
  const noList = (got: string): string => `expected a []interface {}, but received a ${got}`;
  for (const [patch, message] of [
    [
      { metadata: { '$setElementOrder/none': ['a'] } },
      'unable to find api field in struct ObjectMeta for the json field "none"',
    ],
    [
      { metadata: { labels: { '$setElementOrder/l2': ['a'] } } },
      'merging an object in json but data type is not struct, instead is: map',
    ],
    [{ '$setElementOrder/data': ['a'] }, noList('map[string]interface {}')],
    [{ '$setElementOrder/data': 'a' }, noList('string')],
    [{ metadata: { '$setElementOrder/annotations': ['a'] } }, 'expected slice or array type, but got: struct'],
    [{ data: { $patch: 'merge' } }, 'unknown patch type: merge in map: map[$patch:merge]'],
    [{ $patch: 5 }, 'unknown patch type: %!s(int64=5) in map: map[$patch:5]'],
    [{ $patch: true }, 'unknown patch type: %!s(bool=true) in map: map[$patch:true]'],
    [{ $patch: null }, 'unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]'],
  ] as const)
    assert.deepEqual(said(patch), [500, message], JSON.stringify(patch));
  for (const patch of [{ $retainKeys: 'data' }, { $retainKeys: ['data'], immutable: false }])
    assert.deepEqual(said(patch), [400, 'invalid patch format of retainKeys'], JSON.stringify(patch));
  assert.equal(said({ $retainKeys: ['apiVersion', 'kind', 'metadata', 'data'], data: { y: '2' } })[0], 200);
});

test('what a list changes stands as its order says', () => {
  const { ask } = fixture();
  const ports = [80, 81].map((port) => ({ name: `p${port}`, port }));
  ask('POST', SERVICES, { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports } });
  const patched = (order: readonly number[], changes?: readonly object[]): unknown => {
    const ordered = { '$setElementOrder/ports': order.map((port) => ({ port })) };
    const spec = changes === undefined ? ordered : { ...ordered, ports: changes };
    const { code, json } = ask('PATCH', `${SERVICES}/s?dryRun=All`, { spec }, STRATEGIC);
    return code === 200 ? json.spec?.ports?.map(({ port }) => port) : [code, json.message];
  };
  assert.deepEqual(patched([81, 80]), [81, 80]);
  assert.deepEqual(patched([82, 81, 80], [{ port: 82 }]), [82, 81, 80]);
  assert.deepEqual(patched([80, 82, 81], [{ port: 82 }, { port: 81 }]), [80, 82, 81]);
  assert.deepEqual(patched([81, 80], [{ port: 81, name: 'q' }]), [81, 80]);
  assert.deepEqual(patched([81], [{ port: 80, $patch: 'delete' }, { port: 81 }]), [81]);
  assert.deepEqual(patched([], [{ port: 82 }]), [82, 80, 81]);
  assert.deepEqual(patched([80, 81], []), [80, 81]);
  const unlike = (list: string, order: string): unknown => [
    500,
    `The order in patch list:\n[${list}]\n doesn't match $setElementOrder list:\n[${order}]\n`,
  ];
  assert.deepEqual(
    patched([81, 80], [{ port: 80 }, { port: 81 }]),
    unlike('map[port:80] map[port:81]', 'map[port:81] map[port:80]'),
  );
  assert.deepEqual(patched([80, 81], [{ port: 82 }]), unlike('map[port:82]', 'map[port:80] map[port:81]'));
  const odd = (order: readonly unknown[]): unknown => {
    const spec = { '$setElementOrder/ports': order, ports: [{ port: 81 }] };
    const { code, json } = ask('PATCH', `${SERVICES}/s?dryRun=All`, { spec }, STRATEGIC);
    return [code, json.message];
  };
  assert.deepEqual(odd(['x', { port: 81 }]), [500, 'expected a map[string]interface {}, but received a string']);
  assert.deepEqual(odd([{}, { port: 81 }]), [500, 'map: map[] does not contain declared merge key: port']);
  assert.deepEqual(odd([{ port: 81 }, 0]), [500, 'value for key 1 is not a map']);
});

test('directives in lists take away, replace and refuse', () => {
  const { ask } = fixture();
  const ports = [80, 81].map((port) => ({ name: `p${port}`, port }));
  ask('POST', SERVICES, { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports } });
  const patched = (changes: readonly unknown[]): unknown => {
    const { code, json } = ask('PATCH', `${SERVICES}/s?dryRun=All`, { spec: { ports: changes } }, STRATEGIC);
    const spec = json.spec as { ports: readonly { port: number }[] } | undefined;
    return code === 200 ? spec?.ports.map(({ port }) => port) : json.message;
  };
  assert.deepEqual(patched([{ port: 80, $patch: 'delete' }]), [81]);
  assert.deepEqual(patched([{ $patch: 'replace' }, { name: 'p90', port: 90 }]), [90]);
  assert.equal(patched([{ port: 80, $patch: 'merge' }]), 'merging lists cannot yet be specified in the patch');
  assert.equal(patched([{ $patch: 'x' }]), 'unknown patch type: x in map: map[$patch:x]');
  assert.equal(patched([{ $patch: 'delete' }]), 'map: map[$patch:delete] does not contain declared merge key: port');
  assert.equal(
    patched([5]),
    'list element types are not identical: [[map[name:p80 port:80] map[name:p81 port:81]] [5]]',
  );
  assert.equal(patched([{ name: 'q' }]), 'map: map[name:q] does not contain declared merge key: port');
});

test('managed fields say who set what', () => {
  const { ask } = fixture();
  const made = ask('POST', `${CONFIG_MAPS}?fieldManager=one`, config({ x: '1' }, { l: '1' }));
  assert.deepEqual(made.json.metadata?.managedFields, [
    {
      manager: 'one',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2026-11-20T10:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { '.': {}, 'f:x': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } } },
    },
  ]);
  const patched = ask('PATCH', `${CONFIG_MAPS}/a?fieldManager=two`, { data: { x: '2' } }, MERGE);
  assert.deepEqual(
    patched.json.metadata?.managedFields?.map((entry) => [entry.manager, entry.fieldsV1?.['f:data']]),
    [
      ['one', {}],
      ['two', { 'f:x': {} }],
    ],
  );
});

test('an apply drops what it no longer says, keeps what others say, and asks before it takes', () => {
  const { ask } = fixture();
  const apply = (manager: string, body: object, more = ''): ReturnType<typeof ask> =>
    ask('PATCH', `${CONFIG_MAPS}/a?fieldManager=${manager}${more}`, body, APPLY);
  const made = apply('one', config({ x: '1', y: '2' }));
  assert.equal(made.code, 201);
  assert.deepEqual(
    made.json.metadata?.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`),
    ['one Apply'],
  );
  assert.deepEqual(apply('one', config({ x: '1' })).json.data, { x: '1' });
  assert.equal(apply('two', config({ x: '1', z: '3' })).code, 200);
  const refused = apply('two', config({ x: '9', z: '3' }));
  assert.equal(refused.code, 409);
  assert.equal(refused.json.message, 'Apply failed with 1 conflict: conflict with "one": .data.x');
  assert.deepEqual(refused.json.details?.causes, [
    { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.x' },
  ]);
  assert.deepEqual(apply('two', config({ x: '9', z: '3' }), '&force=true').json.data, { x: '9', z: '3' });
  assert.deepEqual(apply('one', config()).json.data, { x: '9', z: '3' });
  assert.equal(apply('two', config()).json.data, undefined);
});

test('an apply needs a manager and fields that exist', () => {
  const { ask } = fixture();
  assert.equal(
    ask('PATCH', `${CONFIG_MAPS}/a`, config(), APPLY).json.message,
    'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  );
  const unknown = ask('PATCH', `${CONFIG_MAPS}/a?fieldManager=one`, { ...config(), nope: 1 }, APPLY);
  assert.deepEqual(
    [unknown.code, unknown.json.message],
    [500, 'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .nope: field not declared in schema'],
  );
});

test('an apply tells of values of another type in the words of the library', () => {
  const { ask } = fixture();
  const said = (changes: Readonly<Record<string, unknown>>, metadata: object = {}): readonly [number, string] => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata }, ...changes };
    const { code, json } = ask('PATCH', `${CONFIG_MAPS}/a?fieldManager=one`, body, APPLY);
    return [code, String(json.message).replace(/^failed to (.*?) \(.*?\)/, '$1')];
  };
  const typed = 'create typed patch object';
  assert.deepEqual(said({ data: { a: 5 } }), [
    500,
    `${typed}: .data.a: expected string, got &value.valueUnstructured{Value:5}`,
  ]);
  assert.deepEqual(said({ data: { a: { x: ['y', true] } } }), [
    500,
    `${typed}: .data.a: expected string, got ` +
      '&value.valueUnstructured{Value:map[string]interface {}{"x":[]interface {}{"y", true}}}',
  ]);
  assert.deepEqual(said({}, { generation: 'x' }), [
    500,
    `${typed}: .metadata.generation: expected numeric (int or float), got string`,
  ]);
  assert.deepEqual(said({}, { managedFields: 'x' }), [
    500,
    `${typed}: .metadata.managedFields: expected list, got &{x}`,
  ]);
  assert.deepEqual(said({}, { managedFields: [{}] }), [400, 'metadata.managedFields must be nil']);
  assert.deepEqual(said({}, { creationTimestamp: 5 }), [
    500,
    'convert new object to proper version: unable to convert unstructured object to /v1, Kind=ConfigMap: ' +
      'json: cannot unmarshal number into Go value of type string',
  ]);
});

test('items of a list belong to who applied them', () => {
  const { ask } = fixture();
  const service = (...ports: number[]): object => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { ports: ports.map((port) => ({ port, protocol: 'TCP' })) },
  });
  const apply = (manager: string, body: object): unknown =>
    ask('PATCH', `${SERVICES}/s?fieldManager=${manager}`, body, APPLY).json.spec?.ports?.map(({ port }) => port);
  assert.deepEqual(apply('one', service(1, 2)), [1, 2]);
  assert.deepEqual(apply('two', service(2, 3)), [1, 2, 3]);
  assert.deepEqual(apply('one', service(1)), [1, 2, 3]);
  assert.deepEqual(apply('two', service(3)), [1, 3]);
});

test('copies of a JSON patch may grow to 3 MiB together', () => {
  const { ask } = fixture();
  ask('POST', CONFIG_MAPS, { metadata: { name: 'a' }, data: { k: 'x'.repeat(100) } });
  const copies = (count: number): object[] =>
    Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/data', path: `/data/a${index}` }));
  const refused = ask('PATCH', `${CONFIG_MAPS}/a`, copies(40), JSON_PATCH);
  assert.equal(refused.code, 422);
  assert.equal(refused.json.message, 'the server rejected our request due to an error in our request');
  assert.match(String(ask('PATCH', `${CONFIG_MAPS}/a`, copies(5), JSON_PATCH).json.message), /unmarshal object/);
});

test('an apply names what is no map in a list by keys, and of a map the first field that nobody knows', () => {
  const { ask } = fixture({ definitions: definitions() });
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const message = (fields: object): unknown =>
    ask(
      'PATCH',
      `${accounts}/a?fieldManager=m`,
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' }, ...fields },
      APPLY,
    ).json.message;
  const begin = 'failed to create typed patch object (/a; /v1, Kind=ServiceAccount): ';
  assert.equal(
    message({ secrets: ['x'] }),
    `${begin}.secrets: element 0: associative list with keys may not have non-map elements`,
  );
  assert.equal(
    message({ secrets: [{ name: 'x' }, { namespace: 'y' }] }),
    `${begin}.secrets: element 1: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
  );
  assert.equal(message({ imagePullSecrets: [{}] }), undefined);
  assert.equal(message({ first: 1, second: 2 }), `${begin}.first: field not declared in schema`);
});

test('what a patch makes is decoded in the order in which it is printed', () => {
  const { ask } = fixture({ definitions: definitions() });
  const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
  assert.equal(ask('POST', bindings, { metadata: { name: 'a' }, subjects: [], roleRef }).code, 201);
  const patched = ask('PATCH', `${bindings}/a`, { subjects: ['x'], roleRef: { name: ['y'] } }, MERGE);
  assert.match(String(patched.json.message), /array into Go struct field RoleRef\.roleRef\.name of type string/);
});
