import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateKey, parsePrivateKey, privateKeyPem } from '../../pki/keys.js';
import { parseRelease } from '../release.js';
import { InitFailed, type InitRun } from './host.js';
import { INIT_PHASES, phasesOf, runPhases } from './phases.js';
import { readInit, type Surroundings } from './reading.js';

const NOW = Date.UTC(2026, 0, 1);

/** A machine whose disk is a map. */
class Machine {
  readonly disk = new Map<string, string>();
  readonly modes = new Map<string, number>();
  readonly told: string[] = [];
  readonly warned: string[] = [];

  readonly surroundings: Surroundings = {
    hostName: 'cp-1',
    address: '192.0.2.10',
    release: parseRelease('1.36.1'),
    caFolders: [],
    warn: (line) => this.warned.push(line),
  };

  async init(cluster: object = {}, phases: readonly string[] = INIT_PHASES, now = NOW): Promise<void> {
    const document = {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'ClusterConfiguration',
      encryptionAlgorithm: 'ECDSA-P256',
      ...cluster,
    };
    const { configuration } = readInit(JSON.stringify(document), this.surroundings);
    const run: InitRun = {
      configuration,
      now,
      files: {
        exists: (path) => this.disk.has(path),
        read: (path) => this.disk.get(path),
        write: (path, text, mode) => {
          this.disk.set(path, text);
          this.modes.set(path, mode);
        },
      },
      makeKey: async (algorithm) => generateKey(algorithm),
      tell: (line) => this.told.push(line),
      warn: (line) => this.warned.push(line),
    };
    await runPhases(run, phases);
  }
}

const PKI = '/etc/kubernetes/pki';
const refusal = (words: RegExp) => (error: unknown) => error instanceof InitFailed && words.test(error.message);

