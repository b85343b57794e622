/** Files of the kubelet on its node's disk: those that it is told of, what it serves with, and where its flags stand. */
import { record, text } from '../../kubernetes/json.js';
import { GROUP_NODES } from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { EXTRA_ARGS } from './kubelet-service.js';
import { ENVIRONMENT, startedBy } from './kubelet-started.js';
import { toldAt } from './machine-files.js';
import { first, held, type Seen, validity } from './node-files.js';
import { kubeconfigOf } from './node-roles.js';
import type { CertificateSeen, Disk } from './node-seen.js';

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

/** As targets say of a link. */
const LEADS_NOWHERE = 'it is a link to nothing';

/** The kubelet makes it beside the certificate that it leads to. Source: client-go, certificate_store.go updateSymlink. */
export const RENEWED = '/var/lib/kubelet/pki/kubelet-client-current.pem';

/** Whether the link that kubelet.conf names leads to something; undefined: it names none. */
export function credentialLeads(disk: Disk): boolean | undefined {
  if (kubeconfigOf(disk, 'kubelet')?.user.file !== RENEWED) return undefined;
  const held = disk[RENEWED]?.held;
  return held !== undefined && !(held.kind === 'unreadable' && held.why === LEADS_NOWHERE);
}

/** `files`: paths of the disk; `leads`: what credentialLeads says. */
interface There {
  readonly files: readonly string[];
  readonly leads?: boolean | undefined;
}

