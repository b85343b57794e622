/** Certificates and keys on a node's disk: they are there, fit together, and are valid. */

import type { Check } from '../../model/check.js';
import { demand, type Finding, type Look } from '../../model/finding.js';
import type { Subject } from '../certificates/der.js';
import { DAMAGED } from './node-reader.js';
import type { NodeFacts } from './node-roles.js';
import type { CertificateSeen, FileSeen, Held } from './node-seen.js';

const SOURCE = '002, certificates; cmd/kubeadm/app/phases/certs';
/** Milliseconds. The longest life that kubeadm or a signer gives what is no authority: a year, leap years among them. */
export const LEAP_YEAR = 366 * 86_400_000;

/** A file of the disk; null: there is none. */
export interface Seen {
  readonly path: string;
  readonly file: FileSeen | null;
}

/** `name`: an absolute path, or one below the folder of certificates. */
export function seenAt({ disk, pki }: NodeFacts, name: string): Seen {
  const path = name.startsWith('/') ? name : `${pki}/${name}`;
  return { path, file: disk[path] ?? null };
}

type Kind = Held['kind'];
type Of<K extends Kind> = Extract<Held, { kind: K }>;

/**
 * Judges what a file holds: not there is unmet, not readable is unclear, and something else than a file of that kind is
 * unmet as well.
 */
export function held<K extends Kind>(
  { path, file }: Seen,
  kind: K,
  demanded: string,
  look: (held: Of<K>) => Pick<Look, 'seen' | 'ok'>,
): Finding {
  const say = (seen: string, ok: boolean | undefined): Finding => demand({ subject: path, demanded, seen, ok });
  if (file === null) return say('there is no such file', false);
  if (file.held.kind === 'unreadable') return say(`it cannot be read: ${file.held.why}`, undefined);
  if (file.held.kind !== kind) return say('it holds something else', false);
  const { seen, ok } = look(file.held as Of<K>);
  return say(seen, ok);
}

/** Files are there, and what they are named for. */
export const filesThere: Check<readonly Seen[]> = {
  id: 'node-files/there',
  source: '002, constants and well-known paths; cmd/kubeadm/app/constants/constants.go',
  judge: (all) =>
    all.map(({ path, file }) => {
      const why = file?.held.kind === 'unreadable' ? `it cannot be read: ${file.held.why}` : undefined;
      const seen = file === null ? 'there is nothing' : (why ?? 'it is');
      return demand({
        subject: path,
        demanded: 'it is there',
        seen,
        ok: why === undefined ? file !== null : undefined,
      });
    }),
};

/** What can be read to its end, and is not what its program reads: that ends at it. */
export const readAsWritten: Check<readonly Seen[]> = {
  id: 'node-files/read-as-written',
  source: 'k8s.io/apimachinery, runtime/serializer; client-go util/cert, util/keyutil; systemd.exec(5)',
  judge: (all) => {
    const odd = all.flatMap(({ path, file }) =>
      file?.held.kind === 'unreadable' && file.held.isWhole === true ? [`${path}: ${file.held.why}`] : [],
    );
    const demanded = 'its programs can read what they are given';
    const seen = odd.slice(0, 4).join('; ').slice(0, 400) || 'they can';
    return [demand({ subject: 'the node', demanded, seen, ok: odd.length === 0 })];
  },
};

/** Files that have no business on this kind of node. */
export const filesAbsent: Check<readonly Seen[]> = {
  id: 'node-files/absent',
  source: '002, etcd; 003, certificates; 004, responsibilities',
  judge: (all) =>
    all.map(({ path, file }) =>
      demand({
        subject: path,
        demanded: 'it is not there',
        seen: file === null ? 'it is not' : 'it is',
        ok: file === null,
      }),
    ),
};

export const first = (
  seen: Seen,
  demanded: string,
  look: (one: CertificateSeen) => Pick<Look, 'seen' | 'ok'>,
): Finding =>
  held(seen, 'certificates', demanded, ({ certificates: [one] }) =>
    one === undefined ? { seen: 'it holds none', ok: false } : look(one),
  );

export const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Whether a certificate is valid at a time, in words. */
export const validity = ({ facts }: CertificateSeen, now: number): Pick<Look, 'seen' | 'ok'> => {
  const { notBefore, notAfter } = facts;
  const ok = notBefore <= now && now <= notAfter;
  return { seen: ok ? 'it is' : `it is from ${day(notBefore)} to ${day(notAfter)}`, ok };
};

export const validNow: Check<readonly Seen[], { readonly now: number }> = {
  id: 'node-files/valid-now',
  source: `${SOURCE}; RFC 5280, 4.1.2.5`,
  judge: (all, { now }) => all.map((seen) => first(seen, 'its certificate is valid now', (one) => validity(one, now))),
};

