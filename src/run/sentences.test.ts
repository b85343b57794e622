import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ABILITIES } from '../targets/types.js';
import { readRecord } from '../tools/drift-record.js';
import { readFeatures } from './features.js';
import { featuresFolder } from './package-root.js';
import { validAreas, validCandidates, validTraps } from './sentence-files.js';
import {
  type Area,
  areaTexts,
  compiledAreas,
  packageTraps,
  rulesOf,
  type Sentence,
  Sentences,
  sentenceProblems,
  sentencesOf,
  textHash,
  trapsOf,
} from './sentences.js';

const byFile = validAreas();
const areas = [...byFile.values()];
const sentences = areas.flatMap((area) => area.sentences);
const traps = validTraps();
const { rules } = readFeatures(featuresFolder);

describe('the sentences of the package', () => {
  it('are all there: 646 in 36 areas, 50 traps, each kind as often as the catalogue counts', () => {
    assert.equal(areas.length, 36);
    assert.equal(sentences.length, 646);
    assert.equal(traps.length, 50);
    const kinds = Object.fromEntries(
      ['state', 'behaviour', 'client', 'host'].map((kind) => [kind, sentences.filter((s) => s.kind === kind).length]),
    );
    assert.deepEqual(kinds, { state: 208, behaviour: 212, client: 99, host: 127 });
  });

  it('agree with the features, both ways, and traps touch sentences only', () => {
    const wanted = [
      ...areas,
      ...['P', 'T'].map((area) => ({ area, sentences: validCandidates().filter(({ id }) => id.startsWith(area)) })),
    ];
    assert.deepEqual(sentenceProblems({ rules }, wanted, traps), []);
  });

  it('leave no trap without a rule, or a reason at every sentence that it touches', () => {
    const byId = new Map(sentences.map((sentence) => [sentence.id, sentence]));
    for (const { id, sentences: touched } of traps)
      for (const sentence of touched) {
        const found = byId.get(sentence);
        assert.ok(found !== undefined, `${id} ${sentence}`);
        assert.ok(rulesOf(found).length > 0 || (found.waits ?? found.excluded) !== undefined, `${id} ${sentence}`);
      }
    assert.deepEqual(
      trapsOf('INFO-016').map(({ id }) => id),
      ['TRAP-10', 'TRAP-11'],
    );
    assert.deepEqual(packageTraps(), traps);
  });

  it('stand in their order, without a gap, in the file of their area', () => {
    for (const [file, { area, sentences: own }] of byFile) {
      assert.equal(file, `${area.toLowerCase()}.yaml`);
      const expected = own.map((_, index) => `${area}-${String(index + 1).padStart(3, '0')}`);
      assert.deepEqual(
        own.map(({ id }) => id),
        expected,
      );
    }
    assert.deepEqual(
      traps.map(({ id }) => id),
      traps.map((_, index) => `TRAP-${String(index + 1).padStart(2, '0')}`),
    );
  });

  it('cite headings that the documents have', () => {
    const headings = new Set(
      readRecord().flatMap(({ document, sections }) => sections.map(({ heading }) => `${document} ${heading}`)),
    );
    const lost = [...sentences, ...traps].flatMap(({ id, places }) =>
      places.filter(({ document, heading }) => !headings.has(`${document} ${heading}`)).map((place) => ({ id, place })),
    );
    assert.deepEqual(lost, []);
  });

  it('have the level of the rules of the same id', () => {
    const all = new Map([...validCandidates(), ...sentences].map((sentence) => [sentence.id, sentence]));
    for (const { id, level } of rules) {
      const own = all.get(id);
      if (own !== undefined) assert.equal(own.level.split(' ')[0], level, `the level of ${id}`);
    }
  });

  it('give every rule at least one document, or a candidate where it goes beyond them', () => {
    const beyond = new Set(validCandidates().flatMap(rulesOf));
    for (const { id } of rules) assert.notEqual(sentencesOf(id).length > 0, beyond.has(id), id);
  });

  it('number the candidates upwards, each once', () => {
    const ids = validCandidates().map(({ id }) => id);
    const numbered = new Intl.Collator('en', { numeric: true });
    assert.deepEqual(ids, [...new Set(ids)].sort(numbered.compare));
  });

  it('wait for abilities that targets have, or that the next kinds of target will have', () => {
    const abilities: readonly string[] = [...ABILITIES, 'files', 'client'];
    for (const { id, waits } of sentences)
      assert.ok(waits === undefined || abilities.includes(waits), `${id} waits for ${waits}`);
  });

  it('say their level in the statement', () => {
    for (const { id, level, statement } of sentences) assert.ok(statement.includes(level), `${id}: ${statement}`);
  });

  it('are found by the rule that judges them', () => {
    const ids = (rule: string): readonly string[] => sentencesOf(rule).map(({ id }) => id);
    assert.deepEqual(ids('AUTH-005'), ['AUTH-005', 'CSR-030']);
    assert.deepEqual(ids('SEC-005'), ['SEC-001', 'SEC-005']);
    assert.deepEqual(ids('P-99'), []);
  });
});

