import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { RUN_LABEL } from '../kubernetes/own-objects.js';
import { resources } from '../kubernetes/resources.js';
import type { HttpClient } from './client.js';
import { UnexpectedAnswer } from './errors.js';
import { accessFor, type JournalAccess } from './journal-access.js';
import type { Question } from './types.js';

const PLACE = { resource: resources.configMaps, namespace: 'default', name: 'jp-a' };
const OBJECT = { metadata: { name: 'jp-a', uid: 'u1', resourceVersion: '7' } };
const never = new AbortController().signal;

/** An API server that answers everything alike, as the clean-up's client hears it. */
function answering(status: number, body: unknown = OBJECT) {
  const asked: Question[] = [];
  const raw: HttpClient['raw'] = async (question, _signal, expected, read) => {
    asked.push(question);
    if (!expected.includes(status)) throw new UnexpectedAnswer('X', question.path, status, undefined, 'no');
    if (status === 200) await read?.(Readable.from([Buffer.from(JSON.stringify(body))]), () => {});
    return { status, headers: {}, text: '', body };
  };
  return { access: accessFor({ raw } as HttpClient, never), asked };
}

/** Of these statuses those that count as done. */
async function takenAs(act: (access: JournalAccess) => Promise<unknown>): Promise<readonly number[]> {
  const taken: number[] = [];
  for (const status of [200, 201, 202, 400, 401, 403, 404, 405, 409, 410, 422, 429, 500]) {
    const done = await act(answering(status).access).then(
      () => true,
      (error: unknown) => {
        assert.ok(error instanceof UnexpectedAnswer);
        return false;
      },
    );
    if (done) taken.push(status);
  }
  return taken;
}

describe('the hands of a clean-up', () => {
  it('take for done what says that an object is gone, or another one by now, and nothing else', async () => {
    assert.deepEqual(await takenAs((access) => access.remove(PLACE, 'u1')), [200, 202, 404, 409]);
    assert.deepEqual(await takenAs((access) => access.removeAll({ ...PLACE, selector: 'a' }, '7')), [200, 202]);
    assert.deepEqual(await takenAs((access) => access.release(PLACE, OBJECT as never)), [200, 404, 409]);
    assert.deepEqual(await takenAs((access) => access.read(PLACE)), [200, 404]);
  });

  it('delete no object but that of the uid, and of a list what it held', async () => {
    const one = answering(200);
    await one.access.remove(PLACE, 'u1');
    const [first] = one.asked;
    const { body, path, method } = first ?? assert.fail('nothing was asked');
    assert.deepEqual([method, path], ['DELETE', '/api/v1/namespaces/default/configmaps/jp-a']);
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 };
    assert.deepEqual(body, { ...options, preconditions: { uid: 'u1' } });
    const all = answering(200);
    await all.access.removeAll({ ...PLACE, selector: `${RUN_LABEL}=a` }, '7');
    const { method: how, path: whole, body: given } = all.asked[0] ?? assert.fail('nothing was asked');
    assert.deepEqual([how, whole, given], ['DELETE', '/api/v1/namespaces/default/configmaps', options]);
    assert.deepEqual(all.asked[0]?.query, {
      labelSelector: `${RUN_LABEL}=a`,
      resourceVersion: '7',
      resourceVersionMatch: 'Exact',
    });
  });

  it('find what carries the label of a run and has a uid, and count what else a server shows', async () => {
    const labels = { [RUN_LABEL]: 'a' };
    const own = { metadata: { name: 'jp-a', uid: 'u1', labels } };
    const others = [
      { metadata: { name: 'b', uid: 'u2' } },
      { metadata: { name: 'c', uid: 'u3', labels: { a: 'b' } } },
      { metadata: { name: 'jp-d', labels } },
    ];
    const find = (...items: readonly object[]) =>
      answering(200, {
        apiVersion: 'v1',
        kind: 'ConfigMapList',
        metadata: { resourceVersion: '9' },
        items,
      }).access.find({ ...PLACE, selector: RUN_LABEL });
    assert.deepEqual(await find(own), { items: [own], others: 0, resourceVersion: '9' });
    assert.deepEqual(await find(own, ...others), { items: [own], others: 3, resourceVersion: '9' });
    for (const other of others) assert.deepEqual(await find(other), { items: [], others: 1, resourceVersion: '9' });
    assert.deepEqual(await answering(404).access.find({ ...PLACE, selector: 'a' }), {
      items: [],
      others: 0,
      resourceVersion: '',
    });
  });

  it('read what is there, and nothing where there is nothing', async () => {
    assert.deepEqual(await answering(200).access.read(PLACE), OBJECT);
    assert.equal(await answering(404).access.read(PLACE), undefined);
    assert.equal(await answering(200, 'a text').access.read(PLACE), undefined);
  });

  it('take a query for heeded where what was deleted for a trial stays as it was', async () => {
    const heeds = (metadata: object): Promise<boolean> => answering(200, { metadata }).access.heedsQuery(PLACE, 'u1');
    assert.equal(await heeds({ uid: 'u1' }), true);
    assert.equal(await heeds({ uid: 'u2' }), false);
    assert.equal(await heeds({ uid: 'u1', deletionTimestamp: '2026-01-01T00:00:00Z' }), false);
    const trial = answering(200, { metadata: { uid: 'u1' } });
    await trial.access.heedsQuery(PLACE, 'u1');
    assert.deepEqual([trial.asked[0]?.query, trial.asked[0]?.body], [{ dryRun: 'All' }, undefined]);
  });

  it('take away finalizers of joinproof alone, of the object as it was read', async () => {
    const { access, asked } = answering(200);
    const finalizers = ['joinproof.io/a', 'example.com/b'];
    await access.release(PLACE, { metadata: { ...OBJECT.metadata, finalizers } } as never);
    const [first] = asked;
    const { body, contentType } = first ?? assert.fail('nothing was asked');
    assert.equal(contentType, 'application/merge-patch+json');
    assert.deepEqual(body, { metadata: { uid: 'u1', resourceVersion: '7', finalizers: ['example.com/b'] } });
    for (const own of [['joinproof.io/a'], [], undefined]) {
      const alone = answering(200);
      await alone.access.release(PLACE, { metadata: { ...OBJECT.metadata, finalizers: own } } as never);
      assert.deepEqual(alone.asked[0]?.body, { metadata: { uid: 'u1', resourceVersion: '7', finalizers: null } });
    }
  });
});
