/** Sentences about the audiences of tokens that a node asks for in the name of a Pod of its own. */
import { requestAllowed, requestForbidden } from '../../src/checks/authorization/access.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { onceKnown } from '../common/grants.js';
import { NODE } from '../common/joined.js';
import { podObject, register } from '../common/node-client.js';
import { attempts } from './attempts.js';
import { AUDIENCE, token } from './node-questions.js';

/** By what the features call them. */
const AUDIENCES: Readonly<Record<string, readonly string[]>> = {
  'the API server': [],
  'another audience': ['other.invalid'],
  'its audience in capitals': [AUDIENCE.toUpperCase()],
  'the beginning of its audience': [AUDIENCE.slice(0, -1)],
  'more than its audience': [`${AUDIENCE}x`],
  'its audience and another': [AUDIENCE, 'other.invalid'],
};

Then(
  'that node gets tokens of a Pod for the audience that it mounts, and not for:',
  { needs: ['writes', 'requests', 'controllers'], waits: true },
  async function (this: World, table: DataTable) {
    const { kubelet } = this.get(NODE);
    if (!(await register(this, kubelet))) return;
    const plain = podObject(this, kubelet.nodeName);
    const source = { serviceAccountToken: { path: 'token', audience: AUDIENCE, expirationSeconds: 600 } };
    const spec = { ...(plain.spec as object), volumes: [{ name: 'token', projected: { sources: [source] } }] };
    const { metadata } = await this.writes.create<KubeObject>(resources.pods, { ...plain, spec });
    const bound = { apiVersion: 'v1', kind: 'Pod', name: metadata.name, uid: metadata.uid };
    const ask = (subject: string, audiences: readonly string[]) => ({
      subject: `a token of its Pod for ${subject}, as a node`,
      question: token(bound, audiences),
    });
    const mounted = [ask('the audience that it mounts', [AUDIENCE])];
    // the authorizer of nodes learns of a Pod by its watch
    const good = await onceKnown(
      this,
      () => attempts(this, kubelet.node, mounted),
      ({ answer }) => answer.status === 201,
    );
    this.grant(requestAllowed, good, { statuses: [201] });
    const wanted = table
      .raw()
      .map(([what = '']) => ask(what, AUDIENCES[what] ?? this.unknown(`the steps know no audience that is "${what}"`)));
    this.check(requestForbidden, await attempts(this, kubelet.node, wanted));
  },
);
