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
