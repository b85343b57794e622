import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandOf, EXTRA_ARGS, flagsIn, serviceIn, unitOf, variableIn, variablesOf } from './kubelet-service.js';

describe('the flags of a command line', () => {
  it('have their value behind = or in the next word', () => {
    const of: readonly (readonly [string, object])[] = [
      ['--a=b', { a: 'b' }],
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
