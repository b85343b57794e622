import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type PodReferences, podDecisions } from './pods.js';

it('a token lies beside the root certificate and the namespace', () => {
  // Source: serviceaccount/admission.go TokenVolumeSource.
  assert.deepEqual(podDecisions.tokenVolumeSources(), [
    { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] },
    },
  ]);
});

it('a token is mounted as the pod says, else as its account says, else it is', () => {
  const account = (automountServiceAccountToken?: boolean) => ({
    metadata: {},
    ...(automountServiceAccountToken === undefined ? {} : { automountServiceAccountToken }),
  });
  const { mountsToken } = podDecisions;
  for (const said of [true, false])
    for (const other of [undefined, account(), account(true), account(false)])
      assert.equal(mountsToken({ automountServiceAccountToken: said }, other), said);
  assert.deepEqual(
    [undefined, account(), account(true), account(false)].map((one) => mountsToken({}, one)),
    [true, true, true, false],
  );
});

const NONE: PodReferences = {
  ...{ secrets: [], configMaps: [], claims: [], resourceClaims: [], serviceAccount: '' },
  ...{ clusterTrustBundles: false, serviceAccountTokens: false },
};
const pod = (spec: object, status: object = {}) => ({ metadata: { name: 'p' }, spec, status });

describe('what a Pod refers to', () => {
  // Source: pkg/api/v1/pod/util.go VisitPodSecretNames, VisitPodConfigmapNames; graph.go AddPod.
  const referring = (spec: object, status?: object): Partial<PodReferences> =>
    Object.fromEntries(
      Object.entries(podDecisions.podReferences(pod(spec, status))).filter(
        ([key, value]) => !isDeepStrictEqual(value, NONE[key as keyof PodReferences]),
      ),
    );
  const volume = (kind: string, of: object): object => ({
    volumes: [
      { name: 'v', emptyDir: {} },
      { name: 'w', [kind]: of },
    ],
  });
  const source = (kind: string, of: object): object => volume('projected', { sources: [{}, { [kind]: of }] });
  for (const [what, spec, found] of [
    ['nothing', {}, {}],
    ['an image pull secret', { imagePullSecrets: [{ name: 'a' }, { name: 'b' }] }, { secrets: ['a', 'b'] }],
    ...['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'].map(
      (kind) => [kind, volume(kind, { secretRef: { name: 's' } }), { secrets: ['s'] }] as const,
    ),
    ['csi', volume('csi', { nodePublishSecretRef: { name: 's' } }), { secrets: ['s'] }],
    ['azureFile', volume('azureFile', { secretName: 's' }), { secrets: ['s'] }],
    ['secret', volume('secret', { secretName: 's' }), { secrets: ['s'] }],
    ['configMap', volume('configMap', { name: 'c' }), { configMaps: ['c'] }],
    ['a projected secret', source('secret', { name: 's' }), { secrets: ['s'] }],
    ['a projected configMap', source('configMap', { name: 'c' }), { configMaps: ['c'] }],
    ['a token', source('serviceAccountToken', {}), { serviceAccountTokens: true }],
    ['a bundle', source('clusterTrustBundle', {}), { clusterTrustBundles: true }],
    ['a claim', volume('persistentVolumeClaim', { claimName: 'c' }), { claims: ['c'] }],
    ['an ephemeral volume', volume('ephemeral', {}), { claims: ['p-w'] }],
    ['its account', { serviceAccountName: 'sa' }, { serviceAccount: 'sa' }],
    ['a secret without a name', volume('secret', {}), { secrets: [''] }],
    ['a volume without a secret', volume('cephfs', {}), {}],
  ] as const)
    it(`is read of ${what}`, () => assert.deepEqual(referring(spec), found));

  it('is read of containers of every kind, of sources and of single variables', () => {
    for (const kind of ['initContainers', 'containers', 'ephemeralContainers']) {
      const envFrom = [{ secretRef: { name: 's' } }, { configMapRef: { name: 'c' } }, {}];
      assert.deepEqual(referring({ [kind]: [{}, { envFrom }] }), { secrets: ['s'], configMaps: ['c'] }, kind);
      const env = [{ valueFrom: { secretKeyRef: { name: 't' } } }, { valueFrom: { configMapKeyRef: { name: 'd' } } }];
      assert.deepEqual(referring({ [kind]: [{}, { env: [{}, ...env] }] }), { secrets: ['t'], configMaps: ['d'] }, kind);
    }
  });

  it('is a claim to a device by its name, or by what was made for it', () => {
    const resourceClaims = [
      { name: 'a', resourceClaimName: 'given' },
      { name: 'b', resourceClaimTemplateName: 'x' },
      { name: 'c', resourceClaimTemplateName: 'x' },
      { name: 'd', resourceClaimTemplateName: 'x' },
    ];
    const resourceClaimStatuses = [{ name: 'c' }, { name: 'b', resourceClaimName: 'made' }];
    const extendedResourceClaimStatus = { resourceClaimName: 'extended' };
    assert.deepEqual(referring({ resourceClaims }, { resourceClaimStatuses }), { resourceClaims: ['given', 'made'] });
    assert.deepEqual(referring({}, { extendedResourceClaimStatus }), { resourceClaims: ['extended'] });
  });
});

