import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import {
  authority,
  commonName,
  different,
  filesAbsent,
  filesThere,
  issuedBy,
  kubeletClientGroup,
  madeForNoMore,
  pairs,
  pairsThere,
  publicOnly,
  readAsWritten,
  usableFor,
  validNow,
} from './node-files.js';
import { altNames, firstAddress, hostOf } from './node-names.js';
import { closed, noSecretsBelow, owned, unwritable } from './node-owners.js';
import { at, broken, certificate, crt, DAY, key, NOW, root } from './node-seen.testing.js';

const none = at('/etc/kubernetes/pki/a.crt', null);
const cut = broken('/etc/kubernetes/pki/a.crt');
const bundle = at('/b.crt', {
  kind: 'certificates',
  certificates: [certificate({ pin: 'sha256:7' }), certificate()],
});

describe('files of a node', () => {
  it('are there, or not, or cannot be read', () => {
    assert.deepEqual(resultsOf(filesThere, [crt(), none, cut], undefined), ['met', 'unmet', 'unclear']);
  });
  it('are not there where they have no business, readable or not', () => {
    assert.deepEqual(resultsOf(filesAbsent, [none, crt(), cut], undefined), ['met', 'unmet', 'unmet']);
  });
  it('are written as their programs read them, where they are there to the end', () => {
    const odd = at('/b.conf', { kind: 'unreadable', why: 'it is no YAML', isWhole: true });
    assert.deepEqual(resultsOf(readAsWritten, [crt(), none, cut], undefined), ['met']);
    assert.deepEqual(resultsOf(readAsWritten, [crt(), odd], undefined), ['unmet']);
  });
  it('are valid', () => {
    const all = [crt(), crt({ notAfter: NOW - 1 }), crt({ notBefore: NOW + DAY }), cut, key()];
    assert.deepEqual(resultsOf(validNow, all, { now: NOW }), ['met', 'unmet', 'unmet', 'unclear', 'unmet']);
  });
  it('are authorities', () => {
    assert.deepEqual(resultsOf(authority, [root], undefined), ['met', 'met', 'met']);
    assert.deepEqual(resultsOf(authority, [crt({ ca: true, keyUsage: ['digitalSignature'] })], undefined), [
      'unmet',
      'met',
      'met',
    ]);
    const named = (signedBy: readonly string[]) => crt({ ca: true, commonName: 'kubernetes' }, signedBy);
    assert.deepEqual(resultsOf(authority, [named(['own'])], undefined), ['met', 'met', 'met']);
    assert.deepEqual(resultsOf(authority, [named(['ca'])], undefined), ['met', 'met', 'unmet']);
    assert.deepEqual(resultsOf(authority, [crt({}, ['own'])], undefined), ['unmet', 'unmet', 'met']);
  });
  it('are pairs', () => {
    const pair = (one = key()) => [{ holder: crt(), key: one }];
    assert.deepEqual(resultsOf(pairs, pair(), undefined), ['met']);
    assert.deepEqual(resultsOf(pairs, pair(key('sha256:2')), undefined), ['unmet']);
    assert.deepEqual(resultsOf(pairs, pair(key('sha256:1', false)), undefined), ['unmet']);
    assert.deepEqual(resultsOf(pairs, [{ holder: cut, key: key() }], undefined), ['unclear']);
  });
  it('are issued by an authority, never by themselves', () => {
    assert.deepEqual(resultsOf(issuedBy, [{ leaf: crt(), issuer: root }], undefined), ['met']);
    assert.deepEqual(resultsOf(issuedBy, [{ leaf: crt({}, ['other']), issuer: root }], undefined), ['unmet']);
    assert.deepEqual(resultsOf(issuedBy, [{ leaf: crt(), issuer: cut }], undefined), ['unclear']);
    assert.deepEqual(resultsOf(issuedBy, [{ leaf: root, issuer: root }], undefined), ['unmet']);
  });
  it('say what they are for, and whose', () => {
    const both = { usages: ['serverAuth', 'clientAuth'] };
    assert.deepEqual(resultsOf(usableFor, [crt({ extendedKeyUsage: ['clientAuth'] })], both), ['unmet', 'met', 'met']);
    const signs = crt({ extendedKeyUsage: ['clientAuth'], keyUsage: ['keyCertSign'] });
    assert.deepEqual(resultsOf(usableFor, [signs], { usages: ['clientAuth'] }), ['met', 'unmet']);
    assert.deepEqual(resultsOf(commonName, [crt(), crt({ commonName: '' })], { wanted: 'name' }), ['met', 'unmet']);
  });
  it('are for what they are made for, and no more', () => {
    const told = (extendedKeyUsage?: readonly string[]) => {
      const seen = extendedKeyUsage === undefined ? crt() : crt({ extendedKeyUsage });
      return resultsOf(madeForNoMore, [{ seen, usages: ['clientAuth'] }], undefined);
    };
    assert.deepEqual(told(['clientAuth']), ['met']);
    assert.deepEqual(told([]), ['met']);
    for (const usages of [['clientAuth', 'serverAuth'], ['any']]) assert.deepEqual(told(usages), ['unmet']);
    assert.deepEqual(resultsOf(madeForNoMore, [{ seen: cut, usages: ['clientAuth'] }], undefined), ['unclear']);
  });
  it('know the groups of each release', () => {
    const told = (organizations: readonly string[], minor: number | null) =>
      resultsOf(kubeletClientGroup, [crt({ organizations })], { minor });
    for (const group of ['system:masters', 'kubeadm:cluster-admins']) assert.deepEqual(told([group], 36), ['met']);
    assert.deepEqual(told([], 36), ['met']);
    assert.deepEqual(told([], 31), ['unmet']);
    assert.deepEqual(told(['system:masters', 'others'], 36), ['unmet']);
  });
  it('are different authorities, closed, and set', () => {
    assert.deepEqual(resultsOf(different, [root, crt()], undefined), ['met']);
    assert.deepEqual(resultsOf(different, [crt(), crt()], undefined), ['unmet']);
    assert.deepEqual(resultsOf(different, [crt(), cut], undefined), ['unclear']);
    assert.deepEqual(resultsOf(different, [bundle, crt()], undefined), ['unmet']);
    assert.deepEqual(resultsOf(different, [key('a'), cut], undefined), ['unclear']);
    assert.deepEqual(resultsOf(closed, [key(), at('/a', { kind: 'other' }, 0o640)], undefined), ['met', 'unmet']);
    assert.deepEqual(resultsOf(unwritable, [at('/a', null), at('/a', { kind: 'other' }, 0o664)], undefined), [
      'unclear',
      'unmet',
    ]);
    const theirs = (owner: number) => {
      const seen = at('/a', { kind: 'other' });
      return seen.file === null ? seen : { ...seen, file: { ...seen.file, owner } };
    };
    const known = [0, 65_534];
    const owners = [theirs(0), theirs(65_534), theirs(1000)];
    assert.deepEqual(resultsOf(owned, owners, { known }), ['met', 'met', 'unmet']);
    assert.deepEqual(resultsOf(owned, owners, { known: null }), []);
    const left = (...paths: readonly string[]) => resultsOf(noSecretsBelow, paths, { folder: '/tmp' });
    assert.deepEqual([left('/tmp/a'), left('/tmpa'), left()].flat(), ['unmet', 'met', 'met']);
    const pair = [
      { holder: crt(), key: key() },
      { holder: crt(), key: none },
      { holder: none, key: none },
    ];
    assert.deepEqual(resultsOf(pairsThere, pair, undefined), ['met', 'unmet']);
    assert.deepEqual(resultsOf(publicOnly, [key(), key('', false)], undefined), ['unmet', 'met']);
  });
});

describe('names of the API server', () => {
  it('are compared as names and as addresses', () => {
    const facts = { altNames: { dns: ['*.wild.example', 'a'], email: [], ip: ['2001:db8::10'], uri: [], other: 0 } };
    const names = ['a', 'b.wild.example', 'b.c.wild.example', '2001:db8:0:0:0:0:0:10', '192.0.2.1', ''];
    assert.deepEqual(resultsOf(altNames, [crt(facts)], { names }), ['met', 'met', 'unmet', 'met', 'unmet', 'unclear']);
  });
  it('follow from subnets and URLs', () => {
    assert.equal(firstAddress('10.96.0.0/12'), '10.96.0.1');
    assert.equal(firstAddress('10.96.0.255/24,fd00::/112'), '10.96.0.1');
    assert.equal(firstAddress('fd00:10:96::/112'), 'fd00:10:96:0:0:0:0:1');
    assert.equal(firstAddress('nonsense'), '');
    assert.equal(hostOf('https://[2001:db8::1]:6443'), '2001:db8::1');
    assert.equal(hostOf('https://lb.example:443/'), 'lb.example');
    assert.equal(hostOf(''), '');
  });
});
