/** Spans of time as kubectl prints ages. Source: apimachinery, pkg/util/duration/duration.go HumanDuration. */

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400, y: 365 * 86_400 } as const;
type Unit = keyof typeof UNITS;

/** Below so many seconds: the larger unit, and a smaller one that is shown beside it where it is not zero. */
const STEPS: readonly (readonly [number, Unit, Unit?])[] = [
  [120, 's'],
  [10 * UNITS.m, 'm', 's'],
  [3 * UNITS.h, 'm'],
  [8 * UNITS.h, 'h', 'm'],
  [48 * UNITS.h, 'h'],
  [8 * UNITS.d, 'd', 'h'],
  [2 * UNITS.y, 'd'],
  [8 * UNITS.y, 'y', 'd'],
];

/** @param milliseconds negative where the clock that wrote the time is ahead */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const [, big, small] = STEPS.find(([below]) => seconds < below) ?? [Infinity, 'y'];
  const rest = small === undefined ? 0 : Math.floor((seconds % UNITS[big]) / UNITS[small]);
  return `${Math.floor(seconds / UNITS[big])}${big}${rest === 0 ? '' : `${rest}${small}`}`;
}
