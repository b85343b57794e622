/**
 * What jobs, units, scripts and rights of sudo give away of a cluster's keys, by their lines: no line of them is told.
 * Source: crontab(5), systemd.service(5), sudoers(5); kubeadm token create; kubectl proxy.
 */
import type { Check } from '../model/check.js';
import { demand } from '../model/finding.js';
import type { Seen } from './node-files.js';

/** A key, a kubeconfig of who may do everything, or the folder of them. */
const SECRET =
  /\/etc\/kubernetes(?:\/(?:(?:super-)?admin\.conf|pki(?:\/\S{0,200}\.key|\/\*|\/?(?=[\s"';&|)]|$)))|\/?(?=[\s"';&|)]|$))/;
const COMMON =
  /(?:^|[\s"'=>])(?:\/tmp|\/var\/tmp|\/dev\/shm|\/var\/www|\/usr\/share\/nginx|\/srv\/www)(?:\/|\s|["']|$)/;
const COPIES = /\b(?:cp|mv|install|ln|rsync|tar|zip|tee|cat)\b/;
const ASKS = /\b(?:curl|wget)\b/;
const WITH_IT = /@|--data|--post-file|--upload-file|\s-[Td]\s/;
/** To whoever listens. */
const PIPED = /\|\s{0,8}(?:nc|ncat|netcat|socat|curl)\b/;
const isSent = (line: string): boolean => (ASKS.test(line) && WITH_IT.test(line)) || PIPED.test(line);

const MODE = /\bchmod\s(?:-\w{1,8}\s)?(?:(\d{3,4})|([ugoa]{0,4})[+=]([rwxX]{1,6}))(?:\s|$)/;
/** Others read it then. */
function isOpened(line: string): boolean {
  const [, bits, who = '', what = ''] = MODE.exec(line) ?? [];
  if (bits !== undefined) return (Number.parseInt(bits, 8) & 0o044) !== 0;
  return what.includes('r') && (who === '' || /[goa]/.test(who));
}
const READS = /\b(?:cat|less|more|head|tail|cp|vi|vim|nano|tee|base64|dd|tar|kubectl)\b/;
const EVERYBODY = /system:(?:anonymous|unauthenticated|authenticated)\b/;

/** One line, without its comment; `isSudo`: it gives a right to run something. */
function givenIn(line: string, isSudo: boolean): readonly string[] {
  const isSecret = SECRET.test(line);
  const isToken = line.includes('kubeadm') && /\btoken create\b/.test(line);
  const into = line.includes('>') ? line.slice(line.indexOf('>')) : '';
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
    ...(isToken && /--ttl[= ]["']?0[smh]?(?:["'\s]|$)/.test(line) ? ['a token without an end'] : []),
    ...(line.includes('kubectl') &&
    /\bproxy\b/.test(line) &&
    /--address[= ](?!127\.|localhost|::1)\S|--accept-hosts[= ]\S{0,8}\.\*/.test(line)
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
    .filter((line) => !/^\s*[#;]/.test(line) && line.length <= LONGEST);
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
