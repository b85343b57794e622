/**
 * What jobs, units, scripts and rights of sudo give away of a cluster's keys, by their lines: no line of them is told.
 * Source: crontab(5), systemd.service(5), sudoers(5); kubeadm token create; kubectl proxy.
 */
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import type { Seen } from './node-files.js';

/** A key, a kubeconfig of who may do everything, or the folder of them. */
const SECRET =
  /\/etc\/kubernetes(?:\/(?:super-)?admin\.conf|\/pki\/\S{0,200}\.key|(?:\/(?:\*(?:\.conf)?|pki(?:\/etcd)?(?:\/\*?)?)?)?(?=[\s"';&|)]|$))/;
const COMMON =
  /(?:^|[\s"'=>])(?:\/tmp|\/var\/tmp|\/dev\/shm|\/var\/www|\/usr\/share\/nginx|\/srv\/www)(?:\/|\s|["']|$)/;
const COPIES = /\b(?:cp|mv|install|ln|rsync|tar|zip|tee|cat)\b/;
const ASKS = /\b(?:curl|wget)\b/;
const WITH_IT = /@|--data|--post-file|--upload-file|\s-[Td]\s/;
/** To whoever listens. */
const PIPED = /\|\s{0,8}(?:nc|ncat|netcat|socat|curl)\b/;
const isSent = (line: string): boolean => (ASKS.test(line) && WITH_IT.test(line)) || PIPED.test(line);

const MODE = /\bchmod(?:\s{1,8}-[a-zA-Z-]{1,20}){0,4}\s{1,8}([\w,+=-]{1,40})/;
/** Others read it then. Source: chmod(1). */
function isOpened(line: string): boolean {
  const [, mode = ''] = MODE.exec(line) ?? [];
  if (/^[0-7]{1,5}$/.test(mode)) return (Number.parseInt(mode, 8) & 0o044) !== 0;
  return mode.split(',').some((clause) => /^(?:u*[goa][ugoa]*)?[+=][wxXst]*r/.test(clause));
}
const READS =
  /\b(?:cat|less|more|head|tail|cp|mv|rsync|scp|install|vi|vim|nano|tee|base64|xxd|dd|tar|sed|awk|grep|chmod|chown|kubectl)\b/;
const EVERYBODY = /system:(?:anonymous|unauthenticated|authenticated)(?![\w:.-])/;

/** One line, without its comment; `isSudo`: it gives a right to run something. */
function givenIn(line: string, isSudo: boolean): readonly string[] {
  const isSecret = SECRET.test(line);
  const isToken = line.includes('kubeadm') && /\btoken create\b/.test(line);
  const [into = ''] = /(?:>|\|\s{0,8}tee\b).*/.exec(line) ?? [];
  return [
    ...(isSudo && isSecret && READS.test(line) ? ['a right to read what only root may'] : []),
    ...(isSudo && isToken ? ['a right to make tokens that machines join with'] : []),
    ...(!isSudo && isSecret && isOpened(line) ? ['a key that is opened to others'] : []),
    ...(!isSudo && isSecret && COPIES.test(line) && COMMON.test(line) ? ['a key that goes where everybody reads'] : []),
    ...(!isSudo && isSecret && isSent(line) ? ['a key that is sent away'] : []),
    ...(isSecret && /\bhttp\.server\b|\bSimpleHTTPServer\b|\bwebfs\b/.test(line)
      ? ['keys that a server hands out']
      : []),
    ...(isToken && COMMON.test(into) ? ['a join that goes where everybody reads'] : []),
    ...(isToken && /--ttl[= ]["']?(?:0[smh]?){1,3}(?:["'\s]|$)/.test(line) ? ['a token without an end'] : []),
    ...(line.includes('kubectl') &&
    /\bproxy\b/.test(line) &&
    /--address[= ]["']?(?!["']|127\.|localhost|::1)\S|--accept-hosts[= ]\S{0,8}\.\*/.test(line)
      ? ['the API, with the rights of a kubeconfig, for whoever comes']
      : []),
    ...(/\bcreate (?:cluster)?rolebinding\b/.test(line) && EVERYBODY.test(line) && /cluster-admin|\badmin\b/.test(line)
      ? ['rights for everybody']
      : []),
  ];
}

const LONGEST = 2000;

/** Kinds of what a text gives away, each once. */
export function givenAwayBy(path: string, content: string): readonly string[] {
  const isSudo = path.startsWith('/etc/sudoers');
  const lines = content
    .replaceAll(/\\\r?\n/g, ' ')
    .split('\n')
    .filter((line) => !/^\s*[#;]/.test(line) && line.length <= LONGEST)
    .map((line) => line.replace(/\s#.*/, ''));
  return [...new Set(lines.flatMap((line) => givenIn(line, isSudo)))];
}

/** What runs by itself, at a start or a login, or for others. */
export const runsByItself = (path: string): boolean =>
  /^\/etc\/(?:cron|sudoers|systemd\/|rc\.|profile\.d\/)|^\/var\/spool\/cron\/|^\/usr\/local\/s?bin\//.test(path);

export const givesNothingAway: Check<readonly Seen[]> = {
  id: 'given-away/nothing',
  source: 'crontab(5), systemd.service(5), sudoers(5); 003, certificates; 001, tokens',
  nothing: 'nothing lies there that runs by itself or for others',
  judge: (all) =>
    all.flatMap(({ path, file }) => {
      if (file === null || !runsByItself(path) || file.held.kind === 'unreadable') return [];
      const { gives = [] } = file;
      const seen = gives.join(', ') || 'it gives none';
      return [demand({ subject: path, demanded: 'it gives away no key, and no way in', seen, ok: gives.length === 0 })];
    }),
};
