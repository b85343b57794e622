/**
 * What each rule asks of the unchanged reference: who asks, for what, with which headers and body. A step that asks less, as
 * somebody else, or for good where it should be a trial is seen by that, though every answer stays what it was.
 */
import { createHash } from 'node:crypto';
import { base64, isRecord } from '../kubernetes/json.js';
import { TOKEN_KEYS } from '../kubernetes/names.js';
import type { ExchangeSeen, Report } from '../model/report.js';
import { stable } from './rows.js';
import { type Lines, RuleLines } from './rule-lines.js';

export const requestLists = new RuleLines(
  'src/matrix/requests',
  '# What each rule asks of the unchanged reference, and a digest of what is sent. Written by: npm run matrix -- --update',
);

/** What every run has anew, beside names: its mark, times, the ids of tokens, what is long. */
const OF_A_RUN: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '…'],
  [/\b(resourceVersion|timeoutSeconds)=\d+/g, '$1=…'],
  [/^[a-z0-9]{6}$/, '…'],
  [/\b[a-z0-9]{6}(?=\.\[redacted\])/g, '…'],
  [/-----BEGIN ([A-Z ]+)-----[^-]*-----END [A-Z ]+-----/g, '$1'],
  [/\b[0-9a-f]{64}\b/g, '…'],
  [/[A-Za-z0-9+/_=-]{100,}/g, '…'],
  // of what is encoded the last characters, which depend on what follows, are left of a secret
  [/\[redacted\][A-Za-z0-9+/]{0,3}={0,2}/g, '[redacted]'],
  [/(# changed by joinproof )[a-z0-9]+/g, '$1…'],
];
const KEYS_OF_A_RUN = ['joinproof.io/run', 'uid', 'resourceVersion', 'resourceName'];
/** Ports above are whichever was free. Source: RFC 6335, 6; Linux, net.ipv4.ip_local_port_range. */
const LAST_KNOWN_PORT = 32_767;

const isOfRun = (key: string, value: unknown): boolean =>
  KEYS_OF_A_RUN.includes(key) || (key === 'port' && typeof value === 'number' && value > LAST_KNOWN_PORT);

const plain = (text: string): string =>
  stable(OF_A_RUN.reduce((rest, [pattern, kept]) => rest.replace(pattern, kept), text));

/** A string as every run has it; of base64 what it says. */
function stableString(value: string): string {
  const decoded = Buffer.from(value, 'base64').toString();
  return plain(value !== '' && base64(decoded) === value ? decoded : value);
}

/** Of what stands for a token's id: how many letters or digits, capitals or not, and other characters it has. */
function formOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const id = Buffer.from(value, 'base64').toString('latin1');
  // which of its characters are digits is left to chance
  return id.replace(/[a-z0-9]/gi, /[A-Z]/.test(id) ? 'X' : 'x');
}

function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return stableString(value);
  if (Array.isArray(value)) return value.map(shapeOf);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, one]) => [
      plain(key),
      isOfRun(key, one) ? '…' : key === TOKEN_KEYS.id ? formOf(one) : shapeOf(one),
    ]),
  );
}

/** undefined: what was sent is no JSON, or was cut. */
function digestOf(sent: string): string | undefined {
  try {
    const shape = JSON.stringify(shapeOf(JSON.parse(sent)));
    return createHash('sha256').update(shape).digest('hex').slice(0, 8);
  } catch {
    return undefined;
  }
}

/** Lists are read once a run, by whoever comes first. */
const isListRead = ({ request }: ExchangeSeen): boolean => /^GET .*[?&]limit=/.test(request);

const lineOf = ({ as, request, headers = [], sent = '' }: ExchangeSeen): string => {
  const asked = plain(`${as} ${request}`.replaceAll('%3D', '='));
  const digest = digestOf(sent);
  return [asked, ...headers.map((line) => `[${plain(line)}]`), ...(digest === undefined ? [] : [digest])].join(' ');
};

/** Of a report that holds all that was sent. */
export const askedIn = ({ rules }: Report): Lines =>
  Object.fromEntries(
    rules.map(({ id, scenarios }) => {
      const all = scenarios.flatMap(({ judgements }) => judgements.flatMap(({ exchanges = [] }) => exchanges));
      return [id, [...new Set(all.filter((one) => !isListRead(one)).map(lineOf))].sort()];
    }),
  );
