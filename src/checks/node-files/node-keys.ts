/** Keys and certificates that programs of Kubernetes take as they are, and how certificates name each other. */
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { GO_CURVES } from '../certificates/certificate-oddities.js';
import { beyond } from '../certificates/name-constraints.js';
import { first, held, type IssuedSeen, type Seen } from './node-files.js';

/** Go reads it, and verifies what it signs. */
export const takenByGo: Check<readonly Seen[]> = {
  id: 'node-keys/taken-by-go',
  source: 'crypto/x509 verify.go, UnhandledCriticalExtensions; crypto/tls auth.go',
  judge: (all) =>
    all.map((seen) =>
      first(seen, 'programs of Kubernetes take it', ({ odd = [] }) => ({
        seen: odd.join(', ') || 'they do',
        ok: odd.length === 0,
      })),
    ),
};

/** The certificate is for nothing that its authority may not sign. */
export const withinLimits: Check<readonly IssuedSeen[]> = {
  id: 'node-keys/within-limits',
  source: 'RFC 5280, 4.2.1.10, 4.2.1.12; crypto/x509 verify.go',
  nothing: 'no such certificate and its authority lie there',
  judge: (all) =>
    all.flatMap(({ leaf, issuer }): readonly Finding[] => {
      const roots = issuer.file?.held.kind === 'certificates' ? issuer.file.held.certificates : [];
      if (leaf.file === null || roots.length === 0) return [];
      return [
        first(leaf, `it is for what ${issuer.path} may sign`, ({ facts, signedBy }) => {
          const own = roots.find(({ digest }) => signedBy.includes(digest));
          const odd = own === undefined ? [] : beyond(own, facts);
          return { seen: odd.slice(0, 5).join(', ') || 'it is', ok: odd.length === 0 };
        }),
      ];
    }),
};

/** Tokens are signed by RSA or on three curves. */
export const signsTokens: Check<readonly Seen[]> = {
  id: 'node-keys/signs-tokens',
  source: 'pkg/serviceaccount/jwt.go signerFromRSAPrivateKey, signerFromECDSAPrivateKey',
  judge: (all) =>
    all.map((seen) =>
      held(seen, 'key', 'tokens can be signed with it', ({ curve }) => ({
        seen: curve === undefined ? 'RSA' : curve,
        ok: curve === undefined || GO_CURVES.includes(curve),
      })),
    ),
};

/** Whoever builds a chain by identifiers finds the issuer. */
export const issuerIdentified: Check<readonly IssuedSeen[]> = {
  id: 'node-keys/issuer-identified',
  source: 'RFC 5280, 4.2.1.1, 4.2.1.2; OpenSSL X509_V_ERR_AKID_SKID_MISMATCH',
  judge: (all) =>
    all.flatMap(({ leaf, issuer }): readonly Finding[] => {
      const roots = issuer.file?.held.kind === 'certificates' ? issuer.file.held.certificates : [];
      const ids = roots.flatMap(({ keyId }) => keyId ?? []);
      if (leaf.file === null || ids.length === 0) return [];
      return [
        first(leaf, `it names the key of ${issuer.path} as that of its issuer`, ({ issuersKeyId }) => ({
          seen: issuersKeyId ?? 'it names none',
          ok: issuersKeyId === undefined || ids.includes(issuersKeyId),
        })),
      ];
    }),
};

/** No two certificates of one issuer have one number. */
export const ownSerials: Check<readonly Seen[]> = {
  id: 'node-keys/own-serials',
  source: 'RFC 5280, 4.1.2.2',
  judge: (all) => {
    const seen = all.flatMap(({ path, file }) => {
      const one = file?.held.kind === 'certificates' ? file.held.certificates[0] : undefined;
      return one === undefined ? [] : [{ path, key: `${one.facts.issuer.commonName} ${one.facts.serial}` }];
    });
    return seen.map(({ path, key }) => {
      const same = seen.filter((other) => other.key === key && other.path !== path).map((other) => other.path);
      const demanded = 'no other certificate of its issuer has its number';
      return demand({ subject: path, demanded, seen: same.join(', ') || 'none has', ok: same.length === 0 });
    });
  },
};

/** The key of the cluster's CA, under whatever name. */
export const noAuthoritysKey: Check<readonly Seen[], { readonly pins: readonly string[] }> = {
  id: 'node-keys/no-authoritys-key',
  source: '003, certificates; 004, responsibilities',
  judge: (all, { pins }) => {
    const demanded = 'it does not hold the key of an authority';
    if (all.length === 0) return [demand({ subject: 'the disk', demanded, seen: 'no key is there', ok: true })];
    return all.map(({ path, file }) => {
      const has = file?.keys?.some((pin) => pins.includes(pin)) === true;
      return demand({ subject: path, demanded, seen: has ? 'it does' : 'it does not', ok: !has });
    });
  },
};
