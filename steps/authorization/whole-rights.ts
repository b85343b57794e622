/** Sentences about all that somebody may do, kind by kind of the API and verb by verb. */

import { access, accessText, reviewOf } from '../../src/checks/authorization/access-questions.js';
import { allowsJustThat, type ByVerb } from '../../src/checks/authorization/just-that.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { GROUP_AUTHENTICATED, GROUP_NODES, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { listedIn } from '../common/tables.js';

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
/** Of the whole, where no object is named. */
const OF_ALL = ['list', 'watch', 'create', 'deletecollection'];

const NODE = { user: `${NODE_USER_PREFIX}jp-node`, groups: [GROUP_NODES, GROUP_AUTHENTICATED] };

interface Row {
  readonly verbs: readonly string[];
  readonly what: string;
  readonly where: string;
  readonly name: string;
}
const rowsOf = (table: DataTable): readonly Row[] =>
  table
    .hashes()
    .flatMap(({ verbs = '', what, where = '', name = '' }) =>
      listedIn(what).map((one) => ({ verbs: verbs === 'nothing' ? [] : listedIn(verbs), what: one, where, name })),
    );

async function byVerb(world: World, { verbs, what, where, name }: Row): Promise<ByVerb> {
  const answers = await forEach(world, VERBS, async (verb) => {
    const wanted = access(verb, what, where, OF_ALL.includes(verb) && !what.includes('/') ? '' : name);
    return { verb, answer: seenIn(await world.ability('reviews').review(reviewOf(wanted, NODE))) };
  });
  return { subject: accessText(access('all of', what, where, name)), wanted: verbs, answers };
}

Then(
  'the Node authorizer lets nodes do with each of these just that:',
  { needs: ['reviews'] },
  async function (this: World, table: DataTable) {
    this.check(allowsJustThat, await forEach(this, rowsOf(table), (row) => byVerb(this, row)));
  },
);
