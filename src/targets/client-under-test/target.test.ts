import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClientUnderTest, NodeFiles, PreflightUnderTest, UploadsUnderTest } from '../types.js';
import { clientTarget, lazyClient, openClient } from './target.js';

describe('a joining client as a target', () => {
  it('is that of joinproof, which does what kubeadm does, unless it is made another', async () => {
    const { kind, name, facts, abilities, why, close } = openClient();
    assert.deepEqual([kind, name, facts.server], ['client', 'the joining client of joinproof', '']);
    assert.deepEqual(facts.version, { gitVersion: 'v1.36.0', minor: 36 });
    assert.deepEqual([...facts.holds], ['inProcess']);
    assert.ok(Math.abs(facts.now() - Date.now()) < 60_000);
    assert.deepEqual(Object.keys(abilities).sort(), ['client', 'preflight', 'uploads']);
    assert.equal(why('objects'), 'a joining client is no cluster: nobody answers requests there');
    assert.equal(
      abilities.client?.likeKubeadm,
      'the joining client of joinproof does what kubeadm does, as it was recorded',
    );
    assert.equal(lazyClient({ words: (line) => line }).likeKubeadm, undefined);
    await close();
  });

  it('joins, looks and hands on when it is first asked, as the other one that it is', async () => {
    const { abilities, close } = openClient({ instead: { exit: 42, said: 'not today' } });
    const { client, preflight, uploads } = abilities;
    const run = await client?.join('ok-pin');
    assert.deepEqual([run?.transcript.exit, run?.transcript.said], [42, ['not today']]);
    assert.equal(await client?.join('no such server'), undefined);
    const looked = await preflight?.look('without mount', 'join');
    assert.deepEqual([looked?.exit, looked?.said], [42, ['not today']]);
    assert.equal(preflight?.lacks('without mount'), undefined);
    const [time] = (await uploads?.upload('a key of 16 bytes'))?.times ?? [];
    assert.deepEqual([time?.exit, time?.said], [42, ['not today']]);
    assert.equal(await uploads?.upload('no such circumstance'), undefined);
    await close();
  });

  it('has what it is given, and is closed by who gave it', async () => {
    const client = { name: 'a client', join: async () => undefined, inEachWay: async () => [] } as ClientUnderTest;
    const given = {
      preflight: {} as PreflightUnderTest,
      uploads: {} as UploadsUnderTest,
      files: {} as NodeFiles,
    };
    let closed = 0;
    const close = async (): Promise<void> => {
      closed += 1;
    };
    const all = clientTarget(client, { minor: 33, holds: new Set(), close, ...given });
    assert.deepEqual(all.abilities, { client, ...given });
    assert.deepEqual([all.name, all.facts.version], ['a client', { gitVersion: 'v1.33.0', minor: 33 }]);
    assert.deepEqual([...all.facts.holds], []);
    assert.deepEqual(clientTarget(client, { minor: 33, holds: new Set(), close }).abilities, { client });
    await all.close();
    assert.equal(closed, 1);
  });
});
