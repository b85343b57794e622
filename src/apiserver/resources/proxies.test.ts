/** What lies behind an API server that reaches nobody. Source: pkg/registry/core/{node,pod,service}/rest. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { ApiError } from '../types.js';
import { kubeletSubresource, proxySubresource } from './proxies.js';
import { context } from './testing.js';

type Action = ReturnType<typeof proxySubresource>;
const BODY = { metadata: {} };

function said({ act }: Action, parent: KubeObject | undefined, name: string, about = context()): string {
  try {
    const { code, object } = act({ parent, name, body: BODY, context: about, end: assert.fail });
    return `${code} ${String(object.status)}`;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.code} ${error.reason} ${error.message}`;
  }
}

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
    assert.equal(said(services, BODY, 's:80'), '503 ServiceUnavailable no endpoints available for service "s:80"');
    assert.equal(said(pods, BODY, 'p'), '400 BadRequest address not allowed');
  });

  it('reaches a node by the first of its addresses that is preferred', () => {
    const all = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
    for (const [at, type] of all.entries()) {
      const addresses = [
        { type: 'Other', address: 'o' },
        ...all
          .slice(at)
          .reverse()
          .map((one) => ({ type: one, address: one })),
      ];
      const why = `error trying to reach service: dial tcp: lookup ${type}: no such host`;
      assert.equal(said(nodes, { metadata: {}, status: { addresses } }, 'n'), `503 ServiceUnavailable ${why}`);
    }
    const addresses = [
      { type: 'A', address: 'x' },
      { type: 'B', address: 'y' },
    ];
    assert.equal(
      said(nodes, { metadata: {}, status: { addresses } }, 'n'),
      '500  no preferred addresses found; known addresses: [{A x} {B y}]',
    );
  });
});

describe('what needs a kubelet', () => {
  const exec = kubeletSubresource('exec', 'PodExecOptions', ['create', 'get']);
  const log = kubeletSubresource('log', 'Pod', ['get']);
  const pod = (nodeName?: string): KubeObject => ({
    metadata: { name: 'p', namespace: 'd' },
    spec: { containers: [{ name: 'first' }, { name: 'second' }], ...(nodeName === undefined ? {} : { nodeName }) },
  });
  const withNode = () => context([['nodes', { metadata: { name: 'n' } }]]);

  it('is there for a Pod that is, on a node that is', () => {
    for (const action of [exec, log]) {
      assert.equal(said(action, undefined, 'p', withNode()), '404 NotFound pods "p" not found');
      assert.equal(said(action, pod('m'), 'p', withNode()), '404 NotFound nodes "m" not found');
    }
    assert.equal(said(log, pod(), 'p'), '204 Success');
    assert.equal(said(exec, pod(), 'p'), '400 BadRequest pod p does not have a host assigned');
  });

  it('is looked for where nobody answers', () => {
    const nobody = 'dial tcp: lookup n: no such host';
    const get = 'Get "https://n:10250/containerLogs/d/p/first": ';
    const internal = '500 InternalError Internal error occurred: ';
    assert.equal(said(log, pod('n'), 'p', withNode()), `${internal}${get}${nobody}`);
    assert.equal(said(exec, pod('n'), 'p', withNode()), `${internal}error dialing backend: ${nobody}`);
  });

  it('connects, but for a log', () => {
    assert.deepEqual([exec.connects, log.connects], [true, undefined]);
  });
});
