/** What kubeadm makes of a machine beside its credentials: what its kubelet is told, and when. */
import { text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import { octal } from '../node-files/file-mode.js';
import { bootstrapOf } from './joined-bootstrap.js';
import { CONFIG, each, indexOf, leftAt, type Machines, OWN_WAYS, ofKubeadm, UNWATCHED } from './joined-files.js';
import type { Done, FileSeen, Machine } from './joined-files-reader.js';
import { lossOf } from './joined-untouched.js';
import { NODE } from './joining-client-reader.js';

const FLAGS = '/var/lib/kubelet/kubeadm-flags.env';
const INSTANCE = '/var/lib/kubelet/instance-config.yaml';
const TAINTS = 'register-with-taints=';
type OfValue = (value: string, machine: Machine) => boolean;
const any: OfValue = () => true;
/**
 * Arguments that kubeadm itself has for a kubelet, or had, with what they may say: they count for more than what the
 * cluster says. Source: cmd/kubeadm/app/phases/kubelet/flags.go.
 */
const ITS_OWN = new Map<string, OfValue>([
  ['container-runtime-endpoint', any],
  ['hostname-override', (value, { node = NODE }) => value === node],
  ['pod-infra-container-image', any],
  ['container-runtime', (value) => value === 'remote'],
  ['network-plugin', (value) => value === 'cni'],
  ['cgroup-driver', (value, { kubelet }) => value === kubelet.cgroupDriver],
  ['resolv-conf', any],
]);
function isItsOwn(flag: string, machine: Machine): boolean {
  const [name = '', ...value] = flag.split('=');
  return value.length > 0 && ITS_OWN.get(name)?.(value.join('='), machine) === true;
}

/** The socket of the runtime in a configuration; undefined: it names none. */
function socketIn(machine: Machine, path: string): unknown {
  const held = leftAt(machine, path)?.held;
  return held?.kind === 'settings' ? held.settings.containerRuntimeEndpoint : undefined;
}

/** The socket of the runtime in the kubelet's configuration, or among its arguments. */
function socketOf(machine: Machine, flags: readonly string[]): unknown {
  const named = socketIn(machine, CONFIG);
  return flags.find((flag) => flag.startsWith('container-runtime-endpoint='))?.replace(/^[^=]*=/, '') ?? named;
}

function problemsOf(machine: Machine): readonly string[] {
  const held = leftAt(machine, FLAGS)?.held;
  if (held?.kind !== 'flags') return [`there is no ${FLAGS}`];
  const { flags } = held;
  const { socket, told, isWorker } = machine;
  // What is the machine's own is kept there for upgrades (since 1.34).
  const own = socketIn(machine, INSTANCE) ?? socket;
  const isOther = socket !== '' && [socketOf(machine, flags), own].some((one) => one !== socket);
  const other = isOther ? ['not the socket of its runtime'] : [];
  const lost = told.filter((flag) => !flags.includes(flag)).map((flag) => `not "${flag}"`);
  const isKnown = (flag: string): boolean =>
    flag.startsWith(TAINTS)
      ? isWorker && told.includes(flag)
      : flag === '' || told.includes(flag) || isItsOwn(flag, machine);
  const more = flags.filter((flag) => !isKnown(flag));
  return [...other, ...lost, ...more.map((flag) => `"${flag}" that nobody has told it`)];
}

/** A control plane is tainted by kubeadm later, not by its kubelet. */
export const kubeletTold: Check<Machines> = {
  id: 'joined-machine/kubelet-told',
  source: 'cmd/kubeadm/app/phases/kubelet/flags.go WriteKubeletDynamicEnvFile; config.go WriteInstanceConfigToDisk',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const problems = problemsOf(machine);
      return demand({
        subject: machine.subject,
        demanded: 'the kubelet is told its runtime, taints of a worker and arguments as the machine was',
        seen: problems.join(', ') || 'it is',
        ok: problems.length === 0,
      });
    }),
  ),
};

