/** Joins that reports have recorded: what a client asked an honest server, and what a token and its node asked after that. */
import type { Report } from '../model/report.js';

export interface Step {
  readonly by: string;
  /** "GET /…/configmaps/cluster-info" */
  readonly request: string;
  readonly answer: string;
}

export interface RecordedJoin {
  /** Whose report it is. */
  readonly target: string;
  readonly steps: readonly Step[];
}

/** What is observed of a client that joins (checks/joining-client-reader.ts), as far as a picture shows it. */
interface ClientSeen {
  readonly subject: string;
  readonly exit: number;
  readonly seen: readonly { readonly what: string; readonly as: string; readonly answered: number | null }[];
}

/** The server that does nothing wrong and is known by its pin. */
const HONEST = 'ok-pin (';
/** Scenarios that tell of a join from the token to the Node, best first. */
const TO_A_NODE = ['BOOT-011', 'BOOT-012', 'BOOT-008'];

const isHonest = (value: unknown): value is ClientSeen =>
  typeof value === 'object' &&
  value !== null &&
  'subject' in value &&
  typeof value.subject === 'string' &&
  value.subject.startsWith(HONEST) &&
  'exit' in value &&
  value.exit === 0 &&
  'seen' in value &&
  Array.isArray(value.seen) &&
  value.seen.length > 0;

const honestIn = (observation: unknown): ClientSeen | undefined =>
  Array.isArray(observation) ? observation.find(isHonest) : undefined;

/** Whether a picture can be drawn of an observation: the only ones that the site wants. */
export const showsJoin = (observation: unknown): boolean => honestIn(observation) !== undefined;

const minorOf = ({ target }: Report): number => Number(/^v\d+\.(\d+)/.exec(target.version ?? '')?.[1] ?? 0);

/** Programs that somebody else wrote before our own, new ones before old ones. */
const byWorth = (reports: readonly Report[]): readonly Report[] =>
  [...reports].sort(
    (a, b) => Number(a.target.kind === 'reference') - Number(b.target.kind === 'reference') || minorOf(b) - minorOf(a),
  );

/** What a machine asked that was given a token and a pin, until it had its certificate. */
export function joinOfClient(reports: readonly Report[]): RecordedJoin | undefined {
  for (const report of byWorth(reports))
    for (const observation of Object.values(report.observations)) {
      const found = honestIn(observation);
      if (found === undefined) continue;
      const steps = found.seen.map(({ what, as, answered }) => ({
        by: as === 'nobody' ? 'a stranger' : as,
        request: shortened(what),
        answer: answerOf(answered),
      }));
      return { target: report.target.name, steps };
    }
  return undefined;
}

/** The requests of the first scenario, from the token to the Node, that one of the reports has recorded. */
export function joinOfNode(reports: readonly Report[]): RecordedJoin | undefined {
  const best = byWorth(reports);
  for (const rule of TO_A_NODE)
    for (const report of best)
      for (const { verdict, judgements } of report.rules.find(({ id }) => id === rule)?.scenarios ?? []) {
        const exchanges = judgements.flatMap((judgement) => judgement.exchanges ?? []);
        if (verdict !== 'passed' || !exchanges.some(({ request }) => request === 'POST /api/v1/nodes')) continue;
        const steps = exchanges.map(({ as, request, status }) => ({
          by: roleOf(as),
          request: shortened(request),
          answer: answerOf(status),
        }));
        return { target: report.target.name, steps };
      }
  return undefined;
}

const answerOf = (status: number | null): string => (status === null ? 'no answer' : String(status));

/** "system:bootstrap:abcdef" is anybody's token, "system:node:jp-…" this machine. */
const roleOf = (as: string): string =>
  as === 'admin'
    ? 'administrator'
    : as.startsWith('system:bootstrap:')
      ? 'bootstrap token'
      : as.startsWith('system:node:')
        ? 'node'
        : as;

const shortened = (request: string): string => {
  const plain = request
    .replace(/\/apis\/[^/]+\/v[^/]+\//, '/…/')
    .replace(/\/api\/v1\//, '/…/')
    .replace(/namespaces\//, '')
    .replace(/\?.*$/, '')
    .replace(/(jp|bootstrap-token)-[a-z0-9-]+/g, '$1-…');
  return plain.length > 62 ? `${plain.slice(0, 61)}…` : plain;
};
