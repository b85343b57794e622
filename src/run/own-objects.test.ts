import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { RUN_LABEL } from '../kubernetes/own-objects.js';
import { resources } from '../kubernetes/resources.js';
import { OwnObjects } from './own-objects.js';

const NOW = Date.parse('2026-11-25T12:00:00Z');
const onlooker = { now: NOW, run: 'abcdefghij' };
const EXPIRES = 'joinproof.io/expires';

/** One that joinproof makes, of another run; `at`: when it expires. */
const made = (index: number, at: string, run = 'klmnopqrst'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: `jp-${String(index).padStart(10, 'a')}`,
    namespace: 'default',
    labels: { [RUN_LABEL]: run },
    annotations: { [EXPIRES]: at },
    creationTimestamp: '2026-11-25T11:30:00Z',
  },
});
const LATER = '2026-11-25T12:30:00Z';
const BEFORE = '2026-11-25T11:59:59Z';

describe('what is left out of the judgement', () => {
  it('is counted, each object once, and the first ten by name are told', () => {
    const own = new OwnObjects();
    for (let twice = 0; twice < 2; twice += 1)
      for (let index = 12; index > 0; index -= 1) own.isForeign(resources.configMaps, made(index, LATER), onlooker);
    assert.equal(own.seen?.leftOut.count, 12);
    assert.equal(own.seen?.leftOut.examples.length, 10);
    assert.deepEqual(own.seen?.leftOut.examples, own.seen?.leftOut.examples.toSorted());
    assert.equal(own.seen?.leftBehind.count, 0);
  });
  it('is counted up to a thousand, and left out beyond that, too', () => {
    const own = new OwnObjects();
    for (let index = 0; index < 1_001; index += 1)
      assert.equal(own.isForeign(resources.configMaps, made(index, LATER), onlooker), false);
    assert.equal(own.seen?.leftOut.count, 1_000);
  });
  it('is not what this run has made, nor what is of nobody', () => {
    const own = new OwnObjects();
    assert.equal(own.isForeign(resources.configMaps, made(1, LATER, onlooker.run), onlooker), false);
    const plain: KubeObject = { ...made(1, LATER), metadata: { name: 'a', namespace: 'default' } };
    assert.equal(own.isForeign(resources.configMaps, plain, onlooker), true);
    assert.equal(own.seen, undefined);
  });
  it('is told apart from what a run has left behind, which is judged', () => {
    const own = new OwnObjects();
    assert.equal(own.isForeign(resources.configMaps, made(1, BEFORE), onlooker), true);
    assert.deepEqual([own.seen?.leftOut.count, own.seen?.leftBehind.count], [0, 1]);
  });
});
