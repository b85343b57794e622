import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PreflightRun } from '../../kubernetes/preflight-run.js';
import { resultsOf } from '../common/judged.testing.js';
import { fails, isSubset, passes, refuses, silent, stops, warns, writes, writesNothing } from './preflight.js';
import { readLook } from './preflight-reader.js';

const BEGIN = '[preflight] Running pre-flight checks';
const FATAL = '[preflight] Some fatal errors occurred:';
const PORT = '\t[ERROR Port-6443]: Port 6443 is in use';
const SWAP = '\t[WARNING Swap]: swap is on';
const END = 'error: error execution phase preflight: preflight checks failed';

const ran = (said: readonly string[], more: Partial<PreflightRun> = {}): ReturnType<typeof readLook> =>
  readLook({ machine: 'without mount', look: 'init', exit: 0, said, written: [], ...more });
const fine = ran([BEGIN]);
const warned = ran([BEGIN, SWAP]);
const stopped = ran([BEGIN, SWAP, FATAL, PORT, END], { exit: 1 });
const refused = ran(['error: nodeRegistration.name: Invalid value: "x"'], { exit: 1 });
const silentProgram = ran(['Usage: kubeadm'], { exit: 0 });

const expected = (look: ReturnType<typeof readLook>, check: string, words = '') => [{ look, check, words }];

describe('what kubeadm says is read', () => {
  it('by level, check and message', () => {
    assert.deepEqual(stopped.told, [
      { level: 'WARNING', check: 'Swap', message: 'swap is on' },
      { level: 'ERROR', check: 'Port-6443', message: 'Port 6443 is in use' },
    ]);
    assert.deepEqual([stopped.began, stopped.stopped, stopped.words], [true, true, END]);
    const old = ran([
      'nodeRegistration.name: x',
      'To see the stack trace of this error execute with --v=5 or higher',
      '',
    ]);
    assert.equal(old.words, 'nodeRegistration.name: x');
    assert.equal(ran(['\\t[WARNING Swap]: x']).told.length, 1);
    assert.deepEqual([ran([], { exit: undefined }).exit, stopped.subject], [null, 'init: without mount']);
  });
});

describe('a check of the machine', () => {
  it('stops', () => {
    assert.deepEqual(resultsOf(stops, expected(stopped, 'Port-6443', 'in use'), undefined), ['met']);
    for (const wrong of [
      expected(stopped, 'Port-6443', 'another'),
      expected(stopped, 'Swap'),
      expected(warned, 'Port-6443'),
      expected({ ...stopped, exit: 0 }, 'Port-6443'),
      expected({ ...stopped, exit: null }, 'Port-6443'),
      expected({ ...stopped, stopped: false }, 'Port-6443'),
    ])
      assert.deepEqual(resultsOf(stops, wrong, undefined), ['unmet']);
  });
  it('warns', () => {
    assert.deepEqual(resultsOf(warns, expected(warned, 'Swap', 'swap'), undefined), ['met']);
    assert.deepEqual(resultsOf(warns, expected(ran([BEGIN, SWAP], { look: 'join', exit: 1 }), 'Swap'), undefined), [
      'met',
    ]);
    for (const wrong of [
      expected(stopped, 'Swap'),
      expected(fine, 'Swap'),
      expected(warned, 'Swap', 'other'),
      expected({ ...warned, exit: 1 }, 'Swap'),
      expected({ ...warned, began: false }, 'Swap'),
    ])
      assert.deepEqual(resultsOf(warns, wrong, undefined), ['unmet']);
  });
  it('is told by any of several lines of one check', () => {
    const ERRORS = ['\t[ERROR Port-6443]: other', PORT];
    const both = ran([BEGIN, ...ERRORS, FATAL, END], { exit: 1 });
    assert.deepEqual(resultsOf(stops, expected(both, 'Port-6443', 'in use'), undefined), ['met']);
    const warnings = ran([BEGIN, '\t[WARNING Swap]: other', SWAP]);
    assert.deepEqual(resultsOf(warns, expected(warnings, 'Swap', 'is on'), undefined), ['met']);
  });
  it('is silent', () => {
    assert.deepEqual(resultsOf(silent, expected(fine, 'Swap'), undefined), ['met']);
    assert.deepEqual(resultsOf(silent, expected(warned, 'swap'), undefined), ['unmet']);
    assert.deepEqual(resultsOf(silent, expected(silentProgram, 'Swap'), undefined), ['unmet']);
  });
});

describe('a machine', () => {
  it('is taken', () =>
    assert.deepEqual(resultsOf(passes, [fine, warned, stopped, refused, silentProgram], undefined), [
      'met',
      'met',
      'unmet',
      'unmet',
      'unmet',
    ]));
  it('is not taken', () =>
    assert.deepEqual(resultsOf(fails, [fine, stopped, refused, { ...stopped, exit: null }], undefined), [
      'unmet',
      'met',
      'unmet',
      'unmet',
    ]));
  it('is refused before it is looked at', () => {
    assert.deepEqual(resultsOf(refuses, expected(refused, '', 'Invalid value'), undefined), ['met']);
    for (const wrong of [expected(refused, '', 'other'), expected(stopped, '', ''), expected(fine, '', '')])
      assert.deepEqual(resultsOf(refuses, wrong, undefined), ['unmet']);
  });
  it('is written to, or not', () => {
    const wrote = ran([BEGIN], { written: ['/etc/kubernetes/pki/ca.crt'] });
    assert.deepEqual(resultsOf(writes, [wrote, fine], undefined), ['met', 'unmet']);
    assert.deepEqual(resultsOf(writesNothing, [wrote, fine], undefined), ['unmet', 'met']);
  });
  it('is looked at by a join for what init looks for', () => {
    const join = ran([BEGIN, SWAP], { look: 'join' });
    const own = ran([BEGIN, '\t[ERROR FileAvailable--etc-kubernetes-kubelet.conf]: x'], { look: 'join' });
    const further = ran([BEGIN, PORT], { look: 'join' });
    assert.deepEqual(
      resultsOf(
        isSubset,
        [
          { init: warned, join },
          { init: fine, join: own },
          { init: warned, join: further },
          { init: warned, join: ran([BEGIN], { look: 'join' }) },
        ],
        undefined,
      ),
      ['met', 'met', 'unmet', 'unmet'],
    );
  });
});
