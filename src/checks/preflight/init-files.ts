/** What init does to the files of a machine: what it keeps, refuses and writes. */
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { KEY_ALONE, type LeftSeen } from './left-reader.js';
import type { Expected } from './preflight.js';
import type { Looked } from './preflight-reader.js';

const SOURCE = 'cmd/kubeadm/app/phases/certs/certs.go, phases/kubeconfig/kubeconfig.go, cmd/init.go';
const endOf = ({ exit, words }: Pick<Looked, 'exit' | 'words'>): string =>
  exit === null ? 'it had to be ended' : `it ends with ${exit}${exit === 0 ? '' : `, saying "${words}"`}`;
const hasFailed = ({ exit }: Pick<Looked, 'exit'>): boolean => exit !== null && exit !== 0;
const few = (files: readonly string[]): string => files.slice(0, 5).join(', ');
/** What was changed of what is there, and how it ends. */
const changesOf = (look: Looked): string =>
  [...((look.changed ?? []).length === 0 ? [] : [`changed: ${few(look.changed ?? [])}`]), endOf(look)].join('; ');

/** What it is told is refused in such words before it looks at anything, and nothing is written. */
export const refusesTold: Check<readonly Expected[]> = {
  id: 'init-files/refuses-told',
  source: 'cmd/kubeadm/app/apis/kubeadm/validation/validation.go, util/config/initconfiguration.go',
  judge: (all) =>
    all.map(({ look, words }): Finding => {
      const { told, written, changed = [] } = look;
      const files = [...written, ...changed];
      return demand({
        subject: look.subject,
        demanded: `what init is told is refused, saying "${words}", before it looks at anything or writes`,
        seen: [
          ...(told.length === 0 ? [] : [`lines of checks: ${told.length}`]),
          ...(files.length === 0 ? [] : [`written: ${few(files)}`]),
          endOf(look),
        ].join('; '),
        ok: hasFailed(look) && look.words.includes(words) && told.length === 0 && files.length === 0,
      });
    }),
};

/** It ends with an error in such words, and what was there is as it was. */
export const endsInit: Check<readonly Expected[]> = {
  id: 'init-files/ends-init',
  source: SOURCE,
  judge: (all) =>
    all.map(({ look, words }): Finding => {
      const { changed = [] } = look;
      return demand({
        subject: look.subject,
        demanded: `init ends with an error, saying "${words}", and leaves what is there as it is`,
        seen: changesOf(look),
        ok: hasFailed(look) && look.words.includes(words) && changed.length === 0,
      });
    }),
};

/** It gets to its end, and nothing that was there is another. */
export const keeps: Check<readonly Looked[]> = {
  id: 'init-files/keeps',
  source: SOURCE,
  judge: (all) =>
    all.map((look): Finding => {
      const { exit, changed = [] } = look;
      return demand({
        subject: look.subject,
        demanded: 'init gets to its end, and leaves what is there as it is',
        seen: changesOf(look),
        ok: exit === 0 && changed.length === 0,
      });
    }),
};

/** It gets to its end, and warns in such words. */
export const warnsOf: Check<readonly Expected[]> = {
  id: 'init-files/warns-of',
  source: SOURCE,
  judge: (all) =>
    all.map(({ look, words }): Finding => {
      const { exit, warned = [] } = look;
      return demand({
        subject: look.subject,
        demanded: `init gets to its end, and warns, saying "${words}"`,
        seen: [
          warned.length === 0 ? 'it warns of nothing' : `warnings: ${warned.slice(0, 5).join(' | ')}`,
          endOf(look),
        ].join('; '),
        ok: exit === 0 && warned.some((line) => line.includes(words)),
      });
    }),
};

/** It warns of nothing in such words. */
export const warnsNot: Check<readonly Expected[]> = {
  id: 'init-files/warns-not',
  source: SOURCE,
  judge: (all) =>
    all.map(({ look, words }): Finding => {
      const { exit, warned = [] } = look;
      const found = warned.filter((line) => line.includes(words));
      return demand({
        subject: look.subject,
        demanded: `init gets to its end, and warns of nothing, saying "${words}"`,
        seen: found.length === 0 ? endOf(look) : found.slice(0, 3).join(' | '),
        ok: exit === 0 && found.length === 0,
      });
    }),
};

/** A file, and what it is to say; "no …": nothing that begins so; "nothing": it is not there. */
export interface Wanted {
  readonly left: LeftSeen;
  readonly what: string;
}

const NO = /^no /;
function says({ left: { facts }, what }: Wanted): boolean {
  if (what === 'nothing') return facts === null;
  if (facts === null) return false;
  return NO.test(what) ? !facts.some((fact) => fact.startsWith(what.replace(NO, ''))) : facts.includes(what);
}

