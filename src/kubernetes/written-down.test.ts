/**
 * What is written down of Kubernetes: src/kubernetes/written-down.txt has of each list and table how long it is, and a
 * digest. A flag, a name or a kind that is left out is looked at by nobody, and no rule says so. `node
 * dist/src/kubernetes/written-down.test.js --write` writes it anew: git diff names what says something else now.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { testRecorded } from '../report/recorded.testing.js';
import { packageFile } from '../run/package-root.js';
import { knownFlags } from './component-flags.js';
import { knownEtcdFlags } from './etcd-flags.js';
import { FEATURE_GATES, refusedGate } from './feature-gates.js';

/** Sets, maps and expressions as JSON, too, in the order in which they are written. */
function plain(_: string, value: unknown): unknown {
  if (value instanceof Set) return [...value];
  if (value instanceof Map) return [...value];
  if (value instanceof RegExp) return String(value);
  return typeof value === 'function' ? `a function of ${value.length}` : value;
}
function sizeOf(value: unknown): number {
  if (value instanceof Set || value instanceof Map) return value.size;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 1;
}

const here = new URL('./', import.meta.url);
const lines: string[] = [];
for (const file of readdirSync(here).sort()) {
  if (!/^[a-z-]+\.js$/.test(file)) continue;
  const module = (await import(new URL(file, here).href)) as Readonly<Record<string, unknown>>;
  const data = Object.entries(module).filter(([, value]) => typeof value !== 'function');
  for (const [name, value] of data.sort(([one], [other]) => (one < other ? -1 : 1))) {
    const digest = createHash('sha256')
      .update(JSON.stringify(value, plain) ?? '')
      .digest('hex');
    lines.push(`${file.replace(/\.js$/, '')} ${name}: ${sizeOf(value)}, ${digest.slice(0, 10)}`);
  }
}
/** What functions list, by what they are asked. */
const listed = (name: string, found: ReadonlySet<string> | undefined): void => {
  const text = [...(found ?? [])].sort().join(' ');
  const digest = createHash('sha256').update(text).digest('hex');
  lines.push(`${name}: ${found === undefined ? 'nothing is listed' : `${found.size}, ${digest.slice(0, 10)}`}`);
};
const PROGRAMS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet'] as const;
for (const program of PROGRAMS)
  for (const minor of [null, 30, 31, 32, 33, 34, 35, 36, 37])
    listed(`flags of ${program} in ${minor}`, knownFlags(program, minor));
for (const minor of [undefined, 4, 5, 6, 7, 8]) listed(`flags of etcd 3.${minor}`, knownEtcdFlags(minor));
const VALUES = ['true', 'false', 'T', 'F', '1', '0', 'TRUE', 'False', 'yes', ''];
for (const minor of [null, 31, 32, 33, 34, 35, 36, 37]) {
  const refused = [...FEATURE_GATES, 'Nothing'].flatMap((gate) =>
    VALUES.flatMap((value) => refusedGate(gate, value, minor)?.concat(` by ${value}`) ?? []),
  );
  listed(`gates that are refused in ${minor}`, new Set(refused));
}
testRecorded(
  'what is written down of Kubernetes',
  packageFile('src/kubernetes'),
  new Map([['written-down.txt', `${lines.join('\n')}\n`]]),
);
