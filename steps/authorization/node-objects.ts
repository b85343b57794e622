/** What two nodes have beside them: a Pod each, and what these use. Made by the run's own credential. */
import type { KubeObject, Secret } from '../../src/kubernetes/objects.js';
import { noContainer } from '../../src/kubernetes/own-objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { World } from '../../src/run/world.js';
import type { Asker, Question } from '../../src/targets/types.js';
import { grantMay, podObject } from '../common/node-client.js';
import type { Neighbours } from './node-attempts.js';
import {
  AUDIENCE,
  type Besides,
  besides,
  claims,
  DEFAULT,
  GIVEN_LABEL,
  GIVEN_TAINT,
  type Neighbour,
  read,
  secret,
} from './node-questions.js';

/** How long the Node authorizer may take to learn of a Pod. */
const GRAPH_MS = 10_000;

const named = (world: World) => ({ name: `jp-${world.random(10)}`, namespace: DEFAULT });

export async function makeSecret(world: World): Promise<string> {
  const made = await world.writes.create<Secret>(resources.secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: named(world),
    type: 'Opaque',
    data: { text: Buffer.from('made by joinproof').toString('base64') },
  });
  return made.metadata.name ?? '';
}

async function makeConfigMap(world: World): Promise<string> {
  const made = await world.writes.create(resources.configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: named(world),
  });
  return made.metadata.name ?? '';
}

/** That nobody provisions a volume for; a volume that is there may be bound to it. */
export const makeClaim = (world: World, { claim: name }: Pick<Neighbour, 'claim'>): Promise<KubeObject> =>
  world.writes.create<KubeObject>(claims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: DEFAULT },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Mi' } } },
  });

const variables = (used: Pick<Neighbour, 'secret' | 'configMap'>, how: Besides) => [
  { secretRef: { name: besides(used.secret, how) } },
  { configMapRef: { name: besides(used.configMap, how) } },
];

/**
 * A Pod that nothing runs. The claim, and what it uses otherwise than as a volume, need not be there: it is the name
 * that opens it to the node.
 */
async function makePod(world: World, node: string, used: Pick<Neighbour, 'secret' | 'configMap' | 'claim'>) {
  const plain = podObject(world, node);
  const token = { serviceAccountToken: { path: 'token', audience: AUDIENCE, expirationSeconds: 600 } };
  const spec = {
    ...(plain.spec as object),
    imagePullSecrets: [{ name: besides(used.secret, 'pull') }],
    initContainers: [{ ...noContainer('first'), envFrom: variables(used, 'first') }],
    containers: [
      {
        ...noContainer(),
        envFrom: variables(used, 'all'),
        env: [
          { name: 'A', valueFrom: { secretKeyRef: { name: besides(used.secret, 'one'), key: 'a' } } },
          { name: 'B', valueFrom: { configMapKeyRef: { name: besides(used.configMap, 'one'), key: 'b' } } },
        ],
      },
    ],
    volumes: [
      { name: 'secret', secret: { secretName: used.secret } },
      { name: 'config-map', configMap: { name: used.configMap } },
      { name: 'claim', persistentVolumeClaim: { claimName: used.claim } },
      { name: 'token', projected: { sources: [token] } },
      {
        name: 'several',
        projected: {
          sources: [
            { secret: { name: besides(used.secret, 'source') } },
            { configMap: { name: besides(used.configMap, 'source') } },
          ],
        },
      },
    ],
  };
  return (await world.writes.create<KubeObject>(resources.pods, { ...plain, spec })).metadata;
}

/** What a node that has registered itself has beside it. */
export async function neighbour(world: World, node: string): Promise<Neighbour> {
  const used = {
    secret: await makeSecret(world),
    configMap: await makeConfigMap(world),
    claim: `jp-${world.random(10)}`,
  };
  const { name = '', uid = '' } = await makePod(world, node, used);
  await world.writes.patch(resources.nodes, node, undefined, {
    metadata: { labels: { [GIVEN_LABEL]: '' } },
    spec: { taints: [GIVEN_TAINT] },
  });
  const own = await world.objects.get(resources.nodes, node);
  return { node, uid: own?.metadata.uid ?? '', pod: { name, uid }, ...used };
}

/** The Node authorizer has learned of the Pod on this node that uses the Secret. */
async function seesSecret(world: World, client: Pick<Asker, 'ask'>, node: string, question: Question): Promise<void> {
  await world.eventually(GRAPH_MS, async () => ((await client.ask(question)).status === 200 ? true : undefined));
  await grantMay(world, client, `a Secret that a Pod on ${node} uses, as that node`, question);
}

export const seesItsSecret = (world: World, client: Pick<Asker, 'ask'>, of: Neighbour): Promise<void> =>
  seesSecret(world, client, of.node, read(secret(of)));

/** A Secret of its own that a Pod on a node used, which has read it: its Pod is gone. */
export async function formerSecret(world: World, client: Pick<Asker, 'ask'>, node: string): Promise<string> {
  const name = await makeSecret(world);
  const plain = podObject(world, node);
  const volumes = [{ name: 'secret', secret: { secretName: name } }];
  const pod = await world.writes.create<KubeObject>(resources.pods, {
    ...plain,
    spec: { ...(plain.spec as object), volumes },
  });
  await seesSecret(world, client, node, read([resources.secrets, DEFAULT, name]));
  await world.writes.delete(resources.pods, pod.metadata.name ?? '', DEFAULT);
  return name;
}

/** Nobody has removed what the nodes try their hands on. */
export async function areThere(world: World, { own, other }: Neighbours): Promise<boolean> {
  const found = await Promise.all(
    [own, other].flatMap(({ node, pod }) => [
      world.objects.get(resources.nodes, node),
      world.objects.get(resources.pods, pod.name, DEFAULT),
    ]),
  );
  return found.every((object) => object !== undefined);
}
