/** Whether what a patch leaves is what was patched and what it names, and nothing else. */
import { isRecord, record, texts } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { type Answered, isBesides, shownAnswer } from '../common/answers.js';

/** What patches are about: texts by their keys, notes of the run, and finalizers in their order. */
export interface Held {
  readonly data: Readonly<Record<string, string>>;
  readonly notes: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
}

/** Begin of the annotations that patches are about. */
export const NOTES = 'joinproof.io/note-';

/** Reader: of a Secret; null where it is none. */
export function heldBy(secret: unknown): Held | null {
  const { kind, metadata, data = {} } = record(secret);
  if (kind !== 'Secret' || !isRecord(data)) return null;
  const { annotations, finalizers } = record(metadata);
  return {
    data: Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(String(value), 'base64').toString()]),
    ),
    notes: Object.fromEntries(
      Object.entries(record(annotations)).flatMap(([key, value]) =>
        key.startsWith(NOTES) ? [[key.slice(NOTES.length), String(value)] as const] : [],
      ),
    ),
    finalizers: texts(finalizers),
  };
}

/** A patch that was tried, what is to be left by it, and what is. */
export interface Patched extends Answered {
  /** null where the answer shows no Secret. */
  readonly held: Held | null;
  readonly wanted: Held;
}

/** "one=1 two=2; a=x; joinproof.io/one" */
const shown = ({ data, notes, finalizers }: Held): string => {
  const words = (of: Readonly<Record<string, string>>) =>
    Object.entries(of)
      .map(([key, value]) => `${key}=${value}`)
      .sort();
  return [words(data), words(notes), finalizers].map((part) => part.join(' ') || 'nothing').join('; ');
};

/** How patches are refused that cannot be applied. Source: apiserver, pkg/endpoints/handlers/patch.go. */
const REFUSALS = [400, 409, 415, 422];

export const patchedAsNamed: Check<readonly Patched[]> = {
  id: 'patches/as-named',
  source:
    'RFC 6902; RFC 7386; apimachinery, pkg/util/strategicpatch/patch.go; structured-merge-diff, merge/update.go Apply',
  judge: (all) =>
    all.map(({ subject, answer, held, wanted }) => {
      const went = answer.status === 200 && held !== null;
      return demand({
        subject,
        demanded: `leaves ${shown(wanted)}`,
        seen: went ? shown(held) : shownAnswer(answer),
        ok: went
          ? shown(held) === shown(wanted)
          : isBesides(answer) && !REFUSALS.includes(answer.status)
            ? undefined
            : false,
      });
    }),
};
