/** Durations as kubectl shows them. Source: apimachinery, pkg/util/duration/duration.go HumanDuration. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Two or three significant figures: "90s", "5m30s", "3h10m", "2d4h", "1y20d". `milliseconds` below -1 s: "<invalid>".
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  const two = (large: number, small: number, units: string): string =>
    `${large}${units[0]}${small === 0 ? '' : `${small}${units[1]}`}`;
  if (seconds < 10 * MINUTE) return two(Math.floor(seconds / MINUTE), seconds % MINUTE, 'ms');
  if (seconds < 3 * HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  if (seconds < 8 * HOUR) return two(Math.floor(seconds / HOUR), Math.floor(seconds / MINUTE) % 60, 'hm');
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)}h`;
  if (seconds < 8 * DAY) return two(Math.floor(seconds / DAY), Math.floor(seconds / HOUR) % 24, 'dh');
  const days = Math.floor(seconds / DAY);
  if (days < 2 * 365) return `${days}d`;
  return days < 8 * 365 ? two(Math.floor(days / 365), days % 365, 'yd') : `${Math.floor(days / 365)}y`;
}
