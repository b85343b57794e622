/** What becomes of workloads without a controller. Source: pkg/registry/{apps,batch,core}, pkg/apis/batch/v1/defaults.go. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Fields, record } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { changed, definitionOf, made } from '../testing.js';

const template = (labels?: object): object => ({
  metadata: labels === undefined ? {} : { labels },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});
const of = (kind: string, spec: object, metadata: object = {}): KubeObject => ({
  kind,
  metadata: { name: 'x', namespace: 'default', ...metadata },
  spec,
});
const withDefaults = (resource: string, group: string, object: KubeObject): KubeObject =>
  definitionOf(resource, group).strategy.default?.(object) ?? object;

describe('a Job', () => {
  const job = (spec: object, metadata: object = {}): KubeObject =>
    withDefaults('jobs', 'batch', of('Job', { template: template(), ...spec }, metadata));
  const own = (spec: object): Fields => record(job(spec).spec);

  it('runs one Pod to its end, six times at most', () => {
    const { template: _template, ...defaults } = own({});
    assert.deepEqual(defaults, {
      ...{ completions: 1, parallelism: 1, backoffLimit: 6, completionMode: 'NonIndexed', suspend: false },
      ...{ podReplacementPolicy: 'TerminatingOrFailed', manualSelector: false },
    });
    assert.deepEqual([own({ parallelism: 3 }).completions, own({ parallelism: 3 }).parallelism], [undefined, 3]);
    assert.deepEqual([own({ completions: 2 }).completions, own({ completions: 2 }).parallelism], [2, 1]);
    assert.deepEqual([own({ suspend: true }).suspend, own({ backoffLimit: 0 }).backoffLimit], [true, 0]);
  });

  it('has the labels of its Pods where it has none of its own', () => {
    const labelled = (metadata: object, labels?: object): unknown =>
      job({ template: template(labels) }, metadata).metadata.labels;
    assert.deepEqual(labelled({}, { a: 'b' }), { a: 'b' });
    assert.deepEqual(labelled({ labels: {} }, { a: 'b' }), { a: 'b' });
    assert.deepEqual(labelled({ labels: { c: 'd' } }, { a: 'b' }), { c: 'd' });
    assert.equal(labelled({}), undefined);
    assert.equal(own({ template: template({ a: 'b' }) }).selector, undefined);
  });

  it('selects its Pods by its own uid, unless somebody selects them by hand', () => {
    const { spec } = made(definitionOf('jobs', 'batch'), job({ template: template({ a: 'b' }) }, { uid: 'u' })).object;
    const uid = { 'batch.kubernetes.io/controller-uid': 'u' };
    assert.deepEqual(record(spec).selector, { matchLabels: uid });
    assert.deepEqual(record(record(record(spec).template).metadata).labels, {
      ...{ a: 'b', 'controller-uid': 'u', 'job-name': 'x', 'batch.kubernetes.io/job-name': 'x' },
      ...uid,
    });
    const selector = { matchLabels: { a: 'b' } };
    const manual = job({ manualSelector: true, selector, template: template({ a: 'b' }) }, { uid: 'u' });
    const kept = record(made(definitionOf('jobs', 'batch'), manual).object.spec);
    assert.deepEqual([kept.selector, record(record(kept.template).metadata).labels], [selector, { a: 'b' }]);
  });
});

describe('a ReplicationController', () => {
  const controller = (spec: object, metadata: object = {}): KubeObject =>
    withDefaults('replicationcontrollers', '', of('ReplicationController', spec, metadata));
  it('selects the labels of its template where it selects nothing, and has them where it has none', () => {
    const { metadata, spec } = controller({ template: template({ a: 'b' }) });
    assert.deepEqual([metadata.labels, record(spec).selector], [{ a: 'b' }, { a: 'b' }]);
    const other = controller({ template: template({ a: 'b' }), selector: { c: 'd' } }, { labels: { e: 'f' } });
    assert.deepEqual([other.metadata.labels, record(other.spec).selector], [{ e: 'f' }, { c: 'd' }]);
    const bare = controller({ template: template() });
    assert.deepEqual([bare.metadata.labels, record(bare.spec).selector], [undefined, undefined]);
  });
  it('is found by its replicas', () => {
    const { fieldSelectors } = definitionOf('replicationcontrollers');
    assert.equal(fieldSelectors['status.replicas']?.(controller({})), '0');
    assert.equal(fieldSelectors['status.replicas']?.({ ...controller({}), status: { replicas: 2 } }), '2');
  });
});

describe('workloads of apps', () => {
  it('keep their selectors', () => {
    for (const [resource, kind] of [
      ['deployments', 'Deployment'],
      ['replicasets', 'ReplicaSet'],
      ['statefulsets', 'StatefulSet'],
      ['daemonsets', 'DaemonSet'],
    ] as const) {
      const stored = { uid: 'u', resourceVersion: '5' };
      const selecting = (value: string): KubeObject =>
        of(kind, { selector: { matchLabels: { a: value } }, template: template({ a: 'b' }) }, stored);
      const { errors } = changed(definitionOf(resource, 'apps'), selecting('c'), selecting('b'));
      assert.deepEqual(errors, ['spec.selector: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable'], kind);
      assert.deepEqual(changed(definitionOf(resource, 'apps'), selecting('b'), selecting('b')).errors, []);
    }
  });

  it('are scaled, but for DaemonSets', () => {
    const scaled = (resource: string, group = 'apps'): boolean =>
      definitionOf(resource, group).subresources.some(({ name }) => name === 'scale');
    assert.deepEqual(
      ['deployments', 'replicasets', 'statefulsets', 'daemonsets'].map((resource) => scaled(resource)),
      [true, true, true, false],
    );
    assert.equal(scaled('replicationcontrollers', ''), true);
  });
});

it('a Job is found by what succeeded', () => {
  const { fieldSelectors } = definitionOf('jobs', 'batch');
  const succeeded = (status?: object) =>
    fieldSelectors['status.successful']?.({ metadata: {}, ...(status && { status }) });
  assert.deepEqual([succeeded(), succeeded({ succeeded: 3 })], ['0', '3']);
});
