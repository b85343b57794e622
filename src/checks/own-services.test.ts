import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { readApiService, readDnsService, servicesLead } from './own-services.js';

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
