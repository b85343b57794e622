/** Inits that lose a part of what they are told, and phases that do more than their names say. */
import type { ComponentSettings } from '../kubeadm/components.js';
import type { Configuration } from '../kubeadm/configuration.js';
import { parseRelease } from '../kubeadm/release.js';
import { base64 } from '../kubernetes/json.js';
import { createAuthority, issueCredential } from '../pki/authority.js';
import { createCertificate } from '../pki/certificate.js';
import { generateKey } from '../pki/keys.js';
import { inits, passesOver, reads, writesFiles } from './init-hooks.js';
import { blind } from './preflight-hooks.js';
import type { Mutant } from './types.js';

const PKI = 'P-424';
const PODS = 'P-425';

const ofAll =
  (change: (settings: ComponentSettings) => ComponentSettings) =>
  ({ components }: Configuration): Partial<Configuration> => ({
    components: Object.fromEntries(
      Object.entries(components).map(([name, settings]) => [name, change(settings ?? {})]),
    ),
  });

const authorityNamed = (commonName: string): string =>
  createAuthority({ commonName, key: 'ECDSA-P256', now: Date.now() }).certificate.pem;

/** An authority that signs nobody, or somebody who signs, for ten days: nothing that it is used for. */
function withStrangeUsage(path: string, text: string): string {
  const now = Date.now();
  const key = generateKey('ECDSA-P256');
  const isAuthority = path.endsWith('ca.crt');
  const { pem } = createCertificate({
    subject: { commonName: 'strange' },
    publicKey: key,
    signingKey: key,
    notBefore: now,
    notAfter: now + 240 * 3_600_000,
    keyUsage: [isAuthority ? 'cRLSign' : 'keyCertSign'],
    basicConstraints: { ca: true, pathLength: 0 },
  });
  return path.endsWith('.crt')
    ? pem
    : text.replace(/client-certificate-data: .*/, `client-certificate-data: ${base64(pem)}`);
}

type Usages = Parameters<typeof issueCredential>[1]['extendedKeyUsage'];
/** A certificate for anybody, in a file of one or in a kubeconfig. */
function withCertificate(path: string, text: string, extendedKeyUsage: NonNullable<Usages>): string {
  const now = Date.now();
  const authority = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now });
  const { certificatePem } = issueCredential(authority, {
    subject: { commonName: 'anybody', organizations: ['system:masters'] },
    key: 'ECDSA-P256',
    now,
    extendedKeyUsage,
    altNames: { dns: ['anybody'], ip: [] },
  });
  if (path.endsWith('.crt')) return certificatePem;
  return text.replace(/client-certificate-data: .*/, `client-certificate-data: ${base64(certificatePem)}`);
}

/** What manifests say instead. */
const PLACES: readonly (readonly [name: string, defect: string, from: RegExp, to: string])[] = [
  [
    'listens-everywhere',
    'controllers and scheduler listen everywhere',
    /--bind-address=127\.0\.0\.1/g,
    '--bind-address=0.0.0.0',
  ],
  ['loses-patience', 'a component is ended at its first failure', /failureThreshold: 8/g, 'failureThreshold: 1'],
  ['ranks-nothing', 'Pods of the control plane have no priority', / *priorityClassName: .*\n/g, ''],
  ['confines-nothing', 'Pods of the control plane may call the kernel as they like', /RuntimeDefault/g, 'Unconfined'],
  ['nets-apart', 'Pods of the control plane have a network of their own', /hostNetwork: true/g, 'hostNetwork: false'],
  [
    'gives-everything',
    'containers of the control plane are privileged',
    /( *)resources:\n/g,
    '$1securityContext:\n$1  privileged: true\n$1resources:\n',
  ],
  ['lets-nodes-be', 'what nodes write is not held apart', / *- --enable-admission-plugins=.*\n/g, ''],
  [
    'lets-strangers-in',
    'strangers are let in by name',
    /( *- )--allow-privileged=true/g,
    '$1--anonymous-auth=true\n$&',
  ],
  ['asks-for-nothing', 'Pods of the control plane ask for no processor', / *requests:\n *cpu: .*\n/g, ''],
  ['pulls-always', 'images are pulled at each start', /IfNotPresent/g, 'Always'],
  ['opens-certificates', 'what Pods of the control plane believe they may change', / *readOnly: true\n/g, ''],
  ['says-nothing', 'components are told nothing', / *- --.*\n/g, ''],
  [
    'says-all-twice',
    "components are told what is old, and what is another's",
    /( *- )--(?:advertise-address|root-ca-file|name)=.*\n/g,
    '$&$1--token-auth-file=/x\n$1--kubelet-certificate-authority=/x\n$1--initial-cluster-state=existing\n' +
      '$1--auto-tls=true\n$1--peer-auto-tls=true\n$1--experimental-x=true\n$1--authorization-mode=AlwaysAllow\n',
  ],
  [
    'keeps-defaults',
    'defaults stay beside what is told',
    /( *- )--(?:bind-address=::1|leader-elect=false|kubelet-preferred-address-types=Hostname|snapshot-count=7)\n/g,
    '$&$1--bind-address=127.0.0.1\n$1--leader-elect=true\n$1--snapshot-count=10000\n' +
      '$1--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname\n',
  ],
  [
    'names-others',
    'Pods are named, marked and asked otherwise',
    /(?: kube-|kubeadm\.| etcd$|tier: |path: \/(?:livez|readyz|healthz)$)/gm,
    '$&x',
  ],
  [
    'shares-credentials',
    'all controllers are one account',
    /--use-service-account-credentials=true/g,
    '--use-service-account-credentials=false',
  ],
];

