/**
 * Everything that is wrong with what init is told, in kubeadm's words.
 * Source: cmd/kubeadm/app/apis/kubeadm/validation/validation.go; apimachinery, util/validation.
 */
import { isIP } from 'node:net';
import { type Fields, isRecord, record, texts } from '../../kubernetes/json.js';
import { ipBytes } from '../../pki/ip.js';
import { argumentOf, type ComponentSettings } from '../components.js';
import type { Configuration } from '../configuration.js';
import { atRelease, type ByRelease } from '../release.js';

export const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const WILDCARD =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of " +
  "lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', " +
  "regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const isName = (name: string): boolean => name.length <= 253 && NAME.test(name);
const invalid = (field: string, value: unknown, why: string): string =>
  `${field}: Invalid value: ${JSON.stringify(value)}: ${why}`;

const SANS_WRONG = 'altname is not a valid IP address, DNS label or a DNS label with subdomain wildcards';
const sans = (field: string, names: readonly string[]): readonly string[] =>
  names
    .filter((name) => !isName(name) && !(name.startsWith('*.') && isName(name.slice(2))) && isIP(name) === 0)
    .map((name) => invalid(field, name, `${SANS_WRONG}: ${SUBDOMAIN}; ${WILDCARD}`));

const absolute = (field: string, path: string): readonly string[] =>
  path.startsWith('/') ? [] : [invalid(field, path, 'path is not absolute')];

const ALGORITHMS: ByRelease<readonly string[]> = [
  [{ since: 34 }, ['ECDSA-P256', 'ECDSA-P384', 'RSA-2048', 'RSA-3072', 'RSA-4096']],
  [{}, ['ECDSA-P256', 'RSA-2048', 'RSA-3072', 'RSA-4096']],
];

function algorithm({ keyAlgorithm, release }: Configuration): readonly string[] {
  const known = atRelease(release, ALGORITHMS) ?? [];
  if (known.includes(keyAlgorithm)) return [];
  const why = `Invalid encryption algorithm "${keyAlgorithm}". Must be one of [${known.join(' ')}]`;
  return [invalid('encryptionAlgorithm', keyAlgorithm, why)];
}

interface Subnet {
  readonly text: string;
  readonly family: 4 | 6;
  readonly length: number;
}

function subnetOf(given: string): Subnet | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(given) ?? [];
  const bytes = ipBytes(address);
  const family = bytes?.length === 4 ? 4 : 6;
  if (bytes === undefined || Number(length) > bytes.length * 8) return undefined;
  return { text: given, family, length: Number(length) };
}

const TWO_FAMILIES = 'expected one (IPv4 or IPv6) CIDR or two CIDRs from each family for dual-stack networking';

/** `least`: addresses that each must have. Source: ValidateIPNetFromString. */
function subnets(field: string, given: string, least: number): readonly string[] {
  const all = given.split(',').map(subnetOf);
  const known = all.filter((one) => one !== undefined);
  if (known.length < all.length) return [invalid(field, given, "couldn't parse subnet")];
  const isMixed = known.length === 2 && new Set(known.map(({ family }) => family)).size === 2;
  return [
    ...(known.length > 1 && !isMixed ? [invalid(field, given, TWO_FAMILIES)] : []),
    ...known.flatMap(({ text: one, family, length }) => {
      const addresses = 2 ** ((family === 4 ? 32 : 128) - length);
      return addresses < least
        ? [invalid(field, one, `subnet with ${addresses} address(es) is too small, the minimum is ${least}`)]
        : [];
    }),
  ];
}

/** Source: ValidateServiceSubnetSize. */
const serviceSize = (field: string, given: string): readonly string[] =>
  given.split(',').flatMap((one) => {
    const subnet = subnetOf(one);
    const bits = subnet?.family === 4 ? 32 : 128;
    if (subnet === undefined || bits - subnet.length <= 20) return [];
    const why = `specified service subnet is too large; for ${bits}-bit addresses, the mask must be >= ${bits - 20}`;
    return [invalid(field, one, why)];
  });

/** Source: ValidatePodSubnetNodeMask, getClusterNodeMask. `manager`: of kube-controller-manager. */
const podMask = (field: string, given: string, manager: ComponentSettings | undefined): readonly string[] =>
  given.split(',').flatMap((one) => {
    const subnet = subnetOf(one);
    if (subnet === undefined || argumentOf(manager, 'allocate-node-cidrs') === 'false') return [];
    const told = argumentOf(manager, `node-cidr-mask-size-ipv${subnet.family}`) ?? '';
    const mask = told === '' ? (subnet.family === 4 ? 24 : 64) : Number(told);
    const at = subnet.length;
    if (at > mask)
      return [
        invalid(
          field,
          one,
          `the size of pod subnet with mask ${at} is smaller than the size of node subnet with mask ${mask}`,
        ),
      ];
    return mask - at > 16
      ? [invalid(field, one, `pod subnet mask (${at}) and node-mask (${mask}) difference is greater than 16`)]
      : [];
  });

