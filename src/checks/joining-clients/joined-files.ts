/** What a joining client writes, keeps and takes away on its machine. */
import { posix } from 'node:path';
import { type Fields, record, records, texts } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import { isOpen, octal } from '../node-files/file-mode.js';
import type { Done, FileSeen, Held, Machine, Part, Pins } from './joined-files-reader.js';
import { eachDeed, unlessStarved } from './joining-attempts.js';

export const KUBELET = '/etc/kubernetes/kubelet.conf';
export const BOOTSTRAP = '/etc/kubernetes/bootstrap-kubelet.conf';
export const CA = '/etc/kubernetes/pki/ca.crt';
export const CONFIG = '/var/lib/kubelet/config.yaml';

export type Machines = readonly Machine[];
export type Kubeconfig = Extract<Held, { kind: 'kubeconfig' }>;

export const each = <P = undefined>(look: (machine: Machine, parameters: P) => Finding): Check<Machines, P>['judge'] =>
  eachDeed((machine: Machine, parameters: P) => unlessStarved(look(machine, parameters), machine));

/** Of machines that are set up in kubeadm's ways. */
export const ofKubeadm =
  <P>(judge: Check<Machines, P>['judge']): Check<Machines, P>['judge'] =>
  (machines, parameters) =>
    judge(
      machines.filter(({ ownWays }) => ownWays !== true),
      parameters,
    );
export const OWN_WAYS = 'the client has ways of its own: it does not speak as kubeadm does';

export const UNWATCHED = 'nobody watched what was written';
/** A demand on what was done on a machine; unclear where nobody watched. */
export const onDone =
  (
    demanded: string,
    look: (done: readonly Done[], machine: Machine) => { readonly seen: string; readonly ok: boolean },
  ) =>
  (machine: Machine): Finding => {
    const { subject, done } = machine;
    return demand({
      subject,
      demanded,
      ...(done === undefined ? { seen: UNWATCHED, ok: undefined } : look(done, machine)),
    });
  };
export type Wrote = Extract<Done, { what: 'wrote' }>;
export const wroteOf = ({ done = [] }: Machine, path: string): Wrote | undefined =>
  done.find((one): one is Wrote => one.what === 'wrote' && one.file.path === path);
export const indexOf = ({ done = [] }: Machine, is: (one: Done) => boolean): number => done.findIndex(is);
export const leftAt = ({ left }: Machine, path: string): FileSeen | undefined =>
  left.find((file) => file.path === path);
/** The file that half a credential lies in; '' where it lies in none. */
export const fileOf = (part: Part): string => ('file' in part ? part.file : '');
/** A file by its path, which kubelet.conf may tell from its own folder. */
export const besideKubeconfig = (file: string): string => posix.resolve(posix.dirname(KUBELET), file);
/** The private key that a file holds, by its pin; '' where it holds none. */
export const keyOf = (held: Held | undefined): string =>
  held?.kind === 'key' ? held.key : held?.kind === 'kubeconfig' && 'inline' in held.key ? held.key.inline.key : '';
export const kubeconfigOf = (file: FileSeen | undefined): Kubeconfig | undefined =>
  file?.held.kind === 'kubeconfig' ? file.held : undefined;
/** The spec of the Pod that a component is, as the manifest that is left says it; undefined where there is none. */
export function manifestPod(machine: Machine, component: string): Fields | undefined {
  const held = leftAt(machine, `/etc/kubernetes/manifests/${component}.yaml`)?.held;
  return held?.kind === 'settings' ? record(held.settings.spec) : undefined;
}
/** Flags of a component, as the manifest that is left says them: the last of each; undefined where there is none. */
export function manifestFlags(machine: Machine, component: string): ReadonlyMap<string, string> | undefined {
  const pod = manifestPod(machine, component);
  if (pod === undefined) return undefined;
  const command = records(pod.containers).flatMap((one) => texts(one.command));
  return new Map(
    command.flatMap((one) => {
      const at = one.indexOf('=');
      return at < 0 || !one.startsWith('--') ? [] : [[one.slice(2, at), one.slice(at + 1)] as const];
    }),
  );
}
const NOWHERE: Part = { file: '' };
/** Of half a credential: what it holds itself, or the file that it names, from the folder of kubelet.conf on. */
function pinsOf(machine: Machine, part: Part): Pins | undefined {
  if ('inline' in part) return part.inline;
  const held = part.file === '' ? undefined : leftAt(machine, besideKubeconfig(part.file))?.held;
  if (held === undefined) return undefined;
  return held.kind === 'key' || held.kind === 'certificates' ? held : { certificate: '', key: '' };
}
const lacks = (part: Part): string => `no file "${'file' in part ? part.file : ''}"`;

