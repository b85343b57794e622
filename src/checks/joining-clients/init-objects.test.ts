import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConfigMap, KubeObject } from '../../kubernetes/objects.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import {
  documentAgrees,
  documentSays,
  hashHolds,
  readDocument,
  readHashed,
  readMarks,
  readObject,
  valueAt,
} from './init-objects.js';

const map = (
  data: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>> = {},
): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', annotations },
  data,
});
const TEXT = 'kind: A\nrotate: true\ndns:\n- 10.96.0.10\nhealth:\n  port: 10248\nempty: ""\n';

describe('a document that init has written', () => {
  it('is read by its fields', () => {
    const { subject, fields } = readDocument('ConfigMap a', map({ kubelet: TEXT }), 'kubelet');
    assert.equal(subject, 'ConfigMap a, kubelet');
    const values = ['kind', 'rotate', 'dns > 0', 'health > port', 'health', 'empty', 'dns > 1', 'none > there'];
    assert.deepEqual(
      values.map((path) => valueAt(fields, path)),
      ['A', 'true', '10.96.0.10', '10248', '{"port":10248}', '', '(absent)', '(absent)'],
    );
  });

  it('says one of the values that are right', () => {
    const document = readDocument('a', map({ kubelet: TEXT }), 'kubelet');
    const says = (field: string, ...values: readonly string[]) =>
      judged(documentSays, document, { wanted: [{ field, values }] }).map(({ result, seen }) => `${result} ${seen}`);
    assert.deepEqual(says('kind', 'A'), ['met A']);
    assert.deepEqual(says('kind', 'B', 'A'), ['met A']);
    assert.deepEqual(says('kind', 'AB'), ['unmet A']);
    assert.deepEqual(says('empty', ''), ['met (empty)']);
    assert.deepEqual(says('rotate', 'false'), ['unmet true']);
    assert.deepEqual(says('none', 'x'), ['unmet (absent)']);
  });

  it('says nothing where it is not there, or is no mapping', () => {
    for (const document of [
      readDocument('a', undefined, 'kubelet'),
      readDocument('a', map({}), 'kubelet'),
      readDocument('a', map({ kubelet: '- a' }), 'kubelet'),
      readObject('a', undefined),
      readMarks('a', undefined),
    ])
      assert.deepEqual(
        judged(documentSays, document, { wanted: [{ field: 'kind', values: ['(absent)'] }] }).map(({ seen }) => seen),
        ['it is not there'],
      );
  });

  it('agrees with what stands elsewhere', () => {
    const same = { subject: 'a', field: 'clusterDomain', value: 'a.b', other: 'the domain', otherValue: 'a.b' };
    assert.deepEqual(resultsOf(documentAgrees, [same, { ...same, otherValue: 'a.bc' }], undefined), ['met', 'unmet']);
    // what stands nowhere agrees with nothing
    const nowhere = ['(absent)', ''].map((value) => ({ ...same, value, otherValue: value }));
    assert.deepEqual(resultsOf(documentAgrees, nowhere, undefined), ['unmet', 'unmet']);
  });
});

describe('the marks of a Node', () => {
  it('are its labels, and the taints of its role', () => {
    const node: KubeObject = {
      metadata: { name: 'a', labels: { a: '' } },
      spec: {
        taints: [
          { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
          { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
          { key: 'node-role.kubernetes.io/a', effect: 'NoExecute' },
        ],
      },
    };
    assert.deepEqual(readMarks('a', node).fields, {
      labels: { a: '' },
      taints: ['node-role.kubernetes.io/a:NoExecute', 'node-role.kubernetes.io/control-plane:NoSchedule'],
    });
    assert.deepEqual(readMarks('a', { metadata: { name: 'a' } }).fields, { labels: {}, taints: [] });
  });
});

describe('the hash of a configuration', () => {
  const ANNOTATION = 'kubeadm.kubernetes.io/component-config.hash';
  it('is over all values in the order of their keys', () => {
    const told = 'sha256:fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603';
    const right = readHashed('a', map({ b: 'b', a: 'a' }, { [ANNOTATION]: told }));
    assert.equal(right.computed, told);
    const other = readHashed('a', map({ a: 'b', b: 'a' }, { [ANNOTATION]: told }));
    const none = readHashed('a', map({ a: 'a', b: 'b' }));
    assert.deepEqual(resultsOf(hashHolds, [right, other, none], undefined), ['met', 'unmet', 'unmet']);
    assert.equal(judged(hashHolds, [none], undefined)[0]?.seen, `there is none, and the hash is ${told}`);
  });
});
