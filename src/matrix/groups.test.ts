import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Asked, Mutant } from '../mutants/types.js';
import { gatewayOf, groupsOf, together } from './groups.js';

const variant = (name: string, more: Partial<Mutant> = {}): Mutant => ({ name, defect: name, killedBy: [], ...more });
const namesOf = (groups: readonly (readonly Mutant[])[]): readonly string[] =>
  groups.map((members) => members.map(({ name }) => name).join(' '));

describe('harmless variants', () => {
  it('are together unless they touch the same thing', () => {
    const older = (name: string, kubernetesVersion: string) => variant(name, { options: { kubernetesVersion } });
    const arranged = variant('arranged', { arrange: () => {} });
    const decided = (name: string) => variant(name, { options: { decisions: { letsJoin: () => true } } });
    assert.deepEqual(namesOf(groupsOf([variant('one'), arranged, decided('two'), decided('three')])), [
      'one arranged two',
      'three',
    ]);
    assert.deepEqual(namesOf(groupsOf([older('one', 'v1.30.0'), older('two', 'v1.31.0'), arranged])), [
      'one',
      'two',
      'arranged',
    ]);
    assert.deepEqual(namesOf(groupsOf([variant('one', { strict: true }), variant('two')])), ['one', 'two']);
  });
  it('are apart by each thing that both touch, and by nothing else', () => {
    const decisions = { letsJoin: () => true };
    const client = (more: object) => variant('c', { client: more as NonNullable<Mutant['client']> });
    const disk = (): void => {};
    const tries: readonly (readonly [Mutant, Mutant, boolean])[] = [
      [client({ decisions }), client({ decisions }), false],
      [client({ decisions }), client({ decisions: { other: () => true } }), true],
      [client({ decisions }), variant('d', { options: { decisions: decisions as never } }), true],
      [client({ instead: {} }), client({ instead: {} }), false],
      [client({ instead: {} }), client({ other: {} }), true],
      [variant('a', { disk, beside: true }), variant('b', { disk, beside: true }), false],
      [variant('a', { disk, beside: true }), variant('b'), true],
      [variant('a', { apart: true }), variant('b'), false],
      [variant('a'), variant('b', { apart: true }), false],
      [variant('a', { toldBy: [] }), variant('b'), false],
      [variant('a'), variant('b', { toldBy: [] }), false],
      [variant('a', { strict: true }), variant('b', { strict: true }), true],
      [variant('a', { arrange: disk }), variant('b', { options: { kubernetesVersion: 'v1.30.0' } }), false],
      [variant('a', { options: { kubernetesVersion: 'v1.30.0' } }), variant('b'), true],
    ];
    for (const [one, other, isTogether] of tries)
      assert.equal(groupsOf([one, other]).length, isTogether ? 1 : 2, JSON.stringify([one, other]));
  });
  it('are no disks, which are played alone', () => {
    assert.deepEqual(groupsOf([variant('a', { disk: () => {} })]), []);
  });
  it('that are together are all of it', async () => {
    const seen: string[] = [];
    const [one, other] = [() => true, () => false];
    const all = together('both', [
      variant('a', { strict: true, options: { kubernetesVersion: 'v1.30.0', decisions: { one } as never } }),
      variant('b', {
        connected: true,
        options: { decisions: { other } as never },
        client: { instead: 'x', decisions: { one } } as never,
        disk: async () => {
          await Promise.resolve();
          seen.push('b');
        },
      }),
      variant('c', { client: { decisions: { other } } as never, disk: () => void seen.push('c') }),
    ]);
    assert.deepEqual([all.name, all.defect, all.killedBy], ['both', 'a; b; c', []]);
    assert.deepEqual([all.strict, all.connected, all.gateway], [true, true, undefined]);
    assert.deepEqual(all.options, { kubernetesVersion: 'v1.30.0', decisions: { one, other } });
    assert.deepEqual(all.client, { instead: 'x', decisions: { one, other } });
    await all.disk?.({} as never);
    assert.deepEqual(seen, ['b', 'c']);
    const bare = together('none', [variant('a'), variant('b')]);
    assert.deepEqual(
      ['strict', 'connected', 'client', 'gateway'].filter((key) => key in bare),
      [],
    );
  });
  it('that are together are arranged one after another', async () => {
    const arranged: string[] = [];
    const arranging = (name: string) => variant(name, { arrange: () => void arranged.push(name) });
    await together('both', [arranging('one'), arranging('two')]).arrange?.({} as never);
    assert.deepEqual(arranged, ['one', 'two']);
  });
});

describe('gateways of one group', () => {
  const asked: Asked = { method: 'GET', path: '/version', query: new URLSearchParams(), user: 'somebody' };
  const said = (body: unknown) => ({ status: 200, body });

  it('are none where no member has one', () => {
    assert.deepEqual(gatewayOf([variant('one')]), {});
  });
  it('answer as the first that does', () => {
    const { gateway } = gatewayOf([
      { gateway: { before: () => undefined } },
      { gateway: { before: () => said('second') } },
      { gateway: { before: () => said('third') } },
    ]);
    assert.deepEqual(gateway?.before?.(asked), said('second'));
    assert.equal(gateway?.after?.(asked, said('its own')), undefined);
  });
  it('change what those before them have left', () => {
    const adding = (word: string) => ({
      gateway: { after: (_asked: Asked, { body }: { body: unknown }) => said(`${body} ${word}`) },
    });
    const { gateway } = gatewayOf([adding('one'), { gateway: { after: () => undefined } }, adding('two')]);
    assert.deepEqual(gateway?.after?.(asked, said('its own')), said('its own one two'));
  });
});
