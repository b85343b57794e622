/** A process that plays jobs of the matrix one after another and tells what checks said. */
import { type Job, play } from '../../matrix/job.js';
import { serveJobs } from '../../matrix/serve-jobs.js';
import { type Case, casesOf, Kept } from './cases.js';

const kept = new Kept();

serveJobs(async (job: Job) => {
  const cases: Case[] = [];
  await play(job, {}, (report) => cases.push(...kept.of(casesOf(report))));
  return { cases };
});
