import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { twinsOf } from '../common/twins.testing.js';
import { commandOf, EXTRA_ARGS, flagsIn, serviceIn, unitOf, variableIn, variablesOf } from './kubelet-service.js';

describe('the flags of a command line', () => {
  it('have their value behind = or in the next word', () => {
    const of: readonly (readonly [string, object])[] = [
      ['--a=b', { a: 'b' }],
      ['--read_only_port=1 -b_c d', { 'read-only-port': '1', 'b-c': 'd' }],
      ['-a=b', { a: 'b' }],
      ['--a=', { a: '' }],
      ['--a=b=c', { a: 'b=c' }],
      ['--a b', { a: 'b' }],
      ['--a  b   --c', { a: 'b', c: 'true' }],
      ['--a --b', { a: 'true', b: 'true' }],
      ['--a $ARGS', { a: 'true' }],
      ['--a', { a: 'true' }],
      ['kubelet x', {}],
      ['---a', { '-a': 'true' }],
      ['x--a=b', {}],
      ['', {}],
      ['--a=1 --a=2', { a: '2' }],
    ];
    for (const [line, flags] of of) assert.deepEqual(flagsIn(line), flags, line);
  });
});

describe('a file of variables', () => {
  it('sets one to flags', () => {
    const of = (content: string) => variableIn(content, 'ARGS');
    assert.deepEqual(of('ARGS="--a=b --c"'), { a: 'b', c: 'true' });
    assert.deepEqual(of('# x\nXARGS="--x"\nARGS=--a=b\n'), { a: 'b' });
    assert.deepEqual(of('ARGS=  "--a=b"  '), { a: 'b' });
    assert.deepEqual([of('ARGS=""'), of('ARGS=')], [{}, {}]);
    for (const none of ['', 'ARGSX="--a"', 'export ARGS="--a"', 'A=1']) assert.equal(of(none), 'it sets no ARGS', none);
    for (const open of ['ARGS="--a', 'ARGS=--a"', 'ARGS="']) assert.equal(of(open), 'its quote is not closed', open);
  });
});

