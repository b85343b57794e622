/** A process that plays jobs one after another; the steps are loaded once. */
import { type Job, play } from './job.js';

process.on('message', (job: Job) => {
  play(job).then(
    (played) => process.send?.({ played }),
    (error: unknown) => process.send?.({ job, failure: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
