/** What lies on a machine that hands on, in each circumstance. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { castAt } from '../../liars/cast.js';
import { sharedFiles } from '../../liars/shared-certificates.js';
import { type Circumstance, circumstances, diskFor, etcdFiles, FOLDER, TOKEN, TOLD } from './circumstances.js';

const cast = castAt(Date.now());
const shared = Object.keys(sharedFiles(cast)).sort();
const named = (name: string): Circumstance => circumstances[name] ?? assert.fail(name);
const namesOf = (circumstance: Circumstance): readonly string[] => [...diskFor(cast, circumstance).keys()].sort();
const without = (...names: readonly string[]): readonly string[] => shared.filter((name) => !names.includes(name));

describe('the disk of a machine that hands on', () => {
  it('has what control planes share, each with its text', () => {
    assert.deepEqual(Object.fromEntries(diskFor(cast, {})), sharedFiles(cast));
    assert.deepEqual(shared, [
      ...['ca.crt', 'ca.key', 'etcd/ca.crt', 'etcd/ca.key', 'front-proxy-ca.crt', 'front-proxy-ca.key'],
      ...['sa.key', 'sa.pub'],
    ]);
  });

  it('lacks what is not there, and what cannot be read', () => {
    assert.deepEqual(namesOf(named('without sa.pub')), without('sa.pub'));
    assert.deepEqual(namesOf(named('etcd/ca.key is a folder')), without('etcd/ca.key'));
    assert.deepEqual(namesOf(named('the key of the CA lies elsewhere')), without('ca.key'));
  });

  it('has files of an etcd of somebody else in the place of its own', () => {
    const disk = diskFor(cast, named('an etcd of somebody else'));
    const others = ['external-etcd-ca.crt', 'external-etcd.crt', 'external-etcd.key'];
    assert.deepEqual([...disk.keys()].sort(), [...without('etcd/ca.crt', 'etcd/ca.key'), ...others].sort());
    const { certificatePem, keyPem } = cast.serving.good;
    const [ca, certificate, key] = others.map((name) => disk.get(name));
    assert.deepEqual(
      [ca, certificate, key],
      [...[cast.authorities['etcd ca'].certificate.pem, certificatePem, keyPem]],
    );
    const { caFile, certFile, keyFile } = etcdFiles;
    assert.deepEqual(
      [caFile, certFile, keyFile],
      others.map((name) => `${FOLDER}/${name}`),
    );
    assert.equal(diskFor(cast, { externalEtcd: true, missing: ['external-etcd.key'] }).has('external-etcd.key'), false);
  });
});

describe('the keys that are told', () => {
  const told = Object.entries(circumstances).flatMap(([name, { keys = [] }]) =>
    keys.map((key) => [name, key] as const),
  );
  it('are 32 bytes in hex, but where they are to be none', () => {
    const odd = told.filter(([, key]) => key !== undefined && !/^[0-9a-f]{64}$/.test(key));
    assert.deepEqual(
      odd.map(([name, key]) => [name, key?.length]),
      [
        ['a key in capitals told', 64],
        ['a key that is no hex', 64],
        ['a key of 16 bytes', 32],
      ],
    );
    const [capitals, none, short] = odd.map(([, key]) => key ?? '');
    assert.match(capitals ?? '', /^[0-9A-F]+$/);
    assert.doesNotMatch(none ?? '', /^[0-9a-f]+$/i);
    assert.match(short ?? '', /^[0-9a-f]+$/);
  });
  it('stand beside tokens that are well formed and differ', () => {
    for (const token of [TOKEN, TOLD.other.token]) assert.match(token, /^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    assert.notEqual(TOKEN, TOLD.other.token);
    assert.ok(TOLD.token.ttlSeconds > 0 && TOLD.other.ttlSeconds === 0, 'one ends, one does not');
    for (const group of [...TOLD.token.groups, ...TOLD.other.groups])
      assert.match(group, /^system:bootstrappers:[a-z:-]+$/);
  });
  it('are two where two are told, and none where none is', () => {
    const [one, other] = named('twice, with two keys').keys ?? [];
    assert.notEqual(one, other);
    assert.deepEqual(named('twice, no key told').keys, [undefined, undefined]);
    assert.equal(named('no key told').keys, undefined);
    assert.equal(named('a key told').uploads, undefined);
    assert.deepEqual([named('not told to').uploads, named('a key told, but not to upload').uploads], [false, false]);
    assert.equal(named('a key told, and not to say it').quiet, true);
  });
});
