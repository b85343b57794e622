/**
 * npm run truth -- …/kubeadm-join-discovery.json: plays what real servers, honest and lying, did to kubeadm join to the
 * reference client, in virtual time, and compares what it did with what kubeadm did.
 */
import { readFileSync } from 'node:fs';
import type { Entry, Transcript } from '../kubernetes/transcript.js';
import { lies, playLie } from '../targets/client-under-test/reference-client.js';

interface RecordedRequest {
  readonly conn: number;
  readonly cert?: string;
  readonly request?: string;
  readonly authorization?: string;
  readonly answered?: number | string;
  readonly event?: string;
  readonly t: number;
}

/** One case of kubeadm-join-discovery.json. */
interface Recorded {
  readonly case: string;
  readonly discovery: object | null;
  readonly timeouts_discovery: string | null;
  readonly serving_certificate: string;
  readonly requests: readonly RecordedRequest[];
  readonly retried: boolean;
  readonly cluster_info_gets: number;
  readonly authenticated_requests: number;
  readonly discovery_trusted: boolean;
  readonly outcome: string;
  readonly exit: number | null;
  readonly seconds: number;
  readonly message: string;
  readonly files_written: readonly string[];
}

/** One step of a run, on either side: "GET cluster-info as nobody, good: 200". */
interface Step {
  readonly at: number;
  readonly anonymous: boolean;
  readonly text: string;
}

const CERTIFICATES: Readonly<Record<string, string>> = {
  'by-ca2': 'by other ca',
  'by-expired-ca': 'by expired ca',
  'other-name': 'other name',
  'no-san': 'no san',
  'client-eku': 'client eku',
};
const EVENTS: readonly (readonly [RegExp, string])[] = [
  [/BAD_CERTIFICATE/, 'certificate refused'],
  [/HTTP_REQUEST/, 'plain request'],
  [/NO_SHARED_CIPHER/, 'no common cipher'],
  [/plain HTTP answer/, 'answered without tls'],
  [/closed after accept/, 'closed after accept'],
  [/no byte sent/, 'silent'],
  [/^ended/, 'closed by client'],
];

/** The last segment of a path tells the requests of a discovery apart. */
const subject = (target: string): string => target.replace(/\?.*$/, '').split('/').at(-1) ?? '';

function recordedStep({ cert = '', request, authorization = '', answered, event, t }: RecordedRequest): Step {
  const certificate = CERTIFICATES[cert] ?? cert;
  if (request === undefined) {
    const what = EVENTS.find(([pattern]) => pattern.test(event ?? ''))?.[1] ?? String(event);
    return { at: t, anonymous: true, text: what };
  }
  const anonymous = !authorization.startsWith('Bearer');
  return {
    at: t,
    anonymous,
    text: `${subject(request)} as ${anonymous ? 'nobody' : 'the token'}, ${certificate}: ${answered}`,
  };
}

function playedStep(entry: Entry): Step {
  const at = entry.at / 1000;
  if (entry.kind === 'connection') return { at, anonymous: true, text: entry.event };
  const anonymous = entry.authorization === undefined;
  return {
    at,
    anonymous,
    text: `${subject(entry.target)} as ${anonymous ? 'nobody' : 'the token'}, ${entry.certificate}: ${entry.answered}`,
  };
}

/** Repetitions within half a second count once: kubeadm fetches a ConfigMap up to eight times in 350 ms. */
const collapsed = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap(({ at, text }, index) => {
    const before = steps[index - 1];
    return before !== undefined && before.text === text && at - before.at < 0.5 && / refused$/.test(text) ? [] : [text];
  });

/** Two attempts without credentials at least 0.9 s apart. */
function isRetried(steps: readonly Step[]): boolean {
  const times = steps.filter(({ anonymous }) => anonymous).map(({ at }) => at);
  return times.some((at, index) => index > 0 && at - (times[index - 1] ?? at) >= 0.9);
}

const BEFORE_TRUST =
  /^(?!error execution)|couldn't validate the identity|could not find authentication|could not get CA certificate/;

