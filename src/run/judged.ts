/** What a scenario has put to checks, and the requests by which it was seen. */
import type { Finding, More } from '../model/finding.js';
import type { ExchangeSeen } from '../model/report.js';
import type { Exchange } from '../targets/types.js';

/** One observation put to one check, before a report numbers the observations. */
export interface Judged {
  readonly check: string | null;
  readonly observation: unknown;
  readonly parameters: unknown;
  readonly taken: boolean;
  readonly findings: readonly Finding[];
  /** Findings beyond those, where these are examples. */
  readonly more?: More;
  readonly exchanges: readonly ExchangeSeen[];
}

/** A page of a list after its first, which says where the list is. */
const isFurtherPage = ({ path, status }: Exchange): boolean => status === 200 && /[?&]continue=/.test(path);

/**
 * The requests that something was seen by: each once, however many things that were looked at are known by it, and of
 * a long list the first page. `full`: all pages, and what was sent. `received`: what was answered.
 */
export function requestsSeen(
  exchanges: readonly Exchange[],
  { full, received }: { readonly full: boolean; readonly received: boolean },
): readonly ExchangeSeen[] {
  const wanted = { sent: full || received, received };
  return [...new Set(exchanges)]
    .filter((exchange) => full || !isFurtherPage(exchange))
    .map((exchange) => seenIn(exchange, wanted));
}

/** Bodies are redacted when they are read, so only those that are wanted are. */
function seenIn(exchange: Exchange, wanted: { readonly sent: boolean; readonly received: boolean }): ExchangeSeen {
  const sent = wanted.sent ? exchange.requestBody : undefined;
  const headers = wanted.sent ? (exchange.requestHeaders ?? []) : [];
  const received = wanted.received ? (exchange.responseBody ?? exchange.error) : undefined;
  return {
    as: exchange.as,
    request: `${exchange.method} ${exchange.path}`,
    status: exchange.status ?? null,
    ...(headers.length === 0 ? {} : { headers }),
    ...(sent === undefined ? {} : { sent }),
    ...(received === undefined ? {} : { received }),
  };
}
