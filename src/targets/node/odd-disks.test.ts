/**
 * What is shown of disks that nobody has laid out tidily: src/targets/recorded/disks.txt has, question by question, each
 * entry. What cannot be read is told as that: whoever leaves it out shows a clean disk. `node
 * dist/src/targets/node/odd-disks.test.js --write` writes it anew.
 */
import { testRecorded } from '../../report/recorded.testing.js';
import { packageFile } from '../../run/package-root.js';
import { type Content, type Found, LIMITS, type Tree, WalkedFiles } from './walk.js';

const failure = (code: string): Error => Object.assign(new Error(`${code}: of the disk`), { code });

/** A text; "-> place": a link; "! CODE": it cannot be looked at; "? CODE": its content or its names cannot be read. */
const PLACES: Readonly<Record<string, string | number>> = {
  '/etc/kubernetes/pki/ca.crt': 'a certificate',
  '/etc/kubernetes/pki/ca.key': '? EACCES',
  '/etc/kubernetes/pki/lost.key': '! EIO',
  '/etc/kubernetes/pki/closed.key': '! EPERM',
  '/etc/kubernetes/pki/odd.key': '! EWHATEVER',
  '/etc/kubernetes/pki/empty.key': '',
  '/etc/kubernetes/pki/etcd/ca.crt': 'another certificate',
  '/etc/kubernetes/closed': '? EACCES',
  '/etc/kubernetes/closed/inside': 'unseen',
  '/etc/kubernetes/circle': '-> circle',
  '/etc/kubernetes/round/one': '-> ../round/two',
  '/etc/kubernetes/round/two': '-> one',
  '/etc/kubernetes/nowhere': '-> /var/none',
  '/etc/kubernetes/beyond': '-> ../../../../../etc/hostname',
  '/etc/kubernetes/absolute': '-> /var/lib/kubelet',
  '/etc/kubernetes/relative.conf': '-> ./pki/../admin.conf',
  '/etc/kubernetes/lost': '-> pki/lost.key',
  '/etc/kubernetes/admin.conf': 'a kubeconfig',
  '/etc/kubernetes/large': LIMITS.file + 1,
  '/etc/kubernetes/just': LIMITS.file,
  '/etc/hostname': 'one',
  '/var/lib/kubelet/config.yaml': 'a configuration',
  '/var/lib/kubelet/pki/kubelet.crt': 'a pair',
  '/opt/kept.tgz': 'an archive',
  '/opt/a/b/c/d/e/f/g/h/deep': 'deep',
  ...Object.fromEntries(Array.from({ length: LIMITS.entries }, (_, at) => [`/srv/full/${at}`, ''])),
  ...Object.fromEntries(Array.from({ length: LIMITS.entries + 1 }, (_, at) => [`/srv/many/${at}`, ''])),
  ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`/srv/big/${10 + at}`, LIMITS.file])),
  ...Object.fromEntries(Array.from({ length: LIMITS.links + 1 }, (_, at) => [`/srv/links/${at}`, `-> ${at + 1}`])),
  [`/srv/links/${LIMITS.links + 1}`]: 'behind links',
};
const modeOf = (place: string): Partial<Found> => (place.endsWith('.crt') ? { mode: 0o644, owner: 0 } : {});

const tree: Tree = {
  look: async (place): Promise<Found | undefined> => {
    const { [place]: given } = PLACES;
    if (typeof given === 'string' && given.startsWith('! ')) throw failure(given.slice(2));
    if (typeof given === 'string' && given.startsWith('-> ')) return { kind: 'link', size: 0, target: given.slice(3) };
    if (Object.keys(PLACES).some((other) => other.startsWith(`${place}/`)))
      return { kind: 'folder', size: 0, mode: 0o755 };
    if (given === undefined) return undefined;
    return { kind: 'file', size: typeof given === 'number' ? given : given.length, ...modeOf(place) };
  },
  names: async (place) => {
    const { [place]: given } = PLACES;
    if (typeof given === 'string' && given.startsWith('? ')) throw failure(given.slice(2));
    const below = Object.keys(PLACES).filter((other) => other.startsWith(`${place === '/' ? '' : place}/`));
    return [...new Set(below.map((other) => other.slice(place === '/' ? 1 : place.length + 1).split('/')[0] ?? ''))];
  },
  members: async (place) => (place.endsWith('.tgz') ? ['etc/kubernetes/pki/ca.key'] : ['nothing']),
  contents: async (places) =>
    new Map(
      places.flatMap((place): (readonly [string, Content])[] => {
        const { [place]: given } = PLACES;
        if (place.endsWith('empty.key')) return [];
        if (typeof given === 'number') return [[place, { text: `${given} bytes` }]];
        return [[place, given?.startsWith('? ') === true ? { unreadable: given.slice(2) } : { text: given ?? '' }]];
      }),
    ),
};

/** Each on a disk of its own; what is asked one after the other, by the bounds of both together. */
const QUESTIONS: readonly (readonly (readonly string[])[])[] = [
  [['/etc/kubernetes']],
  [['/']],
  [['/etc/kubernetes/']],
  [['/etc/none', '/etc/kubernetes/nowhere', '/etc/kubernetes/nowhere/below', '/etc/hostname/below']],
  [['etc/kubernetes/../hostname', '/etc//hostname', '/etc/./hostname', '/../etc/hostname']],
  [['/etc/kubernetes/absolute', '/etc/kubernetes/absolute/config.yaml', '/etc/kubernetes/absolute/']],
  [['/etc/kubernetes/beyond', '/etc/kubernetes/relative.conf', '/etc/kubernetes/lost', '/etc/kubernetes/circle/']],
  [['/etc/kubernetes/pki/*.crt', '/etc/kubernetes/*/ca.*', '/etc/*/pki/*/', '/none/*', '/etc/kubernetes/closed/*']],
  [['/etc/kubernetes/closed', '/etc/kubernetes/closed/inside', '/etc/kubernetes/closed/']],
  [['/opt/kept.tgz', '/opt/kept.tgz/', '/opt/', '/etc/hostname/']],
  [['/opt/a']],
  [['/srv/full/1*', '/srv/many/1*']],
  [['/srv/many']],
  [['/srv/links/0', '/srv/links/1', '/srv/links/2']],
  [['/srv/big'], ['/srv/big/49', '/etc/hostname'], ['/srv/big'], ['/etc/kubernetes/just']],
  [['/etc/hostname', '/etc/hostname'], ['/etc/hostname']],
];

const ended = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text);
const lines: string[] = [];
for (const asked of QUESTIONS) {
  const files = new WalkedFiles(tree);
  for (const paths of asked) {
    const entries = await files.read(paths);
    // of hundreds alike the last ones tell where it ended
    const shown = entries.length > 30 ? [...entries.slice(0, 5), ...entries.slice(-5)] : entries;
    const { length } = entries.filter(({ unreadable }) => unreadable !== undefined);
    lines.push(
      `${paths.join(' ')}: ${entries.length}, ${length} of them unreadable`,
      ...shown.map((entry) => `  ${ended(JSON.stringify(entry))}`),
    );
  }
}
const late = await new WalkedFiles(tree, -1).read(['/etc/hostname', '/etc/kubernetes', '/etc/none']);
lines.push('after its time', ...late.map((entry) => `  ${JSON.stringify(entry)}`));

testRecorded(
  'what is shown of an odd disk',
  packageFile('src/targets/recorded'),
  new Map([['disks.txt', `${lines.join('\n')}\n`]]),
);
