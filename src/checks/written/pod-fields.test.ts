import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { packageFile } from '../../run/package-root.js';
import type { Shape, Type } from './field-shapes.js';
import { oddPodFields, POD } from './pod-fields.js';

type Rows = readonly (readonly [names: string, sound: unknown, odd: unknown])[];

/** Each name on its own: what it may hold, and what makes the kubelet refuse the manifest. */
function holds(rows: Rows, at: string, put: (fields: object) => object): void {
  for (const [names, sound, odd] of rows)
    for (const name of names.split(' ')) {
      assert.deepEqual(oddPodFields({ ...put({ [name]: sound }) }), [], `${at}${name}`);
      assert.deepEqual(oddPodFields({ ...put({ [name]: odd }) }), [`${at}${name} is of another type`]);
      assert.deepEqual(oddPodFields({ ...put({ [`${name}x`]: sound }) }), [`${at}${name}x is no field`]);
    }
}
const port = { port: 'p' };
const PROBE: Rows = [
  ['initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold', 1, '1'],
  ['terminationGracePeriodSeconds', 1, '1'],
  ['exec', { command: ['a'] }, 'a'],
  ['httpGet', { path: '/a', host: 'b', scheme: 'HTTPS', ...port, httpHeaders: [] }, []],
  ['httpGet', { port: 1 }, 1],
  ['tcpSocket', { host: 'a', ...port }, 1],
  ['grpc', { port: 1, service: 'a' }, 1],
];
const PROFILES: Rows = [
  ['seLinuxOptions windowsOptions appArmorProfile', {}, 'a'],
  ['seccompProfile', { type: 'RuntimeDefault', localhostProfile: 'a' }, 'RuntimeDefault'],
];

it('a Pod has fields that are known, of their types', () => {
  holds([['apiVersion kind', 'a', 1]], '', (fields) => fields);
  holds([['metadata spec status', {}, []]], '', (fields) => fields);
  holds(
    [
      ['name generateName namespace uid resourceVersion creationTimestamp deletionTimestamp selfLink', 'a', 1],
      ['generation deletionGracePeriodSeconds', 1, '1'],
      ['labels annotations', {}, []],
      ['ownerReferences finalizers managedFields', [], {}],
    ],
    'metadata.',
    (metadata) => ({ metadata }),
  );
  holds(
    [
      ['restartPolicy dnsPolicy serviceAccountName serviceAccount nodeName hostname subdomain schedulerName', 'a', 1],
      ['priorityClassName runtimeClassName preemptionPolicy hostnameOverride', 'a', 1],
      ['terminationGracePeriodSeconds activeDeadlineSeconds priority', 1, '1'],
      ['automountServiceAccountToken hostNetwork hostPID hostIPC shareProcessNamespace', true, 'true'],
      ['enableServiceLinks setHostnameAsFQDN hostUsers', true, 'true'],
      ['nodeSelector affinity dnsConfig overhead os resources', {}, 'a'],
      ['ephemeralContainers imagePullSecrets tolerations hostAliases readinessGates', [], {}],
      ['topologySpreadConstraints schedulingGates resourceClaims', [], {}],
      ['containers initContainers volumes', [{}], {}],
    ],
    'spec.',
    (spec) => ({ spec }),
  );
  holds(
    [
      ...PROFILES,
      ['runAsUser runAsGroup fsGroup', 0, '0'],
      ['runAsNonRoot', true, 'true'],
      ['supplementalGroups sysctls', [], {}],
      ['fsGroupChangePolicy supplementalGroupsPolicy seLinuxChangePolicy', 'a', 1],
    ],
    'spec.securityContext.',
    (securityContext) => ({ spec: { securityContext } }),
  );
  holds(
    [
      ['name', 'a', 1],
      ['hostPath', { path: '/a', type: '' }, '/a'],
      ['emptyDir secret configMap projected nfs iscsi csi ephemeral image downwardAPI persistentVolumeClaim', {}, 'a'],
    ],
    'spec.volumes[0].',
    (volume) => ({ spec: { volumes: [volume] } }),
  );
});

