/** How a control plane that joins waits for what its kubelet starts. */
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import { type Attempts, endOf, failed, inTime, ofKubeadm, unlessStarved } from './joining-attempts.js';
import type { Attempt, ComponentSeen } from './joining-client-reader.js';

const COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;
const NOTHING = 'the client starts no control plane';
const SOURCE =
  'cmd/kubeadm/app/cmd/phases/join/waitcontrolplane.go; util/apiclient/wait.go WaitForControlPlaneComponents';

type Running = Attempt & { readonly components: readonly ComponentSeen[] };
const isRunning = (attempt: Attempt): attempt is Running => attempt.components !== undefined;

const said = ({ component, times, isWell }: ComponentSeen): string =>
  `${component} ${isWell ? 'is well' : 'is not well'} when it is asked the last of ${times} times`;

/** It has heard of each that it is well, before it says that it has joined. */
export const componentsWell: Check<Attempts> = {
  id: 'joined-components/well',
  source: SOURCE,
  nothing: NOTHING,
  judge: ofKubeadm((attempts) =>
    attempts.filter(isRunning).map((attempt) => {
      const { subject, components } = attempt;
      const unasked = COMPONENTS.filter((name) => !components.some(({ component }) => component === name));
      const others = [
        ...components.filter(({ isWell }) => !isWell).map(said),
        ...unasked.map((name) => `${name} is not asked`),
      ];
      const finding = demand({
        subject,
        demanded:
          'API server, controller manager and scheduler of the machine are asked how they are until they are well',
        seen: others.join(', ') || 'they are',
        ok: others.length === 0,
      });
      return unlessStarved(finding, attempt);
    }),
  ),
};

/** What a wait may be shorter or longer, in milliseconds. */
const EARLY = 2_000;
const SLACK = 5_000;

/** One of them is never well: it is asked again until the time is over, and nothing is said to have joined. */
export const componentsWaitedFor: Check<Attempts> = {
  id: 'joined-components/waited-for',
  source: `${SOURCE}; timeouts.controlPlaneComponentHealthCheck`,
  nothing: NOTHING,
  judge: ofKubeadm((attempts) =>
    attempts.filter(isRunning).flatMap((attempt) => {
      const { subject, components, running } = attempt;
      const sick = components.find(({ isWell }) => !isWell);
      const demanded = 'the client asks again until its time is over, and ends with an error';
      if (!failed(attempt)) return refusal({ subject, demanded, seen: endOf(attempt), ok: false });
      if (running === undefined) return [];
      const waited = sick === undefined ? 0 : sick.last - sick.first;
      const isShort = waited < running - EARLY;
      const isOver = inTime(waited - running - SLACK, attempt) === false;
      const told =
        sick === undefined
          ? 'and has asked nobody who is not well'
          : `and has asked for ${Math.round(waited / 1000)} s`;
      const finding = demand({ subject, demanded, seen: `${endOf(attempt)}, ${told}`, ok: !isShort && !isOver });
      return unlessStarved(finding, attempt);
    }),
  ),
};
