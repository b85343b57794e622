/** Clients that make a control plane of their machine: its administrators, what it runs, and the marks of its Node. */
import type { AnotherClient } from '../joining/another.js';
import type { Files } from '../joining/ports.js';
import { writeKubeconfig } from '../kubeadm/kubeconfig.js';
import { NEWEST_RELEASE, parseRelease } from '../kubeadm/release.js';
import { issueCredential } from '../pki/authority.js';
import { authorityOn, issuedBy, stranger } from './joining-authorities.js';
import { another, type Decided, decidesJoining, onWrite, sending, upstream, writing } from './joining-hooks.js';
import type { Mutant } from './types.js';

const KUBERNETES = '/etc/kubernetes';
const PKI = `${KUBERNETES}/pki`;
const HELD = 'kubeadm:cluster-admins';

/** The administrator of its machine is of this group. */
const administering = (name: string, defect: string, killedBy: readonly string[], group: string): Mutant =>
  another(name, defect, killedBy, {
    files: writing((path, text) => (path === `${KUBERNETES}/admin.conf` ? administrator(group) : text)),
  });

const administrator = (group: string): string =>
  writeKubeconfig(
    {
      cluster: { name: 'kubernetes', server: 'https://127.0.0.1:6443', caPem: '' },
      user: {
        name: 'kubernetes-admin',
        ...issueCredential(stranger(), {
          subject: { commonName: 'kubernetes-admin', organizations: [group] },
          extendedKeyUsage: ['clientAuth'],
          key: 'ECDSA-P256',
          now: Date.now(),
        }),
      },
      context: { name: 'kubernetes-admin@kubernetes' },
    },
    parseRelease(NEWEST_RELEASE),
  );

/** Of certificates that the authority of the cluster has not issued. */
const AUTHORITY_OF: Readonly<Record<string, string>> = {
  'front-proxy-client': 'front-proxy-ca',
  'apiserver-etcd-client': 'etcd/ca',
  'etcd/server': 'etcd/ca',
  'etcd/peer': 'etcd/ca',
  'etcd/healthcheck-client': 'etcd/ca',
};

/** Whose they are. */
const NAME_OF: Readonly<Record<string, string>> = {
  apiserver: 'kube-apiserver',
  'apiserver-kubelet-client': 'kube-apiserver-kubelet-client',
};

/** One of its certificates is another. */
const certifying = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  {
    file,
    usages,
    groups = [],
  }: { readonly file: string; readonly usages: readonly string[]; readonly groups?: string[] },
): Mutant =>
  another(name, defect, killedBy, {
    files: issuedBy((files) => authorityOn(files, AUTHORITY_OF[file] ?? 'ca'), {
      file,
      commonName: NAME_OF[file] ?? file,
      usages,
      groups,
    }),
  });

/** One of its kubeconfigs names another server. */
const leading = (name: string, defect: string, [file, server]: readonly [file: string, server: string]): Mutant =>
  another(name, defect, ['P-314'], {
    files: writing((path, text) =>
      path === `${KUBERNETES}/${file}` ? text.replace(/server: \S+/, `server: ${server}`) : text,
    ),
  });

/** One of its manifests says something else. */
const saying = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  [component, from, to]: readonly [component: string, from: string | RegExp, to: string],
): Mutant =>
  another(name, defect, killedBy, {
    files: writing((path, text) =>
      path === `${KUBERNETES}/manifests/${component}.yaml` ? text.replace(from, to) : text,
    ),
  });

/** Its manifests have this mode. */
const opening = (name: string, defect: string, mode: number): Mutant =>
  another(name, defect, ['P-312'], {
    files: onWrite((files, path, text, own) =>
      files.write(path, text, path.startsWith(`${KUBERNETES}/manifests/`) ? mode : own),
    ),
  });

type Marks = ReturnType<NonNullable<Decided['marks']>>;
const marking = (name: string, defect: string, killedBy: readonly string[], how: (marks: Marks) => Marks): Mutant =>
  decidesJoining(name, defect, killedBy, { marks: (own, there) => how(upstream.marks(own, there)) });

/** All but one of those who are to be well. */
const unasked = (name: string, component: string): Mutant =>
  decidesJoining(name, `nobody asks how the ${component} is`, ['P-313'], {
    mustBeWell: (port, release) => upstream.mustBeWell(port, release).filter((one) => one.component !== component),
  });

