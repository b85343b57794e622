import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf, saidBy } from '../common/judged.testing.js';
import { serviceIn } from './kubelet-service.js';
import { dropInsOf, startedBy } from './kubelet-started.js';
import {
  clusterDns,
  flagsKept,
  instanceSettings,
  kubeletSetting,
  kubeletTold,
  serviceStarts,
  settingsKnown,
  settingsSeen,
} from './node-kubelet.js';
import type { Disk, Held } from './node-seen.js';
import { at } from './node-seen.testing.js';

const ENV = '/var/lib/kubelet/kubeadm-flags.env';
const [DEFAULT, SYSCONFIG] = ['/etc/default/kubelet', '/etc/sysconfig/kubelet'];
const CONFIG = '/var/lib/kubelet/config.yaml';
const disk = (files: Readonly<Record<string, Held>>): Disk =>
  Object.fromEntries(
    Object.entries(files).flatMap(([path, held]) => {
      const { file } = at(path, held);
      return file === null ? [] : [[path, file] as const];
    }),
  );
const unit = (text: string): Held => ({ kind: 'service', service: serviceIn(`[Service]\n${text}`) });
const flags = (all: Readonly<Record<string, string>>, more: object = {}): Held => ({
  kind: 'flags',
  flags: all,
  ...more,
});
const settings = (all: object): Held => ({ kind: 'settings', settings: { ...all } });

