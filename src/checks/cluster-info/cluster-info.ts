/**
 * What cluster-info publishes to everybody who can reach the API server, judged by the facts that
 * cluster-info-reader.ts reads from it.
 * Source: 001, ConfigMap signing (example); 002, create the public cluster-info ConfigMap;
 * cmd/kubeadm/app/phases/bootstraptoken/clusterinfo.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { type Fields, isRecord } from '../../kubernetes/json.js';
import { CLUSTER_INFO, CLUSTER_INFO_KUBECONFIG, KUBE_PUBLIC, SIGNATURE_KEY_PREFIX } from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, type Look, refusal } from '../../model/finding.js';
import { readCertificate } from '../certificates/x509.js';
import { conforms } from '../schema.js';
import { type ClusterInfoFacts, certificatesIn } from './cluster-info-reader.js';

export const CLUSTER_INFO_NAME = `ConfigMap ${KUBE_PUBLIC}/${CLUSTER_INFO}`;
const PUBLISHED = '002, create the public cluster-info ConfigMap; cmd/kubeadm/app/phases/bootstraptoken/clusterinfo';
const NO_KUBECONFIG = 'cluster-info publishes no kubeconfig';
const NO_CLUSTER = 'cluster-info publishes no kubeconfig with a cluster';
const subject = CLUSTER_INFO_NAME;

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';
const show = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));

/** A cluster entry of a kubeconfig. */
export interface ClusterEntry {
  readonly name: string;
  readonly cluster: Fields;
}

function entriesOf({ published }: ClusterInfoFacts): ClusterEntry[] {
  const clusters: unknown = 'kubeconfig' in published ? published.kubeconfig.clusters : undefined;
  const list: readonly unknown[] = Array.isArray(clusters) ? clusters : [];
  return list
    .filter(isRecord)
    .flatMap(({ name, cluster }) => (isRecord(cluster) ? [{ name: String(name ?? ''), cluster }] : []));
}

/** The entry that joining machines use: the one without a name, else the first. */
export function entryForJoining(facts: ClusterInfoFacts): ClusterEntry | undefined {
  const entries = entriesOf(facts);
  return entries.find(({ name }) => name === '') ?? entries[0];
}

/** The CA that joining machines are given, as PEM; undefined where there is none. */
export function authorityForJoining(facts: ClusterInfoFacts): string | undefined {
  const entry = entryForJoining(facts);
  return entry === undefined ? undefined : authorityOf(entry);
}

/** The alphabet of encoding/base64, which skips line breaks. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The text of certificate-authority-data; undefined where it holds no PEM certificate. */
function authorityOf({ cluster }: ClusterEntry): string | undefined {
  const data = cluster['certificate-authority-data'];
  if (typeof data !== 'string' || !BASE64.test(data.replace(/[\r\n]/g, ''))) return undefined;
  const pem = Buffer.from(data, 'base64').toString('utf8');
  return pem.includes('-----BEGIN CERTIFICATE-----') ? pem : undefined;
}

/** INFO-002 looks at the text itself; the others at what is in it, where it can be read. */
export const publishesKubeconfig: Check<ClusterInfoFacts> = {
  id: 'cluster-info/kubeconfig',
  source: PUBLISHED,
  judge: ({ published }) => {
    const demanded = 'publishes a kubeconfig (apiVersion v1, kind Config)';
    if ('unreadable' in published) return [demand({ subject, demanded, seen: published.unreadable, ok: false })];
    const { apiVersion, kind } = published.kubeconfig;
    const seen = `apiVersion ${show(apiVersion)}, kind ${show(kind)}`;
    return [
      demand({ subject, demanded, seen, ok: conforms('cluster-info/config', published.kubeconfig).length === 0 }),
    ];
  },
};

type Judged = Omit<Look, 'subject'>;

/** A check of the kubeconfig that is published. */
const ofKubeconfig = (
  name: string,
  look: (kubeconfig: Fields, facts: ClusterInfoFacts) => Judged,
): Check<ClusterInfoFacts> => ({
  id: `cluster-info/${name}`,
  source: PUBLISHED,
  nothing: NO_KUBECONFIG,
  judge: (facts) =>
    'kubeconfig' in facts.published ? [demand({ subject, ...look(facts.published.kubeconfig, facts) })] : [],
});

