/**
 * The unchanged reference, as a cluster of somebody else, behind something that gives answers of a single status another
 * one, which no API server gives there. Each rule is played by the statuses that it sees: a step that takes more of them
 * for what it waits for fares otherwise.
 */
import type { Report } from '../model/report.js';
import type { Gateway } from '../mutants/types.js';
import { eachOtherwise, fares, type Seen } from './each.js';
import { ofSomebody, openPeopled } from './elsewhere.js';
import { gatewayBefore } from './gateway.js';
import type { Lines } from './rule-lines.js';

/** Without 409: what it is told of is shared, and who comes first is left to chance. */
const STATUSES = [201, 400, 401, 403, 404, 422] as const;
/** What it is told is done: else it could begin nothing. */
const ADMINISTRATOR = 'kubernetes-admin';
const OTHER = { refused: 405, done: 202 } as const;

/** Of what is done only the status is another. */
const instead = (of: number): Gateway => ({
  after: ({ user }, { status, body }) => {
    if (status !== of || (of < 300 && user === ADMINISTRATOR)) return undefined;
    if (of < 300) return { status: OTHER.done, body };
    const said = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'not so' };
    return { status: OTHER.refused, body: { ...said, reason: 'MethodNotAllowed', code: OTHER.refused } };
  },
});

/** The rules that were answered so. */
const answered = ({ rules }: Report, wanted: number): readonly string[] =>
  rules.flatMap(({ id, scenarios }) => {
    const all = scenarios.flatMap(({ judgements }) => judgements.flatMap(({ exchanges = [] }) => exchanges));
    return all.some(({ status }) => status === wanted) ? [id] : [];
  });

/** A line for each rule that sees such answers: what the statuses that make a difference to it come to. */
export async function eachStatusIn({ opened: { redactor }, report, judged, limit }: Seen): Promise<Lines> {
  const fare = async (status: number, rules: readonly string[]): Promise<Lines> => {
    const reference = await openPeopled(limit(), { connected: true });
    const end = gatewayBefore(instead(status));
    try {
      return fares(await judged(ofSomebody(reference), rules), reference.redactor);
    } finally {
      end();
      await reference.close();
    }
  };
  const all = STATUSES.map((status) => ({
    name: String(status),
    rules: answered(report, status),
    fare: (some: readonly string[]) => fare(status, some),
  }));
  const found = await eachOtherwise(all, fares(report, redactor));
  return Object.fromEntries([...found].map(([id, line]) => [id, [`each status: ${line}`]]));
}
