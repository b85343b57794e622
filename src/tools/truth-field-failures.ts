/**
 * npm run truth -- …/kubeadm-field-failures.json: puts the reference into the state that a real cluster was in when a
 * join of kubeadm failed, lets the reference client join, and compares. Runs that a server does not decide are named.
 */
import { readFileSync } from 'node:fs';
import { manualClock } from '../reference/index.js';
import { type Heard, type Played, playCluster } from '../targets/client-under-test/reference-client.js';
import { type Reference, startReference } from '../targets/reference.js';
import { ARRANGEMENTS, type Arrangement, HOST_DECIDES, OTHER_PIN, tokenFor } from './truth-arrangements.js';
import { words } from './truth-joins.js';

/** One run of kubeadm-field-failures.json. */
interface Recorded {
  readonly failure: string;
  readonly exit: number;
  readonly message?: string;
  readonly command?: string;
  readonly join_configuration?: object;
  readonly requests?: readonly string[];
  readonly files_left?: readonly string[];
}

const RIGHT_KEY = '37e5a8bf4a473b268ff396b55f76f1ec59aecf91ba5b2a0ffce1ece19b7fcb7f';
/** Of the CA that the recorded clusters had beside their own. */
const RECORDED_OTHER_PIN = 'sha256:3f3c06f08ca88f219733080872ad9488638d670998c904a94963869c3a796954';
/** A kubelet was run by hand in these; its token is not in the recording. */
const KUBELET_TOKEN = 'klet02.0123456789abcdef';
/** The host had no kubelet: what came after its start is not the server's. */
const NO_KUBELET = /failed while waiting for the kubelet to start/;

/** The recorded certificate key, as far as it is the right one, in terms of another right one. */
function translated(key: string, right: string): string {
  const lower = key.toLowerCase();
  let same = 0;
  while (same < lower.length && lower[same] === RIGHT_KEY[same]) same += 1;
  const made = right.slice(0, same) + lower.slice(same);
  const differs =
    lower !== RIGHT_KEY && made === right ? `${made.slice(0, -1)}${made.endsWith('0') ? '1' : '0'}` : made;
  return key === lower ? differs : differs.toUpperCase();
}

const flag = (command: string, name: string): string | undefined => new RegExp(`--${name} (\\S+)`).exec(command)?.[1];

/** The recorded configuration for this reference, with the times that were told. */
function configurationOf(recorded: Recorded, reference: Reference): string {
  const { join_configuration: given, failure, command = '' } = recorded;
  const token = flag(command, 'token') ?? KUBELET_TOKEN;
  const plain = given ?? {
    discovery: {
      bootstrapToken: { token, apiServerEndpoint: 'ENDPOINT', caCertHashes: ['sha256:<SPKI of the cluster CA>'] },
      tlsBootstrapToken: token,
    },
    nodeRegistration: { name: flag(command, 'node-name') ?? failure, criSocket: 'SOCKET' },
  };
  const text = JSON.stringify({
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'JoinConfiguration',
    timeouts: { discovery: '7s', tlsBootstrap: '8s' },
    ...plain,
  });
  return text
    .replaceAll('ENDPOINT', reference.url.replace('https://', ''))
    .replaceAll('sha256:<SPKI of the cluster CA>', reference.caCertHash)
    .replaceAll(RECORDED_OTHER_PIN, OTHER_PIN)
    .replaceAll('SOCKET', 'unix:///var/run/containerd/containerd.sock')
    .replace(
      /("certificateKey":")([0-9a-fA-F]+)"/g,
      (_, before: string, key: string) => `${before}${translated(key, reference.certificateKey ?? '')}"`,
    );
}

/** "system:bootstrap:good01 get …/kubeadm-config 200", as an audit log tells it. */
function told({ authorization, method, path, status }: Heard): string {
  const id = /^Bearer (.{6})\./.exec(authorization ?? '')?.[1];
  const user = status === 401 ? '(unauthenticated)' : id === undefined ? 'system:anonymous' : `system:bootstrap:${id}`;
  return `${user} ${method === 'POST' ? 'create' : 'get'} ${path} ${status}`;
}

/** What the kubelet asks besides is its own business, and how often kubeadm asks within a third of a second. */
const relevant = (lines: readonly string[]): readonly string[] =>
  lines
    .filter((line) => !/ (get|list|watch) \/(healthz|apis\/certificates)/.test(line))
    .map((line) => line.replace(/ x\d+$/, '').replace(/(\/nodes\/)\S+/, '$1NAME'))
    .filter((line, index, all) => line !== all[index - 1]);

/** Files of the kubelet itself, and what a control plane makes of the shared ones. */
const ELSEWHERE = [
  /^\/var\/lib\/kubelet\/pki\//,
  /kubelet\.conf$/,
  /\/(admin|controller-manager|scheduler)\.conf$/,
  /\/manifests\//,
  /\/pki\/(apiserver|front-proxy-client|etcd\/(server|peer|healthcheck))/,
];
const shared = (files: readonly string[]): readonly string[] =>
  files.filter((file) => !ELSEWHERE.some((pattern) => pattern.test(file))).sort();

function differences(recorded: Recorded, played: Played, heard: readonly Heard[]): readonly string[] {
  const { exit, message = '', requests = [], files_left: left = [], failure, command = '' } = recorded;
  // That phase alone downloads nothing.
  const alone = /phase kubelet-start/.test(command);
  const byHost = NO_KUBELET.test(message) || failure === 'cp-right-key';
  const answered = heard.filter(({ status }) => status !== undefined).map(told);
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['exit', byHost ? 0 : exit, played.exit],
    ['words', byHost ? '' : words(message), played.exit === 1 ? words(`error: ${played.message}`) : ''],
    ['requests', relevant(requests), relevant(answered).filter((line) => !alone || !line.includes('kubeadm-certs'))],
    // Entries are written in random order until the gap.
    ...(failure.startsWith('cp-missing')
      ? []
      : [
          [
            'files',
            shared(left),
            shared(Object.keys(played.files)).filter(
              (file) => !alone || !/\/(ca|sa|front-proxy-ca)\.(key|pub)$|(etcd\/|proxy-)ca\.crt$/.test(file),
            ),
          ] as const,
        ]),
    [
      'bootstrap-kubelet.conf',
      left.some((file) => file.endsWith('bootstrap-kubelet.conf')) ||
        (byHost && left.includes('/var/lib/kubelet/config.yaml')),
      '/etc/kubernetes/bootstrap-kubelet.conf' in played.files,
    ],
  ];
  return pairs.flatMap(([what, expected, seen]) =>
    JSON.stringify(expected) === JSON.stringify(seen)
      ? []
      : [`${what}: kubeadm ${JSON.stringify(expected)}, the client ${JSON.stringify(seen)}`],
  );
}