/** Nothing but clusters: no users, no contexts, no current context. */
export const publishesNobody = ofKubeconfig('nobody', (kubeconfig) => {
  const problems = conforms('cluster-info/nobody', kubeconfig);
  const filled = ['users', 'contexts', 'current-context'].filter((key) =>
    problems.some((problem) => problem.startsWith(`${key} `)),
  );
  return {
    demanded: 'publishes clusters only: users, contexts and current-context are empty',
    seen: problems.length === 0 ? 'they are' : `not empty: ${filled.join(', ')}`,
    ok: problems.length === 0,
  };
});

export const publishesNoCredential = ofKubeconfig('no-credential', (_kubeconfig, { credentials }) => ({
  demanded: 'publishes no credential',
  seen: credentials.length === 0 ? 'none found' : `it publishes ${credentials.join(', ')}`,
  ok: credentials.length === 0,
}));

export const publishesCluster = ofKubeconfig('cluster', (kubeconfig, facts) => {
  const problems = conforms('cluster-info/cluster', kubeconfig);
  const ok = problems.length === 0 && entriesOf(facts).length > 0;
  return { demanded: 'publishes a cluster', seen: problems.length > 0 ? problems.join('; ') : 'it does', ok };
});

/**
 * Clients up to 1.31 take no other number of clusters; since then they take the one named "", or the current context's,
 * and there is none. Source: cmd/kubeadm/app/util/kubeconfig GetClusterFromKubeConfig.
 */
export const publishesOneCluster = ofKubeconfig('one-cluster', ({ clusters, ...kubeconfig }, facts) => {
  const names = entriesOf(facts).map(({ name }) => show(name));
  const current = kubeconfig['current-context'];
  const count = Array.isArray(clusters) ? clusters.length : 0;
  return {
    demanded: 'publishes exactly one cluster, named "", and no current context',
    seen: `${count}, named ${names.join(', ') || 'nothing'}; current-context ${show(current)}`,
    ok: count === 1 && names[0] === '""' && isAbsent(current),
  };
});

/** A check of each cluster entry. */
const ofEntry = (name: string, look: (entry: ClusterEntry) => Judged): Check<ClusterInfoFacts> => ({
  id: `cluster-info/${name}`,
  source: PUBLISHED,
  nothing: NO_CLUSTER,
  judge: (facts) => entriesOf(facts).map((entry) => demand({ subject, ...look(entry) })),
});

/** A certificate as it is told: by its name, and by the hash of all of it. */
export interface PublishedCertificate {
  /** "CN=kubernetes" */
  readonly name: string;
  /** SHA-256 of its DER, hexadecimal. */
  readonly digest: string;
}

interface ReadCertificate extends PublishedCertificate {
  /** It may sign certificates. Source: Go crypto/x509, Certificate.isValid and CheckSignatureFrom. */
  readonly signs: boolean;
}

/** Every certificate of a text, or none where one cannot be read. */
function readCertificates(pem: string): readonly ReadCertificate[] {
  try {
    return certificatesIn(pem).map((text) => {
      const { subject: name, raw } = new X509Certificate(text);
      const { ca, keyUsage } = readCertificate(raw);
      return {
        name: name.replaceAll('\n', ', '),
        digest: createHash('sha256').update(raw).digest('hex'),
        signs: ca && keyUsage?.includes('keyCertSign') !== false,
      };
    });
  } catch {
    return [];
  }
}

/** The certificates of a text, by name and hash. */
export const publishedCertificates = (pem: string): readonly PublishedCertificate[] =>
  readCertificates(pem).map(({ name, digest }) => ({ name, digest }));

export const publishesAuthority = ofEntry('authority', (entry) => {
  const pem = authorityOf(entry);
  const certificates = pem === undefined ? [] : readCertificates(pem);
  const named = certificates.map(({ name, signs }) => `${name}, ${signs ? 'a CA' : 'no CA'}`);
  const file = entry.cluster['certificate-authority'] !== undefined;
  const none = file ? 'it names a file (certificate-authority) instead' : 'it has no PEM certificate there, in base64';
  return {
    demanded: 'carries the certificate of the cluster CA, and no other than of a CA, in certificate-authority-data',
    seen: pem === undefined ? none : named.join('; ') || 'its PEM holds a certificate that cannot be read',
    ok: certificates.length > 0 && certificates.every(({ signs }) => signs),
  };
});

