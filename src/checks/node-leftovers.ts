/** What joins leave on a disk that nobody needs any more, and that lets in whoever finds it. */
import { GROUP_MASTERS } from '../kubernetes/names.js';
import type { Check } from '../model/check.js';
import { demand } from '../model/finding.js';
import type { Seen } from './node-files.js';

/** The id of a token and its secret, where a text says that it is one. */
const TOKEN = /\btokens?["']?(?::|=|\s)\s{0,8}["']?[a-z\d]{6}\.[a-z\d]{16}(?![a-z\d.])/i;
const CERTIFICATE_KEY = /certificate-?key["']?(?::|=|\s)\s{0,8}["']?[a-f\d]{64}(?![a-f\d])/i;
const UNVERIFIED = /discovery-token-unsafe-skip-ca-verification|unsafeSkipCAVerification["']?: {0,8}true/;

/** What a text gives away, by its kinds: no text of it. */
export const givenAwayIn = (content: string): readonly string[] => [
  ...(TOKEN.test(content) ? ['a bootstrap token'] : []),
  ...(CERTIFICATE_KEY.test(content) ? ['a certificate key'] : []),
  ...(UNVERIFIED.test(content) ? ['a join that verifies nobody'] : []),
];

/** Nobody keeps a join. */
export const nothingLeft: Check<readonly Seen[]> = {
  id: 'node-leftovers/nothing-left',
  source: 'cmd/kubeadm/app/apis/kubeadm/v1beta4; 001, tokens; cloud-init, user-data',
  nothing: 'none of the places is there where joins are left',
  judge: (all) =>
    all.flatMap(({ path, file }) => {
      if (file === null) return [];
      const { leaves = [] } = file;
      const seen = leaves.join(', ') || 'it holds none';
      return [
        demand({ subject: path, demanded: 'it holds no token that machines join with', seen, ok: leaves.length === 0 }),
      ];
    }),
};

/** A copy of all keys is as closed as they are. */
export const archivesClosed: Check<readonly Seen[]> = {
  id: 'node-leftovers/archives-closed',
  source: '003, certificates',
  nothing: 'no archive lies there',
  judge: (all) =>
    all.flatMap(({ path, file }) => {
      const mode = file?.mode ?? null;
      if (mode === null) return [];
      const seen = `mode 0${(mode & 0o777).toString(8)}`;
      return [demand({ subject: path, demanded: 'only its owner may read it', seen, ok: (mode & 0o077) === 0 })];
    }),
};

const ADMINS = [GROUP_MASTERS, 'kubeadm:cluster-admins'];

/** A kubeconfig of somebody's home, and the digests of this cluster's authorities. */
export const copiesClosed: Check<readonly Seen[], { readonly authorities: readonly string[] }> = {
  id: 'node-leftovers/copies-closed',
  source: '003, certificates; kubeadm init, what it prints',
  nothing: 'nobody has a kubeconfig of this cluster in his home',
  judge: (all, { authorities }) =>
    all.flatMap(({ path, file }) => {
      if (file?.held.kind !== 'kubeconfig') return [];
      const { authorities: own, user } = file.held;
      const isOurs = own.some((digest) => authorities.includes(digest));
      const { mode } = file;
      if (!isOurs || mode === null) return [];
      const isAdmins = user.certificate?.facts.organizations.some((group) => ADMINS.includes(group)) === true;
      const whose = isAdmins ? "an administrator's" : "somebody's";
      const seen = `mode 0${(mode & 0o777).toString(8)}, ${whose}`;
      return [demand({ subject: path, demanded: 'only its owner may read it', seen, ok: (mode & 0o077) === 0 })];
    }),
};