it('a volume has secrets for its node in its own namespace or in that of its claim', () => {
  // Source: pkg/api/v1/persistentvolume/util.go VisitPVSecretNames.
  const claimRef = { namespace: 'ns', name: 'c' };
  const of = (spec: object) => podDecisions.volumeSecrets({ metadata: {}, spec: { claimRef, ...spec } });
  for (const kind of ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos']) {
    assert.deepEqual(of({ [kind]: { secretRef: { name: 's' } } }), [{ namespace: 'ns', name: 's' }], kind);
    assert.deepEqual(of({ [kind]: { secretRef: { name: 's', namespace: 'o' } } }), [{ namespace: 'o', name: 's' }]);
    assert.deepEqual(of({ [kind]: {} }), []);
  }
  for (const key of ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'])
    assert.deepEqual(of({ csi: { [key]: { name: 's' } } }), [{ namespace: 'ns', name: 's' }], key);
  for (const key of ['controllerPublishSecretRef', 'controllerExpandSecretRef'])
    assert.deepEqual(of({ csi: { [key]: { name: 's' } } }), [], key);
  assert.deepEqual(of({ azureFile: { secretName: 's' } }), [{ namespace: 'ns', name: 's' }]);
  assert.deepEqual(of({ azureFile: { secretName: 's', secretNamespace: 'o' } }), [{ namespace: 'o', name: 's' }]);
  assert.deepEqual(of({ azureFile: { secretName: '' } }), []);
});

describe('the first API object of a mirror Pod', () => {
  // Source: pkg/api/pod/util.go HasAPIObjectReference; before 1.34 plugin/pkg/admission/noderestriction.
  const first = (spec: object, minor = 36, references: Partial<PodReferences> = {}) =>
    podDecisions.apiReference(pod(spec), { ...NONE, ...references }, minor);
  const volume = (kind: string, of: object = {}): object => ({ name: 'v', [kind]: of });
  it('is looked for in the references', () => {
    const all = { serviceAccount: 'sa', secrets: [''], configMaps: [''], clusterTrustBundles: true };
    const spec = { resourceClaims: [{}], volumes: [volume('persistentVolumeClaim')] };
    const left = ['serviceAccount', 'secrets', 'configMaps', 'clusterTrustBundles'] as const;
    const found = (minor: number) =>
      [0, 1, 2, 3, 4].map((count) =>
        first(spec, minor, { ...all, ...Object.fromEntries(left.slice(0, count).map((key) => [key, NONE[key]])) }),
      );
    const plain = ['secrets', 'configmaps'];
    assert.deepEqual(found(33), ['a service account', ...plain, 'clustertrustbundles', 'persistentvolumeclaims']);
    assert.deepEqual(found(34), ['serviceaccounts', ...plain, 'resourceclaims', 'resourceclaims']);
    assert.deepEqual(
      [31, 32, 33, 34].map((minor) => first({ resourceClaims: [{}] }, minor)),
      [undefined, 'resourceclaims', 'resourceclaims', 'resourceclaims'],
    );
    assert.equal(first({}), undefined);
  });
  for (const kind of [
    ...['awsElasticBlockStore', 'azureDisk', 'cephfs', 'cinder', 'downwardAPI', 'emptyDir', 'fc', 'flexVolume'],
    ...['flocker', 'gcePersistentDisk', 'gitRepo', 'hostPath', 'image', 'iscsi', 'nfs', 'photonPersistentDisk'],
    ...['portworxVolume', 'quobyte', 'rbd', 'scaleIO', 'storageos', 'vsphereVolume'],
  ])
    it(`is none of a volume of ${kind}`, () => {
      assert.equal(first({ volumes: [volume(kind)] }), undefined);
      assert.equal(first({ volumes: [volume(kind), volume('csi')] }), 'csidrivers (via CSI volumes)');
    });
  for (const [kind, found] of [
    ['configMap', 'configmaps (via configmap volumes)'],
    ['secret', 'secrets (via secret volumes)'],
    ['csi', 'csidrivers (via CSI volumes)'],
    ['glusterfs', 'endpoints (via glusterFS volumes)'],
    ['persistentVolumeClaim', 'persistentvolumeclaims'],
    ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
    ['azureFile', 'secrets (via azureFile volumes)'],
  ])
    it(`is that of a volume of ${kind}`, () => {
      assert.equal(first({ volumes: [volume(kind ?? '')] }), found);
      assert.equal(first({ volumes: [volume(kind ?? '')] }, 33), kind === 'persistentVolumeClaim' ? found : undefined);
    });
  for (const [kind, found] of [
    ['configMap', 'configmaps (via projected volumes)'],
    ['secret', 'secrets (via projected volumes)'],
    ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
    ['clusterTrustBundle', 'clustertrustbundles'],
    ['podCertificate', 'podcertificates'],
  ])
    it(`is that of a projected ${kind}`, () =>
      assert.equal(
        first({ volumes: [volume('projected', { sources: [{ downwardAPI: {} }, { [kind ?? '']: {} }] })] }),
        found,
      ));
  it('is a mistake where the volume or the source is of no known kind', () => {
    assert.equal(first({ volumes: [volume('projected', { sources: [{ downwardAPI: {} }] })] }), undefined);
    assert.deepEqual(first({ volumes: [volume('unheard')] }), { error: 'unknown volume type for volume  "v"' });
    assert.deepEqual(first({ volumes: [volume('projected', { sources: [{ unheard: {} }] })] }), {
      error: 'unknown source for projected volume "v"',
    });
  });
});

it('a mirror Pod opens nothing and may not gain rights', () => {
  const { isMirrorPod, podOpensItsReferences, mirrorPodProblem } = podDecisions;
  const mirror = { 'kubernetes.io/config.mirror': '' };
  assert.deepEqual([isMirrorPod(mirror), isMirrorPod({ a: 'b' })], [true, false]);
  assert.deepEqual([podOpensItsReferences(mirror), podOpensItsReferences({ a: 'b' })], [false, true]);
  for (const [references, problem] of [
    [{}, undefined],
    [{ configMaps: ['c'], claims: ['c'], resourceClaims: ['c'], clusterTrustBundles: true }, undefined],
    [{ serviceAccount: 'sa', secrets: ['s'] }, 'a mirror pod may not reference service accounts'],
    [{ secrets: ['s'], serviceAccountTokens: true }, 'a mirror pod may not reference secrets'],
    [{ serviceAccountTokens: true }, 'a mirror pod may not use ServiceAccountToken volume projections'],
  ] as const)
    assert.equal(mirrorPodProblem({ ...NONE, ...references }), problem);
});