function outcomeOf({ exit, message }: Transcript): string {
  if (exit === undefined) return 'killed by the harness: did not end';
  if (exit === 0) return 'accepted: discovery succeeded, token sent';
  return BEFORE_TRUST.test(message) ? 'refused' : 'discovery accepted, a later step failed';
}

/** What differs, each with what was recorded and what was seen. */
function differences(recorded: Recorded, played: Transcript): readonly string[] {
  const steps = played.entries.map(playedStep);
  const before = recorded.requests.map(recordedStep);
  const outcome = outcomeOf(played);
  const gets = (entries: readonly Step[]): number =>
    entries.filter(({ text }) => text.startsWith('cluster-info ')).length;
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['outcome', recorded.outcome, outcome],
    ['exit', recorded.exit ?? undefined, played.exit],
    ['steps', collapsed(before), collapsed(steps)],
    ['retried', recorded.retried, isRetried(steps)],
    ['GETs of cluster-info', gets(before), gets(steps)],
    ['requests with the token', recorded.authenticated_requests, steps.filter(({ anonymous }) => !anonymous).length],
    ['discovery trusted', recorded.discovery_trusted, /accepted/.test(outcome)],
    ['seconds', true, Math.abs(recorded.seconds - played.milliseconds / 1000) <= 1],
    ['files', recorded.files_written, Object.keys(played.files)],
    ['words', words(recorded.message), played.exit === 1 ? words(`error: ${played.message}`) : ''],
  ];
  return pairs.flatMap(([what, expected, seen]) =>
    JSON.stringify(expected) === JSON.stringify(seen)
      ? []
      : [`${what}: kubeadm ${JSON.stringify(expected)}, the client ${JSON.stringify(seen)}`],
  );
}

/**
 * What differs from run to run, or is a library's own way to say a thing; and tokens, which the client does not repeat.
 */
const UNLIKE: readonly (readonly [RegExp, string])[] = [
  [/ \(possibly because of .*$/, ''],
  [/read tcp [^ ]*: /g, 'read tcp: '],
  [/current time \S+ is (after|before) \S+/, 'current time is $1 the limit'],
  [/sha256:[^":]{40,}/g, 'sha256:DIGITS'],
  [/Invalid value: "[^"]*": (the bootstrap token|(invalid )?certificate key)/g, 'Invalid value: $1'],
  [/: (net\/http: request canceled|context deadline exceeded)[^:]*$/, ': the time was over'],
  [/lookup (\S+) on \S+:/, 'lookup $1:'],
  [/(127\.0\.0\.1|exa_mple!|no-such-host\.invalid):(PORT|\d+)/g, '$1:PORT'],
  [/(json: cannot unmarshal \w+) into .*$/, '$1'],
  [/ in scheme ".*"$/, ''],
  [/(127\.0\.0\.1:PORT|ENDPOINT)/g, 'ADDRESS'],
  [/json parse error: (?!json).*$/, 'json parse error'],
  [/yaml: .*$/, 'yaml'],
  [/(illegal base64 data at input byte \d+|unable to decode Secret as ConfigMap)$/, 'cannot be decoded'],
];

export function words(message: string): string {
  const plain = message === 'error: ' ? '' : message.replace(/\s+/g, ' ').trim();
  return UNLIKE.reduce((text, [pattern, by]) => text.replace(pattern, by), plain);
}

/** Plays every recorded case. Returns whether all are equal; tells about those that are not. */
export async function compareJoins(file: string, tell: (line: string) => void): Promise<boolean> {
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];
  const byName = new Map(lies.map((lie) => [lie.name, lie]));
  let equal = 0;
  for (const one of recorded) {
    const lie = byName.get(one.case);
    const found =
      lie === undefined ? ['there is no such lie'] : differences(one, await playLie(lie, { until: 'preflight' }));
    if (found.length === 0) equal += 1;
    else tell([`-- ${one.case}`, ...found.map((line) => `   ${line}`)].join('\n'));
  }
  tell(`truth: ${equal} of ${recorded.length} recorded joins are equal`);
  return equal === recorded.length;
}
