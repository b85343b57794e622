/**
 * An etcd that a liar plays for control planes that join: who its members are, who is added and promoted, and how it
 * says it is. Source: etcd, api/etcdserverpb/rpc.proto; server/etcdserver/api/v3rpc/member.go.
 */
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import type { EtcdCall } from '../kubernetes/transcript.js';
import { ownHost } from './addresses.js';
import type { Lie } from './lie.js';

/** What is otherwise about it. */
export interface EtcdLie {
  /** It says that it is not well. */
  readonly isSick?: true;
  /** The peer URL of the machine is that of a member already. */
  readonly isThere?: true;
  /** Its certificate is of another authority. */
  readonly isStranger?: true;
  /** It has a learner of another machine, which has not started yet. */
  readonly hasLearner?: true;
  /** A learner is not in sync with the leader when it is promoted for the first three times. */
  readonly isSlow?: true;
}

/** One member; `name` is '' until it has started. */
export interface EtcdMember {
  readonly id: number;
  readonly name: string;
  readonly peerUrl: string;
  readonly clientUrl: string;
  readonly isLearner: boolean;
}

/** A call: its name, "MemberAdd", and what it says. */
export interface EtcdAsked {
  readonly call: string;
  readonly peerUrls?: readonly string[];
  readonly asLearner?: boolean;
  readonly id?: number;
}

/** `problem`: a status of gRPC instead of an answer. */
export type EtcdReply =
  | { readonly problem: { readonly code: number; readonly message: string } }
  | { readonly members?: readonly EtcdMember[]; readonly added?: EtcdMember };

/** The machine that joins, as its etcd is to be known. */
const OWN_NAME = 'worker-9';
const ownUrl = (told: Lie['told'], port: number): string => `https://${ownHost({ ...told, bindPort: port })}`;
const OWN_ID = 9;

const other = (id: number, clientUrl: string): EtcdMember => ({
  id,
  name: `control-plane-${id}`,
  peerUrl: `https://192.0.2.1${id}:2380`,
  clientUrl,
  isLearner: false,
});
/** Those that are there: both are reached here. */
const OTHERS: readonly EtcdMember[] = [other(1, 'https://127.0.0.1:2379'), other(2, 'https://localhost:2379')];

/** Of a machine that joins at the same time: until it has started its name is known to itself alone. */
const LEARNER: EtcdMember = { ...other(0xab3, ''), name: '', peerUrl: 'https://192.0.2.13:2380', isLearner: true };
const othersOf = ({ hasLearner }: EtcdLie): readonly EtcdMember[] =>
  hasLearner === true ? [...OTHERS, LEARNER] : OTHERS;

/**
 * For who judges what the machine makes of it. A machine that is told a name is a member by that; one without a name is
 * told by its number, in hex. Source: cmd/kubeadm/app/util/etcd/etcd.go addMember.
 */
export const etcdTruth = (name: string = OWN_NAME, told?: Lie['told'], etcd: EtcdLie = {}) => ({
  others: othersOf(etcd).map((one) => ({ name: one.name || one.id.toString(16), peerUrl: one.peerUrl })),
  own: { name, peerUrl: ownUrl(told, 2380) },
});

const problem = (code: number, message: string): EtcdReply => ({
  problem: { code, message: `etcdserver: ${message}` },
});
/** At this try a learner is that takes a while. */
const IN_SYNC = 4;
const FAILED_PRECONDITION = 9;
const UNAVAILABLE = 14;
const UNIMPLEMENTED = 12;
const NOT_FOUND = 5;

export class PlayedEtcd {
  readonly calls: EtcdCall[] = [];
  readonly #lie: EtcdLie;
  readonly #told: Lie['told'];
  readonly #seen: () => number;
  #own: EtcdMember | undefined;
  #promotions = 0;

  /** `seen`: how much the API server has seen by now. */
  constructor({ etcd = {}, told }: Lie, seen: () => number) {
    this.#lie = etcd;
    this.#told = told;
    this.#seen = seen;
    if (etcd.isThere === true) this.#own = this.#made(true);
  }

  #made(isLearner: boolean): EtcdMember {
    const [peerUrl, clientUrl] = [ownUrl(this.#told, 2380), ownUrl(this.#told, 2379)];
    return { id: OWN_ID, name: '', peerUrl, clientUrl, isLearner };
  }

  get #members(): readonly EtcdMember[] {
    const others = othersOf(this.#lie);
    return this.#own === undefined ? others : [...others, this.#own];
  }

  /** Answers a call, and writes it down. */
  answer(asked: EtcdAsked): EtcdReply {
    const reply = this.#reply(asked);
    const { call, peerUrls, asLearner } = asked;
    this.calls.push({
      call,
      after: this.#seen(),
      ...(peerUrls === undefined ? {} : { peerUrls }),
      ...(asLearner === undefined ? {} : { asLearner }),
      isDone: !('problem' in reply),
    });
    return reply;
  }

  #reply({ call, peerUrls = [], asLearner = false, id }: EtcdAsked): EtcdReply {
    switch (call) {
      case 'Status':
        return this.#lie.isSick === true ? problem(UNAVAILABLE, 'no leader') : {};
      case 'MemberList':
        return { members: this.#listed() };
      case 'MemberAdd':
        if (this.#members.some(({ peerUrl }) => peerUrls.includes(peerUrl)))
          return problem(FAILED_PRECONDITION, 'Peer URLs already exists');
        this.#own = { ...this.#made(asLearner), peerUrl: peerUrls[0] ?? '' };
        return { members: this.#members, added: this.#own };
      case 'MemberPromote':
        return this.#promoted(id);
      default:
        return problem(UNIMPLEMENTED, `unknown call ${call}`);
    }
  }

  /** Who has looked once has waited long enough for the machine's own etcd to start. */
  #listed(): readonly EtcdMember[] {
    const members = this.#members;
    if (this.#own !== undefined) this.#own = { ...this.#own, name: OWN_NAME };
    return members;
  }

  #promoted(id: number | undefined): EtcdReply {
    this.#promotions += 1;
    if (this.#own === undefined || id !== OWN_ID) return problem(NOT_FOUND, 'member not found');
    if (!this.#own.isLearner) return problem(FAILED_PRECONDITION, 'can only promote a learner member');
    if (this.#lie.isSlow === true && this.#promotions < IN_SYNC)
      return problem(FAILED_PRECONDITION, 'can only promote a learner member which is in sync with leader');
    this.#own = { ...this.#own, isLearner: false };
    return { members: this.#members };
  }
}

/** Pods of those members, as their kubelets show them. */
export const etcdPods = (): object => ({
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '1' },
  items: OTHERS.map(({ name, clientUrl }) => ({
    metadata: {
      name: `etcd-${name}`,
      namespace: KUBE_SYSTEM,
      labels: { component: 'etcd', tier: 'control-plane' },
      annotations: { 'kubeadm.kubernetes.io/etcd.advertise-client-urls': clientUrl },
    },
    spec: { nodeName: name, containers: [{ name: 'etcd' }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  })),
});
