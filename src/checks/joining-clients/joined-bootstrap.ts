/** The bootstrap kubeconfig of a machine that joins: where it is written, what it says, and when it is there. */
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import { isOpen, octal } from '../node-files/file-mode.js';
import {
  BOOTSTRAP,
  each,
  indexOf,
  type Kubeconfig,
  kubeconfigOf,
  leftAt,
  type Machines,
  OWN_WAYS,
  ofKubeadm,
  onDone,
  UNWATCHED,
  type Wrote,
  wroteOf,
} from './joined-files.js';
import type { Machine } from './joined-files-reader.js';
import { eachDeed, unlessStarved } from './joining-attempts.js';

const JOIN = '002, TLS bootstrap; cmd/kubeadm/app/cmd/phases/join/kubelet.go';

/** bootstrap-kubelet.conf, as it was written. */
export const bootstrapOf = (machine: Machine): Kubeconfig | undefined =>
  kubeconfigOf(wroteOf(machine, BOOTSTRAP)?.file);

/** A demand on the bootstrap kubeconfig as it was written; unclear where nobody watched. */
const onBootstrap =
  (demanded: string, look: (config: Kubeconfig, machine: Machine) => { readonly seen: string; readonly ok: boolean }) =>
  (machine: Machine): Finding => {
    const { subject } = machine;
    if (machine.done === undefined) return demand({ subject, demanded, seen: UNWATCHED, ok: undefined });
    const config = bootstrapOf(machine);
    if (config === undefined)
      return unlessStarved(
        demand({ subject, demanded, seen: `no kubeconfig is written to ${BOOTSTRAP}`, ok: false }),
        machine,
      );
    return demand({ subject, demanded, ...look(config, machine) });
  };

/** Where it lies. */
export const bootstrapWritten: Check<Machines> = {
  id: 'joined-bootstrap/written',
  source: `${JOIN}; 000, GetBootstrapKubeletKubeConfigPath`,
  judge: eachDeed(
    onBootstrap(`a bootstrap kubeconfig is written to ${BOOTSTRAP}`, () => ({ seen: 'it is', ok: true })),
  ),
};

/** Its server is the one of the cluster, or of a control plane its own. */
export const bootstrapServer: Check<Machines> = {
  id: 'joined-bootstrap/server',
  source: `${JOIN}; 000, CreateWithToken`,
  judge: eachDeed(
    onBootstrap('its server is that of cluster-info, or of a control plane its own', ({ server }, machine) => ({
      seen: server,
      ok: server === machine.server || (machine.ownServer !== '' && server === machine.ownServer),
    })),
  ),
};
export const bootstrapCa: Check<Machines> = {
  id: 'joined-bootstrap/ca',
  source: `${JOIN}; 000, CreateWithToken`,
  judge: eachDeed(
    onBootstrap('its CA is that of the cluster', ({ isTrueCa }) => ({
      seen: isTrueCa ? 'it is' : 'another, or none',
      ok: isTrueCa,
    })),
  ),
};
/** Of several clusters the one of the context, or none. */
export const bootstrapOfContext: Check<Machines> = {
  id: 'joined-bootstrap/of-context',
  source: 'cmd/kubeadm/app/util/kubeconfig/kubeconfig.go GetClusterFromKubeConfig',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each(
      onDone(
        'the bootstrap kubeconfig has server and CA of the cluster that counts, or the join fails',
        (_, machine) => {
          const { exit } = machine;
          const config = bootstrapOf(machine);
          const isRefused = config === undefined && exit !== null && exit !== 0;
          const isServer = config?.server === machine.server;
          const isIts = config?.isTrueCa === true && isServer;
          const held = isIts ? 'so it has' : isServer ? 'another CA' : 'another server';
          const seen = config === undefined ? `none is written, and it ends with ${exit}` : held;
          return { seen, ok: isRefused || isIts };
        },
      ),
    ),
  ),
};

/** What it would name lies where the machine was told its discovery file, and not where the kubelet looks. */
export const bootstrapEmbedded: Check<Machines> = {
  id: 'joined-bootstrap/embedded',
  source: 'cmd/kubeadm/app/util/kubeconfig/kubeconfig.go EnsureAuthenticationInfoAreEmbedded',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    eachDeed(
      onBootstrap('its certificate and its key stand in it', ({ shows, certificate, key }) => {
        const named = [certificate, key].flatMap((part) => ('file' in part ? [part.file || 'nothing'] : []));
        return {
          seen: `${shows}${named.length === 0 ? '' : `, of ${named.join(', ')}`}`,
          ok: shows === 'a certificate' && named.length === 0,
        };
      }),
    ),
  ),
};

