/** What an API server adds to objects of which somebody sent the least: expectations are what `kubectl get -o yaml` shows. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Fields, record, records } from '../../kubernetes/json.js';
import { definitionOf, made } from './testing.js';

/** The stored object, without its metadata, of one whose parts are sent. */
function stored(resource: string, group: string, more: Fields): Fields {
  const definition = definitionOf(resource, group);
  const { metadata: _metadata, ...rest } = made(definition, {
    apiVersion: group === '' ? 'v1' : `${group}/${definition.version}`,
    kind: definition.kind,
    metadata: { name: 'x', ...(definition.namespaced ? { namespace: 'default' } : {}) },
    ...more,
  }).object;
  return rest;
}
const specOf = (resource: string, group: string, spec: Fields): Fields =>
  record(stored(resource, group, { spec }).spec);
const podOf = (spec: Fields): Fields => specOf('pods', '', spec);
const TEMPLATE = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
const SELECTOR = { matchLabels: { a: 'b' } };

describe('a container', () => {
  const containerOf = (container: Fields): Fields =>
    records(podOf({ containers: [{ name: 'c', ...container }] }).containers)[0] ?? {};
  it('is pulled always where its tag is latest, or where nothing says what it is', () => {
    const images = {
      'registry.example:5000/i': 'Always',
      'registry.example:5000/i:latest': 'Always',
      'registry.example:5000/i:1': 'IfNotPresent',
      [`i@sha256:${'a'.repeat(64)}`]: 'IfNotPresent',
      [`i:latest@sha256:${'a'.repeat(64)}`]: 'Always',
    };
    const policies = Object.keys(images).map((image) => [image, containerOf({ image }).imagePullPolicy]);
    assert.deepEqual(Object.fromEntries(policies), images);
    assert.equal(containerOf({ image: 'i', imagePullPolicy: 'Never' }).imagePullPolicy, 'Never');
    const { volumes } = podOf({ volumes: [{ name: 'v', image: { reference: 'i:1' } }] });
    assert.deepEqual(volumes, [{ name: 'v', image: { reference: 'i:1', pullPolicy: 'IfNotPresent' } }]);
  });
  it('leaves its last words in a file, as those of a running Pod do', () => {
    const words = { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' };
    const { image: _image, name: _name, imagePullPolicy: _policy, resources, ...rest } = containerOf({ image: 'i' });
    assert.deepEqual([rest, resources], [words, {}]);
    const ephemeralContainers = [{ name: 'e', image: 'i:1' }];
    const [ephemeral = {}] = records(podOf({ ephemeralContainers }).ephemeralContainers);
    assert.deepEqual(ephemeral, {
      ...ephemeralContainers[0],
      ...words,
      imagePullPolicy: 'IfNotPresent',
      resources: {},
    });
  });
  it('is probed every ten seconds, for one, three times', () => {
    const { ports, livenessProbe, readinessProbe, startupProbe, env } = containerOf({
      ports: [{ containerPort: 80 }],
      env: [{ name: 'E', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      livenessProbe: { httpGet: { port: 80 } },
      readinessProbe: { grpc: { port: 80 } },
      startupProbe: {
        ...{ timeoutSeconds: 2, periodSeconds: 3, successThreshold: 4, failureThreshold: 5 },
        grpc: { port: 80, service: 's' },
      },
    });
    const usual = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
    assert.deepEqual(ports, [{ containerPort: 80, protocol: 'TCP' }]);
    assert.deepEqual(livenessProbe, { httpGet: { path: '/', port: 80, scheme: 'HTTP' }, ...usual });
    assert.deepEqual(readinessProbe, { grpc: { port: 80, service: '' }, ...usual });
    assert.deepEqual(startupProbe, {
      ...{ timeoutSeconds: 2, periodSeconds: 3, successThreshold: 4, failureThreshold: 5 },
      grpc: { port: 80, service: 's' },
    });
    assert.deepEqual(env, [{ name: 'E', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }]);
  });
});

it('a Pod restarts, has thirty seconds to end, and is scheduled as usual', () => {
  const { containers: _containers, ...rest } = podOf({ containers: [] });
  assert.deepEqual(rest, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
    enableServiceLinks: true,
  });
});

describe('a volume', () => {
  const volumeOf = (source: Fields): unknown => {
    const [{ name: _name, ...rest } = {}] = records(podOf({ volumes: [{ name: 'v', ...source }] }).volumes);
    return rest;
  };
  it('of no kind is an empty directory', () => {
    assert.deepEqual(volumeOf({}), { emptyDir: {} });
    assert.deepEqual(volumeOf({ hostPath: { path: '/x' } }), { hostPath: { path: '/x', type: '' } });
    const directory = { hostPath: { path: '/x', type: 'Directory' } };
    assert.deepEqual(volumeOf(directory), directory);
  });
  it('of files lets others read them', () => {
    assert.deepEqual(volumeOf({ secret: { secretName: 's' } }), { secret: { secretName: 's', defaultMode: 0o644 } });
    assert.deepEqual(volumeOf({ configMap: { name: 'c' } }), { configMap: { name: 'c', defaultMode: 0o644 } });
    assert.deepEqual(volumeOf({ downwardAPI: {} }), { downwardAPI: { defaultMode: 0o644 } });
    assert.deepEqual(volumeOf({ projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }), {
      projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }], defaultMode: 0o644 },
    });
  });
  it('on the network has what its kind takes for granted', () => {
    const rbd = { monitors: ['m'], image: 'i' };
    const rbdUsual = { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' };
    const iscsi = { targetPortal: 't', iqn: 'q', lun: 1 };
    const scaleIO = { gateway: 'g', system: 's', secretRef: { name: 's' } };
    const scaleUsual = { storageMode: 'ThinProvisioned', fsType: 'xfs' };
    assert.deepEqual(volumeOf({ rbd }), { rbd: { ...rbd, ...rbdUsual } });
    assert.deepEqual(volumeOf({ iscsi }), { iscsi: { ...iscsi, iscsiInterface: 'default' } });
    assert.deepEqual(volumeOf({ scaleIO }), { scaleIO: { ...scaleIO, ...scaleUsual } });
    assert.deepEqual(volumeOf({ azureDisk: { diskName: 'd', diskURI: 'u' } }), {
      azureDisk: {
        ...{ diskName: 'd', diskURI: 'u', cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' },
      },
    });
    const persistent = (source: Fields): Fields => specOf('persistentvolumes', '', source);
    const usual = { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' };
    assert.deepEqual(persistent({ rbd }), { rbd: { ...rbd, ...rbdUsual }, ...usual });
    assert.deepEqual(persistent({ iscsi }), { iscsi: { ...iscsi, iscsiInterface: 'default' }, ...usual });
    assert.deepEqual(persistent({ scaleIO }), { scaleIO: { ...scaleIO, ...scaleUsual }, ...usual });
  });
  it('that is claimed is not there yet', () => {
    assert.deepEqual(specOf('persistentvolumeclaims', '', {}).volumeMode, 'Filesystem');
    assert.deepEqual(stored('persistentvolumeclaims', '', { spec: {} }).status, { phase: 'Pending' });
    // since when it waits, too
    const { lastPhaseTransitionTime: _since, ...status } = record(stored('persistentvolumes', '', { spec: {} }).status);
    assert.deepEqual(status, { phase: 'Pending' });
  });
});

it('a LimitRange of containers asks for what it allows, unless it says otherwise; others stay as they are', () => {
  const limitsOf = (limit: Fields): unknown => records(specOf('limitranges', '', { limits: [limit] }).limits)[0];
  assert.deepEqual(
    limitsOf({
      type: 'Container',
      max: { cpu: '4', memory: '4Gi', storage: '9' },
      min: { cpu: '1', 'ephemeral-storage': '1Gi' },
      default: { memory: '2Gi', storage: '8' },
      defaultRequest: { storage: '7' },
    }),
    {
      type: 'Container',
      max: { cpu: '4', memory: '4Gi', storage: '9' },
      min: { cpu: '1', 'ephemeral-storage': '1Gi' },
      default: { cpu: '4', memory: '2Gi', storage: '8' },
      defaultRequest: { cpu: '4', 'ephemeral-storage': '1Gi', memory: '2Gi', storage: '7' },
    },
  );
  const ofPods = { type: 'Pod', max: { cpu: '4' } };
  assert.deepEqual(limitsOf(ofPods), ofPods);
  const ratio = { type: 'Container', maxLimitRequestRatio: { cpu: '4' } };
  assert.deepEqual(limitsOf(ratio), ratio);
  assert.deepEqual(limitsOf({ type: 'Container', min: { cpu: '1' } }), {
    ...{ type: 'Container', min: { cpu: '1' }, defaultRequest: { cpu: '1' } },
  });
});

describe('a workload', () => {
  const of = (resource: string, more: Fields = {}): Fields => {
    const {
      template: _template,
      selector: _selector,
      ...rest
    } = specOf(resource, 'apps', {
      ...{ selector: SELECTOR, template: TEMPLATE },
      ...more,
    });
    return rest;
  };
  it('has one Pod, and is rolled over', () => {
    assert.deepEqual(of('deployments'), {
      ...{ replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    });
    assert.deepEqual(of('deployments', { replicas: 0, strategy: { type: 'Recreate' } }), {
      ...{ replicas: 0, revisionHistoryLimit: 10, progressDeadlineSeconds: 600, strategy: { type: 'Recreate' } },
    });
    assert.deepEqual(of('deployments', { strategy: { rollingUpdate: { maxSurge: 2 } } }).strategy, {
      ...{ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: 2 } },
    });
    assert.deepEqual(of('daemonsets'), {
      revisionHistoryLimit: 10,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    });
    assert.deepEqual(of('daemonsets', { updateStrategy: { type: 'OnDelete' } }).updateStrategy, { type: 'OnDelete' });
    assert.deepEqual(of('replicasets'), { replicas: 1 });
    const { template: _template, ...controller } = specOf('replicationcontrollers', '', {
      ...{ selector: { a: 'b' }, template: TEMPLATE },
    });
    assert.deepEqual(controller, { replicas: 1, selector: { a: 'b' } });
  });
  it('with names is rolled over from the last, where nobody said otherwise', () => {
    assert.deepEqual(of('statefulsets'), {
      ...{ podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10, serviceName: '' },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    });
    const strategyOf = (updateStrategy: Fields): unknown => of('statefulsets', { updateStrategy }).updateStrategy;
    assert.deepEqual(strategyOf({ type: 'OnDelete' }), { type: 'OnDelete' });
    assert.deepEqual(strategyOf({ type: 'RollingUpdate' }), { type: 'RollingUpdate' });
    const partition = { type: 'RollingUpdate', rollingUpdate: { partition: 3 } };
    assert.deepEqual(strategyOf(partition), partition);
    assert.deepEqual(strategyOf({ rollingUpdate: { partition: 3 } }), partition);
    assert.deepEqual(strategyOf({ type: 'RollingUpdate', rollingUpdate: {} }), {
      ...{ type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    });
    const kept = { whenDeleted: 'Delete' };
    assert.deepEqual(
      of('statefulsets', { persistentVolumeClaimRetentionPolicy: kept }).persistentVolumeClaimRetentionPolicy,
      { whenDeleted: 'Delete', whenScaled: 'Retain' },
    );
  });
  it('that comes again may overlap with itself, and three of its successes are remembered', () => {
    const { jobTemplate: _template, ...rest } = specOf('cronjobs', 'batch', { schedule: '* * * * *' });
    assert.deepEqual(rest, {
      ...{ schedule: '* * * * *', concurrencyPolicy: 'Allow', suspend: false },
      ...{ successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
    });
    const podFailurePolicy = { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] };
    assert.deepEqual(specOf('jobs', 'batch', { template: TEMPLATE, podFailurePolicy }).podFailurePolicy, {
      rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
    });
  });
});

it('an autoscaler looks at the processors; how it scales is filled in only where somebody began to say it', () => {
  const of = (more: Fields): Fields =>
    specOf('horizontalpodautoscalers', 'autoscaling', {
      ...{ scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3, ...more },
    });
  const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } };
  const plain = of({});
  assert.deepEqual([plain.minReplicas, plain.metrics, plain.behavior], [1, [cpu], undefined]);
  const memory = [{ type: 'Resource', resource: { name: 'memory', target: { type: 'Value', value: '1Gi' } } }];
  const { metrics, minReplicas } = of({ metrics: memory, minReplicas: 2 });
  assert.deepEqual([metrics, minReplicas], [memory, 2]);
  const percent = { type: 'Percent', value: 100, periodSeconds: 15 };
  assert.deepEqual(of({ behavior: {} }).behavior, {
    scaleUp: {
      ...{ stabilizationWindowSeconds: 0, selectPolicy: 'Max' },
      policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, percent],
    },
    scaleDown: { selectPolicy: 'Max', policies: [percent] },
  });
  const behavior = {
    scaleUp: { selectPolicy: 'Disabled' },
    scaleDown: { stabilizationWindowSeconds: 5, policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }] },
  };
  assert.deepEqual(of({ behavior }).behavior, {
    scaleUp: {
      ...{ stabilizationWindowSeconds: 0, selectPolicy: 'Disabled' },
      policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, percent],
    },
    scaleDown: { ...behavior.scaleDown, selectPolicy: 'Max' },
  });
});

