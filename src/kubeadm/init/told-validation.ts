/**
 * What may be wrong with fields that no phase of files reads, and with names of arguments: tokens, the certificate key,
 * gates, repositories. Source: cmd/kubeadm/app/apis/kubeadm/validation/validation.go; cluster-bootstrap, token/util.
 */
import { type Fields, isRecord, record, records, text, texts } from '../../kubernetes/json.js';
import { TOKEN_FORM, TOKEN_GROUP_FORM } from '../../kubernetes/names.js';
import { certificateKeyProblem } from '../certificate-key.js';
import { parseDuration } from '../duration.js';

const TOKEN_PATTERN = '\\A([a-z0-9]{6})\\.([a-z0-9]{16})\\z';
const USAGES = ['signing', 'authentication'];
const GROUP_PATTERN = '\\Asystem:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]\\z';
/** Source: distribution/reference ReferenceRegexp, of what stands before "/name:tag". */
const REPOSITORY =
  /^(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*(?::\d+)?)(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const POLICIES = ['', 'Always', 'IfNotPresent', 'Never'];
/** Of whatever release. Source: features.go InitFeatureGates. */
const GATES = [
  ...['PublicKeysECDSA', 'RootlessControlPlane', 'NodeLocalCRISocket', 'ControlPlaneKubeletLocalMode'],
  ...['EtcdLearnerMode', 'WaitForAllControlPlaneComponents', 'UpgradeAddonsBeforeControlPlane'],
  ...['UnversionedKubeletConfigMap', 'IPv6DualStack'],
];

const invalid = (field: string, value: unknown, why: string): string =>
  `${field}: Invalid value: ${JSON.stringify(value)}: ${why}`;

/** Why a text is no token, where it is read; the text is not told. Source: NewBootstrapTokenString. */
export function unreadToken(init: Fields): string | undefined {
  const wrong = records(init.bootstrapTokens).some(({ token = '' }) => token !== '' && !TOKEN_FORM.test(text(token)));
  return wrong ? `the bootstrap token was not of the form ${JSON.stringify(TOKEN_PATTERN)}` : undefined;
}

/** Why a length of time is none, where it is read. Source: Go time.ParseDuration. */
export function unreadDuration(init: Fields): string | undefined {
  const given = [...records(init.bootstrapTokens).map(({ ttl }) => ttl), ...Object.values(record(init.timeouts))];
  const wrong = given.find((one) => one !== undefined && one !== null && parseDuration(text(one)) === undefined);
  if (wrong === undefined) return undefined;
  const unit = /^[\d.]+$/.test(text(wrong)) ? 'missing unit in' : 'invalid';
  return `time: ${unit} duration ${JSON.stringify(wrong)}`;
}

function tokenProblems(token: Fields, at: string): readonly string[] {
  const given = texts(token.usages);
  const usages = given.length === 0 ? USAGES : given;
  const groups = texts(token.groups);
  const strange = usages.filter((usage) => !USAGES.includes(usage));
  return [
    ...(strange.length === 0
      ? []
      : [
          invalid(
            `${at}.usages`,
            usages,
            `invalid bootstrap token usage string: ${strange.sort().join(',')}, valid usage options: ${USAGES.join(',')}`,
          ),
        ]),
    ...(usages.includes('authentication')
      ? []
      : [
          invalid(`${at}.groups`, groups, 'token groups cannot be specified unless --usages includes "authentication"'),
        ]),
    ...groups
      .filter((group) => !TOKEN_GROUP_FORM.test(group))
      .map((group) =>
        invalid(
          `${at}.groups`,
          groups,
          `bootstrap group ${JSON.stringify(group)} is invalid (must match ${GROUP_PATTERN})`,
        ),
      ),
    // A ttl is filled in before that.
    ...(token.expires !== undefined
      ? [invalid(at, '', 'the BootstrapToken .TTL and .Expires fields are mutually exclusive')]
      : []),
  ];
}

const repository = (field: string, given: unknown): readonly string[] =>
  text(given) === '' || REPOSITORY.test(text(given)) ? [] : [invalid(field, given, 'invalid image repository format')];

/** Arguments as a list each have a name. */
const unnamed = (field: string, given: unknown): readonly string[] =>
  isRecord(given)
    ? []
    : records(given).flatMap(({ name = '' }, index) =>
        name === '' ? [invalid(field, `index ${index}`, 'argument has no name')] : [],
      );

/** Of an InitConfiguration. */
export function initProblems(init: Fields): readonly string[] {
  const key = certificateKeyProblem(text(init.certificateKey));
  const node = record(init.nodeRegistration);
  return [
    ...unnamed('nodeRegistration.kubeletExtraArgs', node.kubeletExtraArgs),
    ...(POLICIES.includes(text(node.imagePullPolicy))
      ? []
      : [invalid('nodeRegistration.imagePullPolicy', node.imagePullPolicy, 'invalid pull policy')]),
    ...records(init.bootstrapTokens).flatMap((token, index) => tokenProblems(token, `bootstrapTokens.${index}`)),
    ...(key === undefined ? [] : [`certificateKey: Invalid value: ${key}`]),
  ];
}

/** Of a ClusterConfiguration. */
export function clusterProblems(cluster: Fields): readonly string[] {
  const own = record(record(cluster.etcd).local);
  return [
    ...repository('dns.imageRepository', record(cluster.dns).imageRepository),
    ...['apiServer', 'controllerManager', 'scheduler'].flatMap((name) =>
      unnamed(`${name}.extraArgs`, record(cluster[name]).extraArgs),
    ),
    ...Object.keys(record(cluster.featureGates))
      .filter((name) => !GATES.includes(name))
      .map((name) => invalid('featureGates', cluster.featureGates, `${name} is not a valid feature name.`)),
    ...repository('imageRepository', cluster.imageRepository),
    ...repository('etcd.local.imageRepository', own.imageRepository),
    ...unnamed('etcd.local.extraArgs', own.extraArgs),
  ];
}
