/**
 * Sentences about flags that a component's static Pod publishes. Where none is published they say nothing: other
 * sentences of the rule judge by behaviour.
 */

import { type PublishedPod, powersShown, publishedPodsBound } from '../../src/checks/node-files/node-privileges.js';
import {
  type ImageNamed,
  type ImageRun,
  readImagesNamed,
  readImagesRun,
} from '../../src/checks/policy/control-plane-images.js';
import { containersOf } from '../../src/checks/policy/host-paths.js';
import { isProbed } from '../../src/checks/policy/probes.js';
import { filesBelongTogether, valuesLetJoin } from '../../src/checks/told/published-files.js';
import {
  type PublishedLine,
  publishedFlagsSound,
  publishedProxiesApart,
} from '../../src/checks/told/published-flags.js';
import {
  type CommandLine,
  commandLines,
  controllerLeftOn,
  flagEquals,
  flagGiven,
  flagLacks,
  flagLists,
  flagNotGiven,
  flagOf,
  isJoiningController,
} from '../../src/checks/written/control-plane-flags.js';
import { record, text } from '../../src/kubernetes/json.js';
import { ADVERTISED_ENDPOINT, KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { forEach } from './each.js';

/** A Pod of a component: where it runs, and the flags that it shows. */
interface ComponentPod {
  readonly nodeName: string;
  readonly lines: readonly CommandLine[];
  readonly images: readonly string[];
  readonly runs: readonly ImageRun[];
  readonly named: readonly ImageNamed[];
  readonly endpoint: string | undefined;
  readonly isProbed: boolean;
  /** undefined: it shows no flags. */
  readonly shown: PublishedPod | undefined;
}

/** Those that kubelets of the control plane publish; none where there is no kubelet, or the control plane is hidden. */
export const componentPods = (world: World, component: string): Promise<readonly ComponentPod[]> =>
  world.shared(`Pods of ${component} of ${world.target.name}`, () =>
    world.objects.list(
      resources.pods,
      { namespace: KUBE_SYSTEM, labelSelector: `component=${component}` },
      (pod): ComponentPod => {
        const lines = commandLines([pod]);
        return {
          nodeName: text(record(pod.spec).nodeName),
          lines,
          images: containersOf(record(pod)).map(({ image }) => text(image)),
          runs: readImagesRun(pod, resources.pods.kind),
          endpoint: pod.metadata.annotations?.[ADVERTISED_ENDPOINT],
          isProbed: isProbed(pod),
          named: readImagesNamed(pod, resources.pods.kind),
          shown: lines.map(({ pod: subject, flags }) => ({
            subject,
            powers: powersShown({ pod: record(pod), flags: Object.fromEntries(flags) }, component),
          }))[0],
        };
      },
    ),
  );

/** What kubeadm makes of the images of one repository. */
const OF_KUBERNETES = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];

/** Pods of all of them. */
export const controlPlanePods = async (world: World): Promise<readonly ComponentPod[]> =>
  (await forEach(world, OF_KUBERNETES, (component) => componentPods(world, component))).flat();

/** With those of etcd. */
export const controlPlaneAndEtcdPods = async (world: World): Promise<readonly ComponentPod[]> => [
  ...(await controlPlanePods(world)),
  ...(await componentPods(world, 'etcd')),
];

/** What these publish. */
export const published = async (world: World, component: string): Promise<CommandLine[]> =>
  (await componentPods(world, component)).flatMap(({ lines }) => lines);

Given('{word} publishes its flags', { needs: ['objects'] }, async function (this: World, component: string) {
  if ((await published(this, component)).length === 0)
    this.skip('nothing', `no Pod of kube-system shows the flags of ${component}`);
});

Then(
  'the flag {string} of {word}, where it is published, has {string} and has not {string}',
  async function (this: World, flag: string, component: string, wanted: string, unwanted: string) {
    this.check(flagLists, flagOf(await published(this, component), flag), { wanted, unwanted });
  },
);

Then(
  'the flag {string} of {word}, where it is published, has not {string}',
  async function (this: World, flag: string, component: string, unwanted: string) {
    this.check(flagLacks, flagOf(await published(this, component), flag), { unwanted });
  },
);

Then(
  'the flag {string} of {word}, where it is published, is {string}',
  async function (this: World, flag: string, component: string, wanted: string) {
    this.check(flagEquals, flagOf(await published(this, component), flag), { wanted });
  },
);

Then(
  'the flag {string} of {word}, where it is published, is given',
  async function (this: World, flag: string, component: string) {
    this.check(flagGiven, flagOf(await published(this, component), flag));
  },
);

Then(
  'the flag {string} of {word}, where it is published, is not given',
  async function (this: World, flag: string, component: string) {
    this.check(flagNotGiven, flagOf(await published(this, component), flag));
  },
);

Then(
  'the flag {string} of {word}, where it is published, does not switch off {string}',
  async function (this: World, flag: string, component: string, name: string) {
    if (!isJoiningController(name)) return this.unknown(`the steps know no controller "${name}"`);
    this.check(controllerLeftOn, flagOf(await published(this, component), flag), { controller: name });
  },
);

const linesOf = async (world: World, component: string): Promise<readonly PublishedLine[]> =>
  (await componentPods(world, component)).flatMap(({ lines, endpoint, isProbed: asked }) =>
    lines.map(({ pod, flags }) => ({
      subject: pod,
      program: component,
      flags: Object.fromEntries(flags),
      endpoint,
      ...(asked ? { isProbed: true } : {}),
    })),
  );

Then('the flags of {word} are sound', { needs: ['kubeadm'] }, async function (this: World, component: string) {
  this.check(publishedFlagsSound, await linesOf(this, component));
});

Then(
  'the flags of {word} let no client speak for others',
  { needs: ['kubeadm'] },
  async function (this: World, component: string) {
    this.check(publishedProxiesApart, await linesOf(this, component));
  },
);

Then(
  'the flags of {word} name what belongs together',
  { needs: ['kubeadm'] },
  async function (this: World, component: string) {
    this.check(filesBelongTogether, await linesOf(this, component));
  },
);

Then(
  'what the flags of {word} say lets machines become nodes',
  { needs: ['kubeadm'] },
  async function (this: World, component: string) {
    this.check(valuesLetJoin, await linesOf(this, component));
  },
);

Then(
  'nothing but its flags has power over {word}, and it has none over its machine',
  { needs: ['kubeadm'] },
  async function (this: World, component: string) {
    const pods = await componentPods(this, component);
    this.check(
      publishedPodsBound,
      pods.flatMap(({ shown }) => shown ?? []),
    );
  },
);
