/**
 * Reads what a whole init has left in its cluster into facts that a report may hold: who may do what by it, what it
 * publishes, what its token is good for; no secret.
 */
import { type Fields, isRecord, record, records, text, texts } from '../../kubernetes/json.js';
import {
  CLUSTER_INFO,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  SIGNATURE_KEY_PREFIX,
  TOKEN_SECRET_PREFIX,
} from '../../kubernetes/names.js';
import type { ConfigMap, KubeObject } from '../../kubernetes/objects.js';
import type { UploadRun } from '../../kubernetes/upload-run.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import { certificatesIn, tryCertificate } from '../certificates/x509.js';
import { readClusterInfo } from '../cluster-info/cluster-info-reader.js';
import { readToken, type TokenSeen } from './uploaded-reader.js';

export interface PublishedCluster {
  readonly name: string;
  readonly server: string;
  /** Of its authorities. */
  readonly pins: readonly string[];
  /** Other fields of it. */
  readonly more: readonly string[];
}

export interface InitMade {
  readonly subject: string;
  readonly exit: number | null;
  /** "Group system:nodes: get configmaps/kubelet-config in kube-system", sorted. */
  readonly grants: readonly string[];
  /** undefined: there is no cluster-info. */
  readonly info?: {
    readonly clusters: readonly PublishedCluster[];
    readonly credentials: readonly string[];
    /** Keys of its data beside kubeconfig and signatures. */
    readonly more: readonly string[];
    readonly isSigned: boolean;
  };
  /** The token that it was told; undefined: it is not there as it was told. */
  readonly token?: TokenSeen;
  /** ClusterConfiguration and KubeletConfiguration as they are written down; undefined: they are not. */
  readonly cluster?: Fields;
  readonly kubelet?: Fields;
  /** What anybody reads, and holds the token or a certificate key. */
  readonly leaks: readonly string[];
  /** Labels by their keys, taints as "key:effect"; undefined: there is no Node. */
  readonly node?: { readonly labels: readonly string[]; readonly taints: readonly string[] };
  /** Where clients are to reach the cluster, and by which authorities. */
  readonly server: string;
  readonly pins: readonly string[];
}

const nameOf = ({ metadata }: KubeObject): string => text(metadata.name);
const pinsIn = (pem: string): readonly string[] =>
  certificatesIn(pem).flatMap((der) => {
    const facts = tryCertificate(der);
    return 'unreadable' in facts ? [] : [facts.pin];
  });

/** "get nodes", "list endpoints, …": a line for each verb and resource. */
const linesOf = (rule: Fields): readonly string[] => {
  const [names, groups] = [texts(rule.resourceNames), texts(rule.apiGroups)];
  const of = (resource: string): readonly string[] => {
    const whole = (groups.length === 0 ? [''] : groups).map((group) =>
      group === '' ? resource : `${resource}.${group}`,
    );
    return names.length === 0 ? whole : whole.flatMap((one) => names.map((name) => `${one}/${name}`));
  };
  const what = [...texts(rule.resources).flatMap(of), ...texts(rule.nonResourceURLs)];
  return texts(rule.verbs).flatMap((verb) => what.map((one) => `${verb} ${one}`));
};

const subjectName = ({ kind, name, namespace }: Fields): string =>
  `${text(kind)} ${typeof namespace === 'string' && namespace !== '' ? `${namespace}/` : ''}${text(name)}`;

/** What its bindings give to whom; a role of somebody else is named, and not looked into. */
function grantsIn(objects: readonly KubeObject[]): readonly string[] {
  const rulesOf = (kind: string, name: string, namespace: string): readonly Fields[] | undefined => {
    const role = objects.find(
      (one) => one.kind === kind && nameOf(one) === name && text(one.metadata.namespace) === namespace,
    );
    return role === undefined ? undefined : records(record(role).rules);
  };
  const lines = objects.flatMap((binding) => {
    if (binding.kind !== 'RoleBinding' && binding.kind !== 'ClusterRoleBinding') return [];
    const namespace = text(binding.metadata.namespace);
    const { roleRef, subjects } = record(binding);
    const { kind, name } = record(roleRef);
    const rules = rulesOf(text(kind), text(name), text(kind) === 'Role' ? namespace : '');
    const rights = rules === undefined ? [`all of ${text(kind)} ${text(name)}`] : rules.flatMap(linesOf);
    const where = namespace === '' ? '' : ` in ${namespace}`;
    return records(subjects).flatMap((subject) => rights.map((right) => `${subjectName(subject)}: ${right}${where}`));
  });
  return [...new Set(lines)].sort();
}

