import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { ConfigurationError } from '../errors.js';
import { freePorts, onFreePorts } from './ports.js';

const TAKEN = new ConfigurationError('kube-apiserver ended: listen tcp: address already in use');

describe('free ports', () => {
  it('are as many as were asked for, no two alike, and nobody listens there', async () => {
    const ports = await freePorts(4);
    assert.equal(new Set(ports).size, 4);
    for (const port of ports)
      await new Promise<void>((resolve, reject) => {
        const server = createServer().once('error', reject);
        server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
      });
  });

  for (const [name, thrown, failures, tries] of [
    ['are taken once', TAKEN, 0, 1],
    ['are sought again where somebody was faster', TAKEN, 2, 3],
    ['are given up after three attempts', TAKEN, 9, 3],
    ['are not the cause of another refusal', new ConfigurationError('a flag is unknown'), 1, 1],
    ['are not the cause of another error', new Error('address already in use'), 1, 1],
  ] as const)
    it(name, async () => {
      let tried = 0;
      const act = async (): Promise<string> => {
        tried += 1;
        if (tried <= failures) throw thrown;
        return 'open';
      };
      if (failures < tries) assert.equal(await onFreePorts(act), 'open');
      else await assert.rejects(onFreePorts(act), thrown);
      assert.equal(tried, tries);
    });
});
