/** Bytes of memory at which a process has taken in so many modules and clusters that another one goes on better. */
const FULL = 1_500_000_000;

/**
 * A process that plays jobs one after another: each comes as a message, and is answered by one, which says where the
 * process takes no more. Ends with its parent.
 */
export function serveJobs<Job>(play: (job: Job) => Promise<unknown>): void {
  const answer = (message: object): void => {
    process.send?.({ ...message, full: process.memoryUsage.rss() > FULL });
  };
  process.on('message', (job: Job) => {
    play(job).then(
      (played) => answer({ played }),
      (error: unknown) => answer({ job, failure: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
