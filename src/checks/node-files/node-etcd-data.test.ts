import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import { comparesData, dataGone, dataWhole, letsInItsOwn } from './node-etcd-data.js';
import type { Seen } from './node-files.js';
import { at, broken, crt, pod } from './node-seen.testing.js';

const MEMBER = '/var/lib/etcd/member';
const folder = (path: string) => at(path, { kind: 'folder' }, 0o700);
const file = (path: string) => at(path, { kind: 'other' });
const empty = (path: string): Seen => {
  const seen = file(path);
  return { path, file: seen.file === null ? null : { ...seen.file, isEmpty: true } };
};
const whole = {
  member: folder(MEMBER),
  db: file(`${MEMBER}/snap/db`),
  wal: folder(`${MEMBER}/wal`),
  log: [file(`${MEMBER}/wal/0.wal`)],
};
const none = (path: string) => at(path, null);

describe('data of etcd', () => {
  const told = (more: Partial<typeof whole>, isLogElsewhere = false) =>
    resultsOf(dataWhole, { ...whole, ...more }, { isLogElsewhere }).join();
  it('are a database and a log', () => {
    assert.equal(told({}), 'met,met');
    assert.equal(told({ db: none('/db') }), 'unmet,met');
    assert.equal(told({ db: empty('/db') }), 'unmet,met');
    assert.equal(told({ log: [] }), 'met,unmet');
    assert.equal(told({ log: [empty('/0.wal')] }), 'met,unmet');
    assert.equal(told({ log: [empty('/0.wal'), file('/1.wal')] }), 'met,met');
    assert.equal(told({ log: [file('/0.wal'), empty('/1.wal')] }), 'met,met');
    assert.equal(told({ log: [empty('/0.wal'), empty('/1.wal')] }), 'met,unmet');
    assert.equal(told({ log: [], wal: none('/wal') }, true), 'met');
  });
  it('are nothing before etcd has begun, and nobody knows what nobody may see', () => {
    assert.equal(told({ member: none(MEMBER) }), '');
    assert.equal(told({ member: broken(MEMBER) }), '');
    assert.equal(told({ db: broken('/db'), wal: broken('/wal') }), 'unclear,unclear');
  });
  it('are gone where etcd is elsewhere', () => {
    const left = (db: Seen, runsOtherwise: readonly string[] = []) =>
      resultsOf(dataGone, { ...whole, db }, { runsOtherwise }).join();
    assert.equal(left(none('/db')), 'met');
    assert.equal(left(file('/db')), 'unmet');
    assert.equal(left(file('/db'), ['/etc/etcd.env']), '');
  });
});

describe('etcd', () => {
  it('lets in the certificates of its machine', () => {
    const peer = crt({ commonName: 'cp-1', altNames: { dns: ['cp-1'], email: [], ip: [], uri: [], other: 0 } });
    const told = (flags: Readonly<Record<string, string>>) =>
      resultsOf(letsInItsOwn, { etcd: pod('etcd', flags), peer, clients: [crt()] }, undefined).join();
    assert.equal(told({}), 'met');
    assert.equal(told({ 'peer-cert-allowed-cn': 'cp-1', 'peer-cert-allowed-hostname': 'a,cp-1' }), 'met');
    assert.equal(told({ 'peer-cert-allowed-cn': 'nobody' }), 'unmet');
    assert.equal(told({ 'peer-cert-allowed-hostname': 'nobody' }), 'unmet');
    assert.equal(told({ 'client-cert-allowed-hostname': 'cp-1' }), 'unmet');
  });
  it('compares its data, unless it is told not to', () => {
    const told = (flags: Readonly<Record<string, string>>) => resultsOf(comparesData, [pod('etcd', flags)], undefined);
    assert.deepEqual(told({}), ['met']);
    assert.deepEqual(told({ 'feature-gates': 'A=false,InitialCorruptCheck=true' }), ['met']);
    assert.deepEqual(told({ 'feature-gates': 'InitialCorruptCheck=false' }), ['unmet']);
    assert.deepEqual(told({ 'experimental-initial-corrupt-check': 'maybe' }), ['unmet']);
  });
});
