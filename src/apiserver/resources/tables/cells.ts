/** Cells of tables: ages, labels, selectors, lists. Source: apimachinery, pkg/util/duration/duration.go; pkg/printers/internalversion/printers.go. */

import { type Fields, record, records, text, textMap, texts } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import type { TableColumn } from '../../types.js';

export type Cell = string | number | boolean;
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly row: (object: KubeObject, now: number) => readonly Cell[];
}

const TYPES = { i: 'integer', b: 'boolean', d: 'date' } as const;

/** "Name Data Age", with underscores for blanks, ":i" integer, ":b" boolean, ":d" date, and everything after "|" shown with -o wide only. */
export function columns(line: string): readonly TableColumn[] {
  const [shown = '', wide = ''] = line.split('|');
  const parse = (part: string, priority: number): TableColumn[] =>
    part
      .trim()
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => {
        const name = word.replace(/:[ibd]$/, '').replaceAll('_', ' ');
        const mark = /:([ibd])$/.exec(word)?.[1] as keyof typeof TYPES | undefined;
        return {
          name,
          type: mark === undefined ? 'string' : TYPES[mark],
          format: name === 'Name' ? 'name' : '',
          description: '',
          priority,
        };
      });
  return [...parse(shown, 0), ...parse(wide, 1)];
}

/** A span of milliseconds as kubectl prints ages. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  const two = (big: number, bigUnit: string, small: number, smallUnit: string): string =>
    small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`;
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return two(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 2920 ? two(years, 'y', days % 365, 'd') : `${years}y`;
}

export function since(time: unknown, now: number): string {
  const at = Date.parse(text(time));
  return Number.isNaN(at) ? '<unknown>' : humanDuration(now - at);
}
export const age = (object: KubeObject, now: number): string => since(object.metadata.creationTimestamp, now);
export const name = (object: KubeObject): string => object.metadata.name ?? '';

export const orNone = (value: string): string => (value === '' ? '<none>' : value);

export const labelsText = (labels: unknown): string =>
  orNone(
    Object.entries(textMap(labels))
      .map(([key, value]) => `${key}=${value}`)
      .sort()
      .join(','),
  );

/** A label selector as a line. Source: apimachinery, pkg/apis/meta/v1/helpers.go FormatLabelSelector. */
export function selectorText(selector: unknown, whenEmpty = '<none>'): string {
  const { matchLabels, matchExpressions } = record(selector);
  const parts: (readonly [string, string])[] = Object.entries(textMap(matchLabels)).map(([key, value]) => [
    key,
    `${key}=${value}`,
  ]);
  for (const expression of records(matchExpressions)) {
    const key = text(expression.key);
    const values = `(${[...texts(expression.values)].sort().join(',')})`;
    const said =
      { In: `${key} in ${values}`, NotIn: `${key} notin ${values}`, Exists: key, DoesNotExist: `!${key}` }[
        text(expression.operator)
      ] ?? '';
    parts.push([key, said]);
  }
  parts.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return parts.length === 0 ? whenEmpty : parts.map(([, said]) => said).join(',');
}

/** At most three of a list, then how many more there are. */
export function atMostThree(values: readonly string[], whenEmpty: string): string {
  if (values.length === 0) return whenEmpty;
  const shown = values.slice(0, 3).join(',');
  return values.length > 3 ? `${shown} + ${values.length - 3} more...` : shown;
}

/** Names and images of a pod template's containers. */
export function containerCells(podSpec: Fields): readonly [string, string] {
  const containers = records(podSpec.containers);
  return [
    containers.map((container) => text(container.name)).join(','),
    containers.map((container) => text(container.image)).join(','),
  ];
}

/** What kinds without printer columns of their own show. */
export const plainTable: Table = {
  columns: columns('Name Created_At:d'),
  row: (object) => [name(object), object.metadata.creationTimestamp ?? ''],
};
