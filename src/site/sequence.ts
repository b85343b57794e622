/** Requests in their order as a picture: a line for everybody who asks, and one for the API server. */
import type { Step } from './joins.js';
import { type Html, html } from './page.js';

const LANE = 190;
/** Between the last who asks and the API server: the longest request, written there, does not reach it. */
const LAST = 420;
const MARGIN = 80;
const ROW = 38;
const TOP = 60;
const SERVER = 'kube-apiserver';

/** SVG with a title, and the same as a list for those who do not see it; `name` tells it from others of a page. */
export function sequence(steps: readonly Step[], name: string): Html {
  const lanes = [...new Set(steps.map(({ by }) => by))];
  const middle = (lane: string): number => MARGIN + lanes.indexOf(lane) * LANE;
  const end = MARGIN + (lanes.length - 1) * LANE + LAST;
  const width = end + MARGIN;
  const height = TOP + steps.length * ROW + 20;
  const head = (lane: string, x: number): Html =>
    html`<text x="${x}" y="24" text-anchor="middle" font-weight="700">${lane}</text>
<line class="life" x1="${x}" y1="34" x2="${x}" y2="${height - 10}"/>`;
  const arrows = steps.map(({ by, request, answer }, index) => {
    const y = TOP + index * ROW;
    const from = middle(by);
    return html`<text x="${from + 8}" y="${y - 5}">${request}</text>
<text class="status" x="${end + 10}" y="${y + 4}">${answer}</text>
<line x1="${from}" y1="${y}" x2="${end - 8}" y2="${y}"/>
<path class="arrow" d="M ${end} ${y} l -9 -4 l 0 8 z"/>`;
  });
  const items = steps.map(({ by, request, answer }) => html`<li>${by}: <code>${request}</code>, ${answer}</li>`);
  return html`<svg class="sequence" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${name}">
<title id="${name}">Requests of a machine that joins, in their order; the list below says the same</title>
${lanes.map((lane) => head(lane, middle(lane)))}
${head(SERVER, end)}
${arrows}
</svg>
<details><summary>The same as a list</summary><ol>${items}</ol></details>`;
}
