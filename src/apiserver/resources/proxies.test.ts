/** What lies behind an API server that reaches nobody. Source: pkg/registry/core/{node,pod,service}/rest. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { ApiError } from '../types.js';
import { kubeletSubresource, proxySubresource } from './proxies.js';
import { context } from './testing.js';

type Action = ReturnType<typeof proxySubresource>;
const BODY = { metadata: {} };

function said(
  { act }: Action,
  parent: KubeObject | undefined,
  name: string,
  about = context(),
  asked = { query: new URLSearchParams(), upgrades: true },
): string {
  try {
    const { code, object } = act({ parent, name, body: BODY, context: about, end: assert.fail, asked });
    return `${code} ${String(object.status)}`;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.code} ${error.reason} ${error.message}`;
  }
}

const withNode = (status: Readonly<Record<string, unknown>> = {}) =>
  context([['nodes', { metadata: { name: 'n' }, status }]]);

describe('a proxy', () => {
  const [nodes, pods, services] = (['NodeProxyOptions', 'PodProxyOptions', 'ServiceProxyOptions'] as const).map(
    proxySubresource,
  ) as [Action, Action, Action];

  it('is reached with every verb that writes, and get', () => {
    for (const { verbs, name, connects, answersWith } of [nodes, pods, services])
      assert.deepEqual(
        [[...verbs].sort(), name, connects, answersWith.version],
        [['create', 'delete', 'get', 'patch', 'update'], 'proxy', true, 'v1'],
      );
    assert.deepEqual(
      [nodes, pods, services].map(({ answersWith }) => answersWith.kind),
      ['NodeProxyOptions', 'PodProxyOptions', 'ServiceProxyOptions'],
    );
  });

  it('leads to what is there, named with or without scheme and port', () => {
    for (const [action, resource] of [
      [nodes, 'nodes'],
      [pods, 'pods'],
      [services, 'services'],
    ] as const)
      for (const name of ['a', 'a:80', 'https:a:80', 'https:a:'])
        assert.equal(said(action, undefined, name), `404 NotFound ${resource} "a" not found`, name);
    for (const name of ['', ':80', 'ftp:a:80', 'a:b:c:d'])
      assert.equal(said(pods, undefined, name), `400 BadRequest invalid pod request "${name}"`);
    const there = context([
      ['services', { metadata: { name: 's', namespace: 'default' } }],
      ['pods', { metadata: { name: 'p', namespace: 'default' } }],
    ]);
    const nobody = '503 ServiceUnavailable no endpoints available for service "https:s:80"';
    assert.equal(said(services, undefined, 'https:s:80', there), nobody);
    for (const name of ['p', 'p:80', 'http:p:80'])
      assert.equal(said(pods, undefined, name, there), '400 BadRequest address not allowed');
  });

  it('reaches a node by the first of its addresses that is preferred', () => {
    const at = (...addresses: readonly (readonly [string, string])[]): string =>
      said(
        nodes,
        undefined,
        'n:10250',
        withNode({ addresses: addresses.map(([type, address]) => ({ type, address })) }),
      );
    const reached = (told: string): string => `503 ServiceUnavailable error trying to reach service: dial tcp ${told}`;
    const refused = 'connect: connection refused';
    const [internal, external] = [['InternalIP', '10.0.0.1'] as const, ['ExternalIP', '2001:db8::1'] as const];
    const name = ['Hostname', 'n.example'] as const;
    assert.equal(at(['InternalDNS', 'd'], name, external, internal), reached(`10.0.0.1:10250: ${refused}`));
    assert.equal(at(['InternalDNS', 'd'], name, external), reached(`[2001:db8::1]:10250: ${refused}`));
    assert.equal(at(['InternalDNS', 'd'], name), '400 BadRequest lookup n.example: no such host');
    for (const own of ['127.0.0.9', '::1', '169.254.1.1', '224.0.0.1', '0.0.0.0', 'fe80::1'])
      assert.equal(at(['InternalIP', own]), '400 BadRequest address not allowed', own);
    assert.equal(
      at(['InternalDNS', 'x'], ['B', 'y']),
      '500  no preferred addresses found; known addresses: [{InternalDNS x} {B y}]',
    );
    assert.equal(at(), '500  no preferred addresses found; known addresses: []');
  });
});

describe('what needs a kubelet', () => {
  const exec = kubeletSubresource('exec', 'PodExecOptions', ['create', 'get']);
  const log = kubeletSubresource('log', 'Pod', ['get']);
  const names = (...all: readonly string[]) => all.map((name) => ({ name }));
  const pod = (nodeName?: string, containers = names('first')): KubeObject => ({
    metadata: { name: 'p', namespace: 'd' },
    spec: { initContainers: names('before'), containers, ...(nodeName === undefined ? {} : { nodeName }) },
  });
  const asked = (query: string, upgrades = true) => ({ query: new URLSearchParams(query), upgrades });

  it('is there for a Pod that is, on a node that is', () => {
    for (const action of [exec, log]) {
      assert.equal(said(action, undefined, 'p', withNode()), '404 NotFound pods "p" not found');
      assert.equal(said(action, pod('m'), 'p', withNode()), '404 NotFound nodes "m" not found');
    }
    assert.equal(said(log, pod(), 'p'), '204 Success');
    assert.equal(said(exec, pod(), 'p'), '400 BadRequest pod p does not have a host assigned');
  });

  it('is of one container', () => {
    const two = pod(undefined, names('first', 'second'));
    const choose = '400 BadRequest a container name must be specified for pod p';
    for (const action of [exec, log]) {
      assert.equal(said(action, two, 'p'), `${choose}, choose one of: [before first second]`);
      assert.equal(said(action, pod(undefined, []), 'p'), choose);
      const other = said(action, two, 'p', context(), asked('container=x'));
      assert.equal(other, '400 BadRequest container x is not valid for pod p');
    }
    assert.equal(said(log, two, 'p', context(), asked('container=before')), '204 Success');
    const forward = kubeletSubresource('portforward', 'PodPortForwardOptions', ['create', 'get']);
    assert.equal(said(forward, two, 'p'), '400 BadRequest pod p does not have a host assigned');
  });

  it('is looked for where nobody answers', () => {
    const none = '500  no preferred addresses found; known addresses: []';
    assert.deepEqual([said(log, pod('n'), 'p', withNode()), said(exec, pod('n'), 'p', withNode())], [none, none]);
    const status = {
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: 10_999 } },
    };
    const refused = 'dial tcp 10.0.0.1:10999: connect: connection refused';
    const path = 'https://10.0.0.1:10999/containerLogs/d/p/first';
    assert.equal(said(log, pod('n'), 'p', withNode(status)), `500  Get "${path}": ${refused}`);
    assert.equal(said(exec, pod('n'), 'p', withNode(status)), `500  error dialing backend: ${refused}`);
    const plain = said(exec, pod('n'), 'p', withNode(status), asked('', false));
    assert.equal(plain, '400 BadRequest Upgrade request required');
    const named = withNode({ addresses: [{ type: 'Hostname', address: 'n.example' }] });
    const unknown = 'dial tcp: lookup n.example: no such host';
    assert.equal(said(exec, pod('n'), 'p', named), `500  error dialing backend: ${unknown}`);
    const url = 'https://n.example:10250/containerLogs/d/p/first';
    assert.equal(said(log, pod('n'), 'p', named), `500  Get "${url}": ${unknown}`);
  });

  it('tells no less of a log than is there', () => {
    const told = (query: string): string => said(log, pod(), 'p', context(), asked(query));
    const bad = (field: string, value: number, why: string): string =>
      `422 Invalid PodLogOptions "p" is invalid: ${field}: Invalid value: ${value}: must be greater than ${why}`;
    assert.equal(told('tailLines=x'), '400 BadRequest strconv.ParseInt: parsing "x": invalid syntax');
    assert.equal(told('tailLines=-1'), bad('tailLines', -1, 'or equal to 0'));
    assert.equal(told('limitBytes=0'), bad('limitBytes', 0, '0'));
    assert.equal(told('sinceSeconds=0'), bad('sinceSeconds', 0, '0'));
    assert.equal(told('tailLines=0&limitBytes=1&sinceSeconds=1'), '204 Success');
  });

  it('connects, but for a log', () => {
    assert.deepEqual([exec.connects, log.connects], [true, undefined]);
  });
});
