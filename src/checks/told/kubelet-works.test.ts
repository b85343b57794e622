import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentenceOf } from '../../model/finding.js';
import { kubeletsWork, readKubeletWorks } from './kubelet-works.js';

const HEAD = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
const judged = (yaml: string) =>
  kubeletsWork.judge(
    readKubeletWorks('ConfigMap a', { metadata: { name: 'kubelet-config' }, data: { kubelet: yaml } }),
    undefined,
  );
const said = (yaml: string): string => judged(HEAD + yaml).map(({ result, seen }) => `${result}: ${seen}`)[0] ?? '';
const FINE = 'met: it does';

describe('what kubelets are told', () => {
  it('lets machines be nodes', () => {
    for (const sound of [
      '',
      'evictionHard: {memory.available: 100Mi, nodefs.available: "10%", imagefs.available: "89.9%"}\n',
      'evictionSoft: {memory.available: "5%"}\n',
      'nodeLeaseDurationSeconds: 40\nmaxPods: 110\n',
      'nodeLeaseDurationSeconds: 159\nmaxPods: 4\n',
      'maxPods: 0\n',
      'volumePluginDir: /usr/libexec/kubernetes\nstaticPodPath: /etc/kubernetes/manifests\n',
      'containerRuntimeEndpoint: unix:///run/containerd/containerd.sock\nimageServiceEndpoint: ""\n',
      'containerRuntimeEndpoint: npipe:////./pipe/containerd\n',
      'registerNode: true\nhealthzPort: 10248\naddress: 0.0.0.0\n',
      'registerNode: null\nhealthzPort: null\naddress: ""\n',
      'featureGates: {AllAlpha: false, AllBeta: true}\n',
      'authentication: {x509: {clientCAFile: /tmp/pki/ca.crt}}\nstaticPodPath: /tmp/manifests\n',
      'evictionHard: {a: "about 100%", b: "100%.", c: "100.x%", d: "x100%"}\n',
      'maxPods: "3"\nnodeLeaseDurationSeconds: "400"\n',
      'maxPods: -1\n',
      // deeper than any setting of a kubelet is
      'a: {b: {c: {d: {e: {f: {g: /tmp/x}}}}}}\n',
    ])
      assert.equal(said(sound), FINE, sound);
  });

  it('is told where it does not', () => {
    for (const [odd, seen] of [
      ['evictionHard: {memory.available: "100%"}\n', 'evictionHard memory.available 100%: no Pod stays'],
      ['evictionSoft: {nodefs.available: "90%"}\n', 'evictionSoft nodefs.available 90%: no Pod stays'],
      ['maxPods: 3\n', 'maxPods 3'],
      [
        'nodeLeaseDurationSeconds: 160\n',
        'nodeLeaseDurationSeconds 160: its Lease is renewed when the node is taken for dead',
      ],
      ['volumePluginDir: /tmp/plugins\n', 'volumePluginDir /tmp/plugins: everybody may write there'],
      ['logging: {options: {a: /var/tmp/l}}\n', 'logging.options.a /var/tmp/l: everybody may write there'],
      ['resolvConf: /dev/shm/r\n', 'resolvConf /dev/shm/r: everybody may write there'],
      ['clusterDNS: [/tmp/a]\n', 'clusterDNS /tmp/a: everybody may write there'],
      ['a: {b: {c: {d: {e: {f: /tmp/x}}}}}\n', 'a.b.c.d.e.f /tmp/x: everybody may write there'],
      ['a: {b: {c: {d: {e: [/tmp/x]}}}}\n', 'a.b.c.d.e /tmp/x: everybody may write there'],
      ['evictionHard: {a: "99.95%"}\n', 'evictionHard a 99.95%: no Pod stays'],
      [
        'maxPods: 1\nresolvConf: /tmp/r\nfeatureGates: {AllBeta: true, AllAlpha: true}\n',
        'resolvConf /tmp/r: everybody may write there; the feature gate AllAlpha: what nobody has finished is on; maxPods 1',
      ],
      ['registerNode: false\n', '--register-node=false: its machine never becomes a node'],
      ['healthzPort: 0\n', '--healthz-port=0: kubeadm waits for its health in vain'],
      ['address: 127.0.0.1\n', '--address=127.0.0.1: no API server reaches it'],
      ['featureGates: {AllAlpha: true}\n', 'the feature gate AllAlpha: what nobody has finished is on'],
      [
        'containerRuntimeEndpoint: tcp://192.0.2.9:2375\n',
        '--container-runtime-endpoint=tcp://192.0.2.9:2375: whoever answers there runs its Pods',
      ],
      [
        'imageServiceEndpoint: tcp://192.0.2.9:2375\n',
        '--image-service-endpoint=tcp://192.0.2.9:2375: whoever answers there says what its images are',
      ],
    ] as const)
      assert.equal(said(odd), `unmet: ${seen}`, odd);
  });

  it('is told in a sentence, as far as a line goes', () => {
    assert.deepEqual(judged(`${HEAD}maxPods: 1\n`).map(sentenceOf), [
      'ConfigMap a: lets machines be nodes: Pods stay, Leases come in time, and nobody replaces what is run; seen: maxPods 1',
    ]);
    const many = Array.from({ length: 9 }, (_, at) => `f${at}: /tmp/${'x'.repeat(60)}\n`).join('');
    assert.equal(judged(HEAD + many)[0]?.seen.length, 240);
    const short = Array.from({ length: 9 }, (_, at) => `f${at}: /tmp/x\n`).join('');
    assert.equal(judged(HEAD + short)[0]?.seen.split('; ').length, 5);
    assert.deepEqual(judged('{ no yaml'), []);
    assert.deepEqual(kubeletsWork.judge(readKubeletWorks('ConfigMap a', undefined), undefined), []);
  });
});