/** What of a file's facts is shown beside what was looked for: those of the same beginning. */
function shown({ left, what }: Wanted): string {
  if (left.facts === null) return 'it is not there';
  const beginning = what.replace(NO, '').split(/[=:\s]/)[0] ?? '';
  const alike = left.facts.filter((fact) => fact.startsWith(beginning));
  return alike.length === 0 ? `nothing of it among ${left.facts.length}` : alike.slice(0, 6).join('; ');
}

/** It gets to its end, and leaves files that say what they are to say. */
export const leaves: Check<readonly Wanted[]> = {
  id: 'init-files/leaves',
  source: 'cmd/kubeadm/app/phases/{certs,kubeconfig,controlplane,etcd,kubelet}',
  judge: (all) =>
    all.map((wanted): Finding => {
      const { subject, file, exit, words } = wanted.left;
      const isDone = exit === 0;
      return demand({
        subject: `${subject}: ${file}`,
        demanded: wanted.what === 'nothing' ? 'it is not there' : `it says: ${wanted.what}`,
        seen: isDone ? shown(wanted) : endOf({ exit, words }),
        ok: isDone && says(wanted),
      });
    }),
};

/** A phase, and the files that it is called after: short names. */
export interface OwnFiles {
  readonly look: Looked;
  readonly files: readonly string[];
}

/** It writes these files, and does nothing to others. */
export const writesJust: Check<readonly OwnFiles[]> = {
  id: 'init-files/writes-just',
  source: 'cmd/kubeadm/app/cmd/phases/init',
  judge: (all) =>
    all.map(({ look, files }): Finding => {
      const written = look.written.map((file) => file.replace('/etc/kubernetes/', ''));
      const strange = [...written.filter((file) => !files.includes(file)), ...(look.changed ?? [])];
      const lacking = files.filter((file) => !written.includes(file));
      return demand({
        subject: look.subject,
        demanded: `it writes ${files.join(', ')}, and no other file`,
        seen: [
          ...(strange.length === 0 ? [] : [`others: ${few(strange)}`]),
          ...(lacking.length === 0 ? [] : [`not written: ${few(lacking)}`]),
          endOf(look),
        ].join('; '),
        ok: look.exit === 0 && strange.length === 0 && lacking.length === 0,
      });
    }),
};

/** By whom a certificate, or that of a kubeconfig, has to be signed. */
function authorityOf(file: string): string {
  if (file.startsWith('pki/front-proxy-')) return 'pki/front-proxy-ca.crt';
  return file.startsWith('pki/etcd/') || file.startsWith('pki/apiserver-etcd-') ? 'pki/etcd/ca.crt' : 'pki/ca.crt';
}

/** What is said of each file of a pair, or of a kubeconfig. */
function demandedOf(file: string): readonly string[] {
  if (file.endsWith('.conf'))
    return ['believes pki/ca.crt', 'signed by pki/ca.crt', 'has its key', KEY_ALONE, 'mode 600'];
  if (file.endsWith('.crt')) return [`signed by ${authorityOf(file)}`, 'mode 644'];
  return [`belongs to ${file.replace(/\.key$/, file.endsWith('sa.key') ? '.pub' : '.crt')}`, KEY_ALONE, 'mode 600'];
}

/** What it has written belongs together. `there`: files that were there before are judged by who made them. */
export const together: Check<readonly LeftSeen[]> = {
  id: 'init-files/together',
  source: SOURCE,
  judge: (all) =>
    all.map(({ subject, file, facts, exit, words }): Finding => {
      const lacks = demandedOf(file).filter((one) => facts?.includes(one) !== true);
      return demand({
        subject: `${subject}: ${file}`,
        demanded: demandedOf(file).join(', '),
        seen: exit === 0 ? (lacks.length === 0 ? 'so it is' : `lacking: ${lacks.join(', ')}`) : endOf({ exit, words }),
        ok: exit === 0 && lacks.length === 0,
      });
    }),
};

/** A dry run has a folder of its own. */
const OWN_FOLDER = /^\/etc\/kubernetes\/tmp\/kubeadm-init-dryrun[^/]*\//;

/** It gets to its end, and nothing is on the disk that was not. */
export const leavesNothing: Check<readonly Looked[]> = {
  id: 'init-files/leaves-nothing',
  source: 'cmd/kubeadm/app/cmd/init.go, initData.CertificateWriteDir, KubeConfigDir, ManifestDir, KubeletDir',
  judge: (all) =>
    all.map((look): Finding => {
      const strange = [...look.written.filter((file) => !OWN_FOLDER.test(file)), ...(look.changed ?? [])];
      return demand({
        subject: look.subject,
        demanded: 'init gets to its end, and no file but those of its own folder is written',
        seen: strange.length === 0 ? endOf(look) : few(strange),
        ok: look.began && look.exit === 0 && strange.length === 0,
      });
    }),
};
