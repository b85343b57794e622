/** Durations as Go reads and writes them. Source: Go time.ParseDuration, Duration.String. */

const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1e3, m: 6e4, h: 3.6e6 };

/** Milliseconds of "1m30s"; undefined where it is none. */
export function parseDuration(given: string): number | undefined {
  const text = given.replace(/^[+-]/, '');
  // One behind the other from the start on, so that a text without a unit is read once.
  const parts = [...text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/gy)];
  if (text === '0') return 0;
  if (text === '' || parts.map(([part]) => part).join('') !== text) return undefined;
  const sum = parts.reduce((total, [, number, unit = '']) => total + Number(number) * (UNITS[unit] ?? 0), 0);
  return given.startsWith('-') ? -sum : sum;
}

/** "7s", "1m30s", "8760h0m0s" */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return `${hours > 0 ? `${hours}h` : ''}${seconds >= 60 ? `${minutes}m` : ''}${rest}s`;
}
