import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Entry, Transcript } from '../../kubernetes/transcript.js';
import { configMap, json } from '../../liars/answers.js';
import type { Lie, Right } from '../../liars/lie.js';
import { inEachWay, lies, playLie, playLieOnWire } from './reference-client.js';

const lieOf = (name: string): Lie => {
  const lie = lies.find((one) => one.name === name);
  assert.ok(lie !== undefined, name);
  return lie;
};
const showsToken = ({ entries }: Transcript): boolean =>
  entries.some((entry) => entry.kind === 'request' && entry.authorization !== undefined);
const BEFORE_TRUST = /couldn't validate the identity|could not find authentication|could not get CA certificate/;

/** What a transcript comes to. */
function done(lie: Lie, transcript: Transcript): Right {
  const { exit, message, milliseconds, entries, files } = transcript;
  if (exit === undefined) return 'waits for ever';
  if (exit === 0) return 'joins';
  // A machine is looked at twice where it becomes a control plane: before it asks, and when it knows the cluster.
  const isLooked = message.includes('[preflight] Some fatal errors') && entries.length === 0;
  if (!message.startsWith('error execution phase') || isLooked) {
    assert.deepEqual(entries, []);
    return 'asks nothing';
  }
  if (!BEFORE_TRUST.test(message)) return 'fails later';
  assert.ok(!showsToken(transcript));
  assert.deepEqual(files, {});
  return milliseconds >= (lie.told?.discoveryTimeout ?? 7000) ? 'gives up' : 'refuses';
}

describe('the reference client against every lie', () => {
  it('has a lie for each name once', () => {
    assert.equal(new Set(lies.map(({ name }) => name)).size, lies.length);
  });
  it('has one of each name that does the same in another way, and the right thing is the same then', () => {
    assert.deepEqual(inEachWay('no such server'), ['no such server']);
    assert.ok(inEachWay('ok-pin').includes('cp-https'));
    for (const { name, right } of lies)
      assert.deepEqual(
        inEachWay(name).map((one) => lieOf(one).right),
        inEachWay(name).map(() => right),
      );
  });
  for (const lie of lies) {
    it(`${lie.name}: ${lie.right}`, async () => {
      const transcript = await playLie(lie);
      assert.equal(done(lie, transcript), lie.right, transcript.message);
    });
  }
});

/** What a server saw, without times and what a real handshake adds. */
const seen = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap((entry) => {
    if (entry.kind !== 'request') return [];
    const { connection, method, target, authorization = 'nobody', answered } = entry;
    return [`${connection} ${method} ${target.replace(/\?.*/, '')} as ${authorization}: ${answered}`];
  });

describe('the same over real sockets', () => {
  // One attempt each: what repeats itself is the same again.
  const decisions = { callRepetitions: () => 0, shortRetry: () => ({ interval: 0, timeout: 0 }) };
  const waits = /^(hang-.*|.*-hang|drip|gzip-bomb)$/;
  /** Not every machine has a loopback of IPv6; servers listen at that of IPv4. */
  const isElsewhere = /(?:^|-)server-of-ipv6$/;
  /** What is peculiar to a wire; texts and keys are the same on every one. */
  const isOfTheWire = ({ answer, accepts, certificate, listens, told = {} }: Lie): boolean =>
    [answer, accepts, certificate, listens, told.hostTrusts, told.endpoint].some((part) => part !== undefined);
  const again = new Set(lies.flatMap(({ name }) => inEachWay(name).slice(1)));
  const isPlayed = ({ name }: Lie): boolean => !waits.test(name) && !isElsewhere.test(name) && !again.has(name);
  const chosen = lies.filter((lie) => isPlayed(lie) && isOfTheWire(lie));
  for (const lie of chosen) {
    it(lie.name, async () => {
      const told = { ...lie, told: { ...lie.told, discoveryTimeout: 0 } };
      const playing = { decisions, until: 'download' } as const;
      const [virtual, real] = await Promise.all([playLie(told, playing), playLieOnWire(told, playing)]);
      const plain = (text: string): string =>
        text
          .replace(/:\d{2,5}/g, ':PORT')
          // Who is not spoken to in TLS is broken off, in one way or the other.
          .replace(/(EOF|read tcp \S+ read: connection reset by peer)$/, 'broken off')
          .replace(/current time \S+|(after|before) 20\S+/g, 'TIME');
      assert.equal(plain(real.message), plain(virtual.message));
      assert.equal(real.exit, virtual.exit);
      assert.deepEqual(Object.keys(real.files), Object.keys(virtual.files));
      assert.deepEqual(seen(real.entries), seen(virtual.entries));
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
        '600 /var/lib/kubelet/pki/kubelet-client-current.pem',
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
  it('waits for a kubelet to be well where it says so, and for none that says it nowhere', async () => {
    const ends = async (healthzPort: number): Promise<unknown> => {
      const kubelet = `healthzPort: ${healthzPort}\nrotateCertificates: true\n`;
      const lie = lieOf('kubelet-unhealthy');
      const configured = json(200, configMap('kubelet-config', 'kube-system', { kubelet }));
      const answer: Lie['answer'] = ({ path }) => (path.endsWith('/kubelet-config') ? configured : undefined);
      const { exit, message } = await playLie({ ...lie, answer });
      return exit === 0 ? 'joins' : message.split(': ').slice(-2).join(': ');
    };
    const unwell = 'failed while waiting for the kubelet to start: context deadline exceeded';
    assert.deepEqual([await ends(0), await ends(1), await ends(10_248)], ['joins', unwell, unwell]);
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