const OURS = ['any', 'serverAuth', 'clientAuth'];

const isSameName = (one: Subject, other: Subject): boolean =>
  one.commonName === other.commonName &&
  one.organizations.join('\n') === other.organizations.join('\n') &&
  (one.others ?? []).join('\n') === (other.others ?? []).join('\n');

/**
 * An authority: signed by itself, or by one that others keep, and allowed to sign.
 * Source: kubernetes.io, PKI certificates and requirements (single root CA).
 */
export const authority: Check<readonly Seen[]> = {
  id: 'node-files/authority',
  source: `${SOURCE}, NewCertificateAuthority; RFC 5280, 4.2.1.9`,
  judge: (all) =>
    all.flatMap((seen) => [
      first(seen, 'it holds an authority', ({ facts: { ca, keyUsage, extendedKeyUsage = [] } }) => {
        const signs = keyUsage === undefined || keyUsage.includes('keyCertSign');
        // What it may be used for holds for all that it signs.
        const isForUs = extendedKeyUsage.length === 0 || extendedKeyUsage.some((usage) => OURS.includes(usage));
        const problem = signs ? 'what it signs is for something else' : 'its key may not sign certificates';
        const ok = ca && signs && isForUs;
        return { seen: ok ? 'it does' : ca ? problem : 'it is none', ok };
      }),
      held(seen, 'certificates', 'it holds authorities alone', ({ certificates }) => {
        const others = certificates.filter(({ facts }) => !facts.ca).map(({ facts }) => facts.commonName);
        return { seen: others.length === 0 ? 'it does' : `also ${others.join(', ')}`, ok: others.length === 0 };
      }),
      first(seen, 'the authority is signed by its own key, or by another authority', ({ digest, signedBy, facts }) => {
        const isAnothers = !isSameName(facts.issuer, facts);
        const ok = isAnothers || signedBy.includes(digest);
        return { seen: isAnothers ? 'by another one' : ok ? 'it is' : 'it is not', ok };
      }),
    ]),
};

/** A certificate and its key, or both halves of a key. */
export interface PairSeen {
  readonly holder: Seen;
  readonly key: Seen;
}

export const pinIn = ({ file }: Seen): string | undefined => {
  if (file?.held.kind === 'key') return file.held.pin;
  return file?.held.kind === 'certificates' ? file.held.certificates[0]?.facts.pin : undefined;
};

export const pairs: Check<readonly PairSeen[]> = {
  id: 'node-files/pairs',
  source: SOURCE,
  judge: (all) =>
    all.map(({ holder, key }) => {
      const demanded = `it is the private key of ${holder.path}`;
      const wanted = pinIn(holder);
      return held(key, 'key', demanded, ({ pin, isPrivate, isShort }) => {
        if (!isPrivate) return { seen: 'it is no private key', ok: false };
        if (isShort) return { seen: 'it has fewer than 2048 bits', ok: false };
        if (wanted === undefined) return { seen: `nobody knows: ${holder.path} cannot be read`, ok: undefined };
        const other = pin === DAMAGED ? DAMAGED : 'it is another one';
        return { seen: pin === wanted ? 'it is' : other, ok: pin === wanted };
      });
    }),
};

/** The same of a pair that not every node has. */
export const pairsThere: Check<readonly PairSeen[]> = {
  id: 'node-files/pairs-there',
  source: SOURCE,
  nothing: 'no such pair lies there',
  judge: (all) =>
    pairs.judge(
      all.filter(({ key, holder }) => key.file !== null || holder.file !== null),
      undefined,
    ),
};

/** A certificate and who has to have signed it. */
export interface IssuedSeen {
  readonly leaf: Seen;
  readonly issuer: Seen;
}

export const issuedBy: Check<readonly IssuedSeen[]> = {
  id: 'node-files/issued-by',
  source: SOURCE,
  judge: (all) =>
    all.map(({ leaf, issuer }) => {
      const root = issuer.file?.held.kind === 'certificates' ? issuer.file.held.certificates : undefined;
      return first(leaf, `it is issued by ${issuer.path}`, ({ digest, signedBy }) => {
        if (root === undefined) return { seen: `nobody knows: ${issuer.path} cannot be read`, ok: undefined };
        const ok = root.some((one) => one.digest !== digest && signedBy.includes(one.digest));
        return { seen: ok ? 'it is' : signedBy.length > 0 ? 'it is issued by another' : 'it is not', ok };
      });
    }),
};

/** A certificate, and the extended key usages that kubeadm makes it with. */
export interface MadeFor {
  readonly seen: Seen;
  readonly usages: readonly string[];
}

