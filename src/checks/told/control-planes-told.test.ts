import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentenceOf } from '../../model/finding.js';
import { createCertificate } from '../../pki/certificate.js';
import { generateKey } from '../../pki/keys.js';
import { controlPlanesOfCluster, readControlPlanesTold, type Seen } from './control-planes-told.js';

const key = generateKey('ECDSA-P256');
const leaf = createCertificate({
  subject: { commonName: 'kube-apiserver' },
  publicKey: key,
  signingKey: key,
  notBefore: Date.now() - 1000,
  notAfter: Date.now() + 86_400_000,
  altNames: { dns: ['api.example.com', 'kubernetes'], ip: ['192.0.2.2'] },
}).pem;
const SEEN: Seen = {
  api: { metadata: { name: 'kubernetes' }, spec: { clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1'] } },
  published: 'https://192.0.2.2:6443',
  leaf,
  images: ['registry.k8s.io/kube-apiserver:v1.36.0', 'registry.k8s.io/etcd:3.6.0'],
  ranges: { pods: ['10.244.0.0/16'], services: [] },
};
const BASE = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n';
const said = (yaml: string, seen: Partial<Seen> = {}): readonly string[] =>
  controlPlanesOfCluster
    .judge(
      readControlPlanesTold(
        'a',
        { metadata: { name: 'kubeadm-config' }, data: { ClusterConfiguration: yaml } },
        { ...SEEN, ...seen },
      ),
      undefined,
    )
    .map(({ result, seen: told }) => `${result}: ${told}`);
const SOUND = ['met: it does', 'met: it does', 'met: it does'];

describe('what control planes are told that join', () => {
  it('is what kubeadm knows', () => {
    assert.deepEqual(said(BASE), SOUND);
    assert.deepEqual(
      said(
        `${BASE}proxy: {}\nencryptionAlgorithm: RSA-3072\nfeatureGates: {EtcdLearnerMode: true, IPv6DualStack: true}\n`,
      ),
      SOUND,
    );
    assert.deepEqual(
      said(`${BASE}apiServerExtraArgs: {}\nencryptionAlgorithm: RSA-1024\nfeatureGates: {Own: true}\n`)[0],
      'unmet: the field apiServerExtraArgs; the feature gate Own; encryptionAlgorithm RSA-1024',
    );
    const older = BASE.replace('v1beta4', 'v1beta3');
    assert.match(said(`${older}encryptionAlgorithm: RSA-2048\n`)[0] ?? '', /the field encryptionAlgorithm/);
    // of a version that nobody has seen
    assert.deepEqual(said(`${BASE.replace('v1beta4', 'v1')}something: new\n`), SOUND);
    assert.deepEqual(said('- a'), []);
  });

  it('has every field, gate and algorithm of kubeadm, and no other', () => {
    const all =
      'etcd: {}\nnetworking: {}\nkubernetesVersion: v1.36.0\ncontrolPlaneEndpoint: ""\napiServer: {}\n' +
      'controllerManager: {}\nscheduler: {}\ndns: {}\ncertificatesDir: a\nimageRepository: ""\nfeatureGates: {}\n' +
      'clusterName: a\n';
    const since4 =
      'proxy: {}\ncertificateValidityPeriod: 8760h\ncaCertificateValidityPeriod: 87600h\nencryptionAlgorithm: ""\n';
    assert.deepEqual(said(BASE + all + since4), SOUND);
    const older = BASE.replace('v1beta4', 'v1beta3');
    assert.deepEqual(said(older + all), SOUND);
    assert.equal(
      said(older + since4)[0],
      'unmet: the field proxy; the field certificateValidityPeriod; the field caCertificateValidityPeriod; ' +
        'the field encryptionAlgorithm',
    );
    for (const gate of [
      'ControlPlaneKubeletLocalMode',
      'EtcdLearnerMode',
      'IPv6DualStack',
      'NodeLocalCRISocket',
      'PublicKeysECDSA',
      'RootlessControlPlane',
      'UnversionedKubeletConfigMap',
      'UpgradeAddonsBeforeControlPlane',
      'WaitForAllControlPlaneComponents',
    ]) {
      assert.deepEqual(said(`${BASE}featureGates: {${gate}: true}\n`), SOUND, gate);
      const lower = gate.toLowerCase();
      assert.equal(said(`${BASE}featureGates: {${lower}: true}\n`)[0], `unmet: the feature gate ${lower}`);
    }
    for (const algorithm of ['ECDSA-P256', 'ECDSA-P384', 'RSA-2048', 'RSA-3072', 'RSA-4096'])
      assert.deepEqual(said(`${BASE}encryptionAlgorithm: ${algorithm}\n`), SOUND, algorithm);
    for (const algorithm of ['RSA', 'rsa-2048', 'ECDSA-P521', 'RSA-20480'])
      assert.equal(said(`${BASE}encryptionAlgorithm: ${algorithm}\n`)[0], `unmet: encryptionAlgorithm ${algorithm}`);
  });

  it('has durations that Go reads', () => {
    for (const field of ['certificateValidityPeriod', 'caCertificateValidityPeriod']) {
      for (const value of ['soon', '""', '10', '365d', '8760 h', '{}', '+0', '1h'.repeat(33)])
        assert.equal(said(`${BASE}${field}: ${value}\n`)[0], `unmet: ${field}, which is no duration`, value);
      for (const value of ['null', '8760.h', '+9000h', '9000h0.5m'])
        assert.deepEqual(said(`${BASE}${field}: ${value}\n`), SOUND, value);
      for (const value of ['-9000h', '"0"', '0s', '+1h'])
        assert.match(said(`${BASE}${field}: ${value}\n`)[2] ?? '', /^unmet: c/, value);
    }
    // a form of that length is still read
    assert.match(said(`${BASE}certificateValidityPeriod: ${'1s'.repeat(32)}\n`)[2] ?? '', /^unmet: certificateVal/);
  });

  it('is told of each demand, up to five things in so many letters', () => {
    const found = (yaml: string, more: object = {}) => {
      const told = readControlPlanesTold(
        'a',
        { metadata: { name: 'kubeadm-config' }, data: { ClusterConfiguration: BASE + yaml } },
        SEEN,
      );
      return controlPlanesOfCluster.judge({ ...told, ...more }, undefined).map(sentenceOf);
    };
    const [knows, names] = ['a: says what kubeadm knows', 'a: names the API server and the Services of this cluster'];
    const lasts = 'a: makes what lasts, and keeps etcd to those who have a certificate; seen: it does';
    assert.deepEqual(found(''), [`${knows}; seen: it does`, `${names}; seen: it does`, lasts]);
    assert.equal(
      found('f1: a\nf2: a\nf3: a\nf4: a\nf5: a\nf6: a\n')[0],
      `${knows}; seen: ${[1, 2, 3, 4, 5].map((at) => `the field f${at}`).join('; ')}`,
    );
    assert.equal(found(`${'f'.repeat(300)}: a\n`)[0], `${knows}; seen: the field ${'f'.repeat(230)}`);
    // what a report kept before that was looked at
    const { frail: _, ...before } = readControlPlanesTold('a', { metadata: { name: 'b' } }, SEEN);
    assert.deepEqual(controlPlanesOfCluster.judge({ ...before, there: true }, undefined).length, 2);
    assert.deepEqual(readControlPlanesTold('a', undefined, SEEN), { subject: 'a', there: false, odd: [], apart: [] });
    assert.deepEqual(controlPlanesOfCluster.judge({ ...before, odd: ['a'] }, undefined), []);
  });

  it('makes what lasts for as long as its bounds', () => {
    const frail = (yaml: string): string | undefined => said(BASE + yaml)[2];
    const years = (count: number, more = 0): string => `${count * 8760 + more}h`;
    const [leafs, authorities] = ['certificateValidityPeriod', 'caCertificateValidityPeriod'];
    for (const [own, ca, told] of [
      [years(10), years(10), ''],
      ['24h', '720h', ''],
      [years(1), years(50), ''],
      [years(10, 1), years(20), `${leafs} ${years(10, 1)}`],
      ['23h', years(10), `${leafs} 23h`],
      [years(1), years(50, 1), `${authorities} ${years(50, 1)}`],
      ['24h', '719h', `${authorities} 719h`],
      ['721h', '720h', 'certificates that outlive their authority'],
    ] as const)
      assert.equal(
        frail(`${leafs}: ${own}\n${authorities}: ${ca}\n`),
        told === '' ? SOUND[2] : `unmet: ${told}`,
        `${own} ${ca}`,
      );
  });

  it('makes what lasts, and reaches etcd by TLS', () => {
    const frail = (yaml: string): string | undefined => said(BASE + yaml)[2];
    for (const sound of [
      'certificateValidityPeriod: 24h0m0s\ncaCertificateValidityPeriod: 720h\n',
      'certificateValidityPeriod: 8760h0m0s\n',
      'caCertificateValidityPeriod: soon\n',
      'etcd: {external: {endpoints: ["https://192.0.2.7:2379", "http://127.0.0.1:2379"], certFile: /a, keyFile: /b}}\n',
    ])
      assert.equal(frail(sound), SOUND[2], sound);
    for (const [yaml, seen] of [
      [
        'caCertificateValidityPeriod: 1h30m\n',
        'caCertificateValidityPeriod 1h30m; certificates that outlive their authority',
      ],
      ['certificateValidityPeriod: 0s\n', 'certificateValidityPeriod 0s'],
      [
        'certificateValidityPeriod: 876000h\n',
        'certificateValidityPeriod 876000h; certificates that outlive their authority',
      ],
      [
        'etcd: {external: {endpoints: ["http://192.0.2.7:2379"]}}\n',
        'etcd at http://192.0.2.7:2379, which anybody reads and writes who gets there',
      ],
    ] as const)
      assert.equal(frail(yaml), `unmet: ${seen}`);
    assert.equal(
      said(`${BASE}imageRepository: http://mirror.example.com\n`)[0],
      'unmet: imageRepository, which is a URL and no registry',
    );
    assert.equal(said(`${BASE}imageRepository: mirror.example.com:5000/k8s\n`)[0], SOUND[0]);
    for (const endpoint of ['https://lb.example.com:6443', 'lb.example.com/k8s', 'a@lb.example.com'])
      assert.equal(
        said(`${BASE}controlPlaneEndpoint: ${endpoint}\n`)[0],
        `unmet: controlPlaneEndpoint ${endpoint}, which is no host and port`,
      );
    for (const endpoint of ['lb.example.com', 'lb.example.com:6443', '"[fd00::1]:6443"', '192.0.2.1:6443', '""'])
      assert.equal(said(`${BASE}controlPlaneEndpoint: ${endpoint}\n`)[0], SOUND[0], endpoint);
    for (const scheme of ['HTTPS', 'docker', 'oci', 'containerstorage'])
      assert.match(
        said(`${BASE}imageRepository: ${scheme}://mirror.example.com\n`)[0] ?? '',
        /^unmet: imageRepository/,
      );
  });

  it('names its API server', () => {
    const endpoint = (name: string, seen: Partial<Seen> = {}): string | undefined =>
      said(`${BASE}controlPlaneEndpoint: "${name}"\n`, seen)[1];
    const apart = (name: string): string =>
      `unmet: controlPlaneEndpoint ${name}, for which the certificate of the API server is not`;
    assert.equal(endpoint('192.0.2.2:6443'), SOUND[1]);
    assert.equal(endpoint('api.example.com'), SOUND[1]);
    assert.equal(endpoint('api.other.example:6443'), apart('api.other.example:6443'));
    assert.equal(endpoint('192.0.2.9:6443'), apart('192.0.2.9:6443'));
    assert.equal(endpoint('api.other.example', { leaf: null }), SOUND[1]);
    assert.equal(endpoint('api.other.example', { published: '' }), SOUND[1]);
    assert.equal(endpoint(''), SOUND[1]);
    assert.equal(endpoint(':6443'), SOUND[1]);
    assert.equal(endpoint('API.Example.com'), SOUND[1]);
    // what presents it stands before the API server
    assert.equal(endpoint('api.other.example', { published: 'https://10.0.0.1:6443' }), SOUND[1]);
  });

  it('holds its Services', () => {
    const subnet = (given: string, seen: Partial<Seen> = {}): string | undefined =>
      said(`${BASE}networking: {serviceSubnet: "${given}"}\n`, seen)[1];
    assert.equal(subnet('10.96.0.0/12'), SOUND[1]);
    assert.equal(subnet('fd00::/108, 10.96.0.0/16'), SOUND[1]);
    assert.equal(
      subnet('172.30.0.0/16'),
      'unmet: networking.serviceSubnet 172.30.0.0/16, beyond which the Service kubernetes has 10.96.0.1',
    );
    assert.equal(subnet('172.30.0.0/16', { api: undefined }), SOUND[1]);
    assert.equal(subnet(''), SOUND[1]);
    const api = (clusterIP: string, ...clusterIPs: string[]) => ({
      api: { metadata: { name: 'kubernetes' }, spec: { clusterIP, clusterIPs } },
    });
    // of two families one is enough
    assert.equal(subnet('10.96.0.0/16', api('10.96.0.1', '10.96.0.1', 'fd00::1')), SOUND[1]);
    assert.equal(subnet('172.30.0.0/16', api('', 'fd00::1'))?.endsWith('kubernetes has fd00::1'), true);
    for (const none of [api('None'), api('None', 'None'), api('')])
      assert.equal(subnet('172.30.0.0/16', none), SOUND[1]);
    // what is no subnet holds nothing
    for (const odd of ['10.96.0.1', 'a/b', '10.96.0.0/33'])
      assert.match(subnet(odd) ?? '', /^unmet: networking.serviceSubnet/);
  });

  it('comes from where the control plane runs from', () => {
    const repository = (name: string, images: readonly string[] = SEEN.images): string | undefined =>
      said(`${BASE}imageRepository: ${name}\n`, { images })[1];
    for (const name of ['registry.k8s.io', 'registry.k8s.io/', 'k8s.gcr.io', '""'])
      assert.equal(repository(name), 'met: it does');
    const other = 'unmet: kube-apiserver runs from registry.k8s.io, not from its imageRepository';
    for (const name of ['registry.example.com', 'registry.k8s']) assert.equal(repository(name), other);
    assert.equal(repository('b', []), 'met: it does');
    assert.equal(repository('b', ['b/kube-scheduler@sha256:00', 'a/etcd:3', 'a/kms-plugin:v1']), 'met: it does');
    assert.equal(
      repository('b', ['b/kube-apiserver:v1', 'a/kube-scheduler:v1']),
      'unmet: kube-scheduler runs from a, not from its imageRepository',
    );
  });

  it('has the etcd that runs', () => {
    const tag = (told: string, images: readonly string[] = SEEN.images): string | undefined =>
      said(`${BASE}etcd: {local: {imageTag: ${told}}}\n`, { images })[1];
    for (const told of ['3.6.0', '""']) assert.equal(tag(told), 'met: it does');
    for (const told of ['3.6', '3.6.00', '3.5.9'])
      assert.equal(tag(`"${told}"`), `unmet: etcd.local.imageTag ${told}, and etcd runs as 3.6.0`);
    // while it is upgraded there are two; a digest tells no tag, and what only ends alike is another program
    assert.equal(tag('3.6.1', ['a/etcd:3.6.0', 'a/etcd:3.6.1@sha256:00']), 'met: it does');
    for (const images of [[], ['a/etcd@sha256:00'], ['a/my-etcd:3.5.0'], ['a/etcd']])
      assert.equal(tag('3.6.1', images), 'met: it does');
  });

  it('is of the version that runs', () => {
    const version = (told: string, images = SEEN.images): string | undefined =>
      said(`${BASE}kubernetesVersion: ${told}\n`, { images })[1];
    for (const told of ['v1.36.9', '1.36.0', 'v1.35.0', 'v1.36.0-rc.1+build', 'stable-1', '""'])
      assert.equal(version(told), 'met: it does', told);
    assert.equal(version('v1.37.0'), 'unmet: kubernetesVersion v1.37.0, and API servers of 1.36');
    assert.equal(version('v1.37.0', []), 'met: it does');
  });

  it('has the ranges of the flags that run', () => {
    const shown = { pods: ['10.244.0.0/16'], services: ['10.96.0.0/12'] };
    const ranges = (networking: string): string | undefined =>
      said(`${BASE}networking: {${networking}}\n`, { ranges: shown })[1];
    assert.equal(ranges('podSubnet: 10.244.0.0/16, serviceSubnet: 10.96.0.0/12'), 'met: it does');
    assert.equal(ranges('dnsDomain: cluster.local'), 'met: it does');
    assert.equal(
      ranges('podSubnet: 10.9.0.0/16'),
      'unmet: networking.podSubnet 10.9.0.0/16, and by its flags 10.244.0.0/16',
    );
    assert.equal(
      ranges('serviceSubnet: 10.96.0.0/16'),
      'unmet: networking.serviceSubnet 10.96.0.0/16, and by its flags 10.96.0.0/12',
    );
    assert.equal(
      said(`${BASE}networking: {podSubnet: 10.96.0.0/16, serviceSubnet: 10.96.0.0/12}\n`, {
        ranges: { pods: [], services: [] },
      })[1],
      'unmet: networking.podSubnet 10.96.0.0/16, which has addresses of Services',
    );
    const dual = { pods: ['fd00::/48,10.244.0.0/16'], services: [] };
    const said2 = said(`${BASE}networking: {podSubnet: "10.244.0.0/16, fd00::/48"}\n`, { ranges: dual });
    assert.equal(said2[1], 'met: it does');
  });

  it('has the ranges of its own flags', () => {
    const ranges = (more: string): string | undefined =>
      said(`${BASE}networking: {podSubnet: 10.244.0.0/16, serviceSubnet: 10.96.0.0/12}\n${more}`)[1];
    assert.equal(
      ranges("apiServer: {extraArgs: [{name: service-cluster-ip-range, value: '172.30.0.0/16'}]}\n"),
      'unmet: apiServer.extraArgs service-cluster-ip-range 172.30.0.0/16, beside networking.serviceSubnet 10.96.0.0/12',
    );
    assert.equal(
      ranges(
        "controllerManager: {extraArgs: {cluster-cidr: '10.9.0.0/16', service-cluster-ip-range: '172.30.0.0/16'}}\n",
      ),
      'unmet: controllerManager.extraArgs service-cluster-ip-range 172.30.0.0/16, beside networking.serviceSubnet ' +
        '10.96.0.0/12; controllerManager.extraArgs cluster-cidr 10.9.0.0/16, beside networking.podSubnet 10.244.0.0/16',
    );
    for (const sound of [
      "controllerManager: {extraArgs: [{name: cluster-cidr, value: '10.244.0.0/16'}]}\n",
      "controllerManager: {extraArgs: [{name: cluster-cidr, value: '10.9.0.0/16'}, {name: cluster-cidr, value: 10.244.0.0/16}]}\n",
      "scheduler: {extraArgs: [{name: cluster-cidr, value: '10.9.0.0/16'}]}\n",
    ])
      assert.equal(ranges(sound), 'met: it does', sound);
    const alone = "apiServer: {extraArgs: [{name: service-cluster-ip-range, value: '172.30.0.0/16'}]}\n";
    assert.equal(said(`${BASE}${alone}`)[1], 'met: it does');
  });

  it('has the ranges of every flag that runs', () => {
    const several = { pods: ['10.244.0.0/16'], services: ['10.96.0.0/12', '10.112.0.0/12'] };
    assert.equal(
      said(`${BASE}networking: {serviceSubnet: 10.96.0.0/12}\n`, { ranges: several })[1],
      'unmet: networking.serviceSubnet 10.96.0.0/12, and by its flags 10.112.0.0/12',
    );
  });

  it('has names for certificates that are names', () => {
    const names = (...sans: readonly string[]): string | undefined =>
      said(`${BASE}apiServer: {certSANs: ${JSON.stringify(sans)}}\n`)[0];
    for (const sound of ['192.0.2.1', '2001:db8::1', 'api', 'api.example.com', '*.example.com', 'a-b.c'])
      assert.equal(names(sound), 'met: it does', sound);
    for (const odd of ['*', '*.', 'API.example.com', 'https://a', 'a b', '', 'a.*.b', '-a', 'a.', `${'a'.repeat(254)}`])
      assert.equal(names('a', odd)?.startsWith('unmet: apiServer.certSANs '), true, odd);
  });

  it('has a certificate for etcd elsewhere', () => {
    const etcd = (external: object): string | undefined =>
      said(`${BASE}etcd: ${JSON.stringify({ external: { endpoints: ['https://192.0.2.7:2379'], ...external } })}\n`)[2];
    const guarded = { caFile: '/a', certFile: '/b', keyFile: '/c' };
    assert.equal(etcd(guarded), 'met: it does');
    assert.equal(etcd({ endpoints: ['https://127.0.0.1:2379'] }), 'met: it does');
    for (const lacks of [{}, { certFile: '/b' }, { keyFile: '/c' }, { ...guarded, keyFile: '' }])
      assert.match(etcd(lacks) ?? '', /^unmet: etcd at https:\/\/192\.0\.2\.7:2379, which anybody/);
  });
});
