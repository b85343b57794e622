/** Steps about what is written, before a server whose Secret the test holds: what it answers, and what it does. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Secret } from '../kubernetes/objects.js';
import type { Answer, Question } from '../targets/types.js';
import { prepareSteps } from './execute.js';
import { setWorldParameters } from './world.js';
import { answered, endOf, run, Told, world } from './world.testing.js';

const library = await prepareSteps();
after(() => setWorldParameters(undefined));

const REFUSED = answered(409, { kind: 'Status', apiVersion: 'v1', reason: 'Conflict', code: 409, message: 'changed' });
const DONE = answered(200, { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'a' } });
const GIVEN = 'a Secret that was changed since it was read';
const LEFT = 'whoever names what was read is refused, and changes nothing:';
const TRIED = 'a dry run changes nothing that:';

interface Server {
  /** Of the Secret when it is made, and after each change. */
  readonly versions: readonly string[];
  readonly answers: Answer;
  /** What is refused, or only tried, is done all the same. */
  readonly does: boolean;
}

/** How such steps end there, and the results of what they demand. */
async function playedOn({ versions, answers, does }: Server, step?: string, row = '') {
  const secrets = new Map<string, { metadata: Secret['metadata'] }>();
  let changes = 0;
  const changed = (name: string): { metadata: Secret['metadata'] } => {
    const resourceVersion = versions[Math.min(changes, versions.length - 1)];
    changes += 1;
    const metadata = { name, namespace: 'default', uid: 'u', ...(resourceVersion && { resourceVersion }) };
    secrets.set(name, { metadata });
    return { metadata };
  };
  const told = new Told();
  const { abilities } = told.target();
  const ask = async ({ path, method, body }: Question): Promise<Answer> => {
    const name = method === 'POST' ? (body as Secret).metadata.name : path.split('/').at(-1);
    if (does) changed(name ?? '');
    return answers;
  };
  run(
    told.target({
      abilities: {
        ...abilities,
        objects: { get: async (_: unknown, name: string) => secrets.get(name), list: async () => [] },
        writes: {
          create: async (_: unknown, { metadata }: Secret) => {
            changes = 0;
            return changed(metadata.name ?? '');
          },
          patch: async (_: unknown, name: string) => changed(name),
        },
        requests: { secret: () => {}, as: () => ({ ask }) },
      },
    }),
  );
  const here = world();
  const play = (text: string, ...given: readonly unknown[]) => {
    const found = library.definitionOf(text);
    assert.ok('definition' in found, text);
    const code = found.definition.unwrappedCode as (this: unknown, ...all: readonly unknown[]) => Promise<void>;
    return code.call(here, ...given);
  };
  const end = await endOf(async () => {
    await play(GIVEN);
    if (step !== undefined) await play(step, { raw: () => [[row]] });
  });
  return { end, results: here.findings.map(({ result }) => result) };
}

const VERSIONS = ['1', '2', '3'];

describe('a Secret that was changed since it was read', () => {
  it('has another version by then, or nothing is said of it', async () => {
    const of = async (...versions: readonly string[]) => (await playedOn({ versions, answers: DONE, does: false })).end;
    assert.equal(await of('1', '2'), 'it goes on');
    for (const versions of [['1', '1'], [''], ['', '2'], ['1', '']])
      assert.match(await of(...versions), /^error, unclear: a Secret has the same version/, versions.join());
  });
});

describe('what is refused', () => {
  for (const row of ['a replacement of that version', 'a patch of that version', 'a deletion of another UID'])
    it(`is done by nobody: ${row}`, async () => {
      const { end, results } = await playedOn({ versions: VERSIONS, answers: REFUSED, does: false }, LEFT, row);
      assert.equal(end, 'it goes on');
      assert.deepEqual(results, ['met', 'met']);
      const done = await playedOn({ versions: VERSIONS, answers: REFUSED, does: true }, LEFT, row);
      assert.deepEqual(done.results, ['met', 'unmet']);
      const through = await playedOn({ versions: VERSIONS, answers: DONE, does: false }, LEFT, row);
      assert.deepEqual(through.results, ['unmet', 'met']);
    });
  it('is nothing that the steps do not know', async () => {
    const { end } = await playedOn({ versions: VERSIONS, answers: REFUSED, does: false }, LEFT, 'a smile');
    assert.match(end, /^error, unclear: the steps know no write that is "a smile"/);
  });
});

describe('what is only tried', () => {
  for (const row of ['replaces it', 'patches it', 'deletes it', 'makes another one'])
    it(`is done by nobody: ${row}`, async () => {
      const { results } = await playedOn({ versions: VERSIONS, answers: DONE, does: false }, TRIED, row);
      assert.deepEqual(results, ['met', 'met']);
    });
  for (const row of ['replaces it', 'patches it', 'deletes it', 'makes another one'])
    it(`is not done all the same: ${row}`, async () => {
      const { results } = await playedOn({ versions: VERSIONS, answers: DONE, does: true }, TRIED, row);
      assert.deepEqual(results, ['met', 'unmet']);
    });
});
