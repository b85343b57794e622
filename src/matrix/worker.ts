/** A process that plays jobs one after another; the steps are loaded once. */
import { type Job, play } from './job.js';
import { serveJobs } from './serve-jobs.js';

serveJobs((job: Job) => play(job));
