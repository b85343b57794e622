/** Sentences of the policy about what stands between a request and the cluster. */

import {
  type JudgedPolicy,
  labelsOfWorkers,
  policiesLetJoin,
  readPolicies,
} from '../../src/checks/admission/admission-policies.js';
import {
  isNeeded,
  joiningUntouched,
  lackOf,
  type ReachedWebhook,
  readWebhooks,
  requestsUnchanged,
  tokensKeptInside,
  type Webhook,
  webhooksThere,
} from '../../src/checks/admission/admission-webhooks.js';
import {
  type ApiServiceSeen,
  othersServe,
  readApiServices,
  servedByItself,
} from '../../src/checks/admission/api-services.js';
import {
  type FlowSeen,
  flowLimitsAnybody,
  flowServesJoining,
  readFlow,
} from '../../src/checks/admission/flow-control.js';
import { NAMESPACES_OF_JOINING, type NamespaceLabels } from '../../src/checks/admission/joining-requests.js';
import { type JoiningNamespace, namespacesTake, readNamespace } from '../../src/checks/told/joining-namespaces.js';
import { record, text } from '../../src/kubernetes/json.js';
import { KUBE_PUBLIC } from '../../src/kubernetes/names.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { NotInDump, UnexpectedAnswer } from '../../src/targets/errors.js';
import { grantReading, isDump, lack, notDumped, wholeLists } from '../common/reading.js';
import { atRest } from '../common/searched.js';
import { parametersOf } from './parameters.js';
import { daemonsSeen, nodesSeen } from './seen.js';

const WEBHOOKS = slot<readonly ReachedWebhook[]>('the admission webhooks of the cluster');

const NAMED = 'kubernetes.io/metadata.name';

/** Those that joining writes to, as far as they are there. */
const namespacesOf = (world: World): Promise<readonly KubeObject[]> =>
  world.shared(`namespaces of joining of ${world.target.name}`, async () => {
    const found = await Promise.all(
      NAMESPACES_OF_JOINING.map((name) => world.objects.get<KubeObject>(resources.namespaces, name)),
    );
    return found.flatMap((one) => (one === undefined ? [] : [one]));
  });

/** What is not there has the label that every namespace has. */
async function labelsOf(world: World): Promise<NamespaceLabels> {
  const found = await namespacesOf(world);
  return Object.fromEntries(
    NAMESPACES_OF_JOINING.map((name) => [
      name,
      found.find(({ metadata }) => metadata.name === name)?.metadata.labels ?? { [NAMED]: name },
    ]),
  );
}

/** What stands behind its Service: a name beyond the cluster is its host. */
async function reach(world: World, webhook: Webhook): Promise<ReachedWebhook> {
  const { objects } = world;
  const { service, seesTokens } = webhook;
  if (service === null || !(isNeeded(webhook) || seesTokens)) return { ...webhook, lacks: '' };
  const { name, namespace, port } = service;
  const found = await objects.get(resources.services, name, namespace).catch(lack);
  if (found instanceof NotInDump) return { ...webhook, lacks: '', unseen: found.message };
  const { type, externalName } = record(found?.spec);
  const host = type === 'ExternalName' ? text(externalName) : webhook.host;
  if (!isNeeded(webhook)) return { ...webhook, host, lacks: '' };
  const labelSelector = `kubernetes.io/service-name=${name}`;
  const whole = isDump(world) ? { whole: true as const } : {};
  const slices =
    found === undefined
      ? []
      : await objects.list(resources.endpointSlices, { namespace, labelSelector, ...whole }).catch(notDumped);
  if (slices === undefined) return { ...webhook, host, lacks: '', unseen: 'the dump holds no list of endpointslices' };
  return { ...webhook, host, lacks: lackOf(found, port, slices) };
}

/**
 * Of a kind of which there is nothing a dump does not tell, so that it stands for `none`; that there is nothing of both
 * is not known of it.
 */
async function eitherOf<T>(one: Promise<T>, other: Promise<T>, none: T): Promise<readonly [T, T]> {
  const [here, there] = await Promise.all([one.catch(notDumped), other.catch(notDumped)]);
  return here === undefined && there === undefined ? Promise.all([one, other]) : [here ?? none, there ?? none];
}

async function listWebhooks(world: World): Promise<readonly ReachedWebhook[]> {
  const [mutating, validating] = await eitherOf(
    atRest(world, 'mutatingWebhookConfigurations'),
    atRest(world, 'validatingWebhookConfigurations'),
    [],
  );
  const labels = await labelsOf(world);
  const reached: ReachedWebhook[] = [];
  for (const webhook of readWebhooks([...mutating, ...validating], { labels, now: world.now() }))
    reached.push(await reach(world, webhook));
  return reached;
}

Given('the admission webhooks of the cluster', { needs: ['objects'] }, async function (this: World) {
  await grantReading(this);
  this.put(WEBHOOKS, await this.shared(`admission webhooks of ${this.target.name}`, () => listWebhooks(this)));
});

Then('each that is asked of joining machines is there', function (this: World) {
  const webhooks = this.get(WEBHOOKS);
  const isOut = ({ lacks, blind }: ReachedWebhook): boolean => lacks !== '' || blind === true;
  const isKnown = (one: ReachedWebhook): boolean => one.unseen === undefined || isOut(one);
  const unknown = webhooks.find((one) => isNeeded(one) && !isKnown(one));
  // one that is out is out, whatever is behind another
  if (unknown !== undefined && !webhooks.some((one) => isNeeded(one) && isOut(one)))
    throw new NotInDump(unknown.unseen ?? '');
  this.check(webhooksThere, webhooks.filter(isKnown));
});

