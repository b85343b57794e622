/** Sentences about the machine around the kubelet: units, network, container runtime. */
import {
  CONTAINERD,
  RUNTIME_SOCKET,
  type RuntimeSeen,
  runtimeServes,
  sameCgroupDriver,
  withImports,
} from '../../src/checks/node-files/container-runtime.js';
import { startedBy } from '../../src/checks/node-files/kubelet-started.js';
import {
  type MachineSeen,
  machineComesUp,
  namesLead,
  networkThere,
} from '../../src/checks/node-files/machine-comes-up.js';
import type { Seen } from '../../src/checks/node-files/node-files.js';
import { dataFolderOf, flagOf } from '../../src/checks/node-files/node-roles.js';
import { unitAble, unitStarts } from '../../src/checks/node-files/node-unit.js';
import { runtimeStarts } from '../../src/checks/node-files/runtime-unit.js';
import { text } from '../../src/kubernetes/json.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { NODE, one } from './disk.js';
import { PROGRAMS } from './kept.js';

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
