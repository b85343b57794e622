import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { conforming, conforms, SCHEMAS, type SchemaName } from './schema.js';

const GOOD = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: '', cluster: { server: 'https://a' } }],
  users: null,
};

describe('conforms', () => {
  it('has nothing to say of what conforms', () => {
    assert.deepEqual(conforms('cluster-info', GOOD), []);
    for (const part of ['config', 'nobody', 'cluster', 'verified'] as const)
      assert.deepEqual(conforms(`cluster-info/${part}`, GOOD), [], part);
  });

  it('says in words what does not, without its value, all of it and sorted', () => {
    assert.deepEqual(conforms('cluster-info/config', { apiVersion: 'hunter2' }), [
      'apiVersion is not "v1"',
      'it has no kind',
    ]);
    assert.deepEqual(conforms('cluster-info/config', 'hunter2'), ['it is no object']);
    assert.deepEqual(conforms('cluster-info/nobody', { users: ['hunter2'] }), ['users is not null or "" or []']);
    assert.deepEqual(conforms('cluster-info/cluster', { clusters: [{ name: 'a' }, 1] }), [
      'clusters holds nothing of the kind that is wanted',
    ]);
    assert.deepEqual(
      conforms('cluster-info/verified', { clusters: [{}, { cluster: { 'insecure-skip-tls-verify': true } }] }),
      ['clusters[1].cluster.insecure-skip-tls-verify is not null or false'],
    );
  });

  it('refuses names that there are not', () => {
    assert.throws(() => conforms('cluster-info/other', {}), {
      message: 'The schema "cluster-info" has no definition "other".',
    });
    assert.throws(() => conforms('other' as SchemaName, {}), {
      message: `No schema is named "other". There are: ${SCHEMAS.join(', ')}.`,
    });
    assert.throws(() => conforms('' as SchemaName, {}), /No schema is named ""/);
  });
});

describe('a schema that refers to others', () => {
  it('says what they say', () => {
    const told = conforms('configuration', { parameters: { tokenHours: 'x' } });
    assert.deepEqual(told, ['parameters.tokenHours is no integer']);
    assert.ok(conforms('profile', { parameters: { tokenHours: 'x' } }).includes('parameters.tokenHours is no integer'));
  });
});

describe('conforming', () => {
  it('gives the value, or throws with the file and every place', () => {
    const extras = { extras: [] };
    assert.equal(conforming('known-extras', extras, 'x.yaml'), extras);
    assert.throws(() => conforming('known-extras', { extras: 1, other: 1 }, 'x.yaml'), {
      message:
        'x.yaml is not as its schema demands: extras is no array; it has other, which is not known: it may have extras',
    });
  });
});

describe('the schemas', () => {
  const folder = new URL('../../../schemas/', import.meta.url);

  it('are all known, and are schemas', () => {
    // formats of others stand in a folder of their own
    const files = readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort();
    assert.deepEqual(
      files,
      SCHEMAS.map((name) => `${name}.schema.json`),
    );
    const ajv = new Ajv();
    for (const file of files)
      assert.ok(ajv.validateSchema(JSON.parse(readFileSync(new URL(file, folder), 'utf8')), true), file);
  });

  it('name a format of a standard in the report only, where those are loaded', () => {
    const naming = SCHEMAS.filter((name) =>
      /"format": "(?!base64"|signer-name")/.test(readFileSync(new URL(`${name}.schema.json`, folder), 'utf8')),
    );
    assert.deepEqual(naming, ['report']);
    assert.ok(conforms('report', { startedAt: 'yesterday' }).includes('startedAt is no date-time'));
  });
});

describe('the schema of a token Secret', () => {
  const secret = (data: unknown) => ({ metadata: { name: 'bootstrap-token-07401b' }, data });

  it('takes base64 of megabytes, with which a pattern of groups overflows', () => {
    const request = (key: string) => ({ data: { key } });
    const told = (key: string) => conforms('token-secret', request(key)).filter((one) => one.startsWith('data.key'));
    assert.deepEqual(told('LS0t'.repeat(3_000_000)), []);
    assert.deepEqual(told(`${'LS0t'.repeat(3_000_000)}*`), ['data.key is no base64']);
  });

  it('takes base64 as Go does, and no other value', () => {
    for (const value of ['', 'YQ==', 'YWI=', 'YWJj', 'YW\nJj\n', 'YQ=\n='])
      assert.deepEqual(conforms('token-secret', secret({ key: value })), [], value);
    for (const value of ['Y', 'YQ', 'YQ=', '2022-04-03T11:13:09Z', 'YW Jj', 'YQ==YQ=='])
      assert.deepEqual(conforms('token-secret', secret({ key: value })), ['data.key is no base64'], value);
    assert.deepEqual(conforms('token-secret', secret({ key: true, other: 1 })), [
      'data.key is no string',
      'data.other is no string',
    ]);
    assert.deepEqual(conforms('token-secret', secret('x')), ['data is no object or null']);
    for (const [key, place] of [
      ['12', '[12]'],
      ['1a', '.1a'],
      ['a1', '.a1'],
      ['a/b', '.a/b'],
      ['a~b', '.a~b'],
      ['~1', '.~1'],
    ] as const)
      assert.deepEqual(conforms('token-secret', secret({ [key]: 1 })), [`data${place} is no string`], key);
    assert.deepEqual(conforms('token-secret', secret(undefined)), []);
  });
});

describe('the schema of a certificate request', () => {
  const good = {
    metadata: { name: 'csr-1' },
    spec: { request: 'YWJj', signerName: 'kubernetes.io/kubelet-serving', usages: ['server auth'] },
  };
  const problems = (spec: object, status?: object) =>
    conforms('certificate-signing-request', { ...good, spec: { ...good.spec, ...spec }, status });

  it('takes what the API server takes', () => {
    assert.deepEqual(conforms('certificate-signing-request', good), []);
    const more = { expirationSeconds: 600, username: 'a', groups: ['b'], extra: { c: ['d'] } };
    assert.deepEqual(problems(more, { conditions: [{ type: 'Approved', status: 'True' }], certificate: 'YQ==' }), []);
  });

  it('takes a domain and a path for a signer', () => {
    const of = (signerName: string): readonly string[] => problems({ signerName });
    for (const signer of ['a.b/c', 'a1.b-c.d/E_f', 'example.com/a.b:c-d', '0.x/0', 'a.bc/d'])
      assert.deepEqual(of(signer), [], signer);
    for (const signer of [
      'A.b/c',
      ' a.b/c',
      'a.b/c ',
      '-a.b/c',
      'a/b',
      'a.b/',
      '/c',
      'a.b',
      'a..b/c',
      'a.b/c/d',
      'a.b/-c',
    ])
      assert.deepEqual(of(signer), ['spec.signerName is no signer-name'], signer);
  });

  it('tells types and values', () => {
    assert.deepEqual(conforms('certificate-signing-request/object', { spec: {} }), [
      'it has no metadata',
      'spec has no request',
      'spec has no signerName',
    ]);
    assert.deepEqual(problems({ request: '-----BEGIN', signerName: 'kubelet', expirationSeconds: 599 }), [
      'spec.expirationSeconds must be >= 600',
      'spec.request is no base64',
      'spec.signerName is no signer-name',
    ]);
    assert.deepEqual(problems({ usages: ['clientAuth'] }), ['spec.usages[0] is none of 23 known values']);
    assert.deepEqual(problems({}, { conditions: {} }), ['status.conditions is no array or null']);
  });
});
