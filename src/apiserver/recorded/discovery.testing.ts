/**
 * The lists of resources that upstream records for each minor: src/apiserver/recorded/discovery.txt has a line for each
 * group and version, with the minors in which its list is so and the beginning of the SHA-256 of its JSON, keys sorted.
 * Source: api/discovery.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fingerprint, recordedOf } from '../../kubernetes/upstream-record.testing.js';

/** From where the compiled file lies. */
const FILE = new URL('../../../../src/apiserver/recorded/discovery.txt', import.meta.url);
const RECORD = readFileSync(FILE, 'utf8');

/** Holds the lists of these groups, "" being the core, to the record. `get`: what is answered at a path. */
export function holdDiscovery(minor: number, groups: (name: string) => boolean, get: (url: string) => unknown): void {
  const recorded = recordedOf(RECORD, minor).flatMap((line) => {
    const [url = '', print = ''] = line.split(' ');
    const [, root, group = ''] = url.split('/');
    return groups(root === 'api' ? '' : group) ? [[url, print] as const] : [];
  });
  assert.ok(recorded.length > 0);
  for (const [url, print] of recorded) {
    const list = get(url);
    assert.equal(fingerprint(list, 16), print, `1.${minor} ${url} ${JSON.stringify(list)}`);
  }
}
