/** Names and addresses that the API server's certificate has to have, by what a node's disk says. */
import type { Check } from '../../model/check.js';
import type { AltNames } from '../certificates/extensions.js';
import { startedBy } from './kubelet-started.js';
import { first, type Seen } from './node-files.js';
import { flagOf, kubeconfigOf, type NodeFacts } from './node-roles.js';

/** 4, 6, or 0 where it is no address: what the shape shows. */
const isIP = (text: string): 0 | 4 | 6 => (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) ? 4 : text.includes(':') ? 6 : 0);

/** An IPv4 address as a number. */
export const ipv4Number = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** The address after the first of a subnet; '' where it is none. */
export function firstAddress(subnets: string): string {
  const [subnet = ''] = subnets.split(',');
  const [address = '', length = '32'] = subnet.split('/');
  if (isIP(address) === 4) {
    const whole = ipv4Number(address);
    const value = whole - (whole % 2 ** (32 - Number(length))) + 1;
    return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
  }
  if (isIP(address) !== 6) return '';
  const groups = wholeGroups(address);
  const value = groups.reduce((sum, group) => sum * 65_536n + BigInt(group), 0n) + 1n;
  return canonical(
    value
      .toString(16)
      .padStart(32, '0')
      .replace(/(.{4})(?=.)/g, '$1:'),
  );
}

/** The eight groups of an IPv6 address. */
function wholeGroups(address: string): readonly number[] {
  const [head = '', tail] = address.split('::');
  const numbers = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => Number(`0x${group}`)));
  const [left, right] = [numbers(head), numbers(tail ?? '')];
  return tail === undefined ? left : [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** One spelling of an address. */
export const canonical = (address: string): string =>
  isIP(address) === 6
    ? wholeGroups(address.toLowerCase())
        .map((group) => group.toString(16))
        .join(':')
    : address;

/** Names and addresses that the API server's certificate has to have, by what the features call them. */
const NAMES: Readonly<Record<string, (node: NodeFacts) => readonly string[]>> = {
  'the first address of the service subnet': ({ disk }) => [
    firstAddress(flagOf(disk, 'kube-apiserver', 'service-cluster-ip-range')),
  ],
  'the names of the service': () => ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
  'the name of the service in the cluster domain': ({ disk }) => [`kubernetes.default.svc.${domainOf(disk)}`],
  'the name of the node': ({ name }) => [name],
  'the address that the API server advertises': ({ disk }) => [flagOf(disk, 'kube-apiserver', 'advertise-address')],
  'what clients ask etcd by': ({ disk }) => [
    'localhost',
    ...hostsIn(flagOf(disk, 'etcd', 'advertise-client-urls')),
    ...hostsIn(flagOf(disk, 'kube-apiserver', 'etcd-servers')),
  ],
  'what its members ask etcd by': ({ disk }) => hostsIn(flagOf(disk, 'etcd', 'initial-advertise-peer-urls')),
  'what its machine is known by': ({ disk, name }) => [
    'localhost',
    '127.0.0.1',
    '::1',
    ...[name, flagOf(disk, 'kube-apiserver', 'advertise-address')].filter((one) => one !== ''),
  ],
  'the host that administrators ask': ({ disk }) => [hostOf(kubeconfigOf(disk, 'admin')?.server ?? '')],
};
export const isNamed = (what: string): boolean => Object.hasOwn(NAMES, what);

/**
 * Addresses of the Service of the API server: the first of a subnet that it is told of, or that the tenth is of at which
 * a kubelet finds the DNS of its cluster.
 * Source: cmd/kubeadm/app/constants/constants.go GetAPIServerVirtualIP, GetDNSIP.
 */
export function apiServerAddresses(disk: NodeFacts['disk']): readonly string[] {
  const config = disk['/var/lib/kubelet/config.yaml']?.held;
  const dns = config?.kind === 'settings' ? config.settings.clusterDNS : undefined;
  const tenths = (Array.isArray(dns) ? dns : []).flatMap((one) => (typeof one === 'string' ? [canonical(one)] : []));
  const told = flagOf(disk, 'kube-apiserver', 'service-cluster-ip-range').split(',').map(firstAddress);
  const firsts = tenths.map((one) => one.replace(/(?<=\.)10$|(?<=:)a$/, '1')).filter((one) => !tenths.includes(one));
  return [...new Set([...told, ...firsts])].filter((one) => one !== '');
}

/** By the kubelet's configuration; else by the issuer of tokens. */
export function domainOf(disk: NodeFacts['disk']): string {
  const config = disk['/var/lib/kubelet/config.yaml']?.held;
  const above = startedBy(disk).flags['cluster-domain'];
  const told = above ?? (config?.kind === 'settings' ? config.settings.clusterDomain : undefined);
  if (typeof told === 'string' && told !== '') return told;
  return (
    /^https:\/\/kubernetes\.default\.svc\.(.+)$/.exec(flagOf(disk, 'kube-apiserver', 'service-account-issuer'))?.[1] ??
    ''
  );
}

/** Of "https://host:port"; '' where it is no URL. */
export function hostOf(url: string): string {
  return (
    /^https?:\/\/(?:\[([^\]]+)\]|([^/:]+))/
      .exec(url)
      ?.slice(1)
      .find((part) => part !== undefined) ?? ''
  );
}

/** Port of a URL; 443 where it names none. */
export const portOf = (url: string): number =>
  Number(/^https?:\/\/(?:\[[^\]]+\]|[^/:]+):(\d{1,5})/.exec(url)?.[1] ?? 443);

/** Hosts of URLs with commas between, each once. */
const hostsIn = (urls: string): readonly string[] => [...new Set(urls.split(',').map(hostOf))];

/** What a certificate has to name; '' where nothing on the disk says it. */
export const wantedNames = (node: NodeFacts, what: string): readonly string[] => NAMES[what]?.(node) ?? [];

const fits = (pattern: string, name: string): boolean =>
  pattern === name || (pattern.startsWith('*.') && name.replace(/^[^.]+/, '*') === pattern);

/** Whether a certificate is for a name or an address. */
export const isFor = ({ dns, ip }: AltNames, name: string): boolean =>
  isIP(name) === 0 ? dns.some((one) => fits(one, name)) : ip.some((one) => canonical(one) === canonical(name));

export const altNames: Check<readonly Seen[], { readonly names: readonly string[] }> = {
  id: 'node-names/alt-names',
  source: '002, certificates; cmd/kubeadm/app/util/pkiutil GetAPIServerAltNames',
  judge: (all, { names }) =>
    all.flatMap((seen) =>
      names.map((name) =>
        first(seen, `it is issued for ${name === '' ? 'what nothing on the disk names' : name}`, ({ facts }) => {
          if (name === '') return { seen: 'the manifests that would say it cannot be read', ok: undefined };
          const { dns, ip } = facts.altNames;
          const ok = isFor(facts.altNames, name);
          return { seen: ok ? 'it is' : `it is for ${[...dns, ...ip].join(', ')}`, ok };
        }),
      ),
    ),
};
