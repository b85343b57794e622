/**
 * A kubelet as far as joining goes: it looks at its disk, bootstraps with its token, keeps its certificate, registers
 * its Node, renews.
 * Source: pkg/kubelet/certificate/bootstrap/bootstrap.go LoadClientConfig; client-go,
 * util/certificate/certificate_manager.go.
 */
import type { CertificateSigningRequest, KubeObject } from '../kubernetes/objects.js';
import { pathOf, resources } from '../kubernetes/resources.js';
import { type CertificateFacts, parseCertificate } from '../pki/certificate.js';
import { generateKey, type KeyObject, parsePrivateKey, privateKeyPem, spkiOf } from '../pki/keys.js';
import { certificatesOfPem } from '../pki/pem.js';
import { type JoiningDecisions, joiningDecisions } from './decisions/index.js';
import { hasCondition } from './decisions/requests.js';
import type { Answer, Asker, Cluster, Identity } from './ports.js';
import {
  type Addresses,
  certificateOf,
  clientRequest,
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
  kubeconfig?: { readonly server: string } | undefined;
  /** kubelet-client-current.pem */
  current?: Pair | undefined;
  /** kubelet-server-current.pem */
  serving?: Pair | undefined;
  /** kubelet-client.key.tmp: only without rotation, until the certificate is there. */
  waitingKey?: string | undefined;
}

export interface KubeletOptions {
  readonly cluster: Cluster;
  /** Lowered, as a kubelet lowers its host name. */
  readonly nodeName: string;
  /** Of the bootstrap kubeconfig; undefined: there is none. */
  readonly token?: string;
  /** It bootstraps with this where it has no token. */
  readonly certificate?: Pair;
  readonly disk?: Disk;
  /** rotateCertificates of its configuration; kubeadm sets it. */
  readonly rotate?: boolean;
  /** What the names of its requests begin with; a kubelet's is "csr-". */
  readonly generateName?: string;
  /** 0 ≤ x < 1: where between 70 and 90 percent of its life a certificate is renewed. */
  readonly random?: () => number;
  /** Others than upstream's. */
  readonly decisions?: Partial<JoiningDecisions>;
  /** Told what its request waits for, each time that it looks. */
  readonly waits?: (why: string) => void;
}

export type Outcome =
  /** The disk holds a certificate that has not ended: nothing was asked. */
  | { readonly kind: 'had' }
  | { readonly kind: 'issued'; readonly request: CertificateSigningRequest; readonly pair: Pair }
  /** No answer in time; the request waits. */
  | { readonly kind: 'waiting'; readonly request: CertificateSigningRequest }
  | { readonly kind: 'denied' | 'failed'; readonly name: string }
  | { readonly kind: 'deleted'; readonly name: string; readonly answer: Answer }
  /** The server took no request. */
  | { readonly kind: 'refused'; readonly answer: Answer }
  /** Neither kubeconfig nor token, or a certificate for another key. */
  | { readonly kind: 'unable'; readonly why: string };

/** The kubelet's own pair, what it serves with, or neither. */
type Taken = 'own' | 'serving' | undefined;

/** A request that waits for an answer. */
interface Waiting {
  readonly client: Asker;
  readonly name: string;
  readonly key: KeyObject;
  /** What the pair becomes. */
  readonly take: Taken;
}

/** What to ask for, as whom ("the token", "the node"), and for how long to wait, in milliseconds. */
interface Asking {
  readonly client: Asker;
  readonly wanted: RequestWanted;
  readonly within: number;
  readonly who: string;
  readonly take: Taken;
}

export interface RenewalOptions {
  /** Default: a new one. */
  readonly key?: KeyObject;
  /** false leaves the old pair in place. */
  readonly take?: boolean;
  readonly expirationSeconds?: number;
}

/** The certificates of a PEM text; none where it is undefined. */
const parsed = (pem: string | undefined): readonly CertificateFacts[] =>
  certificatesOfPem(pem ?? '').map((der) => parseCertificate(der));

