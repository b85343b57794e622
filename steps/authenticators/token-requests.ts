/** Sentences about what TokenRequests ask for, what they are given, and who then logs in. */

import { readClaims } from '../../src/checks/authenticators/service-accounts.js';
import {
  type BoundTo,
  loginTellsPod,
  type TokenAsked,
  tokenIsAsAsked,
} from '../../src/checks/authenticators/token-requests.js';
import { requestRefused } from '../../src/checks/authorization/access.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { record, text } from '../../src/kubernetes/json.js';
import { KUBE_PUBLIC } from '../../src/kubernetes/names.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { loginSoon } from '../common/tokens.js';
import {
  accountTokenRequest,
  type GivenToken,
  makeAccount,
  NAMESPACE,
  requestToken,
  tokenUnlessRefused,
} from './accounts.js';
import { ACCOUNT, podOf, tokenOf } from './service-accounts.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
const YEAR = 365 * 24 * 3600;
const AUDIENCES = ['joinproof.example', 'https://joinproof.example/too'] as const;
const NOBODY = '00000000-0000-4000-8000-000000000000';

type Reference = Readonly<Record<'apiVersion' | 'kind' | 'name' | 'uid', string>>;

/** What requests are bound to, made for the account. */
interface Things {
  readonly pod: Reference;
  readonly podOfAnother: Reference;
  readonly secret: Reference;
  readonly node: Reference;
  /** In another namespace than the account. */
  readonly secretElsewhere: Reference;
  readonly configMap: Reference;
  /** For whom a token is that names nobody. */
  readonly own: readonly string[];
}

const referenceTo = (kind: string, { metadata: { name = '', uid = '' } }: KubeObject): Reference => ({
  apiVersion: 'v1',
  kind,
  name,
  uid,
});

const ownName = (world: World): string => `jp-${world.random(10)}`;

const waitingPodOf = (world: World): Promise<Reference> =>
  world.shared(`the Pod that tokens of ${world.get(ACCOUNT).name} are bound to`, async () => {
    const pod = podOf(world.get(ACCOUNT), ownName(world));
    return referenceTo('Pod', await world.writes.create<KubeObject>(resources.pods, pod));
  });

/** No machine is behind it, and no Pod goes there. */
const nodeOf = async (world: World): Promise<Reference> =>
  referenceTo(
    'Node',
    await world.writes.create<KubeObject>(resources.nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: ownName(world) },
      spec: { unschedulable: true },
    }),
  );

const thingsOf = (world: World): Promise<Things> =>
  world.shared(`what tokens of ${world.get(ACCOUNT).name} are bound to`, async () => {
    const plain = (kind: string, namespace = NAMESPACE): KubeObject => ({
      apiVersion: 'v1',
      kind,
      metadata: { name: ownName(world), namespace },
    });
    const { writes } = world;
    return {
      pod: await waitingPodOf(world),
      podOfAnother: referenceTo(
        'Pod',
        await writes.create<KubeObject>(resources.pods, podOf(await makeAccount(world), ownName(world))),
      ),
      node: await nodeOf(world),
      secret: referenceTo('Secret', await writes.create<KubeObject>(resources.secrets, plain('Secret'))),
      secretElsewhere: referenceTo(
        'Secret',
        await writes.create<KubeObject>(resources.secrets, plain('Secret', KUBE_PUBLIC)),
      ),
      configMap: referenceTo('ConfigMap', await writes.create<KubeObject>(resources.configMaps, plain('ConfigMap'))),
      own: [record(readClaims((await requestToken(world, world.get(ACCOUNT), {})).token).claims).aud].flat().map(text),
    };
  });

interface Request {
  readonly spec: object;
  readonly metadata?: object;
  readonly asked?: TokenAsked;
}

const lasting = (expirationSeconds: number): Request => ({
  spec: { expirationSeconds },
  asked: { seconds: expirationSeconds },
});
const forWhom = (...audiences: readonly string[]): Request => ({ spec: { audiences }, asked: { audiences } });
const boundTo = (boundObjectRef: object, expirationSeconds = 600): Request => ({
  spec: { boundObjectRef, expirationSeconds },
});
const bound = (reference: Reference, kind: BoundTo['kind'], expirationSeconds = 600): Request => ({
  ...boundTo(reference, expirationSeconds),
  asked: { seconds: expirationSeconds, boundTo: { kind, name: reference.name, uid: reference.uid } },
});

