/** Inits that run the DNS and kube-proxy otherwise, lose a token or a part of what is written down. */
import { record } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import type { Mutant } from './types.js';
import { dropping, encoded, marking, uploads, type Written, writing } from './uploads.js';

const RUN = ['P-469'];
const TOLD = ['P-470'];

const of =
  (kind: string, ...names: readonly string[]) =>
  (object: KubeObject): boolean =>
    object.kind === kind && names.includes(object.metadata.name ?? '');
const proxy = of('DaemonSet', 'kube-proxy');
const dns = of('Deployment', 'coredns');
const DOCUMENTS = of('ConfigMap', 'coredns', 'kube-proxy');

/** The same with other texts, wherever they stand. */
const worded =
  (from: RegExp, to: string) =>
  (object: object): object =>
    JSON.parse(JSON.stringify(object).replace(from, to)) as object;
const specified =
  (more: object) =>
  (object: Written): object => {
    const spec = record(record(object).spec);
    const template = record(spec.template);
    return { ...object, spec: { ...spec, template: { ...template, spec: { ...record(template.spec), ...more } } } };
  };
const stored = (from: RegExp, to: string, name = 'kubeadm-config') => writing(of('ConfigMap', name), worded(from, to));

export const mutants: readonly Mutant[] = [
  uploads('init-runs-no-dns', 'there is no DNS', [...RUN, ...TOLD], dropping(dns)),
  uploads('init-runs-no-proxy', 'there is no kube-proxy', [...RUN, ...TOLD], dropping(proxy)),
  uploads('init-serves-no-dns', 'the DNS has no address', [...RUN, ...TOLD], dropping(of('Service', 'kube-dns'))),
  uploads('init-configures-no-addon', 'addons are not configured', [...RUN, ...TOLD], dropping(DOCUMENTS)),
  uploads(
    'init-runs-one-dns',
    'there is one copy of the DNS',
    RUN,
    writing(dns, worded(/"replicas":2/, '"replicas":1')),
  ),
  uploads(
    'init-runs-dns-beside-nothing',
    'the DNS tolerates nothing',
    RUN,
    writing(dns, specified({ tolerations: [] })),
  ),
  uploads(
    'init-confines-proxies',
    'kube-proxy may not change its machine',
    RUN,
    writing(proxy, worded(/"privileged":true/, '"privileged":false')),
  ),
  uploads(
    'init-keeps-proxies-off',
    'kube-proxy keeps off where others do',
    RUN,
    writing(proxy, specified({ tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }] })),
  ),
  uploads(
    'init-lets-proxies-be-evicted',
    'kube-proxy goes where Pods are evicted',
    RUN,
    writing(proxy, specified({ tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] })),
  ),
  uploads(
    'init-runs-dns-beside-one-value',
    'the DNS tolerates critical add-ons of one value only',
    RUN,
    writing(dns, worded(/("key":"CriticalAddonsOnly"),"operator":"Exists"/, '$1,"operator":"Equal"')),
  ),
  uploads(
    'init-gives-proxies-credentials',
    'every kube-proxy has the same credential',
    RUN,
    stored(/tokenFile: [^\\"]*/, "token: 'x'\\n    client-key: /x", 'kube-proxy'),
  ),
  uploads(
    'init-marks-with-true',
    'labels of its Node have a value',
    RUN,
    marking(worded(/(control-plane|balancers)":""/g, '$1":"true"')),
  ),
  uploads(
    'init-marks-twice',
    'its Node has the taint of former releases as well',
    RUN,
    marking((body) => ({
      ...body,
      spec: {
        taints: ['master', 'etcd'].map((role) => ({ key: `node-role.kubernetes.io/${role}`, effect: 'NoSchedule' })),
      },
    })),
  ),
  uploads(
    'init-pulls-from-the-usual-place',
    'images of addons come from the usual place',
    TOLD,
    writing(
      ({ kind }) => kind === 'Deployment' || kind === 'DaemonSet',
      worded(/registry\.example\/mirror/g, 'registry.k8s.io'),
    ),
  ),
  uploads(
    'init-pulls-dns-from-no-folder',
    'the image of the DNS is looked for where it was once',
    TOLD,
    writing(dns, worded(/coredns\/coredns/g, 'coredns')),
  ),
  uploads(
    'init-forgets-its-second-token',
    'the first token alone is made',
    TOLD,
    dropping(of('Secret', 'bootstrap-token-fedcba')),
  ),
  uploads(
    'init-makes-tokens-alike',
    'every token is the usual one',
    TOLD,
    writing(of('Secret', 'bootstrap-token-fedcba', 'bootstrap-token-abcdef'), (secret) => ({
      ...secret,
      data: {
        'token-id': secret.data?.['token-id'],
        'token-secret': secret.data?.['token-secret'],
        expiration: encoded('2099-01-01T00:00:00Z'),
        'usage-bootstrap-signing': encoded('true'),
        'auth-extra-groups': encoded('system:bootstrappers:kubeadm:default-node-token'),
      },
    })),
  ),
  uploads(
    'init-makes-tokens-of-nothing',
    'tokens are for nothing, and for ever',
    [...TOLD, 'P-306', 'P-466'],
    writing(of('Secret', 'bootstrap-token-abcdef'), (secret) => ({
      ...secret,
      data: { 'token-id': secret.data?.['token-id'], 'token-secret': secret.data?.['token-secret'] },
    })),
  ),
  uploads(
    'init-writes-down-defaults',
    'of keys the defaults are written down',
    TOLD,
    stored(/ECDSA-P256|240h0m0s/g, ''),
  ),
  uploads(
    'init-hashes-another-text',
    'configurations carry the hash of another text',
    TOLD,
    writing(of('ConfigMap', 'kubelet-config', 'kube-proxy'), worded(/sha256:[\da-f]{64}/g, `sha256:${'0'.repeat(64)}`)),
  ),
  uploads(
    'init-writes-down-little',
    'little is written down of the cluster',
    TOLD,
    stored(
      /(?:imageRepository|certificatesDir|dataDir|caCertificateValidityPeriod|kind|featureGates|[cC]ertSANs|extra(?:Args|Volumes)):/g,
      'x$&',
    ),
  ),
  uploads(
    'init-writes-down-its-machine',
    'every kubelet is told of the runtime of the first machine',
    TOLD,
    stored(/containerRuntimeEndpoint: [^n]*n/, 'containerRuntimeEndpoint: unix:///run/x.sock\\n', 'kubelet-config'),
  ),
  uploads(
    'init-writes-down-another-domain',
    'kubelets are told of another domain',
    TOLD,
    stored(/clusterDomain: [^\\"]*/, 'clusterDomain: example', 'kubelet-config'),
  ),
];
