/** Sentences about what is written down of decisions about certificate requests. */

import { requestAllowed } from '../../src/checks/authorization/access.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { writeRfc3339 } from '../../src/checks/common/rfc3339.js';
import { readIssued } from '../../src/checks/kubelet-certificates/issued.js';
import { issuedAsAsked, issuedUsages } from '../../src/checks/kubelet-certificates/issued-as-asked.js';
import { requestIssued } from '../../src/checks/kubelet-certificates/request-progress.js';
import {
  type Decided,
  decisionAsSent,
  failedWithReason,
  hasFailed,
  isCause,
  readWritten,
  type Words,
  type Written,
} from '../../src/checks/kubelet-certificates/written-conditions.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then, When } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import {
  type Asked,
  administrator,
  ask,
  CONTROLLER_MS,
  decideAs,
  demandSigner,
  issued,
  lastAsked,
  patchStatus,
  signing,
  stored,
  subjectOf,
} from '../common/csr-requests.js';
import { forEach } from '../common/each.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
const CONTROLLED = { needs: ['writes', 'requests', 'controllers'], waits: true } as const;

/** Nobody acts on these but who is asked to. */
const UNHEEDED = 'an API client of a signer that nobody runs';

const written = async (world: World, asked: Asked, after = ''): Promise<Written> =>
  readWritten(`${subjectOf(asked)}${after}`, await stored(world, asked));

/** What an administrator may write of a request, and by which door. */
const DECISIONS: Readonly<Record<string, readonly [type: string, status: string, door: 'approval' | 'status']>> = {
  approved: ['Approved', 'True', 'approval'],
  denied: ['Denied', 'True', 'approval'],
  failed: ['Failed', 'True', 'status'],
  'failed with approvals': ['Failed', 'True', 'approval'],
  'noted with approvals': ['joinproof.invalid/Noted', 'False', 'approval'],
  'noted with the status': ['joinproof.invalid/Noted', 'Unknown', 'status'],
};
/** Milliseconds that a time which comes along lies back. */
const EARLIER = 90_000;
/** So much earlier that it is no time of now by another clock, milliseconds. */
const LONG_AGO = 3_600_000;

const decisionOf = (world: World, what: string): readonly [string, string, 'approval' | 'status'] =>
  DECISIONS[what] ?? world.unknown(`the steps know no request that is ${what}`);

/** '' stands for what is left open. */
async function write(world: World, asked: Asked, door: 'approval' | 'status', words: Words): Promise<void> {
  const condition = Object.fromEntries(Object.entries(words).filter(([, value]) => value !== ''));
  const answer = await patchStatus(world, asked, door, { conditions: [condition] });
  const subject = `write ${words.type} of ${subjectOf(asked)}, as an administrator`;
  world.grant(requestAllowed, [{ subject, answer }], { statuses: [200] });
}

async function decideOnce(world: World, what: string, times: Partial<Words>): Promise<Decided> {
  const [type, status, door] = decisionOf(world, what);
  const asked = await ask(world, administrator(world), UNHEEDED);
  const words = { type, status, reason: 'JoinproofSays', message: `It is ${what}: by joinproof.` };
  const sent = { ...words, lastUpdateTime: '', lastTransitionTime: '', ...times };
  await write(world, asked, door, sent);
  return { written: await written(world, asked, `, ${what}`), sent };
}

const earlier = (world: World): string => writeRfc3339(world.now() - EARLIER);

Then(
  'what an administrator writes of a request is held as it was sent:',
  WRITES,
  async function (this: World, table: DataTable) {
    const rows = table.hashes();
    const decided = await forEach(this, rows, ({ decision = '', times = '' }) => {
      const at = earlier(this);
      return decideOnce(this, decision, times === '' ? {} : { lastUpdateTime: at, lastTransitionTime: at });
    });
    this.check(decisionAsSent, decided, { now: this.now() });
  },
);

/** Of the same status: only the words are others. */
Then('a decision whose words are changed keeps the time of its transition', WRITES, async function (this: World) {
  const asked = await ask(this, administrator(this), UNHEEDED);
  const lastTransitionTime = earlier(this);
  const first = { type: 'Approved', status: 'True', reason: 'JoinproofSays', message: 'At first.', lastUpdateTime: '' };
  await write(this, asked, 'approval', { ...first, lastTransitionTime });
  const second = { ...first, reason: 'JoinproofSaysMore', message: 'Later.' };
  await write(this, asked, 'approval', { ...second, lastTransitionTime: '' });
  const held = {
    written: await written(this, asked, ', whose words were changed'),
    sent: { ...second, lastTransitionTime },
  };
  this.check(decisionAsSent, [held], { now: this.now() });
});

