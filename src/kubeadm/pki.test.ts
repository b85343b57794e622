import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { type Configuration, configure } from './configuration.js';
import { controlPlaneFiles, createPki, issueCertificate, issueKubeconfig, pkiFiles, readPki } from './pki.js';
import { parseRelease } from './release.js';

const now = Date.now();
const told = (more: Partial<Configuration> = {}): Configuration =>
  configure({ release: parseRelease('1.36.1'), nodeName: 'CP-1', advertiseAddress: '192.0.2.10', ...more });
const pki = await createPki(() => 'ECDSA-P256', now);
const key = 'ECDSA-P256';

describe('keys and certificates', () => {
  it('come back from their files, and fit one another', () => {
    assert.equal(readPki(pkiFiles(pki))?.ca.certificate.pem, pki.ca.certificate.pem);
    const files = pkiFiles(pki);
    const again = readPki(files);
    assert.deepEqual(again && pkiFiles(again), files);
    for (const name of Object.keys(files).filter((one) => one !== 'sa.pub')) {
      const { [name]: _left, ...rest } = files;
      assert.equal(readPki(rest), undefined, `without ${name}`);
      // Which key signs tokens nobody else says.
      const other = files[name === 'etcd/ca.key' ? 'ca.key' : name.endsWith('.crt') ? 'sa.pub' : 'etcd/ca.key'] ?? '';
      assert.equal(readPki({ ...files, [name]: other }) === undefined, name !== 'sa.key', `another ${name}`);
    }
  });
  it('carry the names of the machine, the service, the endpoint, and those that are asked for', () => {
    const configuration = told({ controlPlaneEndpoint: 'api.example.test:6443', certSANs: ['10.0.0.1'] });
    const { certificatePem } = issueCertificate(pki, 'apiserver', { configuration, key, now });
    assert.equal(
      new X509Certificate(certificatePem).subjectAltName,
      [
        'DNS:api.example.test, DNS:cp-1, DNS:kubernetes, DNS:kubernetes.default, DNS:kubernetes.default.svc',
        'DNS:kubernetes.default.svc.cluster.local, IP Address:10.96.0.1, IP Address:192.0.2.10, IP Address:10.0.0.1',
      ].join(', '),
    );
  });
  for (const [version, subject] of [
    ['1.28', 'O=system:masters\nCN=kube-apiserver-kubelet-client'],
    ['1.36.0', 'O=kubeadm:cluster-admins\nCN=kube-apiserver-kubelet-client'],
    ['1.35.5', 'CN=kube-apiserver-kubelet-client'],
    ['1.36.1', 'CN=kube-apiserver-kubelet-client'],
  ] as const)
    it(`name the groups of ${version}`, () => {
      const configuration = told({ release: parseRelease(version) });
      const { certificatePem } = issueCertificate(pki, 'apiserver-kubelet-client', { configuration, key, now });
      assert.equal(new X509Certificate(certificatePem).subject, subject);
    });
  it('live as long as they are told', () => {
    const configuration = told({ certificateHours: 2 });
    const { certificatePem } = issueCertificate(pki, 'etcd/server', { configuration, key, now });
    const { validFrom, validTo } = new X509Certificate(certificatePem);
    assert.equal(Date.parse(validTo) - Date.parse(validFrom), 2 * 3_600_000 + 300_000);
  });
});

describe('the files of a control plane', () => {
  it('are those that kubeadm writes', async () => {
    const names = async (version: string): Promise<readonly string[]> =>
      Object.keys(await controlPlaneFiles(told({ release: parseRelease(version), keyAlgorithm: key }), now));
    const newest = await names('1.36.1');
    assert.equal(newest.length, 8 + 2 * 7 + 5);
    assert.ok(newest.includes('super-admin.conf'));
    assert.ok(!(await names('1.28')).includes('super-admin.conf'));
  });
  it('dial the shared endpoint where people use them, the own server where components do', () => {
    const serverIn = (file: 'admin' | 'kubelet' | 'scheduler', version: string): string | undefined => {
      const configuration = told({ controlPlaneEndpoint: 'api.example.test:443', release: parseRelease(version) });
      return /server: (.*)/.exec(issueKubeconfig(pki, file, { configuration, key, now }).text)?.[1];
    };
    assert.equal(serverIn('admin', '1.36'), 'https://api.example.test:443');
    assert.equal(serverIn('scheduler', '1.31'), 'https://192.0.2.10:6443');
    assert.equal(serverIn('kubelet', '1.31'), 'https://api.example.test:443');
    assert.equal(serverIn('kubelet', '1.33'), 'https://192.0.2.10:6443');
  });
  it('are named as kubeadm names users, clusters and contexts', () => {
    const { text } = issueKubeconfig(pki, 'admin', { configuration: told({ clusterName: 'blue' }), key, now });
    assert.match(text, /\n {2}name: blue\ncontexts:\n- context:\n {4}cluster: blue\n {4}user: kubernetes-admin\n/);
    assert.match(text, /\ncurrent-context: kubernetes-admin@blue\nkind: Config\nusers:\n- name: kubernetes-admin\n/);
  });
});
