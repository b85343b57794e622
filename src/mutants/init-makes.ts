/** Inits that leave in their cluster what nobody can join with, or what lets others in. */
import { rfc3339 } from '../apiserver/clock.js';
import { isRecord, record, records } from '../kubernetes/json.js';
import { LABEL_CONTROL_PLANE } from '../kubernetes/names.js';
import type { KubeObject } from '../kubernetes/objects.js';
import type { Mutant } from './types.js';
import { dropping, encoded, marking, told, uploads, type Written, writing } from './uploads.js';

const TOKEN = 'bootstrap-token-abcdef';
const named =
  (...names: readonly string[]) =>
  ({ metadata, kind }: KubeObject): boolean =>
    names.includes(metadata.name ?? '') && kind !== 'Node';
const bindingOf =
  (name: string) =>
  (object: KubeObject): boolean =>
    named(name)(object) && /Binding$/.test(object.kind ?? '');
const roleOf =
  (name: string) =>
  (object: KubeObject): boolean =>
    named(name)(object) && /Role$/.test(object.kind ?? '');

const to =
  (name: string, kind = 'Group') =>
  (binding: Written): object => ({ ...binding, subjects: [{ kind, name }] });
const also =
  (name: string) =>
  (binding: Written): object => ({ ...binding, subjects: [...(binding.subjects ?? []), { kind: 'Group', name }] });
const ruled =
  (change: object) =>
  (role: Written): object => ({ ...role, rules: (role.rules ?? []).map((rule) => ({ ...rule, ...change })) });
const data =
  (change: (text: string) => string, key: string) =>
  (map: Written): object => ({
    ...map,
    data: { ...map.data, [key]: change(map.data?.[key] ?? '') },
  });
const INFO = named('cluster-info');
const published = (change: (text: string) => string): Parameters<typeof uploads>[3] =>
  writing((object) => INFO(object) && object.kind === 'ConfigMap', data(change, 'kubeconfig'));
const kubelet = (change: (text: string) => string): Parameters<typeof uploads>[3] =>
  writing((object) => named('kubelet-config')(object), data(change, 'kubelet'));

const GRANTS = ['P-304'];
const REQUESTS = 'kubeadm:node-autoapprove-bootstrap';

