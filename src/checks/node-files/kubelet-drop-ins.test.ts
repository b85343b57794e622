import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type DropIn,
  dropInsRead,
  readDropIns,
  readServing,
  type Serving,
  servesWithItsOwn,
} from './kubelet-drop-ins.js';
import type { Disk } from './node-seen.js';

const FOLDER = '/etc/kubernetes/kubelet.conf.d';
const file = (path: string, held: object) => ({ [path]: { path, held } });
const disk = (...files: readonly object[]): Disk => Object.assign({}, ...files) as Disk;
const SETTINGS = { kind: 'settings', settings: {} };
const FLAGS = file('/var/lib/kubelet/kubeadm-flags.env', { kind: 'flags', flags: { 'config-dir': FOLDER } });

describe('what lies in the folder of --config-dir', () => {
  it('is what is meant to be read', () => {
    const there = disk(
      FLAGS,
      file(FOLDER, { kind: 'folder' }),
      file(`${FOLDER}/10-a.conf`, SETTINGS),
      file(`${FOLDER}/20-b.yaml`, SETTINGS),
      file(`${FOLDER}/30-c.conf`, { kind: 'other' }),
      file(`${FOLDER}/README`, { kind: 'other' }),
      file(`${FOLDER}/10-a.conf.bak`, { kind: 'other' }),
      file('/etc/kubernetes/other/10.yaml', SETTINGS),
    );
    assert.deepEqual(readDropIns(there), [
      { path: `${FOLDER}/10-a.conf`, isConfiguration: true },
      { path: `${FOLDER}/20-b.yaml`, isConfiguration: true },
      { path: `${FOLDER}/30-c.conf`, isConfiguration: false },
    ]);
    assert.deepEqual(readDropIns(disk(file(`${FOLDER}/20-b.yaml`, SETTINGS))), []);
  });

  it('is read where it ends with .conf and says its kind', () => {
    const judged = (path: string, isConfiguration: boolean): string =>
      dropInsRead
        .judge([{ path, isConfiguration } satisfies DropIn], undefined)
        .map(({ result, seen }) => `${result}: ${seen}`)
        .join();
    assert.equal(judged('/a/10.conf', true), 'met: it does');
    assert.equal(judged('/a/10.yaml', true), 'unmet: it does not end with .conf, and is passed over');
    assert.equal(judged('/a/10.conf', false), 'unmet: it says no kind KubeletConfiguration, and the kubelet ends');
    assert.deepEqual(dropInsRead.judge([], undefined), []);
  });
});

describe('whose key a kubelet serves with', () => {
  const certificates = (pin: string) => ({ kind: 'certificates', certificates: [{ facts: { pin } }] });
  const API = file('/etc/kubernetes/pki/apiserver.crt', certificates('api'));
  const OWN = file('/var/lib/kubelet/pki/kubelet.crt', certificates('own'));
  const ASKED = file('/var/lib/kubelet/pki/kubelet-server-current.pem', {
    kind: 'pair',
    certificate: { facts: { pin: 'asked' } },
  });
  const read = (
    settings: object,
    flags: Readonly<Record<string, string>> = {},
    there = disk(API, OWN, ASKED),
  ): Serving => readServing(there, { settings: { ...settings }, flags });

  it('is read where it is told, or where it makes it', () => {
    assert.deepEqual(read({}), {
      path: '/var/lib/kubelet/pki/kubelet.crt',
      pin: 'own',
      others: [{ path: '/etc/kubernetes/pki/apiserver.crt', pin: 'api' }],
    });
    assert.equal(read({ serverTLSBootstrap: true }).pin, 'asked');
    assert.equal(read({ tlsCertFile: '/etc/kubernetes/pki/apiserver.crt' }).pin, 'api');
    const told = { 'tls-cert-file': '/var/lib/kubelet/pki/kubelet.crt' };
    assert.equal(read({ tlsCertFile: '/etc/kubernetes/pki/apiserver.crt' }, told).pin, 'own');
    assert.equal(read({ tlsCertFile: '/srv/own.crt' }).pin, null);
    assert.deepEqual(read({}, {}, disk(OWN)).others, []);
  });

  it('is its own', () => {
    const judged = (serving: Serving): string =>
      servesWithItsOwn
        .judge(serving, undefined)
        .map(({ result, seen }) => `${result}: ${seen}`)
        .join();
    const others = [{ path: '/etc/kubernetes/pki/apiserver.crt', pin: 'api' }];
    assert.equal(judged({ path: '/a', pin: 'own', others }), 'met: so it is');
    assert.equal(judged({ path: '/a', pin: 'api', others }), 'unmet: /etc/kubernetes/pki/apiserver.crt has it as well');
    assert.equal(judged({ path: '/a', pin: null, others }), '');
    assert.equal(judged({ path: '/a', pin: 'own', others: [] }), '');
  });
});
