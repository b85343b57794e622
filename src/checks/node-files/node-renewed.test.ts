import assert from 'node:assert/strict';
import { it } from 'node:test';
import { saidBy } from '../common/judged.testing.js';
import { goesOn, userGoesOn } from './node-renewed.js';
import { at, broken, conf, crt, DAY, NOW } from './node-seen.testing.js';

const ofAYear = (left: number) => ({ notBefore: NOW - (365 - left) * DAY, notAfter: NOW + left * DAY });
const ofTen = (left: number) => ({ notBefore: NOW - (3650 - left) * DAY, notAfter: NOW + left * DAY });

it('a certificate has a month before it, an authority a year', () => {
  const told = (facts: ReturnType<typeof ofAYear>, what: 'authority' | 'leaf') =>
    saidBy(goesOn, [crt(facts)], { now: NOW, what }).join();
  assert.equal(told(ofAYear(31), 'leaf'), 'met: it ends in 31 days');
  assert.equal(told(ofAYear(29), 'leaf'), 'unmet: it ends in 29 days');
  assert.equal(told(ofAYear(-1), 'leaf'), 'unmet: it has ended');
  assert.equal(told(ofTen(31), 'leaf'), 'met: it ends in 31 days');
  assert.equal(told(ofTen(364), 'authority'), 'unmet: it ends in 364 days');
  assert.equal(told(ofTen(366), 'authority'), 'met: it ends in 366 days');
});

it('each file is judged, and what cannot be read is not', () => {
  const all = [crt(ofAYear(100)), crt(ofAYear(1)), broken('/a'), at('/b', null)];
  assert.deepEqual(saidBy(goesOn, all, { now: NOW, what: 'leaf' }), [
    'met: it ends in 100 days',
    'unmet: it ends in 1 day',
    'unclear: it cannot be read: it is cut off',
    'unmet: there is no such file',
  ]);
});

it('of a kubeconfig the certificate of its user counts', () => {
  const [held] = [crt(ofAYear(29)).file?.held];
  const certificate = held?.kind === 'certificates' ? (held.certificates[0] ?? null) : null;
  const told = (config: ReturnType<typeof conf>) => saidBy(userGoesOn, [{ config, named: null }], { now: NOW }).join();
  assert.equal(told(conf({}, { certificate })), 'unmet: it ends in 29 days');
  assert.equal(told(conf()), 'met: it ends in 1 day');
  assert.equal(told(conf({}, { certificate: null })), 'unmet: its user has no certificate');
});
