/** What the bookmarks of a watch hold: an object of the kind in which nothing is set, as Go writes it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { definitions } from '../resources/index.js';
import { fixture, sink } from '../serving/fixture.js';

const { api } = fixture({ definitions: definitions() });

function bookmarkOf(path: string): Readonly<Record<string, unknown>> {
  const query = 'watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
  const request = { method: 'GET', url: `${path}?${query}`, headers: {}, certificates: [], body: Buffer.alloc(0) };
  const response = api.handle(request);
  assert.ok(response.kind === 'stream');
  const chunks: string[] = [];
  response.open(sink((chunk) => chunks.push(String(chunk))))();
  const events = chunks
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly type: string; readonly object: Readonly<Record<string, unknown>> });
  const {
    apiVersion: _version,
    kind: _kind,
    metadata: _metadata,
    ...rest
  } = events.find(({ type }) => type === 'BOOKMARK')?.object ?? assert.fail('no bookmark');
  return rest;
}

it('structs, numbers, texts, switches and times that are always written are there, and nothing else', () => {
  const template = { metadata: {}, spec: { containers: null } };
  const apps = '/apis/apps/v1';
  for (const [path, object] of [
    ['/api/v1/configmaps', {}],
    ['/api/v1/pods', { spec: { containers: null }, status: {} }],
    [`${apps}/deployments`, { spec: { selector: null, template, strategy: {} }, status: {} }],
    [`${apps}/controllerrevisions`, { revision: 0 }],
    ['/apis/storage.k8s.io/v1/storageclasses', { provisioner: '' }],
    [
      '/apis/storage.k8s.io/v1/volumeattachments',
      { spec: { attacher: '', source: {}, nodeName: '' }, status: { attached: false } },
    ],
    [
      '/api/v1/events',
      {
        ...{ involvedObject: {}, source: {}, firstTimestamp: null, lastTimestamp: null, eventTime: null },
        ...{ reportingComponent: '', reportingInstance: '' },
      },
    ],
  ] as const)
    assert.deepEqual(bookmarkOf(path), object, path);
});
