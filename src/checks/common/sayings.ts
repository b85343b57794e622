/** What answers say, word by word, of what they are about. Pure. */
import { record } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { saysNothing } from './answers.js';

/** Values by where they stand: "details.name" in the body, "header etag", or "text" for all of it. */
type Said = Readonly<Record<string, string>>;

export interface Saying {
  /** "a deletion of a Secret that nobody has" */
  readonly subject: string;
  readonly status: number;
  /** At the places that something is wanted of; '' where nothing stands. */
  readonly says: Said;
  readonly wanted: { readonly status: number; readonly says: Said };
}

const shown = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** A field, or an item by its number. */
const within = (holder: unknown, key: string): unknown =>
  Array.isArray(holder) ? holder[Number(key)] : record(holder)[key];

/** Reader: nothing is kept of an answer but what something is wanted of. */
export function readSaying(
  subject: string,
  wanted: Saying['wanted'],
  answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | readonly string[]>>;
    readonly text: string;
    readonly body: unknown;
  },
): Saying {
  const at = (place: string): string => {
    if (place === 'text') return answer.text.trim();
    const header = /^header (.*)$/.exec(place)?.[1];
    if (header !== undefined) return [answer.headers[header] ?? ''].flat().join(', ');
    return shown(place.split('.').reduce<unknown>(within, answer.body));
  };
  const says = Object.fromEntries(Object.keys(wanted.says).map((place) => [place, at(place)]));
  return { subject, status: answer.status, says, wanted };
}

const told = (status: number, says: Said): string =>
  [status, ...Object.entries(says).map(([place, value]) => `${place}: ${value || 'nothing'}`)].join(', ');

/** Each answer has that status, and says just that. */
export const saysJustThat: Check<readonly Saying[]> = {
  id: 'sayings/just-that',
  source: 'apimachinery, pkg/api/errors/errors.go; pkg/apis/meta/v1/types.go Status',
  judge: (answers) =>
    answers.map(({ subject, status, says, wanted }) =>
      demand({
        subject,
        demanded: `is answered with ${told(wanted.status, wanted.says)}`,
        seen: told(status, says),
        ok:
          status === wanted.status
            ? Object.entries(wanted.says).every(([place, value]) => says[place] === value)
            : saysNothing(status)
              ? undefined
              : false,
      }),
    ),
};