/** kubelet.conf is there, and shows a certificate. */
export const kubeletWritten: Check<Machines> = {
  id: 'joined-files/kubelet-written',
  source: '002, constants; 000, GetKubeletKubeConfigPath',
  judge: each((machine) => {
    const config = kubeconfigOf(leftAt(machine, KUBELET));
    const seen = config === undefined ? 'there is none' : 'it is there';
    return demand({
      subject: machine.subject,
      demanded: `a kubeconfig is left at ${KUBELET}`,
      seen,
      ok: config !== undefined,
    });
  }),
};
/** Without a certificate to name there is none. */
export const kubeletUnwritten: Check<Machines> = {
  id: 'joined-files/kubelet-unwritten',
  source: 'pkg/kubelet/certificate/bootstrap/bootstrap.go LoadClientCert',
  judge: each((machine) => {
    const isLeft = leftAt(machine, KUBELET) !== undefined;
    return demand({
      subject: machine.subject,
      demanded: `no kubeconfig is left at ${KUBELET} before there is a certificate`,
      seen: isLeft ? 'it is there' : 'there is none',
      ok: !isLeft,
    });
  }),
};
export const kubeletShowsCertificate: Check<Machines> = {
  id: 'joined-files/kubelet-shows-certificate',
  source: '004, step 6; pkg/kubelet/certificate/bootstrap/bootstrap.go',
  judge: each((machine) => {
    const shows = kubeconfigOf(leftAt(machine, KUBELET))?.shows ?? 'there is none';
    return demand({
      subject: machine.subject,
      demanded: 'kubelet.conf authenticates with a certificate, and holds no token',
      seen: shows,
      ok: shows === 'a certificate',
    });
  }),
};
/** Whoever stands between would be given what the kubelet reads and writes. */
export const kubeletVerifies: Check<Machines> = {
  id: 'joined-files/kubelet-verifies',
  source: '004, step 4; pkg/kubelet/certificate/bootstrap/bootstrap.go',
  judge: each((machine) => {
    const config = kubeconfigOf(leftAt(machine, KUBELET));
    const { server = '', caFile = '', isTrueCa = false, isBlind = false } = config ?? {};
    const named = caFile === '' ? undefined : leftAt(machine, besideKubeconfig(caFile))?.held;
    const isTrue = isTrueCa || (named?.kind === 'certificates' && named.isTrueCa);
    const believes = isBlind
      ? 'whatever certificate is shown'
      : isTrue
        ? 'the CA of the cluster'
        : 'another CA, or none';
    return demand({
      subject: machine.subject,
      demanded: 'kubelet.conf asks a server over https, and believes the CA of the cluster alone',
      seen: config === undefined ? 'there is none' : `it asks ${server}, and believes ${believes}`,
      ok: /^https:/i.test(server) && isTrue && !isBlind,
    });
  }),
};
/** The halves of the credential are those of a key that a certificate was asked for, wherever they lie. */
const hasPairOf = (demanded: string, keysOf: (machine: Machine) => readonly string[]): Check<Machines>['judge'] =>
  each((machine) => {
    const { certificate = NOWHERE, key = NOWHERE } = kubeconfigOf(leftAt(machine, KUBELET)) ?? {};
    const [shown, own] = [pinsOf(machine, certificate), pinsOf(machine, key)];
    const isPair = shown?.certificate !== '' && own?.key !== '' && shown?.certificate === own?.key;
    const isOwn = isPair && own?.key !== undefined && keysOf(machine).includes(own.key);
    const lost = shown === undefined ? certificate : own === undefined ? key : undefined;
    const seen = lost !== undefined ? lacks(lost) : isOwn ? 'it is' : isPair ? 'a pair of another key' : 'no pair';
    return demand({ subject: machine.subject, demanded, seen, ok: isOwn });
  });
export const kubeletHasPair: Check<Machines> = {
  id: 'joined-files/kubelet-has-pair',
  source: '000, step 15; 004, step 6; pkg/kubelet/certificate/bootstrap/bootstrap.go',
  judge: hasPairOf(
    'the file that kubelet.conf names holds the certificate and the key that it was asked for',
    ({ certified }) => (certified === '' ? [] : [certified]),
  ),
};
/** Who is started again goes on with what lies there. */
export const kubeletHasRenewed: Check<Machines> = {
  id: 'joined-files/kubelet-has-renewed',
  source: 'client-go, util/certificate/certificate_store.go Update',
  judge: hasPairOf(
    'the file that kubelet.conf names holds a certificate and a key that were renewed',
    ({ renewed = [] }) => renewed,
  ),
};

