/** How a machine is started to be lied to: what its configuration says of discovery, or the flags that say the same. */

import type { Truth } from '../kubernetes/transcript.js';
import { parseCertificate } from '../pki/certificate.js';
import { spkiPin } from '../pki/keys.js';
import { ownEndpoint, ownHost } from './addresses.js';
import { pinOf } from './cast.js';
import { kubeletOf } from './cluster-state.js';
import { etcdTruth } from './etcd.js';
import type { Liar } from './liar.js';
import type { Patch, Registration, Told } from './lie.js';
import { authorityPem, TOKEN } from './scene.js';
import { CERTIFICATE_KEY, sharedFiles } from './shared-certificates.js';

/** The `discovery` of a JoinConfiguration. */
export interface Discovery {
  readonly bootstrapToken?: {
    readonly token: string;
    readonly apiServerEndpoint: string;
    readonly caCertHashes?: readonly string[];
    readonly unsafeSkipCAVerification?: boolean;
  };
  readonly file?: { readonly kubeConfigPath: string };
  readonly tlsBootstrapToken?: string;
}

export interface Approach {
  readonly discovery: Discovery;
  /** Milliseconds. */
  readonly discoveryTimeout: number;
  /** Told by flags, not by a configuration file. */
  readonly byFlags: boolean;
  /** Told by a configuration of v1beta3. */
  readonly isOld?: true;
  /** Of a machine that joins as a control plane. */
  readonly controlPlane?: {
    readonly certificateKey: string;
    readonly localAPIEndpoint: { readonly advertiseAddress: string; readonly bindPort: number };
  };
  /** What it is told of itself, and where the CA is to be put, where that is not as usual. */
  readonly registration: Registration;
  readonly caCertPath?: string;
  readonly patches: readonly Patch[];
  /** It is to change nothing. */
  readonly dryRun: boolean;
  /** Files in the working directory. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that are on its disk already, by path. */
  readonly present: Readonly<Record<string, string>>;
}

const DISCOVERY_FILE = 'f.conf';
/** Folder of patches, from the working directory on. */
export const PATCHES = 'patches';
const KEYS: Readonly<Record<Told['certificateKey'] & string, string>> = {
  right: CERTIFICATE_KEY,
  upper: CERTIFICATE_KEY.toUpperCase(),
  wrong: `${CERTIFICATE_KEY.slice(0, -1)}0`,
  short: CERTIFICATE_KEY.slice(0, 62),
  half: CERTIFICATE_KEY.slice(0, 32),
  long: `${CERTIFICATE_KEY}00`,
  zz: 'zz',
  none: '',
};

export function approachOf({ lie, scene }: Liar): Approach {
  const { told = {} } = lie;
  const { token = TOKEN, ways, byFlags = false } = told;
  const path =
    told.path?.replace('{endpoint}', scene.endpoint) ?? (told.file === undefined ? undefined : DISCOVERY_FILE);
  const byFile = path !== undefined;
  const { authorities, serving } = scene.cast;
  const pins = told.pins?.(
    (name) => (name === 'good' ? spkiPin(parseCertificate(serving.good.der).spki) : pinOf(authorities[name])),
    scene,
  ) ?? [pinOf(authorities.ca)];
  const bootstrapToken = {
    token,
    apiServerEndpoint: told.endpoint?.(scene) ?? scene.endpoint,
    ...(pins.length === 0 ? {} : { caCertHashes: pins }),
    ...(told.skipsPins === true ? { unsafeSkipCAVerification: true } : {}),
  };
  const tls = told.tlsToken ?? (ways === 'both' && !byFlags ? '' : token);
  return {
    discovery: {
      ...(ways === 'none' || (byFile && ways !== 'both') ? {} : { bootstrapToken }),
      ...(byFile || ways === 'both' ? { file: { kubeConfigPath: path ?? DISCOVERY_FILE } } : {}),
      ...(ways === 'none' || (tls === '' && (byFile || ways === 'both')) ? {} : { tlsBootstrapToken: tls }),
    },
    discoveryTimeout: told.discoveryTimeout ?? 7000,
    byFlags,
    ...(told.isOld === true ? { isOld: true } : {}),
    ...(told.certificateKey === undefined
      ? {}
      : {
          controlPlane: {
            certificateKey: KEYS[told.certificateKey],
            localAPIEndpoint: ownEndpoint(told),
          },
        }),
    registration: told.registration ?? {},
    ...(told.caCertPath === undefined ? {} : { caCertPath: told.caCertPath }),
    patches: told.patches ?? [],
    dryRun: told.dryRun === true,
    present: told.present?.(scene) ?? {},
    files: {
      ...(told.path !== undefined && !byFlags
        ? {}
        : { [DISCOVERY_FILE]: told.file?.(scene) ?? '', ...(told.beside?.(scene) ?? {}) }),
      ...Object.fromEntries((told.patches ?? []).map(({ name, text }) => [`${PATCHES}/${name}`, text])),
    },
  };
}

/** What is true of the cluster behind a liar, for who judges what the client made of it. */
export function truthOf({ lie, scene }: Liar, approach: Approach): Truth {
  const { discovery, discoveryTimeout, controlPlane, registration } = approach;
  const { ca = 'ca', server, token } = lie.cluster ?? {};
  const { tlsToken, file, path } = lie.told ?? {};
  const embedded = tlsToken === '' && (file ?? path) !== undefined ? TOKEN : '';
  return {
    discoveryTimeout,
    discoveryToken: discovery.bootstrapToken?.token ?? '',
    bootstrapToken: token ?? (discovery.tlsBootstrapToken || (discovery.bootstrapToken?.token ?? embedded)),
    caPem: [ca]
      .flat()
      .map((name) => authorityPem(scene, name))
      .join(''),
    server: server?.(scene) ?? `https://${scene.endpoint}`,
    ...(controlPlane === undefined
      ? {}
      : {
          ownServer: `https://${ownHost(controlPlane.localAPIEndpoint)}`,
          certificateKey: controlPlane.certificateKey,
        }),
    ...(lie.etcd === undefined ? {} : { etcd: etcdTruth(registration.name, lie.told, lie.etcd) }),
    release: scene.release,
    ...(lie.certificateLife === undefined ? {} : { certificateLife: lie.certificateLife }),
    kubelet: kubeletOf(lie),
    patches: approach.patches.map(({ path, text, makes = text }) => ({ path, text: makes })),
    registration,
    ...(Object.keys(approach.present).length === 0 ? {} : { present: approach.present }),
    shared: sharedFiles(scene.cast),
  };
}
