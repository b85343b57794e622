/** The service of the kubelet. Source: cmd/kubeadm/app/phases/kubelet/kubelet.go TryStartKubelet, TryStopKubelet. */
import type { JoiningDecisions } from './decisions/index.js';
import { JoinFailed } from './failures.js';
import type { Machine } from './ports.js';

/** Stops a kubelet that runs, before its configuration changes. What cannot be done is told. */
export function stopKubelet({ services, tell }: Machine, decisions: JoiningDecisions): void {
  if (services === undefined || !services.hasKubelet()) return;
  for (const command of decisions.stopCommands()) {
    const why = services.run(command);
    if (why !== undefined) tell(`[kubelet-start] WARNING: unable to stop the kubelet service momentarily: [${why}]`);
  }
}

/** Lets the service manager load what was written. What cannot be done is told, and is left to people. */
export function restartKubelet(machine: Machine, decisions: JoiningDecisions): void {
  const { services } = machine;
  const passedOver = (what: string): void => {
    const line = `${what} the kubelet is running properly.`;
    if (!decisions.goesOnWithoutService()) throw new JoinFailed(line);
    machine.tell(`[kubelet-start] ${line}`);
  };
  if (services === undefined) {
    passedOver("No supported init system detected, won't make sure");
    return;
  }
  if (!services.hasKubelet()) {
    passedOver("Couldn't detect a kubelet service, can't make sure");
    if (!decisions.restartsUnknownService()) return;
  }
  for (const command of decisions.restartCommands()) {
    const why = services.run(command);
    if (why === undefined) continue;
    const line = `unable to start the kubelet service: [${why}]`;
    if (!decisions.goesOnWithoutRestart()) throw new JoinFailed(line);
    machine.tell(`[kubelet-start] WARNING: ${line}`);
    machine.tell('[kubelet-start] Please ensure kubelet is reloaded and running manually.');
    return;
  }
}