/** Source: pkg/controller/certificates: the approver and the signers are controllers, each after the other. */
function waitsFor(request: CertificateSigningRequest): string {
  const lacks = hasCondition(request, 'Approved') ? 'its certificate, being approved' : 'its approval';
  return `the request ${request.metadata.name ?? ''} waits for ${lacks}`;
}

export class Kubelet {
  readonly nodeName: string;
  readonly disk: Disk;
  /** What it did and as whom, in order. */
  readonly steps: string[] = [];
  readonly #options: KubeletOptions;
  readonly #decisions: JoiningDecisions;
  #waiting: Waiting | undefined;

  constructor(options: KubeletOptions) {
    this.#options = options;
    this.#decisions = { ...joiningDecisions, ...options.decisions };
    this.nodeName = this.#decisions.nodeName(options.nodeName);
    this.disk = options.disk ?? {};
  }

  /** The same kubelet over another view of its cluster: same disk, its own steps. */
  on(cluster: Cluster): Kubelet {
    return new Kubelet({ ...this.#options, cluster, disk: this.disk });
  }

  /** What it bootstraps with. */
  get #credential(): Identity | undefined {
    const { token, certificate } = this.#options;
    if (token !== undefined) return { kind: 'token', token };
    return certificate && { kind: 'certificate', ...certificate };
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

  /** Does the disk hold a kubeconfig that can be used? */
  hasValidKubeconfig(): boolean {
    const { kubeconfig, current } = this.disk;
    return kubeconfig !== undefined && this.#decisions.isUsable(parsed(current?.certificate), this.#now);
  }

  /**
   * What a start leads to: nothing where the disk is good, else a bootstrap that is waited for `within` milliseconds.
   * With rotation the key lives in memory; without it the key is kept, so a restart finds its old request.
   */
  async start(within: number): Promise<Outcome> {
    const { cluster, rotate = true } = this.#options;
    const credential = this.#credential;
    const found = { hasUsableKubeconfig: this.hasValidKubeconfig(), hasToken: credential !== undefined };
    const step = this.#decisions.firstStep(found);
    if (step === 'use') return { kind: 'had' };
    if (step === 'give up' || credential === undefined)
      return { kind: 'unable', why: 'there is no kubeconfig that can be used, and no bootstrap kubeconfig' };
    const early = this.#decisions.writesKubeconfigFirst(rotate);
    if (early) this.disk.kubeconfig = { server: cluster.server };
    const asking = { client: cluster.as(credential), within, who: 'the token', take: 'own' as const };
    if (!this.#decisions.keepsKey(rotate))
      return this.#obtain({ ...asking, wanted: this.#clientRequest(this.#newKey()) });
    const kept = this.disk.waitingKey === undefined ? this.#newKey() : parsePrivateKey(this.disk.waitingKey);
    if (kept === undefined)
      return { kind: 'unable', why: 'error loading key: the key that waits on the disk cannot be read' };
    this.disk.waitingKey = privateKeyPem(kept);
    const wanted = this.#clientRequest(kept);
    const name = this.#decisions.fixedName(spkiOf(kept), wanted);
    const outcome = await this.#obtain({ ...asking, wanted: { ...wanted, name } });
    if (outcome.kind === 'issued') {
      this.disk.waitingKey = undefined;
      this.disk.kubeconfig = { server: cluster.server };
    }
    return outcome;
  }

  /** Asks with the certificate that it has for the next one. */
  async renew(within: number, options: RenewalOptions = {}): Promise<Outcome> {
    const current = (): KeyObject | undefined => parsePrivateKey(this.disk.current?.key ?? '');
    const { key = this.#decisions.renewalKey(current, () => this.#newKey()), take = true, expirationSeconds } = options;
    const more = expirationSeconds === undefined ? {} : { expirationSeconds };
    const wanted = { ...this.#clientRequest(key), ...more };
    return this.#obtain({ client: this.node, wanted, within, who: 'the node', take: take ? 'own' : undefined });
  }

  /** Asks for a serving certificate for its addresses. It is never approved by itself. `take`: it serves with it. */
  async askForServing(addresses: Addresses, within: number, take = false): Promise<Outcome> {
    const wanted = servingRequest(this.nodeName, this.#newKey(), addresses, this.#decisions);
    return this.#obtain({ client: this.node, wanted, within, who: 'the node', take: take ? 'serving' : undefined });
  }

  /** When the current certificate is to be renewed, milliseconds since the epoch: at once where there is none. */
  renewalDeadline(of: 'current' | 'serving' = 'current'): number {
    const [certificate] = parsed(this.disk[of]?.certificate);
    const chance = (this.#options.random ?? Math.random)();
    return certificate === undefined ? this.#now : this.#decisions.renewalDeadline(certificate, chance);
  }

  /** POSTs its Node as itself. Returns the answer. */
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
    if (this.#decisions.isRegistered(answer.status)) this.steps.push('registers its Node, as the node');
    return answer;
  }

  /** Goes on waiting for the request that had no answer in time. */
  async goOn(within: number): Promise<Outcome> {
    const { cluster } = this.#options;
    if (this.#waiting === undefined)
      return { kind: 'unable', why: `the kubelet of ${this.nodeName} waits for nothing at ${cluster.server}` };
    return this.#await(this.#waiting, within);
  }

  #newKey(): KeyObject {
    return generateKey(this.#decisions.keyAlgorithm());
  }

  #clientRequest(key: KeyObject): RequestWanted {
    return clientRequest(this.nodeName, key, this.#decisions);
  }

  async #await(waiting: Waiting, within: number): Promise<Outcome> {
    const { client, name } = waiting;
    const end = this.#now + within;
    let seen: CertificateSigningRequest | undefined;
    for (;;) {
      const answer = await client.ask({ path: pathOf(resources.certificateSigningRequests, { name }) });
      if (answer.status === 404) return { kind: 'deleted', name, answer };
      if (answer.status === 200 && isRequest(answer.body)) {
        seen = answer.body;
        const reading = this.#decisions.readRequest(seen);
        if (reading === 'issued') return this.#store(seen, waiting);
        if (reading !== 'waiting') return { kind: reading, name };
        this.#options.waits?.(waitsFor(seen));
      }
      if (this.#now >= end)
        return seen === undefined ? { kind: 'refused', answer } : { kind: 'waiting', request: seen };
      const pause = Math.min(this.#decisions.pollInterval(), Math.max(1, end - this.#now));
      await this.#options.cluster.clock.sleep(pause);
    }
  }

  async #obtain({ client, wanted, within, who, take }: Asking): Promise<Outcome> {
    const { generateName = this.#decisions.generateName() } = this.#options;
    const answer = await send(client, requestObject({ generateName, ...wanted }));
    const adopted =
      answer.status === 409 && this.#decisions.adoptsRequest(wanted.name !== undefined) ? wanted.name : undefined;
    const created = answer.status === 201 && isRequest(answer.body) ? answer.body.metadata.name : undefined;
    const name = created ?? adopted;
    if (name === undefined) return { kind: 'refused', answer };
    this.steps.push(`creates a request, with ${who}`);
    this.#waiting = { client, name, key: wanted.key, take };
    const outcome = await this.goOn(within);
    if (outcome.kind === 'issued') this.steps.push(`fetches its certificate, with ${who}`);
    return outcome;
  }

  #store(request: CertificateSigningRequest, { key, take }: Waiting): Outcome {
    const certificate = certificateOf(request) ?? '';
    const [facts] = parsed(certificate);
    if (!this.#decisions.takesCertificate(facts !== undefined && spkiOf(key).equals(facts.spki)))
      return { kind: 'unable', why: 'private key does not match public key' };
    const pair = { certificate, key: privateKeyPem(key) };
    if (take === 'own') this.disk.current = pair;
    if (take === 'serving') this.disk.serving = pair;
    return { kind: 'issued', request, pair };
  }
}
