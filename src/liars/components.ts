/**
 * What runs on a control plane that joins, as a liar plays it: each says where its machine asks how it is. Source:
 * cmd/kubeadm/app/util/apiclient/wait.go WaitForControlPlaneComponents.
 */
import type { ComponentCall } from '../kubernetes/transcript.js';
import type { Lie } from './lie.js';

/** Who is asked at which port of loopback; the API server is asked at the address of the machine. */
export const LISTENING = { 'kube-controller-manager': 10_257, 'kube-scheduler': 10_259 } as const;
export type PlayedComponent = 'kube-apiserver' | keyof typeof LISTENING;

export const componentAt = (port: number): PlayedComponent | undefined =>
  Object.entries(LISTENING).find(([, own]) => own === port)?.[0] as PlayedComponent | undefined;

/** Whether its kubelet starts what the manifests say. */
export const startsPods = ({ hasNode, components }: Lie): boolean => hasNode === true || components !== undefined;

/** Paths where somebody says how he is. */
export const HEALTH = /^\/(?:healthz|livez|readyz)$/;
const WELL = 200;
const SICK = 500;
const UNKNOWN = 404;
/** What each answers at first: before its roles are there an API server lets nobody look. */
const STARTING: Readonly<Record<PlayedComponent, number>> = {
  'kube-apiserver': 403,
  'kube-controller-manager': 404,
  'kube-scheduler': 503,
};

export class PlayedComponents {
  readonly calls: ComponentCall[] = [];
  readonly #lie: Lie['components'];
  readonly #now: () => number;

  /** `now`: milliseconds since the server began. */
  constructor({ components }: Lie, now: () => number) {
    this.#lie = components;
    this.#now = now;
  }

  /** The status of an answer, which is written down: it takes each of them a moment to become well. */
  answer(component: PlayedComponent, path: string): number {
    const isFirst = !this.calls.some((one) => one.component === component);
    const later = this.#lie?.sick === component ? SICK : WELL;
    const status = HEALTH.test(path) ? (isFirst ? STARTING[component] : later) : UNKNOWN;
    this.calls.push({ component, at: this.#now(), isWell: status === WELL });
    return status;
  }
}
