import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeOf } from './policy-mutations.js';

const of = (what: string, expression: string, by = 'applyConfiguration'): string => {
  const [operation = '', resource = ''] = what.split(' ');
  return changeOf([{ [by]: { expression } }], { operation, resource });
};
const CONTROL_PLANE = 'Object{metadata: Object.metadata{labels: {"node-role.kubernetes.io/control-plane": ""}}}';
const patch = (op: string, path: string): string => `[JSONPatch{op: "${op}", path: "${path}", value: ""}]`;

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

  it('is read in time that grows as the text does', () => {
    const started = performance.now();
    for (const part of ['JSONPatch{', 'object.a', '["a', '"a ', 'a ?'])
      of('CREATE certificatesigningrequests', part.repeat(200_000), 'jsonPatch');
    assert.ok(performance.now() - started < 2_000);
  });
});