it('a container has fields that are known, of their types', () => {
  for (const list of ['containers', 'initContainers']) {
    const of = (path = '') => `spec.${list}[0].${path}`;
    const put = (container: object) => ({ spec: { [list]: [container] } });
    holds(
      [
        ['name image workingDir imagePullPolicy terminationMessagePath terminationMessagePolicy', 'a', 1],
        ['restartPolicy', 'a', 1],
        ['command args', ['a'], 'a'],
        ['stdin stdinOnce tty', false, 'false'],
        ['envFrom resizePolicy restartPolicyRules volumeDevices', [], {}],
        [
          'env',
          [
            { name: 'A', value: 'b' },
            { name: 'C', valueFrom: {} },
          ],
          { A: 'b' },
        ],
        ['ports', [{ name: 'a', protocol: 'TCP', hostIP: 'b', containerPort: 1, hostPort: 1 }], {}],
        ['resources', { limits: {}, requests: {}, claims: [] }, []],
        [
          'volumeMounts',
          [{ name: 'a', mountPath: '/a', subPath: 'b', subPathExpr: 'c', mountPropagation: 'd', readOnly: true }],
          {},
        ],
        ['volumeMounts', [{ recursiveReadOnly: 'Disabled' }], 'a'],
        ['lifecycle', { postStart: {}, preStop: {}, stopSignal: 'SIGTERM' }, []],
      ],
      of(),
      put,
    );
    for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe'])
      holds(PROBE, of(`${probe}.`), (fields) => put({ [probe]: fields }));
    holds(
      [
        ...PROFILES,
        ['privileged runAsNonRoot readOnlyRootFilesystem allowPrivilegeEscalation', false, 'false'],
        ['runAsUser runAsGroup', 0, '0'],
        ['procMount', 'Default', 1],
        ['capabilities', { add: ['A'], drop: ['B'] }, []],
      ],
      of('securityContext.'),
      (securityContext) => put({ securityContext }),
    );
    const odd = {
      ports: [{ containerPort: '1', hostPort: '1', name: 1 }],
      env: [{ name: 1, value: 1, valueFrom: 'a' }],
      volumeMounts: [{ readOnly: 'true', mountPath: 1 }],
      livenessProbe: { exec: { command: 'a' }, httpGet: { port: true, path: 1, httpHeaders: {} }, grpc: { port: '1' } },
      securityContext: { capabilities: { add: 'A', drop: 'B' }, seccompProfile: { type: 1 } },
    };
    assert.equal(oddPodFields(put(odd)).length, 16);
  }
});

/** k8s.io/api as the reference reads it: field by type, "[]core.v1.EnvVar merge:name". */
type Api = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;
const api: Api = JSON.parse(readFileSync(packageFile('src/apiserver/resources/data/types.json'), 'utf8'));

/** What those types are called in shapes; of objects and lists that are not looked into, "fields" and "list". */
const CALLED: Readonly<Record<string, Type>> = {
  string: 'text',
  bool: 'switch',
  int32: 'number',
  int64: 'number',
  float64: 'quotient',
  time: 'text',
  intstr: 'number or text',
  '[]string': 'texts',
};
const fieldsOf = (type: string): Readonly<Record<string, string>> | undefined => {
  const [, group = '', kind = ''] = /^(\w+\.v\d\w*)\.(\w+)$/.exec(type) ?? [];
  return api[group]?.[kind];
};

function unlike(shape: Shape[string] | undefined, type: string, path: string): readonly string[] {
  if (shape === undefined) return [`${path} is missing`];
  const [item] = Array.isArray(shape) ? shape : [];
  if (item !== undefined)
    return type.startsWith('[]') ? unlike(item, type.slice(2), `${path}[]`) : [`${path} is no list`];
  const wanted = CALLED[type] ?? (type.startsWith('[]') ? 'list' : 'fields');
  if (typeof shape === 'string')
    return shape === wanted || (shape === 'list' && wanted === 'texts') ? [] : [`${path} is ${shape}, and ${type}`];
  const fields = fieldsOf(type) ?? {};
  return [...new Set([...Object.keys(fields), ...Object.keys(shape)])].flatMap((name) => {
    const at = `${path}.${name}`;
    const known = fields[name];
    return known === undefined ? [`${at} is no field`] : unlike((shape as Shape)[name], known.split(' ')[0] ?? '', at);
  });
}

it('a Pod has the fields that its type has, of their types, and no other', () => {
  // of 1.35 alone
  assert.deepEqual(unlike(POD, 'core.v1.Pod', 'Pod'), ['Pod.spec.workloadRef is no field']);
});
