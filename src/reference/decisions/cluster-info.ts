/**
 * What the BootstrapSigner signs and how, and what the TokenCleaner deletes and when.
 * Source: pkg/controller/bootstrap/{bootstrapsigner,util,tokencleaner}.go; cluster-bootstrap, token/jws/jws.go.
 */
import { createHmac } from 'node:crypto';
import {
  CLUSTER_INFO,
  CLUSTER_INFO_KUBECONFIG,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  SIGNATURE_KEY_PREFIX,
  TOKEN_KEYS,
  TOKEN_SECRET_PREFIX,
  TOKEN_SECRET_TYPE,
  USAGE_SIGNING,
} from '../../kubernetes/names.js';
import { hasExpired, type TokenExpiration } from './tokens.js';

/** What the two controllers see of a Secret: its place, its type and its decoded data. */
export interface SecretView {
  readonly namespace: string;
  readonly name: string;
  readonly type: string;
  readonly deleting: boolean;
  readonly data: Readonly<Record<string, Buffer>>;
}

/** A change that the signer hears of. */
export interface SignerEvent {
  readonly subject: 'configmap' | 'secret';
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
}

const text = (data: SecretView['data'], key: string): string => data[key]?.toString('utf8') ?? '';

export const clusterInfoDecisions = {
  /** Which ConfigMap carries signatures: one only. Source: DefaultSignerOptions. */
  signsConfigMap: (namespace: string, name: string): boolean => namespace === KUBE_PUBLIC && name === CLUSTER_INFO,

  /** Which Secrets the signer looks at at all. Source: NewSigner, the filter of the Secret informer; listSecrets. */
  signerWatchesSecret: (secret: Pick<SecretView, 'namespace' | 'type'>): boolean =>
    secret.namespace === KUBE_SYSTEM && secret.type === TOKEN_SECRET_TYPE,

  /** Which changes start a new signing. The deletion of the ConfigMap does not. Source: NewSigner, event handlers. */
  signerWakes: (event: SignerEvent): boolean => event.subject === 'secret' || event.type !== 'DELETED',

  /**
   * The token that a watched Secret signs with, or undefined. Neither the form of the secret half, nor groups, nor the
   * usage authentication, nor a deletion timestamp matter. Source: util.go validateSecretForSigning.
   */
  signingToken: (
    secret: SecretView,
    expiration: TokenExpiration,
    now: number,
  ): { readonly id: string; readonly secret: Buffer } | undefined => {
    const id = text(secret.data, TOKEN_KEYS.id);
    const value = secret.data[TOKEN_KEYS.secret];
    if (!/^[a-z0-9]{6}$/.test(id) || secret.name !== TOKEN_SECRET_PREFIX + id) return undefined;
    if (value === undefined || value.length === 0) return undefined;
    if (hasExpired(expiration, now)) return undefined;
    if (text(secret.data, USAGE_SIGNING) !== 'true') return undefined;
    return { id, secret: value };
  },

  /**
   * What is signed: the value of `kubeconfig`, an empty one too; without the key nothing, and then nothing is changed.
   * Source: signConfigMap.
   */
  contentToSign: (data: Readonly<Record<string, string>>): string | undefined => data[CLUSTER_INFO_KUBECONFIG],

  /** The data where there is nothing to sign: signatures stay. Source: bootstrapsigner.go signConfigMap. */
  dataWithoutText: (
    data: Readonly<Record<string, string>>,
    _isSignature: (key: string) => boolean,
  ): Readonly<Record<string, string>> => data,

  /** The data key of a token's signature. Source: cluster-bootstrap, token/api/types.go JWSSignatureKeyPrefix. */
  signatureDataKey: (tokenId: string): string => SIGNATURE_KEY_PREFIX + tokenId,

  /**
   * Bytes of the protected header: keys sorted, no blanks; clients compare signatures as strings. Source: jws.go
   * ComputeDetachedSignature.
   */
  signatureHeader: (tokenId: string): string => `{"alg":"HS256","kid":${JSON.stringify(tokenId)}}`,

  /** Bytes of the payload: those of the value, unchanged. */
  signaturePayload: (content: string): Buffer => Buffer.from(content, 'utf8'),

  /** HMAC key: the bytes of the secret half alone, whatever their number. The documents' "full token" is an erratum. */
  signatureKey: (_tokenId: string, secret: Buffer): Buffer => secret,

  /** The MAC over `<base64url header>.<base64url payload>`. Source: RFC 7515, 5.1; RFC 7518, 3.2 HS256. */
  signatureMac: (key: Buffer, header: string, payload: Buffer): Buffer =>
    createHmac('sha256', key)
      .update(`${Buffer.from(header, 'utf8').toString('base64url')}.${payload.toString('base64url')}`)
      .digest(),

  /** Compact form with the middle part taken out. Source: jws.go stripContent; RFC 7515, appendix F. */
  detachedSignature: (header: string, _payload: Buffer, mac: Buffer): string =>
    `${Buffer.from(header, 'utf8').toString('base64url')}..${mac.toString('base64url')}`,

  /**
   * Which data keys count as signatures, and go at every signing unless they are made anew. Any suffix, even none.
   * Source: signConfigMap.
   */
  isSignatureKey: (key: string): boolean => key.startsWith(SIGNATURE_KEY_PREFIX),

  /** The data after a signing: all but the old signatures, and the new ones (key → signature). */
  signedData: (
    data: Readonly<Record<string, string>>,
    signatures: Readonly<Record<string, string>>,
    isSignature: (key: string) => boolean,
  ): Readonly<Record<string, string>> => ({
    ...Object.fromEntries(Object.entries(data).filter(([key]) => !isSignature(key))),
    ...signatures,
  }),

  /** Whether a signing is written: only if some signature is new, other than before, or gone. */
  signingChanges: (before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): boolean =>
    Object.keys(before).length !== Object.keys(after).length ||
    Object.entries(after).some(([key, value]) => before[key] !== value),

  /**
   * Which Secrets the cleaner looks at: place and type alone, whatever name, keys or usages. Source: tokencleaner.go
   * NewTokenCleaner.
   */
  cleanerWatchesSecret: (secret: Pick<SecretView, 'namespace' | 'name' | 'type' | 'data'>): boolean =>
    secret.namespace === KUBE_SYSTEM && secret.type === TOKEN_SECRET_TYPE,

  /**
   * Whether the cleaner deletes a watched Secret now. `armedFor` is the instant that its timer was set for, where a
   * timer has led here (upstream reads the Secret again and does not care). Source: tokencleaner.go evalSecret.
   */
  cleanerDeletes: (
    _secret: SecretView,
    expiration: TokenExpiration,
    now: number,
    _armedFor: number | undefined,
  ): boolean => hasExpired(expiration, now),

  /** When the cleaner looks at a Secret again that it has left; undefined: only after a change. Milliseconds. */
  cleanerLooksAgain: (expiration: TokenExpiration, now: number): number | undefined =>
    expiration.kind === 'at' && expiration.at > now ? expiration.at : undefined,
};
