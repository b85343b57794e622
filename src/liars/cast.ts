/** Certificates of a liar: authorities, true and false, and what it serves under. Keys are made once a process. */
import { type Authority, createAuthority, issue } from '../pki/authority.js';
import { createCertificate, type EncodedCertificate, parseCertificate, randomSerial } from '../pki/certificate.js';
import { generateKey, type KeyObject, privateKeyPem, spkiOf, spkiPin } from '../pki/keys.js';

/**
 * "ca" is the cluster's own; "ca again" is another certificate for its key; "other ca" has another key; "p384
 * ca" has one of another curve, "rsa ca" one of RSA, as kubeadm makes it; "named ca" has another name, and a hundred
 * years; "between" is issued by the cluster's own, and issues.
 */
export type AuthorityName =
  | 'ca'
  | 'ca again'
  | 'other ca'
  | 'expired ca'
  | 'p384 ca'
  | 'rsa ca'
  | 'named ca'
  | 'etcd ca'
  | 'between';

/** What a connection is served under: all for 127.0.0.1 and localhost unless the name says otherwise. */
export type ServingName =
  | 'good'
  | 'by other ca'
  | 'by expired ca'
  | 'by p384 ca'
  | 'by rsa ca'
  | 'by named ca'
  | 'by between'
  | 'by leaf'
  | 'beside ca'
  | 'brings ca'
  | 'self-signed'
  | 'other name'
  | 'no san'
  | 'ip as name'
  | 'ip alone'
  | 'expired'
  | 'future'
  | 'client eku';