it('a NetworkPolicy is about what comes in, and about what goes out where it says something of that', () => {
  const of = (spec: Fields): Fields => specOf('networkpolicies', 'networking.k8s.io', { podSelector: {}, ...spec });
  assert.deepEqual(of({}).policyTypes, ['Ingress']);
  assert.deepEqual(of({ ingress: [{ ports: [{ port: 80 }] }] }), {
    ...{ podSelector: {}, policyTypes: ['Ingress'], ingress: [{ ports: [{ port: 80, protocol: 'TCP' }] }] },
  });
  assert.deepEqual(of({ egress: [{}] }).policyTypes, ['Ingress', 'Egress']);
  assert.deepEqual(of({ egress: [{}], policyTypes: ['Egress'] }).policyTypes, ['Egress']);
});

it('ports of endpoints are TCP, and those of slices have a name, if an empty one', () => {
  const subsets = [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }];
  assert.deepEqual(stored('endpoints', '', { subsets }).subsets, [
    { addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80, protocol: 'TCP' }] },
  ]);
  const slice = stored('endpointslices', 'discovery.k8s.io', {
    ...{ addressType: 'IPv4', endpoints: [], ports: [{ port: 80 }, { port: 53, name: 'dns', protocol: 'UDP' }] },
  });
  assert.deepEqual(slice.ports, [
    { name: '', port: 80, protocol: 'TCP' },
    { name: 'dns', port: 53, protocol: 'UDP' },
  ]);
});

