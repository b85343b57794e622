/** Sentences of the policy about what stands between a request and the cluster. */
import {
  isNeeded,
  type ReachedWebhook,
  readWebhooks,
  tokensKeptInside,
  webhooksThere,
} from '../../src/checks/admission-webhooks.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { type Resource, resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { grantReading } from '../common/reading.js';

const WEBHOOKS = slot<readonly ReachedWebhook[]>('the admission webhooks of the cluster');

async function listWebhooks({ objects }: World): Promise<readonly ReachedWebhook[]> {
  // The items of a list do not say their kind.
  const listed = (resource: Resource): Promise<readonly KubeObject[]> =>
    objects.list(resource, {}, (item: KubeObject) => ({ ...item, kind: resource.kind }));
  const [mutating, validating, namespace] = await Promise.all([
    listed(resources.mutatingWebhookConfigurations),
    listed(resources.validatingWebhookConfigurations),
    objects.get(resources.namespaces, KUBE_SYSTEM),
  ]);
  const reached: ReachedWebhook[] = [];
  for (const webhook of readWebhooks([...mutating, ...validating], namespace?.metadata.labels ?? {})) {
    const { service } = webhook;
    const isThere =
      service === null ||
      !isNeeded(webhook) ||
      (await objects.get(resources.services, service.name, service.namespace)) !== undefined;
    reached.push({ ...webhook, isThere });
  }
  return reached;
}

// Manifests need not hold the Services: only who is asked knows that one is not there.
Given('the admission webhooks of the cluster', { needs: ['objects', 'requests'] }, async function (this: World) {
  await grantReading(this);
  this.put(WEBHOOKS, await this.shared(`admission webhooks of ${this.target.name}`, () => listWebhooks(this)));
});

Then('each that is asked of joining machines is there', function (this: World) {
  this.check(webhooksThere, this.get(WEBHOOKS));
});

Then('none beyond the cluster is sent its bootstrap tokens', function (this: World) {
  this.check(tokensKeptInside, this.get(WEBHOOKS));
});
