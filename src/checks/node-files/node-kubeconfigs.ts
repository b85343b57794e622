/** Kubeconfigs on a node's disk: who their users are, whom they ask, whom they trust. */
import { CURRENT_PAIR, GROUP_CLUSTER_ADMINS } from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, type Look } from '../../model/finding.js';
import { namesIn } from '../certificates/extensions.js';
import { held, LEAP_YEAR, type Seen, validity } from './node-files.js';
import type { CertificateSeen, KubeconfigSeen } from './node-seen.js';

const SOURCE = '002, kubeconfig files; cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go';

/** A kubeconfig, and the file of its client certificate where it names one. */
export interface ConfigSeen {
  readonly config: Seen;
  readonly named: Seen | null;
}

/** The certificate that the user shows, and the pin of its key. */
interface Shown {
  readonly certificate: CertificateSeen;
  readonly pin: string | null;
  readonly isShort?: true;
}

function shownBy({ user }: KubeconfigSeen, named: Seen | null): Shown | string | undefined {
  if (user.file === '')
    return user.certificate === null ? 'its user has no certificate' : { ...user, certificate: user.certificate };
  const { file = null } = named ?? {};
  if (file === null) return `the certificate that it names is not there (${user.file})`;
  if (file.held.kind === 'pair') return file.held;
  return file.held.kind === 'unreadable' ? undefined : `what it names is no certificate with its key (${user.file})`;
}

export const onUser = (
  { config, named }: ConfigSeen,
  demanded: string,
  look: (shown: Shown) => Pick<Look, 'seen' | 'ok'>,
): Finding =>
  held(config, 'kubeconfig', demanded, (read) => {
    const shown = shownBy(read, named);
    if (shown === undefined) return { seen: `${read.user.file} cannot be read`, ok: undefined };
    return typeof shown === 'string' ? { seen: shown, ok: false } : look(shown);
  });

/** Who it is. A name that ends with "*" stands for all that begin so, in lower case. */
export const userIs: Check<ConfigSeen, { readonly name: string; readonly groups: readonly (readonly string[])[] }> = {
  id: 'node-kubeconfigs/user',
  source: SOURCE,
  judge: (seen, { name, groups }) => [
    onUser(seen, `its user is ${name}`, ({ certificate: { facts } }) => ({
      seen: facts.commonName === '' ? 'its certificate has no name' : facts.commonName,
      ok: facts.commonName === name,
    })),
    onUser(
      seen,
      `its user is in ${groups.map((one) => one.join(', ') || 'no group').join(', or in ')}`,
      ({ certificate: { facts } }) => ({
        seen: facts.organizations.join(', ') || 'it is in no group',
        ok: groups.some((one) => [...one].sort().join() === [...facts.organizations].sort().join()),
      }),
    ),
  ],
};

/** `admin`: null where there is no super-admin.conf, as before 1.29. */
export const adminCanBeStopped: Check<{ readonly admin: ConfigSeen | null }> = {
  id: 'node-kubeconfigs/admin-can-be-stopped',
  source: 'cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go getKubeConfigSpecs',
  nothing: 'there is no super-admin.conf',
  judge: ({ admin }) =>
    admin === null
      ? []
      : [
          onUser(admin, `its user is in ${GROUP_CLUSTER_ADMINS} alone`, ({ certificate: { facts } }) => ({
            seen: facts.organizations.join(', ') || 'it is in no group',
            ok: facts.organizations.every((group) => group === GROUP_CLUSTER_ADMINS) && facts.organizations.length > 0,
          })),
        ],
};

/** The identity works: issued by the cluster's authority, valid, for clients, with its own key. */
export const userWorks: Check<ConfigSeen, { readonly authority: Seen; readonly now: number }> = {
  id: 'node-kubeconfigs/user-works',
  source: SOURCE,
  judge: (seen, { authority, now }) => [
    onUser(seen, `its certificate is issued by ${authority.path}`, ({ certificate }) => {
      const roots = authority.file?.held.kind === 'certificates' ? authority.file.held.certificates : undefined;
      if (roots === undefined) return { seen: `nobody knows: ${authority.path} cannot be read`, ok: undefined };
      const ok = roots.some(({ digest }) => certificate.signedBy.includes(digest));
      return { seen: ok ? 'it is' : 'it is not', ok };
    }),
    onUser(seen, 'its certificate is valid now', ({ certificate }) => validity(certificate, now)),
    onUser(seen, 'its certificate is for clients', ({ certificate: { facts } }) => ({
      seen: facts.ca ? 'it is an authority' : (facts.extendedKeyUsage?.join(', ') ?? 'nothing is said'),
      ok: !facts.ca && facts.extendedKeyUsage?.includes('clientAuth') === true,
    })),
    onUser(seen, 'its key is that of its certificate', ({ certificate: { facts }, pin, isShort = false }) => {
      const isOwn = pin === facts.pin;
      if (isOwn && isShort) return { seen: 'it has fewer than 2048 bits', ok: false };
      return { seen: pin === null ? 'it has none' : isOwn ? 'it is' : 'it is another one', ok: isOwn };
    }),
    onUser(seen, 'its user has no other way to say who it is', () => {
      const read = seen.config.file?.held;
      const { besides = [], hasToken = false } = read?.kind === 'kubeconfig' ? read.user : {};
      const others = [...besides, ...(hasToken ? ['a token'] : [])];
      return { seen: others.join(', ') || 'it has none', ok: others.length === 0 };
    }),
  ],
};

