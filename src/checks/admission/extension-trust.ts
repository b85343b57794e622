/**
 * Whom API servers beside the own one believe: the ConfigMap that kube-apiserver keeps for them. It adds what it has to
 * what it finds, so that what somebody else wrote there stays (tried with kube-apiserver 1.36).
 * Source: pkg/controlplane/controller/clusterauthenticationtrust combinedClusterAuthenticationInfo.
 */
import { texts } from '../../kubernetes/json.js';
import type { ConfigMap } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { refusal } from '../../model/finding.js';
import { certificatesIn } from '../certificates/x509.js';

export interface ExtensionTrust {
  readonly there: boolean;
  /** What was not put there by this cluster. */
  readonly odd: readonly string[];
}

interface Known {
  /** apiServer.extraArgs of kubeadm-config. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** PEM of whom machines believe; '' where nobody says. */
  readonly authorities: string;
}

/** What kubeadm gives the flag of this name. Source: cmd/kubeadm/app/phases/controlplane/manifests.go. */
const NAMES: Readonly<Record<string, string>> = {
  'requestheader-allowed-names': 'front-proxy-client',
  'requestheader-username-headers': 'X-Remote-User',
  'requestheader-group-headers': 'X-Remote-Group',
  'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
  'requestheader-uid-headers': 'X-Remote-Uid',
};

function listIn(written: string): readonly string[] | undefined {
  try {
    const found: unknown = JSON.parse(written);
    return Array.isArray(found) ? texts(found) : undefined;
  } catch {
    return undefined;
  }
}

function oddNames(data: Readonly<Record<string, string>>, flags: Known['flags']): readonly string[] {
  return Object.entries(NAMES).flatMap(([name, usual]) => {
    const written = data[name];
    if (written === undefined) return [];
    const own = (flags[name] ?? usual).split(',').map((one) => one.trim().toLowerCase());
    const found = listIn(written);
    if (found === undefined) return [`${name} is no list`];
    if (found.length === 0 && name === 'requestheader-allowed-names' && !own.includes(''))
      return [`${name} lets in everybody whom the authority of proxies has signed for`];
    return found.filter((one) => !own.includes(one.toLowerCase())).map((one) => `${name} ${one}`);
  });
}

const distinct = (pem: string | undefined): readonly string[] => [
  ...new Set(certificatesIn(pem ?? '').map((der) => der.toString('base64'))),
];

/** Reader. */
export function readExtensionTrust(map: ConfigMap | undefined, { flags, authorities }: Known): ExtensionTrust {
  if (map === undefined) return { there: false, odd: [] };
  const data = map.data ?? {};
  const own = distinct(authorities);
  const clients = distinct(data['client-ca-file']);
  const proxies = distinct(data['requestheader-client-ca-file']);
  const isOwnFile = (flag: string): boolean => flags[flag] === undefined;
  const foreign =
    own.length > 0 && isOwnFile('client-ca-file') ? clients.filter((one) => !own.includes(one)).length : 0;
  return {
    there: true,
    odd: [
      ...(foreign === 0 ? [] : [`client-ca-file holds ${foreign} that cluster-info does not`]),
      ...(proxies.length > 1 && isOwnFile('requestheader-client-ca-file')
        ? [`requestheader-client-ca-file holds ${proxies.length}, and the API server has one`]
        : []),
      ...(isOwnFile('requestheader-client-ca-file') && proxies.some((one) => own.includes(one) && clients.includes(one))
        ? ['requestheader-client-ca-file holds an authority that signs for clients, too']
        : []),
      ...oddNames(data, flags),
    ],
  };
}

/** Whoever is believed there may say who asks. */
export const extensionsBelieve: Check<ExtensionTrust> = {
  id: 'extension-trust/own',
  source: 'pkg/controlplane/controller/clusterauthenticationtrust; apiserver, pkg/server/options/authentication.go',
  nothing: 'nobody tells API servers beside the own one whom to believe',
  judge: ({ there, odd }) =>
    there
      ? [
          refusal({
            subject: 'ConfigMap kube-system/extension-apiserver-authentication',
            demanded: 'names nobody whom the API server itself does not believe',
            seen: odd.slice(0, 5).join('; ').slice(0, 240) || 'nobody else',
            ok: odd.length === 0,
          }),
        ]
      : [],
};
