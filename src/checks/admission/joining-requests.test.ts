import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { twinsOf } from '../common/twins.testing.js';
import { opinionsOf } from './cel.js';
import {
  areFor,
  conditionsOf,
  isNamedBy,
  JOINING,
  NAMESPACES_OF_JOINING,
  picks,
  picksWritten,
  requestText,
  scopeOf,
  variantsOf,
} from './joining-requests.js';

const labels = { 'kube-system': { a: 'b' }, 'kube-node-lease': {}, 'kube-public': {} };
const [asks, approves] = JOINING;
assert.ok(asks && approves);

describe('what is asked for a machine that joins', () => {
  it('is written to namespaces of the system', () => {
    assert.deepEqual(NAMESPACES_OF_JOINING, ['kube-node-lease', 'kube-public', 'kube-system']);
    assert.deepEqual(JOINING.map(requestText), [
      'create certificatesigningrequests',
      'update certificatesigningrequests/approval',
      'update certificatesigningrequests/status',
      'create subjectaccessreviews',
      'create nodes',
      'update nodes/status',
      'update nodes',
      'create leases',
      'update leases',
      'create csinodes',
      'create serviceaccounts/token',
      'create serviceaccounts/token',
      'update configmaps',
      'update configmaps',
      'create pods',
      'create pods/binding',
      'create secrets',
      'delete secrets',
    ]);
  });

  it('shows itself to expressions', () => {
    const of = (expression: string, one = asks): string | undefined =>
      opinionsOf([expression], scopeOf(one, labels))[0];
    assert.equal(of('request.kind.kind == "CertificateSigningRequest" && request.resource.version == "v1"'), 'true');
    assert.equal(of('request.subResource == "" && namespaceObject == null'), 'true');
    assert.equal(of('request.subResource == "approval" && oldObject == null', approves), 'unknown');
    assert.equal(of('"system:bootstrappers" in request.userInfo.groups'), 'true');
    assert.equal(
      of('request.userInfo.username == "system:serviceaccount:kube-system:certificate-controller"'),
      'false',
    );
    const token = JOINING.find(({ resource }) => resource === 'serviceaccounts/token');
    assert.equal(
      of('request.kind.group == "authentication.k8s.io" && namespaceObject.metadata.labels.a == "b"', token),
      'true',
    );
  });

  it('is named by rules and picked by selectors', () => {
    const rule = { apiGroups: ['*'], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps', 'leases'] };
    assert.deepEqual(JOINING.filter((one) => isNamedBy([rule], one)).map(requestText), [
      'create leases',
      'update leases',
      'update configmaps',
      'update configmaps',
    ]);
    const objectSelector = { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] };
    assert.deepEqual(
      JOINING.filter((one) => isNamedBy([rule], one) && areFor({ objectSelector }, one, labels)).map(requestText),
      ['create leases', 'update leases'],
    );
    const namespaceSelector = { matchLabels: { a: 'b' } };
    assert.deepEqual(
      JOINING.filter((one) => one.namespace !== '' && areFor({ namespaceSelector }, one, labels)).map(requestText),
      [
        'create serviceaccounts/token',
        'create serviceaccounts/token',
        'update configmaps',
        'create pods',
        'create pods/binding',
        'create secrets',
        'delete secrets',
      ],
    );
  });
});

