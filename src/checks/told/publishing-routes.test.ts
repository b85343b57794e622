import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { isRoute, readRoute } from './publishing-routes.js';

const object = (spec: object, annotations?: object): KubeObject =>
  ({
    metadata: { namespace: 'a', name: 'b', ...(annotations === undefined ? {} : { annotations }) },
    spec,
  }) as KubeObject;
const backend = (name: string) => ({ service: { name, port: { number: 443 } } });
const ingress = (...names: readonly string[]) => ({
  rules: [{ http: { paths: names.map((name) => ({ path: '/', backend: backend(name) })) } }],
});
const route = (...backendRefs: readonly object[]) => ({ rules: [{ backendRefs }] });

describe('what leads from beyond the cluster', () => {
  it('is an Ingress, or a route of the Gateway API', () => {
    const gateway = 'gateway.networking.k8s.io';
    for (const [group, kind] of [
      ['networking.k8s.io', 'Ingress'],
      [gateway, 'HTTPRoute'],
      [gateway, 'GRPCRoute'],
      [gateway, 'TLSRoute'],
      [gateway, 'TCPRoute'],
      [gateway, 'UDPRoute'],
    ] as const)
      assert.equal(isRoute({ group, kind }), true, kind);
    for (const [group, kind] of [
      ['networking.k8s.io', 'NetworkPolicy'],
      ['example.com', 'Ingress'],
      ['example.com', 'HTTPRoute'],
      [gateway, 'Gateway'],
    ] as const)
      assert.equal(isRoute({ group, kind }), false, kind);
  });

  it('names Services', () => {
    assert.deepEqual(readRoute(object(ingress('web', 'api', 'web')), 'Ingress'), {
      subject: 'Ingress a/b',
      services: ['a/web', 'a/api'],
      reads: true,
    });
    assert.deepEqual(readRoute(object({ defaultBackend: backend('web') }), 'Ingress')?.services, ['a/web']);
    assert.deepEqual(
      readRoute(object(route({ name: 'web' }, { name: 'api', namespace: 'c', kind: 'Service' })), 'HTTPRoute')
        ?.services,
      ['a/web', 'c/api'],
    );
    for (const nothing of [{}, { rules: [] }, { defaultBackend: { resource: { kind: 'Bucket', name: 'x' } } }])
      assert.equal(readRoute(object(nothing), 'Ingress'), undefined);
    assert.equal(readRoute(object(route({ name: 'x', kind: 'Bucket' })), 'HTTPRoute'), undefined);
  });

  it('ends TLS, or lets it pass', () => {
    const reads = (kind: string, annotations?: object): boolean | undefined =>
      readRoute(object(kind === 'Ingress' ? ingress('web') : route({ name: 'web' }), annotations), kind)?.reads;
    for (const key of ['nginx.ingress.kubernetes.io/ssl-passthrough', 'haproxy.org/ssl-passthrough']) {
      assert.equal(reads('Ingress', { [key]: 'true' }), false);
      for (const off of ['false', '0', '']) assert.equal(reads('Ingress', { [key]: off }), true);
    }
    assert.equal(reads('Ingress', { other: 'true' }), true);
    for (const kind of ['HTTPRoute', 'GRPCRoute']) assert.equal(reads(kind), true);
    for (const kind of ['TLSRoute', 'TCPRoute', 'UDPRoute']) assert.equal(reads(kind), false);
  });
});
