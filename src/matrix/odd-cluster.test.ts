/**
 * What checks are given of an odd cluster, rule by rule: src/matrix/odd-cluster.txt has digests of it. `node
 * dist/src/matrix/odd-cluster.test.js --write` writes it anew.
 */
import { testRecorded } from '../report/recorded.testing.js';
import { judge } from '../run/judge.js';
import { packageFile } from '../run/package-root.js';
import { seededBytes } from '../run/seeded.js';
import { openReference } from '../targets/reference.js';
import { givenIn } from './given.js';
import { oddCluster, oddDisk } from './odd-cluster.testing.js';
import { peopled } from './peopled.js';

const signal = AbortSignal.timeout(240_000);
const reference = await openReference({
  signal,
  reference: { random: seededBytes('reference') },
  arrange: peopled,
  disk: oddDisk,
});
try {
  const target = await oddCluster(reference);
  const { report } = await judge({ target, selection: {}, signal, evidence: 'full' });
  const given = givenIn(report);
  const lines = report.rules.flatMap(({ id, verdict }) => {
    const seen = given[id] ?? [];
    return seen.length === 0 ? [] : [`${id} ${verdict}`, ...seen.map((line) => `  ${line}`)];
  });
  const texts = new Map([['odd-cluster.txt', `${lines.join('\n')}\n`]]);
  testRecorded('what checks are given of an odd cluster', packageFile('src/matrix'), texts);
} finally {
  await reference.close();
}
