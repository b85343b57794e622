import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Transcript } from '../../kubernetes/transcript.js';
import type { Lie, Right } from '../../liars/lie.js';
import { lies, playLie } from './reference-client.js';

const lieOf = (name: string): Lie => {
  const lie = lies.find((one) => one.name === name);
  assert.ok(lie !== undefined, name);
  return lie;
};
const showsToken = ({ entries }: Transcript): boolean =>
  entries.some((entry) => entry.kind === 'request' && entry.authorization !== undefined);

/** What a transcript comes to. */
function done(lie: Lie, transcript: Transcript): Right {
  const { exit, message, milliseconds, entries } = transcript;
  if (exit === undefined) return 'waits for ever';
  if (exit === 0) return 'joins';
  if (!message.startsWith('error execution phase')) {
    assert.deepEqual(entries, []);
    return 'asks nothing';
  }
  if (/unable to (fetch|access)/.test(message)) return 'fails later';
  assert.ok(!showsToken(transcript) || lie.name === 'file-token-inside');
  return milliseconds >= (lie.told?.discoveryTimeout ?? 7000) ? 'gives up' : 'refuses';
}

describe('the reference client against every lie', () => {
  for (const lie of lies) {
    it(`${lie.name}: ${lie.right}`, async () => {
      const transcript = await playLie(lie, { until: 'preflight' });
      assert.equal(done(lie, transcript), lie.right, transcript.message);
      assert.deepEqual(transcript.files, {});
    });
  }
});

describe('a join to its end', () => {
  it('leaves what a kubelet needs, and no bootstrap kubeconfig', async () => {
    const { exit, message, files, entries } = await playLie(lieOf('ok-pin'));
    assert.equal(exit, 0, message);
    const modes = Object.entries(files).map(([path, { mode }]) => `${mode.toString(8)} ${path}`);
    assert.deepEqual(
      modes.map((line) => line.replace(/\d{4}(-\d\d){5}/, 'DATE')),
      [
        '600 /etc/kubernetes/kubelet.conf',
        '644 /etc/kubernetes/pki/ca.crt',
        '644 /var/lib/kubelet/config.yaml',
        '644 /var/lib/kubelet/instance-config.yaml',
        '644 /var/lib/kubelet/kubeadm-flags.env',
        '600 /var/lib/kubelet/pki/kubelet-client-DATE.pem',
      ],
    );
    const asked = entries.flatMap((entry) => (entry.kind === 'request' ? [entry.target.split('/').at(-1)] : []));
    assert.deepEqual(
      asked.map((last) => last?.replace('?timeout=10s', '')),
      [
        'cluster-info',
        'cluster-info',
        'kubeadm-config',
        'kube-proxy',
        'kubelet-config',
        'worker-9',
        'certificatesigningrequests',
        'csr-xxxx1',
      ],
    );
  });
  it('shows its token on verified connections only', async () => {
    for (const name of ['ok-pin', 'cert-changes', 'cert-other-ca-first', 'ok-unsafe']) {
      const { entries } = await playLie(lieOf(name));
      const shown = entries.filter((entry) => entry.kind === 'request' && entry.authorization !== undefined);
      assert.ok(shown.length > 0);
      assert.deepEqual([...new Set(shown.map(({ certificate }) => certificate))], ['good']);
    }
  });
});
