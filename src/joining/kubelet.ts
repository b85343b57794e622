/**
 * A kubelet as far as joining goes: it looks at its disk, bootstraps with its token, keeps its certificate, registers its Node, renews.
 * Source: pkg/kubelet/certificate/bootstrap/bootstrap.go LoadClientConfig; client-go, util/certificate/certificate_manager.go; cmd/kubelet/app/server.go.
 */
import { createHash } from 'node:crypto';
import type { CertificateSigningRequest, KubeObject } from '../kubernetes/objects.js';
import { pathOf, resources } from '../kubernetes/resources.js';
import { parseCertificate } from '../pki/certificate.js';
import {
  generateKey,
  type KeyObject,
  parsePrivateKey,
  privateKeyPem,
  publicKeyFromSpki,
  sameKey,
  spkiOf,
} from '../pki/keys.js';
import { certificatesOfPem } from '../pki/pem.js';
import type { Answer, Asker, Identity } from '../targets/types.js';
import {
  certificateOf,
  clientRequest,
  hasCondition,
  isRequest,
  type RequestWanted,
  requestObject,
  send,
  servingRequest,
} from './request.js';

/** Certificate and key, PEM each. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** What survives a restart. */
export interface Disk {
  /** kubelet.conf is there and names the current pair; `server` as the bootstrap kubeconfig says. */
  kubeconfig?: { readonly server: string };
  /** kubelet-client-current.pem */
  current?: Pair;
  /** kubelet-client.key.tmp: only without rotation, until the certificate is there. */
  waitingKey?: string;
}

/** What a kubelet needs of a cluster: a Target has it. */
export interface Cluster {
  readonly server: string;
  readonly clock: { now(): number; sleep(milliseconds: number): Promise<void> };
  as(identity: Identity): Asker;
}

export interface KubeletOptions {
  readonly cluster: Cluster;
  /** Lowered, as a kubelet lowers its host name. */
  readonly nodeName: string;
  /** Of the bootstrap kubeconfig; undefined: there is none. */
  readonly token?: string;
  readonly disk?: Disk;
  /** rotateCertificates of its configuration; kubeadm sets it. */
  readonly rotate?: boolean;
  /** What the names of its requests begin with; a kubelet's is "csr-". */
  readonly generateName?: string;
  /** 0 ≤ x < 1: where between 70 and 90 percent of its life a certificate is renewed. */
  readonly random?: () => number;
}

export type Outcome =
  /** The disk holds a certificate that has not ended: nothing was asked. */
  | { readonly kind: 'had' }
  | { readonly kind: 'issued'; readonly request: CertificateSigningRequest; readonly pair: Pair }
  /** No answer in time; the request waits. */
  | { readonly kind: 'waiting'; readonly request: CertificateSigningRequest }
  | { readonly kind: 'denied' | 'failed' | 'deleted'; readonly name: string }
  /** The server took no request. */
  | { readonly kind: 'refused'; readonly answer: Answer }
  /** Neither kubeconfig nor token, or a certificate for another key. */
  | { readonly kind: 'unable'; readonly why: string };

const POLL = 250;

/** Without rotation the request's name follows from key, subject and usages, so that a restart finds it. Source: bootstrap.go digestedName. */
const fixedName = (wanted: RequestWanted): string => {
  const digest = createHash('sha256')
    .update(spkiOf(wanted.key))
    .update([wanted.commonName, ...wanted.organizations, ...wanted.usages].join('|'));
  return `node-csr-${digest.digest('base64url')}`;
};

export class Kubelet {
  readonly nodeName: string;
  readonly disk: Disk;
  /** What it did and as whom, in order. */
  readonly steps: string[] = [];
  readonly #options: KubeletOptions;
  /** The request that waits for an answer. */
  #waiting:
    | { readonly client: Asker; readonly name: string; readonly key: KeyObject; readonly take: boolean }
    | undefined;

