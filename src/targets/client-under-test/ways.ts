/** Of which servers a client can be told, by its description, and in which way. */
import type { Approach } from '../../liars/approach.js';
import type { Lie } from '../../liars/lie.js';
import { type ClientDescription, type Command, named, placeOf, type Role, type Way } from './description.js';

const namesIn = (command: Command): ReadonlySet<string> => new Set(command.flat().flatMap(named));

/** The way in which a client is told of a server, by what it is told. */
export function wayOf({ told = {} }: Lie, approach: Approach, ways: ClientDescription['ways']): Way {
  const { discovery, byFlags, controlPlane } = approach;
  if (!byFlags && ways.configuration !== undefined) return 'configuration';
  if (told.ways === 'none') return 'none';
  if (told.ways === 'both') return 'configuration';
  const file = discovery.file?.kubeConfigPath;
  const isPlane = controlPlane !== undefined;
  if (file !== undefined && /^https?:/.test(file)) return isPlane ? 'control-plane-url' : 'url';
  if (file !== undefined) return isPlane ? 'control-plane-file' : 'file';
  const skips = discovery.bootstrapToken?.unsafeSkipCAVerification === true;
  if (isPlane) return skips ? 'control-plane-unsafe' : 'control-plane';
  return skips ? 'token-unsafe' : 'token';
}

export const noFile = (role: Role): string => `its description names no ${role} below {root}`;

/** Why this client cannot be told of this server; undefined: it can. */
export function lackOf(lie: Lie, approach: Approach, description: ClientDescription): string | undefined {
  const { ways, files, speaks, minor } = description;
  const { told = {} } = lie;
  if (lie.ofKubeadm === true && speaks === undefined) return 'the client does not speak as kubeadm does';
  if (lie.since !== undefined && minor !== undefined && minor < lie.since)
    return `kubeadm does what is right there since 1.${lie.since}`;
  const isPlane = approach.controlPlane !== undefined;
  if (lie.byPreflight === true && isPlane && minor !== undefined && minor < OWN_PREFLIGHT)
    return `up to 1.${OWN_PREFLIGHT - 1} the preflight checks of a control plane need a container runtime`;
  if (lie.about !== undefined && files[lie.about] === undefined) return noFile(lie.about);
  if (lie.onlyPlayed !== undefined) return lie.onlyPlayed;
  if (told.isVerbose === true && minor === undefined) return 'its description does not say how it says more';
  const way = wayOf(lie, approach, ways);
  const command = ways[way];
  if (command === undefined) return `its description has no way "${way}"`;
  const closed = [told.closed, told.closedFolder].flatMap((path) => path ?? []);
  for (const path of [...Object.keys(approach.present), ...closed])
    if (placeOf(path, files) === undefined) return `its description does not say where it has ${path}`;
  if (told.kubeletGoesOn !== undefined && !namesIn(command).has('stays')) return `its way "${way}" takes no {stays}`;
  if (way === 'configuration') return undefined;
  if (told.registration?.name !== undefined && !tellsName(command, description))
    return `its way "${way}" takes no {node-name}`;
  const isFiled = told.patches !== undefined || told.dryRun !== undefined || told.kubelet !== undefined;
  return isFiled ? 'its description has no way "configuration"' : unsaid(way, approach, command, description);
}

const tellsName = (command: Command, { environment }: ClientDescription): boolean =>
  [...namesIn(command), ...Object.values(environment).flatMap(named)].includes('node-name');

/** What the command does not take of what is to be told. */
function unsaid(
  way: Way,
  { discovery, discoveryTimeout, controlPlane }: Approach,
  command: Command,
  { environment }: ClientDescription,
): string | undefined {
  const names = new Set([...namesIn(command), ...Object.values(environment).flatMap(named)]);
  const pins = discovery.bootstrapToken?.caCertHashes?.length ?? 0;
  if (pins > 0 && !names.has('ca-hash')) return `its way "${way}" takes no {ca-hash}`;
  const several = command.some(
    (part) => typeof part !== 'string' && part.some((one) => named(one).includes('ca-hash')),
  );
  if (pins > 1 && !several) return `its way "${way}" takes one {ca-hash} only`;
  const own = discovery.bootstrapToken?.token;
  const tells = names.has('tls-token') || names.has('other-tls-token');
  if (own !== undefined && own !== (discovery.tlsBootstrapToken ?? own) && !tells)
    return `its way "${way}" takes no {tls-token}`;
  const always = command.flatMap((part) => (typeof part === 'string' ? named(part) : []));
  const nameless = own === undefined && (discovery.tlsBootstrapToken ?? '') === '';
  const demanded = ['token', 'tls-token'].find((name) => nameless && always.includes(name));
  if (demanded !== undefined && way !== 'none') return `its way "${way}" cannot do without {${demanded}}`;
  if (controlPlane?.certificateKey === '' && command.includes('{certificate-key}'))
    return `its way "${way}" cannot do without {certificate-key}`;
  return discoveryTimeout < SHORT && !names.has('timeout') ? `its way "${way}" takes no {timeout}` : undefined;
}

/** From this minor on a control plane passes its preflight checks without a container runtime, where that is ignored. */
export const OWN_PREFLIGHT = 36;

/** Servers that are about a shorter discovery timeout than this tell it. */
const SHORT = 7000;

/** Whether the client is told its discovery timeout. */
export const tellsTimeout = (command: Command): boolean => namesIn(command).has('timeout');
