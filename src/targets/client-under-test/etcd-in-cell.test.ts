import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Lie } from '../../liars/lie.js';
import { etcdTimeout } from './etcd-in-cell.js';

it('is given up soon where it never answers well, and waited for as always where it does', () => {
  const timeout = (etcd: Lie['etcd']): unknown => etcdTimeout({ name: 'a', server: 'b', right: 'joins', etcd } as Lie);
  assert.deepEqual(
    [undefined, {}, { isSick: true }, { isStranger: true }].map((etcd) => timeout(etcd as Lie['etcd'])),
    [{}, {}, { etcdAPICall: '3s' }, { etcdAPICall: '3s' }],
  );
});
