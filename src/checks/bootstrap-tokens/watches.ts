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
  /** The version of what its first event is about. */
  readonly version?: string;
  /** That which it should be; undefined: any. */
  readonly wantedVersion?: string;
  /** Of the answer. */
  readonly status: number;
}

function eventIn(line: string): { readonly type?: string; readonly version?: string } {
  try {
    const event = record(JSON.parse(line));
    const [type, version] = [text(event.type), text(record(record(event.object).metadata).resourceVersion)];
    return { ...(type === '' ? {} : { type }), ...(version === '' ? {} : { version }) };
  } catch {
    return {};
  }
}

/** Reader of the text of an answer: the first event, or nothing. */
export function readWatched(
  what: Pick<Watched, 'subject' | 'wanted'>,
  answer: { readonly status: number; readonly text: string },
): Watched {
  const line = answer.text.trim();
  const { type, version }: ReturnType<typeof eventIn> = line === '' ? { type: 'nothing' } : eventIn(line);
  const isTold = answer.status === 200 && type !== undefined && type !== 'ERROR';
  return {
    ...what,
    status: answer.status,
    ...(isTold ? { told: type, ...(version === undefined ? {} : { version }) } : {}),
  };
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
    all.flatMap(({ subject, told, version, wantedVersion }) =>
      wantedVersion === undefined || told === undefined || told === 'nothing'
        ? []
        : [
            demand({
              subject,
              demanded: 'tells the version of the change',
              seen:
                version === wantedVersion ? 'it does' : version === undefined ? 'it tells none' : 'it tells another',
              ok: version === wantedVersion,
            }),
          ],
    ),
};
