/** What a whole init leaves in its cluster for those who join, and for nobody else. */
import { record, text } from '../../kubernetes/json.js';
import {
  GROUP_DEFAULT_NODE_TOKEN,
  GROUP_NODES,
  LABEL_CONTROL_PLANE,
  TAINT_UNINITIALIZED,
  USAGE_AUTHENTICATION,
  USAGE_SIGNING,
  USER_ANONYMOUS,
} from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, type Look, refusal } from '../../model/finding.js';
import type { InitMade } from './init-makes-reader.js';

export type Inits = readonly InitMade[];

const listed = (all: readonly string[], none: string): string => all.slice(0, 5).join(', ') || none;

const each =
  (
    demanded: string,
    look: (made: InitMade) => Pick<Look, 'seen' | 'ok'>,
    find: (look: Look) => Finding = demand,
  ): Check<Inits>['judge'] =>
  (inits) =>
    inits.map((made) => find({ subject: made.subject, demanded, ...look(made) }));

const TOKENS = `Group ${GROUP_DEFAULT_NODE_TOKEN}`;
const NODES = `Group ${GROUP_NODES}`;
const REQUESTS = 'all of ClusterRole system:certificates.k8s.io:certificatesigningrequests';

/** Without these nobody joins, or stays joined. */
const NEEDED: readonly string[] = [
  `${TOKENS}: all of ClusterRole system:node-bootstrapper`,
  `${TOKENS}: ${REQUESTS}:nodeclient`,
  `${NODES}: ${REQUESTS}:selfnodeclient`,
  `${TOKENS}: get nodes`,
  ...['kubeadm-config', 'kubelet-config'].flatMap((name) =>
    [TOKENS, NODES].map((who) => `${who}: get configmaps/${name} in kube-system`),
  ),
  `${TOKENS}: get configmaps/kube-proxy in kube-system`,
  `User ${USER_ANONYMOUS}: get configmaps/cluster-info in kube-public`,
];
const WATCHED = ['endpoints', 'services', 'pods', 'namespaces', 'endpointslices.discovery.k8s.io'];
/** What is made for others than those who join, and is no more than they need. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...NEEDED,
  `${TOKENS}: get secrets/kubeadm-certs in kube-system`,
  'Group kubeadm:cluster-admins: all of ClusterRole cluster-admin',
  'User kube-apiserver-kubelet-client: all of ClusterRole system:kubelet-api-admin',
  'ServiceAccount kube-system/kube-proxy: all of ClusterRole system:node-proxier',
  ...['list', 'watch'].flatMap((verb) => WATCHED.map((what) => `ServiceAccount kube-system/coredns: ${verb} ${what}`)),
  // up to 1.22
  'ServiceAccount kube-system/coredns: get nodes',
]);
/** Up to 1.23 its name has the minor. */
const plain = (grant: string): string => grant.replace(/kubelet-config-1\.\d+/, 'kubelet-config');

const GRANTS =
  'cmd/kubeadm/app/phases/bootstraptoken/node/tlsbootstrap.go, bootstraptoken/clusterinfo, uploadconfig, kubelet, addons';

export const initGrants: Check<Inits> = {
  id: 'init-makes/grants',
  source: GRANTS,
  judge: each('those who join, nodes and strangers have the rights that joining needs', ({ grants }) => {
    const there = new Set(grants.map(plain));
    const lacking = NEEDED.filter((one) => !there.has(one));
    return {
      seen: listed(
        lacking.map((one) => `not "${one}"`),
        'they have them',
      ),
      ok: lacking.length === 0,
    };
  }),
};

export const initGrantsNoMore: Check<Inits> = {
  id: 'init-makes/grants-no-more',
  source: GRANTS,
  judge: each(
    'nobody is given more than joining and the addons need',
    ({ grants }) => {
      const more = grants.filter((one) => !ALLOWED.has(plain(one)));
      return { seen: listed(more, `${grants.length} rights, and no other`), ok: more.length === 0 };
    },
    refusal,
  ),
};

const CLUSTER_INFO_SOURCE = 'cmd/kubeadm/app/phases/bootstraptoken/clusterinfo/clusterinfo.go';

export const initPublishes: Check<Inits> = {
  id: 'init-makes/publishes',
  source: CLUSTER_INFO_SOURCE,
  judge: each(
    'cluster-info has one cluster without a name: the address that clients are told, and the authority of the cluster',
    ({ info, server, pins }) => {
      if (info === undefined) return { seen: 'there is no cluster-info', ok: false };
      const said = info.clusters.map(
        (one) =>
          `"${one.name}" at ${one.server || 'no address'}, ${one.pins.join() === pins.join() ? 'its authority' : 'another authority'}`,
      );
      const [only] = info.clusters;
      const ok =
        info.clusters.length === 1 && only?.name === '' && only.server === server && only.pins.join() === pins.join();
      return { seen: listed(said, 'no cluster'), ok };
    },
  ),
};

export const initPublishesNoMore: Check<Inits> = {
  id: 'init-makes/publishes-no-more',
  source: CLUSTER_INFO_SOURCE,
  judge: each(
    'what everybody reads holds no credential, and nothing that weakens TLS',
    ({ info, leaks }) => {
      const more = [
        ...(info?.credentials ?? []),
        ...(info?.more ?? []).map((key) => `key "${key}" of cluster-info`),
        ...(info?.clusters ?? []).flatMap((one) => one.more),
        ...leaks.map((one) => `a secret in ${one}`),
      ];
      return { seen: listed(more, 'it holds none'), ok: more.length === 0 };
    },
    refusal,
  ),
};

const DAY = 24 * 60 * 60;
const SLACK = 120;

