/**
 * What checks are given of an odd cluster, rule by rule: src/matrix/odd-cluster.txt has digests of it,
 * src/matrix/odd-namespace.txt where the dump of it holds one namespace, and src/matrix/odd-places.txt of its disk alone
 * where certificates lie elsewhere. `node dist/src/matrix/odd-cluster.test.js --write` writes them anew.
 */
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import type { Report } from '../model/report.js';
import { testRecorded } from '../report/recorded.testing.js';
import { judge } from '../run/judge.js';
import { packageFile } from '../run/package-root.js';
import { seededBytes } from '../run/seeded.js';
import { openReferenceNode } from '../targets/node.js';
import { openReference } from '../targets/reference.js';
import type { Target } from '../targets/types.js';
import { givenIn } from './given.js';
import { oddCluster, oddDisk, oddPlaces } from './odd-cluster.testing.js';
import { peopled } from './peopled.js';

/** How each rule fares that looked at something, or was not shown what it looks at, and what its checks are given. */
function told(report: Report): string {
  const given = givenIn(report);
  const lines = report.rules.flatMap(({ id, verdict, reason }) => {
    const seen = given[id] ?? [];
    const isLacking = reason?.text.includes('the dump holds no') === true;
    return seen.length === 0 && !isLacking ? [] : [`${id} ${verdict}`, ...seen.map((line) => `  ${line}`)];
  });
  return `${lines.join('\n')}\n`;
}

const signal = AbortSignal.timeout(240_000);
const reference = await openReference({
  signal,
  reference: { random: seededBytes('reference') },
  arrange: peopled,
  disk: oddDisk,
});
try {
  const of = async (target: Target): Promise<string> =>
    told((await judge({ target, selection: {}, signal, evidence: 'full' })).report);
  const texts = new Map([
    ['odd-cluster.txt', await of(await oddCluster(reference))],
    ['odd-namespace.txt', await of(await oddCluster(reference, KUBE_SYSTEM))],
    ['odd-places.txt', await of(await openReferenceNode(oddPlaces))],
  ]);
  testRecorded('what checks are given of an odd cluster', packageFile('src/matrix'), texts);
} finally {
  await reference.close();
}