describe('the service of the kubelet', () => {
  it('is read of a file of kubelet.service.d', () => {
    assert.deepEqual(
      serviceIn(
        [
          '[Service]',
          'Environment="KUBELET_A=--a=b --c"',
          'Environment=KUBELET_B=--d',
          'Environment=KUBELET_C=',
          'Environment=lower=x',
          'Environment=-',
          '#Environment=KUBELET_D=x',
          'EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env',
          'EnvironmentFile=/etc/default/kube-let',
          'ExecStart=',
          'ExecStart=/usr/bin/kubelet $KUBELET_A \\',
          '  $KUBELET_B ',
        ].join('\n'),
      ),
      {
        variables: { KUBELET_A: '--a=b --c', KUBELET_B: '--d', KUBELET_C: '' },
        files: ['/var/lib/kubelet/kubeadm-flags.env', '/etc/default/kube-let'],
        command: '/usr/bin/kubelet $KUBELET_A    $KUBELET_B',
        commands: ['/usr/bin/kubelet $KUBELET_A    $KUBELET_B'],
        empties: ['ExecStart'],
        before: [],
        user: '',
        told: { EnvironmentFile: ['-/var/lib/kubelet/kubeadm-flags.env', '/etc/default/kube-let'] },
      },
    );
    assert.deepEqual(serviceIn('ExecStart=a\nExecStart=b\nExecStart=').command, undefined);
    assert.deepEqual(serviceIn('ExecStart=\n').commands, []);
    assert.deepEqual(EXTRA_ARGS, ['/etc/default/kubelet', '/etc/sysconfig/kubelet']);
  });

  it('comes to one command with the variables of all parts', () => {
    const part = (command: string | undefined, variables: Readonly<Record<string, string>> = {}) => ({
      variables,
      files: [],
      command,
      commands: command === undefined ? [] : [command],
      empties: [],
      before: [],
      user: '',
    });
    assert.equal(commandOf([]), undefined);
    assert.equal(commandOf([part(undefined, { A: '1' })]), undefined);
    assert.equal(
      commandOf([part('k $A'), part(`l $A $\{B} $C $d`, { A: '1' }), part(undefined, { A: '2', B: '3' })]),
      'l 2 3 $C $d',
    );
    // what a file says counts for more than the unit
    assert.equal(commandOf([part('k $A $B', { A: '1', B: '2' })], { A: '--a=3' }), 'k --a=3 2');
  });

  it('parts words of its environment as systemd does', () => {
    const of = (content: string) => serviceIn(content).variables;
    assert.deepEqual(of(`Environment='A=--a b' "B=c d"  C=e f`), { A: '--a b', B: 'c d', C: 'e' });
    assert.deepEqual(of('Environment=A=b\nEnvironment=\nEnvironment=C=d'), { C: 'd' });
    assert.deepEqual(of('[Servce]\nEnvironment=A=b\n[Service]\nEnvironment=C=d\n[Unit]\nEnvironment=E=f'), { C: 'd' });
    const parts = ['Environment=A=1 B=2', 'Environment=\nEnvironment=C=3', 'UnsetEnvironment=C\nEnvironment=D=4'];
    assert.deepEqual(variablesOf(parts.map(serviceIn)), { D: '4' });
    assert.deepEqual(variablesOf(parts.slice(0, 1).map(serviceIn)), { A: '1', B: '2' });
  });

  it('says what decides on its work', () => {
    const content =
      '[Unit]\nConditionPathExists=/a\nType=x\n[Service]\nType=simple\nType=exec\nConditionPathExists=/b\n';
    assert.deepEqual(serviceIn(content).told, { Type: ['simple', 'exec'], ConditionPathExists: ['/a'] });
    const { told } = unitOf([content, 'Type=oneshot'].map(serviceIn));
    assert.deepEqual(told, { Type: ['simple', 'exec', 'oneshot'], ConditionPathExists: ['/a'] });
  });
});

describe('lines of a unit', () => {
  it('are those of their section, in these letters', () => {
    for (const section of ['Service', 'service', ' Service', 'Service ', 'Services', ''])
      assert.equal(serviceIn(`[${section}]\nUser=a\n`).user, section === 'Service' ? 'a' : '', section);
    assert.equal(serviceIn('User=a\n[Unit]\nUser=b\n').user, 'a');
    assert.equal(serviceIn('[Unit\nUser=a\n').user, 'a', 'a line that is no section');
    assert.equal(serviceIn('[Install]\nx]\nUser=a\n').user, '');
    assert.equal(serviceIn('  User =a\n  User=  b  \n').user, 'b');
    for (const key of ['user', 'Users', 'XUser', '']) assert.equal(serviceIn(`${key}=a\n`).user, '', key);
    assert.deepEqual(serviceIn('[Unit]\nConflicts=a\n[Service]\nConflicts=b\nType=c\n').told, {
      Type: ['c'],
      Conflicts: ['a'],
    });
    assert.deepEqual(serviceIn('ExecStart=a \\\n b\n').commands, ['a   b']);
    assert.deepEqual(serviceIn('ExecStartPre=a\nExecStartPre=\nExecStartPre=b\nExecStartPre=c\n').before, ['b', 'c']);
    assert.deepEqual(serviceIn('').told, {});
  });

  it('set variables by words, of which quotes hold some together', () => {
    const set = (value: string) => serviceIn(`Environment=${value}\n`).variables;
    assert.deepEqual(set('"A=1 2" \'B=3 4\' C=5'), { A: '1 2', B: '3 4', C: '5' });
    assert.deepEqual(set('xA=1 A_B=c=d a=1'), { A_B: 'c=d' });
    assert.deepEqual(serviceIn('Environment=A=1\nEnvironment=\nEnvironment=B=2\n').variables, { B: '2' });
    assert.deepEqual(serviceIn('Environment=\nEnvironmentFile=\nExecStartPre=\n[Unit]\nConflicts=\nType=\n').empties, [
      'Environment',
      'ExecStartPre',
      'EnvironmentFile',
      'Conflicts',
    ]);
  });
});

