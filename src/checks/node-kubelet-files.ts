/** Files of the kubelet on its node's disk: those that it is told of, what it serves with, and where its flags stand. */
import { record, text } from '../kubernetes/json.js';
import type { Check } from '../model/check.js';
import { demand, type Finding } from '../model/finding.js';
import { EXTRA_ARGS } from './kubelet-service.js';
import { first, type Seen, validity } from './node-files.js';
import { kubeconfigOf } from './node-roles.js';
import type { Disk } from './node-seen.js';

type Flags = Readonly<Record<string, string>>;
/** The configuration of the kubelet with all that is above it, and its flags. */
export interface Told {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly flags: Flags;
}

/** '' where neither a flag nor a setting names it. */
const servesWith = ({ settings, flags }: Told): string => text(flags['tls-cert-file'] ?? settings.tlsCertFile);

/** Below here all that lies there was read. */
const READ = /^\/(?:etc\/kubernetes|var\/lib\/kubelet\/pki)\//;

/** A kubelet ends at a file that it is told of and that is not there. `files`: paths of the disk. */
export const toldFilesThere: Check<Told, { readonly files: readonly string[] }> = {
  id: 'node-kubelet-files/told-there',
  source: 'cmd/kubelet/app/server.go InitializeTLS, BuildAuth',
  nothing: 'the kubelet is told of no file of the folders that were read',
  judge: (told, { files }) => {
    const { settings, flags } = told;
    const x509 = record(record(settings.authentication).x509);
    const named = {
      tlsCertFile: servesWith(told),
      tlsPrivateKeyFile: text(flags['tls-private-key-file'] ?? settings.tlsPrivateKeyFile),
      'authentication.x509.clientCAFile': text(flags['client-ca-file'] ?? x509.clientCAFile),
    };
    return Object.entries(named).flatMap(([name, path]): readonly Finding[] => {
      if (!READ.test(path)) return [];
      const ok = files.includes(path);
      return [
        demand({ subject: path, demanded: `it is there, as ${name} says`, seen: ok ? 'it is' : 'it is not', ok }),
      ];
    });
  },
};

/** As it is called where it starts, or as who it is; '' where the disk does not say. */
export function kubeletName(disk: Disk, flags: Flags): string {
  const { 'hostname-override': told } = flags;
  if (told !== undefined && told !== '') return told;
  const user = kubeconfigOf(disk, 'kubelet')?.user;
  const named = disk[user?.file ?? '']?.held;
  const certificate = named?.kind === 'pair' ? named.certificate : user?.certificate;
  return certificate?.facts.commonName.replace(/^system:node:/, '') ?? '';
}

/** "name@1700000000": whom a kubelet has made a certificate for by itself. */
const OWN_MAKING = /^(.+)@\d+$/;

/**
 * What it serves with is valid, and of its own machine: it makes one, and never another. Where one is asked for, or
 * another file is named, it serves with that.
 */
export const servesAsItself: Check<Told & { readonly serving: Seen }, { readonly now: number; readonly name: string }> =
  {
    id: 'node-kubelet-files/serves-as-itself',
    source: 'cmd/kubelet/app/server.go InitializeTLS; client-go util/cert GenerateSelfSignedCertKeyWithFixtures',
    nothing: 'the kubelet serves with no certificate of its own making, or it does not lie there',
    judge: (told, { now, name }) => {
      const { serving, settings } = told;
      const another = servesWith(told);
      if (serving.file === null || settings.serverTLSBootstrap === true) return [];
      if (another !== '' && another !== serving.path) return [];
      return [
        first(serving, 'what the kubelet serves with is valid now', (one) => validity(one, now)),
        first(serving, 'it has made it for its own machine', ({ facts }) => {
          const [, own] = OWN_MAKING.exec(facts.commonName) ?? [];
          const ok = own === undefined || name === '' || own.toLowerCase() === name.toLowerCase();
          return { seen: own === undefined ? 'somebody else has made it' : `it is for ${own}`, ok };
        }),
      ];
    },
  };

/** What systemd reads last counts, and takes away what kubeadm has written. */
export const flagsOfKubeadmAlone: Check<Disk> = {
  id: 'node-kubelet-files/flags-of-kubeadm',
  source: 'kubernetes/release, 10-kubeadm.conf; systemd.exec(5), EnvironmentFile',
  nothing: 'no file of an operator gives the kubelet flags',
  judge: (disk) =>
    EXTRA_ARGS.flatMap((path) => {
      const held = disk[path]?.held;
      if (held?.kind !== 'flags') return [];
      const odd = held.setsKubeadms === true;
      const demanded = 'it leaves KUBELET_KUBEADM_ARGS to kubeadm';
      return [demand({ subject: path, demanded, seen: odd ? 'it sets it' : 'it does', ok: !odd })];
    }),
};
