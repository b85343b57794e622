import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accountGroups, accountUser } from './names.js';
import { remembered, rememberedText } from './remembered.js';
import { apiVersionOf, pathOf, resourceOfKind, resources } from './resources.js';
import { inSpan } from './versions.js';

it('a resource has a path of its own, and one for each object and its parts', () => {
  const { secrets, nodes, certificateSigningRequests: requests, daemonSets } = resources;
  assert.equal(pathOf(secrets), '/api/v1/secrets');
  assert.equal(pathOf(secrets, { namespace: 'kube-system' }), '/api/v1/namespaces/kube-system/secrets');
  assert.equal(pathOf(secrets, { namespace: 'a', name: 'b' }), '/api/v1/namespaces/a/secrets/b');
  assert.equal(pathOf(nodes, { namespace: 'a', name: 'b', subresource: 'status' }), '/api/v1/nodes/b/status');
  assert.equal(pathOf(daemonSets, { namespace: 'a' }), '/apis/apps/v1/namespaces/a/daemonsets');
  assert.equal(
    pathOf(requests, { name: 'a/b?', subresource: 'approval' }),
    '/apis/certificates.k8s.io/v1/certificatesigningrequests/a%2Fb%3F/approval',
  );
  assert.deepEqual([apiVersionOf(secrets), apiVersionOf(requests)], ['v1', 'certificates.k8s.io/v1']);
});

it('a kind is of one resource', () => {
  for (const resource of Object.values(resources)) assert.equal(resourceOfKind(resource.kind), resource);
  for (const kind of [undefined, '', 'secret', 'secrets', 'Ship']) assert.equal(resourceOfKind(kind), undefined);
});

it('an account is known by its namespace and its name', () => {
  const account = { namespace: 'kube-system', name: 'token-cleaner' };
  assert.equal(accountUser(account), 'system:serviceaccount:kube-system:token-cleaner');
  assert.deepEqual(accountGroups(account), ['system:serviceaccounts', 'system:serviceaccounts:kube-system']);
});

it('a span of minors has both its ends in it', () => {
  const among = (span: Parameters<typeof inSpan>[1]): readonly number[] =>
    [0, 23, 24, 25, 36, 99].filter((minor) => inSpan(minor, span));
  assert.deepEqual(among({}), [0, 23, 24, 25, 36, 99]);
  assert.deepEqual(among({ since: 24 }), [24, 25, 36, 99]);
  assert.deepEqual(among({ until: 24 }), [0, 23, 24]);
  assert.deepEqual(among({ since: 24, until: 25 }), [24, 25]);
  assert.deepEqual(among({ since: 25, until: 24 }), []);
});

it('what is made of a text is made once, of a long one each time, and again where it was long ago', () => {
  const made: string[] = [];
  const read = rememberedText((text) => {
    made.push(text);
    if (text === 'bad') throw new Error(text);
    return text.length;
  });
  assert.deepEqual([read('a'), read('a'), read('')], [1, 1, 0]);
  assert.deepEqual(made, ['a', '']);
  for (let time = 0; time < 2; time += 1) assert.throws(() => read('bad'));
  const long = 'x'.repeat(16_385);
  assert.deepEqual(
    [read(long), read(long), read(long.slice(1)), read(long.slice(1))],
    [16_385, 16_385, 16_384, 16_384],
  );
  assert.deepEqual(
    made.map((text) => text.slice(0, 3)),
    ['a', '', 'bad', 'bad', 'xxx', 'xxx', 'xxx'],
  );
  made.length = 0;
  for (let at = 0; at < 255; at += 1) read(`text ${at}`);
  read('text 0');
  read('another');
  read('text 0');
  assert.equal(made.filter((text) => text === 'text 0').length, 1);
  for (let at = 0; at < 256; at += 1) read(`more ${at}`);
  read('text 0');
  assert.equal(made.filter((text) => text === 'text 0').length, 2);
});

it('what is made of an object is made once for it, and not for one that looks the same', () => {
  let made = 0;
  const read = remembered((key: { readonly a: number }) => {
    made += 1;
    return { of: key.a };
  });
  const one = { a: 1 };
  assert.equal(read(one), read(one));
  assert.notEqual(read(one), read({ a: 1 }));
  assert.equal(made, 2);
});
