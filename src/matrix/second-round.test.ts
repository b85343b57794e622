import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Mutant } from '../mutants/types.js';
import { VARIANTS } from './foreign.js';
import type { Job, Played } from './job.js';
import { groupsPlayed, paralysedPlayed, playedTogether } from './second-round.js';

const row = (rule: string, check: string, role = 'demand') => ({ rule, check, role });
const shown = {
  refusing: ['A-01'],
  rows: {
    all: [
      row('A-01', 'login/refused'),
      row('B-01', 'login/allowed', 'control'),
      row('C-01', 'joining-client/asks'),
      row('C-02', 'joined-files/files', 'control'),
      row('D-01', 'preflight/errors'),
      row('E-01', 'login/allowed'),
      row('F-01', 'other-joining-client/asks'),
    ],
  },
} as unknown as Played;
const IDS = ['A-01', 'B-01', 'C-01', 'C-02', 'D-01', 'E-01', 'F-01', 'CSR-014'];
const whole = { shown, ids: new Set(IDS), everything: undefined };
const some = { ...whole, everything: IDS };
const mutant = (name: string, more: Partial<Mutant> = {}): Mutant => ({ name, defect: 'none', killedBy: [], ...more });
const rulesOf = ({ rules }: Exclude<Job, { kind: 'miniature' }>) => rules;
type Ruled = Exclude<Job, { kind: 'miniature' }>;

describe('what is played at last', () => {
  it('is one alone, or several at once', () => {
    assert.deepEqual(playedTogether('g', ['a'], ['A-01']), { kind: 'mutant', name: 'a', rules: ['A-01'] });
    assert.deepEqual(playedTogether('g', ['a', 'b'], undefined), {
      kind: 'group',
      name: 'g',
      members: ['a', 'b'],
      rules: undefined,
    });
  });

  it('are groups: of clusters without what is of joining clients, of clients by all', () => {
    const groups = [[mutant('a'), mutant('b')], [mutant('c'), mutant('d', { client: {} })], [mutant('e')]];
    const others = IDS.filter((id) => !['C-01', 'C-02'].includes(id));
    assert.deepEqual(groupsPlayed(groups, whole), [
      { kind: 'group', name: 'group 0', members: ['a', 'b'], rules: others },
      { kind: 'group', name: 'group 1', members: ['c', 'd'], rules: undefined },
      { kind: 'mutant', name: 'e', rules: others },
    ]);
    assert.deepEqual(
      groupsPlayed(groups, some).map((job) => rulesOf(job as Ruled)),
      [others, IDS, others],
    );
    const clients = { ...some, ids: new Set(['C-01']), everything: ['C-01'] };
    assert.deepEqual(
      groupsPlayed(groups, clients).map(({ name }) => name),
      ['group 1'],
    );
  });

  it('are groups by all rules where the reference could not be played', () => {
    const jobs = groupsPlayed([[mutant('a'), mutant('b')]], { ...whole, shown: undefined });
    assert.deepEqual(
      jobs.map((job) => rulesOf(job as Ruled)),
      [IDS],
    );
  });

  it('are paralysed variants, by rules about refusing and with controls, but for those about clients', () => {
    const played = new Map(paralysedPlayed(whole).map((job) => [job.name, rulesOf(job as Ruled)]));
    assert.deepEqual(played.get('every write refused'), ['A-01', 'B-01']);
    // and by those that say what is left undone
    assert.deepEqual(played.get('no approver'), ['A-01', 'B-01', 'CSR-014']);
    // or by those alone that it touches, where they are played at all
    assert.deepEqual(played.get('joining tokens ask for no certificates'), ['CSR-014']);
    assert.equal(played.has('nothing is denied'), false);
    // of a client all are of interest
    assert.equal(played.has('a client that hangs'), true);
    assert.equal(played.get('a client that hangs'), undefined);
    for (const { name } of VARIANTS.filter(({ rules }) => rules === undefined)) assert.ok(played.has(name), name);
    for (const job of paralysedPlayed(whole)) assert.equal(job.kind, 'paralysed');
  });

  it('are those that are left where only some rules are asked for', () => {
    const one = { shown, ids: new Set(['CSR-018']), everything: ['CSR-018'] };
    const played = new Map(paralysedPlayed(one).map((job) => [job.name, rulesOf(job as Ruled)]));
    assert.deepEqual(played.get('nothing is denied'), ['CSR-018']);
    assert.deepEqual(played.get('a client that hangs'), ['CSR-018']);
    const nothing = paralysedPlayed({ shown: undefined, ids: new Set(['E-01']), everything: ['E-01'] });
    assert.deepEqual(
      nothing.map(({ name }) => name),
      VARIANTS.flatMap(({ name, client }) => (client === undefined ? [] : [name])),
    );
  });
});