export const caSaved: Check<Machines> = {
  id: 'joined-files/ca-saved',
  source: '002, TLS bootstrap',
  judge: each((machine) => {
    const held = leftAt(machine, CA)?.held;
    const ok = held?.kind === 'certificates' && held.isTrueCa;
    const seen = held === undefined ? 'there is no such file' : ok ? 'it is' : 'something else';
    return demand({ subject: machine.subject, demanded: `${CA} is the CA of the cluster`, seen, ok });
  }),
};

/** Of the node itself, not of the cluster's configuration. Since 1.34, and 1.31. */
const OF_THE_NODE = ['containerRuntimeEndpoint', 'resolvConf'];

/** Numbers that may be left out, so that zero is something else. Source: kubelet/config/v1beta1/types.go, pointers. */
const OPTIONAL_NUMBERS = new Set(
  (
    'registryPullQPS eventRecordQPS healthzPort oomScoreAdj imageGCHighThresholdPercent imageGCLowThresholdPercent ' +
    'podPidsLimit nodeStatusMaxImages kubeAPIQPS maxParallelImagePulls iptablesMasqueradeBit iptablesDropBit ' +
    'containerLogMaxFiles containerLogMaxWorkers memoryThrottlingFactor idsPerPod'
  ).split(' '),
);
/** A zero value, which says as much as none. */
const saysNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  ['0s', '0', '', 0].some((zero) => value === zero) ||
  (typeof value === 'object' && Object.values(value).every(saysNothing));
const keysOf = (...some: readonly unknown[]): readonly string[] => [
  ...new Set(some.flatMap((one) => Object.keys(record(one)))),
];
const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Maps have no order, and what says nothing in them is not missed. */
const isSame = (a: unknown, b: unknown): boolean =>
  (saysNothing(a) && saysNothing(b)) ||
  (isMap(a) && isMap(b)
    ? keysOf(a, b).every((key) => isSame(record(a)[key], record(b)[key]))
    : JSON.stringify(a) === JSON.stringify(b));
const isSameField = (key: string, a: unknown, b: unknown): boolean =>
  OPTIONAL_NUMBERS.has(key) ? (a ?? null) === (b ?? null) : isSame(a, b);

export const kubeletConfigured: Check<Machines> = {
  id: 'joined-files/kubelet-configured',
  source: '000, step 1; cmd/kubeadm/app/phases/kubelet/config.go',
  judge: each((machine) => {
    const held = leftAt(machine, CONFIG)?.held;
    const settings = held?.kind === 'settings' ? held.settings : undefined;
    const other = keysOf(settings, machine.kubelet)
      .filter((key) => !OF_THE_NODE.includes(key))
      .filter((key) => !isSameField(key, settings?.[key], machine.kubelet[key]));
    const seen =
      settings === undefined
        ? 'there is no such file'
        : other.length === 0
          ? 'it does'
          : `other: ${other.sort().join(', ')}`;
    return demand({
      subject: machine.subject,
      demanded: `${CONFIG} says what kubelet-config says`,
      seen,
      ok: settings !== undefined && other.length === 0,
    });
  }),
};

/** Commands that the service manager ran, in this order. */
export const kubeletRestarted: Check<Machines, { readonly commands: readonly string[] }> = {
  id: 'joined-files/kubelet-restarted',
  source: '000, TryStartKubelet; cmd/kubeadm/app/util/initsystem',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine, { commands }) => {
      const { subject, done } = machine;
      const demanded = `the service manager is told to ${commands.join(', then to ')}`;
      if (done === undefined) return demand({ subject, demanded, seen: UNWATCHED, ok: undefined });
      const config = indexOf(machine, (one) => one.what === 'wrote' && one.file.path === CONFIG);
      const ran = done.flatMap((one, index) => (one.what === 'ran' && index > config ? [one.path] : []));
      const ok = config >= 0 && ran.join() === commands.join();
      return demand({ subject, demanded, seen: ran.join(', then ') || 'nothing, once the configuration is there', ok });
    }),
  ),
};

const isSecret = ({ held, path }: FileSeen): boolean =>
  held.kind === 'kubeconfig' || held.kind === 'key' || /\.key$/.test(path);

/** It holds a token or a key itself. */
const isCredential = ({ token, held }: FileSeen): boolean =>
  token === true || held.kind === 'key' || (held.kind === 'kubeconfig' && 'inline' in held.key);

