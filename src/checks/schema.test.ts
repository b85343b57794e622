import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { conforms, type SchemaName } from './schema.js';

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

describe('the schemas that checks judge by', () => {
  it('are schemas', () => {
    const file = new URL('../../../schemas/cluster-info.schema.json', import.meta.url);
    assert.ok(new Ajv().validateSchema(JSON.parse(readFileSync(file, 'utf8')), true));
  });
});