/** How far a run went that the server decided. */
function untilOf({
  command = '',
  message = '',
  failure,
}: Recorded): 'preflight' | 'download' | 'kubelet-start' | 'end' {
  if (/phase preflight/.test(command)) return 'preflight';
  if (/phase (control-plane-prepare|download-certs)/.test(command) || failure === 'cp-right-key') return 'download';
  return /phase kubelet-start/.test(command) || NO_KUBELET.test(message) ? 'kubelet-start' : 'end';
}

async function playRun(recorded: Recorded, arrangement: Arrangement): Promise<readonly string[]> {
  const clock = manualClock(Date.now());
  const { failure, join_configuration: given, command } = recorded;
  const token = tokenFor(failure, `${JSON.stringify(given)} ${command}`, KUBELET_TOKEN);
  const reference = await startReference({
    // What follows from an arrangement has happened before the join begins.
    decisions: { controllerHearsAfter: () => 0 },
    clock,
    ...(token === undefined ? { tokens: [] } : { tokens: [token] }),
    ...arrangement.options,
  });
  try {
    await arrangement.arrange?.(reference, (milliseconds) => clock.advance(milliseconds));
    await reference.settle();
    const heard: Heard[] = [];
    const played = await playCluster(
      {
        configuration: configurationOf(recorded, reference),
        given: arrangement.given?.(reference) ?? {},
        clock: {
          now: () => clock.now(),
          sleep: async (milliseconds) => {
            clock.advance(milliseconds);
            await reference.settle();
          },
        },
        heard: (request) => heard.push(request),
      },
      { until: untilOf(recorded) },
    );
    return differences(recorded, played, heard);
  } finally {
    await reference.close();
  }
}

/** Plays every run that a server decides. Returns whether all are equal; tells about those that are not. */
export async function compareFieldFailures(file: string, tell: (line: string) => void): Promise<boolean> {
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];
  const played = recorded.filter(({ failure }) => !(failure in HOST_DECIDES));
  let equal = 0;
  for (const one of played) {
    const arrangement = ARRANGEMENTS[one.failure];
    const found = arrangement === undefined ? ['nobody has arranged it'] : await playRun(one, arrangement);
    if (found.length === 0) equal += 1;
    else tell([`-- ${one.failure}`, ...found.map((line) => `   ${line}`)].join('\n'));
  }
  const others = recorded.length - played.length;
  tell(`truth: ${equal} of ${played.length} recorded failures are equal; ${others} are not decided by a server`);
  return equal === played.length;
}
