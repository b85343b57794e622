#!/usr/bin/env node
/**
 * The first thing that runs: refuses a Node that is too old in one line, before anything that such a Node could not
 * even parse.
 */

const KEPT = ['run', 'replay', 'sweep', 'serve', 'join'];
const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
// As "engines" in package.json says; Node 21 and 23 are past their end.
if (major > 23 || major === 22 || (major === 20 && minor >= 19)) {
  const args = process.argv.slice(2);
  const [command = ''] = args;
  // What deals with foreign things runs in a thread of its own, so that it can be ended whatever it is busy with.
  const kept = KEPT.includes(command) && !args.some((arg) => arg === '--help' || arg === '-h');
  (kept
    ? import('./keeper.js').then(({ keep }) => keep(args))
    : import('./main.js').then(({ main }) => main(args))
  ).catch((error) => {
    process.stderr.write(
      `joinproof: the installation is incomplete: ${error instanceof Error ? error.message.split('\n')[0] : error}\n`,
    );
    process.exit(3);
  });
} else {
  process.stderr.write(
    `joinproof: Node ${node} is not supported; use Node 20.19 or newer of 20, 22, or 24 and newer.\n`,
  );
  process.exit(2);
}
