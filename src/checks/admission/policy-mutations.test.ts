import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { workOf } from '../../model/work.testing.js';
import { changeOf } from './policy-mutations.js';

const of = (what: string, expression: string, by = 'applyConfiguration'): string => {
  const [operation = '', resource = ''] = what.split(' ');
  return changeOf([{ [by]: { expression } }], { operation, resource });
};
const CONTROL_PLANE = 'Object{metadata: Object.metadata{labels: {"node-role.kubernetes.io/control-plane": ""}}}';
const patch = (op: string, path: string): string => `[JSONPatch{op: "${op}", path: "${path}", value: ""}]`;

/** Milliseconds for some two million characters; what is quadratic takes minutes. */
const BOUND = 2_000;

describe('what a mutating policy changes', () => {
  it('is the role of a Node', () => {
    const role = 'the role: each is a control plane';
    assert.equal(of('CREATE nodes', CONTROL_PLANE), role);
    const path = '/metadata/labels/node-role.kubernetes.io~1control-plane';
    assert.equal(of('CREATE nodes', patch('add', path), 'jsonPatch'), role);
    assert.equal(of('CREATE nodes', patch('remove', path), 'jsonPatch'), '');
    assert.equal(of('CREATE nodes', `object.metadata.name == "cp" ? ${CONTROL_PLANE} : Object{}`), '');
    assert.equal(
      of('CREATE nodes', 'Object{spec: Object.spec{taints: [{"key": "node-role.kubernetes.io/master"}]}}'),
      role,
    );
    const tests = '!("node-role.kubernetes.io/control-plane" in object.metadata.labels)';
    const other = 'Object{metadata: Object.metadata{labels: {"zone": object.metadata.?labels["a"].orValue("b")}}}';
    assert.equal(of('CREATE nodes', `${tests} && ${other}`), '');
    assert.equal(of('CREATE nodes', other), '');
    assert.equal(of('CREATE pods', CONTROL_PLANE), '');
  });

  it('is where Pods run', () => {
    const where = 'where Pods run that every machine needs';
    const pods = (fields: string): string => of('CREATE pods', `Object{spec: Object.spec{${fields}}}`);
    for (const fields of ['nodeSelector: {"pool": "a"}', 'nodeName: "a"', 'schedulerName: "own"'])
      assert.equal(pods(fields), where, fields);
    for (const fields of ['nodeSelector: {"kubernetes.io/os": "linux"}', 'priorityClassName: "a"'])
      assert.equal(pods(fields), '', fields);
    assert.equal(pods('nodeSelector: {"kubernetes.io/os": "linux", "pool": "a"}'), where);
    assert.equal(of('CREATE pods', patch('add', '/spec/nodeSelector'), 'jsonPatch'), where);
    assert.equal(
      of('CREATE pods', 'has(object.spec.nodeSelector) ? Object{} : Object{spec: Object.spec{nodeName: "a"}}'),
      '',
    );
  });

  it('is what is asked for, decided, given, and where machines are found', () => {
    const spec = 'Object{spec: Object.spec{expirationSeconds: 60}}';
    assert.equal(of('CREATE certificatesigningrequests', spec), 'the spec of what is asked for');
    assert.equal(of('UPDATE certificatesigningrequests', spec), '');
    const conditions = patch('add', '/status/conditions/-');
    assert.equal(of('UPDATE certificatesigningrequests/approval', conditions, 'jsonPatch'), 'what is decided');
    assert.equal(of('UPDATE certificatesigningrequests/status', conditions, 'jsonPatch'), '');
    const certificate = 'Object{status: Object.status{certificate: b"a"}}';
    assert.equal(of('UPDATE certificatesigningrequests/status', certificate), 'the certificate');
    assert.equal(of('UPDATE nodes/status', patch('replace', '/status/addresses'), 'jsonPatch').length > 0, true);
    assert.equal(
      of('UPDATE leases', 'Object{metadata: Object.metadata{labels: {"a": object.spec.holderIdentity}}}'),
      '',
    );
    assert.equal(of('UPDATE configmaps', 'Object{data: {"kubeconfig": "a"}}'), 'what is published');
  });

  it('is told however it is written', () => {
    const role = 'the role: each is a control plane';
    for (const [what, expression, told] of [
      ['CREATE nodes', `object.metadata.name == "cp"? ${CONTROL_PLANE} : Object{}`, ''],
      ['CREATE nodes', `object.metadata.name == "cp"\n  ? ${CONTROL_PLANE}\n  : Object{}`, ''],
      ['CREATE nodes', `[object.metadata.?labels["a"].orValue("b") == "c"].size() == 1 && ${CONTROL_PLANE}`, role],
      ['CREATE nodes', `object.metadata.labels[?"a"].hasValue() && ${CONTROL_PLANE}`, role],
      [
        'CREATE certificatesigningrequests',
        'object.a ? Object{spec: Object.spec{expirationSeconds: 60}} : Object{}',
        'the spec of what is asked for',
      ],
      ['CREATE leases', 'Object{spec: Object.spec{op: "test"}}', 'the spec of what is asked for'],
      ['UPDATE nodes/status', 'Object{status: Object.status{addresses: []}}', 'where the machine is found'],
    ] as const)
      assert.equal(of(what, expression), told, expression);
    const spec = '/spec/holderIdentity';
    for (const [patches, told] of [
      [`[JSONPatch{op : "test", path: "${spec}", value: "a"}]`, ''],
      [`[JSONPatch{op:"remove", path: "${spec}"}]`, ''],
      [`[JSONPatch{path: "${spec}", op: 'test'}]`, ''],
      [`[JSONPatch{op: "copy", from: "${spec}", path: "/metadata/labels/a"}]`, ''],
      [`[JSONPatch{op: "copy", from : "${spec}", path: "/metadata/labels/a"}]`, ''],
      [`[JSONPatch{op: "copy", from:'${spec}', path: "/metadata/labels/a"}]`, ''],
      [`[JSONPatch{op: "copy", from: '/metadata/name', path: "${spec}"}]`, 'the spec of what is asked for'],
      [
        `[JSONPatch{op: "test", path: "${spec}"}, JSONPatch{op: "add", path: "${spec}", value: "a"}]`,
        'the spec of what is asked for',
      ],
      [
        `[JSONPatch{op: "add", path: "${spec}", value: "a"}, JSONPatch{op: "test", path: "${spec}"}]`,
        'the spec of what is asked for',
      ],
      [`[JSONPatch{op: "add", path: "${spec}"}].filter(p, Other{op: "test"} != p)`, 'the spec of what is asked for'],
    ] as const)
      assert.equal(of('CREATE leases', patches, 'jsonPatch'), told, patches);
  });

  it('is not what an expression reads', () => {
    const labelled = (value: string): string => `Object{metadata: Object.metadata{labels: {"a": ${value}}}}`;
    for (const [what, expression] of [
      ['CREATE nodes', labelled('object.metadata.labels["node-role.kubernetes.io/control-plane"]')],
      ['CREATE nodes', labelled("object.metadata.labels['node-role.kubernetes.io/master']")],
      ['CREATE nodes', labelled('string("node-role.kubernetes.io/control-plane" \n  in object.metadata.labels)')],
      ['UPDATE nodes/status', labelled('string(size(object.status.addresses))')],
      ['UPDATE nodes/status', labelled('string(oldObject.status.daemonEndpoints.kubeletEndpoint.Port)')],
    ] as const)
      assert.equal(of(what, expression), '', expression);
  });

  it('is that of any of its mutations', () => {
    const [operation, resource] = ['CREATE', 'leases'];
    const spec = { applyConfiguration: { expression: 'Object{spec: Object.spec{leaseDurationSeconds: 1}}' } };
    const none = { applyConfiguration: { expression: 'Object{}' } };
    assert.equal(changeOf([none, spec], { operation, resource }), 'the spec of what is asked for');
    assert.equal(changeOf([none, {}], { operation, resource }), '');
    assert.equal(changeOf([], { operation, resource }), '');
  });

  it('is read in time that grows as the text does', () => {
    for (const part of ['JSONPatch{', 'object.a', '["a', '"a ', 'a ?']) {
      const work = workOf(() => of('CREATE certificatesigningrequests', part.repeat(200_000), 'jsonPatch'), BOUND);
      assert.ok(work < BOUND, part);
    }
  });
});