/** It trusts certificates of ca.crt, and nobody else. */
export const embedsAuthority: Check<readonly Seen[], { readonly authority: Seen }> = {
  id: 'node-kubeconfigs/embeds-authority',
  source: `${SOURCE}; 002, kubeconfig files, note 1`,
  judge: (all, { authority }) => {
    const root = authority.file?.held.kind === 'certificates' ? authority.file.held.certificates : undefined;
    return all.map((seen) =>
      held(seen, 'kubeconfig', `it embeds ${authority.path}`, ({ authorities, embedsKey }) => {
        if (root === undefined) return { seen: `nobody knows: ${authority.path} cannot be read`, ok: undefined };
        const isOurs = authorities.every((own) => root.some(({ digest }) => digest === own));
        if (embedsKey) return { seen: 'it embeds a private key beside', ok: false };
        const ok = authorities.length > 0 && isOurs;
        return { seen: ok ? 'it does' : authorities.length === 0 ? 'it embeds none' : 'it embeds another', ok };
      }),
    );
  },
};

/** Two machines' parts are not one user. */
export const differentUsers: Check<readonly ConfigSeen[]> = {
  id: 'node-kubeconfigs/different-users',
  source: '002, manifests: common properties',
  judge: ([one, other]) => {
    if (one === undefined || other === undefined) return [];
    const keyOf = ({ config, named }: ConfigSeen): string | undefined => {
      const read = config.file?.held;
      const shown = read?.kind === 'kubeconfig' ? shownBy(read, named) : undefined;
      return typeof shown === 'object' ? shown.certificate.facts.pin : undefined;
    };
    return [
      onUser(one, `its certificate is not that of ${other.config.path}`, ({ certificate }) => {
        const theirs = keyOf(other);
        const ok = theirs === undefined ? undefined : certificate.facts.pin !== theirs;
        return { seen: ok === undefined ? 'nobody knows' : ok ? 'it is another' : 'it is the same', ok };
      }),
    ];
  },
};

/** A bootstrap kubeconfig has a token or a certificate, and not both. */
export const oneCredential: Check<readonly Seen[]> = {
  id: 'node-kubeconfigs/one-credential',
  source: SOURCE,
  nothing: 'no bootstrap kubeconfig lies there: the node has joined, or was set up by init',
  judge: (all) =>
    all.map((seen) =>
      held(seen, 'kubeconfig', 'its user has a token or a certificate', ({ user }) => {
        const certified = user.certificate !== null || user.file !== '';
        const token = user.isOddToken === true ? 'a token that no server takes' : 'a token';
        const found = [...(user.hasToken ? [token] : []), ...(certified ? ['a certificate'] : []), ...user.besides];
        const isOne = found.length === 1 && user.besides.length === 0 && user.isOddToken !== true;
        return { seen: found.join(' and ') || 'it has neither', ok: isOne };
      }),
    ),
};

const labelOf = (name: string): string => name.replace(/\..*/, '');

/**
 * A name that nobody has twice: what the kubelet calls itself. `machine`: how its machine is called, with or without its
 * domain, where the kubelet goes by that; '' where it does not.
 */
export const nodeUser: Check<ConfigSeen, { readonly name: string; readonly machine?: string }> = {
  id: 'node-kubeconfigs/node-user',
  source: SOURCE,
  judge: (seen, { name, machine = '' }) => [
    onUser(seen, 'its user is system:node: and the name of the node, in lower case', ({ certificate: { facts } }) => {
      const own = facts.commonName.replace(/^system:node:/, '');
      const isOfNode = facts.commonName.startsWith('system:node:') && own !== '' && own === own.toLowerCase();
      const isMachines = machine === '' || labelOf(machine) === labelOf(own);
      return {
        seen: isMachines ? facts.commonName : `${facts.commonName}, and its machine is called ${machine}`,
        ok: isOfNode && (name === '' || own === name) && isMachines,
      };
    }),
  ],
};
export const nodeGroup: Check<ConfigSeen> = {
  id: 'node-kubeconfigs/node-group',
  source: SOURCE,
  judge: (seen) => [
    onUser(seen, 'its user is in system:nodes alone', ({ certificate: { facts } }) => ({
      seen: facts.organizations.join(', ') || 'it is in no group',
      ok: facts.organizations.join() === 'system:nodes',
    })),
  ],
};

