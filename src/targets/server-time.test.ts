/** The time of a server, by what it writes itself. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnexpectedAnswer } from './errors.js';
import type { HttpTarget } from './http-target.js';
import { serverTime } from './server-time.js';

const HOUR = 3_600_000;
const targetOf = (admin: object): HttpTarget => ({ admin }) as unknown as HttpTarget;
const near = (time: number | undefined, wanted: number): boolean =>
  time !== undefined && Math.abs(time - wanted) < 1_500;
const seconds = (time: number): string => new Date(Math.floor(time / 1000) * 1000).toISOString();

describe('the time of a server that may be written to', () => {
  const created: unknown[][] = [];
  const at = (creationTimestamp: string | undefined) =>
    serverTime(
      targetOf({
        create: async (...given: unknown[]) => {
          created.push(given);
          return { metadata: { creationTimestamp } };
        },
        get: async () => assert.fail('it looks for no Lease'),
      }),
      true,
    );
  it('is what it stamps on what is only tried', async () => {
    for (const ahead of [0, HOUR, -HOUR]) assert.ok(near(await at(seconds(Date.now() + ahead)), Date.now() + ahead));
    const [, object, query] = created[0] as [unknown, { metadata: { name: string; namespace: string } }, unknown];
    assert.match(object.metadata.name, /^jp-dry-[a-z0-9]+$/);
    assert.equal(object.metadata.namespace, 'kube-system');
    assert.deepEqual(query, { dryRun: 'All' });
  });
  it('is not known where it stamps nothing that is a time', async () => {
    assert.equal(await at(undefined), undefined);
    assert.equal(await at('soon'), undefined);
  });
});

describe('the time of a server that is only read', () => {
  const of = (lease: unknown) =>
    serverTime(
      targetOf({
        create: async () => assert.fail('it is written to'),
        get: async (...[{ kind }, name, namespace]: [{ kind: string }, string, string]) => {
          assert.deepEqual([kind, name, namespace], ['Lease', 'kube-controller-manager', 'kube-system']);
          return lease;
        },
      }),
      false,
    );
  const renewed = (ahead: number) => of({ spec: { renewTime: new Date(Date.now() + ahead).toISOString() } });
  it("is this machine's where a Lease was renewed just now by it", async () => {
    for (const ahead of [0, 50_000, -50_000]) assert.ok(near(await renewed(ahead), Date.now()), String(ahead));
  });
  it('is not known otherwise', async () => {
    for (const ahead of [70_000, -70_000, HOUR]) assert.equal(await renewed(ahead), undefined);
    for (const lease of [undefined, {}, { spec: {} }, { spec: { renewTime: 1 } }, { spec: { renewTime: 'x' } }])
      assert.equal(await of(lease), undefined);
  });
});

describe('the time of a server that refuses', () => {
  const failing = (error: Error) => {
    const fail = async (): Promise<never> => {
      throw error;
    };
    return targetOf({ create: fail, get: fail });
  };
  it('is not known', async () => {
    const refused = new UnexpectedAnswer('POST', '/a', 403, 'Forbidden', 'no');
    for (const mayWrite of [true, false]) assert.equal(await serverTime(failing(refused), mayWrite), undefined);
    const gone = new Error('gone');
    for (const mayWrite of [true, false]) await assert.rejects(serverTime(failing(gone), mayWrite), gone);
  });
});
