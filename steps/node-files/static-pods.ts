/** Sentences about manifests of static Pods on a node's disk, and the flags in them. */

import { etcdFlags, etcdIsLocal, etcdListens, letClientsIn } from '../../src/checks/node-files/node-etcd.js';
import { pairs, type Seen, validNow } from '../../src/checks/node-files/node-files.js';
import {
  advertised,
  authorizers,
  flagGiven,
  flagIs,
  flagListed,
  flagListsNone,
  flagsAbsent,
  flagsAgree,
  listensAtItsAddress,
  portAgrees,
  signingFlags,
  signsWhereTheKeyIs,
} from '../../src/checks/node-files/node-flags.js';
import { flagsKnown, flagsRead } from '../../src/checks/node-files/node-known-flags.js';
import { accepted, annotated, oneFlagAWord, probed, wellFormed } from '../../src/checks/node-files/node-manifests.js';
import {
  dataOnHost,
  filesMounted,
  imageRegistry,
  imageRelease,
  oneManifestEach,
  oneRepository,
  podField,
  volumesMounted,
} from '../../src/checks/node-files/node-pods.js';
import { alone, powerless, undisturbed, unprivileged } from '../../src/checks/node-files/node-privileges.js';
import {
  COMPONENTS,
  type Component,
  flagOf,
  kubeconfigOf,
  manifestOf,
  manifestPath,
  type NodeFacts,
} from '../../src/checks/node-files/node-roles.js';
import { machineApart, podAddresses, subnetsApart, subnetsGiven } from '../../src/checks/node-files/node-subnets.js';
import { tlsKept, unweakened } from '../../src/checks/node-files/node-weakened.js';
import { column, type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { manifests, manifestsOn, NODE, one, seen } from './disk.js';

const OF_THE_CONTROL_PLANE = COMPONENTS.filter((component) => component !== 'etcd');

/** Those that ought to run here. */
const componentsOf = ({ etcd }: NodeFacts): readonly Component[] =>
  etcd === 'own' ? COMPONENTS : OF_THE_CONTROL_PLANE;
const every = (world: World): readonly Seen[] => manifests(world, ...componentsOf(world.get(NODE)));

/** "kube-apiserver", or several with commas between. */
const named = (world: World, names: string): readonly Seen[] =>
  seen(world, ...names.split(', ').map((name) => `/etc/kubernetes/manifests/${name}.yaml`));

Then('each component runs from one manifest that is named for it', async function (this: World) {
  this.check(oneManifestEach, seen(this, ...manifestsOn(this)), { components: componentsOf(this.get(NODE)) });
});

Then('no other static Pod is as good as root', async function (this: World) {
  const own: readonly string[] = COMPONENTS.map(manifestPath);
  this.check(powerless, seen(this, ...manifestsOn(this).filter((path) => !own.includes(path))));
});

Then('each component runs alone in its Pod', async function (this: World) {
  this.check(alone, every(this));
});

Then('each program of the control plane knows its flags', async function (this: World) {
  this.check(flagsKnown, every(this), { minor: this.get(NODE).minor });
});

Then('each program of the control plane can read the values of its flags', async function (this: World) {
  this.check(flagsRead, every(this));
});

Then('no flag takes away what a program of the control plane is safe by', async function (this: World) {
  this.check(unweakened, every(this));
});

Then('no program of the control plane takes TLS that is broken', async function (this: World) {
  this.check(tlsKept, every(this));
});

Then('in each static Pod {string} is {string}', async function (this: World, field: string, wanted: string) {
  this.check(podField, every(this), { field, wanted });
});

Then(
  'in each static Pod {string} is {string}, where it is set',
  async function (this: World, field: string, wanted: string) {
    this.check(podField, every(this), { field, wanted, optional: true });
  },
);

Then('the kubelet reads each manifest as it is written', async function (this: World) {
  this.check(wellFormed, every(this));
});

Then('each static Pod runs its component with one flag a word', async function (this: World) {
  this.check(oneFlagAWord, every(this));
});

Then('the probes of each static Pod ask its component', async function (this: World) {
  this.check(probed, every(this));
});

Then('the kubelet accepts what each static Pod says', async function (this: World) {
  this.check(accepted, every(this));
});

Then('nothing but flags has power over each static Pod', async function (this: World) {
  this.check(undisturbed, every(this));
});

Then('no static Pod has privileges', async function (this: World) {
  this.check(unprivileged, every(this));
});

Then(
  '{string} is annotated {string} by {string}',
  async function (this: World, names: string, key: string, flags: string) {
    this.check(annotated, named(this, names), { key: `kubeadm.kubernetes.io/${key}`, flags: flags.split(', ') });
  },
);

Then('each image is of its component, and goes with the API server', async function (this: World) {
  this.check(imageRelease, every(this), { minor: this.get(NODE).minor });
});

Then(
  '{string} lists none of {string} with --{word}',
  async function (this: World, names: string, items: string, flag: string) {
    this.check(flagListsNone, named(this, names), { flag, items: items.split(', ') });
  },
);

Then(
  '{string} turns off none of {string} with --{word}',
  async function (this: World, names: string, items: string, flag: string) {
    this.check(flagListsNone, named(this, names), { flag, items: items.split(', ').map((item) => `-${item}`) });
  },
);

Then('the API server authorizes by Node and RBAC', async function (this: World) {
  this.check(authorizers, manifests(this, 'kube-apiserver'));
});

Then('{string} is told --{word}', async function (this: World, names: string, flag: string) {
  this.check(flagGiven, named(this, names), { flag });
});

Then('{string} is told subnets with --{word}', async function (this: World, names: string, flag: string) {
  this.check(subnetsGiven, named(this, names), { flag });
});

Then('{string} has --{word}={}', async function (this: World, names: string, flag: string, wanted: string) {
  this.check(flagIs, named(this, names), { flag, wanted: [wanted] });
});

Then('{string} finds {string} with --{word}', async function (this: World, names: string, file: string, flag: string) {
  const { pki } = this.get(NODE);
  this.check(flagIs, named(this, names), { flag, wanted: [file.startsWith('/') ? file : `${pki}/${file}`] });
});

Then(
  '{string} signs with {string} by --{word}',
  async function (this: World, names: string, file: string, flag: string) {
    const { disk, pki, authority } = this.get(NODE);
    const told = manifestOf(disk, 'kube-controller-manager')?.flags ?? {};
    for (const one of signingFlags(told, flag))
      this.check(flagIs, named(this, names), { flag: one, wanted: [authority === 'here' ? `${pki}/${file}` : ''] });
  },
);

Then('{string} lists {string} with --{word}', async function (this: World, names: string, items: string, flag: string) {
  this.check(flagListed, named(this, names), { flag, items: items.split(', ') });
});

Then('{string} has none of these flags:', async function (this: World, names: string, table: DataTable) {
  this.check(flagsAbsent, named(this, names), { flags: column(table) });
});

Then('{string} are told the same --{word}', async function (this: World, names: string, flag: string) {
  this.check(flagsAgree, named(this, names), { flag });
});

Then('the API server advertises an address that others reach', async function (this: World) {
  this.check(advertised, manifests(this, 'kube-apiserver'));
});

Then('the API server listens where the machine itself asks', async function (this: World) {
  const server = kubeconfigOf(this.get(NODE).disk, 'controller-manager')?.server ?? '';
  this.check(portAgrees, manifests(this, 'kube-apiserver'), { server });
  this.check(listensAtItsAddress, manifests(this, 'kube-apiserver'));
});

Then('the API server is told all that it needs to ask etcd', async function (this: World) {
  this.check(etcdFlags, manifests(this, 'kube-apiserver'));
});

/** What it shows its machine's own etcd is held to more: PKI-025. */
Then('what it shows an etcd elsewhere is valid, for clients, and with its key', async function (this: World) {
  const { disk, etcd, now } = this.get(NODE);
  const [path, keyPath] = ['etcd-certfile', 'etcd-keyfile'].map((flag) => flagOf(disk, 'kube-apiserver', flag));
  if (etcd === 'own' || !path || !keyPath || disk[path] === undefined) return;
  this.check(validNow, seen(this, path), { now });
  this.check(letClientsIn, seen(this, path));
  this.check(pairs, [{ holder: one(this, path), key: one(this, keyPath) }]);
});

Then("the API server asks the machine's own etcd", async function (this: World) {
  const told = flagOf(this.get(NODE).disk, 'etcd', 'advertise-client-urls');
  this.check(etcdIsLocal, manifests(this, 'kube-apiserver'), { advertised: told });
});

Then('etcd listens on loopback, over TLS', async function (this: World) {
  this.check(etcdListens, manifests(this, 'etcd'));
});

Then('the data of etcd lie on the host', async function (this: World) {
  this.check(dataOnHost, manifests(this, 'etcd'));
});

Then('the volumes of each static Pod are mounted', async function (this: World) {
  this.check(volumesMounted, every(this));
});

Then('the files that flags name are mounted in each static Pod', async function (this: World) {
  this.check(filesMounted, every(this));
});

Then('each image comes from a registry that has it', async function (this: World) {
  this.check(imageRegistry, every(this), { minor: this.get(NODE).minor });
});

Then('all images come from one repository', async function (this: World) {
  this.check(oneRepository, every(this));
});

Then('addresses of Pods are told altogether or not at all', async function (this: World) {
  this.check(podAddresses, manifests(this, 'kube-controller-manager'));
});

Then('Pods and services have no address in common', async function (this: World) {
  const services = flagOf(this.get(NODE).disk, 'kube-apiserver', 'service-cluster-ip-range');
  this.check(subnetsApart, manifests(this, 'kube-controller-manager'), { services });
});

Then('no Pod and no service has the address of the machine', async function (this: World) {
  const address = flagOf(this.get(NODE).disk, 'kube-apiserver', 'advertise-address');
  this.check(machineApart, manifests(this, 'kube-controller-manager'), { address });
});

Then('nobody signs where the key is not', async function (this: World) {
  const { disk, pki } = this.get(NODE);
  const hasKey = disk[`${pki}/ca.key`] !== undefined;
  this.check(signsWhereTheKeyIs, manifests(this, 'kube-controller-manager'), { hasKey });
});

Then('the image of etcd comes from a registry that has it', async function (this: World) {
  this.check(imageRegistry, manifests(this, 'etcd'), { minor: this.get(NODE).minor });
});

Then('the image of etcd comes from the repository that is configured', async function (this: World) {
  this.check(oneRepository, manifests(this, 'kube-apiserver', 'etcd'));
});