describe('each request of a join', () => {
  const ask = (what: string, expression: string): string | undefined => {
    const one = JOINING.find((asked) => requestText(asked) === what);
    assert.ok(one, what);
    return opinionsOf([expression], scopeOf(one, labels))[0];
  };
  const account = (name: string): string => `system:serviceaccount:kube-system:${name}`;

  it('is asked by whom kubeadm and the controllers are', () => {
    for (const [what, username] of [
      ['update certificatesigningrequests/approval', account('certificate-controller')],
      ['update certificatesigningrequests/status', account('certificate-controller')],
      ['create subjectaccessreviews', account('certificate-controller')],
      ['create serviceaccounts/token', 'system:kube-controller-manager'],
      ['update configmaps', account('bootstrap-signer')],
    ] as const)
      assert.equal(ask(what, `request.userInfo.username == "${username}"`), 'true', what);
    assert.equal(ask('update configmaps', '"system:serviceaccounts:kube-system" in request.userInfo.groups'), 'true');
    for (const what of ['create nodes', 'update nodes/status', 'create leases', 'update leases', 'create csinodes']) {
      assert.equal(ask(what, 'request.userInfo.username.startsWith("system:node:")'), 'true', what);
      assert.equal(
        ask(what, '"system:nodes" in request.userInfo.groups && "system:authenticated" in request.userInfo.groups'),
        'true',
      );
    }
    assert.equal(
      ask('create certificatesigningrequests', 'request.userInfo.username.startsWith("system:bootstrap:")'),
      'true',
    );
  });

  it('is of its kind, for its object', () => {
    for (const [what, kind] of [
      ['create certificatesigningrequests', 'CertificateSigningRequest'],
      ['update certificatesigningrequests/approval', 'CertificateSigningRequest'],
      ['create subjectaccessreviews', 'SubjectAccessReview'],
      ['create nodes', 'Node'],
      ['update nodes/status', 'Node'],
      ['create pods/binding', 'Binding'],
      ['create leases', 'Lease'],
      ['create csinodes', 'CSINode'],
      ['create serviceaccounts/token', 'TokenRequest'],
      ['update configmaps', 'ConfigMap'],
    ] as const) {
      assert.equal(
        ask(
          what,
          `request.kind.kind == "${kind}" && object.kind == "${kind}" && request.requestKind.kind == "${kind}"`,
        ),
        'true',
        what,
      );
      assert.equal(ask(what, 'request.dryRun'), 'false');
      assert.equal(ask(what, 'oldObject == null'), what.startsWith('create') ? 'true' : 'unknown', what);
    }
    assert.equal(ask('create nodes', 'request.kind.group == ""'), 'true');
    assert.equal(
      ask('create leases', 'request.kind.group == "coordination.k8s.io" && request.resource.version == "v1"'),
      'true',
    );
    const signer = 'object.spec.signerName == "kubernetes.io/kube-apiserver-client-kubelet"';
    for (const what of [
      'create certificatesigningrequests',
      'update certificatesigningrequests/status',
      'update certificatesigningrequests/approval',
    ])
      assert.equal(ask(what, signer), 'true', what);
    for (const what of ['create certificatesigningrequests', 'create leases'])
      for (const name of ['labels', 'annotations', 'finalizers'])
        assert.equal(ask(what, `has(object.metadata.${name})`), 'false', `${what} ${name}`);
    assert.equal(ask('update leases', 'has(object.metadata.labels)'), 'unknown');
    assert.equal(
      ask('update configmaps', 'object.metadata.name == "cluster-info" && object.metadata.namespace == "kube-public"'),
      'true',
    );
    assert.deepEqual(JOINING.filter(({ ofWebhooks }) => ofWebhooks === true).map(requestText), [
      'create subjectaccessreviews',
      'update configmaps',
      'create secrets',
    ]);
    assert.equal(ask('create leases', 'object.metadata.namespace != "kube-node-lease"'), 'false');
    assert.equal(ask('create nodes', 'object.metadata.namespace != "a"'), 'error');
    assert.equal(ask('create secrets', 'object.type == "bootstrap.kubernetes.io/token"'), 'true');
    assert.equal(ask('create secrets', 'request.userInfo.username == "ops"'), 'unknown');
    assert.equal(ask('delete secrets', 'oldObject.type == "bootstrap.kubernetes.io/token" && object == null'), 'true');
    assert.equal(ask('create pods', 'object.spec.hostNetwork && !has(object.spec.hostPID)'), 'true');
    assert.equal(ask('create pods', 'object.spec.containers.all(c, c.securityContext.privileged)'), 'true');
    assert.equal(ask('create pods', 'object.spec.volumes.all(v, !has(v.hostPath))'), 'false');
    for (const unknown of ['object.spec.dnsPolicy == "Default"', 'has(object.metadata.labels)'])
      assert.equal(ask('create pods', unknown), 'unknown');
  });

  it('is picked by selectors as Kubernetes picks', () => {
    const by = (operator: string, values?: readonly string[]) => ({
      matchExpressions: [{ key: 'a', operator, ...(values === undefined ? {} : { values }) }],
    });
    for (const [selector, has, lacks] of [
      [by('Exists'), true, false],
      [by('DoesNotExist'), false, true],
      [by('In', ['x', 'b']), true, false],
      [by('In', ['x']), false, false],
      [by('NotIn', ['x', 'b']), false, true],
      [by('NotIn', ['x']), true, true],
      [by('Other', ['b']), false, false],
      [{ matchLabels: { a: 'b' } }, true, false],
      [{ matchLabels: { a: 'x' } }, false, false],
      [{}, true, true],
      [undefined, true, true],
      [{ matchLabels: { a: 'b' }, ...by('DoesNotExist') }, false, false],
    ] as const) {
      assert.equal(picks(selector, { a: 'b' }), has, JSON.stringify(selector));
      assert.equal(picks(selector, {}), lacks, JSON.stringify(selector));
    }
    assert.equal(picks(by('DoesNotExist'), Object.create({ a: 'b' })), true);
    const [node] = JOINING.filter(({ resource }) => resource === 'nodes');
    const [map] = JOINING.filter(({ resource }) => resource === 'configmaps');
    assert.ok(node && map && asks);
    assert.equal(picksWritten({ matchLabels: { 'kubernetes.io/os': 'linux' } }, node), true);
    assert.equal(picksWritten({ matchLabels: { 'kubernetes.io/os': 'windows' } }, node), false);
    assert.equal(picksWritten({ matchLabels: { 'kubernetes.io/os': 'linux', x: 'y' } }, node), false);
    assert.equal(picksWritten(by('DoesNotExist'), node), false);
    assert.equal(picksWritten(by('DoesNotExist'), { ...node, resource: 'csinodes' }), true);
    assert.deepEqual(
      [picksWritten({}, map), picksWritten(undefined, map), picksWritten(by('DoesNotExist'), map)],
      [true, true, false],
    );
    assert.equal(picksWritten(by('DoesNotExist'), asks), true);
  });

  it('is named by each part of a rule', () => {
    assert.ok(asks);
    const rule = {
      operations: ['UPDATE', 'CREATE'],
      apiGroups: ['', 'certificates.k8s.io'],
      apiVersions: ['v2', 'v1'],
      resources: ['x', 'certificatesigningrequests'],
    };
    assert.equal(isNamedBy([rule], asks), true);
    assert.equal(isNamedBy([{}, rule], asks), true);
    for (const more of [
      ...[
        { operations: ['UPDATE'] },
        { apiGroups: [''] },
        { apiVersions: ['v2'] },
        { resources: ['x'] },
        { scope: 'Namespaced' },
      ],
      ...[{ resources: ['certificatesigningrequests/*'].map((one) => one.replace('*', 'status')) }, { operations: [] }],
    ])
      assert.equal(isNamedBy([{ ...rule, ...more }], asks), false, JSON.stringify(more));
    for (const scope of ['', '*', 'Cluster']) assert.equal(isNamedBy([{ ...rule, scope }], asks), true, scope);
    const lease = JOINING.find(({ resource }) => resource === 'leases');
    assert.ok(lease);
    const all = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
    for (const [scope, is] of [
      ['Namespaced', true],
      ['Cluster', false],
      ['*', true],
    ] as const)
      assert.equal(isNamedBy([{ ...all, scope }], lease), is, scope);
  });

  it('is asked for where every condition is true', () => {
    assert.ok(asks);
    const scope = scopeOf(asks, labels);
    const said = (...expressions: readonly string[]) =>
      conditionsOf({ matchConditions: expressions.map((expression) => ({ expression })) }, scope);
    assert.deepEqual(
      [said(), said('true', 'true'), said('true', 'false'), said('nobody', 'false')],
      ['true', 'true', 'false', 'false'],
    );
    assert.deepEqual(
      [said('nobody', 'true'), said('true', 'oldObject.x'), said('nobody', 'oldObject.x')],
      ['unknown', 'error', 'unknown'],
    );
  });
});