describe('what a kubelet is started with', () => {
  const [OWN, DROP] = ['/lib/systemd/system/kubelet.service', '/etc/systemd/system/kubelet.service.d/10-kubeadm.conf'];
  it('is what all parts of its unit come to, itself first', () => {
    const started = startedBy(
      disk({
        '/etc/systemd/system/kubelet.service.d/90-own.conf': unit('Environment="A=--own"\n'),
        [DROP]: unit('Environment="A=--dropped"\nExecStart=\nExecStart=/k $A --b=1\nEnvironmentFile=-/e\n'),
        [OWN]: unit('ExecStart=/bare\n'),
      }),
    );
    assert.equal(started.command, '/k --own --b=1');
    assert.deepEqual(started.flags, { own: 'true', b: '1' });
    assert.deepEqual(started.files, ['/e']);
    assert.deepEqual(started.variables, { A: '--own' });
    assert.deepEqual(started.unit?.commands, ['/k $A --b=1']);
    assert.deepEqual([started.gates, started.masked], [[], []]);
  });

  it('is what parts hand on to a unit that does not lie there, but for what a file says of it', () => {
    const parts = {
      '/etc/systemd/system/kubelet.service.d/90-own.conf': unit(
        'Environment="KUBELET_EXTRA_ARGS=--anonymous-auth=true --v=2" "KUBELET_CONFIG_ARGS=--config=/c" OTHER=--x\n',
      ),
    };
    const given = { 'anonymous-auth': 'true', v: '2' };
    assert.deepEqual(startedBy(disk(parts)).flags, { config: '/c', ...given });
    const byFile = (path: string) => startedBy(disk({ ...parts, [path]: flags({ v: '3' }) })).flags;
    for (const path of [DEFAULT, SYSCONFIG]) assert.deepEqual(byFile(path), { config: '/c', v: '3' });
    assert.deepEqual(byFile(ENV), { config: '/c', ...given, v: '3' });
    // a command that takes none of it
    assert.deepEqual(startedBy(disk({ ...parts, [OWN]: unit('ExecStart=/k --a=b\n') })).flags, { a: 'b' });
  });

  it('is given flags by files of variables that its unit names, of which the last counts', () => {
    const environment = (A: string): Held => ({ kind: 'environment', variables: { A } });
    const given = (files: string) =>
      startedBy(
        disk({
          [OWN]: unit(`Environment=A=--a=unit\n${files}ExecStart=/k $A\n`),
          '/etc/kubernetes/one.env': environment('--a=one'),
          '/etc/kubernetes/two.env': environment('--a=two'),
        }),
      ).flags;
    const [one, two] = ['one', 'two'].map((name) => `EnvironmentFile=-/etc/kubernetes/${name}.env\n`);
    assert.deepEqual(given(''), { a: 'unit' });
    assert.deepEqual(given(`${one}`), { a: 'one' });
    assert.deepEqual(given(`${one}${two}`), { a: 'two' });
  });

  it('has of two parts of one name that of the later folder, and no part of another unit', () => {
    const name = 'kubelet.service.d/10-kubeadm.conf';
    const of = (...folders: readonly string[]) =>
      startedBy(
        disk(
          Object.fromEntries(
            folders.map((folder) => [`${folder}/${name}`, unit(`ExecStart=/${folder.split('/')[1]}\n`)] as const),
          ),
        ),
      );
    assert.equal(of('/lib/systemd/system', '/etc/systemd/system').command, '/etc');
    assert.equal(of('/etc/systemd/system', '/usr/lib/systemd/system').command, '/etc');
    assert.equal(of('/run/systemd/system', '/etc/systemd/system').command, '/run');
    assert.equal(of('/opt/systemd').command, undefined);
    assert.equal(startedBy(disk({ [DROP]: settings({}) })).command, undefined);
    // without the unit itself nobody knows what it is started with
    assert.equal('unit' in of('/etc/systemd/system'), false);
    assert.equal('unit' in startedBy(disk({ [OWN]: settings({}) })), false);
  });

  it('has the flags of files, those of an operator above those of kubeadm', () => {
    const all = { [ENV]: flags({ a: 'kubeadm', b: 'kubeadm' }), [OWN]: unit('ExecStart=/k --a=unit --c=unit\n') };
    assert.deepEqual(startedBy(disk(all)).flags, { a: 'kubeadm', b: 'kubeadm', c: 'unit' });
    for (const path of [DEFAULT, SYSCONFIG]) {
      assert.deepEqual(startedBy(disk({ ...all, [path]: flags({ a: 'own' }) })).flags, {
        a: 'own',
        b: 'kubeadm',
        c: 'unit',
      });
      assert.deepEqual(startedBy(disk({ ...all, [path]: flags({ a: 'own' }, { setsKubeadms: true }) })).flags, {
        a: 'own',
        c: 'unit',
      });
      assert.deepEqual(startedBy(disk({ ...all, [path]: settings({ flags: { a: 'x' } }) })).flags.a, 'kubeadm');
    }
  });

  it('has the variables that files of it set, and the gates of its configuration', () => {
    const more = { variables: ['HTTP_PROXY'] };
    for (const path of [ENV, DEFAULT, SYSCONFIG])
      assert.deepEqual(startedBy(disk({ [path]: flags({}, more) })).variables, { HTTP_PROXY: '' }, path);
    assert.deepEqual(startedBy(disk({ [ENV]: flags({}) })).variables, {});
    assert.deepEqual(startedBy(disk({ [CONFIG]: settings({ featureGates: { A: true, B: false } }) })).gates, [
      'A=true',
      'B=false',
    ]);
    assert.deepEqual(startedBy(disk({ [CONFIG]: { kind: 'other' } })).gates, []);
  });

  it('is nothing where its unit is masked', () => {
    const masked = (why: string, path = '/etc/systemd/system/kubelet.service') =>
      startedBy(disk({ [path]: { kind: 'unreadable', why } })).masked;
    assert.deepEqual(masked('it is a link to nothing'), ['/etc/systemd/system/kubelet.service']);
    assert.deepEqual(masked('it is empty'), ['/etc/systemd/system/kubelet.service']);
    assert.deepEqual(masked('permission denied'), []);
    assert.deepEqual(masked('it is a link to nothing', DROP), []);
    assert.deepEqual(masked('it is a link to nothing', '/run/systemd/system/kubelet.service'), [
      '/run/systemd/system/kubelet.service',
    ]);
  });
});

describe('the unit of a kubelet', () => {
  const [OWN, WANTS] = ['/usr/lib/systemd/system/kubelet.service', '/etc/systemd/system/multi-user.target.wants'];
  const whole = (install: string): Held => ({
    kind: 'service',
    service: serviceIn(`[Unit]\nDescription=a\n[Service]\nExecStart=a\n${install}`),
  });
  const isOff = (files: Readonly<Record<string, Held>>): boolean => startedBy(disk(files)).isOff === true;
  it('is started with its machine, as far as the disk says it', () => {
    const installed = whole('[Install]\nWantedBy=multi-user.target\n');
    assert.equal(isOff({ [OWN]: installed }), false);
    assert.equal(isOff({ [OWN]: unit('ExecStart=a') }), false, 'a few lines');
    assert.equal(isOff({ [OWN]: whole('') }), true);
    assert.equal(isOff({ [OWN]: whole(''), [`${WANTS}/kubelet.service`]: { kind: 'other' } }), false);
    assert.equal(isOff({ [OWN]: installed, [WANTS]: { kind: 'folder' } }), true);
    assert.equal(
      isOff({
        [OWN]: installed,
        [WANTS]: { kind: 'folder' },
        '/etc/systemd/system/a.wants/kubelet.service': { kind: 'other' },
      }),
      false,
    );
    assert.equal(isOff({ [WANTS]: { kind: 'folder' } }), false);
  });
  it('lies beside its parts where packages put them', () => {
    const isMissing = (path: string, more: Readonly<Record<string, Held>> = {}): boolean =>
      startedBy(disk({ [path]: unit(''), '/usr/bin/kubelet': { kind: 'other' }, ...more })).isMissing === true;
    assert.equal(startedBy(disk({ [`${OWN}.d/10-kubeadm.conf`]: unit('') })).isMissing, undefined);
    assert.equal(isMissing(`${OWN}.d/10-kubeadm.conf`), true);
    assert.equal(isMissing(`${OWN}.d/10-kubeadm.conf`, { [OWN]: unit('') }), false);
    assert.equal(isMissing(`${OWN}.d/10-kubeadm.conf`, { '/etc/systemd/system/kubelet.service': unit('') }), false);
    assert.equal(isMissing('/etc/systemd/system/kubelet.service.d/10-kubeadm.conf'), false);
  });
});

