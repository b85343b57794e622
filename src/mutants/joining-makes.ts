/** Defects of a joining client in what it makes of its machine: its kubelet's key and server, and a control plane. */
import type { AnotherClient } from '../joining/another.js';
import type { Files } from '../joining/ports.js';
import { generateKey, privateKeyPem } from '../pki/keys.js';
import { authorityOn, issuedBy, stranger } from './joining-authorities.js';
import {
  another,
  asking,
  BOOTSTRAP,
  decidesJoining,
  isLook,
  onWrite,
  textOf,
  upstream,
  without,
  writing,
} from './joining-hooks.js';
import type { Mutant } from './types.js';

const KUBERNETES = '/etc/kubernetes';
const PKI = `${KUBERNETES}/pki`;
const KUBELET = `${KUBERNETES}/kubelet.conf`;

/** Of nothing that it asks for. */
const WAITING = generateKey('ECDSA-P256');

const inFile = (path: string, change: (text: string) => string) =>
  writing((at, text) => (at === path ? change(text) : text));

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

/** What is written of the kubelet's pair is written there, too. */
const copying = (path: string) =>
  onWrite((files, own, text, mode) => {
    files.write(own, text, mode);
    if (/\/kubelet-client-\d/.test(own)) files.write(path, text, mode);
  });

/** The CA is written when everything else is. */
const lateCa = (files: Files): Files => {
  let late = '';
  return onWrite((disk, path, text, mode) => {
    if (path === `${PKI}/ca.crt`) late = text;
    disk.write(path, text, mode);
    if (/\/kubelet-client-\d/.test(path) && late !== '') disk.write(`${PKI}/ca.crt`, late, 0o644);
    else if (path === `${PKI}/ca.crt` && !disk.exists(`${PKI}/ca.key`)) disk.remove(path);
  })(files);
};

/** Takes the bootstrap kubeconfig away as soon as it asks for a certificate. */
function removing(): AnotherClient {
  let disk: Files | undefined;
  return {
    files: (files) => {
      disk = files;
      return files;
    },
    wire: asking(async (question, wire) => {
      if (question.method === 'POST') disk?.remove(BOOTSTRAP);
      return wire.exchange(question);
    }),
  };
}

/** What cluster-info says of verification is obeyed, and written down. A join takes its wire first, then its disk. */
function obeying(): AnotherClient {
  let latest = { isBlind: false };
  return {
    wire: (wire) => {
      const own = { isBlind: false };
      latest = own;
      return {
        exchange: async (question) => {
          const answer = await wire.exchange(own.isBlind ? { ...question, trust: 'anybody' } : question);
          if (isLook(question) && textOf(answer).includes('insecure-skip-tls-verify: true')) own.isBlind = true;
          return answer;
        },
      };
    },
    files: (files) => {
      const own = latest;
      return writing((path, text) =>
        own.isBlind && path === BOOTSTRAP
          ? text.replace(/certificate-authority-data: \S+/, 'insecure-skip-tls-verify: true')
          : text,
      )(files);
    },
  };
}

const issuing = (name: string, defect: string, file: string, issuer: 'ca' | 'stranger'): Mutant =>
  another(name, defect, ['P-441'], {
    files: issuedBy((files) => (issuer === 'ca' ? authorityOn(files, 'ca') : stranger()), {
      file,
      commonName: 'one',
      usages: ['serverAuth', 'clientAuth'],
    }),
  });

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

