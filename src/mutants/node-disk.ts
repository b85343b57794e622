/** What several mutants do to the disk of a control plane that kubeadm init wrote. */
import type { KeyObject } from 'node:crypto';
import type { DiskEdit, MemoryDisk } from '../kubeadm/init/memory-disk.js';
import { type Authority, authorityFromPem, createAuthority, issueCredential } from '../pki/authority.js';
import { generateKey, privateKeyPem } from '../pki/keys.js';
import type { ExtendedKeyUsage } from '../pki/oids.js';
import type { Mutant } from './types.js';

export const PKI = '/etc/kubernetes/pki';
export const KUBERNETES = '/etc/kubernetes';
const DAY = 86_400_000;

/** A disk that is another. */
export const onDisk = (name: string, defect: string, killedBy: readonly string[], disk: DiskEdit): Mutant => ({
  name: `node-${name}`,
  defect,
  killedBy,
  disk,
});

/** Absolute, or below the folder of certificates. */
const placeOf = (name: string): string => (name.startsWith('/') ? name : `${PKI}/${name}`);

export const removed =
  (...names: readonly string[]): DiskEdit =>
  (disk) => {
    for (const name of names) disk.files.delete(placeOf(name));
  };

export const edited =
  (name: string, change: (text: string) => string): DiskEdit =>
  (disk) => {
    const file = disk.files.get(placeOf(name));
    if (file !== undefined) file.text = change(file.text);
  };

export const mode =
  (name: string, bits: number): DiskEdit =>
  (disk) => {
    const file = disk.files.get(placeOf(name));
    if (file !== undefined) file.mode = bits;
  };

export const copied =
  (from: string, to: string): DiskEdit =>
  (disk) => {
    const file = disk.files.get(placeOf(from));
    if (file !== undefined) disk.files.set(placeOf(to), { ...file });
  };

export const added =
  (name: string, text: string, bits = 0o600): DiskEdit =>
  (disk) => {
    disk.files.set(placeOf(name), { text, mode: bits });
  };

/** Reached by a link, as the pair that a kubelet renews is. */
export const linked =
  (name: string, at: string): DiskEdit =>
  (disk) => {
    disk.links.set(placeOf(name), at);
  };

/** One after the other. */
export const all =
  (...edits: readonly DiskEdit[]): DiskEdit =>
  async (disk) => {
    for (const edit of edits) await edit(disk);
  };

export const manifest = (component: string): string => `${KUBERNETES}/manifests/${component}.yaml`;

/** A flag of a component; undefined takes it away. */
export const flag = (component: string, name: string, value: string | undefined): DiskEdit =>
  edited(manifest(component), (text) => {
    const line = new RegExp(`^    - --${name}=.*\\n`, 'm');
    const written = value === undefined ? '' : `    - '--${name}=${value}'\n`;
    return line.test(text)
      ? text.replace(line, written)
      : text.replace(/^( {4}- (?:\S+\/)?(?:kube-\S+|etcd)\n)/m, `$1${written}`);
  });

/** A folder of the machine that a component sees as well. */
export const mounted = (component: string, folder: string, isReadOnly = true): DiskEdit =>
  edited(manifest(component), (text) => {
    const name = folder.replaceAll('/', '-').slice(1);
    return text
      .replace(
        /^( {4})volumeMounts:\n/m,
        `$&$1- mountPath: ${folder}\n$1  name: ${name}\n${isReadOnly ? '$1  readOnly: true\n' : ''}`,
      )
      .replace(
        /^( {2})volumes:\n/m,
        `$&$1- hostPath:\n$1    path: ${folder}\n$1    type: DirectoryOrCreate\n$1  name: ${name}\n`,
      );
  });

const read = (disk: MemoryDisk, name: string): string => disk.read(placeOf(name)) ?? '';

export function authorityOn(disk: MemoryDisk, name: string): Authority {
  const found = authorityFromPem(read(disk, `${name}.crt`), read(disk, `${name}.key`));
  if (found === undefined) throw new Error(`The disk has no authority ${name}.`);
  return found;
}

/** An authority that is on no disk. `expiredDays`: since when it is over. */
export const strangersAuthority = (commonName = 'kubernetes', expiredDays = 0): Authority =>
  createAuthority({
    commonName,
    key: 'ECDSA-P256',
    now: Date.now() - (expiredDays === 0 ? 0 : (expiredDays + 1) * DAY),
    ...(expiredDays === 0 ? {} : { validity: DAY }),
  });

/** What a certificate is made with; what is not said is that of kubeadm. */
export interface Leaf {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly usages?: readonly ExtendedKeyUsage[];
  readonly dns?: readonly string[];
  readonly ip?: readonly string[];
  /** It may sign others. */
  readonly isAuthority?: true;
  /** Days that it has been expired for; negative: days until it begins. */
  readonly expiredDays?: number;
  /** Days that are left of a year. */
  readonly leftDays?: number;
  /** Days that it is valid for. */
  readonly days?: number;
  /** Default: one on P-256. */
  readonly key?: KeyObject;
}

/** A certificate and its key, as PEM. */
export function issued(authority: Authority, leaf: Leaf): { readonly certificate: string; readonly key: string } {
  const {
    commonName,
    organizations,
    usages = ['clientAuth'],
    dns,
    ip,
    expiredDays,
    isAuthority,
    days,
    leftDays,
  } = leaf;
  const { key = 'ECDSA-P256' } = leaf;
  const now = Date.now();
  const life =
    expiredDays === undefined
      ? {}
      : expiredDays > 0
        ? { notBefore: now - (expiredDays + 365) * DAY, validity: -expiredDays * DAY }
        : { notBefore: now - expiredDays * DAY };
  const made = issueCredential(authority, {
    subject: { commonName, ...(organizations === undefined ? {} : { organizations }) },
    key,
    now,
    extendedKeyUsage: usages,
    ...(isAuthority === undefined ? {} : { ca: true, keyUsage: ['keyCertSign' as const] }),
    ...(dns === undefined && ip === undefined ? {} : { altNames: { dns: dns ?? [], ip: ip ?? [] } }),
    ...life,
    ...(days === undefined ? {} : { validity: days * DAY }),
    ...(leftDays === undefined ? {} : { notBefore: now - (365 - leftDays) * DAY, validity: leftDays * DAY }),
  });
  return { certificate: made.certificatePem, key: made.keyPem };
}

/** Another pair in the place of one. `authority`: of the disk by its name, or a stranger's. */
export const reissued =
  (name: string, authority: string | 'a stranger', leaf: Leaf): DiskEdit =>
  (disk) => {
    const signer = authority === 'a stranger' ? strangersAuthority() : authorityOn(disk, authority);
    const { certificate, key } = issued(signer, leaf);
    disk.write(placeOf(`${name}.crt`), certificate, 0o644);
    disk.write(placeOf(`${name}.key`), key, 0o600);
  };

/** Another client in a kubeconfig. */
export const reissuedIn =
  (name: string, authority: string | 'a stranger', leaf: Leaf): DiskEdit =>
  (disk) => {
    const signer = authority === 'a stranger' ? strangersAuthority() : authorityOn(disk, authority);
    const { certificate, key } = issued(signer, leaf);
    const encoded = (text: string): string => Buffer.from(text).toString('base64');
    return edited(`${KUBERNETES}/${name}.conf`, (text) =>
      text
        .replace(/client-certificate-data: \S+/, `client-certificate-data: ${encoded(certificate)}`)
        .replace(/client-key-data: \S+/, `client-key-data: ${encoded(key)}`),
    )(disk);
  };

export const strangersKey = (): string => privateKeyPem(generateKey('ECDSA-P256'));