describe('configurations below that of a kubelet', () => {
  const own = at(CONFIG, settings({ a: 1, b: { c: 1, d: 1 }, e: [1] }));
  const under = (folder: string, files: Readonly<Record<string, Held>>): Disk =>
    disk({ [ENV]: flags({ 'config-dir': folder }), ...files });
  it('lie in the folder that a flag names', () => {
    for (const [folder, is] of [
      ['/d', '/d'],
      ['/d/', '/d'],
      ['d', ''],
      ['/', ''],
      ['/d*', ''],
      ['', ''],
    ] as const)
      assert.equal(dropInsOf(under(folder, {})), is, folder);
    assert.equal(dropInsOf({}), '');
  });

  it('stand above it, in the order of their names, field by field', () => {
    const files = {
      '/d/20.conf': settings({ a: 3 }),
      '/d/10.conf': settings({ a: 2, b: { c: 2 }, e: [2] }),
      '/d/30.yaml': settings({ a: 4 }),
      '/other/40.conf': settings({ a: 5 }),
      '/d/50.conf': { kind: 'other' } as const,
    };
    const { file } = settingsSeen(under('/d', files), own);
    assert.deepEqual(file?.held, settings({ a: 3, b: { c: 2, d: 1 }, e: [2] }));
    assert.equal(file?.path, CONFIG);
    const replaced = settingsSeen(under('/d', { '/d/a.conf': settings({ a: { x: 1 }, b: 2 }) }), own);
    assert.deepEqual(replaced.file?.held, settings({ a: { x: 1 }, b: 2, e: [1] }));
  });

  it('change nothing where no folder is named, or the configuration is none', () => {
    const files = { '/d/10.conf': settings({ a: 2 }) };
    assert.equal(settingsSeen(disk(files), own), own);
    for (const other of [at(CONFIG, null), at(CONFIG, { kind: 'other' })])
      assert.equal(settingsSeen(under('/d', files), other), other);
  });
});

