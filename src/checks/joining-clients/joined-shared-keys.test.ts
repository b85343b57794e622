import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judged } from '../common/judged.testing.js';
import type { FileSeen, Held, Machine, Part } from './joined-files-reader.js';
import { untouchedMachine } from './joined-machine.testing.js';
import {
  apiServerNamedForAll,
  apiServerNamedForFew,
  emptyPassedOver,
  ownKeyNowhereElse,
  sharedKeysNowhereElse,
} from './joined-shared-keys.js';

const PKI = '/etc/kubernetes/pki/';
const file = (path: string, held: Held): FileSeen => ({ path, mode: 0o600, digest: 'd', held });
const key = (path: string, pin = 'sha256:0'): FileSeen => file(path, { kind: 'key', certificate: '', key: pin });
/** Of a kubelet, with its key within or in a file. */
const kubelet = (path: string, key: Part = { inline: { certificate: '', key: 'sha256:0' } }): FileSeen =>
  file(path, {
    ...{ kind: 'kubeconfig', cluster: 'a', server: 'https://a:6443', user: 'a', context: 'a', isOneCluster: true },
    ...{ besides: [], isTrueCa: true, shows: 'a certificate', certificate: key, key },
  });
const other = (path: string): FileSeen => file(path, { kind: 'settings', settings: {} });

describe('keys that control planes share', () => {
  const told = (left: readonly FileSeen[], more: Partial<Machine> = {}): string =>
    judged(sharedKeysNowhereElse, [{ ...untouchedMachine, ...more, left }], undefined)
      .map(({ result, seen }) => `${result}: ${seen}`)
      .join();

  it('lie in the folder of certificates alone', () => {
    assert.equal(told([key(`${PKI}ca.key`), key(`${PKI}own/ca.key`)]), 'met: so it is');
    assert.equal(
      told([key(`${PKI}ca.key`), key('/etc/kubernetes/own/ca.key')]),
      'unmet: ca.key at /etc/kubernetes/own/ca.key',
    );
    assert.equal(told([key(`${PKI}ca.key`), key('/var/lib/kubelet/pki/a.key', 'sha256:1')]), 'met: so it is');
    for (const name of ['ca.key', 'front-proxy-ca.key', 'etcd/ca.key', 'sa.key'])
      assert.equal(told([key(PKI + name), key('/var/a')]), `unmet: ${name} at /var/a`);
    assert.equal(told([key(`${PKI}ca.key`)], { beside: [key('(HOME)/a')] }), 'unmet: ca.key at (HOME)/a');
    assert.equal(told([key(`${PKI}ca.key`), other('/var/a'), key('/var/b', '')]), 'met: so it is');
  });
  it('are looked for where there are some', () => {
    assert.equal(told([key('/var/a')]), '');
    assert.equal(told([other(`${PKI}ca.key`), key('/var/a', '')]), '');
    assert.equal(told([key(`${PKI}apiserver.key`), key('/var/a')]), '');
  });
});

describe('an entry that is empty', () => {
  const shared = { 'ca.crt': 'd', 'ca.key': 'd', 'sa.key': 'd' };
  const both = [other(`${PKI}ca.crt`), key(`${PKI}sa.key`)];
  const told = (more: Partial<Machine>): string =>
    judged(emptyPassedOver, [{ ...untouchedMachine, shared, ...more }], { files: ['ca.key'] })
      .map(({ result, seen }) => `${result}: ${seen}`)
      .join();

  it('is passed over by whoever joins', () => {
    assert.equal(told({ exit: 0, left: both }), 'met: it ends with 0');
    assert.equal(told({ exit: 1, left: [] }), 'unmet: it ends with 1, without ca.crt, sa.key');
  });
  it('ends the join of who makes certificates by it, once the others are written', () => {
    assert.equal(told({ exit: 1, left: both, ownWays: true }), 'met: it ends with 1');
    assert.equal(told({ exit: 1, left: both }), 'unmet: it ends with 1');
    assert.equal(told({ exit: null, left: both, ownWays: true }), 'unmet: it ends with null');
    const [ca, account] = both.map((one) => ({ what: 'wrote', after: 0, file: one }) as const);
    assert.ok(ca !== undefined && account !== undefined);
    assert.equal(told({ exit: 1, done: [ca, account], ownWays: true }), 'met: it ends with 1');
    assert.equal(told({ exit: 1, done: [ca], ownWays: true }), 'unmet: it ends with 1, without sa.key');
  });
  it('is no matter of a machine that had no time', () =>
    assert.match(told({ exit: 1, left: [], isStarved: true }), /^unclear: /));
});

