/** What a lie is told with: the token, the payload and its signatures. */
import { createHmac } from 'node:crypto';
import { base64 } from '../kubernetes/json.js';
import { CLUSTER_INFO_KUBECONFIG, SIGNATURE_KEY_PREFIX } from '../kubernetes/names.js';
import type { AuthorityName, Cast } from './cast.js';

export const TOKEN_ID = 'abcdef';
export const TOKEN_SECRET = '0123456789abcdef';
export const TOKEN = `${TOKEN_ID}.${TOKEN_SECRET}`;
export const SIGNATURE_KEY = SIGNATURE_KEY_PREFIX + TOKEN_ID;

/** Data of cluster-info. */
export type Data = Readonly<Record<string, string>>;

/** Where a liar stands. */
export interface Scene {
  readonly cast: Cast;
  /** host:port at which clients are told to ask. */
  readonly endpoint: string;
  /** Of the cluster, "1.36.1". */
  readonly release: string;
}

/** One cluster of a payload; what is not said is as in an honest one. */
export interface ClusterText {
  readonly name?: string;
  readonly server?: string;
  /** PEM; null: none. */
  readonly ca?: string | null;
  /** Lines of their own, "proxy-url: http://127.0.0.1:1". */
  readonly lines?: readonly string[];
}

/** Parts of a payload besides its clusters, as YAML; default: none of them. */
export interface Around {
  readonly contexts?: string;
  readonly current?: string;
  readonly users?: string;
}

export const authorityPem = ({ cast }: Scene, name: AuthorityName): string => cast.authorities[name].certificate.pem;

/** A kubeconfig as kubeadm writes it into cluster-info, or one that differs. */
export function payload(scene: Scene, clusters: readonly ClusterText[] = [{}], around: Around = {}): string {
  const entries = clusters.flatMap(({ name = '', server, ca, lines = [] }) => [
    '- cluster:',
    ...(ca === null ? [] : [`    certificate-authority-data: ${base64(ca ?? authorityPem(scene, 'ca'))}`]),
    ...lines.map((line) => `    ${line}`),
    `    server: ${server ?? `https://${scene.endpoint}`}`,
    `  name: ${name === '' ? '""' : name}`,
  ]);
  return [
    'apiVersion: v1',
    ...(clusters.length === 0 ? ['clusters: null'] : ['clusters:', ...entries]),
    `contexts: ${around.contexts ?? 'null'}`,
    `current-context: ${around.current ?? '""'}`,
    'kind: Config',
    `users: ${around.users ?? 'null'}`,
    '',
  ].join('\n');
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

/** How a signature is made where it is not made as it should. */
export interface Signing {
  /** Text of the header. */
  readonly header?: string;
  readonly secret?: string;
  readonly hash?: 'sha256' | 'sha384' | 'sha512';
}

export const HEADER = `{"alg":"HS256","kid":"${TOKEN_ID}"}`;

/** The parts of a signature over a content, base64url without padding. */
export function signatureParts(
  content: string,
  { header = HEADER, secret = TOKEN_SECRET, hash = 'sha256' }: Signing = {},
): {
  readonly header: string;
  readonly payload: string;
  readonly mac: string;
} {
  const [head, body] = [encoded(header), encoded(content)];
  return { header: head, payload: body, mac: createHmac(hash, secret).update(`${head}.${body}`).digest('base64url') };
}

/** A detached signature: the one canonical form unless told otherwise. */
export function sign(content: string, signing: Signing = {}): string {
  const { header, mac } = signatureParts(content, signing);
  return `${header}..${mac}`;
}

/** cluster-info with this kubeconfig, and with its signature unless another is given. */
export const clusterInfo = (kubeconfig: string, signature = sign(kubeconfig)): Data => ({
  [CLUSTER_INFO_KUBECONFIG]: kubeconfig,
  [SIGNATURE_KEY]: signature,
});
