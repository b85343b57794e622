/** What is sound by itself, and yet does not belong together: lives, keys and groups of certificates on a disk. */
import type { Check } from '../../model/check.js';
import { demand, type Look } from '../../model/finding.js';
import { day, first, type IssuedSeen, LEAP_YEAR, pinIn, type Seen } from './node-files.js';
import { type ConfigSeen, onUser } from './node-kubeconfigs.js';
import type { CertificateSeen } from './node-seen.js';

const SOURCE = '002, certificates; cmd/kubeadm/app/phases/certs/certlist.go';

const within = ({ path }: Seen): string => `it lives no longer than ${path}, but for the year of a renewal`;

function livesWithin({ facts }: CertificateSeen, issuer: Seen): Pick<Look, 'seen' | 'ok'> {
  const root = issuer.file?.held.kind === 'certificates' ? issuer.file.held.certificates[0]?.facts : undefined;
  if (root === undefined) return { seen: `nobody knows: ${issuer.path} cannot be read`, ok: undefined };
  const ok = facts.notAfter <= root.notAfter || facts.notAfter - facts.notBefore <= LEAP_YEAR;
  return { seen: `until ${day(facts.notAfter)}, the authority until ${day(root.notAfter)}`, ok };
}

/** Who believes the authority believes nothing of it when its time is over. */
export const withinAuthority: Check<readonly IssuedSeen[]> = {
  id: 'node-soundness/within-authority',
  source: `${SOURCE}; RFC 5280, 4.1.2.5`,
  judge: (all) => all.map(({ leaf, issuer }) => first(leaf, within(issuer), (one) => livesWithin(one, issuer))),
};

/** The same of users of kubeconfigs. */
export const userWithinAuthority: Check<readonly ConfigSeen[], { readonly issuer: Seen }> = {
  id: 'node-soundness/user-within-authority',
  source: `${SOURCE}; RFC 5280, 4.1.2.5`,
  nothing: 'no such kubeconfig lies there',
  judge: (all, { issuer }) =>
    all.map((seen) => onUser(seen, within(issuer), ({ certificate }) => livesWithin(certificate, issuer))),
};

/** The key of an authority signs, and is in no program's hands for anything else. */
export const ownKeys: Check<{ readonly authorities: readonly Seen[]; readonly others: readonly Seen[] }> = {
  id: 'node-soundness/own-keys',
  source: SOURCE,
  judge: ({ authorities, others }) =>
    others.map((seen) => {
      const pin = pinIn(seen);
      const same = authorities.filter((one) => pinIn(one) === pin).map(({ path }) => path);
      const demanded = 'its key is not that of an authority';
      if (pin === undefined) return demand({ subject: seen.path, demanded, seen: 'nobody knows', ok: undefined });
      const shown = same.length === 0 ? 'it is not' : `it is that of ${same.join(', ')}`;
      return demand({ subject: seen.path, demanded, seen: shown, ok: same.length === 0 });
    }),
};

/** Groups that certificates for etcd once had from kubeadm: etcd asks for none. */
const OF_ETCD = 'system:masters';

/** Of a group of the system is who kubeadm puts there. */
export const noGroupOfTheSystem: Check<readonly Seen[]> = {
  id: 'node-soundness/no-group-of-the-system',
  source: `${SOURCE}; CHANGELOG-1.29, kubeadm: system:masters`,
  judge: (all) =>
    all.map((seen) =>
      first(seen, 'it is in no group of the system', ({ facts: { organizations } }) => {
        const isEtcds = /etcd/.test(seen.path);
        const odd = organizations.filter(
          (group) => /^(?:system|kubeadm):/.test(group) && !(isEtcds && group === OF_ETCD),
        );
        return { seen: organizations.join(', ') || 'it is in none', ok: odd.length === 0 };
      }),
    ),
};

/** "*", "*.svc" and the addresses that stand for any: whoever has the certificate is everybody. */
const ANYBODY = /^\*(?:\.[^.]+)?\.?$|^(?:0\.0\.0\.0|[0:]+)$/;

/** A certificate is for hosts that it names. */
export const narrow: Check<readonly Seen[]> = {
  id: 'node-soundness/narrow',
  source: `${SOURCE}; RFC 6125, 7.2`,
  judge: (all) =>
    all.map((seen) =>
      first(seen, 'it is for hosts that it names, and not for any', ({ facts: { altNames } }) => {
        const odd = [...altNames.dns, ...altNames.ip].filter((name) => ANYBODY.test(name));
        return { seen: odd.length === 0 ? 'it is' : `it is for ${odd.join(', ')}`, ok: odd.length === 0 };
      }),
    ),
};
