/** What becomes of Pods that are asked for, as a client sees it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { record, records } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { fixture, MERGE } from '../../serving/fixture.js';
import { definitions } from '../index.js';
import { changed as change, context, definitionOf, made } from '../testing.js';

const PODS = '/api/v1/namespaces/default/pods';
const asked = () => {
  const { ask } = fixture({ definitions: definitions() });
  ask('POST', PODS, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  return ask;
};

describe('a Pod that is evicted', () => {
  const evict = (ask: ReturnType<typeof asked>, pod: string, named = pod, query = ''): readonly unknown[] => {
    const sent = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: named } };
    const { code, json } = ask('POST', `${PODS}/${pod}/eviction${query}`, sent);
    return [code, json.message ?? json.status];
  };
  it('is there no more', () => {
    const ask = asked();
    assert.deepEqual(evict(ask, 'p'), [201, 'Success']);
    assert.equal(ask('GET', `${PODS}/p`).code, 404);
  });
  it('stays where the eviction is only tried', () => {
    const ask = asked();
    assert.deepEqual(evict(ask, 'p', 'p', '?dryRun=All'), [201, 'Success']);
    assert.equal(ask('GET', `${PODS}/p`).code, 200);
  });
  it('is told with its end where its deletion is only tried', () => {
    const ask = asked();
    const { code, json } = ask('DELETE', `${PODS}/p?dryRun=All`);
    const { deletionTimestamp, deletionGracePeriodSeconds } = record(json.metadata);
    assert.deepEqual([code, typeof deletionTimestamp, deletionGracePeriodSeconds], [200, 'string', 0]);
    assert.equal(record(ask('GET', `${PODS}/p`).json.metadata).deletionTimestamp, undefined);
  });
  it('has the time to end that it asks for, or that it is given, and says why it ends', () => {
    const { ask } = fixture({ definitions: definitions() });
    const containers = [{ name: 'c', image: 'i' }];
    for (const name of ['p', 'q', 'r'])
      ask('POST', PODS, { metadata: { name }, spec: { nodeName: 'n', containers, terminationGracePeriodSeconds: 30 } });
    const sent = (name: string, deleteOptions?: object) =>
      ask('POST', `${PODS}/${name}/eviction`, { metadata: { name }, deleteOptions }).code;
    assert.equal(sent('p'), 201);
    const { metadata, status } = ask('GET', `${PODS}/p`).json;
    assert.equal(record(metadata).deletionGracePeriodSeconds, 30);
    assert.deepEqual(
      records(record(status).conditions).map(({ type, reason }) => [type, reason]),
      [['DisruptionTarget', 'EvictionByEvictionAPI']],
    );
    assert.equal(sent('q', { dryRun: ['All'] }), 201);
    assert.equal(record(ask('GET', `${PODS}/q`).json.metadata).deletionGracePeriodSeconds, undefined);
    assert.equal(sent('q', { preconditions: { uid: 'other' } }), 409);
    assert.equal(sent('q', { gracePeriodSeconds: 'soon' }), 400);
    assert.equal(sent('q', { gracePeriodSeconds: 0 }), 201);
    assert.equal(ask('GET', `${PODS}/q`).code, 404);
  });
  it('is the one of the path, and there', () => {
    const ask = asked();
    assert.deepEqual(evict(ask, 'p', 'q'), [400, 'name in URL does not match name in Eviction object']);
    assert.deepEqual(evict(ask, 'q'), [404, 'pods "q" not found']);
    assert.equal(ask('GET', `${PODS}/p`).code, 200);
  });
});

it('is a mirror from the start, or never', () => {
  const { ask } = fixture({ definitions: definitions() });
  const annotations = { 'kubernetes.io/config.mirror': 'a' };
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  ask('POST', PODS, { metadata: { name: 'p' }, spec });
  ask('POST', PODS, { metadata: { name: 'm', annotations }, spec });
  const changed = (name: string, value: string | null): readonly unknown[] => {
    const body = { metadata: { annotations: { 'kubernetes.io/config.mirror': value } } };
    const { code, json } = ask('PATCH', `${PODS}/${name}?dryRun=All`, body, MERGE);
    return [code, ...(json.details?.causes?.map(({ message }) => String(message)) ?? [])];
  };
  assert.deepEqual(changed('p', 'a'), [422, 'Forbidden: may not add mirror pod annotation']);
  assert.deepEqual(changed('m', 'b'), [422, 'Forbidden: may not remove or update mirror pod annotation']);
  assert.deepEqual(changed('m', null), [422, 'Forbidden: may not remove or update mirror pod annotation']);
  assert.deepEqual(changed('m', 'a'), [200]);
});

describe('the containers of a Pod that is there', () => {
  // Source: pkg/apis/core/validation/validation.go ValidatePodUpdate, validateContainerImages.
  it('change their images, to such as are one word', () => {
    const ask = asked();
    const changed = (containers: readonly object[]): readonly unknown[] => {
      const { code, json } = ask('PATCH', `${PODS}/p?dryRun=All`, { spec: { containers } }, MERGE);
      return [
        code,
        ...(json.details?.causes?.map(({ field, message }) => `${String(field)}: ${String(message)}`) ?? []),
      ];
    };
    const path = 'spec.containers[0].image';
    const blank = (image: string): string =>
      `${path}: Invalid value: ${JSON.stringify(image)}: must not have leading or trailing whitespace`;
    assert.deepEqual(changed([{ name: 'c', image: 'j' }]), [200]);
    for (const image of [' j', 'j ', '\tj', 'j\n']) assert.equal(changed([{ name: 'c', image }])[0], 422, image);
    assert.deepEqual(changed([{ name: 'c', image: ' j' }]).at(-1), blank(' j'));
    assert.deepEqual(changed([{ name: 'c', image: '' }]).at(-1), `${path}: Required value`);
    const number = 'spec.containers: Forbidden: pod updates may not add or remove containers';
    for (const containers of [
      [],
      [
        { name: 'c', image: 'i' },
        { name: 'd', image: 'i' },
      ],
    ])
      assert.ok(changed(containers).includes(number));
  });
});

const pod = (spec: object = {}, more: object = {}, metadata: object = {}): KubeObject => ({
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'default', uid: 'u', resourceVersion: '5', ...metadata },
  spec: {
    ...{ containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Always' }] },
    ...{ restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', ...spec },
  },
  ...more,
});
const MIRROR = { 'kubernetes.io/config.mirror': 'm' };

// Source: pkg/apis/core/helper/qos/qos_test.go.
it('a Pod is as sure of its resources as its containers are', () => {
  const both = (cpu: string, memory: string): object => ({ cpu, memory });
  const classOf = (...resources: readonly object[]): unknown => {
    const containers = resources.map((one, at) => ({ name: `c${at}`, image: 'i', resources: one }));
    const [first, ...init] = containers;
    const alone = { containers: [first] };
    const classes = [{ containers }, { ...alone, initContainers: init }].map(
      (spec) => record(made(definitionOf('pods'), pod(spec)).object.status).qosClass,
    );
    assert.equal(classes[0], classes[1]);
    return classes[0];
  };
  const all = { limits: both('1', '1Gi'), requests: both('1000m', '1024Mi') };
  assert.equal(classOf({}), 'BestEffort');
  assert.equal(classOf({}, {}), 'BestEffort');
  assert.equal(classOf({ limits: both('0', '0') }), 'BestEffort');
  assert.equal(classOf({ limits: { 'example.com/gpu': '1' } }), 'BestEffort');
  assert.equal(classOf(all), 'Guaranteed');
  assert.equal(classOf(all, all), 'Guaranteed');
  assert.equal(classOf(all, {}), 'Burstable');
  assert.equal(classOf({ limits: { cpu: '1' }, requests: { cpu: '1' } }), 'Burstable');
  assert.equal(classOf({ limits: { memory: '1' }, requests: { memory: '1' } }), 'Burstable');
  assert.equal(classOf({ requests: { cpu: '1' } }), 'Burstable');
  assert.equal(classOf({ requests: { memory: '1' } }), 'Burstable');
  assert.equal(classOf({ limits: both('2', '1Gi'), requests: both('1', '1Gi') }), 'Burstable');
});

// Source: pkg/registry/core/pod/strategy.go CheckGracefulDelete, PrepareForCreate.
it('a Pod that runs somewhere has time to end', () => {
  const period = (requested: number | undefined, spec: object, phase = 'Running'): unknown =>
    definitionOf('pods').strategy.gracePeriod?.(pod(spec, { status: { phase } }), requested);
  const placed = { nodeName: 'n', terminationGracePeriodSeconds: 30 };
  assert.deepEqual([period(undefined, placed), period(5, placed), period(0, placed)], [30, 5, 0]);
  assert.deepEqual([period(-1, placed), period(undefined, { ...placed, terminationGracePeriodSeconds: -5 })], [1, 1]);
  assert.equal(period(undefined, { nodeName: 'n' }), 0);
  assert.deepEqual([period(5, { ...placed, nodeName: '' }), period(5, {})], [0, 0]);
  assert.deepEqual(
    [period(5, placed, 'Failed'), period(5, placed, 'Succeeded'), period(5, placed, 'Pending')],
    [0, 0, 5],
  );
  const made30 = (seconds: number): unknown =>
    record(made(definitionOf('pods'), pod({ terminationGracePeriodSeconds: seconds })).object.spec)
      .terminationGracePeriodSeconds;
  assert.deepEqual([-3, 0, 7].map(made30), [1, 0, 7]);
});

describe('a Pod that is made', () => {
  const faults = (spec: object, metadata: object = {}): readonly string[] =>
    made(definitionOf('pods'), pod(spec, {}, metadata)).errors;
  it('for another, as a mirror, says where it is and claims no devices', () => {
    const where = 'must set spec.nodeName if mirror pod annotation is set';
    const annotation = 'metadata.annotations[kubernetes.io/config.mirror]';
    assert.deepEqual(faults({}, { annotations: MIRROR }), [`${annotation}: Invalid value: "m": ${where}`]);
    assert.deepEqual(faults({ nodeName: 'n' }, { annotations: MIRROR }), []);
    assert.deepEqual(faults({ nodeName: 'n', resourceClaims: [{ name: 'r' }] }, { annotations: MIRROR }), [
      '[]: Forbidden: static pods do not support resource claims',
    ]);
    assert.deepEqual(faults({ resourceClaims: [{ name: 'r' }] }), []);
  });
  it('has no ephemeral containers, and no node while it is gated', () => {
    assert.deepEqual(faults({ ephemeralContainers: [{ name: 'e', image: 'i' }] }), [
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
    ]);
    const schedulingGates = [{ name: 'g' }];
    assert.deepEqual(faults({ schedulingGates }), []);
    assert.deepEqual(faults({ schedulingGates, nodeName: 'n' }), [
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ]);
  });
  it('is warned of a name that is no good for a host', () => {
    const { warnings } = definitionOf('pods').strategy;
    assert.deepEqual(warnings?.(pod(), undefined), []);
    assert.match(
      warnings?.(pod({}, {}, { name: 'a.b' }), undefined)?.join() ?? '',
      /^metadata\.name: this is used in the Pod's/,
    );
    assert.deepEqual(warnings?.(pod({}, {}, { name: 'a.b' }), pod()), []);
  });
});

describe('a Pod that is changed', () => {
  const ofPod = (spec: object, old: object = {}): readonly string[] =>
    change(definitionOf('pods'), pod(spec), made(definitionOf('pods'), pod(old)).object).errors;
  it('may be given tolerations and a deadline, and lose gates', () => {
    const [a, b] = [{ key: 'a' }, { key: 'b' }];
    assert.deepEqual(ofPod({ tolerations: [a, b], activeDeadlineSeconds: 5 }, { tolerations: [a] }), []);
    assert.deepEqual(ofPod({}, { schedulingGates: [{ name: 'g' }] }), []);
    const kept = 'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds';
    assert.deepEqual(ofPod({ tolerations: [b] }, { tolerations: [a] }), [kept]);
    assert.deepEqual(ofPod({ tolerations: [b] }, { tolerations: [a, b] }), [kept]);
  });
  it('stays as it is otherwise', () => {
    const fixed = /^spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`,/;
    for (const spec of [
      { hostNetwork: true },
      { nodeName: 'n' },
      { containers: [{ name: 'd', image: 'i', imagePullPolicy: 'Always' }] },
    ])
      assert.match(ofPod(spec).join('\n'), fixed);
    const init = [{ name: 'd', image: 'i', imagePullPolicy: 'Always' }];
    assert.deepEqual(ofPod({ initContainers: init }), [
      'spec.initContainers: Forbidden: pod updates may not add or remove containers',
    ]);
    const other = [{ ...init[0], image: 'j' }];
    assert.deepEqual(ofPod({ initContainers: other }, { initContainers: init }), []);
  });
});

describe('a part of a Pod', () => {
  const part = (name: string) => {
    const found = definitionOf('pods').subresources.find((one) => one.name === name);
    assert.ok(found?.kind === 'part');
    const { strategy, verbs } = found;
    return {
      verbs: [...verbs].sort(),
      changed: (object: KubeObject, old: KubeObject): KubeObject =>
        strategy.prepareForUpdate?.(object, old, context()) ?? object,
      faults: (object: KubeObject, old: KubeObject): readonly string[] =>
        (strategy.validateUpdate?.(object, old, context()) ?? []).map(({ field, body }) => `${field}: ${body}`),
    };
  };
  for (const [name, field] of [
    ['ephemeralcontainers', 'ephemeralContainers'],
    ['resize', 'containers'],
  ] as const)
    it(`is all that ${name} writes`, () => {
      const { changed, verbs } = part(name);
      assert.deepEqual(verbs, ['get', 'patch', 'update']);
      const value = [{ name: 'e', image: 'j' }];
      const managedFields = [{ manager: 'm' }];
      const given = pod({ [field]: value, hostNetwork: true }, {}, { labels: { a: 'b' }, managedFields });
      const { spec, metadata } = changed(given, pod());
      assert.deepEqual(spec, { ...record(pod().spec), [field]: value });
      assert.deepEqual(metadata, { ...pod().metadata, managedFields });
      assert.deepEqual(changed(pod(), pod()).metadata, pod().metadata);
    });
  it('for a look inside stays', () => {
    const { faults } = part('ephemeralcontainers');
    const [e, f] = [{ name: 'e' }, { name: 'f' }];
    const having = (...ephemeralContainers: readonly object[]): KubeObject => pod({ ephemeralContainers });
    assert.deepEqual(faults(having(e, f), having(e)), []);
    const gone = 'existing ephemeral containers "e" may not be removed\n';
    assert.deepEqual(faults(having(f), having(e)), [`spec.ephemeralContainers: Forbidden: ${gone}`]);
    assert.deepEqual(faults(having(e), pod({}, {}, { annotations: MIRROR })), [
      ': Forbidden: static pods do not support ephemeral containers',
    ]);
    assert.deepEqual(part('resize').faults(pod(), pod()), []);
  });
});

it('Pods are found by where and as whom they run', () => {
  const { fieldSelectors, refuseFieldLabel } = definitionOf('pods');
  const spec = {
    nodeName: 'n',
    restartPolicy: 'Never',
    schedulerName: 's',
    serviceAccountName: 'a',
    hostNetwork: true,
  };
  const status = { phase: 'Running', podIP: '1.2.3.4', nominatedNodeName: 'm' };
  const found = (object: KubeObject): unknown =>
    Object.fromEntries(Object.entries(fieldSelectors).map(([field, select]) => [field, select(object)]));
  assert.deepEqual(found(pod(spec, { status })), {
    ...{ 'spec.nodeName': 'n', 'spec.restartPolicy': 'Never', 'spec.schedulerName': 's', 'spec.hostNetwork': 'true' },
    ...{ 'spec.serviceAccountName': 'a', 'status.phase': 'Running', 'status.podIP': '1.2.3.4' },
    'status.nominatedNodeName': 'm',
  });
  const ips = { podIPs: [{ ip: '5.6.7.8' }, { ip: '::1' }], podIP: '1.2.3.4' };
  assert.equal(fieldSelectors['status.podIP']?.(pod({}, { status: ips })), '5.6.7.8');
  assert.deepEqual(
    [fieldSelectors['status.podIP']?.(pod()), fieldSelectors['spec.hostNetwork']?.(pod())],
    ['', 'false'],
  );
  for (const label of [
    'metadata.name',
    'metadata.namespace',
    'status.podIPs',
    'spec.host',
    ...Object.keys(fieldSelectors),
  ])
    assert.equal(refuseFieldLabel?.(label), undefined, label);
  assert.notEqual(refuseFieldLabel?.('spec.x'), undefined);
});
