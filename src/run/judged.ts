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

/** Bodies are redacted when they are read, so only those that are wanted are. */
export function seenIn(
  exchange: Exchange,
  wanted: { readonly sent: boolean; readonly received: boolean },
): ExchangeSeen {
  const sent = wanted.sent ? exchange.requestBody : undefined;
  const received = wanted.received ? (exchange.responseBody ?? exchange.error) : undefined;
  return {
    as: exchange.as,
    request: `${exchange.method} ${exchange.path}`,
    status: exchange.status ?? null,
    ...(sent === undefined ? {} : { sent }),
    ...(received === undefined ? {} : { received }),
  };
}
