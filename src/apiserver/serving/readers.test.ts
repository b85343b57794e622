/** What a real API server (1.36.1) answers to bodies, media types and options that are read in its own order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { definitions } from '../resources/index.js';
import { fixture } from './fixture.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const EVENTS = '/apis/events.k8s.io/v1/namespaces/default/events';
const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

const said = (answer: { readonly json: unknown }) =>
  answer.json as {
    readonly code?: number;
    readonly message?: string;
    readonly details?: { readonly name?: string; readonly causes?: readonly { readonly field: string }[] };
  };

test('a media type with bad parameters is none: a creation looks before its options, an update after them', () => {
  const { ask } = fixture({ definitions: definitions() });
  for (const [type, code] of [
    ['application/json;x', 415],
    ['application/json; charset', 415],
    ['application/json; charset=utf-8', 201],
    ['application/json ; a="b;c";', 201],
  ] as const)
    assert.equal(ask('POST', `${MAPS}?dryRun=All`, MAP, { 'content-type': type }).code, code, type);
  ask('POST', MAPS, MAP);
  const bad = { 'content-type': 'application/cbor' };
  assert.equal(ask('POST', `${MAPS}?fieldValidation=x`, MAP, bad).code, 415);
  assert.equal(ask('PUT', `${MAPS}/a?fieldValidation=x`, MAP, bad).code, 422);
  assert.equal(ask('PUT', `${MAPS}/a`, MAP, bad).code, 415);
});

test('an empty group before the version is the core group', () => {
  const { ask } = fixture({ definitions: definitions() });
  for (const apiVersion of ['/v1', '/', ''])
    assert.equal(ask('POST', `${MAPS}?dryRun=All`, { ...MAP, apiVersion }).code, 201, apiVersion);
  assert.equal(ask('POST', MAPS, { ...MAP, apiVersion: '//v1' }).code, 400);
});

test('a kind that every version knows is told apart from one that the core alone knows', () => {
  const { ask } = fixture({ definitions: definitions() });
  const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
  const why = (kind: string) =>
    said(ask('POST', roles, { apiVersion: 'rbac.authorization.k8s.io/v1', kind })).message ?? '';
  for (const kind of ['Status', 'APIGroup']) assert.match(why(kind), /unknown conversion$/);
  for (const kind of ['List', 'Table']) assert.match(why(kind), /no kind "\w+" is registered/);
});

test('who sends an empty list that is always written owns it, inside of others too', () => {
  const { ask } = fixture({ definitions: definitions() });
  const made = ask('POST', '/apis/storage.k8s.io/v1/csinodes', { metadata: { name: 'n' }, spec: { drivers: [] } })
    .json as unknown as {
    readonly metadata: { readonly managedFields?: readonly { readonly fieldsV1: object }[] };
    readonly spec: object;
  };
  assert.deepEqual(made.spec, { drivers: null });
  assert.deepEqual(
    made.metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1),
    [{ 'f:spec': { 'f:drivers': {} } }],
  );
});

test('a precondition that fails names the key of storage, which what is only tried has not', () => {
  const { ask } = fixture({ definitions: definitions() });
  ask('POST', MAPS, MAP);
  const why = (query: string) =>
    said(ask('PUT', `${MAPS}/a${query}`, { ...MAP, metadata: { name: 'a', uid: 'x' } })).message ?? '';
  assert.match(why(''), /Key: \/registry\/configmaps\/default\/a,/);
  assert.match(why('?dryRun=All'), /Key: \/configmaps\/default\/a,/);
});

test('owners of fields of another group are forgotten, and a name that cannot be is told before a version', () => {
  const { ask } = fixture({ definitions: definitions() });
  const owner = (apiVersion: string) => ({
    ...{ manager: apiVersion, operation: 'Update', apiVersion, fieldsType: 'FieldsV1' },
    fieldsV1: { 'f:data': { 'f:z': {} } },
  });
  const metadata = { name: 'a', managedFields: [owner('v1'), owner('apps/v1')] };
  const made = ask('POST', MAPS, { ...MAP, metadata, data: { k: 'v' } }).json as unknown as {
    readonly metadata: { readonly managedFields: readonly { readonly manager: string }[] };
  };
  assert.deepEqual(made.metadata.managedFields.map(({ manager }) => manager).sort(), ['test', 'v1']);
  assert.match(said(ask('GET', `${MAPS}/%2e?resourceVersion=x`)).message ?? '', /^Name parameter invalid/);
});

test('the deletion of a page of a collection tells where the next one begins', () => {
  const { ask } = fixture({ definitions: definitions() });
  for (const name of ['a', 'b']) ask('POST', MAPS, { ...MAP, metadata: { name } });
  const page = ask('DELETE', `${MAPS}?limit=1`).json as unknown as {
    readonly metadata: { readonly continue?: string; readonly remainingItemCount?: number };
    readonly items: readonly unknown[];
  };
  assert.equal(page.items.length, 1);
  assert.notEqual(page.metadata.continue ?? '', '');
  assert.equal(page.metadata.remainingItemCount, 1);
  assert.equal(ask('GET', `${MAPS}/b`).code, 200);
});

test('what only the server says of an object is taken from a question, too', () => {
  const asking = definitions().map((one) =>
    one.resource === 'configmaps' ? { ...one, answer: (object: KubeObject) => ({ code: 201, object }) } : one,
  );
  const { ask } = fixture({ definitions: asking });
  const wiped = { uid: 'u', deletionGracePeriodSeconds: 5, creationTimestamp: '2020-01-01T00:00:00Z' };
  const { metadata } = ask('POST', MAPS, { ...MAP, metadata: { name: 'a', ...wiped } }).json as unknown as KubeObject;
  assert.deepEqual(
    Object.keys(wiped).filter((key) => key in metadata),
    [],
  );
});

test('options that are no numbers are told of in the order of the fields, and name nothing to an authorizer', () => {
  const { ask } = fixture({ definitions: definitions() });
  assert.match(said(ask('GET', `${MAPS}?limit=y&timeoutSeconds=x`)).message ?? '', /parsing "x"/);
  const refused = fixture({
    definitions: definitions(),
    authorizer: {
      authorize: ({ resource }) => ({ decision: resource === 'namespaces' ? 'allow' : 'no-opinion', reason: '' }),
    },
  });
  const nameOf = (query: string) =>
    said(refused.ask('GET', `${MAPS}?fieldSelector=metadata.name%3Da${query}`)).details?.name;
  assert.equal(nameOf(''), 'a');
  assert.equal(nameOf('&limit=x'), undefined);
  assert.equal(nameOf('&timeoutSeconds=9223372036854775808'), undefined);
});

test('who asks storage for a version that is to come is not told to try again', () => {
  const { ask } = fixture({ definitions: definitions() });
  const again = (path: string) => ask('GET', `/api/v1/namespaces/default/${path}`).headers['Retry-After'];
  assert.equal(again('secrets?resourceVersion=99999999'), '1');
  assert.equal(again('secrets?resourceVersion=99999999&fieldSelector=metadata.name%3Da'), '1');
  assert.equal(again('secrets?resourceVersion=99999999&limit=1&fieldSelector=metadata.name%3Da'), undefined);
  assert.equal(again('events?resourceVersion=99999999'), undefined);
  assert.equal(again('events/a?resourceVersion=99999999'), undefined);
});

test('the newer group demands of an event what the older one takes as it comes', () => {
  const { ask } = fixture({ definitions: definitions() });
  const fields = (event: object): readonly string[] =>
    (
      said(
        ask('POST', EVENTS, {
          apiVersion: 'events.k8s.io/v1',
          kind: 'Event',
          metadata: { name: 'e' },
          regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
          ...event,
        }),
      ).details?.causes ?? []
    ).map(({ field }) => field);
  const eventTime = '2026-01-01T00:00:00.000001Z';
  const whole = { eventTime, type: 'Normal', reason: 'R', action: 'A', reportingController: 'a.io/b' };
  assert.deepEqual(fields({ type: 'x' }), ['eventTime', 'type']);
  assert.deepEqual(fields({ ...whole, deprecatedCount: 1, deprecatedSource: { host: 'h' }, series: { count: 1 } }), [
    'reportingInstance',
    'series.count',
    'series.lastObservedTime',
    'count',
    'source',
  ]);
  assert.deepEqual(fields({ ...whole, reportingController: '', reportingInstance: 'x'.repeat(129) }), [
    'reportingController',
    'reportingController',
    'reportingController',
    'reportingInstance',
  ]);
  assert.deepEqual(fields({ ...whole, reportingInstance: 'i' }), []);
  const old = ask('POST', '/api/v1/namespaces/default/events', {
    metadata: { name: 'o' },
    involvedObject: { namespace: 'default' },
    type: 'x',
  });
  assert.equal(old.code, 201);
});

test('a Secret for TLS whose parts are no pair is kept, and warned of', () => {
  const { ask } = fixture({ definitions: definitions() });
  const block = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;
  const warning = (crt: string, key: string) => {
    const data = { 'tls.crt': Buffer.from(crt).toString('base64'), 'tls.key': Buffer.from(key).toString('base64') };
    const body = { metadata: { name: 's' }, type: 'kubernetes.io/tls', data };
    const { code, headers } = ask('POST', '/api/v1/namespaces/default/secrets?dryRun=All', body);
    assert.equal(code, 201);
    return String(headers.Warning ?? '');
  };
  assert.match(warning('x', 'y'), /failed to find any PEM data in certificate input/);
  assert.match(warning(block('EC PRIVATE KEY'), 'y'), /did find a private key; PEM inputs may have been switched/);
  assert.match(warning(block('A') + block('B'), 'y'), /of the following types: \[A B\]/);
  assert.match(warning(block('CERTIFICATE'), 'y'), /failed to find any PEM data in key input/);
  assert.match(warning(block('CERTIFICATE'), block('CERTIFICATE')), /a certificate rather than a key/);
  assert.match(warning(block('CERTIFICATE'), block('EC PARAMETERS')), /types: \[EC PARAMETERS\]/);
  assert.equal(warning(block('CERTIFICATE'), block('PRIVATE KEY')), '');
});
