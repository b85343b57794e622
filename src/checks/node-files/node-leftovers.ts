/** What joins leave on a disk that nobody needs any more, and that lets in whoever finds it. */
import { GROUP_CLUSTER_ADMINS, GROUP_MASTERS } from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { wrappedIn } from '../common/archives.js';
import { isOpen, modeSeen } from './file-mode.js';
import { isCommon } from './left-at.js';
import type { Seen } from './node-files.js';
import type { Owners } from './node-owners.js';

/** The id of a token and its secret, where a text says that it is one; auditd numbers the words of a command. */
const TOKEN = /tokens?["']?(?::|=|\s)\s{0,8}(?:a\d{1,3}=)?["']?[a-z\d]{6}\.[a-z\d]{16}(?![a-z\d.])/i;
const CERTIFICATE_KEY = /certificate[-_]?key["']?(?::|=|\s)\s{0,8}["']?[a-f\d]{64}(?![a-f\d])/i;
const CALLED_KEY = /certificate[-_]?key[^/]{0,40}$/i;
/** Alone in a file that is called after it. */
const KEY_ALONE = /^\s{0,80}[a-f\d]{64}\s{0,80}$/i;
/** In a Secret, both halves by themselves. */
const HALVES = /\btoken-secret["']?: {0,8}["']?(?:[a-z\d]{16}(?![a-z\d])|[A-Za-z\d+/]{22}==)/;
const UNVERIFIED = /discovery-token-unsafe-skip-ca-verification|unsafeSkipCAVerification["']?: {0,8}true/;

/** What sets machines up is handed over in files within files. */
const FOLDED = /[A-Za-z\d+/]{40,}={0,2}/g;
const MOST_FOLDED = 64;

/** A text, and what it says percent-encoded, as URLs of data are, in base64, or packed. */
function saidIn(content: string): readonly string[] {
  const encoded = content.includes('%')
    ? [content.replace(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))]
    : [];
  const folded = [...content.matchAll(FOLDED)].slice(0, MOST_FOLDED).map(([run]) => Buffer.from(run, 'base64'));
  return [content, ...encoded, ...wrappedIn(content), ...folded.map((bytes) => bytes.toString('latin1'))];
}

/** What a text gives away, by its kinds: no text of it. `path`: where it lies. */
export function givenAwayIn(content: string, path = ''): readonly string[] {
  const said = saidIn(content);
  const says = (pattern: RegExp): boolean => said.some((text) => pattern.test(text));
  return [
    ...(says(TOKEN) || says(HALVES) ? ['a bootstrap token'] : []),
    ...(says(CERTIFICATE_KEY) || (CALLED_KEY.test(path) && KEY_ALONE.test(content)) ? ['a certificate key'] : []),
    ...(says(UNVERIFIED) ? ['a join that verifies nobody'] : []),
  ];
}

/** Each file once, by whatever links it is reached. */
const once = (all: readonly Seen[]): readonly Seen[] => {
  const placeOf = ({ path, file }: Seen): string => file?.at ?? path;
  const places = new Map(all.map((seen) => [placeOf(seen), seen] as const));
  return [...places.values()];
};

/** What the reader of a disk says of what it was not let into, or did not come to. */
const UNSEEN =
  /^(?:permission denied|the disk cannot be read there|reading the disk has taken|it holds more than|more than)/;
const unseen = ({ file }: Seen): string | undefined =>
  file?.held.kind === 'unreadable' && UNSEEN.test(file.held.why) ? file.held.why : undefined;

/** Nobody keeps a join. */
export const nothingLeft: Check<readonly Seen[]> = {
  id: 'node-leftovers/nothing-left',
  source: 'cmd/kubeadm/app/apis/kubeadm/v1beta4; 001, tokens; cloud-init, user-data',
  nothing: 'none of the places is there where joins are left',
  judge: (all) =>
    once(all).flatMap(({ path, file }) => {
      if (file === null) return [];
      const { leaves = [] } = file;
      const why = unseen({ path, file });
      const seen = why === undefined ? leaves.join(', ') || 'it holds none' : `it cannot be looked into: ${why}`;
      const ok = why === undefined ? leaves.length === 0 : undefined;
      return [demand({ subject: path, demanded: 'it holds no token that machines join with', seen, ok })];
    }),
};

const OWNERS = 'only its owner may read it';
const OUTSIDE = { demanded: 'it lies where nobody else looks for it', seen: 'it lies in a folder of everybody' };

/** A copy of all keys is as closed as they are. */
export const archivesClosed: Check<readonly Seen[]> = {
  id: 'node-leftovers/archives-closed',
  source: '003, certificates',
  nothing: 'no archive lies there',
  judge: (all) =>
    all.flatMap(({ path, file }) => {
      const mode = file?.mode ?? null;
      if (mode === null) return [];
      return [
        demand({ subject: path, demanded: OWNERS, seen: modeSeen(mode), ok: !isOpen(mode) }),
        ...(file?.holdsKeys === true && isCommon(path) ? [demand({ subject: path, ...OUTSIDE, ok: false })] : []),
      ];
    }),
};

const ADMINS = [GROUP_MASTERS, GROUP_CLUSTER_ADMINS];

interface Copy {
  readonly isAdmins: boolean;
  readonly user: string;
  readonly groups: readonly string[];
}

/** What a kubeconfig of this cluster in somebody's home is; undefined where it is another's, or none. */
function copyIn({ file }: Seen, authorities: readonly string[]): Copy | undefined {
  if (file?.held.kind !== 'kubeconfig') return undefined;
  const { authorities: own, user } = file.held;
  if (!own.some((digest) => authorities.includes(digest))) return undefined;
  const facts = user.certificate?.facts;
  const isAdmins = facts?.organizations.some((group) => ADMINS.includes(group)) === true;
  return { isAdmins, user: facts?.commonName ?? '', groups: facts?.organizations ?? [] };
}

/** Digests of this cluster's authorities. */
interface Cluster {
  readonly authorities: readonly string[];
}

/** A kubeconfig of somebody's home, and the folder that it lies in. */
export interface CopySeen {
  readonly copy: Seen;
  readonly folder: Seen;
}

/** Keys of this cluster under whatever name, outside of its folders. `pins`: of its keys; `known`: as in Owners. */
export const keysClosed: Check<readonly Seen[], { readonly pins: readonly string[]; readonly known: Owners['known'] }> =
  {
    id: 'node-leftovers/keys-closed',
    source: '003, certificates; kubernetes.io, PKI certificates and requirements',
    nothing: 'no key of this cluster lies outside of its folders',
    judge: (all, { pins, known }) =>
      once(all).flatMap(({ path, file }) => {
        const look = (demanded: string, seen: string, ok: boolean | undefined) =>
          demand({ subject: path, demanded, seen, ok });
        const why = unseen({ path, file });
        if (why !== undefined) return [look(OWNERS, `nobody knows what it holds: ${why}`, undefined)];
        const { mode = null, owner = null } = file ?? {};
        if (file?.keys?.some((pin) => pins.includes(pin)) !== true)
          return file?.bears === true && mode !== null ? [look(OWNERS, modeSeen(mode), !isOpen(mode))] : [];
        return [
          ...(mode === null ? [] : [look(OWNERS, modeSeen(mode), !isOpen(mode))]),
          ...(known === null || owner === null
            ? []
            : [look('it belongs to root', `it belongs to user ${owner}`, known.includes(owner))]),
          ...(isCommon(path) ? [look(OUTSIDE.demanded, OUTSIDE.seen, false)] : []),
        ];
      }),
  };

const writtenByOthers = ({ file }: Seen): boolean => ((file?.mode ?? 0) & 0o022) !== 0;

export const copiesClosed: Check<readonly Seen[], Cluster> = {
  id: 'node-leftovers/copies-closed',
  source: '003, certificates; kubeadm init, what it prints',
  nothing: 'nobody has a kubeconfig of this cluster in his home',
  judge: (all, { authorities }) =>
    all.flatMap((copy) => {
      const found = copyIn(copy, authorities);
      const { mode = null } = copy.file ?? {};
      if (found === undefined || mode === null) return [];
      const seen = `${modeSeen(mode)}, ${found.isAdmins ? "an administrator's" : "somebody's"}`;
      return [
        demand({ subject: copy.path, demanded: OWNERS, seen, ok: !isOpen(mode) }),
        ...(isCommon(copy.path) && found.isAdmins ? [demand({ subject: copy.path, ...OUTSIDE, ok: false })] : []),
      ];
    }),
};

/** `isCopied`: the disk does not tell users apart. */
export const copiesKept: Check<readonly CopySeen[], Cluster & { readonly isCopied: boolean }> = {
  id: 'node-leftovers/copies-kept',
  source: '003, certificates; kubeadm init, what it prints',
  nothing: 'nobody has a kubeconfig of this cluster in his home',
  judge: (all, { authorities, isCopied }) =>
    all.flatMap(({ copy, folder }) => {
      if (copyIn(copy, authorities) === undefined) return [];
      const { owner = null } = copy.file ?? {};
      const isRoots = copy.path.startsWith('/root/') && !isCopied && owner !== null;
      const owned = { subject: copy.path, demanded: 'it belongs to root', seen: `it belongs to user ${owner}` };
      const { mode: around = null } = folder.file ?? {};
      const put = { subject: folder.path, demanded: 'only its owner puts another there', seen: modeSeen(around) };
      return [
        ...(isRoots ? [demand({ ...owned, ok: owner === 0 })] : []),
        ...(around === null ? [] : [demand({ ...put, ok: !writtenByOthers(folder) })]),
      ];
    }),
};

/** Since 1.29: it is for the day when RBAC is broken, and goes around it. */
const SUPER = 'kubernetes-super-admin';

/** The administrator of admin.conf. */
interface Admin {
  readonly user: string;
  readonly groups: readonly string[];
}

/** Whom RBAC does not hold, and who is not the one whom kubeadm has made: nobody can take his rights away. */
const isFormer = ({ user, groups }: Copy, admin: Admin): boolean =>
  groups.includes(GROUP_MASTERS) && (user !== admin.user || !admin.groups.includes(GROUP_MASTERS));

/** Nobody works as who goes around RBAC, on a worker nobody as an administrator, and at home nobody as a component. */
export const noAdministrators: Check<
  readonly Seen[],
  Cluster & { readonly isWorker: boolean; readonly admin?: Admin }
> = {
  id: 'node-leftovers/no-administrators',
  source: 'kubeadm init, super-admin.conf; 004, responsibilities; kubernetes.io, RBAC good practices, system:masters',
  nothing: 'nobody has a kubeconfig of this cluster in his home',
  judge: (all, { authorities, isWorker, admin }) =>
    all.flatMap((copy) => {
      const found = copyIn(copy, authorities);
      if (found === undefined) return [];
      const seen = found.user || 'somebody without a certificate';
      const look = (demanded: string, ok: boolean) => demand({ subject: copy.path, demanded, seen, ok });
      const isHome = copy.path.includes('/.kube/');
      return [
        isWorker
          ? look('it is no administrator that works here', !found.isAdmins)
          : look(`it is not that of ${SUPER}`, found.user !== SUPER),
        ...(isHome && !isWorker && admin !== undefined
          ? [look('whoever goes around RBAC there is the administrator of admin.conf', !isFormer(found, admin))]
          : []),
        ...(isHome ? [look('it is no component that works here', !found.user.startsWith('system:'))] : []),
      ];
    }),
};
