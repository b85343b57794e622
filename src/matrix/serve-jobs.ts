/** A process that plays jobs one after another: each comes as a message, and is answered by one. Ends with its parent. */
export function serveJobs<Job>(play: (job: Job) => Promise<unknown>): void {
  process.on('message', (job: Job) => {
    play(job).then(
      (played) => process.send?.({ played }),
      (error: unknown) => process.send?.({ job, failure: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
