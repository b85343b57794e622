/**
 * Keys and certificates: those on the disk of a node are those of its cluster. Nothing is asked with the node's keys.
 */
import type { Check } from '../../model/check.js';
import type { Finding } from '../../model/finding.js';
import type { CertificatesSeen } from './node-authorities.js';
import { first, held, type Seen } from './node-files.js';
import { type ConfigSeen, onUser } from './node-kubeconfigs.js';
import type { CertificateSeen } from './node-seen.js';

const CA_SOURCE = 'pkg/controller/certificates/rootcacertpublisher; cmd/kubeadm/app/phases/bootstraptoken/clusterinfo';
const TRUST_SOURCE =
  'pkg/controlplane/controller/clusterauthenticationtrust/cluster_authentication_trust_controller.go';

/** By its key: an authority that was renewed with its key is the same. */
const pinsOf = (certificates: readonly CertificateSeen[]): ReadonlySet<string> =>
  new Set(certificates.map(({ facts }) => facts.pin));

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((one) => all.has(one));

const short = (pins: ReadonlySet<string>): string => [...pins].map((pin) => `${pin.slice(0, 19)}…`).join(' and ');

/** What of the cluster the file cannot be compared with says why; else both sides. */
const compared = (
  seen: Seen,
  other: CertificatesSeen,
  {
    demanded,
    isSound,
  }: {
    readonly demanded: string;
    isSound(own: ReadonlySet<string>, theirs: ReadonlySet<string>): boolean;
  },
): Finding =>
  held(seen, 'certificates', demanded, ({ certificates }) => {
    if (other.unreadable !== '') return { seen: `${other.subject} cannot be read: ${other.unreadable}`, ok: undefined };
    const [own, theirs] = [pinsOf(certificates), pinsOf(other.certificates)];
    return { seen: `${short(own)} here, ${short(theirs)} there`, ok: isSound(own, theirs) };
  });

/**
 * The authority of the disk is that of the cluster. While an authority is replaced, one side has the new one besides.
 */
export const sameAuthorities: Check<{ readonly disk: Seen; readonly shown: readonly CertificatesSeen[] }> = {
  id: 'node-agreement/same-authorities',
  source: CA_SOURCE,
  nothing: 'the cluster shows no authority: it has neither cluster-info nor kube-root-ca.crt',
  judge: ({ disk, shown }) =>
    shown.map((other) =>
      compared(disk, other, {
        demanded: `its authority is that of ${other.subject}`,
        isSound: (own, theirs) => isWithin(own, theirs) || isWithin(theirs, own),
      }),
    ),
};

/** Whom an API server lets in, and whom it lets speak for others, it writes down for extension API servers. */
export const writtenDown: Check<{ readonly file: Seen; readonly shown: CertificatesSeen }> = {
  id: 'node-agreement/written-down',
  source: TRUST_SOURCE,
  judge: ({ file, shown }) => [
    compared(file, shown, { demanded: `${shown.subject} has its authorities`, isSound: isWithin }),
  ],
};

/** Its chain ends at the disk's authority. */
export const issuesServer: Check<{ readonly disk: Seen; readonly presented: CertificatesSeen }> = {
  id: 'node-agreement/issues-server',
  source: '002, certificates; RFC 5280, 6.1',
  judge: ({ disk, presented }) => [
    held(disk, 'certificates', "it has issued the API server's certificate", ({ certificates }) => {
      const [leaf] = presented.certificates;
      if (leaf === undefined)
        return { seen: `what is presented cannot be read: ${presented.unreadable}`, ok: undefined };
      const chain = presented.certificates.flatMap(({ signedBy }) => signedBy);
      const ok = certificates.some(({ digest }) => chain.includes(digest));
      return { seen: ok ? 'it has' : 'another one has', ok };
    }),
  ],
};

/** What lies there is what is presented: an API server reads its certificate again when the file changes. */
export const presentsOwn: Check<{ readonly own: Seen; readonly presented: CertificatesSeen }> = {
  id: 'node-agreement/presents-own',
  source: 'apiserver/pkg/server/dynamiccertificates/dynamic_serving_content.go',
  judge: ({ own, presented }) => [
    first(own, 'the API server of this machine presents it', ({ digest }) => {
      const [leaf] = presented.certificates;
      if (leaf === undefined)
        return { seen: `what is presented cannot be read: ${presented.unreadable}`, ok: undefined };
      return { seen: leaf.digest === digest ? 'it does' : 'it presents another one', ok: leaf.digest === digest };
    }),
  ],
};

/** `keys`: pins of those that verify tokens, as /openid/v1/jwks shows them. */
export const verifiesTokens: Check<{ readonly file: Seen; readonly keys: readonly string[] }> = {
  id: 'node-agreement/verifies-tokens',
  source: 'pkg/serviceaccount/openidmetadata.go; 002, certificates: sa.pub',
  judge: ({ file, keys }) => [
    held(file, 'key', 'the API server verifies tokens of service accounts with it', ({ pin }) => ({
      seen: keys.includes(pin) ? 'it does' : `it verifies with ${keys.length === 0 ? 'none' : short(new Set(keys))}`,
      ok: keys.includes(pin),
    })),
  ],
};

/** Who shows the certificate is let in: judged by its signature. */
export const letIn: Check<readonly ConfigSeen[], { readonly by: CertificatesSeen }> = {
  id: 'node-agreement/let-in',
  source: `${TRUST_SOURCE}; apiserver/pkg/authentication/request/x509`,
  nothing: 'no kubeconfig with a certificate lies there',
  judge: (all, { by }) =>
    all.map((one) =>
      onUser(one, `its certificate is of an authority of ${by.subject}`, ({ certificate }) => {
        if (by.unreadable !== '') return { seen: `that cannot be read: ${by.unreadable}`, ok: undefined };
        const ok = by.certificates.some(({ digest }) => certificate.signedBy.includes(digest));
        return { seen: ok ? 'it is' : 'it is of another one', ok };
      }),
    ),
};

/** The folder is of this cluster, as far as that shows. Undefined: it does not. */
export function isOfCluster(disk: Seen, shown: readonly CertificatesSeen[]): boolean | undefined {
  const readable = shown.filter(({ unreadable }) => unreadable === '');
  if (disk.file?.held.kind !== 'certificates' || readable.length === 0) return undefined;
  const own = pinsOf(disk.file.held.certificates);
  return readable.some(({ certificates }) => [...pinsOf(certificates)].some((pin) => own.has(pin)));
}
