/** Addresses and ports of Services, as a client sees them given out. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { causesOf, fixture, type Loose } from '../../serving/fixture.js';
import { definitions } from '../index.js';

const SERVICES = '/api/v1/namespaces/default/services';
const named = (spec: object, name = 's'): object => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });
const ports = [{ port: 80 }];
const asked = () => {
  const { ask } = fixture({ definitions: definitions() });
  const made = (spec: object, name?: string): Loose =>
    ask('POST', SERVICES, named(spec, name)).json.spec ?? assert.fail();
  const put = (spec: object): ReturnType<typeof ask> => ask('PUT', `${SERVICES}/s`, named(spec));
  return { ask, made, put };
};

describe('a Service', () => {
  it('has the defaults of its type', () => {
    const of = (spec: object): unknown => {
      const { clusterIP: _ip, clusterIPs: _ips, ports: _ports, ...rest } = asked().made({ ports, ...spec });
      return rest;
    };
    const all = { sessionAffinity: 'None', ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };
    const inside = { ...all, internalTrafficPolicy: 'Cluster' };
    const outside = { ...inside, externalTrafficPolicy: 'Cluster' };
    assert.deepEqual(of({}), { ...inside, type: 'ClusterIP' });
    assert.deepEqual(of({ type: 'NodePort' }), { ...outside, type: 'NodePort' });
    assert.deepEqual(of({ type: 'LoadBalancer' }), {
      ...outside,
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: true,
    });
    assert.deepEqual(of({ type: 'ExternalName', externalName: 'a.example' }), {
      ...{ type: 'ExternalName', sessionAffinity: 'None', externalName: 'a.example' },
    });
    assert.deepEqual(of({ clusterIP: 'None', ports: [] }), { ...inside, type: 'ClusterIP' });
  });
  it('has ports with protocols, which lead to those of its Pods', () => {
    const given = [{ port: 80, targetPort: 8080 }, { port: 81, targetPort: 'web', protocol: 'UDP' }, { port: 82 }];
    const named = given.map((port, at) => ({ ...port, name: `p${at}` }));
    assert.deepEqual(asked().made({ ports: named }).ports, [
      { name: 'p0', protocol: 'TCP', port: 80, targetPort: 8080 },
      { name: 'p1', protocol: 'UDP', port: 81, targetPort: 'web' },
      { name: 'p2', protocol: 'TCP', port: 82, targetPort: 82 },
    ]);
    assert.deepEqual(causesOf(asked().put({ ports: [] })), ['spec.ports: Required value']);
  });
  it('is refused ports that nobody tells apart, or reaches', () => {
    const refused = (...given: readonly object[]): readonly string[] => causesOf(asked().put({ ports: given }));
    const [a, b] = [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ];
    assert.deepEqual(refused(a, { ...b, name: 'a' }), ['spec.ports[1].name: Duplicate value: "a"']);
    assert.deepEqual(refused(a, { port: 81 }), ['spec.ports[1].name: Required value']);
    assert.deepEqual(refused(a, { ...b, port: 80 }), [
      'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
    ]);
    assert.deepEqual(refused({ ...a, name: 'a.b', protocol: 'HTTP', targetPort: 'web' }), [
      'spec.ports[0].name: Invalid value: "a.b": must not contain dots',
      'spec.ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"',
    ]);
    assert.deepEqual(refused({ port: 65_536 }), [
      'spec.ports[0].port: Invalid value: 65536: must be between 1 and 65535, inclusive',
      'spec.ports[0].targetPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
    ]);
    asked().made({ ports: [{ port: 65_535 }] });
    asked().made({ ports: [a, { ...b, port: 80, protocol: 'UDP' }] });
  });
  it('has the address that it asks for, in the range, or none', () => {
    const { made, ask } = asked();
    const wanted = (clusterIP: string, name: string): unknown => made({ ports, clusterIP }, name).clusterIPs;
    assert.deepEqual(wanted('10.96.0.1', 'a'), ['10.96.0.1']);
    assert.deepEqual(wanted('10.111.255.255', 'b'), ['10.111.255.255']);
    assert.deepEqual(wanted('None', 'c'), ['None']);
    const refused = (clusterIP: string): readonly string[] =>
      causesOf(ask('POST', SERVICES, named({ ports, clusterIP })));
    const range = 'is not in the valid range. The range of valid IPs is 10.96.0.0/12';
    for (const clusterIP of ['10.95.255.255', '10.112.0.0'])
      assert.deepEqual(refused(clusterIP), [
        `spec.clusterIPs: Invalid value: ["${clusterIP}"]: failed to allocate IP ${clusterIP}: the provided IP ` +
          `(${clusterIP}) ${range}`,
      ]);
    assert.match(refused('10.96.0.1').join(), /^spec\.clusterIPs: .* 10\.96\.0\.1: provided IP is already allocated$/);
  });
  it('keeps its address, as long as it has one', () => {
    const { made, put } = asked();
    const { clusterIP, clusterIPs } = made({ ports });
    const kept = put({ ports: [{ port: 81 }] }).json.spec;
    assert.deepEqual([kept?.clusterIP, kept?.clusterIPs], [clusterIP, clusterIPs]);
    assert.equal(put({ ports, clusterIP, clusterIPs }).code, 200);
    assert.deepEqual(causesOf(put({ ports, clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9'] })), [
      'spec.clusterIPs[0]: Invalid value: ["10.96.0.9"]: may not change once set',
    ]);
    const external = { type: 'ExternalName', externalName: 'a.example' };
    const without = put(external);
    assert.deepEqual([without.code, without.json.spec?.clusterIP], [200, undefined]);
    const again = put({ ports });
    assert.equal(again.code, 200);
    assert.match(String(again.json.spec?.clusterIP), /^10\./);
  });
  it('has ports of nodes where its type says so, each once', () => {
    const { made } = asked();
    const of = (given: readonly object[], name: string): readonly number[] =>
      (made({ type: 'NodePort', ports: given }, name).ports as unknown as readonly { nodePort: number }[]).map(
        ({ nodePort }) => nodePort,
      );
    const [first] = of([{ name: 'a', port: 1, nodePort: 30_000 }], 'a');
    assert.equal(first, 30_000);
    const more = of(
      Array.from({ length: 30 }, (_, at) => ({ name: `p${at}`, port: at + 1 })),
      'b',
    );
    assert.equal(new Set([30_000, ...more]).size, 31);
    assert.ok(more.every((port) => port > 30_000 && port < 32_768));
  });
  it('is found by its address and type', () => {
    const { ask, made } = asked();
    made({ ports, clusterIP: '10.96.0.1' }, 'a');
    made({ type: 'NodePort', ports }, 'b');
    const found = (selector: string): unknown =>
      ask('GET', `${SERVICES}?fieldSelector=${encodeURIComponent(selector)}`).json.items?.map(
        ({ metadata }) => metadata?.name,
      );
    assert.deepEqual(['spec.clusterIP=10.96.0.1', 'spec.type=NodePort', 'metadata.name=a'].map(found), [
      ['a'],
      ['b'],
      ['a'],
    ]);
    assert.equal(ask('GET', `${SERVICES}?fieldSelector=spec.x%3Da`).code, 400);
  });
});