export const mutants: readonly Mutant[] = [
  reads('forgets-its-domain', 'the domain is always the usual one', [PKI, PODS], { dnsDomain: 'cluster.local' }),
  reads('forgets-its-services', 'the subnet of Services is always the usual one', [PKI, PODS], {
    serviceSubnet: '10.96.0.0/12',
  }),
  reads('forgets-its-pods', 'the subnet of Pods is not told', [PODS], { podSubnet: '' }),
  reads('invents-pods', 'a subnet of Pods is told where none is', [PODS], ({ podSubnet }) => ({
    podSubnet: podSubnet ?? '10.244.0.0/16',
  })),
  reads('forgets-names', 'further names of the API server are lost', [PKI], { certSANs: [] }),
  reads('forgets-its-endpoint', 'the common endpoint is in no certificate', [PKI], {
    controlPlaneEndpoint: '192.0.2.10:6443',
  }),
  reads('forgets-its-server', 'kubeconfigs ask the own API server', [PKI, 'P-420'], ({ advertiseAddress }) => ({
    server: `https://${advertiseAddress}:6443`,
  })),
  reads('forgets-its-address', 'the address is always the same', [PKI, PODS], { advertiseAddress: '192.0.2.10' }),
  reads('forgets-its-port', 'the port is always the usual one', [PODS], { bindPort: 6443 }),
  reads('forgets-its-name', 'the Node is always named alike', [PKI, PODS], { nodeName: 'cp-1' }),
  reads('forgets-its-cluster', 'the cluster is always named alike', [PKI, PODS], { clusterName: 'kubernetes' }),
  reads('forgets-its-life', 'certificates live for a year', [PKI], { certificateHours: 8760 }),
  reads('forgets-lives-of-authorities', 'authorities live for ten years', [PKI], { caCertificateHours: 87_600 }),
  reads('forgets-its-algorithm', 'all keys are alike', [PKI], { keyAlgorithm: 'ECDSA-P256' }),
  reads('forgets-names-of-etcd', 'further names of etcd are lost', [PKI], { etcdServerSANs: [], etcdPeerSANs: [] }),
  reads('mixes-names-of-etcd', 'etcd has all names at both ends', [PKI], ({ etcdServerSANs }) => ({
    etcdPeerSANs: etcdServerSANs,
  })),
  reads('forgets-its-folder', 'certificates always lie in the usual folder', [PKI, PODS], {
    certificatesDir: '/etc/kubernetes/pki',
  }),
  reads('runs-an-etcd', 'an etcd is run, wherever there is another', [PKI, PODS], ({ externalEtcd, ...others }) => ({
    ...others,
    ...(externalEtcd === undefined ? {} : { externalEtcd: undefined as never }),
  })),
  reads('forgets-its-images', 'images always come from the usual place', [PODS], {
    imageRepository: 'registry.k8s.io',
    etcdImage: {},
  }),
  reads(
    'forgets-arguments',
    'arguments of components are lost',
    [PODS],
    ofAll((one) => ({ ...one, extraArgs: [] })),
  ),
  reads('shares-arguments', 'every component gets the arguments and variables of all', [PODS], ({ components }) => {
    const extraArgs = Object.values(components).flatMap((one) => one?.extraArgs ?? []);
    const extraEnvs = Object.values(components).flatMap((one) => one?.extraEnvs ?? []);
    return ofAll((one) => ({ ...one, extraArgs, extraEnvs }))({ components } as Configuration);
  }),
  reads(
    'forgets-mounts',
    'mounts of components are lost',
    [PODS],
    ofAll((one) => ({ ...one, extraVolumes: [] })),
  ),
  reads(
    'opens-mounts',
    'every mount may be written to',
    [PODS],
    ofAll((one) => ({
      ...one,
      extraVolumes: (one.extraVolumes ?? []).map((volume) => ({ ...volume, readOnly: false })),
    })),
  ),
  reads(
    'closes-mounts',
    'no mount may be written to',
    [PODS],
    ofAll((one) => ({
      ...one,
      extraVolumes: (one.extraVolumes ?? []).map((volume) => ({ ...volume, readOnly: true })),
    })),
  ),
  reads(
    'forgets-variables',
    'variables of components are lost',
    [PODS],
    ofAll((one) => ({ ...one, extraEnvs: [] })),
  ),
  reads('forgets-times', 'components have always as long to start', [PODS], { startupSeconds: 240 }),
  reads('forgets-its-data', 'etcd always keeps its data at the usual place', [PODS], { etcdDataDir: '/var/lib/etcd' }),
  reads('forgets-flags-of-kubelets', 'arguments of the kubelet are lost', [PODS], { kubeletExtraArgs: [] }),
  reads('forgets-its-kubelet', 'the configuration of the kubelet is lost', [PODS], { kubelet: {} }),
  reads('forgets-its-runtime', 'the kubelet always asks the same runtime', [PODS], {
    criSocket: 'unix:///var/run/containerd/containerd.sock',
  }),
  writesFiles('renews-nothing', 'certificates of the kubelet are not renewed', [PODS], (write, path, text, ...rest) =>
    write(path, text.replace('rotateCertificates: true', 'rotateCertificates: false'), ...rest),
  ),
  writesFiles(
    'taints-by-the-kubelet',
    'the kubelet of a control plane gives its Node taints',
    [PODS],
    (write, path, text, ...rest) =>
      write(path, text.replace(/(KUBELET_KUBEADM_ARGS=")/, '$1--register-with-taints=a=b:NoSchedule '), ...rest),
  ),
  writesFiles('trusts-nobody', 'kubeconfigs have no authority', [PKI, 'P-418'], (write, path, text, ...rest) =>
    write(path, text.replace(/certificate-authority-data: .*/, 'insecure-skip-tls-verify: true'), ...rest),
  ),
  writesFiles('opens-etcd', 'etcd asks nobody for a certificate', [PODS], (write, path, text, ...rest) =>
    write(path, text.replace(/client-cert-auth=true/g, 'client-cert-auth=false'), ...rest),
  ),

  writesFiles(
    'issues-anything',
    'every certificate is for everybody, and for whatever it is shown for',
    [PKI],
    (write, path, text, ...rest) => write(path, withCertificate(path, text, ['serverAuth', 'clientAuth']), ...rest),
  ),
  writesFiles(
    'issues-for-anything-else',
    'authorities may not sign, all others may, and all end soon',
    [PKI],
    (write, path, text, ...rest) => write(path, withStrangeUsage(path, text), ...rest),
  ),
  writesFiles(
    'issues-for-nothing',
    'certificates do not say what they are shown for',
    [PKI],
    (write, path, text, ...rest) => write(path, withCertificate(path, text, []), ...rest),
  ),
  reads('gives-administrators-all', 'administrators are those of an older release', [PKI], {
    release: parseRelease('1.28.0'),
  }),
  ...PLACES.map(([name, defect, from, to]) =>
    writesFiles(name, defect, [PODS], (write, path, text, ...rest) => write(path, text.replaceAll(from, to), ...rest)),
  ),
  writesFiles('opens-manifests', 'manifests are for everybody to read', [PODS], (write, path, text, _mode, ...rest) =>
    write(path, text, 0o644, ...rest),
  ),

  writesFiles(
    'forgets-clients-of-kubelets',
    'kubelets know no authority of their clients',
    [PODS],
    (write, path, text, ...rest) => write(path, text.replace(/ *clientCAFile: .*\n/, ''), ...rest),
  ),
  writesFiles('sends-kubelets-around', 'the kubelet asks the common endpoint', [PKI], (write, path, text, ...rest) =>
    write(
      path,
      path.endsWith('/kubelet.conf') ? text.replace(/server: .*/, 'server: https://lb.example:6443') : text,
      ...rest,
    ),
  ),
  inits('shares-a-key', 'everything has one key', ['P-418'], {
    keys: (make) => {
      let only: ReturnType<typeof make> | undefined;
      return (algorithm) => {
        only ??= make(algorithm);
        return only;
      };
    },
  }),
  writesFiles('names-no-user', 'contexts are named after the cluster alone', [PKI], (write, path, text, ...rest) =>
    write(path, text.replaceAll(/\S+@(\S+)/g, '$1'), ...rest),
  ),
  inits('forgets-patches', 'patches are passed over', ['P-467'], { patches: () => undefined }),
  inits('passes-nothing-over', 'phases are not passed over', ['P-468'], { skips: () => [] }),
  inits('passes-kinds-over-alone', 'single phases are not passed over', ['P-468'], {
    skips: (told) => told.filter((name) => !name.includes('/')),
  }),
  writesFiles('names-authorities-alike', 'all authorities have one name', [PKI], (write, path, text, ...rest) =>
    write(path, /ca\.crt$/.test(path) ? authorityNamed('authority') : text, ...rest),
  ),
  writesFiles('writes-more', 'every phase writes a file of another one', ['P-428'], (write, path, ...rest) => {
    write(path, ...rest);
    write('/etc/kubernetes/super-admin.conf', 'something\n', 0o600);
  }),
  writesFiles(
    'writes-less',
    'no phase writes keys and manifests',
    ['P-428', PKI, PODS, 'P-423'],
    (write, path, ...rest) => {
      if (!/\.(?:key|yaml|conf)$/.test(path)) write(path, ...rest);
    },
  ),
  passesOver(
    'needs-nothing',
    'a phase passes over what it needs',
    'P-428',
    "couldn't load CA certificate",
    'no such file',
  ),
  blind('set-up-machines', ['P-428', 'PREF-019', 'PREF-032'], 'FileAvailable', 'DirAvailable'),
];
