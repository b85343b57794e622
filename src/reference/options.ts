/** How a reference is started: everything that varies is an argument. */

import type { ApiRequest, ApiResponse } from '../apiserver/server.js';
import type { ApiClient, Clock, RandomBytes } from '../apiserver/types.js';
import type { ExtraArgs } from '../kubeadm/flags.js';
import type { Machine } from '../kubeadm/init/machine.js';
import type { TokenOptions } from '../kubeadm/phases/init.js';
import type { ClusterPki } from '../kubeadm/pki.js';
import type { AuthenticationFlags } from '../kubernetes/authentication-flags.js';
import type { UserInfo } from '../kubernetes/objects.js';
import type { KeyObject } from '../pki/keys.js';
import type { Decisions } from './decisions.js';
import type { Image } from './image.js';

/** Controllers that can be left out, by the names that --controllers knows. */
export const SWITCHABLE_CONTROLLERS = [
  'bootstrapsigner',
  'tokencleaner',
  'csrapproving',
  'csrsigning',
  'csrcleaner',
] as const;
export type SwitchableController = (typeof SWITCHABLE_CONTROLLERS)[number];

export interface ReferenceOptions {
  /** default: system clock */
  readonly clock?: Clock;
  readonly random?: RandomBytes;
  readonly decisions?: Partial<Decisions>;
  /** "v1.36.1", "1.33"; selects what that release did. Default: the newest known. */
  readonly kubernetesVersion?: string;
  /**
   * Key algorithm of the cluster's own CA and certificates. kubeadm's default is RSA-2048; the default here is EC,
   * which is made in no time.
   */
  readonly keyAlgorithm?: 'RSA-2048' | 'ECDSA-P256';
  /** Keys of another reference, for a twin of it: RSA keys take a second. A data file brings its own. */
  readonly keys?: ReferenceKeys;
  /** 0: any free port. Default host 127.0.0.1. */
  readonly port?: number;
  readonly host?: string;
  /** apiServer.certSANs: names and addresses that clients may know it by besides. */
  readonly certSANs?: readonly string[];
  /** Crash-safe persistence; undefined: memory only. */
  readonly dataFile?: string;
  /** Switches of the API server and the controller manager; defaults are kubeadm's. */
  readonly bootstrapTokenAuth?: boolean;
  /** A list: anonymous requests are answered at these paths only, as AuthenticationConfiguration's conditions say. */
  readonly anonymousAuth?: boolean | readonly string[];
  readonly authentication?: AuthenticationFlags;
  /**
   * --authorization-mode; AlwaysAllow: whoever logs in may do everything, nobody is anonymous, and no default role is
   * made. Default: Node,RBAC.
   */
  readonly authorizationMode?: 'Node,RBAC' | 'AlwaysAllow';
  /** The port answers requests that come without TLS as well, which no release does. Default: no. */
  readonly plainHttp?: boolean;
  readonly controllers?: Partial<Record<SwitchableController, boolean>>;
  /**
   * --use-service-account-credentials of the controller manager; false: every controller acts as
   * system:kube-controller-manager.
   */
  readonly serviceAccountCredentials?: boolean;
  /** What kubeadm init is told of tokens; undefined: one random token of 24 h. */
  readonly tokens?: readonly TokenOptions[];
  /**
   * --cluster-signing-duration of the controller manager, milliseconds: what certificates are signed for where a
   * request asks for no less. Default 8760 h.
   */
  readonly clusterSigningDuration?: number;
  /**
   * Show the Node of the control plane and the mirror Pods of its static Pods, as its kubelet does. Default: no kubelet
   * runs there.
   */
  readonly withNode?: boolean;
  /** Milliseconds ago that the certificate of the API server was made. Default: as it starts. */
  readonly servingAge?: number;
  /** Which of kubeadm's names and addresses that certificate is for. Default: all. */
  readonly servingNames?: (host: string) => boolean;
  /** --cluster-signing-cert-file and -key-file are empty: the CA's key is elsewhere. */
  readonly externalCa?: boolean;
  /** What the flags of the static Pods say beyond kubeadm's defaults. */
  readonly extraArgs?: ExtraArgs;
  readonly nodeName?: string;
  /** Skip kubeadm's phases: a bare API server with controllers. */
  readonly bare?: boolean;
  /**
   * Start as another one was when it had been set up, with its keys and at its port, which has to be free again. The
   * clock has to stand at the image's instant. All other options have to be those of that other one.
   */
  readonly image?: Image;
}

/** What a cluster is known by: its authorities, and the keys of its API server and its administrator. */
export interface ReferenceKeys {
  readonly pki: ClusterPki;
  readonly serving: KeyObject;
  readonly admin: KeyObject;
}

/** A running reference. */
export interface Reference {
  /** Where clients reach it, as cluster-info says. */
  readonly url: string;
  readonly port: number;
  readonly caPem: string;
  /** What --discovery-token-ca-cert-hash of kubeadm join wants: "sha256:…". */
  readonly caCertHash: string;
  /** Client certificate of kubernetes-admin (group kubeadm:cluster-admins), PEM. */
  readonly admin: { readonly certificate: string; readonly key: string };
  /** A kubeconfig (YAML) for admin. */
  readonly kubeconfig: string;
  /** The bootstrap tokens that init made, id.secret. */
  readonly tokens: readonly string[];
  readonly kubernetesVersion: string;
  /** One request without a connection, in all else as any other. */
  handle(request: ApiRequest): ApiResponse;
  /** The API as a member of system:masters, without HTTP: for arranging what a mutant or a test needs. */
  readonly api: ApiClient;
  /** Runs kubeadm init's phase bootstrap-token once more, with the tokens that it made. Throws ApiError. */
  repeatBootstrapPhase(): void;
  /** The API as anybody, likewise without HTTP; authorization and admission judge as ever. */
  as(user: UserInfo): ApiClient;
  /** The key that decrypts kubeadm-certs, 64 hex digits; undefined where that phase did not run. */
  readonly certificateKey?: string;
  /** For a twin. */
  readonly keys: ReferenceKeys;
  /** What it is now, to start another one from when it has been closed. */
  image(): Image;
  /** What the disk of its control plane is made of, beside the keys. */
  readonly machine: Machine;
  /** Resolves when no controller has work that could be done without time passing. */
  settle(): Promise<void>;
  close(): Promise<void>;
}
