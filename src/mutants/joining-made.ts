/** Defects of a joining client in what it makes of a control plane: what runs there, its certificates, its kubeconfigs. */
import { JoinFailed } from '../joining/failures.js';
import type { Files } from '../joining/ports.js';
import { type Credential, issueCredential } from '../pki/authority.js';
import { generateKey, parsePrivateKey, privateKeyPem } from '../pki/keys.js';
import { authorityOn, issuedBy, stranger } from './joining-authorities.js';
import { another, asking, decidesJoining, inFile, onWrite, upstream } from './joining-hooks.js';
import type { Mutant } from './types.js';

const KUBERNETES = '/etc/kubernetes';
const PKI = `${KUBERNETES}/pki`;
/** By which Pods know the API server. */
const OF_THE_SERVICE = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];

/** Of nothing that it asks for. */
const WAITING = generateKey('ECDSA-P256');

/** One of its manifests says something else. */
const saying = (
  name: string,
  defect: string,
  [component, from, to]: readonly [component: string, from: string | RegExp, to: string],
  killedBy: readonly string[] = ['P-440'],
): Mutant =>
  another(name, defect, killedBy, {
    files: inFile(`${KUBERNETES}/manifests/${component}.yaml`, (text) => text.replace(from, to)),
  });

const issuing = (name: string, defect: string, file: string, issuer: 'ca' | 'stranger'): Mutant =>
  another(name, defect, ['P-441'], {
    files: issuedBy((files) => (issuer === 'ca' ? authorityOn(files, 'ca') : stranger()), {
      file,
      commonName: 'one',
      usages: ['serverAuth', 'clientAuth'],
    }),
  });

/** Another certificate for the key that the API server has for kubelets. */
function ofOneKey(files: Files): Credential | undefined {
  const issuer = authorityOn(files, 'etcd/ca');
  const key = parsePrivateKey(files.read(`${PKI}/apiserver-kubelet-client.key`) ?? '');
  const subject = { commonName: 'kube-apiserver-etcd-client' };
  return issuer === undefined || key === undefined
    ? undefined
    : issueCredential(issuer, { subject, key, now: Date.now(), extendedKeyUsage: ['clientAuth'] });
}

/** A kubeconfig is that of somebody else. */
const being = (name: string, defect: string, file: string, other: string): Mutant =>
  another(name, defect, ['P-442'], {
    files: onWrite((files, path, text, mode) => {
      const own = path === `${KUBERNETES}/${file}` ? files.read(`${KUBERNETES}/${other}`) : undefined;
      const user = (from: string): string => from.slice(from.indexOf('users:'));
      files.write(path, own === undefined ? text : text.replace(user(text), user(own)), mode);
    }),
  });
const inKubeconfig = (name: string, defect: string, file: string, from: RegExp, to: string): Mutant =>
  another(name, defect, ['P-442'], {
    files: inFile(`${KUBERNETES}/${file}`, (text) => text.replace(from, to)),
  });

/** A manifest mounts another folder of its machine. */
const mounting = (name: string, component: string, path: string): Mutant =>
  saying(name, `${component} has ${path} of its machine`, [
    component,
    /^ {2}volumes:\n/m,
    `  volumes:\n  - hostPath:\n      path: ${path}\n      type: Directory\n    name: more\n`,
  ]);

