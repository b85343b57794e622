/** Whether lists hold what was asked for. Source: apiserver, pkg/endpoints/handlers/get.go ListResource. */
import { record, records, text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';

/** A list, beside what it should hold; names alone, sorted, each as often as it came. */
export interface ListSeen {
  readonly subject: string;
  readonly wanted: readonly string[];
  /** Names of the run's own objects; undefined where the answer is no list. */
  readonly names?: readonly string[];
  /** Of the answer. */
  readonly status: number;
  /** As many as a page may have at most; undefined: any number. */
  readonly limit?: number;
  /** How many the longest page has, those of others among them; left out where there is no limit. */
  readonly longest?: number;
}

/** Reader: what of the answers, one a page, is among objects that are known. */
export function readList(
  what: Pick<ListSeen, 'subject' | 'wanted' | 'limit'>,
  pages: readonly { readonly status: number; readonly body: unknown }[],
  known: readonly string[],
): ListSeen {
  const isRead = pages.every(({ status, body }) => status === 200 && Array.isArray(record(body).items));
  const items = pages.flatMap(({ body }) => records(record(body).items));
  const names = items.map(({ metadata }) => text(record(metadata).name)).filter((name) => known.includes(name));
  const status = pages.find((page) => page.status !== 200)?.status ?? 200;
  const longest = Math.max(...pages.map(({ body }) => records(record(body).items).length));
  const paged = what.limit === undefined ? {} : { longest };
  return { ...what, wanted: [...what.wanted].sort(), status, ...paged, ...(isRead ? { names: names.sort() } : {}) };
}

export const listHolds: Check<readonly ListSeen[]> = {
  id: 'lists/holds',
  source: 'apiserver, pkg/endpoints/handlers/get.go ListResource; pkg/storage/selection_predicate.go',
  judge: (all) =>
    all.flatMap(({ subject, wanted, names, status, limit, longest = 0 }) => [
      demand({
        subject,
        demanded: `holds ${wanted.length} of them, each once, and no other`,
        seen:
          names === undefined
            ? String(status)
            : `${names.length}, of which ${wanted.filter((one) => names.includes(one)).length} were asked for`,
        ok: names === undefined ? undefined : names.join() === wanted.join(),
      }),
      ...(limit === undefined || names === undefined
        ? []
        : [
            demand({
              subject: `the longest page of ${subject}`,
              demanded: `has at most ${limit}`,
              seen: String(longest),
              ok: longest <= limit,
            }),
          ]),
    ]),
};