it('classes and drivers have what nobody says of them', () => {
  const {
    kind: _kind,
    apiVersion: _version,
    ...storage
  } = stored('storageclasses', 'storage.k8s.io', {
    provisioner: 'p',
  });
  assert.deepEqual(storage, { provisioner: 'p', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
  assert.deepEqual(specOf('csidrivers', 'storage.k8s.io', {}), {
    ...{ attachRequired: true, podInfoOnMount: false, storageCapacity: false, requiresRepublish: false },
    ...{ fsGroupPolicy: 'ReadWriteOnceWithFSType', volumeLifecycleModes: ['Persistent'], seLinuxMount: false },
  });
  const priority = stored('priorityclasses', 'scheduling.k8s.io', { value: 1 });
  assert.equal(priority.preemptionPolicy, 'PreemptLowerPriority');
  const parameters = { kind: 'K', name: 'n' };
  assert.deepEqual(specOf('ingressclasses', 'networking.k8s.io', { controller: 'c', parameters }).parameters, {
    ...{ kind: 'K', name: 'n', scope: 'Cluster' },
  });
});

describe('a webhook', () => {
  const clientConfig = { service: { namespace: 'n', name: 's' } };
  const usual = {
    ...{ failurePolicy: 'Fail', matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} },
    ...{ timeoutSeconds: 10, clientConfig: { service: { namespace: 'n', name: 's', port: 443 } } },
  };
  it('is asked ten seconds long, and what it does not answer fails', () => {
    const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
    const webhook = { name: 'w.example.com', clientConfig, rules: [rule], sideEffects: 'None' };
    const of = (resource: string): unknown =>
      records(stored(resource, 'admissionregistration.k8s.io', { webhooks: [webhook] }).webhooks)[0];
    const validating = { ...webhook, ...usual, rules: [{ ...rule, scope: '*' }] };
    const { admissionReviewVersions: _none, ...seen } = record(of('validatingwebhookconfigurations'));
    assert.deepEqual(seen, validating);
    const { admissionReviewVersions: _neither, ...mutating } = record(of('mutatingwebhookconfigurations'));
    assert.deepEqual(mutating, { ...validating, reinvocationPolicy: 'Never' });
  });
  it('that converts, or an aggregated server, is reached at port 443', () => {
    const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
    const definition = specOf('customresourcedefinitions', 'apiextensions.k8s.io', { conversion });
    assert.deepEqual(record(record(definition.conversion).webhook).clientConfig, usual.clientConfig);
    const { service } = specOf('apiservices', 'apiregistration.k8s.io', { ...clientConfig, group: 'g', version: 'v1' });
    assert.deepEqual(service, usual.clientConfig.service);
  });
  it('has a policy for a sister, with the same defaults', () => {
    const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
    const matchConstraints = { resourceRules: [rule] };
    for (const resource of ['validatingadmissionpolicies', 'mutatingadmissionpolicies']) {
      const spec = specOf(resource, 'admissionregistration.k8s.io', { matchConstraints });
      assert.equal(spec.failurePolicy, 'Fail', resource);
      assert.deepEqual(spec.matchConstraints, {
        ...{ matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} },
        resourceRules: [{ ...rule, scope: '*' }],
      });
    }
  });
});

it('a claim of devices is for one of them, unless it wants all', () => {
  const requestsOf = (request: Fields): unknown =>
    records(
      record(specOf('resourceclaims', 'resource.k8s.io', { devices: { requests: [request] } }).devices).requests,
    )[0];
  const one = { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 };
  assert.deepEqual(requestsOf({ name: 'r', exactly: { deviceClassName: 'c' } }), { name: 'r', exactly: one });
  const three = { name: 'r', exactly: { ...one, count: 3 } };
  assert.deepEqual(requestsOf(three), three);
  const all = { name: 'r', exactly: { deviceClassName: 'c', allocationMode: 'All' } };
  assert.deepEqual(requestsOf(all), all);
  assert.deepEqual(requestsOf({ name: 'r', firstAvailable: [{ name: 's', deviceClassName: 'c' }] }), {
    ...{ name: 'r', firstAvailable: [{ name: 's', ...one }] },
  });
});