describe('the key of a node', () => {
  const told = (certified: string, left: readonly FileSeen[], beside: readonly FileSeen[] = []): string =>
    judged(ownKeyNowhereElse, [{ ...untouchedMachine, certified, left, beside }], undefined)
      .map(({ result, seen }) => `${result}: ${seen}`)
      .join();

  it('is also that of a later certificate', () => {
    const later = { ...untouchedMachine, certified: 'sha256:1', renewed: ['sha256:2'] };
    const key = (pin: string): FileSeen => ({
      path: '/var/tmp/a',
      mode: 0o600,
      digest: 'd',
      held: { kind: 'key', certificate: '', key: pin },
    });
    const results = (pin: string) =>
      judged(ownKeyNowhereElse, [{ ...later, left: [key(pin)] }], undefined).map(({ result }) => result);
    assert.deepEqual([results('sha256:2'), results('sha256:3')], [['unmet'], ['met']]);
  });

  it('lies where its kubelet looks', () => {
    const own = key('/var/lib/kubelet/pki/kubelet-client-current.pem');
    assert.equal(told('sha256:0', [own, key('/etc/kubernetes/a')]), 'met: so it is');
    assert.equal(told('sha256:0', [own, key('/var/tmp/a')]), 'unmet: /var/tmp/a');
    assert.equal(told('sha256:0', [own], [key('(HOME)/a'), key('(HOME)/b', 'sha256:1')]), 'unmet: (HOME)/a');
    assert.equal(told('sha256:0', [own], [other('(HOME)/a')]), 'met: so it is');
    assert.equal(told('sha256:0', [own], [kubelet('(HOME)/config')]), 'unmet: (HOME)/config');
    assert.equal(told('', [key('/var/tmp/a')]), '');
  });
  it('may lie where kubelet.conf names it', () => {
    const named = (file: string): FileSeen => kubelet('/etc/kubernetes/kubelet.conf', { file });
    assert.equal(told('sha256:0', [named('/opt/node/a.pem'), key('/opt/node/a.pem')]), 'met: so it is');
    assert.equal(told('sha256:0', [named('pki/a.key'), key('/etc/kubernetes/pki/a.key')]), 'met: so it is');
    const pair = '/var/lib/kubelet/pki/kubelet-client-current.pem';
    const stray = '/etc/kubernetes/pki/kubelet.csr.key';
    assert.equal(told('sha256:0', [named(pair), key(pair), key(stray)]), `unmet: ${stray}`);
    assert.equal(told('sha256:0', [kubelet('/etc/kubernetes/kubelet.conf'), key(stray)]), 'met: so it is');
  });
});

describe('the certificate of an API server', () => {
  const told = (names: readonly string[] | undefined, server = 'https://lb.example:6443'): string =>
    judged(
      apiServerNamedForAll,
      [
        {
          ...untouchedMachine,
          server,
          ownServer: 'https://192.0.2.20:6443',
          left: [
            file(`${PKI}apiserver.crt`, {
              kind: 'certificates',
              isTrueCa: false,
              certificate: '',
              key: '',
              ...(names === undefined ? {} : { names }),
            }),
          ],
        },
      ],
      { names: ['10.96.0.1'] },
    )
      .map(({ result, seen }) => `${result}: ${seen}`)
      .join();

  it('is for those who ask it', () => {
    const own = ['worker-9', '192.0.2.20'];
    assert.equal(told(['10.96.0.1', 'lb.example', 'a', ...own]), 'met: it is');
    assert.equal(told(['10.96.0.1', '::1', ...own], 'https://[::1]:6443'), 'met: it is');
    assert.equal(told(['lb.example', ...own]), 'unmet: not for 10.96.0.1');
    assert.equal(told(['10.96.0.1', ...own]), 'unmet: not for lb.example');
    assert.equal(told(['10.96.0.1', 'lb.example']), 'unmet: not for worker-9, 192.0.2.20');
    assert.equal(told(undefined), 'unmet: not for 10.96.0.1, worker-9, lb.example, 192.0.2.20');
  });
  it('is for no name that stands for many', () => {
    const few = (...names: readonly string[]): string =>
      judged(
        apiServerNamedForFew,
        [
          {
            ...untouchedMachine,
            left: [
              file(`${PKI}apiserver.crt`, { kind: 'certificates', isTrueCa: false, certificate: '', key: '', names }),
            ],
          },
        ],
        undefined,
      )
        .map(({ result, seen }) => `${result}: ${seen}`)
        .join();
    assert.equal(few('10.96.0.1', 'lb.example'), 'met: so it is');
    assert.equal(few('10.96.0.1', '*.example', '*'), 'unmet: *.example, *');
    assert.equal(few(), 'met: so it is');
    assert.deepEqual(judged(apiServerNamedForFew, [{ ...untouchedMachine, left: [] }], undefined), []);
  });
  it('is looked at where there is one', () => {
    const machine = { ...untouchedMachine, left: [other(`${PKI}apiserver.crt`)] };
    assert.deepEqual(judged(apiServerNamedForAll, [machine], { names: [] }), []);
    assert.deepEqual(judged(apiServerNamedForAll, [{ ...untouchedMachine, left: [] }], { names: [] }), []);
  });
});