  constructor(options: KubeletOptions) {
    this.#options = options;
    this.nodeName = options.nodeName.toLowerCase();
    this.disk = options.disk ?? {};
  }

  /** The same kubelet over another view of its cluster: same disk, its own steps. */
  on(cluster: Cluster): Kubelet {
    return new Kubelet({ ...this.#options, cluster, disk: this.disk });
  }

  get #now(): number {
    return this.#options.cluster.clock.now();
  }

  /** The node's own client. Throws where it has no certificate. */
  get node(): Asker {
    const { current } = this.disk;
    if (current === undefined) throw new Error(`the kubelet of ${this.nodeName} has no certificate yet`);
    return this.#options.cluster.as({ kind: 'certificate', ...current });
  }

  /** Does the disk hold a loadable kubeconfig none of whose certificates has ended? CN, issuer and beginning are not looked at. */
  hasValidKubeconfig(): boolean {
    const { kubeconfig, current } = this.disk;
    if (kubeconfig === undefined || current === undefined) return false;
    const certificates = certificatesOfPem(current.certificate).map((der) => parseCertificate(der));
    return certificates.length > 0 && certificates.every((certificate) => this.#now <= certificate.notAfter);
  }

  /**
   * What a start leads to: nothing where the disk is good, else a bootstrap that is waited for `within` milliseconds. With rotation the
   * kubeconfig is written before any request and the key lives in memory; without it the key is kept, so a restart finds its old request.
   */
  async start(within: number): Promise<Outcome> {
    if (this.hasValidKubeconfig()) return { kind: 'had' };
    const { token, cluster } = this.#options;
    if (token === undefined)
      return { kind: 'unable', why: 'there is no kubeconfig that can be used, and no bootstrap kubeconfig' };
    const bootstrapper = cluster.as({ kind: 'token', token });
    if (this.#options.rotate ?? true) {
      this.disk.kubeconfig = { server: cluster.server };
      return this.#obtain(
        bootstrapper,
        clientRequest(this.nodeName, generateKey('ECDSA-P256')),
        within,
        'the token',
        true,
      );
    }
    const kept = this.disk.waitingKey === undefined ? undefined : parsePrivateKey(this.disk.waitingKey);
    if (this.disk.waitingKey !== undefined && kept === undefined)
      return { kind: 'unable', why: 'error loading key: the key that waits on the disk cannot be read' };
    const key = kept ?? generateKey('ECDSA-P256');
    this.disk.waitingKey = privateKeyPem(key);
    const wanted = clientRequest(this.nodeName, key);
    const outcome = await this.#obtain(bootstrapper, { ...wanted, name: fixedName(wanted) }, within, 'the token', true);
    if (outcome.kind === 'issued') {
      delete this.disk.waitingKey;
      this.disk.kubeconfig = { server: cluster.server };
    }
    return outcome;
  }

  /** Asks with the certificate that it has for the next one, with `key` or a new one; `take` false leaves the old pair in place. */
  async renew(
    within: number,
    options: { readonly key?: KeyObject; readonly take?: boolean; readonly expirationSeconds?: number } = {},
  ): Promise<Outcome> {
    const wanted = clientRequest(this.nodeName, options.key ?? generateKey('ECDSA-P256'));
    const more = options.expirationSeconds === undefined ? {} : { expirationSeconds: options.expirationSeconds };
    return this.#obtain(this.node, { ...wanted, ...more }, within, 'the node', options.take ?? true);
  }

  /** Asks for a serving certificate for its addresses. It is never approved by itself. */
  async askForServing(
    addresses: { readonly dns: readonly string[]; readonly ip: readonly string[] },
    within: number,
  ): Promise<Outcome> {
    return this.#obtain(
      this.node,
      servingRequest(this.nodeName, generateKey('ECDSA-P256'), addresses),
      within,
      'the node',
      false,
    );
  }

