import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeFault } from '../go/time.js';
import { TypeMismatch, typed } from '../machinery/typed.js';
import { unstructuredFault } from '../machinery/unstructured.js';
import { structSchema } from '../resources/schema.js';
import { CONFIG_MAPS, fixture, JSON_PATCH, MERGE, STRATEGIC } from './fixture.js';

const kindOf = (struct: string): string => struct.split('.').at(-1) ?? '';

const complaint = (struct: string, value: Record<string, unknown>): string => {
  try {
    typed(value, structSchema(struct), kindOf(struct), { problems: [], duplicates: new Set() });
    return '';
  } catch (error) {
    assert.ok(error instanceof TypeMismatch);
    return error.message;
  }
};

test('times are read by the layout of their type', () => {
  assert.equal(timeFault('2026-01-01T00:00:00Z', false), undefined);
  assert.equal(timeFault('2026-01-01T00:00:00.123456+01:00', true), undefined);
  assert.equal(timeFault('', false), 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"');
  assert.equal(
    timeFault('2026-01-01T00:00:00Z', true),
    'parsing time "2026-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  );
  assert.equal(timeFault('2026-13-01T00:00:00Z', false), 'parsing time "2026-13-01T00:00:00Z": month out of range');
  assert.equal(timeFault('2026-02-30T00:00:00Z', false), 'parsing time "2026-02-30T00:00:00Z": day out of range');
  assert.match(timeFault('€', false) ?? '', /^parsing time "\\xe2\\x82\\xac" as/);
});

test('numbers, bytes and times have the limits of their types', () => {
  const lease = (spec: object): string => complaint('coordination.v1.Lease', { spec });
  assert.equal(
    lease({ leaseDurationSeconds: 2147483648 }),
    'json: cannot unmarshal number 2147483648 into Go struct field LeaseSpec.spec.leaseDurationSeconds of type int32',
  );
  assert.equal(
    lease({ renewTime: 5 }),
    'json: cannot unmarshal number into Go struct field LeaseSpec.spec.renewTime of type string',
  );
  const secret = (k: unknown): string => complaint('core.v1.Secret', { data: { k } });
  assert.equal(secret([]), '');
  assert.equal(secret([1, 255]), '');
  assert.equal(secret([256]), 'json: cannot unmarshal number 256 into Go struct field Secret.data of type uint8');
  assert.equal(secret({}), 'json: cannot unmarshal object into Go struct field Secret.data of type []uint8');
  assert.equal(
    complaint('certificates.v1.CertificateSigningRequest', { spec: { usages: [5] } }),
    'json: cannot unmarshal number into Go struct field CertificateSigningRequestSpec.spec.usages of type v1.KeyUsage',
  );
  assert.equal(
    complaint('core.v1.Pod', { spec: { volumes: [{ emptyDir: 5 }] } }),
    'json: cannot unmarshal number into Go struct field Volume.spec.volumes.VolumeSource.emptyDir of ' +
      'type v1.EmptyDirVolumeSource',
  );
  assert.equal(
    complaint('core.v1.Service', { spec: { ports: [{ targetPort: true }] } }),
    'json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32',
  );
});

test('what maps are converted to complains in words of its own', () => {
  const fault = (value: Record<string, unknown>): string | undefined =>
    unstructuredFault(value, structSchema('core.v1.Node'));
  assert.equal(fault({ metadata: { name: 5 } }), 'cannot convert int64 to string');
  assert.equal(fault({ metadata: { name: true } }), 'unrecognized type: string');
  assert.equal(fault({ metadata: [] }), 'cannot restore struct from: slice');
  assert.equal(fault({ metadata: { labels: 'x' } }), 'cannot restore map from string');
  assert.equal(fault({ spec: { podCIDRs: {} } }), 'cannot restore slice from map');
  assert.equal(fault({ spec: { unschedulable: 'x' } }), 'unrecognized type: bool');
  assert.equal(
    fault({ status: { conditions: [{ lastHeartbeatTime: 5 }] } }),
    'json: cannot unmarshal number into Go value of type string',
  );
  assert.equal(fault({ spec: { unschedulable: null } }), undefined);
});

test('a patch that does not fit is shown with its keys in order where it was looked into', () => {
  const { ask } = fixture();
  ask('POST', CONFIG_MAPS, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', labels: { l: 'm' } },
    data: { z: '1', b: '2' },
  });
  const message = (patch: unknown, headers: Readonly<Record<string, string>>): string =>
    String(ask('PATCH', `${CONFIG_MAPS}/a`, patch, headers).json.message);
  const byMerge = message({ immutable: 'x' }, MERGE);
  assert.match(
    byMerge,
    /^ "" is invalid: patch: Invalid value: "\{\\"apiVersion\\":\\"v1\\",\\"data\\":.*\\"metadata\\":\{\\"name\\":\\"a\\",\\"namespace\\"/,
  );
  assert.match(
    message([{ op: 'copy', from: '/kind', path: '/metadata/annotations' }], JSON_PATCH),
    /\\"metadata\\":\{\\"annotations\\":\\"ConfigMap\\",\\"creationTimestamp\\"/,
  );
  assert.equal(
    message({ data: 5 }, STRATEGIC),
    ' "" is invalid: patch: Invalid value: "map[data:5]": cannot restore map from int64',
  );
  assert.match(message({ kind: ['ConfigMap'] }, MERGE), /couldn't get version\/kind; json parse error: .* \.kind of/);
  // What a patch brings is printed in the order of its keys, in lists as well.
  assert.match(message({ immutable: 'x', data: [{ z: null, b: 1, a: 2 }] }, MERGE), /\[\{\\"a\\":2,\\"b\\":1\}\]/);
  assert.equal(
    message({ data: 2 ** 63 }, STRATEGIC),
    ' "" is invalid: patch: Invalid value: "map[data:9.223372036854776e+18]": cannot restore map from float64',
  );
  assert.match(message({ kind: 'x' }, MERGE), /no kind "x" is registered for version "v1" in scheme/);
  assert.match(message({ apiVersion: null }, MERGE), /was undeterminable/);
  assert.equal(message(null, MERGE), 'Invalid JSON Patch');
  assert.equal(ask('PATCH', `${CONFIG_MAPS}/a`, 'null', STRATEGIC).code, 200);
  assert.equal(ask('PATCH', `${CONFIG_MAPS}/a`, { metadata: { uid: 'x' } }, MERGE).code, 422);
  assert.equal(ask('PUT', `${CONFIG_MAPS}/a`, { metadata: { name: 'a', uid: 'x' } }).code, 409);
  assert.equal(ask('DELETE', `${CONFIG_MAPS}/a`, 'null').code, 200);
});

const YAML = { 'content-type': 'application/yaml' };

test('YAML may be aliased and nested as far as upstream reads it', () => {
  const { ask } = fixture();
  const message = (body: string): string => String(ask('POST', CONFIG_MAPS, body, YAML).json.message);
  const tenfold = (name: string, of: string): string => `${name}: &${name} [${Array(10).fill(of).join(', ')}]\n`;
  const bomb = tenfold('a', 'x') + ['b', 'c', 'd', 'e', 'f', 'g'].map((name, at) => tenfold(name, `*${'abcdef'[at]}`));
  assert.match(
    message(bomb.replaceAll(',b', 'b').replace(/,([b-g]:)/g, '$1')),
    /yaml: document contains excessive aliasing/,
  );
  assert.match(message('metadata: {name: *a}'), /yaml: unknown anchor 'a' referenced/);
  assert.match(message('metadata: {name: a}\ndata: &d\n  k: *d\n'), /yaml: anchor 'd' value contains itself/);
  assert.match(message(`x: ${'['.repeat(10_001)}`), /yaml: line 1: exceeded max depth of 10000/);
  for (const [at, empty] of ['[]', '{}'].entries()) {
    const owners = `metadata: {name: wide${at}}\nx: [${Array(10_001).fill(empty).join(', ')}]\n`;
    assert.equal(ask('POST', CONFIG_MAPS, owners, YAML).code, 201, 'ends are counted, too');
  }
  assert.match(message(`x: ${'{a: '.repeat(10_001)}`), /exceeded max depth of 10000/);
  const often = `metadata: {name: often}\ndata:\n  a: &v x\n${Array.from({ length: 300 }, (_, at) => `  k${at}: *v\n`).join('')}`;
  assert.equal(ask('POST', CONFIG_MAPS, often, YAML).code, 201);
});

test('a hundred complaints are kept, and warnings are cut where they are too long together', () => {
  const { ask } = fixture();
  const unknown = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`${'x'.repeat(300)}${at}`, 1]));
  const { code, headers } = ask('POST', `${CONFIG_MAPS}?fieldValidation=Warn`, { metadata: { name: 'a' }, ...unknown });
  assert.equal(code, 201);
  assert.equal(headers.Warning?.length, 16);
  assert.ok([headers.Warning].flat().every((one) => (one ?? '').length < 300));
  const strict = ask('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, { metadata: { name: 'a' }, ...unknown });
  assert.equal(String(strict.json.message).match(/unknown field/g)?.length, 100);
  const foreign = ask('POST', CONFIG_MAPS, { metadata: { name: 'b' }, '\u0105\u{1f600}': 1 });
  assert.equal(
    Buffer.from(String(foreign.headers.Warning), 'latin1').toString(),
    '299 - "unknown field \\"\u0105\u{1f600}\\""',
  );
});

test('a body that is no object has no kind, and says so', () => {
  const { ask } = fixture();
  const said = (body: string): unknown => {
    const { code, json } = ask('POST', CONFIG_MAPS, body);
    return [code, json.message];
  };
  const fields = 'APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\""';
  for (const [body, what] of [
    ['[]', 'array'],
    ['"x"', 'string'],
    ['5', 'number'],
    ['true', 'bool'],
  ] as const) {
    const [code, message] = said(body) as [number, string];
    assert.equal(code, 400);
    const why = `couldn't get version/kind; json parse error: json: cannot unmarshal ${what} into Go value of type struct { ${fields} }`;
    assert.ok(message.includes(why), message);
  }
});

test('kind and version count however they are capitalised', () => {
  const { ask } = fixture();
  const answer = (body: object): unknown => ask('POST', CONFIG_MAPS, { metadata: { generateName: 'a-' }, ...body });
  const { message } = (answer({ APIVERSION: 0 }) as { json: { message: string } }).json;
  assert.match(message, /cannot unmarshal number into Go struct field \.apiVersion of type string/);
  assert.match((answer({ Kind: 'x' }) as { json: { message: string } }).json.message, /no kind "x" is registered/);
  assert.equal((answer({ KIND: 'ConfigMap', apiversion: 'v1' }) as { code: number }).code, 201);
});
