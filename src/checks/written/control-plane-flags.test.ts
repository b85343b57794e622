import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judged, resultsOf } from '../common/judged.testing.js';
import * as flags from './control-plane-flags.js';

const pod = (...command: readonly string[]) => ({
  metadata: { namespace: 'kube-system', name: command[0] ?? 'none' },
  spec: { containers: [{ command }] },
});
const lines = (...args: readonly string[]) => flags.commandLines([pod('component', '--v=2', ...args)]);
const flag = (name: string, ...args: readonly string[]) => flags.flagOf(lines(...args), name);

describe('flags of the control plane', () => {
  it('reads values behind an equals sign, in the next word, and left out; the last of a repeated flag counts', () => {
    const [line] = flags.commandLines([
      pod('kube-apiserver', '--v=2', '--v=4', '--allow-privileged', '--secure-port', '6443'),
    ]);
    assert.deepEqual(
      [...(line?.flags ?? [])],
      [
        ['v', '4'],
        ['allow-privileged', 'true'],
        ['secure-port', '6443'],
      ],
    );
    assert.deepEqual(flags.commandLines([pod()]), [], 'a Pod without a command');
    const read = (...words: readonly unknown[]) => [
      ...(flags.commandLines([{ metadata: {}, spec: { containers: [{ command: ['x', ...words] }] } }])[0]?.flags ?? []),
    ];
    assert.deepEqual(read('-v=2', 7, '--a=b\nc', '--Big=x', '--d', '-e'), [
      ['v', '2'],
      ['a', 'b\nc'],
      ['Big', 'x'],
      ['d', 'true'],
      ['e', 'true'],
    ]);
    const nameless = flags.commandLines([{ metadata: {}, spec: { containers: [{ command: ['x'], args: ['-y'] }] } }]);
    assert.deepEqual(nameless[0]?.pod, 'Pod /');
    for (const spec of [undefined, {}, { containers: 'x' }, { containers: [] }, { containers: [{ command: 'x y' }] }])
      assert.deepEqual(flags.commandLines([{ metadata: {}, spec }]), []);
  });

  it('tells one flag of a line and no other', () => {
    assert.deepEqual(flag('controllers', '--controllers=*', '--token-auth-file=/x'), [
      { subject: 'Pod kube-system/component', flag: 'controllers', value: '*', instead: null },
    ]);
    assert.equal(flag('controllers')[0]?.value, null);
  });

  it('lets the first entry decide that names a controller, by either name, and then the star', () => {
    const runs = flags.runsController;
    assert.equal(runs('*,bootstrapsigner', 'bootstrapsigner'), true);
    assert.equal(runs('*,bootstrap-signer-controller', 'bootstrapsigner'), true);
    assert.equal(runs('*', 'bootstrapsigner'), false);
    assert.equal(runs(undefined, 'csrapproving'), true);
    assert.equal(runs('*,-csrapproving', 'csrapproving'), false);
    assert.equal(runs('-csrsigning,*,csrsigning', 'csrsigning'), false);
    assert.equal(runs('tokencleaner', 'csrsigning'), false);
    assert.equal(runs('', 'csrsigning'), false);
    assert.equal(runs('-certificatesigningrequest-signing-controller,*', 'csrsigning'), false);
    assert.equal(runs(' tokencleaner , x', 'tokencleaner'), true);
    for (const name of ['tokencleaner', 'bootstrapsigner', 'csrapproving', 'csrsigning'])
      assert.ok(flags.isJoiningController(name));
    assert.equal(flags.isJoiningController('toString'), false);
  });

  it('judges switches', () => {
    const on = (...args: readonly string[]) =>
      judged(flags.switchedOn, flag('enable-bootstrap-token-auth', ...args), undefined).map(
        ({ result, seen }) => `${result}: ${seen}`,
      );
    assert.deepEqual(on('--enable-bootstrap-token-auth=true'), ['met: --enable-bootstrap-token-auth=true']);
    assert.deepEqual(on('--enable-bootstrap-token-auth'), ['met: --enable-bootstrap-token-auth=true']);
    assert.deepEqual(on('--enable-bootstrap-token-auth=false'), ['unmet: --enable-bootstrap-token-auth=false']);
    assert.deepEqual(on('--enable-bootstrap-token-auth='), ['unmet: --enable-bootstrap-token-auth=']);
    assert.deepEqual(on(), ['unmet: the flag is not there, and its default is false']);
    const equals = (...args: readonly string[]) => resultsOf(flags.flagEquals, flag('x', ...args), { wanted: 'true' });
    assert.deepEqual([equals('--x=true'), equals('--x=1'), equals()], [['met'], ['unmet'], ['unmet']]);
  });

  it('judges what only has to be given', () => {
    const given = (...args: readonly string[]) => resultsOf(flags.flagGiven, flag('x', ...args), undefined);
    assert.deepEqual([given('--x=a'), given('--x='), given('--y=a')], [['met'], ['unmet'], ['unmet']]);
  });

  it('judges what must not be given', () => {
    const given = (...args: readonly string[]) => resultsOf(flags.flagNotGiven, flag('x', ...args), undefined);
    assert.deepEqual([given('--x=a'), given('--x='), given('--y=a')], [['unmet'], ['met'], ['met']]);
  });

  it('judges lists, where no other flag takes their place', () => {
    const wanted = { wanted: 'RBAC', unwanted: 'AlwaysAllow' };
    const of = (...args: readonly string[]) => resultsOf(flags.flagLists, flag('authorization-mode', ...args), wanted);
    assert.deepEqual(of('--authorization-mode=Node,RBAC'), ['met']);
    assert.deepEqual(of('--authorization-mode=Node'), ['unmet']);
    assert.deepEqual(of('--authorization-mode=RBAC,AlwaysAllow'), ['unmet']);
    assert.deepEqual(of(), ['unmet']);
    assert.deepEqual(of('--authorization-config=/etc/x'), []);
  });

  it('judges controllers: one that is off by default must be named, beside the star', () => {
    const named = (...args: readonly string[]) =>
      resultsOf(flags.controllerNamed, flag('controllers', ...args), { controller: 'tokencleaner' });
    for (const value of ['*,bootstrapsigner,tokencleaner', '*,token-cleaner-controller'])
      assert.deepEqual(named(`--controllers=${value}`), ['met'], value);
    for (const value of ['*', 'tokencleaner', '*,bootstrapsigner', '*,-tokencleaner'])
      assert.deepEqual(named(`--controllers=${value}`), ['unmet'], value);
    assert.deepEqual(named(), ['unmet']);
    const left = (...args: readonly string[]) =>
      resultsOf(flags.controllerLeftOn, flag('controllers', ...args), { controller: 'csrsigning' });
    assert.deepEqual(
      [left(), left('--controllers=*'), left('--controllers=*,-csrsigning')],
      [['met'], ['met'], ['unmet']],
    );
  });

  it('judges every Pod that publishes its command, and says nothing where none does', () => {
    const two = flags.flagOf(
      flags.commandLines([pod('a', '--controllers=*'), pod('b', '--controllers=*,tokencleaner')]),
      'controllers',
    );
    assert.deepEqual(resultsOf(flags.controllerNamed, two, { controller: 'tokencleaner' }), ['unmet', 'met']);
    assert.deepEqual(resultsOf(flags.controllerNamed, [], { controller: 'tokencleaner' }), []);
  });

  it('takes the items of a repeated list together', () => {
    const lists = (...args: readonly string[]) =>
      resultsOf(
        flags.flagLists,
        flag('enable-admission-plugins', ...args.map((one) => `--enable-admission-plugins=${one}`)),
        {
          wanted: 'NodeRestriction',
          unwanted: 'AlwaysAdmit',
        },
      );
    assert.deepEqual(
      [lists('NodeRestriction', 'PodSecurity'), lists('NodeRestriction', 'AlwaysAdmit')],
      [['met'], ['unmet']],
    );
    const lacks = (value: string) =>
      resultsOf(
        flags.flagLacks,
        flag('disable-admission-plugins', ...(value === '' ? [] : [`--disable-admission-plugins=${value}`])),
        {
          unwanted: 'CertificateSigning',
        },
      );
    assert.deepEqual(['', 'CertificateApproval', 'CertificateApproval,CertificateSigning'].map(lacks), [
      ['met'],
      ['met'],
      ['unmet'],
    ]);
  });
});

it('a switch is on in every way that Go writes it', () => {
  for (const on of ['true', '1', 't', 'T', 'TRUE', 'True']) assert.ok(flags.isSwitchedOn(on), on);
  for (const off of ['', 'false', 'yes', 'tRUE', '10', 'truex', null, undefined]) assert.ok(!flags.isSwitchedOn(off));
});

it('controllers are known by both of their names, on and off', () => {
  for (const [controller, long] of [
    ['csrapproving', 'certificatesigningrequest-approving-controller'],
    ['csrsigning', 'certificatesigningrequest-signing-controller'],
    ['csrcleaner', 'certificatesigningrequest-cleaner-controller'],
    ['nodelifecycle', 'node-lifecycle-controller'],
    ['root-ca-cert-publisher', 'root-ca-certificate-publisher-controller'],
    ['tokencleaner', 'token-cleaner-controller'],
    ['bootstrapsigner', 'bootstrap-signer-controller'],
  ] as const)
    for (const name of [controller, long]) {
      assert.equal(flags.runsController(name, controller), true, name);
      assert.equal(flags.runsController(`*,-${name}`, controller), false, name);
    }
});