  /** When the current certificate is to be renewed, milliseconds since the epoch. Source: certificate_manager.go nextRotationDeadline. */
  renewalDeadline(): number {
    const [der] = certificatesOfPem(this.disk.current?.certificate ?? '');
    if (der === undefined) return this.#now;
    const { notBefore, notAfter } = parseCertificate(der);
    return notBefore + (notAfter - notBefore) * (0.7 + 0.2 * (this.#options.random ?? Math.random)());
  }

  /** POSTs its Node as itself; 409 is as good. Returns the answer. */
  async registerNode(): Promise<Answer> {
    const node: KubeObject = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: this.nodeName,
        labels: { 'kubernetes.io/hostname': this.nodeName, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
      },
      spec: {},
      status: { addresses: [{ type: 'Hostname', address: this.nodeName }] },
    };
    const answer = await this.node.ask({ method: 'POST', path: pathOf(resources.nodes), body: node });
    if (answer.status === 201 || answer.status === 409) this.steps.push('registers its Node, as the node');
    return answer;
  }

  /** Goes on waiting for the request that had no answer in time. */
  async goOn(within: number): Promise<Outcome> {
    const { cluster } = this.#options;
    if (this.#waiting === undefined)
      return { kind: 'unable', why: `the kubelet of ${this.nodeName} waits for nothing at ${cluster.server}` };
    const { client, name, key, take } = this.#waiting;
    return this.#await(client, name, key, within, take);
  }

  async #await(client: Asker, name: string, key: KeyObject, within: number, take: boolean): Promise<Outcome> {
    const end = this.#now + within;
    let seen: CertificateSigningRequest | undefined;
    for (;;) {
      const answer = await client.ask({ path: pathOf(resources.certificateSigningRequests, { name }) });
      if (answer.status === 404) return { kind: 'deleted', name };
      if (answer.status === 200 && isRequest(answer.body)) {
        seen = answer.body;
        if (hasCondition(seen, 'Denied')) return { kind: 'denied', name };
        if (hasCondition(seen, 'Failed')) return { kind: 'failed', name };
        const certificate = certificateOf(seen);
        // Approved without a certificate is not success
        if (hasCondition(seen, 'Approved') && certificate !== undefined)
          return this.#store(seen, certificate, key, take);
      }
      if (this.#now >= end)
        return seen === undefined ? { kind: 'refused', answer } : { kind: 'waiting', request: seen };
      await this.#options.cluster.clock.sleep(Math.min(POLL, Math.max(1, end - this.#now)));
    }
  }

  async #obtain(client: Asker, wanted: RequestWanted, within: number, who: string, take: boolean): Promise<Outcome> {
    const { generateName } = this.#options;
    const answer = await send(client, requestObject(generateName === undefined ? wanted : { generateName, ...wanted }));
    let name = isRequest(answer.body) ? answer.body.metadata.name : undefined;
    // a restart without rotation finds the request that it made before
    if (answer.status === 409 && wanted.name !== undefined) name = wanted.name;
    else if (answer.status !== 201 || name === undefined) return { kind: 'refused', answer };
    this.steps.push(`creates a request, with ${who}`);
    this.#waiting = { client, name: name as string, key: wanted.key, take };
    const outcome = await this.goOn(within);
    if (outcome.kind === 'issued') this.steps.push(`fetches its certificate, with ${who}`);
    return outcome;
  }

  #store(request: CertificateSigningRequest, certificate: string, key: KeyObject, take: boolean): Outcome {
    const [der] = certificatesOfPem(certificate);
    const public_ = der === undefined ? undefined : publicKeyFromSpki(parseCertificate(der).spki);
    if (public_ === undefined || !sameKey(public_, key))
      return { kind: 'unable', why: 'private key does not match public key' };
    const pair = { certificate, key: privateKeyPem(key) };
    if (take) this.disk.current = pair;
    return { kind: 'issued', request, pair };
  }
}
