import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import {
  nothingOpenedUp,
  readApiService,
  readDnsListens,
  readDnsService,
  readOpenedUp,
  readSlice,
  readTakenOver,
  type SliceSeen,
  servicesLead,
} from './own-services.js';
import type { Route } from './publishing-routes.js';

const service = (spec: object): KubeObject => ({ metadata: { name: 's' }, spec });
const slice = (name: string, address: string, labels: Readonly<Record<string, string>> = {}): KubeObject => ({
  metadata: { name, labels },
  endpoints: [{ addresses: [address] }],
});
const API = service({ clusterIP: '10.96.0.1', type: 'ClusterIP' });
const OWN = slice('kubernetes', '192.0.2.1');

describe('the Service kubernetes', () => {
  const odd = (found: KubeObject | undefined, ...slices: readonly KubeObject[]): readonly string[] =>
    readApiService({ service: found, slices }).odd;
  it('leads to the API server', () => {
    assert.deepEqual(odd(API, OWN), []);
    assert.deepEqual(odd(API, OWN, slice('mirrored', '192.0.2.1')), []);
    // who keeps no slice leaves them to others
    assert.deepEqual(odd(API, slice('other', '192.0.2.9')), []);
    assert.deepEqual(odd(API, OWN, slice('other', '192.0.2.9')), ['EndpointSlice other leads to 192.0.2.9']);
    assert.deepEqual(odd(undefined, OWN), ['it is not there']);
    assert.deepEqual(odd(service({ selector: { a: 'b' } }), OWN), ['it leads to Pods, by a selector']);
    assert.deepEqual(odd(service({ externalIPs: ['192.0.2.7'] })), ['it takes over 192.0.2.7']);
    assert.deepEqual(odd(service({ type: 'ExternalName' })), ['it is but a name of somebody else']);
  });
});

