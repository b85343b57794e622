import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { twinsOf } from '../common/twins.testing.js';
import { kubeletsOfCluster, kubeletsStart, readKubeletTold, readServices, type ServicesSeen } from './kubelet-told.js';

const SOUND = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
`;
const CLUSTER = 'kind: ClusterConfiguration\nnetworking: {dnsDomain: cluster.local, serviceSubnet: 10.96.0.0/12}\n';
const SERVICES: ServicesSeen = { dns: true, addresses: ['10.96.0.10'] };
const map = (key: string, value: string) => ({ metadata: { name: 'x' }, data: { [key]: value } });

const told = (kubelet: string, services = SERVICES, cluster = CLUSTER, minor = 36) =>
  readKubeletTold(
    'ConfigMap a/b',
    { kubelets: map('kubelet', kubelet), cluster: map('ClusterConfiguration', cluster), minor },
    services,
  );
const start = (kubelet: string): string => {
  const [found] = kubeletsStart.judge(told(kubelet), undefined);
  return `${found?.result}: ${found?.seen}`;
};
const ofCluster = (kubelet: string, services = SERVICES, cluster = CLUSTER): string => {
  const [found] = kubeletsOfCluster.judge(told(`${SOUND}${kubelet}`, services, cluster), undefined);
  return `${found?.result}: ${found?.seen}`;
};

describe('what kubelets are told that join', () => {
  it('starts them', () => {
    assert.equal(start(SOUND), 'met: it does');
    assert.equal(start(`${SOUND}cgroupDriver: systemd\nregisterNode: true\nmaxPods: 110\n`), 'met: it does');
    assert.match(start(SOUND.replace('v1beta1', 'v1')), /^unmet: apiVersion kubelet.config.k8s.io\/v1/);
    for (const twin of twinsOf('kubelet.config.k8s.io/v1beta1'))
      assert.match(start(SOUND.replace(/apiVersion: .*/, `apiVersion: "${twin}"`)), /^unmet: apiVersion/, twin);
    for (const twin of twinsOf('systemd').filter((driver) => driver !== ''))
      assert.match(start(`${SOUND}cgroupDriver: "${twin}"\n`), /^unmet: cgroupDriver/, twin);
    assert.equal(start(`${SOUND}cgroupDriver: cgroupfs\n`), 'met: it does');
    assert.match(start(`${SOUND}cgroupDriver: cgroup\n`), /^unmet: cgroupDriver/);
    assert.match(start(`${SOUND}rotateCertificate: true\n`), /^unmet: .*rotateCertificate/);
    assert.match(start(`${SOUND}rotateCertificates: "true"\n`), /^unmet: .*rotateCertificates/);
    assert.match(start(`${SOUND}healthzPort: 70000\n`), /^unmet: .*healthzPort/);
    assert.match(start(`${SOUND}registerNode: false\n`), /^unmet: registerNode/);
    assert.match(start(`${SOUND}authentication: {webhook: {enabled: false}}\n`), /^unmet: authentication.webhook/);
    assert.match(start(`${SOUND}featureGates: {NoSuchGate: true}\n`), /^unmet: the feature gate NoSuchGate/);
    assert.equal(start(`${SOUND}featureGates: {AllBeta: false}\n`), 'met: it does');
    assert.match(start(`${SOUND}cpuManagerPolicy: static\n`), /^unmet: cpuManagerPolicy static, and no CPU reserved/);
    assert.equal(start(`${SOUND}cpuManagerPolicy: static\nkubeReserved: {cpu: 500m}\n`), 'met: it does');
    assert.match(start(`${SOUND}evictionSoft: {memory.available: 1Gi}\n`), /^unmet: evictionSoft memory.available/);
    const pair = (cert: string, key: string): string =>
      start(`${SOUND}tlsCertFile: ${cert}\ntlsPrivateKeyFile: ${key}\n`);
    const pki = '/etc/kubernetes/pki';
    assert.match(pair(`${pki}/apiserver.crt`, '/a.key'), /^unmet: .*apiserver.crt, which control planes alone have/);
    assert.match(pair('/a.crt', `${pki}/etcd/server.key`), /^unmet: .*server.key, which control planes alone have/);
    assert.equal(pair(`${pki}/kubelet.crt`, `${pki}/kubelet.key`), 'met: it does');
    assert.equal(pair('/var/lib/kubelet/pki/apiserver.crt', '/a.key'), 'met: it does');
    for (const address of ['127.0.0.1', '127.9.9.9', '::1'])
      assert.match(start(`${SOUND}address: "${address}"\n`), /^unmet: .*where no API server reaches it/, address);
    for (const address of ['0.0.0.0', '10.127.0.1', '1.2.127.0', '::11', 'fd00::1', '1270:1::'])
      assert.equal(start(`${SOUND}address: "${address}"\n`), 'met: it does', address);
    // fields of older minors are not listed
    assert.deepEqual(told(`${SOUND}cpuManagerPolicy: static\n`, SERVICES, CLUSTER, 28).odd, []);
    assert.deepEqual(told(`${SOUND}rotateCertificate: true\n`, SERVICES, CLUSTER, 28).odd, []);
    assert.deepEqual(kubeletsStart.judge(told('- 1'), undefined), []);
    assert.deepEqual(kubeletsOfCluster.judge(told('- 1'), undefined), []);
  });

  it('is read of the Services that there are', () => {
    const service = (name: string, namespace: string, spec: object = {}) => ({ metadata: { name, namespace }, spec });
    assert.deepEqual(readServices([service('kube-dns', 'kube-system', { clusterIP: 'a', clusterIPs: ['b', 'c'] })]), {
      dns: true,
      addresses: ['a', 'b', 'c'],
    });
    for (const name of twinsOf('kube-dns')) assert.equal(readServices([service(name, 'kube-system')]).dns, false, name);
    for (const namespace of twinsOf('kube-system'))
      assert.equal(readServices([service('kube-dns', namespace)]).dns, false, namespace);
    assert.equal(readServices([service('a', 'b'), service('kube-dns', 'kube-system')]).dns, true);
  });

  it('is told with the first of what is odd', () => {
    const many =
      'maxPods: -1\nhealthzPort: -1\nregistryPullQPS: -1\neventBurst: -1\nkubeAPIBurst: -1\npodsPerCore: -1\n';
    const seen = kubeletsStart.judge(told(`${SOUND}${many}`), undefined)[0]?.seen ?? '';
    assert.ok(seen.length <= 240 && seen.split('; ').length <= 5, seen);
    assert.match(start('kind: KubeletConfiguration\n'), /^unmet: apiVersion is not set/);
    assert.deepEqual(readKubeletTold('a', { kubelets: undefined, cluster: undefined, minor: 36 }, SERVICES), {
      subject: 'a',
      there: false,
      odd: [],
      apart: [],
    });
  });

  it('names an address of its services, in whichever of two ranges', () => {
    const two = 'kind: ClusterConfiguration\nnetworking: {serviceSubnet: "10.96.0.0/12, fd00::/108"}\n';
    const none = 'kind: ClusterConfiguration\nnetworking: {}\n';
    const services = { dns: true, addresses: ['10.96.0.10', 'fd00::a'] };
    assert.match(ofCluster('clusterDNS: ["fd00::b"]\n', services, two), /^unmet: clusterDNS fd00::b/);
    assert.match(
      ofCluster('clusterDNS: [10.96.0.11, "fd00::b"]\n', services, two),
      /^unmet: clusterDNS 10.96.0.11, fd00::b/,
    );
    assert.equal(ofCluster('clusterDNS: [10.96.0.11, 192.0.2.1]\n', services, two), 'met: it is');
    assert.match(ofCluster('clusterDNS: [10.96.0.11]\n', services, none), /^unmet: clusterDNS/);
    for (const domain of ['Cluster.local', 'cluster.local.x', 'cluster.loca', '" cluster.local"'])
      assert.match(ofCluster(`clusterDomain: ${domain}\n`), /^unmet: clusterDomain/, domain);
    assert.equal(ofCluster('clusterDomain: a\n', SERVICES, none), 'met: it is');
  });

  it('is of their cluster', () => {
    const whole =
      'clusterDomain: cluster.local.\nclusterDNS: [10.96.0.10]\nstaticPodPath: /etc/kubernetes/manifests\n' +
      'authentication: {x509: {clientCAFile: /etc/kubernetes/pki/ca.crt}}\n';
    assert.equal(ofCluster(''), 'met: it is');
    assert.equal(ofCluster(whole), 'met: it is');
    assert.equal(ofCluster('clusterDomain: cluster.lan\n'), 'unmet: clusterDomain cluster.lan, not cluster.local');
    assert.match(ofCluster('staticPodPath: /tmp\n'), /^unmet: staticPodPath/);
    assert.match(ofCluster('authentication: {x509: {clientCAFile: /a.pem}}\n'), /^unmet: clientCAFile/);
    for (const x509 of ['{}', '{clientCAFile: ""}'])
      assert.equal(
        ofCluster(`authentication: {x509: ${x509}}\n`),
        'unmet: no clientCAFile, by which the API server comes in',
      );
    assert.equal(ofCluster('authentication: {anonymous: {enabled: false}}\n'), 'met: it is');
    assert.equal(ofCluster(whole, SERVICES, `${CLUSTER}certificatesDir: /etc/kubernetes/pki\n`), 'met: it is');
    assert.match(ofCluster(whole, SERVICES, `${CLUSTER}certificatesDir: /srv/pki\n`), /^unmet: clientCAFile/);
    assert.equal(ofCluster('clusterDomain: a\n', SERVICES, '- 1'), 'met: it is');
  });

  it('names the DNS of their cluster, or one beyond it', () => {
    assert.equal(ofCluster('clusterDNS: [10.96.0.11]\n'), 'unmet: clusterDNS 10.96.0.11, which no Service has');
    assert.equal(ofCluster('clusterDNS: [10.96.0.11, 10.96.0.10]\n'), 'met: it is');
    assert.equal(ofCluster('clusterDNS: [169.254.20.10]\n'), 'met: it is');
    assert.equal(ofCluster('clusterDNS: [10.96.0.11]\n', { dns: false, addresses: [] }), 'met: it is');
    const alone = { dns: true, addresses: ['10.96.0.10'], alone: true };
    for (const sound of ['10.96.0.10', '169.254.20.10', '127.0.0.53'])
      assert.equal(ofCluster(`clusterDNS: [${sound}]\n`, alone), 'met: it is', sound);
    assert.equal(ofCluster('clusterDNS: [10.10.0.10]\n'), 'met: it is');
    assert.equal(ofCluster('clusterDNS: [10.10.0.10]\n', alone), 'unmet: clusterDNS 10.10.0.10, which no Service has');
    const own = readServices([
      {
        metadata: { name: 'kube-dns', namespace: 'kube-system' },
        spec: { clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9'] },
      },
      { metadata: { name: 'dns', namespace: 'own' }, spec: { clusterIP: '10.96.0.11' } },
    ]);
    assert.equal(ofCluster('clusterDNS: [10.96.0.11]\n', own), 'met: it is');
    assert.equal(ofCluster('clusterDNS: [10.96.0.10]\n', own), 'unmet: clusterDNS 10.96.0.10, which no Service has');
  });
});
