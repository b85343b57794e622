/** What is seen of a node's disk. Nothing of a key or a token is in it. */
import type { Fields } from '../../kubernetes/json.js';
import type { NameLimits } from '../certificates/name-constraints.js';
import type { CertificateFacts } from '../certificates/x509.js';
import type { ConfigurationSaid } from '../written/api-configuration.js';
import type { RuntimeSettings } from './container-runtime.js';
import type { ServiceSeen } from './kubelet-service.js';
import type { MachineTold } from './machine-files.js';

/** An entry of the disk, as a target hands it over. */
export interface Entry {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Where it lies, when a link has led there. */
  readonly at?: string;
  readonly mode?: number;
  /** The number of its user. */
  readonly owner?: number;
  /** Bytes, where its content was not asked for. */
  readonly size?: number;
  /** Of an archive: names of what it holds. */
  readonly members?: readonly string[];
  readonly text?: string;
  readonly unreadable?: string;
}

/** One certificate; `digest`: SHA-256 of its DER. */
export interface CertificateSeen {
  readonly digest: string;
  readonly facts: CertificateFacts;
  /** Digests of those among the authorities of the disk that have signed it. */
  readonly signedBy: readonly string[];
  /** By what Go refuses it, though it can be read. */
  readonly odd?: readonly string[];
  /** Identifiers of its own key and of its issuer's, hex, where it says them. */
  readonly keyId?: string;
  readonly issuersKeyId?: string;
  /** Names that it may sign for, where it says any. */
  readonly limits?: NameLimits;
}

/** A client's identity in a kubeconfig. */
export interface CredentialSeen {
  readonly certificate: CertificateSeen | null;
  /** Pin of the key; null: there is none that can be read. */
  readonly pin: string | null;
  /** Its token is cut off, was written in capitals, or still to be filled in. */
  readonly isOddToken?: true;
  /** Of a key of RSA with fewer bits than enough. */
  readonly isShort?: true;
  readonly hasToken: boolean;
  /** Other ways to say who it is, as they are called: "exec", "as". */
  readonly besides: readonly string[];
  /** The file that it names for its certificate; '' where it is embedded. */
  readonly file: string;
  /** The one for its key. */
  readonly keyFile: string;
}

export interface KubeconfigSeen {
  readonly kind: 'kubeconfig';
  readonly server: string;
  /** Digests of the authorities that are embedded. */
  readonly authorities: readonly string[];
  /** Beside them lies a private key, which everybody holds who is given the file. */
  readonly embedsKey?: true;
  /** It asks whoever answers. */
  readonly isInsecure: boolean;
  /** The name that the server has to have instead of its host; '' where none is said. */
  readonly serverName: string;
  /** The proxy that it goes through; '' where it goes through none. */
  readonly proxy: string;
  readonly user: CredentialSeen;
}

export interface ManifestSeen {
  readonly kind: 'manifest';
  readonly pod: Fields;
  /** Of a repeated flag the last value; without one "true". */
  readonly flags: Readonly<Record<string, string>>;
}

/** What a file holds. */
export type Held =
  | { readonly kind: 'certificates'; readonly certificates: readonly CertificateSeen[] }
  /** `curve`: "ed25519", "P-224" … of those that are no RSA. */
  | {
      readonly kind: 'key';
      readonly pin: string;
      readonly isPrivate: boolean;
      readonly isShort: boolean;
      readonly curve?: string;
    }
  | { readonly kind: 'service'; readonly service: ServiceSeen }
  | { readonly kind: 'pair'; readonly certificate: CertificateSeen; readonly pin: string; readonly isShort?: true }
  | KubeconfigSeen
  | ManifestSeen
  | { readonly kind: 'settings'; readonly settings: Fields }
  | { readonly kind: 'runtime'; readonly settings: RuntimeSettings }
  | { readonly kind: 'machine'; readonly told: MachineTold }
  /** `flag`: that names it. */
  | ({ readonly kind: 'configuration'; readonly flag: string } & ConfigurationSaid)
  /** `variables`: names of those that the file sets beside. */
  | {
      readonly kind: 'flags';
      readonly flags: Readonly<Record<string, string>>;
      readonly variables?: readonly string[];
      /** Of a proxy that it sets: whether there is one, and who is asked without it. */
      readonly proxies?: Readonly<Record<string, string>>;
      /** It sets KUBELET_KUBEADM_ARGS, whatever file it is. */
      readonly setsKubeadms?: true;
    }
  /** Of a file of variables beside kubeadm's own those that hold flags, each as a command line takes it. */
  | { readonly kind: 'environment'; readonly variables: Readonly<Record<string, string>> }
  | { readonly kind: 'folder' }
  | { readonly kind: 'other' }
  /** `isWhole`: to its last line, and nothing that its reader takes. */
  | { readonly kind: 'unreadable'; readonly why: string; readonly isWhole?: true };

export interface FileSeen {
  readonly path: string;
  /** Permission bits; null where nobody knows. */
  readonly mode: number | null;
  /** The number of its user; null where nobody knows. */
  readonly owner: number | null;
  /** It holds a private key, or a token. */
  readonly isSecret: boolean;
  /** What it gives away to whoever joins, by its kinds. */
  readonly leaves?: readonly string[];
  /** What it gives away where it runs by itself, by its kinds. */
  readonly gives?: readonly string[];
  /** Pins of private keys that it holds under a name that says nothing of them. */
  readonly keys?: readonly string[];
  /** It holds a token of a service account that never ends. */
  readonly bears?: true;
  /** It is an archive with keys of a cluster in it. */
  readonly holdsKeys?: true;
  /** Nothing is in it. */
  readonly isEmpty?: true;
  /** Where it lies, when a link has led there. */
  readonly at?: string;
  readonly held: Held;
}

/** Path → what is there. */
export type Disk = Readonly<Record<string, FileSeen>>;