describe('a file of variables, line by line', () => {
  it('has names that a shell takes, and blanks around them', () => {
    const of = (content: string) => variableIn(content, 'A');
    for (const [content, flags] of [
      ['A =--x', { x: 'true' }],
      ['  A=--x  ', { x: 'true' }],
      ['A=--x \\\n--y', { x: 'true', y: 'true' }],
      ['A=--x \\\r\n--y', { x: 'true', y: 'true' }],
      ["A='--x=1'", { x: '1' }],
      ['A=--x="1"', 'its quote is not closed'],
      ['A=--x="1', { x: '"1' }],
      ['A="--x\'', 'its quote is not closed'],
      ['A=x"--y"', 'its quote is not closed'],
      ['=--x', 'it sets no A'],
      ['A', 'it sets no A'],
    ] as const)
      assert.deepEqual(of(content), flags, content);
    for (const twin of twinsOf('A')) assert.equal(of(`${twin.replace(/^ | $/, 'x')}=--x`), 'it sets no A', twin);
    for (const name of ['1A', 'A-B', 'A B', '-A']) assert.equal(variableIn(`${name}=--x`, name), `it sets no ${name}`);
    assert.deepEqual(variableIn('_a1=--x', '_a1'), { x: 'true' });
  });

  it('tells a word that is no flag', () => {
    const stray = (line: string): unknown => (variableIn(`A=${line}`, 'A') as Readonly<Record<string, string>>)[' '];
    assert.equal(stray('word --x'), 'word');
    assert.equal(stray('--x value'), undefined);
    assert.equal(stray('-x value'), undefined);
    assert.equal(stray('--x=1 word'), 'word');
    assert.equal(stray('--x one  two'), 'two');
    assert.equal(stray('--x one two'), 'two');
    assert.equal(stray('$WORD --x'), undefined);
    assert.equal(stray('--x one --y=2 three'), 'three');
    assert.equal(stray('a--x one'), 'a--x');
  });
});

describe('the parts of a unit together', () => {
  const parts = (...contents: readonly string[]) => contents.map((content) => serviceIn(content));

  it('add to lists, until one empties them', () => {
    const unit = unitOf(parts('ExecStartPre=a\nExecStartPre=b', 'ExecStartPre=c', 'User=u', ''));
    assert.deepEqual([unit.before, unit.user], [['a', 'b', 'c'], 'u']);
    assert.deepEqual(unitOf(parts('ExecStartPre=a', 'ExecStartPre=\nExecStartPre=b', 'ExecStartPre=c')).before, [
      'b',
      'c',
    ]);
    assert.deepEqual(unitOf(parts('EnvironmentFile=-/a', 'EnvironmentFile=', 'EnvironmentFile=/b')).files, ['/b']);
    assert.deepEqual(unitOf(parts('ExecStart=a', 'ExecStart=\nExecStart=b')).commands, ['b']);
    assert.deepEqual(unitOf(parts('Type=a', 'Type=b\nEnvironmentFile=/a', 'EnvironmentFile=')).told, {
      Type: ['a', 'b'],
      EnvironmentFile: [],
    });
    assert.equal(unitOf(parts('User=a', 'User=b', 'User=')).user, 'b');
    assert.equal(unitOf([]).user, '');
  });

  it('set variables for their command, but for those that are unset', () => {
    const all = parts(
      'Environment=A=1 BC=2\nUnsetEnvironment=D',
      `Environment=D=3 E=4\nExecStart=k $A \${BC} $D $E \${A}x $F`,
    );
    assert.deepEqual(variablesOf(all), { A: '1', BC: '2', E: '4' });
    assert.equal(commandOf(all), 'k 1 2 $D 4 1x $F');
    assert.deepEqual(variablesOf(parts('Environment=A=1', 'Environment=\nEnvironment=B=2')), { B: '2' });
    assert.equal(commandOf(parts('User=a')), undefined);
  });
});