Then('a note whose status is changed gets another time of its transition', WRITES, async function (this: World) {
  const asked = await ask(this, administrator(this), UNHEEDED);
  const [type, status, door] = decisionOf(this, 'noted with approvals');
  const first = { type, status, reason: 'JoinproofSays', message: 'At first.', lastUpdateTime: '' };
  await write(this, asked, door, { ...first, lastTransitionTime: writeRfc3339(this.now() - LONG_AGO) });
  const sent = { ...first, status: 'True', lastTransitionTime: '' };
  await write(this, asked, door, sent);
  const held = { written: await written(this, asked, ', whose status was changed'), sent };
  this.check(decisionAsSent, [held], { now: this.now() });
});

/** Of decisions none is, of notes every one may be. Source: validation.go validateCertificateSigningRequestUpdate. */
Then('a note is taken back', WRITES, async function (this: World) {
  const asked = await ask(this, administrator(this), UNHEEDED);
  const [type, status, door] = decisionOf(this, 'noted with approvals');
  const words = {
    type,
    status,
    reason: 'JoinproofSays',
    message: 'For now.',
    lastUpdateTime: '',
    lastTransitionTime: '',
  };
  await write(this, asked, door, words);
  const answer = await patchStatus(this, asked, door, { conditions: [] });
  const subject = `take a note of ${subjectOf(asked)} back, as an administrator`;
  this.check(requestAllowed, [{ subject, answer }], { statuses: [200] });
});

/** As scripts send it that have not read the request. Source: strategy.go AllowUnconditionalUpdate. */
Then('a decision is taken that names no version', WRITES, async function (this: World) {
  const asked = await ask(this, administrator(this), UNHEEDED);
  const condition = { type: 'Denied', status: 'True', reason: 'JoinproofSays', message: 'Whatever it is by now.' };
  const answer = await this.admin.ask({
    method: 'PUT',
    path: pathOf(resources.certificateSigningRequests, { name: asked.name, subresource: 'approval' }),
    body: {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: asked.name },
      status: { conditions: [condition] },
    },
  });
  const subject = `deny ${subjectOf(asked)} without its version, as an administrator`;
  this.check(requestAllowed, [{ subject, answer: seenIn(answer) }], { statuses: [200] });
});

const NOTED = slot<Words>('what an administrator has noted of a request');

When('an administrator notes something of it', WRITES, async function (this: World) {
  const [type, status, door] = decisionOf(this, 'noted with approvals');
  const words = { type, status, reason: 'JoinproofSays', message: 'It is noted: by joinproof.' };
  await write(this, lastAsked(this), door, this.put(NOTED, { ...words, lastUpdateTime: '', lastTransitionTime: '' }));
});

Then('what was noted of it stays', CONTROLLED, async function (this: World) {
  const held = { written: await written(this, lastAsked(this)), sent: this.get(NOTED) };
  this.check(decisionAsSent, [held], { now: this.now() });
});

Then('its signer marks as failed, once it is approved:', CONTROLLED, async function (this: World, table: DataTable) {
  await demandSigner(this);
  const all: { readonly asked: Asked; readonly because: string }[] = [];
  for (const { request = '', because = '' } of table.hashes()) {
    if (!isCause(because)) return this.unknown(`the checks know no failure for ${because}`);
    const asked = await ask(this, administrator(this), request);
    await decideAs(this, asked, 'Approved', 'granted');
    all.push({ asked, because });
  }
  const failed = await forEach(this, all, async ({ asked, because }) => {
    let last = await written(this, asked);
    await this.eventually(CONTROLLER_MS, async () => {
      if (!hasFailed(last)) last = await written(this, asked);
      return hasFailed(last) || !last.there ? true : undefined;
    });
    return { written: last, because };
  });
  this.check(failedWithReason, failed, { now: this.now() });
});

Then(
  'its signer signs, once it is approved, just what is asked for:',
  CONTROLLED,
  async function (this: World, table: DataTable) {
    await demandSigner(this);
    const all: Asked[] = [];
    for (const [request = ''] of table.raw()) {
      const asked = await ask(this, administrator(this), request);
      await decideAs(this, asked, 'Approved', 'granted');
      all.push(asked);
    }
    const progress = await forEach(this, all, (asked) => issued(this, asked));
    const [slowest = progress[0]] = progress.filter(({ certificate }) => !certificate);
    if (slowest === undefined) return this.unknown('nothing is asked for');
    if (!this.check(requestIssued, progress, await signing(this, slowest))) return;
    const certificates = await forEach(this, all, async (asked) => {
      const request = await stored(this, asked);
      return request === undefined ? [] : [readIssued(`the certificate of ${asked.what}`, request)];
    });
    this.check(issuedAsAsked, certificates.flat());
    this.check(issuedUsages, certificates.flat());
  },
);