describe('names in rules and selectors', () => {
  const asked = { operation: 'CREATE', group: 'g', resource: 'pods/status', namespace: 'n' } as const;
  const rule = { operations: ['CREATE'], apiGroups: ['g'], apiVersions: ['v1'], resources: ['pods/status'] };
  const named = (more: object, one: object = {}): boolean =>
    isNamedBy([{ ...rule, ...more }], { ...asked, ...one } as Parameters<typeof isNamedBy>[1]);

  it('are those that are asked for, the second as well as the first', () => {
    assert.equal(named({}), true);
    for (const [key, name] of [
      ['operations', 'CREATE'],
      ['apiGroups', 'g'],
      ['apiVersions', 'v1'],
      ['resources', 'pods/status'],
    ] as const) {
      for (const twin of twinsOf(name)) assert.equal(named({ [key]: [twin] }), false, `${key} "${twin}"`);
      assert.equal(named({ [key]: ['x', name] }), true, key);
      assert.equal(named({ [key]: ['x', key === 'resources' ? '*/*' : '*'] }), true, key);
      assert.equal(named({ [key]: [] }), false, key);
    }
    for (const resource of ['pods/*', '*/status', '*/*'])
      assert.equal(named({ resources: [resource] }), true, resource);
    for (const resource of ['pods', '*', 'Pods/*', '*/Status', 'pods/', '/status', '*/statuses'])
      assert.equal(named({ resources: [resource] }), false, resource);
    for (const scope of ['', '*', 'Namespaced']) assert.equal(named({ scope }), true, scope);
    for (const scope of [...twinsOf('Namespaced').filter((one) => one !== ''), 'Cluster'])
      assert.equal(named({ scope }), false, scope);
    assert.equal(named({ scope: 'Cluster' }, { namespace: '' }), true);
    assert.equal(isNamedBy([{ ...rule, apiGroups: [] }, rule], asked as Parameters<typeof isNamedBy>[1]), true);
  });

  it('pick by labels as they are written', () => {
    const by = (operator: string, ...values: readonly string[]): boolean =>
      picks({ matchExpressions: [{ key: 'a', operator, values }] }, { a: 'b' });
    assert.deepEqual(
      [by('Exists'), by('DoesNotExist'), by('In', 'x', 'b'), by('NotIn', 'x', 'b')],
      [true, false, true, false],
    );
    assert.deepEqual([by('In', 'x'), by('NotIn', 'x')], [false, true]);
    for (const twin of twinsOf('b')) {
      assert.equal(by('In', twin), false, twin);
      assert.equal(by('NotIn', twin), true, twin);
      assert.equal(picks({ matchLabels: { a: twin } }, { a: 'b' }), false, twin);
      assert.equal(picks({ matchLabels: { a: 'b', c: 'd' } }, { a: 'b', c: twin }), false, twin);
    }
    for (const operator of ['Exists', 'In', 'NotIn'])
      for (const twin of twinsOf(operator)) assert.equal(by(twin, operator === 'NotIn' ? 'x' : 'b'), false, twin);
    for (const twin of twinsOf('DoesNotExist'))
      assert.equal(picks({ matchExpressions: [{ key: 'z', operator: twin }] }, { a: 'b' }), false, twin);
    const two = [
      { key: 'a', operator: 'Exists' },
      { key: 'z', operator: 'Exists' },
    ];
    assert.equal(picks({ matchExpressions: two }, { a: 'b' }), false);
    assert.equal(picks({}, {}), true);
  });
});

