/** Fields that a YAML text of others holds, or why it holds none. */
import { type Fields, isRecord } from '../kubernetes/json.js';
import { parseYaml } from '../kubernetes/yaml.js';

/** A file that can be read, and holds nothing that its reader takes. */
export class Unread extends Error {}

/** Without documents at the end that hold nothing: the kubelet reads the first one. */
function firstDocument(content: string): string {
  const lines = content.trimEnd().split('\n');
  while (lines.length > 1 && lines.at(-1)?.trim() === '---') lines.pop();
  return lines.join('\n');
}

/** The document of a YAML text. Throws Unread. */
export function fieldsIn(content: string): Fields {
  let value: unknown;
  try {
    value = parseYaml(firstDocument(beginningOf(content)), { uniqueKeys: false, maxAliasCount: 100 });
  } catch (error) {
    throw new Unread(`it is no YAML: ${error instanceof Error ? error.message.split('\n')[0]?.slice(0, 120) : error}`);
  }
  if (!isRecord(value)) throw new Unread('it is no YAML of fields, or cut off');
  return value;
}

/** The first of several documents: programs that read one read no other. */
function beginningOf(content: string): string {
  const lines = content.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '' && !line.startsWith('#') && !line.startsWith('---'));
  const next = lines.findIndex((line, at) => at > first && /^---(?:\s|$)/.test(line));
  return first < 0 || next < 0 ? content : lines.slice(0, next).join('\n');
}