describe('kubeadm init on a disk', () => {
  it('writes everything once, and nothing a second time', async () => {
    const machine = new Machine();
    await machine.init();
    assert.equal(machine.disk.size, 34);
    assert.equal(machine.modes.get(`${PKI}/sa.pub`), 0o600);
    assert.equal(machine.modes.get(`${PKI}/apiserver.crt`), 0o644);
    const before = new Map(machine.disk);
    await machine.init();
    assert.deepEqual(machine.disk, before);
    assert.ok(machine.told.includes('[certs] Using existing ca certificate authority'));
    assert.ok(machine.told.includes('[kubeconfig] Using existing kubeconfig file: "/etc/kubernetes/admin.conf"'));
  });

  it('refuses foreign certificates, and passes over foreign keys, as kubeadm does', async () => {
    const [machine, other] = [new Machine(), new Machine()];
    await Promise.all([machine.init(), other.init()]);
    machine.disk.set(`${PKI}/apiserver.key`, other.disk.get(`${PKI}/apiserver.key`) ?? '');
    await machine.init();
    machine.disk.set(`${PKI}/apiserver.crt`, other.disk.get(`${PKI}/apiserver.crt`) ?? '');
    await assert.rejects(machine.init(), refusal(/certificate apiserver not signed by CA certificate ca: x509/));
    const strange = other.disk.get(`${PKI}/apiserver.crt`) ?? '';
    for (const behind of [`${PKI}/ca.crt`, `${PKI}/front-proxy-ca.crt`]) {
      machine.disk.set(`${PKI}/apiserver.crt`, strange + (machine.disk.get(behind) ?? ''));
      await assert.rejects(machine.init(), refusal(/certificate apiserver not signed by CA certificate ca: x509/));
    }
    machine.disk.set(`${PKI}/apiserver.crt`, strange + (other.disk.get(`${PKI}/ca.crt`) ?? ''));
    await assert.rejects(machine.init(), refusal(/certificate apiserver not signed by CA certificate ca: x509/));
    machine.disk.delete(`${PKI}/apiserver.crt`);
    await assert.rejects(machine.init(), refusal(/failure loading apiserver certificate: couldn't load/));
  });

  it('warns of an authority that has expired, and refuses what is of another one', async () => {
    const machine = new Machine();
    await machine.init({ caCertificateValidityPeriod: '1h' }, ['certs/ca']);
    await machine.init({}, ['certs/ca', 'certs/apiserver'], NOW + 7_200_000);
    assert.match(machine.warned.join(), /bounds for certificate ca: the certificate has expired/);
    machine.disk.set(`${PKI}/ca.key`, privateKeyPem(generateKey('ECDSA-P256')));
    await assert.rejects(
      machine.init({}, ['kubeconfig/admin']),
      refusal(/provided PrivateKey doesn't match parent's PublicKey/),
    );
  });

  it('knows an authority without a key, and what it then demands', async () => {
    const machine = new Machine();
    await machine.init();
    machine.disk.delete(`${PKI}/ca.key`);
    await machine.init();
    const manifest = machine.disk.get('/etc/kubernetes/manifests/kube-controller-manager.yaml') ?? '';
    assert.match(manifest, /--cluster-signing-cert-file=\n/);
    machine.disk.delete('/etc/kubernetes/scheduler.conf');
    await assert.rejects(machine.init(), refusal(/^the scheduler\.conf file does not exists or it is not valid: stat/));
    machine.disk.delete(`${PKI}/apiserver.crt`);
    await assert.rejects(machine.init(), refusal(/^invalid or incomplete external CA: failure loading certificate/));
  });

  it('writes nothing of etcd where it is elsewhere', async () => {
    const machine = new Machine();
    await machine.init({ etcd: { external: { endpoints: ['http://192.0.2.7:2379'] } } });
    assert.deepEqual(
      [...machine.disk.keys()].filter((path) => path.includes('etcd')),
      [],
    );
  });

  it('points kubelet.conf to the pair of a kubelet that has one of its own, and says why it cannot', async () => {
    const machine = new Machine();
    const [pair, file] = ['/var/lib/kubelet/pki/kubelet-client-current.pem', '/etc/kubernetes/kubelet.conf'];
    const finalize = () => machine.init({}, ['kubelet-finalize/enable-client-cert-rotation']);
    await machine.init();
    const made = machine.disk.get(file) ?? '';
    machine.disk.set(pair, 'a pair');
    await finalize();
    const pointed = machine.disk.get(file) ?? '';
    assert.match(pointed, new RegExp(`client-certificate: ${pair}\n +client-key: ${pair}\n`));
    assert.doesNotMatch(pointed, /client-(?:key|certificate)-data/);
    assert.equal(pointed.replace(/ +client-.*\n/g, ''), made.replace(/ +client-.*\n/g, ''));
    machine.disk.set(file, made.replace(/^current-context: .*$/m, ''));
    await assert.rejects(finalize(), refusal(/does not have current context set/));
    machine.disk.set(file, made.replace(/^users:[\s\S]*$/m, ''));
    await assert.rejects(finalize(), refusal(/does not contain authentication for user "cp-1"/));
    machine.disk.set(file, ': - {');
    await assert.rejects(finalize(), refusal(/could not load "\/etc\/kubernetes\/kubelet\.conf": /));
  });

  it('makes keys of the algorithm that is asked for', async () => {
    const machine = new Machine();
    await machine.init({ encryptionAlgorithm: 'ECDSA-P384' }, ['certs/sa']);
    const key = parsePrivateKey(machine.disk.get(`${PKI}/sa.key`) ?? '');
    assert.equal(key?.asymmetricKeyDetails?.namedCurve, 'secp384r1');
  });

  it('names its phases as kubeadm does', () => {
    assert.equal(phasesOf('certs/all')?.length, 11);
    assert.deepEqual(phasesOf('kubelet-start'), ['kubelet-start']);
    assert.equal(phasesOf('addon/all'), undefined);
  });
});

describe('what kubeadm init is told', () => {
  const read = (document: object | string): unknown =>
    readInit(typeof document === 'string' ? document : JSON.stringify(document), new Machine().surroundings);
  const cluster = (fields: object): object => ({
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'ClusterConfiguration',
    ...fields,
  });
  it('is refused in kubeadm’s words', () => {
    const wrong: readonly (readonly [object | string, RegExp])[] = [
      ['a: [', /^yaml: /],
      ['['.repeat(2_000), /^yaml: it is nested too deeply/],
      [{ kind: 'ClusterConfiguration' }, /kind and apiVersion is mandatory/],
      [
        { apiVersion: 'kubeadm.k8s.io/v1beta2', kind: 'ClusterConfiguration' },
        /old API spec: "kubeadm.k8s.io\/v1beta2"/,
      ],
      [{ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' }, /no InitConfiguration or/],
      [cluster({ clusterName: 5 }), /cannot unmarshal number into Go struct field/],
      [cluster({ apiServer: { extraArgs: { v: '1' } } }), /cannot unmarshal object/],
      [cluster({ encryptionAlgorithm: 'RSA-1024' }), /Invalid encryption algorithm "RSA-1024"/],
      [
        cluster({ controlPlaneEndpoint: 'LB.example' }),
        /host 'LB.example' must be a valid IP address or a valid RFC-1123/,
      ],
      [cluster({ certificatesDir: 'pki' }), /path is not absolute/],
      [cluster({ networking: { serviceSubnet: '10.96.0.0/30' } }), /too small, the minimum is 10/],
      [cluster({ networking: { serviceSubnet: '10.0.0.0/8' } }), /the mask must be >= 12/],
      [cluster({ networking: { podSubnet: '10.0.0.0/16,10.1.0.0/16' } }), /each family for dual-stack/],
      [cluster({ etcd: { local: {}, external: {} } }), /mutually exclusive/],
      [cluster({ apiServer: { certSANs: ['a b'] } }), /altname is not a valid IP address/],
    ];
    for (const [document, words] of wrong) assert.throws(() => read(document), refusal(words));
  });
  it('is warned of where a field is not known', () => {
    const machine = new Machine();
    readInit(JSON.stringify(cluster({ apiServer: { nonsense: 1 } })), machine.surroundings);
    assert.match(machine.warned.join(), /strict decoding error: unknown field "apiServer.nonsense"/);
  });
});
