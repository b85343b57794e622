import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../model/check.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import {
  type KubeletConfiguration,
  kubeletRotates,
  kubeletServingGate,
  readKubeletConfiguration,
} from './kubelet-configuration.js';

describe('the configuration of kubelets', () => {
  const read = (text: string) => readKubeletConfiguration('ConfigMap kube-system/kubelet-config', text);
  const look = (check: Check<KubeletConfiguration>, text: string): string =>
    resultsOf(check, read(text), undefined).join(' ');

  it('has client certificates renewed, or says otherwise', () => {
    assert.equal(look(kubeletRotates, 'rotateCertificates: true'), 'met');
    assert.equal(look(kubeletRotates, 'rotateCertificates: false'), 'unmet');
    assert.equal(look(kubeletRotates, 'kind: KubeletConfiguration'), 'unmet');
    assert.equal(look(kubeletRotates, 'rotateCertificates: "true"'), 'unmet');
    for (const text of ['a: [', 'text', '- 1']) assert.equal(look(kubeletRotates, text), 'unmet', text);
  });

  it('is told where it is none', () => {
    for (const check of [kubeletRotates, kubeletServingGate])
      for (const [text, seen] of [
        ['a: [', 'it is no YAML'],
        ['text', 'it is no mapping'],
        ['- 1', 'it is no mapping'],
        ['', 'it is no mapping'],
      ] as const)
        assert.deepEqual(
          judged(check, read(text), undefined).map((one) => [one.subject, one.demanded, one.result, one.seen]),
          [['ConfigMap kube-system/kubelet-config', 'its key "kubelet" is a configuration in YAML', 'unmet', seen]],
          text,
        );
    assert.equal(look(kubeletRotates, 'RotateCertificates: true'), 'unmet');
    assert.equal(look(kubeletServingGate, 'featureGates: {rotateKubeletServerCertificate: false}'), 'met');
  });

  it('leaves the feature of serving certificates on, whether it is used or not', () => {
    const gates = (text: string) => `featureGates: {${text}}`;
    for (const text of ['serverTLSBootstrap: true', 'kind: KubeletConfiguration', gates('AllBeta: true')])
      assert.equal(look(kubeletServingGate, text), 'met', text);
    for (const text of ['RotateKubeletServerCertificate: false', 'AllBeta: false'])
      assert.equal(look(kubeletServingGate, gates(text)), 'unmet', text);
    const itself = gates('AllBeta: false, RotateKubeletServerCertificate: true');
    assert.equal(look(kubeletServingGate, itself), 'met');
    assert.equal(look(kubeletServingGate, 'a: ['), 'unmet');
    assert.ok(judged(kubeletServingGate, read('a: 1'), undefined)[0]?.note);
    assert.equal(judged(kubeletServingGate, read('serverTLSBootstrap: true'), undefined)[0]?.note, undefined);
  });
});
