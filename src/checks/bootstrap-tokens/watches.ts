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
  /** Of the answer. */
  readonly status: number;
}

function typeOf(line: string): string | undefined {
  try {
    return text(record(JSON.parse(line)).type) || undefined;
  } catch {
    return undefined;
  }
}

/** Reader of the text of an answer: the first event, or nothing. */
export function readWatched(
  what: Pick<Watched, 'subject' | 'wanted'>,
  answer: { readonly status: number; readonly text: string },
): Watched {
  const line = answer.text.trim();
  const type = line === '' ? 'nothing' : typeOf(line);
  const isTold = answer.status === 200 && type !== undefined && type !== 'ERROR';
  return { ...what, status: answer.status, ...(isTold ? { told: type } : {}) };
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