export const bootstrapToken: Check<Machines> = {
  id: 'joined-bootstrap/token',
  source: `${JOIN}; 000, TLS bootstrap token`,
  judge: eachDeed(
    onBootstrap('its credential is the token of TLS bootstrap', ({ shows }) => ({
      seen: shows,
      ok: shows === 'its token',
    })),
  ),
};
export const bootstrapNames: Check<Machines> = {
  id: 'joined-bootstrap/names',
  source: '000, For: DefaultClusterName, TokenUser',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    eachDeed(
      onBootstrap(
        'it has one cluster, "kubernetes", the user "tls-bootstrap-token-user", and the context of both',
        ({ cluster, user, context, isOneCluster }) => ({
          seen: `cluster "${cluster}", user "${user}", context "${context}"${isOneCluster ? '' : ', and further clusters'}`,
          ok:
            cluster === 'kubernetes' &&
            user === 'tls-bootstrap-token-user' &&
            context === `${user}@${cluster}` &&
            isOneCluster,
        }),
      ),
    ),
  ),
};

/** Written once the cluster is known, and not before. */
export const bootstrapAfterDiscovery: Check<Machines> = {
  id: 'joined-bootstrap/after-discovery',
  source: `${JOIN}; 000, discovery before kubelet-start`,
  judge: each((machine) => {
    const { subject, done, discovered } = machine;
    const demanded = 'nothing is written before cluster-info was read for the last time';
    if (done === undefined) return refusal({ subject, demanded, seen: UNWATCHED, ok: undefined });
    const early = done.filter((one): one is Wrote => one.what === 'wrote' && one.after <= discovered);
    const seen = early.map(({ file }) => file.path).join(', ') || 'so it is';
    return refusal({ subject, demanded, seen, ok: discovered >= 0 && early.length === 0 });
  }),
};

/** It is there before the kubelet is started that needs it. */
export const bootstrapBeforeKubelet: Check<Machines> = {
  id: 'joined-bootstrap/before-kubelet',
  source: `${JOIN} runKubeletStartJoinPhase`,
  judge: each(
    onDone(
      'the bootstrap kubeconfig is written before the kubelet is started and asks for its certificate',
      (done, machine) => {
        const { requested } = machine;
        const written = indexOf(machine, (one) => one.what === 'wrote' && one.file.path === BOOTSTRAP);
        const started = indexOf(machine, (one) => one.what === 'ran' && /restart|start/.test(one.path));
        const late = started >= 0 && written > started ? 'after the kubelet is started' : '';
        const asked = (done[written]?.after ?? 0) > requested ? 'after a certificate was asked for' : '';
        const ok = written >= 0 && late === '' && (requested < 0 || asked === '');
        return { seen: written < 0 ? 'it is not written' : late || asked || 'so it is', ok };
      },
    ),
  ),
};

/**
 * Its mode where it could not be written whole: with it the file was made. Other clients may make it before it holds
 * anything; who takes it away again at once is seen by nobody.
 */
export const bootstrapClosedAtOnce: Check<Machines> = {
  id: 'joined-bootstrap/closed-at-once',
  source: 'client-go, tools/clientcmd WriteToFile',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    eachDeed(
      onDone('the bootstrap kubeconfig is made readable by its owner only', (_, machine) => {
        const mode = wroteOf(machine, BOOTSTRAP)?.file.mode;
        return {
          seen: mode === undefined ? 'it is not written' : octal(mode),
          ok: mode === undefined || !isOpen(mode),
        };
      }),
    ),
  ),
};

/** What was taken away once and is taken away again was there again, however short that was. */
export const bootstrapGoneForGood: Check<Machines> = {
  id: 'joined-bootstrap/gone-for-good',
  source: `${JOIN}, deferred removal`,
  judge: each((machine) => {
    const { subject, done } = machine;
    const demanded = 'the bootstrap kubeconfig does not come back';
    if (done === undefined) return refusal({ subject, demanded, seen: UNWATCHED, ok: undefined });
    const times = done.filter((one) => one.what === 'removed' && one.path === BOOTSTRAP).length;
    const seen = times > 1 ? `it is taken away ${times} times` : 'it does not';
    return refusal({ subject, demanded, seen, ok: times <= 1 });
  }),
};

/** It is gone in the end, however that was. */
export const bootstrapGone: Check<Machines> = {
  id: 'joined-bootstrap/gone',
  source: `${JOIN}, deferred removal; 000, defer os.Remove`,
  judge: each((machine) => {
    const { subject, done, exit } = machine;
    const isLeft = leftAt(machine, BOOTSTRAP) !== undefined;
    const wasThere = done === undefined || wroteOf(machine, BOOTSTRAP) !== undefined;
    const seen = isLeft
      ? `it is there after the client has ended with ${exit}`
      : wasThere
        ? 'it is gone'
        : 'it was never there';
    return refusal({
      subject,
      demanded: 'the bootstrap kubeconfig is gone when the client has ended',
      seen,
      ok: !isLeft && wasThere,
    });
  }),
};
