/** Sentences about the parts that Secrets and ConfigMaps are written in. */

import { requestAllowed, requestRefused } from '../../src/checks/authorization/access.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { isAbsent, isThere } from '../../src/checks/common/presence.js';
import { readSaying, saysJustThat } from '../../src/checks/common/sayings.js';
import { base64, record } from '../../src/kubernetes/json.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { attempts } from '../authorization/attempts.js';
import { DRY, triedPatch } from '../common/trials.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
/** No sweep knows a ConfigMap of other keys. */
const OURS = { needs: ['writes', 'requests', 'ours'] } as const;
const DEFAULT = 'default';
const KEY = 'text';
const [BEFORE, WRITTEN] = ['before', 'as it was written'] as const;

Then('of a key in data and stringData the text is held, in data alone', WRITES, async function (this: World) {
  const subject = 'a Secret with a key in data and in stringData';
  const metadata = { name: `jp-${this.random(10)}`, namespace: DEFAULT };
  const parts = { data: { [KEY]: base64(BEFORE) }, stringData: { [KEY]: WRITTEN } };
  const answer = await this.admin.ask({
    method: 'POST',
    path: pathOf(resources.secrets, { namespace: DEFAULT }),
    query: DRY,
    body: { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', ...parts },
  });
  this.grant(requestAllowed, [{ subject, answer: seenIn(answer) }], {});
  const { data, stringData } = record(answer.body);
  const held = { subject: `the text, in the data of ${subject}`, there: record(data)[KEY] === base64(WRITTEN) };
  this.check(isThere, [held], { demanded: 'is what is stored' });
  this.check(isAbsent, [{ subject: `stringData, of ${subject}`, there: stringData !== undefined }], {
    demanded: 'is not told again',
  });
});

/** Source: pkg/apis/core/v1/defaults.go SetDefaults_Secret. */
Then('a Secret that is made of no type is opaque', WRITES, async function (this: World) {
  const metadata = { name: `jp-${this.random(10)}`, namespace: DEFAULT };
  const question: Question = {
    method: 'POST',
    path: pathOf(resources.secrets, { namespace: DEFAULT }),
    query: DRY,
    body: { apiVersion: 'v1', kind: 'Secret', metadata, data: { [KEY]: base64(BEFORE) } },
  };
  const wanted = { status: 201, says: { type: 'Opaque' } };
  this.check(saysJustThat, [readSaying('a Secret of no type', wanted, await this.admin.ask(question))]);
});

const configMap = (name: string, more: object): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: DEFAULT },
  data: { [KEY]: BEFORE },
  binaryData: { bytes: base64(BEFORE) },
  ...more,
});
const made = (object: ConfigMap): Question => ({
  method: 'POST',
  path: pathOf(resources.configMaps, { namespace: DEFAULT }),
  query: DRY,
  body: object,
});

Then('no ConfigMap is made with a key in data and binaryData', WRITES, async function (this: World) {
  const name = `jp-${this.random(10)}`;
  const sound = { subject: 'a ConfigMap of two keys, of text and of bytes', question: made(configMap(name, {})) };
  this.grant(requestAllowed, await attempts(this, this.admin, [sound]), {});
  const twice = configMap(name, { binaryData: { [KEY]: base64(BEFORE) } });
  const odd = { subject: 'a ConfigMap with a key in data and in binaryData', question: made(twice) };
  this.check(requestRefused, await attempts(this, this.admin, [odd]), { statuses: [422] });
});

const CHANGES: Readonly<Record<string, object>> = {
  'a patch of its text': { data: { [KEY]: WRITTEN } },
  'a patch of its bytes': { binaryData: { bytes: base64(WRITTEN) } },
  'a patch that lets it change again': { immutable: false },
};

Then(
  'a ConfigMap that says that it does not change is not changed by:',
  OURS,
  async function (this: World, table: DataTable) {
    const name = `jp-${this.random(10)}`;
    await this.writes.create<ConfigMap>(resources.configMaps, configMap(name, { immutable: true }));
    const path = pathOf(resources.configMaps, { namespace: DEFAULT, name });
    const patched = (body: object): Question => triedPatch(path, 'merge', body);
    const harmless = { subject: 'a patch of its labels', question: patched({ metadata: { labels: { a: 'b' } } }) };
    this.grant(requestAllowed, await attempts(this, this.admin, [harmless]), {});
    const wanted = table.raw().map(([what = '']) => ({
      subject: what,
      question: patched(CHANGES[what] ?? this.unknown(`the steps know no change that is "${what}"`)),
    }));
    this.check(requestRefused, await attempts(this, this.admin, wanted), { statuses: [422] });
  },
);