describe('the address of the Service kubernetes', () => {
  const OF_RANGE = service({ clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1', 'fd00::1'] });
  const odd = (known: object, found = OF_RANGE): readonly string[] =>
    readApiService({ service: found, slices: [OWN] }, known).odd;
  it('is the first of the range', () => {
    assert.deepEqual(odd({ subnets: '10.96.0.0/12' }), []);
    assert.deepEqual(odd({ subnets: '10.96.0.0/12,fd00::/112' }), []);
    assert.deepEqual(odd({ subnets: '' }), []);
    assert.deepEqual(odd({ subnets: 'fd00::/112' }), []);
    assert.deepEqual(odd({ subnets: '10.96.0.255/32' }), []);
    assert.deepEqual(odd({ subnets: '10.96.0.0/12' }, service({})), []);
    assert.deepEqual(odd({ subnets: '172.30.0.0/16' }), [
      'its address is 10.96.0.1, and the first of 172.30.0.0/16 is 172.30.0.1',
    ]);
  });
  it('leads to where API servers are', () => {
    assert.deepEqual(odd({ advertised: ['192.0.2.1', '192.0.2.2'] }), []);
    assert.deepEqual(odd({ advertised: [] }), []);
    assert.deepEqual(odd({ advertised: ['192.0.2.7'] }), ['it leads to 192.0.2.1, and API servers are at 192.0.2.7']);
  });
});

describe('the Service kube-dns', () => {
  const SPEC = {
    clusterIP: '10.96.0.10',
    selector: { 'k8s-app': 'kube-dns' },
    ports: [{ port: 53, protocol: 'UDP' }, { port: 53 }],
  };
  const KEPT = { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' };
  const odd = (spec: object, told = ['10.96.0.10'], ...slices: readonly KubeObject[]): readonly string[] =>
    readDnsService({ service: service({ ...SPEC, ...spec }), slices }, told).odd;
  it('leads to CoreDNS, where kubelets look for it', () => {
    assert.deepEqual(odd({}, ['10.96.0.10'], slice('a', '10.244.0.2', KEPT)), []);
    assert.deepEqual(odd({}, []), []);
    assert.deepEqual(odd({ clusterIPs: ['10.96.0.10', 'fd00::a'] }, ['fd00::a']), []);
    assert.deepEqual(odd({}, ['10.96.0.11']), ['it is 10.96.0.10, and kubelets are told 10.96.0.11']);
    assert.deepEqual(odd({ selector: { a: 'b' } }), ['its selector is not that of CoreDNS']);
    assert.deepEqual(odd({ selector: undefined }), ['its selector is not that of CoreDNS']);
    const narrower = { selector: { 'k8s-app': 'coredns', 'app.kubernetes.io/name': 'coredns' } };
    assert.deepEqual(odd(narrower), ['its selector finds no Pod']);
    assert.deepEqual(odd(narrower, [], slice('kube-dns-1', '10.244.0.3', KEPT)), []);
    assert.deepEqual(odd({ selector: { 'k8s-app': 'coredns' } }), []);
    assert.deepEqual(odd({ ports: [{ port: 53 }] }), ['it has no port 53 for UDP']);
    assert.deepEqual(odd({ clusterIP: 'None' }, []), ['it has no address']);
    assert.deepEqual(odd({}, [], slice('b', '192.0.2.9')), [
      "EndpointSlice b is somebody else's, and leads to 192.0.2.9",
    ]);
    assert.deepEqual(readDnsService({ service: undefined, slices: [] }, []).odd, ['it is not there']);
  });
  it('leads to Pods that are there', () => {
    const deployment = (labels: object): KubeObject => ({
      metadata: { name: 'coredns' },
      spec: { template: { metadata: { labels }, spec: {} } },
    });
    const of = (selector: object, slices: readonly KubeObject[], found: KubeObject | undefined): readonly string[] =>
      readDnsService({ service: service({ ...SPEC, selector }), slices }, [], readDnsListens(found, '')).odd.filter(
        (one) => one.includes('selector'),
      );
    const kubeadms = deployment({ 'k8s-app': 'kube-dns', extra: 'x' });
    const led = slice('a', '10.244.0.2', {
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    });
    assert.deepEqual(of({ 'k8s-app': 'kube-dns' }, [], kubeadms), []);
    assert.deepEqual(of({ 'k8s-app': 'coredns' }, [], kubeadms), ['its selector finds no Pod']);
    // of somebody else's Deployment
    assert.deepEqual(of({ 'k8s-app': 'coredns' }, [led], kubeadms), []);
    assert.deepEqual(of({ 'k8s-app': 'coredns' }, [], undefined), []);
    assert.deepEqual(of({ 'k8s-app': 'kube-dns' }, [], deployment({})), ['its selector finds no Pod']);
  });
  it('leads to where CoreDNS listens', () => {
    const deployment = {
      metadata: { name: 'coredns' },
      spec: {
        template: {
          metadata: { labels: { 'k8s-app': 'kube-dns' } },
          spec: { containers: [{ ports: [{ containerPort: 53, name: 'dns' }] }] },
        },
      },
    };
    const ports = (targetPort?: unknown) => ({
      ports: [
        { port: 53, protocol: 'UDP', ...(targetPort === undefined ? {} : { targetPort }) },
        { port: 53, protocol: 'TCP' },
        { port: 9153, targetPort: 1 },
      ],
    });
    const of = (spec: object, found: KubeObject | undefined = deployment, corefile = '.:53 {\n}\n') =>
      readDnsService({ service: service({ ...SPEC, ...spec }), slices: [] }, [], readDnsListens(found, corefile)).odd;
    for (const sound of [undefined, 53, 'dns']) assert.deepEqual(of(ports(sound)), []);
    assert.deepEqual(of(ports(5353)), ['its port for UDP leads to 5353, where CoreDNS does not listen']);
    assert.deepEqual(of(ports('other')), ['its port for UDP leads to other, where CoreDNS does not listen']);
    assert.deepEqual(of(ports(5353), deployment, '.:5353 {\n}\nexample.com:53 {\n}\n'), []);
    assert.deepEqual(
      readDnsService({ service: service({ ...SPEC, ...ports(5353) }), slices: [] }, [], readDnsListens(undefined, ''))
        .odd,
      [],
    );
  });
  it('is judged', () => {
    const judged = servicesLead.judge(
      [readApiService({ service: API, slices: [OWN] }), readDnsService({ service: undefined, slices: [] }, [])],
      undefined,
    );
    assert.deepEqual(
      judged.map(({ result, seen }) => `${result}: ${seen}`),
      ['met: it does', 'unmet: it is not there'],
    );
  });
});

describe('another Service', () => {
  const RELIED = [
    { address: '192.0.2.1', port: 6443 },
    { address: '10.96.0.10', port: 53 },
  ];
  const takes = (spec: object, ingress: readonly object[] = [], name = 'a'): readonly string[] =>
    readTakenOver(
      [
        {
          metadata: { namespace: 'kube-system', name },
          spec: { selector: { a: 'b' }, ports: [{ port: 6443 }, { port: 53 }], ...spec },
          status: { loadBalancer: { ingress } },
        },
      ],
      RELIED,
    ).flatMap(({ subject, odd }) => odd.map((one) => `${subject}: ${one}`));
  it('takes over nothing that every Pod relies on', () => {
    const taken = ['Service kube-system/a: it takes over 192.0.2.1, port 6443'];
    assert.deepEqual(takes({ externalIPs: ['192.0.2.1'] }), taken);
    assert.deepEqual(takes({}, [{ ip: '192.0.2.1' }]), taken);
    assert.deepEqual(takes({ externalIPs: ['10.96.0.10'] }).length, 1);
    assert.deepEqual(takes({}), []);
    assert.deepEqual(takes({}, [{ hostname: 'lb.example.com' }, { ip: '192.0.2.1', ipMode: 'Proxy' }]), []);
    // an ingress on the machine of the API server
    assert.deepEqual(takes({ externalIPs: ['192.0.2.1'], ports: [{ port: 443 }] }), []);
    assert.deepEqual(takes({ externalIPs: ['192.0.2.7'] }), []);
    assert.deepEqual(takes({ externalIPs: ['192.0.2.1'], selector: { component: 'kube-apiserver' } }), []);
    assert.deepEqual(takes({ externalIPs: ['192.0.2.1'], selector: undefined }), []);
    assert.deepEqual(takes({ externalIPs: ['10.96.0.10'] }, [], 'kube-dns'), []);
  });
});

describe('a Service that is open beyond the cluster', () => {
  const selector = { component: 'etcd', tier: 'control-plane' };
  const told = (spec: object, namespace = 'kube-system'): readonly string[] => {
    const services = [{ metadata: { namespace, name: 'a' }, spec } as KubeObject];
    const opened = readOpenedUp({ services, slices: [], routes: [], addresses: [] });
    return nothingOpenedUp
      .judge({ opened, seen: 3 }, undefined)
      .map(({ result, subject, seen }) => `${result} ${subject}: ${seen}`);
  };
  it('leads to no part of a control plane but the API server', () => {
    for (const [spec, kind] of [
      [{ type: 'NodePort', selector }, 'NodePort'],
      [{ type: 'LoadBalancer', selector: { component: 'etcd' } }, 'LoadBalancer'],
      [{ type: 'ClusterIP', selector, externalIPs: ['192.0.2.1'] }, 'ClusterIP'],
    ] as const)
      assert.deepEqual(told(spec), [`unmet Service kube-system/a: it leads to etcd, as ${kind}`]);
    for (const component of ['kube-controller-manager', 'kube-scheduler'])
      assert.match(told({ type: 'NodePort', selector: { component } }).join(), new RegExp(`leads to ${component}`));
  });

  it('is for others, or for the cluster alone', () => {
    const none = ['met Services: none of 3 does'];
    for (const spec of [
      { type: 'ClusterIP', selector },
      { type: 'ExternalName', selector },
      { type: 'NodePort', selector: { component: 'kube-apiserver' } },
      { type: 'NodePort', selector: { ...selector, app: 'own' } },
      { type: 'NodePort', selector: { ...selector, tier: 'other' } },
      { type: 'LoadBalancer' },
      {},
    ])
      assert.deepEqual(told(spec), none);
    assert.deepEqual(told({ type: 'NodePort', selector }, 'team'), none);
    assert.deepEqual(nothingOpenedUp.judge({ opened: [], seen: 0 }, undefined), []);
    assert.ok(nothingOpenedUp.nothing);
  });
});

describe('what leads beyond the cluster to a control plane', () => {
  const service = (name: string, spec: object = {}, namespace = 'default'): KubeObject =>
    ({ metadata: { namespace, name }, spec }) as KubeObject;
  const slice = (of: string, address: string, port: number, labels: object = {}): readonly SliceSeen[] =>
    [
      readSlice({
        metadata: { namespace: 'default', name: `${of}-1`, labels: { 'kubernetes.io/service-name': of, ...labels } },
        endpoints: [{ addresses: [address] }],
        ports: [{ port }],
      } as unknown as KubeObject),
    ].flatMap((one) => one ?? []);
  const told = (services: readonly KubeObject[], slices: readonly SliceSeen[], routes: readonly Route[] = []) =>
    readOpenedUp({ services, slices, routes, addresses: ['192.0.2.1'] }).map(
      ({ subject, odd }) => `${subject}: ${odd.join()}`,
    );
  const open = service('e', { type: 'NodePort' });

  it('goes by slices that somebody has made', () => {
    for (const [port, component] of [
      [2379, 'etcd'],
      [2380, 'etcd'],
      [10_257, 'kube-controller-manager'],
      [10_259, 'kube-scheduler'],
    ] as const)
      assert.deepEqual(told([open], slice('e', '192.0.2.1', port)), [
        `Service default/e: it leads to ${component}, as NodePort`,
      ]);
    for (const none of [
      slice('e', '192.0.2.1', 6443),
      slice('e', '192.0.2.9', 2379),
      slice('f', '192.0.2.1', 2379),
      slice('e', '192.0.2.1', 2379, { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' }),
    ])
      assert.deepEqual(told([open], none), []);
    assert.deepEqual(told([service('e', { type: 'ClusterIP' })], slice('e', '192.0.2.1', 2379)), []);
    assert.equal(readSlice({ metadata: { name: 'a' } }), undefined);
  });

  it('goes by routes', () => {
    const etcd = service('etcd', { selector: { component: 'etcd' } }, 'kube-system');
    const api = service('api', { selector: { component: 'kube-apiserver' } }, 'kube-system');
    const all = [etcd, api, service('kubernetes'), service('web')];
    const route = (to: string, reads: boolean): readonly Route[] => [{ subject: 'Ingress a/b', services: [to], reads }];
    for (const reads of [true, false])
      assert.deepEqual(told(all, [], route('kube-system/etcd', reads)), ['Ingress a/b: it leads to etcd']);
    for (const to of ['default/kubernetes', 'kube-system/api']) {
      assert.deepEqual(told(all, [], route(to, true)), ['Ingress a/b: it reads along what is sent to kube-apiserver']);
      assert.deepEqual(told(all, [], route(to, false)), []);
    }
    for (const to of ['default/web', 'default/none']) assert.deepEqual(told(all, [], route(to, true)), []);
  });
});

describe('what is told of Services', () => {
  const relied = [{ address: '192.0.2.1', port: 6443 }];
  const takes = (name: string, namespace: string, selector: object): readonly string[] =>
    readTakenOver(
      [{ metadata: { namespace, name }, spec: { selector, ports: [{ port: 6443 }], externalIPs: ['192.0.2.1'] } }],
      relied,
    ).map(({ subject }) => subject);
  it('is none of those that lead to API servers, or are of the cluster itself', () => {
    for (const value of ['kube-apiserver', 'apiserver', 'control-plane'])
      assert.deepEqual(takes('a', 'b', { x: 'y', component: value }), [], value);
    assert.deepEqual(takes('kubernetes', 'default', { a: 'b' }), []);
    for (const [name, namespace] of [
      ['kubernetes', 'kube-system'],
      ['kube-dns', 'default'],
    ] as const)
      assert.deepEqual(takes(name, namespace, { a: 'b' }), [`Service ${namespace}/${name}`]);
  });
  it('is where CoreDNS listens by the ports of its Corefile', () => {
    const deployment: KubeObject = { metadata: {}, spec: {} };
    const ports = (corefile: string): readonly unknown[] => readDnsListens(deployment, corefile).ports;
    assert.deepEqual(ports('.:53 {\n'), [53]);
    assert.deepEqual(ports('.:5353{\nexample.com:5354, {\nexample.org:5355\n'), [5353, 5354, 5355]);
    assert.deepEqual(ports('. {\n  forward . 192.0.2.1:53x\n}\n'), []);
    assert.deepEqual(ports(`${'a'.repeat(300)}:53 {`), []);
    assert.deepEqual(ports(`${'a'.repeat(296)}:53 {`), [53]);
  });
  it('is its name, and what is odd as far as a line goes', () => {
    const many = Array.from({ length: 6 }, (_, at) => `o${at}`);
    const judged = (odd: readonly string[]) => servicesLead.judge([{ subject: 'a', odd }], undefined)[0]?.seen;
    assert.equal(judged(many), 'o0; o1; o2; o3; o4');
    assert.equal(judged(['x'.repeat(300)])?.length, 240);
    const none = { service: undefined, slices: [] };
    assert.deepEqual(
      [readApiService(none).subject, readDnsService(none, []).subject],
      ['Service default/kubernetes', 'Service kube-system/kube-dns'],
    );
    const all = readApiService({
      service: service({ externalIPs: ['192.0.2.7', '192.0.2.8'], selector: {} }),
      slices: [],
    });
    assert.deepEqual(all.odd, ['it takes over 192.0.2.7, 192.0.2.8']);
    const two: KubeObject = { metadata: { name: 'b' }, endpoints: [{ addresses: ['192.0.2.8', '192.0.2.9'] }] };
    const dns = readDnsService(
      {
        service: service({
          clusterIP: '10.96.0.10',
          selector: { 'k8s-app': 'kube-dns' },
          ports: [{ port: 53, protocol: 'UDP' }, { port: 53 }],
        }),
        slices: [two],
      },
      ['10.96.0.1', '10.96.0.2'],
    );
    assert.deepEqual(dns.odd, [
      'it is 10.96.0.10, and kubelets are told 10.96.0.1, 10.96.0.2',
      "EndpointSlice b is somebody else's, and leads to 192.0.2.8, 192.0.2.9",
    ]);
    const told = readDnsService(
      {
        service: service({
          clusterIP: '10.96.0.10',
          selector: { 'k8s-app': 'kube-dns' },
          ports: [{ port: 53, protocol: 'UDP' }, { port: 53 }],
        }),
        slices: [],
      },
      ['10.96.0.1', '10.96.0.10'],
    );
    assert.deepEqual(told.odd, []);
    assert.deepEqual(
      readDnsService(
        {
          service: service({
            clusterIP: '10.96.0.10',
            selector: { 'k8s-app': 'kube-dns' },
            ports: [{ port: 53, protocol: 'UDP' }, { port: 54 }],
          }),
          slices: [],
        },
        [],
      ).odd,
      ['it has no port 53 for TCP'],
    );
    const listens = { ports: [5353] };
    assert.deepEqual(
      readDnsService(
        {
          service: service({
            clusterIP: '',
            selector: { 'k8s-app': 'kube-dns' },
            ports: [{ port: 53, protocol: 'UDP', targetPort: 5353 }, { port: 53 }],
          }),
          slices: [],
        },
        [],
        listens,
      ).odd,
      ['its port for TCP leads to 53, where CoreDNS does not listen'],
    );
  });
});