/** A URL of an address of IPv6. */
const OF_IPV6 = /https:\/\/\[([\da-f:]+)\]/g;
/** Where a control plane of IPv6 is to be served, or asked. */
const ofIpv6: readonly Mutant[] = [
  another('join-cp-refuses-ipv6', 'a control plane of an address of IPv6 does not join', ['P-555'], {
    files: onWrite((files, path, text, mode) => {
      if (path.endsWith('/scheduler.conf') && text.includes('//[')) throw new JoinFailed('no address of IPv4');
      files.write(path, text, mode);
    }),
  }),
  ...['controller-manager', 'scheduler'].map((name) =>
    another(`join-cp-${name}-without-brackets`, `${name}.conf names an address of IPv6 without brackets`, ['P-555'], {
      files: inFile(`${KUBERNETES}/${name}.conf`, (text) => text.replace(OF_IPV6, 'https://$1')),
    }),
  ),
  another('join-cp-administers-itself', 'admin.conf asks the API server of the machine', ['P-555'], {
    files: inFile(`${KUBERNETES}/admin.conf`, (text) =>
      text.replace(/server: .*/, 'server: https://[fd00:20::20]:6443'),
    ),
  }),
  saying(
    'join-cp-advertises-brackets',
    'the API server is told to advertise an address in brackets',
    ['kube-apiserver', /--advertise-address=(.*:.*)$/m, '--advertise-address=[$1]'],
    ['P-555'],
  ),
  saying(
    'join-cp-asks-etcd-of-ipv4',
    'the API server asks its etcd at 127.0.0.1, whatever its machine has',
    ['kube-apiserver', '--etcd-servers=https://[::1]:', '--etcd-servers=https://127.0.0.1:'],
    ['P-555'],
  ),
  saying(
    'join-cp-etcd-at-ipv4',
    'etcd listens at 127.0.0.1, whatever its machine has',
    ['etcd', 'https://[::1]:2379', 'https://127.0.0.1:2379'],
    ['P-555'],
  ),
  saying(
    'join-cp-etcd-without-brackets',
    'etcd is told of a member at an address of IPv6 without brackets',
    ['etcd', /(--initial-cluster=\S*https:\/\/)\[(fd[\da-f:]+)\]/, '$1$2'],
    ['P-555'],
  ),
  saying(
    'join-cp-works-as-one',
    'the controllers of a control plane work with one account',
    ['kube-controller-manager', '--use-service-account-credentials=true', '--use-service-account-credentials=false'],
    ['P-440', 'P-555'],
  ),
  saying(
    'join-cp-schedules-by-itself',
    'the scheduler of a control plane waits for nobody',
    ['kube-scheduler', /^ *- --leader-elect=.*\n/m, ''],
    ['P-440', 'P-555'],
  ),
  ...['apiserver', 'etcd/server', 'etcd/peer'].map((file) =>
    another(
      `join-cp-${file.replace('/', '-')}-of-ipv4`,
      `${file}.crt is for addresses of IPv4, whatever its machine has`,
      ['P-555'],
      {
        files: issuedBy((files) => authorityOn(files, file === 'apiserver' ? 'ca' : 'etcd/ca'), {
          file,
          commonName: 'one',
          usages: ['serverAuth', 'clientAuth'],
          names: [...OF_THE_SERVICE, 'localhost', 'worker-9'],
        }),
      },
    ),
  ),
];