/** A kubelet ends at a file that it is told of and that is not there. */
export const toldFilesThere: Check<Told, There> = {
  id: 'node-kubelet-files/told-there',
  source: 'cmd/kubelet/app/server.go InitializeTLS, BuildAuth; client-go, tools/clientcmd ConfirmUsable',
  nothing: 'the kubelet is told of no file of the folders that were read',
  judge: (told, { files, leads }) => {
    const { settings, flags } = told;
    const x509 = record(record(settings.authentication).x509);
    const named = {
      tlsCertFile: servesWith(told),
      tlsPrivateKeyFile: text(flags['tls-private-key-file'] ?? settings.tlsPrivateKeyFile),
      'authentication.x509.clientCAFile': text(flags['client-ca-file'] ?? x509.clientCAFile),
    };
    const there = Object.entries(named).flatMap(([name, path]): readonly Finding[] => {
      if (!READ.test(path)) return [];
      const ok = files.includes(path);
      return [
        demand({ subject: path, demanded: `it is there, as ${name} says`, seen: ok ? 'it is' : 'it is not', ok }),
      ];
    });
    const demanded = 'it leads to a certificate, as kubelet.conf says';
    const seen = leads === true ? 'it does' : 'it leads to nothing, or is not there';
    return [...there, ...(leads === undefined ? [] : [demand({ subject: RENEWED, demanded, seen, ok: leads })])];
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

/** Whose flags are read wherever they lie. */
const isReadFile = (path: string): boolean =>
  path === ENVIRONMENT || EXTRA_ARGS.includes(path) || /^\/etc\/kubernetes\/[^/]+\.env$/.test(path);

/**
 * How its machine is called, where the kubelet calls itself after it; '' where another says its name, or nobody knows
 * all that it is started with.
 * Source: component-helpers node/util/hostname.go GetHostname; cmd/kubelet/app/server.go getNodeName.
 */
export function machineName(disk: Disk): string {
  const told = toldAt(disk, '/etc/hostname');
  const { command, files, flags } = startedBy(disk);
  const isSaid = (flags['hostname-override'] ?? '') !== '' || !['', 'external'].includes(flags['cloud-provider'] ?? '');
  if (told === undefined || command === undefined || isSaid || !files.every(isReadFile)) return '';
  return told.hostname ?? '';
}

/** "name@1700000000": whom a kubelet has made a certificate for by itself. */
const OWN_MAKING = /^(.+)@\d+$/;

/** Of two spellings of a machine's name one may have its domain behind it. */
function isOf(dns: string, name: string): boolean {
  const one = dns.toLowerCase();
  return one === name || one.startsWith(`${name}.`) || name.startsWith(`${one}.`) || one.startsWith('*.');
}
const shownNames = (names: readonly string[]): string => names.slice(0, 3).join(', ').slice(0, 120);

interface Machine {
  readonly now: number;
  /** Of its Node; '' where the disk does not say. */
  readonly name: string;
}

/** What the certificate of a signer lacks, for the kubelet of this name. */
function servingLacks({ facts }: CertificateSeen, { name, isClouds }: { name: string; isClouds: boolean }): string {
  const { commonName, organizations, extendedKeyUsage = [], altNames } = facts;
  const isOwn = name === '' || commonName.toLowerCase() === `system:node:${name.toLowerCase()}`;
  // the names of a machine that a cloud looks after are those that the cloud says
  const isNamed = isClouds || name === '' || altNames.dns.length === 0 || altNames.dns.includes(name.toLowerCase());
  return [
    ...(isOwn && organizations.includes(GROUP_NODES) ? [] : [`it is for ${[...organizations, commonName].join(', ')}`]),
    ...(extendedKeyUsage.includes('serverAuth') ? [] : ['it is not for servers']),
    ...(altNames.dns.length + altNames.ip.length === 0 ? ['it names no host'] : []),
    ...(isNamed ? [] : [`it names ${altNames.dns.join(', ')}`]),
  ].join('; ');
}

/** Which the signer of the cluster has given it. */
function servesAsAsked(told: Told & { readonly asked?: Seen }, { now, name }: Machine): readonly Finding[] {
  const { asked, settings, flags } = told;
  if (asked === undefined || asked.file === null || settings.serverTLSBootstrap !== true || servesWith(told) !== '')
    return [];
  const isClouds = (flags['cloud-provider'] ?? '') !== '' || text(settings.providerID) !== '';
  return [
    held(asked, 'pair', 'what the kubelet serves with is valid now', ({ certificate }) => validity(certificate, now)),
    held(asked, 'pair', 'its key is that of the certificate', ({ certificate, pin }) => {
      const ok = certificate.facts.pin === pin;
      return { seen: ok ? 'it is' : 'it is another one', ok };
    }),
    held(asked, 'pair', 'it is for the kubelet of this machine', ({ certificate }) => {
      const lacks = servingLacks(certificate, { name, isClouds });
      return { seen: lacks || 'it is', ok: lacks === '' };
    }),
  ];
}

/**
 * What it serves with is valid, and of its own machine: it makes one, and never another. Where one is asked for, or
 * another file is named, it serves with that.
 */
export const servesAsItself: Check<Told & { readonly serving: Seen; readonly asked?: Seen }, Machine> = {
  id: 'node-kubelet-files/serves-as-itself',
  source:
    'cmd/kubelet/app/server.go InitializeTLS; pkg/kubelet/certificate/kubelet.go; client-go util/cert GenerateSelfSignedCertKeyWithFixtures',
  nothing: 'the kubelet serves with a certificate that does not lie there, or that somebody else names',
  judge: (told, { now, name }) => {
    const { serving, settings } = told;
    const another = servesWith(told);
    if (settings.serverTLSBootstrap === true) return servesAsAsked(told, { now, name });
    if (serving.file === null) return [];
    if (another !== '' && another !== serving.path) return [];
    return [
      first(serving, 'what the kubelet serves with is valid now', (one) => validity(one, now)),
      first(serving, 'it has made it for its own machine', ({ facts }) => {
        const [, own] = OWN_MAKING.exec(facts.commonName) ?? [];
        const wanted = name.toLowerCase();
        if (own !== undefined) return { seen: `it is for ${own}`, ok: wanted === '' || own.toLowerCase() === wanted };
        const { dns, ip } = facts.altNames;
        // by its address it may be asked under any name
        const ok = wanted === '' || dns.length === 0 || ip.length > 0 || dns.some((one) => isOf(one, wanted));
        return { seen: `somebody else has made it${ok ? '' : `, for ${shownNames(dns)}`}`, ok };
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
