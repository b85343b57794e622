/** Inits that take what cannot become a cluster, and those that refuse what can. */
import { record } from '../kubernetes/json.js';
import { inits, passesOver } from './init-hooks.js';
import { blind, decides, other } from './preflight-hooks.js';
import type { Mutant } from './types.js';

const SUBNETS = 'P-410';
const NAMES = 'P-411';
const ETCD = 'P-412';
const TOKENS = 'P-413';
const DOCUMENTS = 'P-414';
const OF_TOLD = [SUBNETS, NAMES, ETCD, TOKENS, DOCUMENTS, 'P-415'];

export const mutants: readonly Mutant[] = [
  passesOver('takes-small-networks', 'no subnet is too small', SUBNETS, 'is too small'),
  passesOver('takes-large-networks', 'no subnet of Services is too large', SUBNETS, 'is too large'),
  passesOver('takes-any-network', 'what is no subnet is taken for one', SUBNETS, "couldn't parse subnet"),
  passesOver('takes-networks-twice', 'two subnets of one family are taken', SUBNETS, 'each family'),
  passesOver('takes-small-pods', 'a subnet of Pods may hold no Node', SUBNETS, 'smaller than the size of node subnet'),
  passesOver(
    'takes-large-pods',
    'a subnet of Pods may hold any number of Nodes',
    SUBNETS,
    'difference is greater than',
  ),
  inits('minds-other-networks', 'networks other than the usual ones are refused', [SUBNETS, 'P-424', 'P-425'], {
    demands: ({ serviceSubnet, podSubnet }) =>
      serviceSubnet === '10.96.0.0/12' && podSubnet === '10.244.0.0/16' ? [] : ['it is another network'],
  }),

  passesOver('takes-any-address', 'any address to advertise is taken', NAMES, 'must be ipv4 or ipv6 address'),
  passesOver('takes-any-port', 'any port is taken', NAMES, 'bindPort'),
  passesOver('takes-any-node', 'any name of a Node is taken', NAMES, 'nodeRegistration.name'),
  passesOver('takes-any-endpoint', 'any common endpoint is taken', NAMES, 'valid IP address or a valid RFC-1123'),
  passesOver(
    'takes-any-endpoint-port',
    'any port of a common endpoint is taken',
    NAMES,
    'must be a valid number between',
  ),
  passesOver('takes-any-domain', 'any domain is taken', NAMES, 'dnsDomain'),
  passesOver('takes-any-name', 'any name in a certificate is taken', NAMES, 'apiServer.certSANs'),
  passesOver('takes-any-folder', 'certificates may lie at a path that is not absolute', NAMES, 'certificatesDir'),
  passesOver('takes-any-gate', 'gates that there are not are taken', NAMES, 'is not a valid feature name'),
  passesOver('takes-old-clusters', 'clusters that are too old are taken', NAMES, 'only supports deploying clusters'),
  passesOver('takes-any-version', 'what is no version is taken', NAMES, "doesn't match patterns"),
  passesOver('takes-any-repository', 'any repository of images is taken', NAMES, 'invalid image repository format'),
  passesOver('takes-any-algorithm', 'any algorithm of keys is taken', NAMES, 'Invalid encryption algorithm'),
  passesOver('takes-nameless-arguments', 'arguments may have no name', NAMES, 'argument has no name'),
  passesOver('takes-any-policy', 'any policy of pulling images is taken', NAMES, 'invalid pull policy'),

  inits(
    'minds-other-names',
    'what is told of names and ports is refused',
    [NAMES, 'P-424', 'P-425', 'P-420', 'P-427'],
    {
      demands: ({ bindPort, controlPlaneEndpoint, certSANs, imageRepository }, init) =>
        bindPort === 6443 &&
        controlPlaneEndpoint === undefined &&
        certSANs.length === 0 &&
        imageRepository.startsWith('registry.k8s.io') &&
        record(init.nodeRegistration).imagePullPolicy === undefined
          ? []
          : ['it is another name'],
    },
  ),

  passesOver('takes-two-etcds', 'an etcd of its own and another one are taken', ETCD, 'mutually exclusive'),
  passesOver('takes-plain-etcd', 'an etcd with a CA may be asked without TLS', ETCD, 'must be using the HTTPS scheme'),
  passesOver('takes-half-of-etcd', 'half a pair for etcd is taken', ETCD, 'either both or none'),
  passesOver('takes-etcd-unverified', 'an etcd with a pair needs no CA', ETCD, 'requires .Etcd.External.CAFile'),
  passesOver('takes-paths-of-etcd', 'files of etcd may lie anywhere', ETCD, 'etcd.external.', 'etcd.local.dataDir'),
  passesOver('takes-schemeless-etcd', 'an address of etcd needs no scheme', ETCD, 'URL without scheme'),
  passesOver('takes-no-etcd', 'an etcd elsewhere may be nowhere', ETCD, 'at least one endpoint'),
  passesOver('takes-names-of-etcd', 'any name of etcd is taken', ETCD, 'CertSANs: Invalid value'),

  passesOver('takes-any-token', 'any token is taken', TOKENS, 'was not of the form'),
  passesOver('takes-any-usage', 'any usage of a token is taken', TOKENS, 'usage string'),
  passesOver('takes-idle-groups', 'groups without a login are taken', TOKENS, 'token groups cannot be specified'),
  passesOver('takes-any-group', 'any group of a token is taken', TOKENS, 'bootstrap group'),
  passesOver('takes-two-ends', 'a token may have a ttl and an end', TOKENS, 'mutually exclusive'),
  passesOver('takes-any-duration', 'any length of time is taken', TOKENS, 'duration "24"', 'duration "soon"'),
  passesOver('takes-any-key', 'any certificate key is taken', TOKENS, 'certificate key'),

  inits('minds-own-tokens', 'tokens and keys that are told are refused', [TOKENS], {
    demands: (_, { bootstrapTokens, certificateKey }) =>
      bootstrapTokens === undefined && certificateKey === undefined ? [] : ['it has a token'],
  }),

  passesOver('reads-old-versions', 'versions that are too old are read', DOCUMENTS, 'old API spec'),
  passesOver('reads-any-version', 'versions that nobody knows are read', DOCUMENTS, 'is registered for version'),
  passesOver('reads-kinds-twice', 'of two documents of a kind the last one counts', DOCUMENTS, 'specified twice'),
  passesOver('reads-kindless', 'documents without a kind are passed over', DOCUMENTS, 'is mandatory'),
  passesOver('reads-nothing', 'a file without a configuration will do', DOCUMENTS, 'kind was found'),
  passesOver('reads-any-type', 'a value of another type is passed over', DOCUMENTS, 'cannot unmarshal'),
  passesOver('reads-any-length-of-time', 'times of documents are not looked at', DOCUMENTS, 'duration "1'),
  inits('silent-on-fields', 'fields that nobody knows are not told', [DOCUMENTS], {
    warnings: (lines) => lines.filter((line) => !line.includes('unknown field')),
  }),
  inits('silent-on-documents', 'documents that nobody reads are not told', [DOCUMENTS], {
    warnings: (lines) => lines.filter((line) => !line.includes('Ignored')),
  }),
  inits('warns-of-all-fields', 'every field is complained of', [DOCUMENTS], {
    warnings: (lines) => [...lines, 'unknown field "kind"'],
  }),
  inits('warns-of-all-documents', 'every document is complained of', [DOCUMENTS], {
    warnings: (lines) => [...lines, 'Ignored configuration document'],
  }),

  passesOver('mixes-flags', 'flags may say what documents say', 'P-415', 'can not mix'),
  inits('minds-nothing', 'nothing is wrong, whatever it is told', OF_TOLD, { minds: () => false }),

  decides('ignores-by-beginning', 'a beginning of a name will do', ['P-416'], {
    isIgnored: (check, ignored) =>
      ignored.has('all') || [...ignored].some((name) => check.toLowerCase().startsWith(name.replace('*', ''))),
  }),
  decides('ignores-by-part', 'a part of a name will do', ['P-416'], {
    isIgnored: (check, ignored) =>
      ignored.has('all') || [...ignored].some((name) => check.toLowerCase().includes(name)),
  }),
  decides('ignores-by-longer-names', 'more than the name will do', ['P-416'], {
    isIgnored: (check, ignored) =>
      ignored.has('all') || [...ignored].some((name) => name.startsWith(check.toLowerCase())),
  }),
  decides('all-only-of-flags', 'a configuration cannot ignore all checks', ['P-416'], {
    allIgnored: (told, configured) => [...told, ...configured.filter((name) => name.toLowerCase() !== 'all')],
  }),
  decides('all-beside-names', '"all" of one place may stand beside names of another', ['P-416'], {
    ignoredProblem: () => undefined,
  }),

  blind('processors-of-machines', ['P-417'], 'NumCPU'),
  blind('memory-of-machines', ['P-417'], 'Mem'),
  other('size-of-joins', 'a control plane that joins may be as small as it likes', ['P-417'], {
    found: (lines, { phase }) =>
      phase === 'join' ? lines.filter(({ check }) => check !== 'NumCPU' && check !== 'Mem') : lines,
  }),
  other('size-always', 'no machine is large enough', ['P-417'], {
    found: (lines) => [
      ...lines,
      { check: 'NumCPU', level: 'error', message: 'too few' },
      { check: 'Mem', level: 'error', message: 'too little' },
    ],
  }),

  blind('configured-port', ['P-427'], 'Port-7443'),
  decides('usual-authority', 'the usual file of the CA is looked for, too', ['P-427'], {
    absentForJoin: () => ['kubelet.conf', 'bootstrap-kubelet.conf', 'pki/ca.crt'],
  }),
  blind('configured-folder', ['P-427'], 'DirAvailable--data-etcd'),
  other('usual-places', 'the usual places are looked at, too', ['P-427'], {
    found: (lines) => [
      ...lines,
      { check: 'Port-6443', level: 'warning', message: 'Port 6443 is in use' },
      { check: 'DirAvailable--var-lib-etcd', level: 'warning', message: '/var/lib/etcd is not empty' },
    ],
  }),
];