/** What features call what is asked for. */
export const REQUESTS: Readonly<Record<string, (things: Things) => Request>> = {
  'nothing in particular': () => ({ spec: {}, asked: {} }),
  'ten minutes': () => lasting(600),
  'two hours': () => lasting(7200),
  'just 2^32 seconds': () => lasting(2 ** 32),
  'one audience': () => forWhom(AUDIENCES[0]),
  'two audiences': () => forWhom(...AUDIENCES),
  'a Pod': ({ pod }) => bound(pod, 'pod'),
  'a Pod without its UID': ({ pod: { uid: _uid, ...named }, pod }) => ({
    ...bound(pod, 'pod'),
    spec: { boundObjectRef: named, expirationSeconds: 600 },
  }),
  'a Secret': ({ secret }) => bound(secret, 'secret'),
  'a Node': ({ node }) => bound(node, 'node'),
  'a Pod and an hour': ({ pod }) => bound(pod, 'pod', 3600),
  'a Pod and a second less than kubelets ask for': ({ pod }) => bound(pod, 'pod', 3606),
  'a Pod and a second more than kubelets ask for': ({ pod }) => bound(pod, 'pod', 3608),
  'a Pod and the life that kubelets ask for': ({ pod }) => {
    const request = bound(pod, 'pod', 3607);
    return { ...request, asked: { ...request.asked, orSeconds: YEAR } };
  },
  'a Pod, the life that kubelets ask for and another audience': ({ pod }) => {
    const { spec, asked } = bound(pod, 'pod', 3607);
    const audiences = [AUDIENCES[0]];
    return { spec: { ...spec, audiences }, asked: { ...asked, audiences } };
  },
  'a Pod, the life that kubelets ask for and an audience besides': ({ pod, own }) => {
    const { spec, asked } = bound(pod, 'pod', 3607);
    const audiences = [...own, AUDIENCES[0]];
    return { spec: { ...spec, audiences }, asked: { ...asked, audiences } };
  },
  'a Secret and the life that kubelets ask for': ({ secret }) => bound(secret, 'secret', 3607),

  'one minute': () => lasting(60),
  'a second less than ten minutes': () => lasting(599),
  'no time': () => lasting(0),
  'less than no time': () => lasting(-600),
  'more than 2^32 seconds': () => lasting(2 ** 32 + 1),
  'a Pod of another account': ({ podOfAnother }) => boundTo(podOfAnother),
  'a Pod under another UID': ({ pod }) => boundTo({ ...pod, uid: NOBODY }),
  'a Pod under the beginning of its UID': ({ pod }) => boundTo({ ...pod, uid: pod.uid.slice(0, -1) }),
  'a Pod under the UID of another': ({ pod, podOfAnother }) => boundTo({ ...pod, uid: podOfAnother.uid }),
  'a Pod that nobody has': ({ pod: { uid: _uid, ...named } }) => boundTo({ ...named, name: `${named.name}x` }),
  'a Pod without a name': ({ pod: { uid: _uid, ...named } }) => boundTo({ ...named, name: '' }),
  'a Secret under another UID': ({ secret }) => boundTo({ ...secret, uid: NOBODY }),
  'a Node under another UID': ({ node }) => boundTo({ ...node, uid: NOBODY }),
  'a Node that nobody has': ({ node: { uid: _uid, ...named } }) => boundTo({ ...named, name: `${named.name}x` }),
  'a Secret that nobody has': ({ secret: { uid: _uid, ...named } }) => boundTo({ ...named, name: `${named.name}x` }),
  'a Secret of another namespace': ({ secretElsewhere }) => boundTo(secretElsewhere),
  'a ConfigMap': ({ configMap }) => boundTo(configMap),
  'a Pod of another group of the API': ({ pod }) => boundTo({ ...pod, apiVersion: 'joinproof.example/v1' }),
  'another name': () => ({ spec: {}, metadata: { name: 'jp-another' } }),
  'another namespace': () => ({ spec: {}, metadata: { namespace: 'kube-system' } }),
  'another UID': () => ({ spec: {}, metadata: { uid: NOBODY } }),
};

