/**
 * The unchanged reference of which a single kind is not read: its lists or its objects fail, or are forbidden, or a dump
 * lacks them. Each rule is played by the kinds that it reads: where several are not read, the first of them hides who
 * takes another one for empty.
 */
import { type Resource, resources } from '../kubernetes/resources.js';
import type { Report } from '../model/report.js';
import { dumpOf } from '../targets/dump.js';
import { MayNotRead, UnexpectedAnswer } from '../targets/errors.js';
import type { ListOptions, ObjectReader, Target } from '../targets/types.js';
import { eachOtherwise, fares, type Seen } from './each.js';
import { textsOf } from './elsewhere.js';
import type { Lines } from './rule-lines.js';

type How = 'get' | 'list';
interface Unread {
  readonly how: How;
  readonly code: number;
  readonly reason: string;
}
const UNREAD: Readonly<Record<string, Unread>> = {
  'its lists fail': { how: 'list', code: 500, reason: 'InternalError' },
  'its lists are forbidden': { how: 'list', code: 403, reason: 'Forbidden' },
  'its objects fail': { how: 'get', code: 500, reason: 'InternalError' },
  'its objects are forbidden': { how: 'get', code: 403, reason: 'Forbidden' },
};
const MISSING = 'a dump lacks it';

/** What was asked for is told: whoever asks for less is seen by that. */
const askedFor = ({ resource }: Resource, asked: readonly unknown[]): string =>
  `${resource} ${JSON.stringify(asked.filter((one) => typeof one !== 'function'))}`;

function without(kind: Resource, unread: Unread, target: Target): Target {
  const { objects } = target.abilities;
  if (objects === undefined) return target;
  const { how, code, reason } = unread;
  const refuse = (asked: string): never => {
    if (code === 403) throw new MayNotRead(asked, code, reason, 'nobody knows why');
    throw new UnexpectedAnswer('GET', asked, code, reason, 'nobody knows why');
  };
  const reader: ObjectReader = {
    get: async (resource: Resource, ...asked: [string, string?]) =>
      how === 'get' && resource.resource === kind.resource
        ? refuse(askedFor(resource, asked))
        : objects.get(resource, ...asked),
    list: async <T>(resource: Resource, ...asked: [ListOptions?, ((object: never) => T | undefined)?]) =>
      how === 'list' && resource.resource === kind.resource
        ? refuse(askedFor(resource, asked))
        : objects.list<T>(resource, ...(asked as unknown as [ListOptions, () => T | undefined])),
  };
  return {
    ...target,
    abilities: { ...target.abilities, objects: reader },
    why: (need) => target.why(need),
    observed: (listener) => without(kind, unread, target.observed?.(listener) ?? target),
  };
}

const READ = /^GET \/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/[^/?]+)?\/([^/?]+)(\/[^/?]+)?(?:\?(.*))?$/;

type Open = (kind: Resource) => Target | Promise<Target>;
type Readers = readonly (readonly [Resource, readonly string[]])[];

/** By kind, the rules that read some of it as the run's own credential, in the order of the kinds. */
export function readersIn({ rules }: Report, wanted: How): Readers {
  const readBy = (
    id: string,
    scenarios: Report['rules'][number]['scenarios'],
  ): readonly (readonly [string, string])[] =>
    scenarios
      .flatMap(({ judgements }) => judgements.flatMap(({ exchanges = [] }) => exchanges))
      .flatMap(({ as, request }) => {
        const [, plural = '', name, query = ''] = READ.exec(request) ?? [];
        const how = name !== undefined ? 'get' : /(?:^|&)limit=/.test(query) ? 'list' : undefined;
        return as === 'admin' && how === wanted ? [[plural, id] as const] : [];
      });
  const read = rules.flatMap(({ id, scenarios }) => readBy(id, scenarios));
  return Object.values(resources).flatMap((resource) => {
    const ids = new Set(read.flatMap(([plural, id]) => (plural === resource.resource ? [id] : [])));
    return ids.size === 0 ? [] : [[resource, [...ids]] as const];
  });
}

/** Lines for rules and ways in which what they read is not read: what the kinds that make a difference to a rule come to. */
export async function eachKindIn({ opened: { target, redactor }, report, judged }: Seen): Promise<Lines> {
  const found: Record<string, string[]> = {};
  const play = async (way: string, whole: Lines, readers: Readers, open: Open): Promise<void> => {
    const all = readers.map(([kind, ids]) => ({
      name: kind.resource,
      rules: ids,
      fare: async (some: readonly string[]) => fares(await judged(await open(kind), some), redactor),
    }));
    for (const [id, line] of await eachOtherwise(all, whole)) found[id] = [...(found[id] ?? []), `${way}: ${line}`];
  };
  const [lists, gets] = [readersIn(report, 'list'), readersIn(report, 'get')];
  const seen = fares(report, redactor);
  for (const [way, unread] of Object.entries(UNREAD))
    await play(way, seen, unread.how === 'list' ? lists : gets, (kind) => without(kind, unread, target));
  const texts = await textsOf(target);
  const lacking = (kind?: string) =>
    dumpOf(
      texts.filter(({ name }) => name !== kind),
      'the reference',
    );
  const readers = [...new Set(lists.flatMap(([, ids]) => ids))];
  const whole = readers.length === 0 ? {} : fares(await judged(await lacking(), readers), redactor);
  await play(MISSING, whole, lists, ({ kind }) => lacking(kind));
  return found;
}
