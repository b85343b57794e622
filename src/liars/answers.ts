/** Answers as API servers, load balancers and liars give them. */

import { gzipSync } from 'node:zlib';
import { base64, record } from '../kubernetes/json.js';
import { CLUSTER_INFO, KUBE_PUBLIC } from '../kubernetes/names.js';
import type { Asked, Reply } from './lie.js';
import type { Data } from './scene.js';

export const JSON_TYPE = 'application/json';

export const answer = (status: number, body: string | Buffer, type = JSON_TYPE, headers = {}): Reply => ({
  status,
  headers: { 'content-type': type, ...headers },
  body,
});
export const json = (status: number, body: unknown, headers = {}): Reply =>
  answer(status, JSON.stringify(body), JSON_TYPE, headers);

const failure = (code: number, reason: string, message: string): unknown => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  reason,
  code,
});

/** A Status of failure. */
export const refusal = (status: number, reason: string, message: string, headers = {}): Reply =>
  json(status, failure(status, reason, message), headers);

/** A Status of failure that comes with 200: what gateways make of one. */
export const refusalAsSuccess = (code: number, reason: string, message: string): Reply =>
  json(200, failure(code, reason, message));

export const notFound = (resource: string, name: string): Reply =>
  refusal(404, 'NotFound', `${resource} "${name}" not found`);

export const CLUSTER_INFO_PATH = `/api/v1/namespaces/${KUBE_PUBLIC}/configmaps/${CLUSTER_INFO}`;
export const isClusterInfo = ({ path }: Pick<Asked, 'path'>): boolean => path === CLUSTER_INFO_PATH;

export const configMap = (name: string, namespace: string, data?: Data, metadata = {}): unknown => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace, resourceVersion: '1', ...metadata },
  ...(data === undefined ? {} : { data }),
});

export const clusterInfoMap = (data?: Data, metadata = {}): unknown =>
  configMap(CLUSTER_INFO, KUBE_PUBLIC, data, metadata);

/** cluster-info with a kubeconfig in binaryData, where nobody looks for it. */
export const clusterInfoBeside = (data: Data, kubeconfig: string): Reply =>
  json(200, { ...record(clusterInfoMap(data)), binaryData: { kubeconfig: base64(kubeconfig) } });

/** The same answer, compressed. */
export const compressed = (reply: Reply): Reply =>
  typeof reply === 'string'
    ? reply
    : { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) };

export const redirect = (location: string): Reply => ({ status: 302, headers: { location }, body: '' });