describe('what is known of requests', () => {
  const of = (what: string, at = 0) => {
    const found = JOINING.filter((one) => requestText(one) === what)[at];
    assert.ok(found, what);
    return found;
  };
  const says = (what: string, expression: string, at = 0): string | undefined =>
    opinionsOf([expression], scopeOf(of(what, at), labels))[0];

  it('is their kind, their namespace and who asks', () => {
    for (const [what, expression, at] of [
      ['update leases', 'object.metadata.namespace == "kube-node-lease"'],
      ['update configmaps', 'object.metadata.namespace == "kube-system"', 1],
      [
        'update configmaps',
        'object.metadata.name == "cluster-info" && request.userInfo.username.endsWith(":bootstrap-signer")',
        0,
      ],
      ['create pods', 'object.metadata.namespace == "kube-system" && request.kind.kind == "Pod"'],
      ['create pods', 'request.userInfo.username == "system:serviceaccount:kube-system:daemon-set-controller"'],
      ['delete secrets', 'request.userInfo.username == "system:serviceaccount:kube-system:token-cleaner"'],
      [
        'delete secrets',
        'oldObject.metadata.namespace == "kube-system" && oldObject.metadata.name.startsWith("bootstrap-token-")',
      ],
      ['delete secrets', 'request.kind.kind == "Secret" && request.kind.version == "v1"'],
      [
        'create secrets',
        'object.type == "bootstrap.kubernetes.io/token" && object.metadata.namespace == "kube-system"',
      ],
    ] as const)
      assert.equal(says(what, expression, at), 'true', `${what}: ${expression}`);
    assert.notEqual(says('create secrets', 'request.userInfo.username == "a"'), 'true');
  });

  it('is what Pods of kube-proxy are: as good as root, on the network of the machine', () => {
    for (const expression of [
      'object.spec.hostNetwork == true',
      '!has(object.spec.hostPID) && !has(object.spec.initContainers)',
      'object.spec.containers.all(c, c.securityContext.privileged == true)',
      'object.spec.volumes.exists(v, has(v.hostPath) && v.hostPath.path == "/lib/modules")',
      'object.spec.volumes.exists(v, has(v.hostPath) && v.hostPath.path == "/run/xtables.lock")',
      'object.spec.volumes.exists(v, has(v.configMap) && !has(v.hostPath))',
    ])
      assert.equal(says('create pods', expression), 'true', expression);
    assert.equal(
      says('create pods', 'object.spec.volumes.exists(v, has(v.hostPath) && v.hostPath.path == "/")'),
      'false',
    );
  });

  it('is what kubelets label, and what workers have', () => {
    const variants = variantsOf(of('create nodes'), [{ a: 'b' }]);
    assert.equal(variants.length, 2);
    const by = (expression: string) => variants.map((one) => opinionsOf([expression], scopeOf(one, labels))[0]);
    for (const key of [
      'kubernetes.io/hostname',
      'kubernetes.io/arch',
      'beta.kubernetes.io/os',
      'beta.kubernetes.io/arch',
    ])
      assert.deepEqual(by(`"${key}" in object.metadata.labels`), ['true', 'false'], key);
    assert.deepEqual(by('object.metadata.labels["kubernetes.io/os"] == "linux"'), ['true', 'error']);
    assert.deepEqual(by('"a" in object.metadata.labels'), ['false', 'true']);
    assert.deepEqual(by('has(object.metadata.namespace)'), ['false', 'false']);
    for (const what of ['create pods', 'update nodes/status'])
      assert.deepEqual(variantsOf(of(what), [{ a: 'b' }]), [of(what)]);
    assert.deepEqual(variantsOf(of('create nodes'), []), [of('create nodes')]);
  });

  it('is nothing of labels that others may have given', () => {
    const none = { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] };
    for (const what of ['update configmaps', 'create pods', 'delete secrets']) {
      assert.equal(picksWritten(none, of(what)), false, what);
      assert.equal(picksWritten({}, of(what)), true, what);
    }
    assert.equal(picksWritten(none, of('create secrets')), true);
    assert.equal(
      picksWritten({ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'Exists' }] }, of('create nodes')),
      true,
    );
    assert.equal(
      picksWritten({ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, of('create nodes')),
      false,
    );
    assert.equal(picks({ matchExpressions: [{ key: 'a', operator: 'In', values: ['undefined', ''] }] }, {}), false);
  });
});