export const initMakesToken: Check<Inits> = {
  id: 'init-makes/token',
  source: 'cmd/kubeadm/app/apis/bootstraptoken/v1/utils.go, defaults.go',
  judge: each(
    `the token that it was told ends after a day, signs and logs in, is in ${GROUP_DEFAULT_NODE_TOKEN} alone, and signs`,
    ({ token, info }) => {
      if (token === undefined) return { seen: 'there is no such token', ok: false };
      const { seconds, usages, groups } = token;
      const isSigned = info?.isSigned === true;
      return {
        seen: [
          seconds === null ? 'it never ends' : `it ends after ${seconds} s`,
          `usages ${listed(usages, 'none')}`,
          `groups ${listed(groups, 'none')}`,
          isSigned ? 'cluster-info is signed with it' : 'cluster-info is not signed with it',
        ].join('; '),
        ok:
          seconds !== null &&
          Math.abs(seconds - DAY) <= SLACK &&
          [...usages].sort().join() === [USAGE_AUTHENTICATION, USAGE_SIGNING].sort().join() &&
          groups.join() === GROUP_DEFAULT_NODE_TOKEN &&
          isSigned,
      };
    },
  ),
};

/** A setting of kubelet-config that a cluster is safe by. */
const KUBELET: readonly (readonly [string, unknown])[] = [
  ['authentication.anonymous.enabled', false],
  ['authentication.webhook.enabled', true],
  ['authorization.mode', 'Webhook'],
  ['authentication.x509.clientCAFile', '/etc/kubernetes/pki/ca.crt'],
  ['rotateCertificates', true],
  ['staticPodPath', '/etc/kubernetes/manifests'],
];
const at = (fields: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (Array.isArray(value) ? value[Number(key)] : record(value)[key]), fields);
/** What is there instead of what is wanted, a line for each path. */
const unlike = (fields: unknown, wanted: readonly (readonly [path: string, value: unknown])[]): readonly string[] =>
  wanted.flatMap(([path, value]) => {
    const there = at(fields, path);
    return there === value ? [] : [`${path} is ${JSON.stringify(there) ?? 'not there'}`];
  });

export const initWritesDown: Check<Inits> = {
  id: 'init-makes/writes-down',
  source: 'cmd/kubeadm/app/phases/uploadconfig; cmd/kubeadm/app/componentconfigs/kubelet.go',
  judge: each(
    'kubeadm-config says how the cluster is reached, and kubelet-config makes kubelets that answer nobody without a right',
    ({ cluster, kubelet, server }) => {
      const endpoint = server.replace('https://', '');
      const wrong = [
        ...(cluster === undefined ? ['no kubeadm-config'] : []),
        ...(cluster !== undefined && text(cluster.controlPlaneEndpoint) !== endpoint
          ? [`controlPlaneEndpoint ${text(cluster.controlPlaneEndpoint) || '(none)'}`]
          : []),
        ...(kubelet === undefined ? ['no kubelet-config'] : unlike(kubelet, KUBELET)),
      ];
      return { seen: listed(wrong, 'they do'), ok: wrong.length === 0 };
    },
  ),
};

const LABELS = [LABEL_CONTROL_PLANE, 'node.kubernetes.io/exclude-from-external-load-balancers'];
const TAINT = `${LABEL_CONTROL_PLANE}:NoSchedule`;

export const initMarks: Check<Inits> = {
  id: 'init-makes/marks',
  source: 'cmd/kubeadm/app/phases/markcontrolplane/markcontrolplane.go',
  judge: each(`its Node has the labels ${LABELS.join(' and ')} and the taint ${TAINT}`, ({ node }) => ({
    seen: node === undefined ? 'its Node is not marked' : listed([...node.labels, ...node.taints], 'neither'),
    ok: node !== undefined && LABELS.every((one) => node.labels.includes(one)) && node.taints.includes(TAINT),
  })),
};

/** What an init is told of that is told more. Source: as the machine's documents say. */
const TOLD = {
  seconds: 7200,
  groups: 'system:bootstrappers:blue,system:bootstrappers:kubeadm:default-node-token',
  taint: 'example.com/kept:NoSchedule',
  /** Its Node has it before, whatever is told. */
  kept: `${TAINT_UNINITIALIZED}:NoSchedule`,
};
const CLUSTER_TOLD: readonly (readonly [string, string])[] = [
  ['clusterName', 'blue'],
  ['networking.dnsDomain', 'blue.example'],
  ['networking.serviceSubnet', '10.100.0.0/16'],
  ['networking.podSubnet', '10.32.0.0/12'],
];
const KUBELET_TOLD: readonly (readonly [string, unknown])[] = [
  ['clusterDomain', 'blue.example'],
  ['clusterDNS.0', '10.100.0.10'],
];

export const initFollows: Check<Inits> = {
  id: 'init-makes/follows',
  source: 'cmd/kubeadm/app/apis/kubeadm/v1beta4/types.go; phases/markcontrolplane; phases/uploadconfig',
  judge: each('its token, its Node and both configurations are as it was told', ({ token, node, cluster, kubelet }) => {
    const { seconds = null, groups = [] } = token ?? {};
    const { taints = [] } = node ?? {};
    const wrong = [
      ...(seconds !== null && Math.abs(seconds - TOLD.seconds) <= SLACK ? [] : [`its token lives ${seconds} s`]),
      ...([...groups].sort().join() === TOLD.groups ? [] : [`groups ${listed(groups, 'none')}`]),
      ...(taints.filter((one) => one !== TOLD.kept).join() === TOLD.taint ? [] : [`taints ${listed(taints, 'none')}`]),
      ...unlike(cluster, CLUSTER_TOLD),
      ...unlike(kubelet, KUBELET_TOLD),
    ];
    return { seen: listed(wrong, 'they are'), ok: wrong.length === 0 };
  }),
};