/** Where kubelet.conf works the join is over. */
export const bootstrapOver: Check<{ readonly bootstrap: Seen; readonly kubelet: ConfigSeen }> = {
  id: 'node-kubeconfigs/bootstrap-over',
  source: 'cmd/kubeadm/app/cmd/phases/join/kubelet.go; 000, step 15',
  judge: ({ bootstrap, kubelet: { config, named } }) => {
    const read = config.file?.held;
    const works = read?.kind === 'kubeconfig' && typeof shownBy(read, named) === 'object';
    const isThere = bootstrap.file !== null;
    const demanded = 'it is not there once kubelet.conf has a certificate';
    return [
      demand({ subject: bootstrap.path, demanded, seen: isThere ? 'it is' : 'it is not', ok: !isThere || !works }),
    ];
  },
};

/** What the kubelet has written once: the next one gets another name, and kubelet-client-current.pem leads to it. */
const OF_ONE_DAY = /\/kubelet-client-\d{4}-[\d-]{1,20}\.pem$/;

/** Neither usages of servers nor names: no signer takes a request for such a certificate of a kubelet. */
export const kubeletAsSigned: Check<ConfigSeen> = {
  id: 'node-kubeconfigs/kubelet-as-signed',
  source:
    'pkg/apis/certificates/v1/helpers.go ValidateKubeletClientCSR; cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go',
  judge: (seen) => [
    onUser(seen, 'its certificate is for clientAuth alone', ({ certificate: { facts } }) => {
      const usages = facts.extendedKeyUsage ?? ['any'];
      return { seen: usages.join(', ') || 'nothing is said', ok: usages.every((usage) => usage === 'clientAuth') };
    }),
    onUser(seen, 'its certificate names no host', ({ certificate: { facts } }) => {
      const names = namesIn(facts.altNames);
      return { seen: names.join(', ') || 'it names none', ok: names.length === 0 };
    }),
  ],
};

/** It is the pair that a kubelet has asked for. */
export const isRenewed = ({ path, file }: Seen): boolean => file !== null && CURRENT_PAIR.test(path);

/** What lies there as a file is never replaced, and what ends late is hardly ever. */
export const kubeletRenews: Check<{ readonly config: Seen; readonly named: Seen }> = {
  id: 'node-kubeconfigs/kubelet-renews',
  source:
    'client-go util/certificate/certificate_store.go updateSymlink; pkg/controller/certificates/signer/config/v1alpha1',
  judge: ({ config, named }) => [
    demand({
      subject: named.path,
      demanded: 'is a link to the newest pair, which the kubelet lets lead to the next',
      seen: named.file?.at === undefined ? 'it is a file' : 'it is a link',
      ok: named.file?.at !== undefined,
    }),
    onUser({ config, named }, 'its certificate ends after a year', ({ certificate: { facts } }) => ({
      seen: `it is valid for ${Math.round((facts.notAfter - facts.notBefore) / 86_400_000)} days`,
      ok: facts.notAfter - facts.notBefore <= LEAP_YEAR,
    })),
  ],
};

/** A certificate that is renewed lies with its key in one file, so that both are always of one pair. */
export const oneFile: Check<readonly Seen[]> = {
  id: 'node-kubeconfigs/one-file',
  source: '000, step 13; 004, section 6; client-go util/certificate/certificate_store.go',
  judge: (all) =>
    all.map((seen) =>
      held(seen, 'kubeconfig', 'its user has certificate and key from one place', ({ user: { file, keyFile } }) => ({
        seen: file === keyFile ? file || 'both are embedded' : `${file || 'embedded'} and ${keyFile || 'none'}`,
        ok: file === keyFile && !OF_ONE_DAY.test(file),
      })),
    ),
};

/**
 * A kubelet that starts looks at what kubelet.conf holds first: where that has ended it wants to bootstrap, however new
 * the pair is that it has renewed meanwhile.
 */
export const namesWhatIsRenewed: Check<Seen> = {
  id: 'node-kubeconfigs/names-what-is-renewed',
  source: 'kubelet certificate/bootstrap/bootstrap.go LoadClientConfig; cmd/phases/init/kubeletfinalize.go',
  judge: (seen) => [
    held(seen, 'kubeconfig', 'it embeds no certificate beside the one that the kubelet renews', ({ user }) => ({
      seen: user.certificate === null ? 'it embeds none' : 'it embeds one',
      ok: user.certificate === null,
    })),
  ],
};
