import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { joinsDescribedIn, joinsDescribedWell, joinsToldIn, joinsToldWell } from './join-commands.js';

const PIN = `sha256:${'0a'.repeat(32)}`;
const TOKEN = 'abcdef.k3j5h2g8f1d9s0a7';
const told = (text: string): readonly string[] | undefined =>
  joinsToldIn({ metadata: { name: 'a', namespace: 'b' }, data: { text } }, 'ConfigMap')?.flatMap(
    ({ problems }) => problems,
  );

describe('ways to join that a ConfigMap tells', () => {
  for (const [text, problems] of [
    ['nothing of the kind', undefined],
    [`kubeadm join a:6443 --token ${TOKEN} --discovery-token-ca-cert-hash ${PIN}`, ['it shows a token']],
    [`kubeadm join a:6443 \\\n --token=${TOKEN} \\\n --discovery-token-ca-cert-hash=${PIN}`, ['it shows a token']],
    ['kubeadm join a:6443 --token <token>', ['it names no pin']],
    [`kubeadm join a:6443 --discovery-token-ca-cert-hash ${PIN},${PIN}`, []],
    ['kubeadm join a:6443 --discovery-token-ca-cert-hash sha256:$(hash)', []],
    ['kubeadm join a:6443 --discovery-token-ca-cert-hash sha256:abc', ['it names a pin that is none']],
    ['kubeadm join a:6443 --discovery-token-unsafe-skip-ca-verification', ['it renounces pins']],
    [
      `kubeadm join a:6443 --discovery-token-unsafe-skip-ca-verification=false --discovery-token-ca-cert-hash ${PIN}`,
      [],
    ],
    ['kubeadm join --discovery-file a.conf', []],
    ['kubeadm join --config a.yaml', []],
    [`kubeadm join --config a --certificate-key ${'ab'.repeat(32)}`, ['it shows a certificate key']],
    // the next line is another command
    [`kubeadm join --config a\necho ${TOKEN}`, []],
    ['kind: JoinConfiguration\nbootstrapToken:\n  caCertHashes: []\n', ['it names no pin']],
    [`kind: JoinConfiguration\nbootstrapToken:\n  token: "${TOKEN}"\n  caCertHashes: ["${PIN}"]`, ['it shows a token']],
    ...['md5:xyz', 'sha1:abcd', 'sha512:abcd', 'sha256:abcd'].map((pin): [string, string[]] => [
      `kind: JoinConfiguration\nbootstrapToken:\n  caCertHashes: ["${pin}"]`,
      ['it names a pin that is none'],
    ]),
    ['kind: JoinConfiguration\nbootstrapToken:\n  unsafeSkipCAVerification: true', ['it renounces pins']],
    ['kind: JoinConfiguration\nfile:\n  kubeConfigPath: /a.conf', []],
    // quotes and spaces belong to the shell
    [`kubeadm  join a:6443`, undefined],
    [`kubeadm join a:6443   "--discovery-token-ca-cert-hash"   '${PIN}'`, []],
    [`kubeadm join a:6443 --discovery-token-ca-cert-hash "${PIN},sha256:ab"`, ['it names a pin that is none']],
    ['kubeadm join a:6443 \\  \n --discovery-token-unsafe-skip-ca-verification=true', ['it renounces pins']],
    // a flag of another name, and what only ends like one
    ['kubeadm join a:6443 --no-discovery-token-unsafe-skip-ca-verification', ['it names no pin']],
    ['kubeadm join a:6443 x--config y--discovery-file', ['it names no pin']],
    ['kubeadm join --discovery-file=a.conf', []],
    ['kubeadm join --config=a.yaml', []],
    // neither longer nor shorter than a key
    [`kubeadm join --config a --certificate-key ${'ab'.repeat(33)}`, []],
    [`kubeadm join --config a --certificate-key x${'ab'.repeat(32)}`, []],
    ['kubeadm join --config a --certificate-key', []],
    [`kubeadm join a:6443 --discovery-token-ca-cert-hash ${PIN}0`, ['it names a pin that is none']],
    [`kubeadm join a:6443 --discovery-token-ca-cert-hash x${PIN}`, ['it names a pin that is none']],
    [`kind: JoinConfiguration\nbootstrapToken:\n  caCertHashes:\n  - ${PIN}\n`, []],
    [`kind: JoinConfiguration\nbootstrapToken:\n  caCertHashes: ['${PIN}']\n`, []],
    ['kind: JoinConfiguration\nbootstrapToken:\n  unsafeSkipCAVerification:   true', ['it renounces pins']],
    ['kind: JoinConfiguration\nbootstrapToken:\n  unsafeSkipCAVerification:true', ['it renounces pins']],
    // twenty of one text, each as far as one is long
    ['kubeadm join '.repeat(30), Array<string>(20).fill('it names no pin')],
    [`kubeadm join ${' '.repeat(5_000)} ${TOKEN}`, ['it names no pin']],
    [`kind: JoinConfiguration\n${' '.repeat(5_000)} ${TOKEN}`, []],
  ] as const)
    it(`${text.slice(0, 90).replaceAll('\n', ' ')}: ${problems?.join() ?? 'is none'}`, () => {
      assert.deepEqual(told(text), problems);
    });

  it('are told by where they stand', () => {
    const ways = joinsToldIn({ metadata: {}, data: { how: 'kubeadm join --config a', none: 'x' } }, 'ConfigMap');
    assert.deepEqual(ways, [{ subject: 'ConfigMap ', path: 'data.how', problems: [] }]);
    assert.deepEqual(joinsToldWell.judge({ told: ways ?? [], seen: 1 }, undefined)[1]?.seen, 'data.how: it does');
  });

  it('are told of any field of any object, where they say how', () => {
    const inNode = (annotations: Readonly<Record<string, string>>) =>
      joinsToldIn({ metadata: { name: 'a', annotations } }, 'Node');
    const subject = 'Node a';
    assert.deepEqual(inNode({ join: `kubeadm join a:6443 --token ${TOKEN}` }), [
      { subject, path: 'metadata.annotations.join', problems: ['it shows a token', 'it names no pin'] },
    ]);
    assert.equal(inNode({ note: 'it came by kubeadm join' }), undefined);
    const applied = { 'kubectl.kubernetes.io/last-applied-configuration': `kubeadm join a:6443 --token ${TOKEN}` };
    assert.equal(inNode(applied), undefined);
    const pod = { metadata: { name: 'p' }, spec: { args: ['kubeadm', 'join', '--token', TOKEN, '--config', 'a'] } };
    assert.deepEqual(joinsToldIn(pod, 'Pod'), [
      { subject: 'Pod p', path: 'spec.args', problems: ['it shows a token'] },
    ]);
    let deep: unknown = `kubeadm join --token ${TOKEN}`;
    for (let depth = 0; depth < 30; depth += 1) deep = { deep };
    assert.equal(joinsToldIn({ metadata: { name: 'p' }, spec: deep } as KubeObject, 'Pod'), undefined);
  });

  it('are told without what is secret, and proved by something that was read', () => {
    const object = { metadata: { name: 'a', namespace: 'b' }, data: { x: `kubeadm join --token ${TOKEN}` } };
    const found = joinsToldWell.judge({ told: joinsToldIn(object, 'ConfigMap') ?? [], seen: 1 }, undefined);
    assert.deepEqual(
      found.map(({ role, result, subject }) => [role, result, subject]),
      [
        ['control', 'met', 'ConfigMaps'],
        ['demand', 'unmet', 'ConfigMap b/a'],
      ],
    );
    assert.ok(!JSON.stringify(found).includes('k3j5h2g8'));
    assert.equal(joinsToldWell.judge({ told: [], seen: 0 }, undefined)[0]?.result, 'unmet');
  });
});

describe('a way to join that describes a token', () => {
  const described = (description: string): readonly string[] =>
    joinsDescribedWell
      .judge(
        joinsDescribedIn([
          {
            metadata: { name: 'bootstrap-token-a1b2c3', namespace: 'kube-system' },
            data: { description: Buffer.from(description).toString('base64') },
          },
        ]),
        undefined,
      )
      .map(({ result, seen }) => `${result}: ${seen}`);
  it('is safe, too', () => {
    const none = ['met: none tells a way to join'];
    for (const prose of ['', 'for kubeadm join of rack 5', "The default bootstrap token generated by 'kubeadm init'."])
      assert.deepEqual(described(prose), none, prose);
    assert.deepEqual(described('kubeadm join a:6443 --token <token> --discovery-token-unsafe-skip-ca-verification'), [
      'unmet: data.description: it renounces pins',
    ]);
    const pin = `sha256:${'0'.repeat(64)}`;
    assert.deepEqual(described(`kubeadm join a:6443 --token $T --discovery-token-ca-cert-hash ${pin}`), [
      'met: data.description: it does',
    ]);
  });
});
