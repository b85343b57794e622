/** A process that tries weakenings one after another. */
import { serveJobs } from '../../matrix/serve-jobs.js';
import { weakened } from './weakened.js';

serveJobs(weakened);
