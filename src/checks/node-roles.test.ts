import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDisk } from './node-reader.js';
import { factsOf } from './node-roles.js';

const API_SERVER = '/etc/kubernetes/manifests/kube-apiserver.yaml';
const CONFIG = '/var/lib/kubelet/config.yaml';
const pod = (spec: object): string => JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec });
const KUBELET = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';

type Given = Readonly<Record<string, string | { readonly unreadable: string }>>;
const why = (given: Given): string =>
  factsOf(
    readDisk(
      Object.entries(given).map(([path, content]) => ({
        path,
        kind: 'file' as const,
        ...(typeof content === 'string' ? { text: content } : content),
      })),
    ),
    Date.now(),
    [],
  ).why;

describe('what a node is', () => {
  it('is told by one manifest, or one file of a kubelet, that says something', () => {
    assert.equal(why({ [API_SERVER]: pod({ containers: [{ name: 'a', image: 'b:v1.36.1' }] }) }), '');
    assert.equal(why({ [CONFIG]: KUBELET }), '');
    assert.equal(why({ [API_SERVER]: { unreadable: 'it has no content' }, [CONFIG]: KUBELET }), '');
  });

  it('is not told by files that cannot be read, are cut off, or are keys alone', () => {
    assert.match(why({ [API_SERVER]: { unreadable: 'no regular file' } }), /kube-apiserver.yaml: no regular file\)/);
    assert.match(why({ [API_SERVER]: pod({ containers: [{ command: ['a'] }] }) }), /it is cut off/);
    assert.match(why({ [API_SERVER]: 'apiVersion: v1\nkind: Pod\nmetadata:\n  annot' }), /cannot be judged/);
    assert.match(
      why({ [API_SERVER]: { unreadable: 'too large' }, [CONFIG]: { unreadable: 'too large' } }),
      /too large, and 1 more say nothing either/,
    );
    const keys = Object.fromEntries(
      ['ca.key', 'sa.key', 'apiserver.key'].map((name) => [`/etc/kubernetes/pki/${name}`, 'x']),
    );
    assert.match(why(keys), /no such file lies there.*Give the whole of \/etc\/kubernetes and \/var\/lib\/kubelet/);
    assert.match(why({}), /nothing that kubeadm leaves/);
  });
});