/** A minute is waited for what runs, whatever was told. */
const given = (name: string, defect: string, milliseconds: number): Mutant =>
  another(name, defect, ['P-313'], {
    configuration: ({ timeouts, ...configuration }) => ({
      ...configuration,
      timeouts: { ...timeouts, controlPlaneComponentHealthCheck: milliseconds },
    }),
  });

/** Whoever made them. One machine after the other. */
function clearingManifests(): AnotherClient {
  let disk: Files | undefined;
  return {
    files: (files) => {
      disk = files;
      return files;
    },
    words: (line) => {
      if (line.startsWith('error execution phase'))
        for (const name of MANIFESTS) disk?.remove(`${KUBERNETES}/manifests/${name}.yaml`);
      return line;
    },
  };
}
const MANIFESTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'];

export const mutants: readonly Mutant[] = [
  certifying(
    'join-kubelet-client-held',
    "the API server's certificate for kubelets is of a group that RBAC holds",
    [],
    {
      file: 'apiserver-kubelet-client',
      usages: ['clientAuth'],
      groups: [HELD],
    },
  ),
  certifying('join-kubelet-client-of-masters', 'the API server asks kubelets as one of system:masters', ['P-252'], {
    file: 'apiserver-kubelet-client',
    usages: ['clientAuth'],
    groups: ['system:masters'],
  }),
  another('join-leaves-a-master', 'whom RBAC does not hold lies in one file with his key', ['P-252', 'P-438'], {
    files: onWrite((files, path, text, mode) => {
      files.write(path, text, mode);
      const issuer = path === `${PKI}/front-proxy-client.key` ? authorityOn(files, 'ca') : undefined;
      if (issuer === undefined) return;
      const subject = { commonName: 'spare', organizations: ['system:masters'] };
      const made = issueCredential(issuer, {
        ...{ subject, key: 'ECDSA-P256', now: Date.now(), extendedKeyUsage: ['clientAuth'] },
      });
      files.write(`${PKI}/spare.pem`, `${made.certificatePem}${made.keyPem}`, 0o600);
    }),
  }),
  certifying('join-apiserver-logs-in', "the API server's certificate is for clients, too", ['P-280'], {
    file: 'apiserver',
    usages: ['serverAuth', 'clientAuth'],
  }),
  ...[
    ...['apiserver-kubelet-client', 'apiserver-etcd-client', 'front-proxy-client', 'etcd/healthcheck-client'],
    ...['etcd/server', 'etcd/peer'],
  ].map((file) =>
    certifying(
      `join-${file.replace('/', '-')}-serves-only`,
      `the certificate ${file} is for servers alone`,
      ['P-280'],
      {
        file,
        usages: ['serverAuth'],
      },
    ),
  ),
  certifying('join-front-proxy-for-anything', 'the certificate of the front proxy is for anything', ['P-280'], {
    file: 'front-proxy-client',
    usages: [],
  }),
  opening('join-manifests-open', 'everybody reads the manifests', 0o644),
  opening('join-manifests-shared', 'the group of root reads the manifests', 0o640),
  saying(
    'join-controllers-everywhere',
    'the controller manager listens everywhere',
    ['P-281'],
    ['kube-controller-manager', '--bind-address=127.0.0.1', '--bind-address=0.0.0.0'],
  ),
  saying(
    'join-scheduler-untold',
    'the scheduler is told no address',
    ['P-281'],
    ['kube-scheduler', /^ *- --bind-address=\S+\n/m, ''],
  ),
  saying(
    'join-scheduler-on-the-other-loopback',
    'the scheduler listens on loopback of IPv6',
    [],
    ['kube-scheduler', '--bind-address=127.0.0.1', '--bind-address=::1'],
  ),
  saying(
    'join-etcd-metrics',
    'an etcd shows its metrics to everybody',
    ['P-281'],
    ['etcd', /--listen-metrics-urls=\S+/, '--listen-metrics-urls=http://127.0.0.1:2381,http://192.0.2.20:2381'],
  ),
  saying(
    'join-etcd-metrics-on-both',
    'an etcd shows its metrics on both loopbacks',
    [],
    ['etcd', /--listen-metrics-urls=\S+/, '--listen-metrics-urls=http://127.0.0.1:2381,https://[::1]:2381'],
  ),
  administering(
    'join-administrator-of-masters',
    'the administrator of a control plane is in system:masters',
    ['P-252'],
    'system:masters',
  ),
  leading('join-administrator-of-one-machine', 'an administrator is led to the machine', [
    'admin.conf',
    'https://192.0.2.20:6443',
  ]),
  leading('join-controllers-of-the-cluster', 'a controller manager asks any API server', [
    'controller-manager.conf',
    'https://127.0.0.1:36443',
  ]),
  leading('join-scheduler-of-the-cluster', 'a scheduler asks any API server', [
    'scheduler.conf',
    'https://127.0.0.1:36443',
  ]),
  decidesJoining('join-over-a-control-plane', 'a control plane is made one again', ['P-315'], {
    mustBeAbsentOfControlPlane: () => [],
  }),
  another(
    'join-clears-what-it-did-not-make',
    'manifests are taken away when a join has failed',
    ['P-315'],
    clearingManifests(),
  ),
  decidesJoining('join-super-administrator', 'a control plane that joins has an administrator in reserve', ['P-252'], {
    ownKubeconfigs: () => [...upstream.ownKubeconfigs(), 'super-admin'],
  }),
  marking('join-marks-without-taint', 'the Node of a control plane gets labels only', ['P-253'], (marks) => ({
    ...marks,
    taints: [],
  })),
  marking('join-marks-without-label', 'the Node of a control plane gets a taint only', ['P-253'], (marks) => ({
    ...marks,
    labels: {},
  })),
  another('join-marks-take', 'the Node of a control plane loses its other labels', ['P-253'], {
    wire: sending((question) => {
      if (question.method !== 'PATCH' || question.body === undefined) return question;
      return { ...question, body: question.body.replace('"labels":{', '"labels":{"example.com/rack":null,') };
    }),
  }),
  marking('join-marks-over', 'the Node of a control plane loses its other taints', ['P-253'], (marks) => ({
    ...marks,
    taints: marks.taints.slice(0, 1),
  })),
  marking('join-marks-more', 'the Node of a control plane gets a label of somebody else as well', [], (marks) => ({
    labels: { ...marks.labels, 'example.com/joined': '' },
    taints: [...marks.taints].reverse(),
  })),
  decidesJoining('join-untaints', 'a Node that is to have no taint of its own has none at all', ['P-253'], {
    marks: (own, there) => {
      const marks = upstream.marks(own, there);
      return own?.length === 0 ? { ...marks, taints: [] } : marks;
    },
  }),
  decidesJoining('join-marks-twice', 'taints that a Node has are added to it again', ['P-253'], {
    marks: (own, there) => {
      const marks = upstream.marks(own, there);
      return { ...marks, taints: [...marks.taints, ...there] };
    },
  }),
  decidesJoining('join-marks-once', 'who may not mark a Node the first time gives up', ['P-253'], {
    marksAgain: () => false,
  }),
  decidesJoining('join-unmarked', 'a control plane whose Node nobody may mark has joined', ['P-253'], {
    mustBeMarked: () => false,
  }),
  unasked('join-own-server-unasked', 'kube-apiserver'),
  unasked('join-controllers-unasked', 'kube-controller-manager'),
  unasked('join-scheduler-unasked', 'kube-scheduler'),
  decidesJoining('join-whatever-it-says', 'what runs is well whatever it says of itself', ['P-313'], {
    isWell: (status) => status !== undefined,
  }),
  decidesJoining('join-refusals-are-well', 'what runs is well if it refuses to say how it is', ['P-313'], {
    isWell: (status) => status !== undefined && status < 500,
  }),
  decidesJoining('join-health-at-the-usual-port', 'the own API server is asked at the usual port', ['P-313'], {
    mustBeWell: (_port, release) => upstream.mustBeWell(6443, release),
  }),
  decidesJoining('join-health-at-another-path', 'what runs is asked at another path', [], {
    mustBeWell: (port, release) => upstream.mustBeWell(port, release).map((one) => ({ ...one, path: '/readyz' })),
  }),
  given('join-components-asked-once', 'what runs is asked once how it is', 100),
  given('join-components-waited-for-long', 'what runs is waited for as long as nobody has told', 60_000),
  decidesJoining('join-asks-every-second', 'what was refused is asked again after a second', [], {
    apiCallPause: () => 1_000,
  }),
];