export const mutants: readonly Mutant[] = [
  ...ofIpv6,
  saying('join-allows-everything', 'the API server lets everybody do everything', [
    'kube-apiserver',
    '--authorization-mode=Node,RBAC',
    '--authorization-mode=Node,RBAC,AlwaysAllow',
  ]),
  saying('join-restricts-no-node', 'the API server does not restrict nodes', [
    'kube-apiserver',
    /^ *- --enable-admission-plugins=.*\n/m,
    '',
  ]),
  saying('join-has-tokens-in-a-file', 'the API server takes tokens of a file', [
    'kube-apiserver',
    /^( *- )--advertise-address=/m,
    '$1--token-auth-file=/etc/kubernetes/pki/tokens.csv\n$&',
  ]),
  saying('join-signs-nothing', 'the controller manager signs no certificates', [
    'kube-controller-manager',
    '--controllers=*',
    '--controllers=*,-csrsigning',
  ]),
  saying('join-elects-nobody', 'the scheduler does not wait for its turn', [
    'kube-scheduler',
    '--leader-elect=true',
    '--leader-elect=false',
  ]),
  saying('join-etcd-for-everybody', 'the etcd asks nobody for a certificate', [
    'etcd',
    '--client-cert-auth=true',
    '--client-cert-auth=false',
  ]),
  saying('join-says-it-twice', 'the API server is told twice how it authorizes', [
    'kube-apiserver',
    /^( *- )--authorization-mode=.*\n/m,
    '$&$&',
  ]),
  mounting('join-mounts-everything', 'kube-apiserver', '/'),
  mounting('join-mounts-keys', 'kube-scheduler', '/etc/kubernetes/pki'),
  mounting('join-mounts-more', 'kube-controller-manager', '/root'),
  mounting('join-etcd-mounts-all-keys', 'etcd', '/etc/kubernetes/pki'),
  saying('join-runs-privileged', 'the API server is privileged', [
    'kube-apiserver',
    /^( *)image: /m,
    '$1securityContext: {privileged: true}\n$&',
  ]),
  saying('join-sees-processes', 'the scheduler sees the processes of its machine', [
    'kube-scheduler',
    /^ {2}hostNetwork: true\n/m,
    '$&  hostPID: true\n',
  ]),
  saying('join-runs-beside', 'something else runs beside the scheduler', [
    'kube-scheduler',
    /^ {2}hostNetwork: true\n/m,
    '$&  initContainers: [{name: before, image: registry.example/before}]\n',
  ]),
  saying('join-runs-the-latest', 'the API server is of no release', [
    'kube-apiserver',
    /(image: \S+):v[\d.]+/,
    '$1:latest',
  ]),
  saying('join-etcd-runs-the-latest', 'the etcd is of no release', ['etcd', /(image: \S+):[\w.-]+/, '$1:latest']),
  saying('join-looks-after-nobody', 'nobody looks whether the scheduler lives', [
    'kube-scheduler',
    'livenessProbe:',
    'other:',
  ]),
  saying('join-etcd-for-its-pod', 'the etcd is on a network of its own', [
    'etcd',
    'hostNetwork: true',
    'hostNetwork: false',
  ]),
  saying('join-controllers-evicted', 'the controller manager gives way to others', [
    'kube-controller-manager',
    /priorityClassName: .*/,
    'priorityClassName: low',
  ]),
  saying('join-starves', 'the controller manager asks for no part of a processor', [
    'kube-controller-manager',
    / {4}resources:\n {6}requests:\n {8}cpu: .*\n/,
    '',
  ]),
  issuing(
    'join-apiserver-of-its-own',
    'the API server has a certificate of another authority',
    'apiserver',
    'stranger',
  ),
  ...['apiserver-kubelet-client', 'front-proxy-client', 'etcd/server', 'etcd/peer', 'etcd/healthcheck-client'].map(
    (file) => issuing(`join-${file.replace('/', '-')}-of-its-own`, `${file} is of another authority`, file, 'stranger'),
  ),
  issuing(
    'join-etcd-client-of-the-cluster',
    'the client of etcd is of the authority of the cluster',
    'apiserver-etcd-client',
    'ca',
  ),
  ...(
    [
      ['apiserver-kubelet-client', 'ca', 'system:admin'],
      ['front-proxy-client', 'front-proxy-ca', 'aggregator'],
      ['etcd/healthcheck-client', 'etcd/ca', 'anybody'],
    ] as const
  ).map(([file, authority, commonName]) =>
    another(`join-${file.replace('/', '-')}-renamed`, `${file} is of ${commonName}`, ['P-441'], {
      files: issuedBy((files) => authorityOn(files, authority), { file, commonName, usages: ['clientAuth'] }),
    }),
  ),
  another(
    'join-apiserver-for-many',
    'the certificate of the API server is for a name that stands for many',
    ['P-536'],
    {
      files: issuedBy((files) => authorityOn(files, 'ca'), {
        file: 'apiserver',
        commonName: 'kube-apiserver',
        usages: ['serverAuth'],
        names: [...OF_THE_SERVICE, ...['worker-9', 'worker-9.rack.example', 'lb.example', '*.example']],
      }),
    },
  ),
  ...(
    [
      ['its-node', 'no name of its machine', ['lb.example', ...OF_THE_SERVICE]],
      ['one-service', 'one name of the Service', ['kubernetes.default.svc', 'worker-9', 'lb.example']],
    ] as const
  ).map(([which, names, own]) =>
    another(`join-apiserver-without-${which}`, `the certificate of the API server is for ${names}`, ['P-536'], {
      files: issuedBy((files) => authorityOn(files, 'ca'), {
        file: 'apiserver',
        commonName: 'kube-apiserver',
        usages: ['serverAuth'],
        names: own,
      }),
    }),
  ),
  another('join-own-apiserver-logs-in', "a script's certificate of an API server is for clients, too", ['P-280'], {
    speaksKubeadm: false,
    files: issuedBy((files) => authorityOn(files, 'ca'), {
      file: 'apiserver',
      commonName: 'kube-apiserver',
      usages: ['serverAuth', 'clientAuth'],
      names: [...OF_THE_SERVICE, 'worker-9', 'lb.example'],
    }),
  }),
  another('join-apiserver-issues', "the API server's certificate may issue others", ['P-280'], {
    files: issuedBy((files) => authorityOn(files, 'ca'), {
      file: 'apiserver',
      commonName: 'kube-apiserver',
      usages: ['serverAuth'],
      names: OF_THE_SERVICE,
      isAuthority: true,
    }),
  }),
  another('join-front-proxy-of-few-bits', 'the key of the front proxy is of 1024 bits', ['P-441'], {
    files: issuedBy((files) => authorityOn(files, 'front-proxy-ca'), {
      file: 'front-proxy-client',
      commonName: 'front-proxy-client',
      usages: ['clientAuth'],
      key: 'RSA-1024',
    }),
  }),
  another('join-one-key-for-two', 'who asks etcd has the key of who asks kubelets', ['P-542'], {
    files: onWrite((files, path, text, mode) => {
      const own = /\/apiserver-etcd-client\.(?:key|crt)$/.test(path) ? ofOneKey(files) : undefined;
      files.write(path, own === undefined ? text : path.endsWith('.key') ? own.keyPem : own.certificatePem, mode);
    }),
  }),
  ...([['ten-years', 3650] as const, ['a-day', 1] as const] as const).map(([life, days]) =>
    another(`join-apiserver-for-${life}`, `the certificate of the API server lives for ${days} days`, ['P-441'], {
      files: issuedBy((files) => authorityOn(files, 'ca'), {
        file: 'apiserver',
        commonName: 'kube-apiserver',
        usages: ['serverAuth'],
        days,
      }),
    }),
  ),
  ...(
    [
      ['apiserver', 'ca', 'kube-apiserver'],
      ['etcd/server', 'etcd/ca', 'worker-9'],
      ['etcd/peer', 'etcd/ca', 'worker-9'],
    ] as const
  ).map(([file, authority, commonName]) =>
    another(
      `join-${file.replace('/', '-')}-for-nobody`,
      `${file} is for no name`,
      file === 'apiserver' ? ['P-441', 'P-536'] : ['P-441'],
      {
        files: issuedBy((files) => authorityOn(files, authority), {
          file,
          commonName,
          usages: ['serverAuth', 'clientAuth'],
        }),
      },
    ),
  ),
  ...(['apiserver-etcd-client', 'etcd/server', 'etcd/peer', 'etcd/healthcheck-client'] as const).map((file) =>
    another(`join-without-${file.replace('/', '-')}`, `${file} is not made`, ['P-441'], {
      files: onWrite((files, path, text, mode) => {
        if (!path.startsWith(`${PKI}/${file}.`)) files.write(path, text, mode);
      }),
    }),
  ),
  ...(['etcd/server', 'etcd/peer'] as const).map((file) =>
    another(`join-${file.replace('/', '-')}-for-many`, `${file} is for a name that stands for many`, ['P-441'], {
      files: issuedBy((files) => authorityOn(files, 'etcd/ca'), {
        file,
        commonName: 'worker-9',
        usages: ['serverAuth', 'clientAuth'],
        names: ['worker-9', 'worker-9.rack.example', 'localhost', '*.example'],
      }),
    }),
  ),
  another('join-key-of-another', 'the key of the API server is that of another certificate', ['P-441'], {
    files: inFile(`${PKI}/apiserver.key`, () => privateKeyPem(WAITING)),
  }),
  being('join-scheduler-administers', 'the scheduler is the administrator', 'scheduler.conf', 'admin.conf'),
  being(
    'join-controllers-administer',
    'the controller manager is the administrator',
    'controller-manager.conf',
    'admin.conf',
  ),
  inKubeconfig(
    'join-administrator-believes-everybody',
    'the administrator skips the verification of his server',
    'admin.conf',
    /certificate-authority-data: \S+/,
    'insecure-skip-tls-verify: true',
  ),
  inKubeconfig(
    'join-scheduler-by-a-proxy',
    'the scheduler asks by a proxy',
    'scheduler.conf',
    /certificate-authority-data: \S+/,
    '$&\n    proxy-url: http://192.0.2.1:3128',
  ),
  inKubeconfig(
    'join-controllers-without-a-key',
    'the controller manager has another key than its certificate',
    'controller-manager.conf',
    /client-key-data: \S+/,
    `client-key-data: ${Buffer.from(privateKeyPem(generateKey('ECDSA-P256'))).toString('base64')}`,
  ),
  decidesJoining('join-taints-more', 'the Node of a control plane ends what runs there', ['P-253'], {
    marks: (own, there) => {
      const marks = upstream.marks(own, there);
      const taint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoExecute' };
      return { ...marks, taints: [...marks.taints, taint] };
    },
  }),
  another('join-marks-whoever-answers', 'who marks the Node believes whoever answers', ['DISC-022'], {
    wire: asking((question, wire) =>
      wire.exchange(question.certificate === undefined ? question : { ...question, trust: 'anybody' }),
    ),
  }),
];
