/**
 * The first requests of a kubelet 1.36 as it was seen to make them, once in JSON and once in protocol buffers, its
 * default: from its request for a certificate to its Node, its Lease and a token for one of its pods.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { after, before, test } from 'node:test';
import { generateKey } from '../../pki/keys.js';
import { createRequest } from '../../pki/request.js';
import { type Reference, startReference } from '../../reference/index.js';
import { decodeProtobuf, encodeProtobuf } from './index.js';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const JSON_TYPE = 'application/json';
const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const INITIAL =
  'allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeoutSeconds=300&watch=true';

type Loose = Readonly<Record<string, unknown>>;
interface Answer {
  readonly code: number;
  readonly type: string;
  readonly body: Buffer;
}
type Speaker = (method: string, path: string, body?: Loose, type?: string) => Promise<Answer>;

let reference: Reference;
before(async () => {
  reference = await startReference({ tokens: [{ token: 'abcdef.0123456789abcdef' }] });
});
after(() => reference.close());

/** Ends a watch as soon as the bookmark behind the initial events is there. */
async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) {
    chunks.push(chunk as Buffer);
    if (Buffer.concat(chunks).includes('initial-events-end')) break;
  }
  return Buffer.concat(chunks);
}

/** A client of one content type: by bearer token, or an administrator who acts as the node. */
function speaker(contentType: string, who: Readonly<Record<string, string | string[]>>): Speaker {
  const accept = contentType === PROTOBUF ? `${PROTOBUF},${JSON_TYPE}` : `${JSON_TYPE}, */*`;
  const identity = 'Authorization' in who ? {} : { cert: reference.admin.certificate, key: reference.admin.key };
  return async (method, path, body, type = contentType) => {
    const bytes =
      body === undefined
        ? ''
        : type === PROTOBUF
          ? (encodeProtobuf(body) ?? assert.fail('no message'))
          : JSON.stringify(body);
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        ...who,
        Accept: accept,
        'User-Agent': 'kubelet/v1.36.0',
        ...(body === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(bytes) }),
      };
      const sent = httpsRequest(
        `${reference.url}${path}`,
        { method, headers, ca: reference.caPem, agent: false, ...identity },
        resolve,
      );
      sent.on('error', reject);
      sent.end(bytes);
    });
    return { code: message.statusCode ?? 0, type: String(message.headers['content-type']), body: await read(message) };
  };
}

const objectOf = ({ type, body }: Answer): Loose =>
  type === PROTOBUF ? decodeProtobuf(body) : (JSON.parse(body.toString()) as Loose);
const metadataOf = (answer: Answer): Readonly<Record<string, string>> =>
  objectOf(answer).metadata as Readonly<Record<string, string>>;

