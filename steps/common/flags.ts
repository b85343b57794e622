/** Sentences about flags that a component's static Pod publishes. Where none is published they say nothing: other sentences of the rule judge by behaviour. */

import {
  type CommandLine,
  commandLines,
  isJoiningController,
  listOf,
  runsController,
} from '../../src/checks/control-plane-flags.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';

/** What the kubelets of the control plane publish of a component; nothing where there is no kubelet, or the control plane is hidden. */
export async function published(world: World, component: string): Promise<CommandLine[]> {
  return commandLines(
    await world.objects.list(resources.pods, { namespace: KUBE_SYSTEM, labelSelector: `component=${component}` }),
  );
}

Then(
  'the flag {string} of {word}, where it is published, has {string} and has not {string}',
  async function (this: World, flag: string, component: string, wanted: string, unwanted: string) {
    for (const { pod, flags } of await published(this, component)) {
      // another way to configure it takes the flag's place
      if (flag === 'authorization-mode' && flags.has('authorization-config')) continue;
      const values = listOf(flags.get(flag));
      this.expect({
        object: pod,
        demanded: `--${flag} has ${wanted} and has not ${unwanted}`,
        seen: values.join(',') || 'not set',
        ok: values.includes(wanted) && !values.includes(unwanted),
      });
    }
  },
);

Then(
  'the flag {string} of {word}, where it is published, is {string}',
  async function (this: World, flag: string, component: string, wanted: string) {
    for (const { pod, flags } of await published(this, component)) {
      const value = flags.get(flag);
      this.expect({ object: pod, demanded: `--${flag}=${wanted}`, seen: value ?? 'not set', ok: value === wanted });
    }
  },
);

Then(
  'the flag {string} of {word}, where it is published, does not switch off {string}',
  async function (this: World, flag: string, component: string, name: string) {
    if (!isJoiningController(name)) return this.unknown(`the steps know no controller "${name}"`);
    for (const { pod, flags } of await published(this, component)) {
      const value = flags.get(flag);
      this.expect({
        object: pod,
        demanded: `--${flag} leaves ${name} on`,
        seen: value ?? 'not set, which is *',
        ok: runsController(value, name),
      });
    }
  },
);
