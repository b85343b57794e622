import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  kubeletsGuarded,
  machinesFindConfiguration,
  machinesReadNoCredential,
  readToldToMachines,
  type ToldToMachines,
} from './machine-configuration.js';

const read = (data?: Readonly<Record<string, string>>): ToldToMachines =>
  readToldToMachines(
    { subject: 'ConfigMap m', key: 'kubelet', kind: 'kubelet.config.k8s.io, KubeletConfiguration' },
    data === undefined ? undefined : { metadata: { name: 'm' }, data },
  );
const KUBELET = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';

describe('what joining machines are told', () => {
  const found = (data?: Readonly<Record<string, string>>): string =>
    machinesFindConfiguration.judge([read(data)], undefined).map(({ result, seen }) => `${result}: ${seen}`)[0] ?? '';

  it('is there, of its kind and of any version', () => {
    assert.match(found({ kubelet: KUBELET }), /^met/);
    assert.match(found({ kubelet: KUBELET.replace('v1beta1', 'v1') }), /^met/);
    assert.equal(found(), 'unmet: it is not there');
    assert.equal(found({ kubelet2: KUBELET }), 'unmet: it has no key kubelet');
    assert.equal(found({ kubelet: ': : :' }), 'unmet: it is no mapping in YAML');
    assert.equal(found({ kubelet: '{{ a }}' }), 'unmet: , ');
    assert.equal(
      found({ kubelet: 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: KubeletConfiguration' }),
      'unmet: kubeadm.k8s.io, KubeletConfiguration',
    );
  });

  it('stays', () => {
    const told = (metadata: object): readonly string[] => {
      const place = { subject: 'm', key: 'kubelet', kind: 'kubelet.config.k8s.io, KubeletConfiguration' };
      const map = { metadata, data: { kubelet: KUBELET } };
      return machinesFindConfiguration.judge([readToldToMachines(place, map)], undefined).map(({ seen }) => seen);
    };
    assert.deepEqual(told({})[1], 'it does');
    assert.deepEqual(told({ deletionTimestamp: '2026-01-01T00:00:00Z' })[1], 'it is being deleted');
    assert.equal(machinesFindConfiguration.judge([read()], undefined).length, 1);
  });

  it('shows no credential, and nobody is told which', () => {
    const shown = (text: string): string =>
      machinesReadNoCredential.judge([read({ kubelet: text })], undefined)[0]?.seen ?? '';
    for (const text of ['users: [{user: {token: abc}}]', '{"a": {"token": "abc"}}'])
      assert.equal(shown(text), 'data.kubelet: token');
    assert.equal(shown('client-key-data: QUJD\npassword: b'), 'data.kubelet: client-key-data; data.kubelet: password');
    assert.equal(shown('-----BEGIN RSA PRIVATE KEY-----\n'), 'data.kubelet: a private key');
    for (const text of [
      KUBELET,
      'tokenFile: /a',
      'token: ""',
      'token: <token>',
      'token: {{ t }}',
      'token: $TOKEN',
      '[',
    ])
      assert.equal(shown(text), 'it holds none');
    assert.deepEqual(machinesReadNoCredential.judge([read()], undefined), []);
  });

  it('lets nobody unknown into kubelets', () => {
    const lax = (more: string): readonly string[] =>
      kubeletsGuarded
        .judge(read({ kubelet: `${KUBELET}${more}` }), undefined)
        .filter(({ result }) => result === 'unmet')
        .map(({ demanded, seen }) => `${demanded}: ${seen}`);
    assert.deepEqual(lax(''), []);
    assert.deepEqual(lax('authentication: {anonymous: {enabled: false}}\nreadOnlyPort: 0\nstaticPodURL: ""\n'), []);
    assert.deepEqual(lax('authentication: {anonymous: {enabled: true}}\nauthorization: {mode: AlwaysAllow}\n'), [
      'authentication.anonymous.enabled is false: true',
      'authorization.mode is Webhook: AlwaysAllow',
    ]);
    assert.deepEqual(lax('readOnlyPort: 10255\nstaticPodURL: http://a\n'), [
      'readOnlyPort is 0: 10255',
      'staticPodURL is not set: http://a',
    ]);
    assert.deepEqual(kubeletsGuarded.judge(read(), undefined), []);
  });
});