Then('none beyond the cluster is sent its bootstrap tokens', function (this: World) {
  this.check(tokensKeptInside, this.get(WEBHOOKS));
});

Then('none changes certificate requests', function (this: World) {
  this.check(requestsUnchanged, this.get(WEBHOOKS));
});

Then('none of a team is asked of what machines join by', function (this: World) {
  this.check(joiningUntouched, this.get(WEBHOOKS));
});

const POLICIES = slot<readonly JudgedPolicy[]>('the admission policies of the cluster');

type Whole =
  | 'validatingAdmissionPolicies'
  | 'validatingAdmissionPolicyBindings'
  | 'mutatingAdmissionPolicies'
  | 'mutatingAdmissionPolicyBindings'
  | 'apiServices'
  | 'flowSchemas'
  | 'priorityLevelConfigurations';

/** Servers that serve no policies have none. */
async function listedIfServed(world: World, kind: Whole): Promise<readonly KubeObject[]> {
  try {
    return await atRest(world, kind);
  } catch (error) {
    if (error instanceof UnexpectedAnswer && error.code === 404) return [];
    throw error;
  }
}

async function listPolicies(world: World): Promise<readonly JudgedPolicy[]> {
  const of = async (ofPolicies: Whole, ofBindings: Whole) => {
    const policies = await listedIfServed(world, ofPolicies);
    const bindings = await listedIfServed(world, ofBindings);
    return { policies, bindings, parameters: await parametersOf(world, policies, bindings) };
  };
  const nodes = await nodesSeen(world);
  const [validating, mutating] = await eitherOf(
    of('validatingAdmissionPolicies', 'validatingAdmissionPolicyBindings'),
    of('mutatingAdmissionPolicies', 'mutatingAdmissionPolicyBindings'),
    { policies: [], bindings: [], parameters: {} },
  );
  const labels = await labelsOf(world);
  return readPolicies(validating, mutating, { labels, workers: labelsOfWorkers(nodes) });
}

Given('the admission policies of the cluster', { needs: ['objects'] }, async function (this: World) {
  await grantReading(this);
  this.put(POLICIES, await this.shared(`admission policies of ${this.target.name}`, () => listPolicies(this)));
});

Then('none refuses or changes what joining machines ask for', function (this: World) {
  this.check(policiesLetJoin, this.get(POLICIES));
});

const API_SERVICES = slot<readonly ApiServiceSeen[]>('the API services of the cluster');

Given('the API services of the cluster', { needs: ['objects'] }, async function (this: World) {
  await grantReading(this);
  const services = await this.shared(`API services of ${this.target.name}`, () => listedIfServed(this, 'apiServices'));
  this.put(API_SERVICES, readApiServices(services));
});

Then('what machines join by is served by the API server itself', function (this: World) {
  this.check(servedByItself, this.get(API_SERVICES));
});

Then('what others serve of the API is there', async function (this: World) {
  await wholeLists(this, [resources.services]);
  const services = (await atRest(this, 'services')).map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
  this.check(othersServe, this.get(API_SERVICES), { services, now: this.now() });
});

const FLOW = slot<readonly FlowSeen[]>('the flow control of the cluster');

Given('the flow control of the cluster', { needs: ['objects'] }, async function (this: World) {
  await grantReading(this);
  const [schemas, levels] = await this.shared(`flow control of ${this.target.name}`, () =>
    Promise.all([listedIfServed(this, 'flowSchemas'), listedIfServed(this, 'priorityLevelConfigurations')]),
  );
  this.put(FLOW, readFlow(schemas, levels));
});

Then('what joining machines ask for is served', function (this: World) {
  this.check(flowServesJoining, this.get(FLOW));
});

Then('it exempts nobody who may be anybody', function (this: World) {
  this.check(flowLimitsAnybody, this.get(FLOW));
});

const NAMESPACES = slot<readonly JoiningNamespace[]>('the namespaces that joining writes to');

Given('the namespaces that joining writes to', { needs: ['objects'] }, async function (this: World) {
  await grantReading(this);
  // nobody may delete kube-public, and nothing is made there
  const written = (await namespacesOf(this)).filter(({ metadata }) => metadata.name !== KUBE_PUBLIC);
  const daemons = (await daemonsSeen(this).catch(notDumped)) ?? [];
  const found = await Promise.all(
    written.map(async (namespace) => {
      const within = { namespace: namespace.metadata.name ?? '' };
      const quotas = (await this.objects.list(resources.resourceQuotas, within).catch(notDumped)) ?? [];
      const ranges = (await this.objects.list(resources.limitRanges, within).catch(notDumped)) ?? [];
      return readNamespace({ namespace, quotas, ranges, daemons });
    }),
  );
  // of a kind of which there is nothing a dump does not tell; what the namespaces themselves say counts all the same
  if (isDump(this) && found.every(({ lacks }) => lacks.length === 0))
    await eitherOf(this.objects.list(resources.resourceQuotas), this.objects.list(resources.limitRanges), []);
  this.put(NAMESPACES, found);
});

Then('each takes what is written for machines that join', function (this: World) {
  this.check(namespacesTake, this.get(NAMESPACES));
});
