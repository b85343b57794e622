/** What a watch tells first. Source: apiserver, pkg/endpoints/handlers/watch.go. */
import { record, text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';

export interface Watched {
  readonly subject: string;
  /** The type of its first event, or "nothing". */
  readonly wanted: string;
  /** Likewise; undefined: the answer is none of a watch. */
  readonly told?: string;
  /** Whether what its first event is about has the version that is wanted, where one is; versions are opaque. */
  readonly tells?: 'the version' | 'another' | 'none';
  /** Of the answer. */
  readonly status: number;
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function eventIn(line: string): { readonly type?: string; readonly version?: string } {
  const event = record(jsonIn(line));
  const [type, version] = [text(event.type), text(record(record(event.object).metadata).resourceVersion)];
  return { ...(type === '' ? {} : { type }), ...(version === '' ? {} : { version }) };
}

/** The version that its first event is to tell, or that of before, which it is not to tell. */
interface WantedVersion {
  readonly wantedVersion?: string | undefined;
  readonly formerVersion?: string | undefined;
}

/** Reader of the text of an answer: the first event, or nothing. */
export function readWatched(
  { wantedVersion, formerVersion, ...what }: Pick<Watched, 'subject' | 'wanted'> & WantedVersion,
  answer: { readonly status: number; readonly text: string },
): Watched {
  const line = answer.text.trim();
  const { type, version }: ReturnType<typeof eventIn> = line === '' ? { type: 'nothing' } : eventIn(line);
  const { status } = answer;
  if (status !== 200 || type === undefined || type === 'ERROR') return { ...what, status };
  if (type === 'nothing' || (wantedVersion ?? formerVersion) === undefined) return { ...what, status, told: type };
  const isThat = wantedVersion === undefined ? version !== formerVersion : version === wantedVersion;
  const tells = version === undefined ? 'none' : isThat ? 'the version' : 'another';
  return { ...what, status, told: type, tells };
}

const END_OF_WHAT_IS_THERE = 'k8s.io/initial-events-end';

/** Reader of the text of an answer to a watch that is to begin with what is there: its first event. Source: KEP-3157. */
export function readBeginning(
  what: Pick<Watched, 'subject' | 'wanted'>,
  answer: { readonly status: number; readonly text: string },
): Watched {
  const watched = readWatched(what, answer);
  const annotations = record(record(record(record(jsonIn(answer.text)).object).metadata).annotations);
  const ends = watched.told === 'BOOKMARK' && annotations[END_OF_WHAT_IS_THERE] === 'true';
  return ends ? { ...watched, told: 'the end of what is there' } : watched;
}

export const watchBegins: Check<readonly Watched[]> = {
  id: 'watches/begins',
  source: 'apiserver, pkg/endpoints/handlers/watch.go; pkg/storage/cacher',
  judge: (all) =>
    all.map(({ subject, wanted, told, status }) =>
      demand({
        subject,
        demanded: `begins with ${wanted}`,
        seen: told ?? String(status),
        ok: told === undefined ? undefined : told === wanted,
      }),
    ),
};

/** Who goes on from the version that he was told misses nothing, and is told nothing twice. */
export const watchTellsVersion: Check<readonly Watched[]> = {
  id: 'watches/tells-version',
  source: 'apiserver, pkg/storage/cacher/cache_watcher.go convertToWatchEvent',
  judge: (all) =>
    all.flatMap(({ subject, tells }) =>
      tells === undefined
        ? []
        : [
            demand({
              subject,
              demanded: 'tells the version of the change',
              seen: `it tells ${tells}`,
              ok: tells === 'the version',
            }),
          ],
    ),
};