export const mutants: readonly Mutant[] = [
  ...[
    'kubeadm:get-nodes',
    'kubeadm:kubelet-bootstrap',
    REQUESTS,
    'kubeadm:node-autoapprove-certificate-rotation',
    'kubeadm:nodes-kubeadm-config',
    'kubeadm:kubelet-config',
    'kubeadm:bootstrap-signer-clusterinfo',
    'kube-proxy',
  ].map((name) =>
    uploads(`init-without-${name.replace('kubeadm:', '')}`, `init binds no ${name}`, GRANTS, dropping(bindingOf(name))),
  ),
  uploads(
    'init-binds-every-token',
    'every token may ask for certificates',
    GRANTS,
    writing(bindingOf('kubeadm:kubelet-bootstrap'), to('system:bootstrappers')),
  ),
  uploads(
    'init-approves-everybody',
    'requests of everybody are approved',
    GRANTS,
    writing(bindingOf(REQUESTS), also('system:authenticated')),
  ),
  uploads(
    'init-reads-every-map',
    'strangers read every ConfigMap of kube-public',
    GRANTS,
    writing(roleOf('kubeadm:bootstrap-signer-clusterinfo'), ruled({ resourceNames: [] })),
  ),
  uploads(
    'init-lets-strangers-write',
    'strangers may write cluster-info',
    GRANTS,
    writing(roleOf('kubeadm:bootstrap-signer-clusterinfo'), ruled({ verbs: ['get', 'update'] })),
  ),
  uploads(
    'init-lets-tokens-list-nodes',
    'tokens may list Nodes',
    GRANTS,
    writing(roleOf('kubeadm:get-nodes'), ruled({ verbs: ['get', 'list'] })),
  ),
  uploads('init-publishes-nothing', 'there is no cluster-info', ['P-305', 'P-306'], dropping(INFO)),
  uploads(
    'init-publishes-elsewhere',
    'cluster-info names another server',
    ['P-305'],
    published((text) => text.replace(/server: .*/, 'server: https://192.0.2.99:6443')),
  ),
  uploads(
    'init-publishes-without-ca',
    'cluster-info has no authority',
    ['P-305'],
    published((text) => text.replace(/certificate-authority-data: .*/, 'insecure-skip-tls-verify: true')),
  ),
  uploads(
    'init-publishes-a-user',
    'cluster-info has a user with a token',
    ['P-305'],
    published((text) => text.replace(/users: .*/, 'users: [{name: a, user: {token: abcdefgh}}]')),
  ),
  uploads(
    'init-publishes-more',
    'cluster-info has another key',
    ['P-305'],
    writing(
      (object) => INFO(object) && object.kind === 'ConfigMap',
      (map) => ({ ...map, data: { ...map.data, a: 'b' } }),
    ),
  ),
  uploads(
    'init-writes-down-its-token',
    'kubeadm-config holds the token',
    ['P-305'],
    writing(named('kubeadm-config'), (map) => ({ ...map, data: { ...map.data, join: 'abcdef.0123456789abcdef' } })),
  ),
  uploads(
    'init-token-for-ever',
    'the token has no end',
    ['P-306'],
    writing(named(TOKEN), told({ expiration: undefined })),
  ),
  uploads(
    'init-token-of-a-week',
    'the token lives for a week',
    ['P-306'],
    writing(
      named(TOKEN),
      told({ expiration: encoded(new Date(Date.now() + 7 * 86_400_000).toISOString().replace(/\.\d+/, '')) }),
    ),
  ),
  uploads(
    'init-token-ungrouped',
    'the token is in no group',
    ['P-306'],
    writing(named(TOKEN), told({ 'auth-extra-groups': undefined })),
  ),
  uploads(
    'init-token-unsigning',
    'the token signs nothing',
    ['P-306'],
    writing(named(TOKEN), told({ 'usage-bootstrap-signing': undefined })),
  ),
  uploads('init-token-unmade', 'the token is not made', ['P-306'], dropping(named(TOKEN))),
  uploads(
    'init-writes-down-no-endpoint',
    'kubeadm-config has no common endpoint',
    ['P-307'],
    writing(
      named('kubeadm-config'),
      data((text) => text.replace(/controlPlaneEndpoint: .*\n/, ''), 'ClusterConfiguration'),
    ),
  ),
  uploads(
    'init-opens-kubelets',
    'kubelets answer strangers',
    ['P-307'],
    kubelet((text) => text.replace(/anonymous:\s+enabled: false/, 'anonymous: {enabled: true}')),
  ),
  uploads(
    'init-asks-nobody-of-kubelets',
    'kubelets let everybody do everything',
    ['P-307'],
    kubelet((text) => text.replace('mode: Webhook', 'mode: AlwaysAllow')),
  ),
  uploads(
    'init-renews-no-certificates',
    'certificates of kubelets are not renewed',
    ['P-307'],
    kubelet((text) => text.replace('rotateCertificates: true', 'rotateCertificates: false')),
  ),
  uploads(
    'init-writes-down-no-kubelet',
    'there is no kubelet-config',
    ['P-307'],
    dropping((object) => named('kubelet-config')(object)),
  ),
  uploads(
    'init-marks-nothing',
    'its Node is not marked',
    ['P-308'],
    marking(() => undefined),
  ),
  uploads(
    'init-taints-nothing',
    'its Node has no taint',
    ['P-308'],
    marking(({ ...body }) => ({ ...body, spec: {} })),
  ),
  uploads(
    'init-taints-alone',
    'its Node loses the taints that it has',
    ['P-469'],
    marking((body) => ({ ...body, spec: { taints: records(record(record(body).spec).taints).slice(0, 1) } })),
  ),
  uploads(
    'init-labels-half',
    'its Node is not kept from load balancers',
    ['P-308'],
    marking((body) => ({ ...body, metadata: { labels: { 'node-role.kubernetes.io/control-plane': '' } } })),
  ),

  uploads(
    'harmless-init-annotated',
    'what init makes has labels and annotations',
    [],
    writing(
      ({ kind }) => kind !== undefined && kind !== 'Secret',
      (object) => ({
        ...object,
        metadata: {
          ...object.metadata,
          labels: { a: 'b' },
          annotations: { ...object.metadata?.annotations, 'example.com/made-by': 'c' },
        },
      }),
    ),
  ),
  uploads(
    'harmless-init-binds-apart',
    'each subject has the API group that the server fills in',
    [],
    writing(
      ({ kind }) => /Binding$/.test(kind ?? ''),
      (binding) => ({
        ...binding,
        subjects: (binding.subjects ?? []).map((subject) =>
          isRecord(subject) && subject.kind !== 'ServiceAccount'
            ? { ...subject, apiGroup: 'rbac.authorization.k8s.io' }
            : subject,
        ),
      }),
    ),
  ),
  uploads(
    'init-tokens-for-a-day',
    'tokens live a day, whatever is told',
    ['P-466'],
    writing(named(TOKEN), (secret) => told({ expiration: encoded(rfc3339(Date.now() + 86_400_000)) })(secret)),
  ),
  uploads(
    'init-tokens-of-one-group',
    'tokens have the usual group alone',
    ['P-466'],
    writing(named(TOKEN), told({ 'auth-extra-groups': encoded('system:bootstrappers:kubeadm:default-node-token') })),
  ),
  uploads(
    'init-taints-as-usual',
    'the taint is the usual one, whatever is told',
    ['P-466'],
    marking((body) => ({ ...body, spec: { taints: [{ key: LABEL_CONTROL_PLANE, effect: 'NoSchedule' }] } })),
  ),
  uploads(
    'init-stores-usual-networks',
    'the networks that are written down are the usual ones',
    ['P-466'],
    writing(
      named('kubeadm-config'),
      data((text) => text.replaceAll('blue.example', 'cluster.local'), 'ClusterConfiguration'),
    ),
  ),
  uploads(
    'init-stores-usual-kubelets',
    'kubelets are told of the usual networks',
    ['P-466'],
    kubelet((text) => text.replaceAll('10.100.0.10', '10.96.0.10')),
  ),
];
