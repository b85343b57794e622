/**
 * A joining client of which nobody says where the files of its node lie: src/run/recorded/unknown-files.txt has the
 * scenarios that say so, and the checks that they still make. `node dist/src/run/unknown-files.test.js --write` writes it
 * anew: git diff shows what is judged now of a file that nobody knows, or is not any more.
 */
import { testRecorded } from '../report/recorded.testing.js';
import { clientTarget, lazyClient } from '../targets/client-under-test/target.js';
import { judge } from './judge.js';
import { packageFile } from './package-root.js';
import { packageProfile } from './profiles.js';

const UNKNOWN = 'nobody says where it lies: ';
const client = {
  ...lazyClient({}),
  program: {
    lacks: () => undefined,
    honest: () => 'ok-pin',
    telling: [],
    lacksFile: (file: string) => UNKNOWN + file,
  },
};
const target = clientTarget(client, { minor: 36, holds: new Set(['inProcess'] as const), close: async () => {} });
const { report } = await judge({
  target,
  held: { profile: packageProfile('strict'), chosen: 'given', signs: [] },
  selection: { chapters: ['joining', 'control-plane-join', 'discovery'] },
  signal: AbortSignal.timeout(120_000),
  sentences: 'not passed',
});
const lines = report.rules.flatMap(({ scenarios }) =>
  scenarios.flatMap(({ id, verdict, reason, judgements }) => {
    const file = reason?.text.split(UNKNOWN)[1];
    if (file === undefined) return [];
    const demands = judgements.filter(({ taken }) => taken !== true).map(({ check }) => `  ${check}`);
    return [`${id}: ${verdict}, ${file}`, ...new Set(demands)];
  }),
);
testRecorded(
  'what is judged of a client whose files nobody knows',
  packageFile('src/run/recorded'),
  new Map([['unknown-files.txt', `${lines.join('\n')}\n`]]),
);
