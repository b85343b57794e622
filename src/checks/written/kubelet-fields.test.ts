import assert from 'node:assert/strict';
import { it } from 'node:test';
import { oddKubeletFields } from './kubelet-fields.js';

/** Of each type, settings that kubeadm or an operator writes. */
const OF: readonly (readonly [names: string, sound: unknown, odd: unknown])[] = [
  [
    'apiVersion kind staticPodPath syncFrequency fileCheckFrequency address tlsCertFile tlsPrivateKeyFile ' +
      'tlsMinVersion healthzBindAddress clusterDomain nodeStatusUpdateFrequency imageMinimumGCAge cgroupRoot ' +
      'cgroupDriver cpuManagerPolicy topologyManagerPolicy runtimeRequestTimeout hairpinMode podCIDR resolvConf ' +
      'containerLogMaxSize reservedSystemCPUs volumePluginDir providerID shutdownGracePeriod ' +
      'containerRuntimeEndpoint imageServiceEndpoint',
    'a',
    1,
  ],
  [
    'port readOnlyPort registryPullQPS registryBurst eventRecordQPS healthzPort oomScoreAdj nodeLeaseDurationSeconds ' +
      'imageGCHighThresholdPercent maxPods podPidsLimit kubeAPIQPS kubeAPIBurst podsPerCore containerLogMaxFiles',
    1,
    '1',
  ],
  [
    'enableServer rotateCertificates serverTLSBootstrap enableDebuggingHandlers cgroupsPerQOS serializeImagePulls ' +
      'protectKernelDefaults makeIPTablesUtilChains failSwapOn seccompDefault registerNode failCgroupV1',
    true,
    'true',
  ],
  [
    'tlsCipherSuites clusterDNS enforceNodeAllocatable allowedUnsafeSysctls preloadedImagesVerificationAllowlist',
    ['a'],
    'a',
  ],
  ['evictionHard evictionSoft featureGates systemReserved kubeReserved tracing userNamespaces', {}, []],
  ['reservedMemory registerWithTaints shutdownGracePeriodByPodPriority', [{}], {}],
  ['memoryThrottlingFactor', 0.9, '0.9'],
];

it('settings of a kubelet are known, and of their type', () => {
  for (const [names, sound, odd] of OF)
    for (const name of names.split(' ')) {
      assert.deepEqual(oddKubeletFields({ [name]: sound }), [], name);
      assert.deepEqual(oddKubeletFields({ [name]: odd }), [`${name} is of another type`], name);
      assert.deepEqual(oddKubeletFields({ [`${name}x`]: sound }), [`${name}x is no field`], name);
    }
});

it('settings of a kubelet that have settings of their own', () => {
  const sound = {
    authentication: {
      x509: { clientCAFile: '/a' },
      webhook: { enabled: true, cacheTTL: '2m' },
      anonymous: { enabled: false },
    },
    authorization: { mode: 'Webhook', webhook: { cacheAuthorizedTTL: '5m', cacheUnauthorizedTTL: '30s' } },
    logging: {
      format: 'text',
      flushFrequency: '5s',
      verbosity: 2,
      vmodule: [],
      options: { text: { splitStream: true, infoBufferSize: 0 }, json: { splitStream: false, infoBufferSize: '0' } },
    },
    memorySwap: { swapBehavior: 'NoSwap' },
  };
  assert.deepEqual(oddKubeletFields(sound), []);
  assert.deepEqual(oddKubeletFields({ logging: { flushFrequency: 5_000_000_000 } }), []);
  const odd = {
    authentication: {
      x509: { clientCAFile: true },
      webhook: { enabled: 'true', cacheTTL: 2 },
      anonymous: { enabled: 'false', enable: true },
    },
    authorization: { mode: 1, webhook: { cacheAuthorizedTTL: 5, cacheUnauthorizedTTL: 30 } },
    logging: {
      format: 1,
      flushFrequency: true,
      verbosity: '2',
      vmodule: {},
      options: { text: { splitStream: 1, infoBufferSize: true }, json: { splitStream: 1, infoBufferSize: [] } },
    },
    memorySwap: { swapBehavior: 1 },
  };
  assert.equal(oddKubeletFields(odd).length, 17);
  assert.deepEqual(oddKubeletFields({ authentication: { anonymous: { enable: true } } }), [
    'authentication.anonymous.enable is no field',
  ]);
});
