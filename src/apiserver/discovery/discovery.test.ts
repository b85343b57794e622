/** Which groups, versions and resources there are, as clients ask for them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MINORS } from '../../kubernetes/upstream-record.testing.js';
import { holdDiscovery } from '../recorded/discovery.testing.js';
import { definitions, inDiscoveryOrder } from '../resources/index.js';
import { fixture, type Loose } from '../serving/fixture.js';

/** Of these the reference has more. */
const ELSEWHERE = ['authentication.k8s.io', 'authorization.k8s.io', 'certificates.k8s.io'];
const of = (minor: number) => fixture({ minor, definitions: inDiscoveryOrder(definitions({}, minor), minor) });
const listOf = (list: Loose | undefined): readonly Loose[] => (list as unknown as readonly Loose[] | undefined) ?? [];
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

for (const minor of MINORS)
  it(`the resources of 1.${minor} are upstream's`, () => {
    const { ask } = of(minor);
    holdDiscovery(
      minor,
      (group) => !ELSEWHERE.includes(group),
      (url) => ask('GET', url).json,
    );
  });

describe('the aggregated form', () => {
  const { ask } = of(36);
  const get = (url: string): Loose => ask('GET', url, undefined, { accept: AGGREGATED }).json;
  const texts = (list: Loose | undefined): readonly string[] => list?.map(String) ?? [];
  const kindOf = (kind: Loose | undefined): readonly string[] =>
    ['group', 'version', 'kind'].map((key) => String(kind?.[key] ?? ''));
  it('says of each resource what its list says', () => {
    for (const root of ['/api', '/apis'])
      for (const { metadata, versions } of listOf(get(root).items))
        for (const { version, resources, freshness } of listOf(versions)) {
          const group = String(metadata?.name ?? '');
          const listed = ask('GET', group === '' ? `/api/${version}` : `/apis/${group}/${version}`).json.resources;
          const found = resources?.map((one) => [
            ...[one.resource, String(one.scope) === 'Namespaced', one.singularResource, texts(one.verbs)],
            ...[texts(one.shortNames), texts(one.categories), kindOf(one.responseKind)],
            one.subresources?.map(({ subresource, verbs, responseKind }) => [
              ...[`${one.resource}/${subresource}`, texts(verbs), kindOf(responseKind)],
            ]) ?? [],
          ]);
          const isPart = (name: unknown): boolean => String(name).includes('/');
          const all = listOf(listed);
          const wanted = all
            .filter(({ name }) => !isPart(name))
            .map((one) => [
              ...[one.name, one.namespaced, one.singularName, texts(one.verbs)],
              ...[texts(one.shortNames), texts(one.categories), ['', '', String(one.kind)]],
              all
                .filter(({ name }) => String(name).startsWith(`${one.name}/`))
                .map((part) => [part.name, texts(part.verbs), kindOf(part)]),
            ]);
          assert.deepEqual(found, wanted, `${group}/${version}`);
          assert.equal(freshness, 'Current');
        }
  });
  it('has a tag, by which it is not sent twice', () => {
    const headers = { accept: AGGREGATED };
    const first = ask('GET', '/apis', undefined, headers);
    assert.match(String(first.headers.ETag), /^"[0-9A-F]{128}"$/);
    assert.deepEqual(
      [first.headers.Vary, first.headers['Cache-Control'], first.headers['Content-Type']],
      ['Accept', 'public', AGGREGATED],
    );
    const again = ask('GET', '/apis', undefined, { ...headers, 'if-none-match': String(first.headers.ETag) });
    assert.deepEqual([again.code, again.text, again.headers.ETag], [304, '', first.headers.ETag]);
    assert.equal(ask('GET', '/apis', undefined, { ...headers, 'if-none-match': '"x"' }).code, 200);
  });
});

describe('paths', () => {
  const { ask } = of(36);
  const kindOf = (url: string): string => String(ask('GET', url).json.kind ?? ask('GET', url).code);
  it('lead to groups, versions and resources', () => {
    assert.deepEqual(['/api', '/apis', '/apis/', '/apis/apps', '/api/v1', '/apis/apps/v1'].map(kindOf), [
      'APIVersions',
      'APIGroupList',
      'APIGroupList',
      'APIGroup',
      'APIResourceList',
      'APIResourceList',
    ]);
    assert.deepEqual(
      ['/apis/none', '/apis/none/v1', '/apis/apps/v9', '/api/v9', '/apis/apps/v1/x/y/z/w'].map(
        (url) => ask('GET', url).code,
      ),
      [404, 404, 404, 404, 404],
    );
    assert.equal(ask('POST', '/api/v1', {}).code, 405);
    assert.equal(ask('POST', '/apis/apps/v1', {}).code, 405);
  });
  it('say which version of a group is preferred: the stable one, the newest', () => {
    const { groups } = ask('GET', '/apis').json;
    for (const group of listOf(groups)) {
      const versions = group.versions?.map(({ version }) => String(version)) ?? [];
      assert.deepEqual(ask('GET', `/apis/${group.name}`).json, { kind: 'APIGroup', apiVersion: 'v1', ...group });
      assert.equal(group.preferredVersion?.version, versions[0] as unknown);
    }
    const autoscaling = ask('GET', '/apis/autoscaling').json.versions?.map(({ version }) => String(version));
    assert.deepEqual(autoscaling, ['v2', 'v1']);
  });
});