const requestOf = async (world: World, what: string): Promise<Request> =>
  REQUESTS[what]?.(await thingsOf(world)) ?? world.unknown(`the steps know no token that is asked for ${what}`);

/** What is told of a token where there is none. */
const NONE: GivenToken = { token: '', expires: '', spec: {} };

Then('a token of it is as asked that is asked for:', WRITES, async function (this: World, table: DataTable) {
  const account = this.get(ACCOUNT);
  const tokens = await forEach(this, table.raw(), async ([what = '']) => {
    const { spec, asked = {} } = await requestOf(this, what);
    const { token, expires, spec: told } = (await tokenUnlessRefused(this, account, spec)) ?? NONE;
    const subject = `a token of ${account.namespace}/${account.name}, asked for ${what}`;
    return { subject, asked, ...readClaims(token), expires, told };
  });
  this.check(tokenIsAsAsked, tokens);
});

/** What cannot be understood, is not there, is another one, or is not allowed; all of them give no token. */
const NO_TOKEN = { statuses: [400, 403, 404, 409, 422] } as const;

Then('no token of it is given that is asked for:', WRITES, async function (this: World, table: DataTable) {
  const account = this.get(ACCOUNT);
  const answers = await forEach(this, table.raw(), async ([what = '']) => {
    const { spec, metadata } = await requestOf(this, what);
    const { status, body } = await this.admin.ask(accountTokenRequest(account, spec, metadata));
    const token = text(record(record(body).status).token);
    if (token !== '') this.secret(token);
    const subject = `a token of ${account.namespace}/${account.name}, asked for ${what}`;
    return { subject, answer: seenIn({ status, body }) };
  });
  this.check(requestRefused, answers, NO_TOKEN);
});

Then('who comes with a token of a Pod is told with it', WRITES, async function (this: World) {
  const pod = await waitingPodOf(this);
  const made = await tokenOf(this, this.get(ACCOUNT), { boundObjectRef: pod }, 'bound to a Pod');
  const login = await loginSoon(this, made);
  this.check(loginTellsPod, [{ ...login, pod, jti: text(readClaims(made.token).claims?.jti) }]);
});

Then('who comes with a token of a Pod on a Node is told with both', WRITES, async function (this: World) {
  const { name: podName, uid } = await waitingPodOf(this);
  const node = await nodeOf(this);
  await this.admin.ask({
    method: 'POST',
    path: `${pathOf(resources.pods, { namespace: NAMESPACE, name: podName })}/binding`,
    body: {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: podName },
      target: { apiVersion: 'v1', kind: 'Node', name: node.name },
    },
  });
  const pod = { apiVersion: 'v1', kind: 'Pod', name: podName, uid };
  const made = await tokenOf(this, this.get(ACCOUNT), { boundObjectRef: pod }, 'bound to a Pod on a Node');
  const login = await loginSoon(this, made);
  this.check(loginTellsPod, [{ ...login, pod, node, jti: text(readClaims(made.token).claims?.jti) }]);
});

Then('who comes with a token of a Secret is told with nothing but the token', WRITES, async function (this: World) {
  const { secret } = await thingsOf(this);
  const made = await tokenOf(this, this.get(ACCOUNT), { boundObjectRef: secret }, 'bound to a Secret');
  const login = await loginSoon(this, made);
  this.check(loginTellsPod, [{ ...login, jti: text(readClaims(made.token).claims?.jti) }]);
});

Then('who comes with a token of a Node is told with it', WRITES, async function (this: World) {
  const node = await nodeOf(this);
  const made = await tokenOf(this, this.get(ACCOUNT), { boundObjectRef: node }, 'bound to a Node');
  const login = await loginSoon(this, made);
  this.check(loginTellsPod, [{ ...login, node, jti: text(readClaims(made.token).claims?.jti) }]);
});
