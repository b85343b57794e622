import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Case, Kept } from './cases.js';
import { packed, unpacked } from './packed.js';

describe('cases', () => {
  const one = (observation: unknown): Case => ({ check: 'a/b', observation, findings: [] });
  const keeps = (...observations: readonly unknown[]): number => new Kept().of(observations.map(one)).length;

  it('are kept once, whatever names and times a run gives', () => {
    assert.equal(
      keeps({ at: '2026-01-01T00:00:00Z', by: 'jp-abcdef123' }, { at: '2026-01-02T01:00:00Z', by: 'jp-zyx' }),
      2,
    );
    assert.equal(
      keeps({ at: '2026-01-01T00:00:00Z', by: 'jp-abcdef' }, { at: '2026-01-02T01:00:00Z', by: 'jp-zyxwvu' }),
      1,
    );
    assert.equal(keeps({ status: 401 }, { status: 403 }), 2);
  });

  it('hold nothing that looks like a secret', () => {
    assert.equal(keeps('abcdef.0123456789abcdef', '-----BEGIN EC PRIVATE KEY-----'), 0);
  });
});

describe('what is packed', () => {
  const role = { name: 'a', rules: [{ verbs: ['get', 'list', 'watch'], resources: ['pods', 'services', 'secrets'] }] };
  const other = { ...role, name: 'b' };
  const values = [{ roles: [role, other], n: 1 }, { roles: [role] }, { roles: [role, other], n: 2 }, [null, 'text']];

  it('is the same unpacked', () => {
    const short = packed(values);
    assert.deepEqual(unpacked(short), values);
    assert.ok(short.shared.size > 0);
    assert.ok(JSON.stringify([...short.shared, short.values]).length < JSON.stringify(values).length);
  });

  it('refers to what is there', () => {
    assert.throws(() => unpacked({ shared: new Map(), values: [{ $: 'gone' }] }), /gone/);
  });
});