const sentence = (id: string, more: Partial<Sentence> = {}): Sentence => ({
  id,
  places: [{ document: '001', heading: 'h' }],
  level: 'MUST',
  kind: 'state',
  statement: 'It MUST be so.',
  today: 'Still true.',
  ...more,
});
const area = (...own: readonly Sentence[]): readonly Area[] => [{ area: 'TOK', title: 't', sentences: own }];
const judging = (...ids: readonly string[]) => ({
  rules: ids.map((id) => ({ ...(rules[0] as (typeof rules)[number]), id, place: `${id}.feature:1` })),
});

describe('sentenceProblems', () => {
  it('is empty where both agree, shared and restating rules included', () => {
    const own = [
      sentence('TOK-001'),
      sentence('TOK-002', { rule: ['TOK-001', 'TOK-002'] }),
      sentence('TOK-003', { rule: 'TOK-001' }),
      sentence('TOK-004', { waits: 'client' }),
      sentence('TOK-005', { excluded: 'Nothing to see.' }),
    ];
    assert.deepEqual(sentenceProblems(judging('TOK-001', 'TOK-002'), area(...own), []), []);
  });

  const problem = (own: readonly Sentence[], ...ids: readonly string[]): string =>
    sentenceProblems(judging(...ids), area(...own), []).join('\n');

  it('sees a sentence that nothing is said of', () => {
    assert.match(problem([sentence('TOK-001')]), /TOK-001 has no rule of its own, names none/);
  });
  it('sees a rule that no feature has', () => {
    const seen = problem([sentence('TOK-001'), sentence('TOK-002', { rule: 'TOK-011' })], 'TOK-001');
    assert.match(seen, /TOK-002 is said to be judged by TOK-011, which no feature has\. Did you mean "TOK-001"\?/);
  });
  it('sees a rule that judges no sentence', () => {
    assert.match(problem([sentence('TOK-001')], 'TOK-001', 'TOK-002'), /TOK-002\.feature:1: no sentence/);
  });
  it('sees a rule of its own that is passed over', () => {
    const two = ['TOK-001', 'TOK-002'] as const;
    assert.match(problem([sentence('TOK-001', { waits: 'client' })], 'TOK-001'), /TOK-001 is said not to be judged/);
    const other = [sentence('TOK-001'), sentence('TOK-002', { rule: 'TOK-001' })];
    assert.match(problem(other, ...two), /TOK-002 has a rule of its own, but is said to be judged by TOK-001/);
  });
  it('sees an id twice, in another area, or said without need', () => {
    assert.match(problem([sentence('TOK-001'), sentence('TOK-001')], 'TOK-001'), /TOK-001 stands .* more than once/);
    assert.match(problem([sentence('SEC-001')], 'SEC-001'), /SEC-001 stands in the file of the area TOK/);
    assert.match(problem([sentence('TOK-001', { rule: 'TOK-001' })], 'TOK-001'), /goes without saying/);
  });
  it('sees a trap on a sentence that is none', () => {
    const trap = { id: 'TRAP-01', places: [], sentences: ['TOK-009'], trap: 't', advice: 'a', today: 't' };
    assert.match(sentenceProblems(judging(), [], [trap]).join('\n'), /TRAP-01 touches TOK-009, which is no sentence/);
  });
});

const text = (own: string): ReadonlyMap<string, string> =>
  new Map([['tok.yaml', `area: TOK\ntitle: tokens\nsentences:\n${own}`]]);
const SOUND = `  - id: TOK-001
    places: [{ document: '001', heading: token form }]
    level: MUST
    kind: state
    statement: A token MUST be short.
    today: Still true.
`;

describe('the files of sentences', () => {
  it('are refused with a rule and a reason why there is none, with an unknown ability, key or level', () => {
    assert.doesNotThrow(() => validAreas(text(SOUND)));
    for (const bad of [
      `${SOUND}    rule: TOK-001\n    waits: client\n`,
      `${SOUND}    waits: later\n`,
      `${SOUND}    colour: red\n`,
      SOUND.replace('level: MUST', 'level: OUGHT'),
      SOUND.replace("    places: [{ document: '001', heading: token form }]\n", ''),
    ])
      assert.throws(() => validAreas(text(bad)), /tok\.yaml is not as its schema demands: .*sentences\[0\]/);
  });

  it('are taken from the last build where their text is the same, and parsed where it is not', () => {
    const built = { area: 'TOK', title: 'as built', sentences: [] };
    const [only] = text(SOUND).values();
    const of = (compiled: Record<string, Area>) => new Sentences(text(SOUND), compiled).areas()[0]?.title;
    assert.equal(of({ [textHash(only ?? '')]: built }), 'as built');
    assert.equal(of({ [textHash('other')]: built }), 'tokens');
  });

  it('are built as they are written', () => {
    const built = compiledAreas();
    for (const [file, own] of areaTexts()) {
      const known = built[textHash(own)];
      if (known !== undefined) assert.deepEqual(known, byFile.get(file));
    }
  });

  it('derive the rule of the same id', () => {
    assert.deepEqual(rulesOf(sentence('TOK-001')), ['TOK-001']);
    assert.deepEqual(rulesOf(sentence('TOK-001', { waits: 'client' })), []);
  });
});
