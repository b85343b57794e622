/** Fields that a YAML text of others holds, or why it holds none. */
import { firstLine } from '../../kubernetes/first-line.js';
import { type Fields, isRecord } from '../../kubernetes/json.js';
import { parseYaml } from '../../kubernetes/yaml.js';

/** A file that can be read, and holds nothing that its reader takes. */
export class Unread extends Error {}

/** The document of a YAML text. Throws Unread. */
export function fieldsIn(content: string): Fields {
  let value: unknown;
  try {
    value = parseYaml(firstDocument(content), { uniqueKeys: false, maxAliasCount: 100 });
  } catch (error) {
    throw new Unread(`it is no YAML: ${firstLine(error).slice(0, 120)}`);
  }
  if (!isRecord(value)) throw new Unread('it is no YAML of fields, or cut off');
  return value;
}

/** A line with more than a comment, a directive and the sign that begins a document. */
const HOLDS = /^(?:---\s+|(?!---(?:\s|$))\s*)[^\s#%]/;
const ENDS = /^(?:---|\.\.\.)(?:\s|$)/;

/** The first of several documents: programs that read one read no other. */
function firstDocument(content: string): string {
  const lines = content.split('\n');
  const first = lines.findIndex((line) => HOLDS.test(line));
  const next = lines.findIndex((line, at) => at > first && ENDS.test(line));
  return next < 0 ? content : `${lines.slice(0, next).join('\n')}\n`;
}
