/** What is wrong with the spec of a Pod, in upstream's words. Source: pkg/apis/core/validation/validation.go ValidatePodSpec. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validatePodSpec } from './pod-spec-validation.js';
import { texts } from './testing.js';

const CONTAINER = { name: 'c', image: 'i', imagePullPolicy: 'Always' };
const SPEC = { containers: [CONTAINER], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' };
const faults = (change: object): readonly string[] => texts(validatePodSpec({ ...SPEC, ...change }, 'spec'));
const ofContainer = (change: object): readonly string[] => faults({ containers: [{ ...CONTAINER, ...change }] });

const quoted = (words: readonly string[]): string => words.map((word) => JSON.stringify(word)).join(', ');
const NO_LABEL = /: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric/;

describe('the spec of a Pod', () => {
  it('has containers with names of their own, images and a policy', () => {
    assert.deepEqual(faults({}), []);
    for (const containers of [undefined, []])
      assert.deepEqual(faults({ containers }), ['spec.containers: Required value']);
    assert.deepEqual(ofContainer({ name: '' }), ['spec.containers[0].name: Required value']);
    assert.deepEqual(ofContainer({ image: '' }), ['spec.containers[0].image: Required value']);
    assert.match(ofContainer({ name: 'A' }).join('\n'), NO_LABEL);
    assert.deepEqual(faults({ containers: [CONTAINER, CONTAINER] }), ['spec.containers[1].name: Duplicate value: "c"']);
    assert.deepEqual(faults({ initContainers: [{ ...CONTAINER, image: undefined }] }), [
      'spec.initContainers[0].name: Duplicate value: "c"',
      'spec.initContainers[0].image: Required value',
    ]);
    assert.deepEqual(faults({ initContainers: [{ ...CONTAINER, name: 'first' }] }), []);
  });

  it('has volumes of one type each, which its containers mount by their names', () => {
    const volumes = [{ name: 'v', emptyDir: {} }];
    const mounting = (volumeMounts: readonly object[], containers = 'containers'): readonly string[] =>
      faults({ volumes, [containers]: [{ ...CONTAINER, name: 'd', volumeMounts }] });
    for (const kind of ['containers', 'initContainers']) {
      const path = `spec.${kind}[0].volumeMounts[0]`;
      assert.deepEqual(mounting([{ name: 'v', mountPath: '/v' }], kind), []);
      assert.deepEqual(mounting([{ name: 'w', mountPath: '/v' }], kind), [`${path}.name: Not found: "w"`]);
      assert.deepEqual(mounting([{ name: 'v' }], kind), [`${path}.mountPath: Required value`]);
      assert.deepEqual(mounting([{ mountPath: '/v' }], kind), [
        `${path}.name: Required value`,
        `${path}.name: Not found: ""`,
      ]);
    }
    assert.deepEqual(faults({ volumes: [{ name: 'v' }] }), [
      'spec.volumes[0]: Required value: must specify a volume type',
    ]);
    assert.deepEqual(faults({ volumes: [{ name: 'v', emptyDir: {}, secret: {} }] }), [
      'spec.volumes[0].secret: Forbidden: may not specify more than 1 volume type',
    ]);
    assert.deepEqual(faults({ volumes: [{ emptyDir: {} }] }), ['spec.volumes[0].name: Required value']);
    assert.match(faults({ volumes: [{ name: 'A', emptyDir: {} }] }).join('\n'), NO_LABEL);
    assert.deepEqual(faults({ volumes: [...volumes, ...volumes] }), ['spec.volumes[1].name: Duplicate value: "v"']);
  });

  it('has policies of few words, none of them left out', () => {
    for (const [key, words] of [
      ['restartPolicy', ['Always', 'OnFailure', 'Never']],
      ['dnsPolicy', ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']],
    ] as const) {
      for (const word of words) assert.deepEqual(faults({ [key]: word }), [], word);
      assert.deepEqual(faults({ [key]: undefined }), [`spec.${key}: Required value`]);
      assert.deepEqual(faults({ [key]: 'x' }), [
        `spec.${key}: Unsupported value: "x": supported values: ${quoted(words)}`,
      ]);
    }
    const path = 'spec.containers[0].imagePullPolicy';
    const words = ['Always', 'IfNotPresent', 'Never'];
    for (const imagePullPolicy of words) assert.deepEqual(ofContainer({ imagePullPolicy }), []);
    assert.deepEqual(ofContainer({ imagePullPolicy: '' }), [`${path}: Required value`]);
    assert.deepEqual(ofContainer({ imagePullPolicy: 'x' }), [
      `${path}: Unsupported value: "x": supported values: ${quoted(words)}`,
    ]);
  });

  it('names others as they can be named', () => {
    for (const key of ['serviceAccountName', 'nodeName', 'priorityClassName', 'runtimeClassName']) {
      assert.deepEqual(faults({ [key]: 'a.b-c' }), []);
      assert.match(
        faults({ [key]: 'A_' }).join('\n'),
        new RegExp(`^spec.${key}: Invalid value: "A_": a lowercase RFC`),
      );
    }
  });
});