const STOP = 'stop kubelet';
/** What keeps a service from being started when its machine is, and what ends another one than the kubelet. */
const ENDS = /^(?:(?:disable|mask) |(?:stop|kill|isolate) (?!kubelet(?:\.service)?$))/;
const isStart = (one: Done): boolean => one.what === 'ran' && /^(re)?start /.test(one.path);
const wrote =
  (path: string) =>
  (one: Done): boolean =>
    one.what === 'wrote' && one.file.path === path;
/** What a kubelet reads when it is started. */
const written = [CONFIG, FLAGS] as const;

export const kubeletStopped: Check<Machines> = {
  id: 'joined-machine/kubelet-stopped',
  source: 'cmd/kubeadm/app/cmd/phases/join/kubelet.go runKubeletStartJoinPhase, TryStopKubelet',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const { subject, done } = machine;
      const demanded =
        'the service manager stops the kubelet before its configuration is written, disables nothing, and ends nothing else';
      if (done === undefined) return demand({ subject, demanded, seen: UNWATCHED, ok: undefined });
      const config = indexOf(machine, wrote(CONFIG));
      const stop = indexOf(machine, (one) => one.what === 'ran' && one.path === STOP);
      const start = indexOf(machine, isStart);
      const ends = done.flatMap((one) => (one.what === 'ran' && ENDS.test(one.path) ? one.path : []))[0];
      const isAgain = start >= 0 && written.some((path) => indexOf(machine, wrote(path)) > start);
      const seen =
        ends !== undefined
          ? `it is told to ${ends}`
          : stop < 0
            ? 'it does not'
            : stop > config
              ? 'it does so after that'
              : isAgain
                ? 'it does, and starts it before all is written'
                : 'it does';
      return demand({ subject, demanded, seen, ok: stop >= 0 && stop < config && !isAgain && ends === undefined });
    }),
  ),
};

/** Without what it needs it would be started again and again. */
export const kubeletNotStarted: Check<Machines> = {
  id: 'joined-machine/kubelet-not-started',
  source: 'cmd/kubeadm/app/cmd/phases/join/kubelet.go runKubeletStartJoinPhase',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each(({ subject, done }) => {
      const demanded = 'the service manager does not start the kubelet';
      if (done === undefined) return refusal({ subject, demanded, seen: UNWATCHED, ok: undefined });
      const started = done.find(isStart);
      return refusal({
        subject,
        demanded,
        seen: started === undefined ? 'it does not' : 'it does',
        ok: started === undefined,
      });
    }),
  ),
};

/** It is made of what was validated, and of nothing that somebody says besides. */
export const bootstrapPlain: Check<Machines> = {
  id: 'joined-machine/bootstrap-plain',
  source: 'cmd/kubeadm/app/discovery/discovery.go For; util/kubeconfig/kubeconfig.go CreateWithToken',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const besides = bootstrapOf(machine)?.besides;
      return demand({
        subject: machine.subject,
        demanded: 'the bootstrap kubeconfig says server, CA and one credential, and nothing else',
        seen: besides === undefined ? 'there is none' : besides.join(', ') || 'so it does',
        ok: besides?.length === 0,
      });
    }),
  ),
};

export const tokenLeftNowhere: Check<Machines> = {
  id: 'joined-machine/token-left-nowhere',
  source: '001, only trusted parties know the secret; cmd/kubeadm/app/cmd/phases/join/kubelet.go, os.Remove',
  judge: each(({ subject, left, beside = [] }) => {
    const holding = [...left, ...beside].filter(({ token }) => token === true).map(({ path }) => path);
    return refusal({
      subject,
      demanded: 'no file that the client leaves holds the token of TLS bootstrap or the certificate key',
      seen: holding.join(', ') || `none of ${left.length} does`,
      ok: holding.length === 0,
    });
  }),
};

