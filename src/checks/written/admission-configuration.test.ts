import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filesOfPlugins, oddAdmission } from './admission-configuration.js';

const security = (configuration: object) => ({ plugins: [{ name: 'PodSecurity', configuration }] });
const odd = (configuration: object): string => oddAdmission(security(configuration)).join('; ');

describe('an AdmissionConfiguration', () => {
  it('tells PodSecurity what it reads', () => {
    for (const sound of [
      {},
      { kind: 'PodSecurityConfiguration', defaults: { enforce: 'baseline', 'enforce-version': 'latest' } },
      { defaults: { 'warn-version': 'v1.31' }, exemptions: { namespaces: ['kube-system'] } },
    ])
      assert.equal(odd(sound), '');
    assert.equal(odd({ kind: 'PodSecurityConfig' }), 'PodSecurity with a configuration of another kind');
    assert.equal(odd({ defaults: { 'audit-version': '1.31' } }), 'the version 1.31 of PodSecurity');
    assert.equal(odd({ exemption: {} }), 'PodSecurity: exemption is no field');
    assert.deepEqual(oddAdmission({ plugins: [{ name: 'a', config: {} }] }), ['plugins[0].config is no field']);
    const [both, nameless] = [{ name: 'b', path: '/b.yaml', configuration: { kind: 'B' } }, { path: '/c.yaml' }];
    assert.deepEqual(oddAdmission({ plugins: [{ name: 'a', path: '/a.yaml' }, both, nameless] }), [
      'b with a file and a configuration',
      'a plugin without a name',
    ]);
  });

  it('names files from where it lies itself', () => {
    const plugins = [
      { name: 'a', path: 'a.yaml' },
      { name: 'b', path: '/b.yaml' },
      { name: 'c', configuration: { kubeConfigFile: '/c.conf' } },
      { name: 'd', configuration: { imagePolicy: { kubeConfigFile: '/d.conf' } } },
      { name: 'e', configuration: { kubeConfigFile: 'e.conf' } },
    ];
    assert.deepEqual(filesOfPlugins({ plugins }, '/etc/kubernetes/admission.yaml'), [
      ...['/etc/kubernetes/a.yaml', '/b.yaml', '/c.conf', '/d.conf'],
    ]);
  });
});
