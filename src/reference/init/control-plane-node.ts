/** Shows the machine that init ran on, as its kubelet does: its Node and the mirror Pods of the static Pods. */
import { rfc3339 } from '../../apiserver/clock.js';
import { controllersFlag, type ExtraArgs } from '../../kubeadm/flags.js';
import { controlPlaneNode, controlPlanePods } from '../../kubeadm/phases/control-plane-node.js';
import { authenticationArguments } from '../../kubernetes/authentication-flags.js';
import { type ReferenceOptions, SWITCHABLE_CONTROLLERS } from '../options.js';
import { type Init, write, writeAll } from './run-init.js';

/** What the flags of the static Pods say of the switches. */
function extraArgsOf(options: ReferenceOptions): ExtraArgs {
  const { bootstrapTokenAuth, anonymousAuth, clusterSigningDuration, serviceAccountCredentials } = options;
  const off = SWITCHABLE_CONTROLLERS.filter((name) => options.controllers?.[name] === false);
  const given = (name: string, value: unknown): Readonly<Record<string, string>> =>
    value === undefined ? {} : { [name]: String(value) };
  const seconds = clusterSigningDuration === undefined ? undefined : `${clusterSigningDuration / 1000}s`;
  return {
    'kube-apiserver': {
      ...given('enable-bootstrap-token-auth', bootstrapTokenAuth),
      // Paths stand in a file.
      ...given('anonymous-auth', typeof anonymousAuth === 'boolean' ? anonymousAuth : undefined),
      ...authenticationArguments(options.authentication ?? {}, '/etc/kubernetes'),
    },
    'kube-controller-manager': {
      ...(off.length === 0 ? {} : { controllers: controllersFlag(off) }),
      ...given('cluster-signing-duration', seconds),
      ...given('use-service-account-credentials', serviceAccountCredentials),
    },
  };
}

/** All that the static Pods are told beyond kubeadm's defaults. */
export const argumentsGiven = (options: ReferenceOptions): ExtraArgs => ({
  ...extraArgsOf(options),
  ...options.extraArgs,
});

/** Writes the control plane's Node and mirror Pods. */
export function showNode(init: Init, extraArgs: ExtraArgs): void {
  const now = rfc3339(init.clock.now());
  const node = write(init, controlPlaneNode(init.facts, now));
  writeAll(init, controlPlanePods(init.facts, node, extraArgs, now));
}
