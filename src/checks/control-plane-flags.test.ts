import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandLines, judgeControllers, runsController } from './control-plane-flags.js';

const pod = (command: readonly string[]) => ({
  metadata: { namespace: 'kube-system', name: 'kcm' },
  spec: { containers: [{ command }] },
});

describe('flags of the control plane', () => {
  it('reads values behind an equals sign, in the next word, and left out; the last of a repeated flag counts', () => {
    const [line] = commandLines([
      pod(['kube-apiserver', '--v=2', '--v=4', '--allow-privileged', '--secure-port', '6443']),
    ]);
    assert.deepEqual(
      [...(line?.flags ?? [])],
      [
        ['v', '4'],
        ['allow-privileged', 'true'],
        ['secure-port', '6443'],
      ],
    );
  });

  it('shows nothing of a Pod without a command', () => {
    assert.deepEqual(commandLines([pod([])]), []);
  });

  it('lets the first entry decide that names a controller, by either name, and then the star', () => {
    assert.equal(runsController('*,bootstrapsigner', 'bootstrapsigner'), true);
    assert.equal(runsController('*,bootstrap-signer-controller', 'bootstrapsigner'), true);
    assert.equal(runsController('*', 'bootstrapsigner'), false);
    assert.equal(runsController(undefined, 'csrapproving'), true);
    assert.equal(runsController('*,-csrapproving', 'csrapproving'), false);
    assert.equal(runsController('-csrsigning,*,csrsigning', 'csrsigning'), false);
    assert.equal(runsController('tokencleaner', 'csrsigning'), false);
  });

  it('demands the star as well', () => {
    const lines = commandLines([pod(['kube-controller-manager', '--controllers=tokencleaner'])]);
    assert.equal(judgeControllers(lines, 'tokencleaner').kind, 'failed');
    assert.equal(judgeControllers([], 'tokencleaner').kind, 'skipped');
  });
});