export const mutants: readonly Mutant[] = [
  another('join-kubelet-asks-another', 'kubelet.conf names another address', ['P-437'], {
    files: inFile(KUBELET, (text) => text.replace(/server: \S+/, 'server: https://192.0.2.9:6443')),
  }),
  another('join-kubelet-asks-the-endpoint', 'kubelet.conf names the endpoint as it was told', ['P-437'], {
    files: inFile(KUBELET, (text) => text.replace('//localhost:', '//127.0.0.1:')),
  }),
  another('join-kubelet-server-slashed', 'a slash stands behind the server of kubelet.conf', [], {
    files: inFile(KUBELET, (text) => text.replace(/server: \S+/, '$&/')),
  }),
  another('join-keeps-a-copy', 'the key of the kubelet is kept for a second time', ['P-438'], {
    files: copying('/var/lib/kubelet/pki/kubelet-client.key.bak'),
  }),
  another('join-keeps-a-key-that-waits', 'the key that has waited for its certificate is kept', ['P-438'], {
    files: onWrite((files, path, text, mode) => {
      files.write(path, text, mode);
      if (path === BOOTSTRAP) files.write('/var/lib/kubelet/pki/kubelet-client.key.tmp', privateKeyPem(WAITING), 0o600);
    }),
  }),
  another('join-keeps-a-bundle', 'keys of a control plane are kept in a bundle as well', ['P-438'], {
    files: onWrite((files, path, text, mode) => {
      files.write(path, text, mode);
      if (path === `${PKI}/sa.key`) files.write(`${KUBERNETES}/shared.pem`, text, mode);
    }),
  }),
  another('join-kubelet-blind-at-first', 'kubelet.conf believes everybody until the CA is known', ['P-443'], {
    files: onWrite((files, path, text, mode) => {
      if (path === KUBELET)
        files.write(path, text.replace(/certificate-authority-data: \S+/, 'insecure-skip-tls-verify: true'), mode);
      files.write(path, text, mode);
    }),
  }),
  another('join-tells-the-host', 'the CA of the cluster is one of the host as well', ['P-444'], {
    files: onWrite((files, path, text, mode) => {
      files.write(path, text, mode);
      if (path === `${PKI}/ca.crt`) files.write('/usr/local/share/ca-certificates/kubernetes.crt', text, mode);
    }),
  }),
  another('join-takes-no-taints-for-none-told', 'who is told to have no taint gets the usual one', ['P-253'], {
    configuration: ({ nodeRegistration: { taints, ...registration }, ...configuration }) => ({
      ...configuration,
      nodeRegistration: taints === undefined || taints.length === 0 ? registration : { ...registration, taints },
    }),
  }),
  decidesJoining('join-untainted-unlabelled', 'a Node without a taint gets no labels, either', ['P-253'], {
    marks: (own, there) => {
      const marks = upstream.marks(own, there);
      return own?.length === 0 ? { ...marks, labels: {} } : marks;
    },
  }),
  another('join-name-untold', 'the kubelet is not told the name of its machine', ['P-100'], {
    files: inFile('/var/lib/kubelet/kubeadm-flags.env', (text) => text.replace(/--hostname-override=[^\s"]+ ?/, '')),
  }),
  another('join-arguments-cut', 'arguments are cut at their second sign', ['P-100'], {
    configuration: ({ nodeRegistration, ...configuration }) => ({
      ...configuration,
      nodeRegistration: {
        ...nodeRegistration,
        kubeletExtraArgs: nodeRegistration.kubeletExtraArgs.map(
          ([name, value]) => [name, value.replace(/=.*/, '')] as const,
        ),
      },
    }),
  }),
  decidesJoining('join-file-skips-beside-its-ca', 'a discovery file that skips verification is obeyed', ['FDISC-005'], {
    skipsBesideCa: () => true,
  }),
  another(
    'join-obeys-cluster-info',
    'a cluster-info that skips verification is obeyed',
    ['DISC-022', 'P-443'],
    obeying(),
  ),
  another('join-needs-a-taint', 'who is told to have no taint does not join', ['P-253'], {
    configuration: without(({ nodeRegistration }) => nodeRegistration.taints?.length === 0),
  }),
  another('join-serves-as-well', 'a kubelet has a key to serve with', [], {
    files: copying('/var/lib/kubelet/pki/kubelet-server-current.pem'),
  }),
  another('join-ca-last', 'ca.crt is written once the kubelet has its certificate', ['P-439'], { files: lateCa }),
  another(
    'join-bootstrap-gone-too-early',
    'the bootstrap kubeconfig goes before a certificate is asked for',
    ['P-439'],
    {
      ...removing(),
    },
  ),
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