/** Whatever holds a token or a key is for root alone, from the moment on when it does. */
export const secretsClosed: Check<Machines> = {
  id: 'joined-files/secrets-closed',
  source: '001, only trusted parties know the secret; client-go, tools/clientcmd WriteToFile',
  judge: (machines) =>
    machines.flatMap(({ subject, done = [], left, beside = [], passing = [] }) => {
      const written = done.flatMap((one) => (one.what === 'wrote' ? [one.file] : []));
      // what others have in a home holds nothing of this machine
      const besides = [...passing, ...beside].filter(isCredential);
      // what was emptied, or written over, held it all the same
      const held = [...written, ...left].filter((file) => isSecret(file) || isCredential(file));
      const finals = new Map([...held, ...besides].map((file) => [file.path, file]));
      // of dated files of one kind the open one is judged
      const files = new Map([...finals.values()].sort(openLast).map((file) => [pathOf(file), file]));
      const opened = written.filter((file) => isCredential(file) && isOpen(file.mode));
      return [...files].sort().map(([path, file]) => {
        const before = opened.find((one) => pathOf(one) === path) ?? file;
        const isForeign = file.isForeign === true;
        return demand({
          subject: `${path}, ${subject}`,
          demanded: 'is readable by its owner only, who is whoever joins',
          seen: `${octal(file.mode)}${isForeign ? ', of another user' : ''}${isOpen(before.mode) && !isOpen(file.mode) ? `, and before ${octal(before.mode)}` : ''}`,
          ok: !isOpen(file.mode) && !isOpen(before.mode) && !isForeign,
        });
      });
    }),
};

const openLast = (one: FileSeen, other: FileSeen): number => Number(isOpen(one.mode)) - Number(isOpen(other.mode));

/** The name of a dated file changes from run to run. */
const pathOf = ({ path }: FileSeen): string => path.replace(/\d{4}(-\d\d){5}/, 'DATE');

/** Of what control planes share. */
export const PKI = '/etc/kubernetes/pki/';

/** One finding for each of these files on each machine. */
const eachShared =
  (
    look: (subject: string, file: FileSeen | undefined, digest: string | undefined, machine: Machine) => Finding,
  ): Check<Machines, { readonly files: readonly string[] }>['judge'] =>
  (machines, { files }) =>
    machines.flatMap((machine) =>
      files.map((name) =>
        unlessStarved(
          look(`${PKI}${name}, ${machine.subject}`, leftAt(machine, PKI + name), machine.shared[name], machine),
          machine,
        ),
      ),
    );

/** Each file that control planes share, byte for byte. */
export const sharedWritten: Check<Machines, { readonly files: readonly string[] }> = {
  id: 'joined-files/shared-written',
  source: '000, DownloadCerts; cmd/kubeadm/app/phases/copycerts/copycerts.go',
  judge: eachShared((subject, file, digest) => {
    const ok = file !== undefined && file.digest === digest;
    const seen = file === undefined ? 'there is no such file' : ok ? 'it is' : 'it holds something else';
    return demand({ subject, demanded: 'is that of the other control planes', seen, ok });
  }),
};

/** Where others lie already they are replaced, or the join ends with an error. */
export const sharedReplaced: Check<Machines, { readonly files: readonly string[] }> = {
  id: 'joined-files/shared-replaced',
  source: 'cmd/kubeadm/app/phases/copycerts/copycerts.go writeCertOrKey',
  judge: (machines, { files }) =>
    machines.map(({ subject, exit, left, shared }) => {
      const isNew = (name: string): boolean =>
        left.some(({ path, digest }) => path === PKI + name && digest === shared[name]);
      const stale = files.filter((name) => !isNew(name));
      const isRefused = exit !== null && exit !== 0;
      return demand({
        subject,
        demanded: `${files.join(' and ')} become those of the other control planes, or the join fails`,
        seen: `it ends with ${exit}; ${stale.length === 0 ? 'they are' : `${stale.join(', ')} stay as they were`}`,
        ok: isRefused || (exit === 0 && stale.length === 0),
      });
    }),
};

/** No file of these names. The CA itself other clients may have saved when they had found it. */
export const sharedAbsent: Check<Machines, { readonly files: readonly string[] }> = {
  id: 'joined-files/shared-absent',
  source: '000, DownloadCerts; cmd/kubeadm/app/phases/copycerts/copycerts.go',
  judge: eachShared((subject, file, digest, { ownWays }) => {
    const isFound = ownWays === true && file?.path === CA && file.digest === digest;
    return refusal({
      subject,
      demanded: 'is not written',
      seen: file === undefined ? 'it is not there' : `it is there, mode ${octal(file.mode)}`,
      ok: file === undefined || isFound,
    });
  }),
};
