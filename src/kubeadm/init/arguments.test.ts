/** Source: cmd/kubeadm/app/apis/kubeadm/validation/validation_test.go TestValidateMixedArguments. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mixedProblem } from './arguments.js';

it('flags that say what documents say do not stand beside them, and others do', () => {
  const mixed = (...names: readonly string[]): string => `can not mix '--config' with arguments [${names.join(' ')}]`;
  for (const [flags, problem] of [
    [[], undefined],
    [['--config=hello'], undefined],
    [['--config', '--dry-run', '-v=5', '-v'], undefined],
    [['--ignore-preflight-errors=all', '--node-name=a', '--upload-certs', '--kubeconfig=b'], undefined],
    [['--kubeconfig-dir=a', '--rootfs=b', '--log-file=c', '--yes', '--output=json'], undefined],
    [['--print-manifest', '--skip-token-print', '--skip-phases=a', '--skip-certificate-key-print'], undefined],
    [['--foo=bar'], mixed('foo')],
    [['-f'], mixed('f')],
    [
      ['--config=hello', '--token=a', '--apiserver-bind-port=1', '--dry-run=true'],
      mixed('apiserver-bind-port', 'token'),
    ],
    [['--configs'], mixed('configs')],
    [['--con'], mixed('con')],
    [['--noskip-a'], mixed('noskip-a')],
    [['--token=a=--config'], mixed('token')],
  ] as const)
    assert.equal(mixedProblem(flags), problem, flags.join(' '));
});
