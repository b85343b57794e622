/** Findings that somebody answers for, until a day. */

/** Where a waiver comes from: who runs joinproof wrote it, or a report that was taken as it is. */
export interface Waiver {
  /** "LIM-003", "LIM-*" */
  readonly rule: string;
  /** Of a finding: "ClusterRoleBinding legacy", "Secret kube-system/*"; `*` stands for any text. */
  readonly subject: string;
  readonly owner: string;
  readonly reason: string;
  /** The last day that it holds, UTC: "2027-01-31". */
  readonly expires: string;
}

export const WAIVER_STATES = ['used', 'unused', 'expired'] as const;

export interface WaiverSeen extends Waiver {
  readonly state: (typeof WAIVER_STATES)[number];
  /** Unmet findings that it covers; of an expired one, that it would cover. */
  readonly findings: number;
}

/** A report that was taken as it is: only what it does not have fails. */
export interface Baseline {
  /** When that run began, RFC 3339. */
  readonly startedAt: string;
  /** Fingerprints of its unmet findings. Sorted. */
  readonly known: readonly string[];
}

/** The end of a waiver's last day, milliseconds since the epoch. */
export const endOf = ({ expires }: Pick<Waiver, 'expires'>): number => Date.parse(`${expires}T00:00:00Z`) + 86_400_000;

/** Does `*` for any text make the pattern the text? In time that grows with their lengths only. */
export function likens(pattern: string, text: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let from = first.length;
  const end = text.length - last.length;
  for (const part of others) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}