/** Who may have more by it than it was made for may stand for somebody else. */
export const madeForNoMore: Check<readonly MadeFor[]> = {
  id: 'node-files/made-for-no-more',
  source: `${SOURCE}/certlist.go`,
  judge: (all) =>
    all.map(({ seen, usages }) =>
      first(seen, `its certificate is for ${usages.join(' and ')}, and no more`, ({ facts: { extendedKeyUsage } }) => {
        const more = (extendedKeyUsage ?? ['any']).filter((usage) => !usages.includes(usage));
        return { seen: more.length === 0 ? 'it is' : `it is for ${more.join(', ')}, too`, ok: more.length === 0 };
      }),
    ),
};

/** "serverAuth", "clientAuth" among what the certificate may be used for. */
export const usableFor: Check<readonly Seen[], { readonly usages: readonly string[] }> = {
  id: 'node-files/usable-for',
  source: `${SOURCE}/certlist.go`,
  judge: (all, { usages }) =>
    all.flatMap((seen) => [
      ...usages.map((usage) =>
        first(seen, `its certificate may be used for ${usage}`, ({ facts: { extendedKeyUsage = [] } }) => ({
          seen: extendedKeyUsage.join(', ') || 'nothing is said',
          ok: extendedKeyUsage.includes(usage),
        })),
      ),
      first(seen, 'its key is for connections, and for no certificates', ({ facts: { ca, keyUsage } }) => {
        const connects = keyUsage === undefined || keyUsage.includes('digitalSignature');
        const problem = ca ? 'it is an authority' : `it is for ${keyUsage?.join(', ') || 'nothing'}`;
        return { seen: !ca && connects ? 'it is' : problem, ok: !ca && connects };
      }),
    ]),
};

export const commonName: Check<readonly Seen[], { readonly wanted: string }> = {
  id: 'node-files/common-name',
  source: `${SOURCE}/certlist.go`,
  judge: (all, { wanted }) =>
    all.map((seen) =>
      first(seen, `its common name is ${wanted}`, ({ facts }) => ({
        seen: facts.commonName === '' ? 'it has none' : facts.commonName,
        ok: facts.commonName === wanted,
      })),
    ),
};

/** Releases of which a certificate without a group may be: 1.33 brought it to all that are supported. */
const WITHOUT_GROUP = 32;

/** The groups that kubeadm has given the API server's client certificate for kubelets, release by release. */
export const kubeletClientGroup: Check<readonly Seen[], { readonly minor: number | null }> = {
  id: 'node-files/kubelet-client-group',
  source: `${SOURCE}/certlist.go; release notes of 1.29 and 1.36.1`,
  judge: (all, { minor }) =>
    all.map((seen) =>
      first(seen, 'its group is one that a kubeadm of its release has given it', ({ facts: { organizations } }) => {
        const isBound = organizations.length === 0 && (minor === null || minor >= WITHOUT_GROUP);
        const isKnown =
          organizations.length === 1 && /^(?:system:masters|kubeadm:cluster-admins)$/.test(organizations[0] ?? '');
        return { seen: organizations.join(', ') || 'it has none', ok: isBound || isKnown };
      }),
    ),
};

/** Every key that a file holds, or is for. */
const pinsIn = (seen: Seen): readonly string[] | undefined => {
  const { file } = seen;
  if (file?.held.kind === 'certificates') return file.held.certificates.map(({ facts }) => facts.pin);
  const pin = pinIn(seen);
  return pin === undefined ? undefined : [pin];
};

/** Two files have no key in common, wherever in them it stands. */
export const different: Check<readonly Seen[]> = {
  id: 'node-files/different',
  source: '002, certificates: a separate authority',
  judge: ([one, other]) => {
    if (one === undefined || other === undefined) return [];
    const [own, theirs] = [pinsIn(one), pinsIn(other)];
    const ok = own === undefined || theirs === undefined ? undefined : !own.some((pin) => theirs.includes(pin));
    const seen = ok === undefined ? 'nobody knows' : ok ? 'it is' : 'it is the same';
    return [demand({ subject: one.path, demanded: `its key is another one than that of ${other.path}`, seen, ok })];
  },
};

/** Who verifies has the public half alone. */
export const publicOnly: Check<readonly Seen[]> = {
  id: 'node-files/public-only',
  source: SOURCE,
  judge: (all) =>
    all.map((seen) =>
      held(seen, 'key', 'it holds a public key alone', ({ isPrivate }) => ({
        seen: isPrivate ? 'it holds the private key' : 'it does',
        ok: !isPrivate,
      })),
    ),
};