describe('what a kubelet is told', () => {
  const said = (clusterDNS: unknown, within = '10.96.0.0/12,fd00::/112'): string =>
    saidBy(clusterDns, [at(CONFIG, settings({ clusterDNS }))], { within }).join();
  it('leads to a DNS of its cluster, each address of it', () => {
    for (const sound of [
      ['10.96.0.10'],
      ['10.111.255.254'],
      ['10.96.0.10', 'fd00::a'],
      ['169.254.20.10'],
      ['fd00:169::1'],
      ['fe80::1'],
    ])
      assert.equal(said(sound), `met: ${sound.join(', ')}`);
    for (const odd of [
      ['10.96.0.1'],
      ['10.112.0.1'],
      ['10.95.255.255'],
      ['10.96.0.10', '192.0.2.1'],
      ['192.0.2.1', '10.96.0.10'],
      ['10.169.254.1', '1.169.254.9'],
    ])
      assert.equal(said(odd), `unmet: ${odd.join(', ')}`);
    assert.equal(said([]), 'unmet: it is not set');
    assert.equal(said('10.96.0.10'), 'unmet: it is not set');
    assert.equal(said(['192.0.2.1'], ''), 'met: 192.0.2.1');
    assert.equal(said(['192.0.2.1'], '192.0.2.1'), 'met: 192.0.2.1');
    assert.equal(said(['192.0.2.3'], '192.0.2.1'), 'unmet: 192.0.2.3');
    assert.equal(said(['192.0.2.9'], '10.96.0.0/12,192.0.2.0/24'), 'met: 192.0.2.9');
  });

  it('is of this machine alone where it is called so', () => {
    const told = (all: object): string => saidBy(instanceSettings, [at('/i', settings(all))], undefined).join();
    const socket = 'unix:///run/a.sock';
    assert.equal(told({ containerRuntimeEndpoint: socket }), `met: containerRuntimeEndpoint: ${socket}`);
    assert.equal(told({ containerRuntimeEndpoint: '/run/a.sock' }), 'met: containerRuntimeEndpoint: /run/a.sock');
    assert.equal(
      told({ apiVersion: 'v', kind: 'KubeletConfiguration', containerRuntimeEndpoint: socket }),
      `met: containerRuntimeEndpoint: ${socket}`,
    );
    assert.equal(
      told({ kind: 'Other', containerRuntimeEndpoint: socket }),
      `unmet: containerRuntimeEndpoint: ${socket}`,
    );
    assert.equal(told({ containerRuntimeEndpoint: 'tcp://a' }), 'unmet: containerRuntimeEndpoint: tcp://a');
    assert.equal(told({}), 'unmet: it says nothing');
    assert.equal(told({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }), 'unmet: a, b, c, d, e: undefined');
  });

  it('has no field that a kubelet does not know, five of which are told', () => {
    const told = (all: object): string => saidBy(settingsKnown, [at(CONFIG, settings(all))], undefined).join();
    assert.equal(told({ maxPods: 1 }), 'met: it has none');
    assert.equal(told({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }).split(', ').length, 5);
  });

  it('counts by its flag, then by its setting, then by what is usual', () => {
    const told = (all: object, flag: Readonly<Record<string, string>> = {}, wanted = ['/a']): string =>
      saidBy(
        kubeletSetting,
        { config: at(CONFIG, settings(all)), flags: flag },
        { name: 'x.y', flag: 'f', wanted, otherwise: '/a' },
      ).join();
    assert.equal(told({}), 'met: /a');
    assert.equal(told({ x: { y: null } }), 'met: /a');
    assert.equal(told({ x: { y: '/a/' } }), 'met: /a/');
    assert.equal(told({ x: { y: '/b' } }), 'unmet: /b');
    assert.equal(told({ x: { y: '/b' } }, { f: '/a' }), 'met: --f=/a');
    assert.equal(told({ x: { y: '/a' } }, { f: '/b' }), 'unmet: --f=/b');
    assert.equal(told({ x: { y: '/a/x/' } }), 'unmet: /a/x/');
    assert.equal(told({ x: { y: '' } }, {}, []), 'met: it is not set');
    assert.equal(told({ x: { y: '/' } }, {}, ['/']), 'met: /');
    const set = (all: object, flag: Readonly<Record<string, string>> = {}) =>
      saidBy(kubeletTold, { config: at(CONFIG, settings(all)), flags: flag }, { name: 'x', flag: 'f' }).join();
    assert.deepEqual(
      [set({ x: 'a' }), set({}), set({ x: '' }), set({}, { f: 'b' }), set({ x: 'a' }, { f: '' })],
      ['met: a', 'unmet: it is not set', 'unmet: it is not set', 'met: b', 'unmet: it is not set'],
    );
  });

  it('is its three files, and what kubeadm has written', () => {
    const given = {
      'bootstrap-kubeconfig': '/etc/kubernetes/bootstrap-kubelet.conf',
      kubeconfig: '/etc/kubernetes/kubelet.conf',
      config: CONFIG,
    };
    const sound = { ...startedBy({}), command: 'k $KUBELET_KUBEADM_ARGS', files: ['/x', ENV], flags: given };
    const results = (more: object) => resultsOf(serviceStarts, { ...sound, ...more }, undefined);
    assert.deepEqual(results({}), ['met', 'met', 'met', 'met']);
    for (const [index, name] of Object.keys(given).entries())
      assert.equal(results({ flags: { ...given, [name]: '/other' } })[index], 'unmet', name);
    assert.equal(results({ files: ['/x'] })[3], 'unmet');
    assert.equal(results({ command: 'k' })[3], 'unmet');
    const kept = (all: Readonly<Record<string, string>>) =>
      resultsOf(flagsKept, { ...sound, flags: all }, { names: ['config', 'other'] });
    assert.deepEqual(
      [kept({}), kept({ config: CONFIG }), kept({ config: '/x', other: '' })],
      [
        ['met', 'met'],
        ['met', 'met'],
        ['unmet', 'unmet'],
      ],
    );
  });
});