/** What cluster-info publishes, and what the cluster gives to its Pods. */
export interface Authorities {
  readonly published: readonly PublishedCertificate[];
  /** Of kube-root-ca.crt, which --root-ca-file of the controller manager fills. */
  readonly known: readonly PublishedCertificate[];
}

/** Every CA that joining machines are told to trust is one that the cluster itself trusts. */
export const authoritiesOfCluster: Check<Authorities> = {
  id: 'cluster-info/authorities-of-cluster',
  source: `${PUBLISHED}; pkg/controller/certificates/rootcacertpublisher`,
  nothing: 'cluster-info publishes no certificate that can be read',
  judge: ({ published, known }) =>
    published.map(({ name, digest }) => {
      const ok = known.some((one) => one.digest === digest);
      return demand({
        subject,
        demanded: `publishes ${name} as the cluster gives it to its Pods (kube-root-ca.crt)`,
        seen: ok ? 'it does' : `there is only ${known.map((one) => one.name).join('; ') || 'no certificate'}`,
        ok,
      });
    }),
};

/** Members of a cluster entry that send a client elsewhere than its address says, or have it expect somebody else. */
const DETOURS = ['proxy-url', 'tls-server-name'];

/** Source: client-go, tools/clientcmd/api/v1/types.go Cluster; token discovery drops both, file discovery does not. */
export const publishesNoDetour = ofEntry('no-detour', ({ cluster }) => {
  const there = DETOURS.filter((member) => !isAbsent(cluster[member]));
  return {
    demanded: 'names no proxy and no other server name',
    seen: there.length === 0 ? 'neither' : `it has ${there.join(' and ')}`,
    ok: there.length === 0,
  };
});

export const publishesVerification = ofEntry('verification', ({ name, cluster }) => {
  const insecure = cluster['insecure-skip-tls-verify'];
  return {
    demanded: 'does not tell clients to skip the verification of TLS',
    seen: insecure === undefined ? 'insecure-skip-tls-verify is absent' : `insecure-skip-tls-verify: ${show(insecure)}`,
    ok: conforms('cluster-info/verified', { clusters: [{ name, cluster }] }).length === 0,
  };
});

const SIGNATURE_KEY = new RegExp(`^${SIGNATURE_KEY_PREFIX}[a-z0-9]{6}$`);

/** `data` has no key that is neither the kubeconfig nor a signature. */
export const holdsNothingElse: Check<ClusterInfoFacts> = {
  id: 'cluster-info/nothing-else',
  source: PUBLISHED,
  judge: ({ keys }) => {
    const foreign = keys.filter((key) => key !== CLUSTER_INFO_KUBECONFIG && !SIGNATURE_KEY.test(key));
    return [
      demand({
        subject,
        demanded: `holds "${CLUSTER_INFO_KUBECONFIG}" and signatures only`,
        seen: foreign.length === 0 ? 'it does' : `also ${foreign.join(', ')}`,
        ok: foreign.length === 0,
      }),
    ];
  },
};

/** The kubeconfig is there, and nobody has signed it. */
export const holdsNoSignature: Check<ClusterInfoFacts> = {
  id: 'cluster-info/no-signature',
  source: '001, ConfigMap signing',
  judge: ({ keys }) => {
    const others = keys.filter((key) => key !== CLUSTER_INFO_KUBECONFIG);
    const there = keys.includes(CLUSTER_INFO_KUBECONFIG);
    return [
      demand({ subject, demanded: 'holds the kubeconfig', seen: there ? 'it does' : 'it does not', ok: there }),
      refusal({
        subject,
        demanded: 'holds no signature, and nothing else',
        seen: others.length === 0 ? 'it holds nothing else' : `it holds ${others.join(', ')}`,
        ok: others.length === 0,
      }),
    ];
  },
};

/** Digests of the published text at two times. */
export interface TextKept {
  readonly before: string | null;
  readonly after: string | null;
}

/** The text is byte for byte the same. */
export const keepsText: Check<TextKept, { readonly demanded: string }> = {
  id: 'cluster-info/keeps-text',
  source: '001, ConfigMap signing',
  judge: ({ before, after }, { demanded }) => {
    const ok = before !== null && before === after;
    const other = after === null ? 'there is no text' : 'the text is another';
    return [refusal({ subject, demanded, seen: ok ? 'it does' : other, ok })];
  },
};
