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
    assert.throws(() => conforms('cluster-info/other', {}), /no definition "other"/);
    assert.throws(() => conforms('other' as SchemaName, {}), /No schema is named "other"/);
  });
});

describe('conforming', () => {
  it('gives the value, or throws with the file and every place', () => {
    const extras = { extras: [] };
    assert.equal(conforming('known-extras', extras, 'x.yaml'), extras);
    assert.throws(() => conforming('known-extras', { extras: 1, other: 1 }, 'x.yaml'), {
      message: 'x.yaml is not as its schema demands: extras is no array; it has other, which is not known',
    });
  });
});

describe('the schemas', () => {
  const folder = new URL('../../../schemas/', import.meta.url);

  it('are all known, and are schemas', () => {
    const files = readdirSync(folder).sort();
    assert.deepEqual(
      files,
      SCHEMAS.map((name) => `${name}.schema.json`),
    );
    const ajv = new Ajv();
    for (const file of files)
      assert.ok(ajv.validateSchema(JSON.parse(readFileSync(new URL(file, folder), 'utf8')), true), file);
  });

  it('name a format in the report only, whose formats are loaded', () => {
    const naming = SCHEMAS.filter((name) =>
      /"format": "/.test(readFileSync(new URL(`${name}.schema.json`, folder), 'utf8')),
    );
    assert.deepEqual(naming, ['report']);
    assert.ok(conforms('report', { startedAt: 'yesterday' }).some((problem) => problem.startsWith('startedAt')));
  });
});
