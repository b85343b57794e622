/** Sentences about flags and files of a control plane that go together. */
import { startedBy } from '../../src/checks/node-files/kubelet-started.js';
import { pairsThere, readAsWritten } from '../../src/checks/node-files/node-files.js';
import { listensHere } from '../../src/checks/node-files/node-flags.js';
import { controllersKnown, nothingOff, pluginsKnown } from '../../src/checks/node-files/node-known-names.js';
import { hostOf } from '../../src/checks/node-files/node-names.js';
import { flagsGoTogether, kubeletVerified, namedFilesThere } from '../../src/checks/node-files/node-relations.js';
import { flagOf, KUBERNETES, manifestPath } from '../../src/checks/node-files/node-roles.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { manifests, NODE, one, ownManifests, seen } from './disk.js';

Then('the API server has the admission plugins that it is told of', async function (this: World) {
  this.check(pluginsKnown, manifests(this, 'kube-apiserver'), { minor: this.get(NODE).minor });
});

Then('the controller manager has the controllers that it is told of', async function (this: World) {
  this.check(controllersKnown, manifests(this, 'kube-controller-manager'));
});

Then('nothing is off that a cluster relies on', async function (this: World) {
  this.check(nothingOff, manifests(this, 'kube-apiserver', 'kube-controller-manager'));
});

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
