import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JoinFailed } from './failures.js';
import { showJoinCommand } from './handing-on.js';
import type { Machine } from './ports.js';
import { preflight, pullImages } from './preflight.js';

const PATHS = ['/etc/kubernetes/kubelet.conf', '/etc/kubernetes/pki/ca.crt'];
const BOTH = ['FileAvailable--etc-kubernetes-kubelet.conf', 'FileAvailable--etc-kubernetes-pki-ca.crt'] as const;

/** What is told, and why it ended; undefined: it did not. */
function played(
  { there = [], images }: { readonly there?: readonly string[]; readonly images?: string },
  ignored: readonly string[],
  act = (machine: Machine): void => preflight(machine, PATHS, ignored),
) {
  const told: string[] = [];
  const machine = {
    files: { exists: (path: string) => there.includes(path) },
    pullImages: () => images,
    tell: (line: string) => told.push(line),
  } as unknown as Machine;
  try {
    act(machine);
    return { told, failed: undefined };
  } catch (error) {
    assert.ok(error instanceof JoinFailed);
    return { told, failed: error.message };
  }
}
/** Names of checks in a text. */
const errors = (text = ''): readonly string[] => [...text.matchAll(/\[ERROR ([^\]]+)\]/g)].map(([, name = '']) => name);
const warnings = (told: readonly string[]): readonly string[] =>
  told.flatMap((line) => /^\[WARNING ([^\]]+)\]: \S+ already exists$/.exec(line)?.[1] ?? []);

describe('what must not be there before a join', () => {
  for (const [what, there, ignored, failing, warned] of [
    ['nothing', [], [], [], []],
    ['both', PATHS, [], BOTH, []],
    ['one', PATHS.slice(0, 1), [], BOTH.slice(0, 1), []],
    ['another file', ['/etc/kubernetes/admin.conf'], [], [], []],
    ['both, all ignored', PATHS, ['all'], [], BOTH],
    ['both, all ignored in capitals', PATHS, ['ALL'], [], BOTH],
    ['both, one ignored', PATHS, [BOTH[0].toLowerCase()], BOTH.slice(1), BOTH.slice(0, 1)],
    ['both, another ignored', PATHS, ['Swap'], BOTH, []],
    ['nothing, all ignored', [], ['all'], [], []],
  ] as const)
    it(`ends it by what is not ignored: ${what}`, () => {
      const { told, failed } = played({ there }, ignored);
      assert.deepEqual([errors(failed), warnings(told)], [failing, warned]);
      assert.equal(failed === undefined, failing.length === 0);
    });
});

describe('images of a control plane', () => {
  const pulled = (images: string | undefined, ignored: readonly string[]) =>
    played(images === undefined ? {} : { images }, ignored, (machine) => pullImages(machine, ignored));

  it('must be there, or be ignored', () => {
    assert.deepEqual(pulled(undefined, []), { told: [], failed: undefined });
    assert.deepEqual(errors(pulled('no network', []).failed), ['ImagePull']);
    assert.match(pulled('no network', []).failed ?? '', /no network/);
    assert.deepEqual(pulled('no network', ['imagepull']), {
      told: ['[WARNING ImagePull]: no network'],
      failed: undefined,
    });
  });

  it('are not looked for where nobody sees to it', () => {
    const { told, failed } = played({}, [], (machine) => {
      const { pullImages: _, ...rest } = machine;
      pullImages(rest, []);
    });
    assert.deepEqual([told, failed], [[], undefined]);
  });
});

describe('the command that joins', () => {
  const shown = (certificateKey?: string): readonly string[] => {
    const told: string[] = [];
    const command = { endpoint: '192.0.2.1:6443', token: 'a.b', pins: ['sha256:c', 'sha256:d'] };
    showJoinCommand(
      { tell: (line) => told.push(line) },
      certificateKey === undefined ? command : { ...command, certificateKey },
    );
    return told;
  };

  it('is that of a worker, or of a control plane with its key', () => {
    const worker = [
      'kubeadm join 192.0.2.1:6443 --token a.b \\',
      '\t--discovery-token-ca-cert-hash sha256:c --discovery-token-ca-cert-hash sha256:d ',
    ];
    assert.deepEqual(shown(), worker);
    assert.deepEqual(shown('e'), [...worker, '\t--control-plane --certificate-key e']);
  });
});