/** Source: ValidateEtcd. */
function etcd(
  given: Fields,
  { externalEtcd, etcdServerSANs, etcdPeerSANs, etcdDataDir }: Configuration,
): readonly string[] {
  if (isRecord(given.local) && isRecord(given.external))
    return [invalid('etcd', '', '.Etcd.Local and .Etcd.External are mutually exclusive')];
  if (externalEtcd === undefined)
    return [
      ...absolute('etcd.local.dataDir', etcdDataDir),
      ...sans('etcd.local.serverCertSANs', etcdServerSANs),
      ...sans('etcd.local.peerCertSANs', etcdPeerSANs),
    ];
  const { endpoints, caFile, certFile, keyFile } = externalEtcd;
  const at = 'etcd.external';
  const isSecure = caFile !== '' || certFile !== '' || keyFile !== '';
  return [
    ...((certFile === '') === (keyFile === '')
      ? []
      : [invalid(at, '', 'either both or none of .Etcd.External.CertFile and .Etcd.External.KeyFile must be set')]),
    ...(certFile !== '' && keyFile !== '' && caFile === ''
      ? [invalid(at, '', 'setting .Etcd.External.CertFile and .Etcd.External.KeyFile requires .Etcd.External.CAFile')]
      : []),
    ...(endpoints.length === 0 ? [invalid(`${at}.endpoints`, '', 'at least one endpoint must be specified')] : []),
    ...endpoints.flatMap((url) => [
      ...(isSecure && !url.startsWith('https:')
        ? [invalid(`${at}.endpoints`, url, 'the URL must be using the HTTPS scheme')]
        : []),
      ...(/^[a-z][a-z0-9+.-]*:/i.test(url)
        ? []
        : [invalid(`${at}.endpoints`, url, 'the URL without scheme is not allowed')]),
    ]),
    ...Object.entries({ caFile, certFile, keyFile }).flatMap(([name, path]) =>
      path === '' ? [] : absolute(`${at}.${name}`, path),
    ),
  ];
}

/** Why a text is no host[:port]; undefined: it is. Source: util/endpoint.go ParseHostPort. */
export function endpointProblem(endpoint: string): string | undefined {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*)):([^:]*)$/.exec(endpoint) ?? [];
  const host = bracketed ?? plain ?? endpoint;
  if (port !== undefined && port !== '' && !(/^\d+$/.test(port) && Number(port) > 0 && Number(port) < 65_536))
    return `hostport ${endpoint}: port ${port} must be a valid number between 1 and 65535, inclusive`;
  if (isIP(host) !== 0 || isName(host)) return undefined;
  return `hostport ${endpoint}: host '${host}' must be a valid IP address or a valid RFC-1123 DNS subdomain`;
}

/** Sentences; none where nothing is wrong. `cluster`: the ClusterConfiguration as it was given. */
export function problemsOf(configuration: Configuration, cluster: Fields): readonly string[] {
  const { nodeName, bindPort, criSocket, dnsDomain, serviceSubnet, podSubnet, components } = configuration;
  const at = 'localAPIEndpoint';
  return [
    ...(isName(nodeName) ? [] : [invalid('nodeRegistration.name', nodeName, SUBDOMAIN)]),
    ...(criSocket.startsWith('unix:')
      ? []
      : [
          invalid(
            'nodeRegistration.criSocket',
            criSocket,
            `only URL scheme "unix" is supported, got "${criSocket.split(':')[0]}"`,
          ),
        ]),
    ...(bindPort > 0 && bindPort < 65_536 ? [] : [invalid(`${at}.bindPort`, bindPort, 'port number is not valid')]),
    ...(isName(dnsDomain) ? [] : [invalid('networking.dnsDomain', dnsDomain, SUBDOMAIN)]),
    ...subnets('networking.serviceSubnet', serviceSubnet, 10),
    ...serviceSize('networking.serviceSubnet', serviceSubnet),
    ...(podSubnet === undefined
      ? []
      : [
          ...subnets('networking.podSubnet', podSubnet, 14),
          ...podMask('networking.podSubnet', podSubnet, components['kube-controller-manager']),
        ]),
    ...sans(
      'apiServer.certSANs',
      texts(record(cluster.apiServer).certSANs).map((name) => name.toLowerCase()),
    ),
    ...absolute('certificatesDir', configuration.certificatesDir),
    ...etcd(record(cluster.etcd), configuration),
    ...algorithm(configuration),
  ];
}
