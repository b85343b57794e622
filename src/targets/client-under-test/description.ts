/** A joining client that is a program: what is said of it. Read from a file as schemas/client.schema.json says. */
import type { NodeFile } from '../types.js';

/** How a machine may be told whom to join. */
export const WAYS = [
  ...(['token', 'token-unsafe', 'file', 'url'] as const),
  ...(['control-plane', 'control-plane-unsafe', 'control-plane-file', 'control-plane-url'] as const),
  ...(['configuration', 'none'] as const),
] as const;
export type Way = (typeof WAYS)[number];

/** Program and arguments; a list within is given for each pin, or left out where what it names is not told. */
export type Command = readonly (string | readonly string[])[];

/** Where kubeadm and its kubelet have the files that rules are about. */
export const PLACES = {
  'bootstrap-kubeconfig': '/etc/kubernetes/bootstrap-kubelet.conf',
  kubeconfig: '/etc/kubernetes/kubelet.conf',
  ca: '/etc/kubernetes/pki/ca.crt',
  'kubelet-configuration': '/var/lib/kubelet/config.yaml',
  pki: '/etc/kubernetes/pki',
} as const satisfies Record<NodeFile, string>;
export type Role = keyof typeof PLACES;

export interface ClientDescription {
  readonly name: string;
  readonly speaks?: 'kubeadm';
  /** Of the kubeadm that it is. */
  readonly minor?: number;
  /** Milliseconds that a join may take. */
  readonly timeLimit: number;
  /** Milliseconds after which it gives discovery up, where it is not told. */
  readonly discoveryTimeout?: number;
  readonly ways: Readonly<Partial<Record<Way, Command>>>;
  readonly environment: Readonly<Record<string, string>>;
  /** From its root on, without a slash at either end. */
  readonly files: Readonly<Partial<Record<Role, string>>>;
}

/** What commands may name in braces. */
export const PLACEHOLDERS = [
  'endpoint',
  'token',
  'tls-token',
  'other-tls-token',
  'ca-hash',
  'discovery-file',
  'discovery-url',
  'certificate-key',
  'advertise-address',
  'node-name',
  'configuration',
  'timeout',
  'stays',
  'root',
] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

/** Names in braces, of a text; whether they are known or not. */
export const named = (text: string): readonly string[] =>
  [...text.matchAll(/\{([a-z][a-z-]*)\}/g)].map(([, name = '']) => name);

/** What is told; several where there may be several. */
export type Told = Readonly<Record<Placeholder, readonly string[]>>;

/** Where the client has a file that kubeadm has there; undefined: nowhere. */
export function placeOf(path: string, files: ClientDescription['files']): string | undefined {
  const [role] = Object.entries(PLACES).filter(([, own]) => own === path);
  const exact = role === undefined ? undefined : files[role[0] as Role];
  if (exact !== undefined) return exact;
  const { pki, kubeconfig } = files;
  if (pki !== undefined && path.startsWith(`${PLACES.pki}/`)) return pki + path.slice(PLACES.pki.length);
  const [, ofKubelet] = /^\/var\/lib\/kubelet\/(.+)$/.exec(path) ?? [];
  if (ofKubelet !== undefined && role === undefined)
    return files['kubelet-configuration']?.replace(/[^/]+$/, ofKubelet);
  const [, beside] = /^\/etc\/kubernetes\/((?:manifests\/)?[^/]+)$/.exec(path) ?? [];
  return beside === undefined || role !== undefined ? undefined : kubeconfig?.replace(/[^/]+$/, beside);
}

/** The path that kubeadm has for what this client has there, absolute. */
export function canonical(place: string, files: ClientDescription['files']): string {
  for (const [role, own] of Object.entries(PLACES)) if (files[role as Role] === place) return own;
  const { pki, kubeconfig } = files;
  if (pki !== undefined && place.startsWith(`${pki}/`)) return PLACES.pki + place.slice(pki.length);
  return besideKubeconfig(place, kubeconfig) ?? `/${place}`;
}

const KUBERNETES = '/etc/kubernetes';
const TAKEN: ReadonlySet<string> = new Set(Object.values(PLACES));

/** What a kubeconfig names by a relative path lies beside it, wherever that is. */
function besideKubeconfig(place: string, kubeconfig: string | undefined): string | undefined {
  if (kubeconfig === undefined) return undefined;
  const folder = kubeconfig.slice(0, kubeconfig.lastIndexOf('/') + 1);
  const beside = `${KUBERNETES}/${place.slice(folder.length)}`;
  return place.startsWith(folder) && !TAKEN.has(beside) ? beside : undefined;
}

const filled = (text: string, told: Told): string =>
  text.replace(/\{([a-z][a-z-]*)\}/g, (whole, name: string) => (name in told ? (firstOf(told, name) ?? '') : whole));
const firstOf = (told: Told, name: string): string | undefined => told[name as Placeholder]?.[0];

/** The arguments that the program is started with, itself the first. */
export function argumentsOf(command: Command, told: Told): readonly string[] {
  return command.flatMap((part) => {
    if (typeof part === 'string') return [filled(part, told)];
    const names = part.flatMap(named).filter((name) => name in told);
    if (names.some((name) => (firstOf(told, name) ?? '') === '' && !(name === 'ca-hash' && told[name].length > 0)))
      return [];
    if (!names.includes('ca-hash')) return part.map((one) => filled(one, told));
    return told['ca-hash'].flatMap((pin) => part.map((one) => filled(one, { ...told, 'ca-hash': [pin] })));
  });
}

export const environmentOf = (environment: ClientDescription['environment'], told: Told): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value, told)]));
