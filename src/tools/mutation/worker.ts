/** A process that tries weakenings one after another. */
import { type Weakening, weakened } from './weakened.js';

process.on('message', (weakening: Weakening) => {
  weakened(weakening).then(
    (played) => process.send?.({ played }),
    (error: unknown) =>
      process.send?.({ job: weakening, failure: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
