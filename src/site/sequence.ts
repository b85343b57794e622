/** How a machine joins, as a picture: the requests of a recorded scenario, from whoever made them to the API server. */
import type { ExchangeSeen, Report } from '../model/report.js';
import { type Html, html } from './page.js';

const LANE = 230;
const ROW = 38;
const TOP = 60;
/** Scenarios that tell of a join from the token to the Node, best first. */
const JOINS = ['BOOT-011', 'BOOT-012', 'BOOT-008'];
const SERVER = 'kube-apiserver';

/** The requests of the first scenario of a join that one of the reports has recorded. */
export function recordedJoin(
  reports: readonly Report[],
): { readonly target: string; readonly exchanges: readonly ExchangeSeen[] } | undefined {
  for (const rule of JOINS)
    for (const report of reports)
      for (const { verdict, judgements } of report.rules.find(({ id }) => id === rule)?.scenarios ?? []) {
        const exchanges = judgements.flatMap((judgement) => judgement.exchanges ?? []);
        if (verdict === 'passed' && exchanges.some(({ request }) => request === 'POST /api/v1/nodes'))
          return { target: report.target.name, exchanges };
      }
  return undefined;
}

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
    .replace(/\?.*$/, '')
    .replace(/(jp|bootstrap-token)-[a-z0-9-]+/g, '$1-…');
  return plain.length > 62 ? `${plain.slice(0, 61)}…` : plain;
};

/** SVG with a title, and the same as a list for those who do not see it. */
export function sequence(exchanges: readonly ExchangeSeen[]): Html {
  const roles = [...new Set(exchanges.map(({ as }) => roleOf(as)))];
  const lanes = [...roles, SERVER];
  const width = lanes.length * LANE;
  const height = TOP + exchanges.length * ROW + 20;
  const middle = (lane: string): number => lanes.indexOf(lane) * LANE + LANE / 2;
  const heads = lanes.map(
    (lane) => html`<text x="${middle(lane)}" y="24" text-anchor="middle" font-weight="700">${lane}</text>
<line class="life" x1="${middle(lane)}" y1="34" x2="${middle(lane)}" y2="${height - 10}"/>`,
  );
  const end = middle(SERVER);
  const arrows = exchanges.map(({ as, request, status }, index) => {
    const y = TOP + index * ROW;
    const from = middle(roleOf(as));
    return html`<text x="${from + 8}" y="${y - 5}">${shortened(request)}</text>
<text class="status" x="${end + 10}" y="${y + 4}">${status ?? 'no answer'}</text>
<line x1="${from}" y1="${y}" x2="${end - 8}" y2="${y}"/>
<path class="arrow" d="M ${end} ${y} l -9 -4 l 0 8 z"/>`;
  });
  const items = exchanges.map(
    ({ as, request, status }) =>
      html`<li>${roleOf(as)}: <code>${shortened(request)}</code>, ${status ?? 'no answer'}</li>`,
  );
  return html`<svg class="sequence" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="sequence-title">
<title id="sequence-title">Requests of a machine that joins, in their order; the list below says the same</title>
${heads}
${arrows}
</svg>
<details><summary>The same as a list</summary><ol>${items}</ol></details>`;
}