export interface Serving {
  readonly der: Buffer;
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface Cast {
  readonly authorities: Readonly<Record<AuthorityName, Authority>>;
  readonly serving: Readonly<Record<ServingName, Serving>>;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CENTURY = 36_500 * DAY;
/** Loopback, and a control plane that joins. */
const HERE = { dns: ['localhost'], ip: ['127.0.0.1', '::1', '192.0.2.20'] };

let keys: readonly KeyObject[] | undefined;
/** Keys of the cluster's CA, another, an expired one, the server, a CA with a longer key, etcd's, one between, and one of another name. */
function ownKeys(): readonly KeyObject[] {
  keys ??= (['P256', 'P256', 'P256', 'P256', 'P384', 'P256', 'P256', 'P256'] as const).map((curve) =>
    generateKey(`ECDSA-${curve}`),
  );
  return keys;
}

let kind: KeyObject | undefined;
/** Takes longer than all of those to make: made when somebody wants it. */
function rsaKey(): KeyObject {
  kind ??= generateKey('RSA-2048');
  return kind;
}

/** Made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

let kept: { readonly at: number; readonly cast: Cast } | undefined;

/** Certificates that are what their names say at `now`, milliseconds since the epoch. Made anew every hour. */
export function castAt(now: number): Cast {
  if (kept === undefined || now < kept.at || now - kept.at > HOUR) kept = { at: now, cast: makeCast(now) };
  return kept.cast;
}

function makeCast(now: number): Cast {
  const [caKey, otherKey, expiredKey, servingKey, longKey, etcdKey, betweenKey, namedKey] = ownKeys() as [
    KeyObject,
    KeyObject,
    KeyObject,
    KeyObject,
    KeyObject,
    KeyObject,
    KeyObject,
    KeyObject,
  ];
  const authority = (key: KeyObject, validity?: number, from = now): Authority =>
    createAuthority({ commonName: 'kubernetes', key, now: from, ...(validity === undefined ? {} : { validity }) });
  // Older than all that it has issued: what has ended has not ended because its authority had not begun.
  const ca = authority(caKey, undefined, now - 10 * DAY);
  const between = issue(ca, {
    subject: { commonName: 'kubernetes intermediate' },
    publicKey: betweenKey,
    notBefore: now - HOUR,
    notAfter: now + 30 * DAY,
    keyUsage: ['digitalSignature', 'keyCertSign'],
    ca: true,
  });
  const rsa = once(() => authority(rsaKey()));
  const authorities = {
    ca,
    'ca again': authority(caKey, 30 * DAY, now - HOUR),
    'other ca': authority(otherKey, undefined, now - 10 * DAY),
    'expired ca': authority(expiredKey, DAY, now - 400 * DAY),
    'p384 ca': authority(longKey),
    get 'rsa ca'() {
      return rsa();
    },
    'named ca': createAuthority({
      commonName: 'Example Clusters Root 7',
      key: namedKey,
      now,
      validity: CENTURY,
    }),
    'etcd ca': authority(etcdKey),
    between: { certificate: between, facts: parseCertificate(between.der), key: betweenKey },
  };
  const keyPem = privateKeyPem(servingKey);
  const served = ({ der, pem }: EncodedCertificate): Serving => ({ der, certificatePem: pem, keyPem });
  const leaf = {
    subject: { commonName: 'kube-apiserver' },
    publicKey: servingKey,
    notBefore: now - HOUR,
    notAfter: now + 365 * DAY,
    extendedKeyUsage: ['serverAuth'],
    altNames: HERE,
  };
  const { altNames: _, ...nameless } = leaf;
  const byBetween = served(issue(authorities.between, leaf));
  const good = issue(ca, leaf);
  const byRsa = once(() => served(issue(rsa(), leaf)));
  const byOther = served(issue(authorities['other ca'], leaf));
  const byLeaf = served(issue({ certificate: good, facts: parseCertificate(good.der), key: servingKey }, leaf));
  return {
    authorities,
    serving: {
      good: served(good),
      'by other ca': byOther,
      'by leaf': { ...byLeaf, certificatePem: byLeaf.certificatePem + good.pem },
      'beside ca': { ...byOther, certificatePem: byOther.certificatePem + ca.certificate.pem },
      'brings ca': { ...byOther, certificatePem: byOther.certificatePem + authorities['other ca'].certificate.pem },
      'by expired ca': served(issue(authorities['expired ca'], leaf)),
      'by p384 ca': served(issue(authorities['p384 ca'], leaf)),
      get 'by rsa ca'() {
        return byRsa();
      },
      'by named ca': served(issue(authorities['named ca'], leaf)),
      'by between': { ...byBetween, certificatePem: byBetween.certificatePem + between.pem },
      'self-signed': served(
        createCertificate({
          ...leaf,
          signingKey: servingKey,
          serial: randomSerial(63),
          basicConstraints: { ca: false },
        }),
      ),
      // Of an API server of the same cluster, as kubeadm makes it, and of names that are like the right one.
      'other name': served(
        issue(ca, {
          ...leaf,
          altNames: {
            dns: ['other.example', 'kubernetes', 'kubernetes.default.svc', '*.localhost', 'localhost.other.example'],
            ip: ['192.0.2.7'],
          },
        }),
      ),
      'no san': served(issue(ca, { ...nameless, subject: { commonName: '127.0.0.1' } })),
      'ip as name': served(issue(ca, { ...leaf, altNames: { dns: ['127.0.0.1', 'localhost.example'], ip: [] } })),
      'ip alone': served(issue(ca, { ...leaf, altNames: { dns: ['other.example'], ip: HERE.ip } })),
      expired: served(issue(ca, { ...leaf, notBefore: now - 3 * DAY, notAfter: now - HOUR })),
      future: served(issue(ca, { ...leaf, notBefore: now + 300 * DAY, notAfter: now + 400 * DAY })),
      'client eku': served(issue(ca, { ...leaf, extendedKeyUsage: ['clientAuth'] })),
    },
  };
}

/** "sha256:…" of an authority's key. */
export const pinOf = ({ key }: Authority): string => spkiPin(spkiOf(key));

/** PEM of these authorities, one after the other. */
export const bundleOf = ({ authorities }: Cast, names: AuthorityName | readonly AuthorityName[]): string =>
  [names]
    .flat()
    .map((name) => authorities[name].certificate.pem)
    .join('');