/** Of a client that is told its token by its environment, or in an argument, nobody looks whether it gives that on. */
export const tokenGivenToNobody: Check<Machines> = {
  id: 'joined-machine/token-given-to-nobody',
  source: '001, only trusted parties know the secret; cmd/kubeadm/app/util/initsystem/initsystem_unix.go',
  judge: each(({ subject, done, given: others = [] }) => {
    const demanded =
      'no program that the client starts is given the token of TLS bootstrap, the certificate key or a private key';
    if (done === undefined) return refusal({ subject, demanded, seen: UNWATCHED, ok: undefined });
    const ran = done.flatMap((one) => (one.what === 'ran' ? [one] : []));
    const given = [
      ...ran.filter(({ token }) => token === true).map(({ path }) => `"systemctl ${path}" is`),
      ...others.map((name) => `"${name}" is, in its arguments`),
    ];
    return refusal({
      subject,
      demanded,
      seen: given.join(', ') || `none of ${ran.length} is`,
      ok: given.length === 0,
    });
  }),
};

/** A kubeconfig that anybody may have written names a program, which the service manager hears of where it is run. */
export const pluginNotRun: Check<Machines> = {
  id: 'joined-machine/plug-in-not-run',
  source: 'cmd/kubeadm/app/discovery/token/token.go; client-go, plugin/pkg/client/auth/exec',
  judge: each(({ subject, done }) => {
    const demanded = 'the plug-in that the kubeconfig of cluster-info names is not run';
    if (done === undefined) return refusal({ subject, demanded, seen: UNWATCHED, ok: undefined });
    const isRun = done.some((one) => one.what === 'ran' && one.path.endsWith(' plug-in'));
    return refusal({ subject, demanded, seen: isRun ? 'it is' : 'it is not', ok: !isRun });
  }),
};

/** Names with a date in them change from run to run. */
const undated = (path: string): string => path.replace(/\d{4}(-\d\d){5}/, 'DATE');

export const nobodyElseWrites: Check<Machines> = {
  id: 'joined-machine/nobody-else-writes',
  source: 'cmd/kubeadm/app/phases/kubelet/config.go, flags.go; client-go, util/cert WriteCert',
  judge: each(({ subject, left, folders = [] }) => {
    // What only its owner may take away from a folder he may write all the same.
    const isSticky = (mode: number): boolean => (mode & 0o1000) !== 0;
    const all = [...left, ...folders.filter(({ mode, isForeign }) => isForeign === true || !isSticky(mode))];
    const open = all
      .filter(({ mode, isForeign }) => isForeign === true || (mode & 0o022) !== 0)
      .map(({ path, isForeign }) => `${undated(path)}${isForeign === true ? ', of another user' : ''}`);
    return refusal({
      subject,
      demanded:
        'no file or folder that the client leaves may be written by a group, or by everybody, or is of another user',
      seen: open.join('; ') || `none of ${all.length} may, or is`,
      ok: open.length === 0,
    });
  }),
};

export const instanceKept: Check<Machines> = {
  id: 'joined-machine/instance-kept',
  source: 'cmd/kubeadm/app/phases/kubelet/config.go WriteInstanceConfigToDisk',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const named = socketIn(machine, INSTANCE);
      // Who is told none takes that of the system, which moved.
      const socket = machine.socket || text(socketIn(machine, CONFIG));
      return demand({
        subject: machine.subject,
        demanded: `${INSTANCE} names the runtime ${machine.socket || 'that the kubelet is told'}`,
        seen: named === undefined ? 'there is no such file, or it names none' : `it names ${named}`,
        ok: socket !== '' && named === socket,
      });
    }),
  ),
};

/** Certificates and public keys. What a kubelet is told is read by root: hardened machines keep it from others. */
const PUBLIC = /^\/etc\/kubernetes\/pki\/(?:.*\.crt|sa\.pub)$/;

