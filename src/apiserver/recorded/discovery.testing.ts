/**
 * The lists of resources that upstream records for each minor: src/apiserver/recorded/discovery.txt has a line for each
 * group and version, with the minors in which its list is so and the beginning of the SHA-256 of its JSON, keys sorted.
 * Source: api/discovery.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isRecord } from '../../kubernetes/json.js';

/** From where the compiled file lies. */
const FILE = new URL('../../../../src/apiserver/recorded/discovery.txt', import.meta.url);
const RECORD = readFileSync(FILE, 'utf8');
export const MINORS = [31, 32, 33, 34, 35, 36];

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, inOrder(value[key])]),
  );
};
const fingerprint = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(value)))
    .digest('hex')
    .slice(0, 16);

/** Holds the lists of these groups, "" being the core, to the record. `get`: what is answered at a path. */
export function holdDiscovery(minor: number, groups: (name: string) => boolean, get: (url: string) => unknown): void {
  const recorded = RECORD.split('\n').flatMap((line) => {
    const [, since, until, url = '', print = ''] = /^(\d+)-(\d+) (\S+) (\S+)$/.exec(line) ?? [];
    const [, root, group = ''] = url.split('/');
    const isWanted = minor >= Number(since) && minor <= Number(until) && groups(root === 'api' ? '' : group);
    return isWanted ? [[url, print] as const] : [];
  });
  assert.ok(recorded.length > 0);
  for (const [url, print] of recorded) {
    const list = get(url);
    assert.equal(fingerprint(list), print, `1.${minor} ${url} ${JSON.stringify(list)}`);
  }
}