for (const contentType of [JSON_TYPE, PROTOBUF]) {
  test(`a kubelet that speaks ${contentType} gets its certificate and registers`, async () => {
    const node = contentType === PROTOBUF ? 'node-p' : 'node-j';
    const bootstrap = speaker(contentType, { Authorization: 'Bearer abcdef.0123456789abcdef' });
    const self = speaker(contentType, {
      'Impersonate-User': `system:node:${node}`,
      'Impersonate-Group': ['system:nodes', 'system:authenticated'],
    });
    const expect = async (speak: Speaker, code: number, ...asked: Parameters<Speaker>): Promise<Answer> => {
      const [method, path] = asked;
      const answer = await speak(...asked);
      assert.equal(answer.code, code, `${method} ${path}: ${answer.body.toString()}`);
      return answer;
    };
    const watch = async (speak: Speaker, path: string, selector?: string): Promise<void> => {
      const answer = await expect(
        speak,
        200,
        'GET',
        `${path}?${INITIAL}${selector === undefined ? '' : `&fieldSelector=${encodeURIComponent(selector)}`}`,
      );
      assert.equal(answer.type, contentType === PROTOBUF ? `${PROTOBUF};stream=watch` : JSON_TYPE);
      assert.ok(answer.body.includes('initial-events-end'), path);
    };

    const { base64 } = createRequest({
      key: generateKey('ECDSA-P256'),
      subject: { commonName: `system:node:${node}`, organizations: ['system:nodes'] },
    });
    const signerName = 'kubernetes.io/kube-apiserver-client-kubelet';
    const csr = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { generateName: 'csr-' },
      spec: { request: base64, signerName, usages: ['digital signature', 'client auth'] },
    };
    const { name = '' } = metadataOf(await expect(bootstrap, 201, 'POST', CSRS, csr));
    await reference.settle();
    const selector = `metadata.name=${name}`;
    await expect(bootstrap, 200, 'GET', `${CSRS}?fieldSelector=${encodeURIComponent(selector)}`);
    await watch(bootstrap, CSRS, selector);
    const { certificate } = objectOf(await expect(bootstrap, 200, 'GET', `${CSRS}/${name}`)).status as {
      readonly certificate?: string;
    };
    assert.match(Buffer.from(certificate ?? '', 'base64').toString(), /^-----BEGIN CERTIFICATE-----/);

    await watch(self, '/api/v1/nodes', `metadata.name=${node}`);
    await watch(self, '/api/v1/services', 'spec.clusterIP!=None');
    await watch(self, '/apis/node.k8s.io/v1/runtimeclasses');
    await watch(self, '/apis/storage.k8s.io/v1/csidrivers');
    const csiNodes = '/apis/storage.k8s.io/v1/csinodes';
    await expect(self, 404, 'GET', `${csiNodes}/${node}?resourceVersion=0`);
    const ours = encodeURIComponent(`spec.nodeName=${node}`);
    const slices = `/apis/resource.k8s.io/v1/resourceslices?fieldSelector=${ours}`;
    await expect(self, 200, 'DELETE', slices, { apiVersion: 'resource.k8s.io/v1', kind: 'DeleteOptions' });
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
    await expect(self, 404, 'GET', `${leases}/${node}?timeout=10s`);
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${node}.1`, namespace: 'default' },
      involvedObject: { kind: 'Node', name: node, uid: node },
      reason: 'Starting',
      message: 'Starting kubelet.',
      source: { component: 'kubelet', host: node },
      firstTimestamp: '2026-11-20T10:00:00Z',
      lastTimestamp: '2026-11-20T10:00:00Z',
      count: 1,
      type: 'Normal',
    };
    await expect(self, 201, 'POST', '/api/v1/namespaces/default/events', event);
    const strategic = 'application/strategic-merge-patch+json';
    await expect(self, 200, 'PATCH', `/api/v1/namespaces/default/events/${node}.1`, { count: 2 }, strategic);
    await expect(self, 404, 'GET', `/api/v1/nodes/${node}`);
    const labels = { 'kubernetes.io/hostname': node, 'kubernetes.io/os': 'linux' };
    const conditions = [
      {
        type: 'Ready',
        status: 'False',
        lastHeartbeatTime: '2026-11-20T10:00:00Z',
        lastTransitionTime: '2026-11-20T10:00:00Z',
      },
    ];
    const status = {
      capacity: { cpu: '2', memory: '1Gi' },
      conditions,
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    };
    const made = await expect(self, 201, 'POST', '/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: node, labels },
      status,
    });
    assert.deepEqual((objectOf(made).status as typeof status).daemonEndpoints, status.daemonEndpoints);
    await expect(self, 200, 'PATCH', `/api/v1/nodes/${node}/status?timeout=10s`, {}, strategic);
    const owner = { apiVersion: 'v1', kind: 'Node', name: node, uid: metadataOf(made).uid };
    const metadata = { name: node, ownerReferences: [owner] };
    await expect(self, 201, 'POST', csiNodes, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata,
      spec: { drivers: [] },
    });
    await watch(self, '/api/v1/pods', `spec.nodeName=${node}`);
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...metadata, namespace: 'kube-node-lease' },
      spec: { holderIdentity: node, leaseDurationSeconds: 40, renewTime: '2026-11-20T10:00:00.123456Z' },
    };
    const { resourceVersion } = metadataOf(await expect(self, 201, 'POST', `${leases}?timeout=10s`, lease));
    const renewed = {
      ...lease,
      metadata: { ...lease.metadata, resourceVersion },
      spec: { ...lease.spec, renewTime: '2026-11-20T10:00:10.000001Z' },
    };
    const { spec } = objectOf(await expect(self, 200, 'PUT', `${leases}/${node}?timeout=10s`, renewed));
    assert.deepEqual(spec, renewed.spec);

    const containers = [{ name: 'c', image: 'i' }];
    const pod = reference.api.create(
      { group: '', resource: 'pods' },
      { metadata: { name: node, namespace: 'default' }, spec: { nodeName: node, containers } },
    );
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: node, uid: pod.metadata.uid };
    const token = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: [], expirationSeconds: 3607, boundObjectRef },
    };
    await expect(self, 201, 'POST', '/api/v1/namespaces/default/serviceaccounts/default/token', token);
    const gone = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
      preconditions: { uid: pod.metadata.uid },
    };
    await expect(self, 200, 'DELETE', `/api/v1/namespaces/default/pods/${node}`, gone);
    // Gone with it is what tied it to its node.
    await expect(self, 403, 'GET', `/api/v1/namespaces/default/pods/${node}`);
  });
}
