/** OpenAPI v2 in protocol buffers, held to what upstream's library makes of the same document. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFIG_MAPS, fixture } from '../serving/fixture.js';
import { encodeOpenapiV2 } from './openapi-v2-message.js';

const DOCUMENT = {
  swagger: '2.0',
  info: { title: 'Kubernetes', version: '1.36' },
  paths: {
    '/api/v1/things/{name}': {
      get: {
        operationId: 'getThing',
        consumes: ['*/*'],
        produces: ['application/json', 'application/yaml'],
        parameters: [{ name: 'pretty', in: 'query', type: 'string', uniqueItems: true }],
        responses: {
          '200': { description: 'OK', schema: { $ref: '#/definitions/Thing' } },
          '401': { description: 'Unauthorized' },
        },
        'x-kubernetes-action': 'get',
      },
      patch: {
        operationId: 'patchThing',
        parameters: [{ name: 'body', in: 'body', required: true, schema: { type: 'object' } }],
        responses: { '200': { description: 'OK' } },
      },
      parameters: [{ name: 'name', in: 'path', required: true, type: 'string', uniqueItems: true }],
    },
  },
  definitions: {
    Thing: {
      description: 'a thing',
      type: 'object',
      required: ['a', 'b'],
      properties: {
        a: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-map-keys': ['x', 'z'] },
        b: { type: 'object', additionalProperties: { type: 'string', format: 'int-or-string', default: '7' } },
      },
      'x-kubernetes-group-version-kind': [{ group: '', kind: 'Thing', version: 'v1' }],
    },
  },
};

/** Source: gnostic-models v0.7.0, openapiv2.ParseDocument of that document, marshalled in the order of its fields. */
const MESSAGE = [
  'CgMyLjASEgoKS3ViZXJuZXRlcxIEMS4zNkK4AhK1AgoVL2FwaS92MS90aGluZ3Mve25hbWV9EpsCErcBKghnZXRUaGluZzIQYXBw',
  'bGljYXRpb24vanNvbjIQYXBwbGljYXRpb24veWFtbDoDKi8qQiAKHhIcGhoSBXF1ZXJ5IgZwcmV0dHkyBnN0cmluZ6ABAUpBCiYK',
  'AzIwMBIfCh0KAk9LEhcKFQoTIy9kZWZpbml0aW9ucy9UaGluZwoXCgM0MDESEAoOCgxVbmF1dGhvcml6ZWRqHQoTeC1rdWJlcm5l',
  'dGVzLWFjdGlvbhIGEgRnZXQKQj4qCnBhdGNoVGhpbmdCHwodChsSBGJvZHkaBGJvZHkgASoLsgEICgZvYmplY3RKDwoNCgMyMDAS',
  'BgoECgJPS0ofCh0SGyIZCAESBHBhdGgiBG5hbWUqBnN0cmluZ5gBAUqCAgr/AQoFVGhpbmcS9QEiB2EgdGhpbmeaAQFhmgEBYrIB',
  'CAoGb2JqZWN0ygGFAQpKCgFhEkWyAQcKBWFycmF5ugENCguyAQgKBnN0cmluZ/oBKAoaeC1rdWJlcm5ldGVzLWxpc3QtbWFwLWtl',
  'eXMSChIILSB4Ci0gegoKNwoBYhIyqgEkCiISDWludC1vci1zdHJpbmcqBhIEIjciCrIBCAoGc3RyaW5nsgEICgZvYmplY3T6AU0K',
  'H3gta3ViZXJuZXRlcy1ncm91cC12ZXJzaW9uLWtpbmQSKhIoLSBncm91cDogIiIKICBraW5kOiBUaGluZwogIHZlcnNpb246IHYx',
  'Cg==',
].join('');

test('is what gnostic-models writes', () => {
  assert.equal(encodeOpenapiV2(DOCUMENT).toString('base64'), MESSAGE);
});

test('a parameter of a query says where it has to be given', () => {
  const of = (more: object): Buffer => {
    const parameters = [{ name: 'a', in: 'query', type: 'string', ...more }];
    return encodeOpenapiV2({ swagger: '2.0', paths: { '/a': { get: { operationId: 'a', parameters } } } });
  };
  // Fields 1, 2 and 4: required, in and name.
  const [needed, free] = ['\x08\x01\x12\x05query\x22\x01a', '\x12\x05query\x22\x01a'];
  const said = [{ required: true }, {}].map((more) => [of(more).includes(needed), of(more).includes(free)]);
  assert.deepEqual(said, [
    [true, true],
    [false, true],
  ]);
});

test('is served to who asks for it, by its old name as by its new one', () => {
  const { api } = fixture();
  const from = (accept: string) => {
    const answer = api.handle({
      method: 'GET',
      url: '/openapi/v2',
      headers: { accept: [accept] },
      certificates: [],
      body: Buffer.alloc(0),
    });
    return answer.kind === 'full' ? answer : assert.fail('a stream was not asked for');
  };
  const json = from('*/*');
  assert.deepEqual([json.code, json.headers['Content-Type']], [200, 'application/json']);
  const document = JSON.parse(String(json.body));
  assert.ok(document.definitions['io.k8s.api.core.v1.ConfigMap']);
  assert.ok(document.paths[CONFIG_MAPS.replace('default', '{namespace}')]);
  for (const version of ['@v1.0', '.v1.0']) {
    const answer = from(`application/com.github.proto-openapi.spec.v2${version}+protobuf, application/json;q=0.5`);
    const type = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    assert.deepEqual([answer.code, answer.headers['Content-Type']], [200, type]);
    assert.deepEqual(answer.body, encodeOpenapiV2(document));
  }
  assert.equal(from('text/html').code, 406);
});