const SERVED = ['server', 'certificate-authority-data'];

function publishedIn(info: ConfigMap, token: string): NonNullable<InitMade['info']> {
  const { keys, published, credentials } = readClusterInfo(info);
  const kubeconfig = 'kubeconfig' in published ? published.kubeconfig : {};
  const signature = SIGNATURE_KEY_PREFIX + token.slice(0, 6);
  return {
    clusters: records(kubeconfig.clusters).map(({ name, cluster }) => ({
      name: text(name),
      server: text(record(cluster).server),
      pins: pinsIn(Buffer.from(text(record(cluster)['certificate-authority-data']), 'base64').toString('utf8')),
      more: Object.keys(record(cluster)).filter((key) => !SERVED.includes(key)),
    })),
    credentials,
    more: keys.filter((key) => key !== 'kubeconfig' && !key.startsWith(SIGNATURE_KEY_PREFIX)),
    isSigned: keys.includes(signature),
  };
}

/** The document of a key; undefined: there is none. */
function documentIn(map: KubeObject | undefined, key: string): Fields | undefined {
  try {
    const document: unknown = JSON.parse(JSON.stringify(parseYaml(text(record(record(map).data)[key])) ?? null));
    return isRecord(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

const HEX_KEY = /(?<![0-9a-z:])[0-9a-f]{64}(?![0-9a-z])/i;

const KUBELET_CONFIG = /^kubelet-config(?:-1\.\d+)?$/;

/** undefined: it was no whole init. */
export function readInit(run: UploadRun): InitMade | undefined {
  const { made, times, token, server, authorityPem } = run;
  const last = times.at(-1);
  if (made === undefined || last === undefined) return undefined;
  const within = (kind: string, namespace: string): readonly KubeObject[] =>
    made.filter((one) => one.kind === kind && text(one.metadata.namespace) === namespace);
  const find = (kind: string, namespace: string, name: string): KubeObject | undefined =>
    within(kind, namespace).find((one) => nameOf(one) === name);
  const [id = '', secret = ''] = token.split('.');
  const told = find('Secret', KUBE_SYSTEM, `${TOKEN_SECRET_PREFIX}${id}`);
  const isTold =
    told !== undefined && text(record(record(told).data)['token-secret']) === Buffer.from(secret).toString('base64');
  const info = find('ConfigMap', KUBE_PUBLIC, CLUSTER_INFO);
  const cluster = documentIn(find('ConfigMap', KUBE_SYSTEM, 'kubeadm-config'), 'ClusterConfiguration');
  const kubelet = documentIn(
    within('ConfigMap', KUBE_SYSTEM).find((one) => KUBELET_CONFIG.test(nameOf(one))),
    'kubelet',
  );
  const node = made.find(({ kind }) => kind === 'Node');
  return {
    subject: `an init, ${run.circumstance}`,
    exit: last.exit ?? null,
    grants: grantsIn(made),
    ...(info === undefined ? {} : { info: publishedIn(info as ConfigMap, token) }),
    ...(isTold ? { token: readToken(told, last.began) } : {}),
    ...(cluster === undefined ? {} : { cluster }),
    ...(kubelet === undefined ? {} : { kubelet }),
    leaks: made
      .filter((one) => one.kind === 'ConfigMap')
      .filter((one) => {
        const whole = JSON.stringify(one);
        return whole.includes(secret) || HEX_KEY.test(whole.replaceAll('\\n', ' '));
      })
      .map((one) => `ConfigMap ${text(one.metadata.namespace)}/${nameOf(one)}`),
    ...(node === undefined
      ? {}
      : {
          node: {
            labels: Object.keys(record(node.metadata.labels)).sort(),
            taints: records(record(record(node).spec).taints)
              .map(({ key, effect }) => `${text(key)}:${text(effect)}`)
              .sort(),
          },
        }),
    server,
    pins: pinsIn(authorityPem),
  };
}
