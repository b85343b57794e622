/** Sentences about a node's disk beyond the documents: who changes it, what is left, what goes together. */
import {
  CONTAINERD,
  RUNTIME_SOCKET,
  type RuntimeSeen,
  runtimeServes,
  sameCgroupDriver,
  withImports,
} from '../../src/checks/node-files/container-runtime.js';
import { givesNothingAway } from '../../src/checks/node-files/given-away.js';
import { startedBy } from '../../src/checks/node-files/kubelet-started.js';
import { isLeftBehind, isOfKeys } from '../../src/checks/node-files/left-at.js';
import {
  type MachineSeen,
  machineComesUp,
  namesLead,
  networkThere,
} from '../../src/checks/node-files/machine-comes-up.js';
import {
  type IssuedSeen,
  pairsThere,
  readAsWritten,
  type Seen,
  seenAt,
} from '../../src/checks/node-files/node-files.js';
import { listensHere } from '../../src/checks/node-files/node-flags.js';
import { keepsToItself, namedFiles, userReads } from '../../src/checks/node-files/node-helpers.js';
import {
  issuerIdentified,
  noAuthoritysKey,
  ownSerials,
  signsTokens,
  takenByGo,
  withinLimits,
} from '../../src/checks/node-files/node-keys.js';
import { controllersKnown, nothingOff, pluginsKnown } from '../../src/checks/node-files/node-known-names.js';
import {
  archivesClosed,
  type CopySeen,
  copiesClosed,
  copiesKept,
  keysClosed,
  noAdministrators,
  nothingLeft,
} from '../../src/checks/node-files/node-leftovers.js';
import { hostOf } from '../../src/checks/node-files/node-names.js';
import { owned } from '../../src/checks/node-files/node-owners.js';
import { dataClosed, dataPrivate, inPlace, isReached, unchanging } from '../../src/checks/node-files/node-places.js';
import { powerless } from '../../src/checks/node-files/node-privileges.js';
import { flagsGoTogether, kubeletVerified, namedFilesThere } from '../../src/checks/node-files/node-relations.js';
import { goesOn, userGoesOn } from '../../src/checks/node-files/node-renewed.js';
import {
  COMPONENTS,
  dataFolderOf,
  flagOf,
  KUBERNETES,
  manifestPath,
  type NodeFacts,
} from '../../src/checks/node-files/node-roles.js';
import { unitAble, unitStarts } from '../../src/checks/node-files/node-unit.js';
import { runtimeStarts } from '../../src/checks/node-files/runtime-unit.js';
import { believedByName, pairsByName, shownByName } from '../../src/checks/node-files/shown-by-name.js';
import { helpersHeldByRbac, helpersHoldNothing, helpersRun } from '../../src/checks/node-files/static-pods.js';
import { text } from '../../src/kubernetes/json.js';
import { column, type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { manifests, manifestsOn, NODE, one, seen, withCertificate } from './disk.js';

const KEPT =
  /^\/var\/lib\/kubelet(?:\/(?:device-plugins|plugins|plugins_registry|pods|pki)|\/[^/]+\.(?:yaml|env))?$|^\/etc\/cni\/net\.d(?:\/|$)|\/systemd\/system\/kubelet\.service(?:\.d(?:\/|$)|$)/;

/** Programs, and what configures the runtime: root runs and obeys them. */
const PROGRAMS =
  /^\/(?:usr(?:\/local)?|opt)\/s?bin\/[a-z]+$|^\/opt\/cni\/bin(?:\/[^/]+)?$|^\/etc\/containerd(?:\/(?:[^/]+\/)?[^/]+\.toml)?$/;
/** Of the folder of Kubernetes: manifests, what configures the control plane, and what kubeadm puts into them. */
const OBEYED = /\/manifests\/|\.(?:crt|pub|conf|ya?ml|json|csv|env|sh)$/;
/** Files and folders of the disk that a pattern means. */
const alike = ({ disk }: NodeFacts, pattern: RegExp): readonly string[] =>
  Object.keys(disk).filter((path) => pattern.test(path));

/** What programs of the node keep, and the folders of the control plane. */
function keptOn(world: World): readonly Seen[] {
  const node = world.get(NODE);
  const { disk, pki } = node;
  const etcd = dataFolderOf(disk);
  const places = Object.values(disk).filter(
    ({ path, held }) =>
      (held.kind === 'folder' && [KUBERNETES, pki, `${pki}/etcd`].includes(path)) ||
      (path.startsWith(`${KUBERNETES}/`) && (held.kind === 'folder' || OBEYED.test(path))) ||
      path === etcd ||
      path.startsWith(`${etcd}/member`),
  );
  return seen(world, ...new Set([...alike(node, KEPT), ...alike(node, PROGRAMS), ...places.map(({ path }) => path)]));
}

Then('nobody but root changes what its programs keep', async function (this: World) {
  this.check(unchanging, keptOn(this));
});

Then('what its programs keep belongs to root', async function (this: World) {
  // archives of CNI plugins come with the numbers of those who packed them
  const kept = keptOn(this).filter(({ path }) => !path.startsWith('/opt/cni/'));
  this.check(owned, kept, { known: this.get(NODE).owners });
});

Then('what its programs obey lies where root alone writes', async function (this: World) {
  this.check(inPlace, keptOn(this), { data: dataFolderOf(this.get(NODE).disk) });
});

const dataOn = (world: World, ...parts: readonly string[]): readonly Seen[] => {
  const { disk } = world.get(NODE);
  const folder = dataFolderOf(disk);
  return seen(world, ...parts.map((part) => `${folder}${part}`)).filter(({ file }) => file !== null);
};

/** Copies that kubeadm makes before it upgrades, which others may come to. */
function copiesOfData(world: World): readonly Seen[] {
  const { disk } = world.get(NODE);
  const copies = Object.keys(disk).filter((path) => /^\/etc\/kubernetes\/.*\/member\/snap\/db$/.test(path));
  return seen(world, ...copies.filter((path) => isReached(disk, path)));
}

Then('nobody reads the data of etcd', async function (this: World) {
  const folders = dataOn(this, '', '/member', '/member/snap', '/member/wal');
  const files = [...dataOn(this, '/member/snap/db'), ...copiesOfData(this)];
  this.check(dataClosed, { folders, files }, { known: this.get(NODE).owners });
});

Then('the folder of the data of etcd is closed', async function (this: World) {
  this.check(dataPrivate, dataOn(this, ''));
});

Then('systemd starts the kubelet as its unit says', async function (this: World) {
  this.check(unitStarts, startedBy(this.get(NODE).disk));
});

Then('the unit lets the kubelet do its work', async function (this: World) {
  const { disk } = this.get(NODE);
  const closed = Object.values(disk).flatMap(({ path, mode }) =>
    PROGRAMS.test(path) && mode !== null && (mode & 0o111) === 0 ? [path] : [],
  );
  this.check(unitAble, startedBy(disk), { files: Object.keys(disk), closed });
});

Then('the API server has the admission plugins that it is told of', async function (this: World) {
  this.check(pluginsKnown, manifests(this, 'kube-apiserver'), { minor: this.get(NODE).minor });
});

Then('the controller manager has the controllers that it is told of', async function (this: World) {
  this.check(controllersKnown, manifests(this, 'kube-controller-manager'));
});

Then('nothing is off that a cluster relies on', async function (this: World) {
  this.check(nothingOff, manifests(this, 'kube-apiserver', 'kube-controller-manager'));
});

/** Of the components that run here: etcd may be elsewhere. */
function ownManifests(world: World): readonly Seen[] {
  const { etcd } = world.get(NODE);
  return manifests(world, ...COMPONENTS.filter((name) => name !== 'etcd' || etcd === 'own'));
}

Then('flags of the control plane go together', async function (this: World) {
  this.check(flagsGoTogether, ownManifests(this), { minor: this.get(NODE).minor });
});

Then('each program of it listens at addresses of its machine', async function (this: World) {
  const { disk } = this.get(NODE);
  const urls = ['listen-client-urls', 'listen-peer-urls'].flatMap((flag) => flagOf(disk, 'etcd', flag).split(','));
  const told = [flagOf(disk, 'kube-apiserver', 'advertise-address'), ...urls.map(hostOf)];
  const addresses = [...told, ...(startedBy(disk).flags['node-ip'] ?? '').split(',')];
  // of the API server another rule asks that
  const others = ownManifests(this).filter(({ path }) => path !== manifestPath('kube-apiserver'));
  this.check(listensHere, others, { addresses: addresses.filter((one) => one !== '') });
});

Then('the API server asks etcd with the key of its certificate', async function (this: World) {
  const { disk } = this.get(NODE);
  const [holder = '', key = ''] = ['etcd-certfile', 'etcd-keyfile'].map((flag) => flagOf(disk, 'kube-apiserver', flag));
  this.check(pairsThere, [{ holder: one(this, holder), key: one(this, key) }]);
});

Then('the API server verifies the kubelet of the machine', async function (this: World) {
  const { disk } = this.get(NODE);
  const config = disk['/var/lib/kubelet/config.yaml']?.held;
  const [api] = manifests(this, 'kube-apiserver');
  if (api === undefined) return;
  this.check(kubeletVerified, {
    api,
    authority: one(this, 'ca.crt').path,
    settings: config?.kind === 'settings' ? config.settings : {},
    flags: startedBy(disk).flags,
  });
});

Then('the files that flags of the control plane name are there', async function (this: World) {
  const { disk, etcd } = this.get(NODE);
  this.check(namedFilesThere, ownManifests(this), {
    files: Object.keys(disk),
    below: KUBERNETES,
    ofEtcd: etcd === 'own',
  });
});

const CONFIGS =
  /^\/etc\/kubernetes\/(?:(?:admin|super-admin|kubelet|bootstrap-kubelet|controller-manager|scheduler)\.conf|manifests\/[^/.][^/]*)$|^\/var\/lib\/kubelet\/(?:(?:instance-)?config\.yaml|kubeadm-flags\.env)$/;

/** What programs of this machine read: kubeconfigs, manifests, what flags name, and what a kubelet is started with. */
Then('its programs can read what they are given', async function (this: World) {
  const { disk } = this.get(NODE);
  const pods = Object.values(disk).flatMap(({ held }) => (held.kind === 'manifest' ? Object.values(held.flags) : []));
  const clients = Object.values(disk).flatMap(({ held }) => (held.kind === 'kubeconfig' ? [held.user.file] : []));
  const named = new Set([...pods.flatMap((value) => value.replace(/:.*/s, '').split(',')), ...clients]);
  const own = Object.keys(disk).filter((path) => CONFIGS.test(path) || named.has(path));
  this.check(readAsWritten, seen(this, ...own));
});

/** The machine around the kubelet. */
function machineOf(world: World): MachineSeen {
  const { disk, etcd, role } = world.get(NODE);
  const { settings, flags } = runtimeOn(world);
  const subnets = ['service-cluster-ip-range', 'cluster-cidr'].map((flag) =>
    flagOf(disk, flag === 'cluster-cidr' ? 'kube-controller-manager' : 'kube-apiserver', flag),
  );
  const told = [...subnets, ...(Array.isArray(settings.clusterDNS) ? settings.clusterDNS.map(String) : [])];
  return {
    disk,
    settings,
    flags,
    hasIpv6: [...told, flags['node-ip'] ?? ''].some((one) => one.includes(':')),
    ...(role === 'control plane' && etcd === 'own' ? { data: dataFolderOf(disk) } : {}),
  };
}

Then('the machine comes up as its kubelet needs it', async function (this: World) {
  this.check(machineComesUp, machineOf(this));
});

Then('names lead where they should', async function (this: World) {
  this.check(namesLead, machineOf(this));
});

Then('the runtime can give Pods addresses', async function (this: World) {
  const held = one(this, CONTAINERD).file?.held;
  const told = Object.entries(held?.kind === 'runtime' ? held.settings : {});
  const looksElsewhere = told.some(([key, value]) => /\.bin_dirs?$/.test(key) && value !== '/opt/cni/bin');
  this.check(networkThere, machineOf(this), { looksElsewhere });
});

const leftOn = ({ disk, pki }: NodeFacts): readonly string[] =>
  Object.keys(disk).filter((path) => isLeftBehind(path, pki));

/** With what it imports. */
function configured(world: World): Seen {
  const own = one(world, CONTAINERD);
  if (own.file?.held.kind !== 'runtime') return own;
  const others = Object.values(world.get(NODE).disk).flatMap(({ path, held }) =>
    held.kind === 'runtime' ? [[path, held.settings] as const] : [],
  );
  const settings = withImports(own.file.held.settings, Object.fromEntries(others));
  return { ...own, file: { ...own.file, held: { kind: 'runtime', settings } } };
}

function runtimeOn(world: World): RuntimeSeen {
  const { disk } = world.get(NODE);
  const of = (path: string) => {
    const held = disk[path]?.held;
    return held?.kind === 'settings' ? held.settings : {};
  };
  const [main, instance] = ['config', 'instance-config'].map((name) => of(`/var/lib/kubelet/${name}.yaml`));
  const settings = { ...main, ...instance };
  const { flags } = startedBy(disk);
  const told = [
    flags['container-runtime-endpoint'],
    main?.containerRuntimeEndpoint,
    instance?.containerRuntimeEndpoint,
  ].map(text);
  const service = disk['/etc/systemd/system/containerd.service']?.held;
  return {
    config: configured(world),
    socket: one(world, RUNTIME_SOCKET),
    settings,
    flags,
    told: told.filter((endpoint) => endpoint !== ''),
    programs: Object.keys(disk).filter((path) => /\/s?bin\/(?:crio|containerd|cri-dockerd)$|^\/etc\/crio$/.test(path)),
    isMasked: service?.kind === 'unreadable' && service.why === 'it is a link to nothing',
  };
}

Then('the container runtime serves the kubelet, and it alone', async function (this: World) {
  this.check(runtimeServes, runtimeOn(this));
});

Then('systemd starts the container runtime', async function (this: World) {
  const { flags, settings, told = [] } = runtimeOn(this);
  const asked = flags['container-runtime-endpoint'] ?? text(settings.containerRuntimeEndpoint);
  const isOther = told.some((endpoint) => !endpoint.includes('containerd'));
  this.check(runtimeStarts, { disk: isOther ? {} : this.get(NODE).disk, asked });
});

Then('the container runtime and the kubelet work with one cgroup driver', async function (this: World) {
  this.check(sameCgroupDriver, runtimeOn(this));
});

Then('no join is left in a file', async function (this: World) {
  const node = this.get(NODE);
  const left = leftOn(node);
  const own = Object.values(node.disk).filter(({ path, leaves }) => leaves && !left.includes(path));
  const config = own.filter(({ path }) => !path.endsWith('/bootstrap-kubelet.conf')).map(({ path }) => path);
  this.check(nothingLeft, seen(this, ...left, ...config));
});

Then('nothing that runs by itself, or for others, gives keys away', async function (this: World) {
  this.check(givesNothingAway, seen(this, ...leftOn(this.get(NODE))));
});

Then('archives of keys are closed', async function (this: World) {
  const node = this.get(NODE);
  const archives = alike(node, /^\/etc\/kubernetes\/.*\.(?:tgz|tar|tar\.gz|zip|p12|pfx)$/);
  const left = leftOn(node).filter((path) => isOfKeys(path) || node.disk[path]?.holdsKeys === true);
  this.check(archivesClosed, seen(this, ...archives, ...left));
});

/** Kubeconfigs of whatever name, outside of the folders of the node's own. */
const copiesOn = (world: World): readonly Seen[] =>
  seen(world, ...leftOn(world.get(NODE))).filter(({ file }) => file?.held.kind === 'kubeconfig');
const inFolders = (world: World): readonly CopySeen[] =>
  copiesOn(world)
    .filter(({ path }) => path.endsWith('/.kube/config'))
    .map((copy) => ({ copy, folder: one(world, copy.path.replace(/\/config$/, '')) }));
/** Digests of authorities, by default of the cluster's own. */
const authoritiesOn = (world: World, ...names: readonly string[]): readonly string[] =>
  seen(world, ...(names.length === 0 ? ['ca.crt'] : names)).flatMap(({ file }) =>
    file?.held.kind === 'certificates' ? file.held.certificates.map(({ digest }) => digest) : [],
  );

Then('copies of kubeconfigs in homes are closed', async function (this: World) {
  this.check(copiesClosed, copiesOn(this), { authorities: authoritiesOn(this) });
});

Then('copies of keys are closed, and belong to root', async function (this: World) {
  const { disk, owners } = this.get(NODE);
  const left = leftOn(this.get(NODE));
  const own = Object.values(disk).filter(({ path }) => !left.includes(path));
  const pins = own.flatMap(({ held }) => {
    switch (held.kind) {
      case 'key':
      case 'pair':
        return [held.pin];
      case 'certificates':
        // of others' authorities the machine has no key
        return held.certificates.map(({ facts }) => facts.pin);
      case 'kubeconfig':
        return held.user.pin === null ? [] : [held.user.pin];
      default:
        return [];
    }
  });
  this.check(keysClosed, seen(this, ...left), { pins, known: owners });
});

Then('nobody puts another kubeconfig in its place', async function (this: World) {
  const isCopied = this.get(NODE).owners === null;
  this.check(copiesKept, inFolders(this), { authorities: authoritiesOn(this), isCopied });
});

Then('nobody works as an administrator where he should not', async function (this: World) {
  const isWorker = this.get(NODE).role === 'worker';
  // who keeps a copy elsewhere does not work with it
  const kept = copiesOn(this).filter(({ path }) => isWorker || path.includes('/.kube/') || !path.includes('backup'));
  const beside = Object.keys(this.get(NODE).disk).filter((path) => path.startsWith(`${KUBERNETES}/`));
  const copies = [...kept, ...(isWorker ? seen(this, ...beside) : [])];
  const admin = one(this, `${KUBERNETES}/admin.conf`).file?.held;
  const own = admin?.kind === 'kubeconfig' ? admin.user.certificate?.facts : undefined;
  const known = own === undefined ? {} : { admin: { user: own.commonName, groups: own.organizations } };
  this.check(noAdministrators, copies, { authorities: authoritiesOn(this), isWorker, ...known });
});

const OWN: readonly string[] = COMPONENTS.map(manifestPath);
const helpers = (world: World): readonly Seen[] =>
  seen(world, ...manifestsOn(world).filter((path) => !OWN.includes(path)));

Then('no static Pod of a worker is as good as root', async function (this: World) {
  // kube-proxy sets up the network of its machine
  const all = helpers(this).filter(({ path }) => !/\/kube-proxy[^/]*$/.test(path));
  this.check(powerless, all);
});

Then('a worker has no key of an authority', async function (this: World) {
  const { disk, pki } = this.get(NODE);
  const ca = disk[`${pki}/ca.crt`]?.held;
  const pins = ca?.kind === 'certificates' ? ca.certificates.map(({ facts }) => facts.pin) : [];
  const keys = Object.values(disk).filter(({ keys: own }) => own !== undefined);
  this.check(
    noAuthoritysKey,
    keys.map(({ path }) => seenAt(this.get(NODE), path)),
    { pins },
  );
});

Then('no static Pod beside the control plane mounts a folder of keys', async function (this: World) {
  const { pki, disk } = this.get(NODE);
  this.check(keepsToItself, helpers(this), { pki, data: dataFolderOf(disk) });
});

Then('the kubelet runs each static Pod beside the components', async function (this: World) {
  const { minor } = this.get(NODE);
  this.check(helpersRun, seen(this, ...manifestsOn(this)), { own: OWN, minor });
});

Then('each static Pod beside the components holds nothing by which it were root', async function (this: World) {
  const all = helpers(this).filter(({ path }) => !/\/kube-proxy[^/]*$/.test(path));
  this.check(helpersHoldNothing, all, { pki: this.get(NODE).pki });
});

Then('no static Pod works as who goes around RBAC', async function (this: World) {
  this.check(helpersHeldByRbac, helpers(this));
});

Then('each component may read its files', async function (this: World) {
  const { disk, owners } = this.get(NODE);
  this.check(userReads, ownManifests(this), { files: owners === null ? [] : namedFiles(disk) });
});

const there = (world: World, table: DataTable): readonly Seen[] =>
  seen(world, ...column(table)).filter(({ file }) => file !== null);

Then('programs of Kubernetes take these certificates:', async function (this: World, table: DataTable) {
  this.check(takenByGo, there(this, table));
});

Then('tokens can be signed with these:', async function (this: World, table: DataTable) {
  this.check(signsTokens, there(this, table));
});

const issuedOf = (world: World, ca: string, table: DataTable): readonly IssuedSeen[] =>
  there(world, table).map((leaf) => ({ leaf, issuer: one(world, ca) }));

Then(
  'these name the key of {string} as that of their issuer:',
  async function (this: World, ca: string, table: DataTable) {
    this.check(issuerIdentified, issuedOf(this, ca, table));
  },
);

Then('these are for what {string} may sign:', async function (this: World, ca: string, table: DataTable) {
  this.check(withinLimits, issuedOf(this, ca, table));
});

Then('the API server shows certificates of servers by name', async function (this: World) {
  const node = this.get(NODE);
  const authorities = authoritiesOn(this, 'etcd/ca.crt', 'front-proxy-ca.crt');
  const [api] = manifests(this, 'kube-apiserver');
  const pairs = pairsByName(api?.file?.held).map(({ holder, key, names }) => ({
    names,
    holder: seenAt(node, holder),
    key: seenAt(node, key),
  }));
  this.check(shownByName, pairs, { authorities });
  this.check(believedByName, pairs, { own: authoritiesOn(this) });
});

for (const [those, what] of [
  ['authorities', 'authority'],
  ['certificates', 'leaf'],
] as const)
  Then(`none of these ${those} has almost ended:`, async function (this: World, table: DataTable) {
    this.check(goesOn, there(this, table), { now: this.get(NODE).now, what });
  });

Then('the certificate of none of these kubeconfigs has almost ended:', async function (this: World, table: DataTable) {
  const all = column(table).map((name) => withCertificate(this, name));
  this.check(
    userGoesOn,
    all.filter(({ config: { file } }) => file !== null),
    { now: this.get(NODE).now },
  );
});

Then('no two of these have one number:', async function (this: World, table: DataTable) {
  this.check(ownSerials, there(this, table));
});