/** Those who verify by them are not always root. */
export const everybodyReads: Check<Machines> = {
  id: 'joined-machine/everybody-reads',
  source: 'client-go, util/cert WriteCert; cmd/kubeadm/app/util/pkiutil WritePublicKey',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each(({ subject, left }) => {
      const all = left.filter(({ path }) => PUBLIC.test(path));
      const closed = all
        .filter(({ mode }) => (mode & 0o044) !== 0o044)
        .map(({ path, mode }) => `${path}: ${octal(mode)}`);
      return demand({
        subject,
        demanded: 'certificates and public keys may be read by everybody',
        seen: closed.slice(0, 5).join(', ') || (all.length === 0 ? 'none of them is there' : 'they may'),
        ok: all.length > 0 && closed.length === 0,
      });
    }),
  ),
};

const SHARED = /^\/etc\/kubernetes\/(manifests|pki)\//;

/** What a control plane runs with is there when its kubelet starts, which runs it. */
export const controlPlaneFirst: Check<Machines> = {
  id: 'joined-machine/control-plane-first',
  source: 'cmd/kubeadm/app/cmd/join.go, control-plane-prepare before kubelet-start',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const { subject, done } = machine;
      const demanded = 'certificates and manifests of a control plane are written before the kubelet is started';
      if (done === undefined) return demand({ subject, demanded, seen: UNWATCHED, ok: undefined });
      const start = indexOf(machine, (one) => one.what === 'ran' && /start/.test(one.path));
      const writes = done.flatMap((one, index) =>
        one.what === 'wrote' && SHARED.test(one.file.path) ? [{ path: one.file.path, isLate: index > start }] : [],
      );
      const late = writes.filter(({ isLate }) => isLate).map(({ path }) => path);
      const seen = start < 0 ? 'the kubelet is not started' : late.join(', ') || `${writes.length} are there before`;
      return demand({ subject, demanded, seen, ok: start >= 0 && writes.length > 0 && late.length === 0 });
    }),
  ),
};

export const caSavedAt: Check<Machines, { readonly path: string }> = {
  id: 'joined-machine/ca-saved-at',
  source: 'cmd/kubeadm/app/cmd/phases/join/kubelet.go, caCertPath',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine, { path }) => {
      const isCa = ({ held }: FileSeen): boolean => held.kind === 'certificates' && held.isTrueCa;
      const file = leftAt(machine, path);
      const others = machine.left.filter((one) => one.path !== path && isCa(one)).map((one) => one.path);
      const isThere = file !== undefined && isCa(file);
      const at = others.length === 0 ? '' : `, and so is ${others.join(', ')}`;
      return demand({
        subject: machine.subject,
        demanded: `${path} is the CA of the cluster, and no other file is`,
        seen: file === undefined ? 'there is no such file' : `${isThere ? 'it is' : 'something else'}${at}`,
        ok: isThere && others.length === 0,
      });
    }),
  ),
};

/** Of a control plane: the API server that it is about to run itself. */
export const bootstrapOwnServer: Check<Machines> = {
  id: 'joined-machine/bootstrap-own-server',
  source: 'cmd/kubeadm/app/cmd/phases/join/kubelet.go, GetLocalAPIEndpoint; feature ControlPlaneKubeletLocalMode',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const server = bootstrapOf(machine)?.server;
      return demand({
        subject: machine.subject,
        demanded: "the server of a control plane's bootstrap kubeconfig is its own",
        seen: server ?? 'there is none',
        ok: server === machine.ownServer,
      });
    }),
  ),
};

/** Of files that were there before only those that were written are left. */
export const fileKept: Check<Machines, { readonly path: string }> = {
  id: 'joined-machine/file-kept',
  source: 'cmd/kubeadm/app/cmd/phases/join/kubelet.go, os.IsNotExist of caPath',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine, { path }) => {
      const lost = lossOf(machine, path);
      return refusal({
        subject: machine.subject,
        demanded: `the machine joins, and ${path} is kept as it was`,
        seen: `it ends with ${machine.exit}, and ${lost ?? 'it is'}`,
        ok: machine.exit === 0 && lost === undefined,
      });
    }),
  ),
};
