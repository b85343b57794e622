/** A thread that plays a part of a run on the bundled reference (run-thread.ts). */
import { parentPort, workerData } from 'node:worker_threads';
import { openReference } from '../targets/reference.js';
import { heldTo } from './detect.js';
import { execute } from './execute.js';
import { readFeatures } from './features.js';
import { featuresFolder } from './package-root.js';
import type { Share, Stop, Told } from './run-thread.js';
import { seededBytes } from './seeded.js';
import { CannotJudge } from './usage-error.js';

const { chosen, given, parameters, evidence } = workerData as Share;
const controller = new AbortController();
parentPort?.on('message', ({ stop }: Stop) => controller.abort(new CannotJudge(stop)));
const tell = (told: Told): void => parentPort?.postMessage(told);

const { signal } = controller;
const target = await openReference({ signal, reference: { random: seededBytes('reference') } });
const { profile } = await heldTo(target, given, parameters);
const outcomes = await execute({
  rules: readFeatures(featuresFolder).rules,
  chosen: new Set(chosen),
  target,
  signal,
  profile,
  ...(evidence === undefined ? {} : { evidence }),
  onEnd: ({ key }) => tell({ ended: key }),
});
await target.close();
tell({ outcomes: [...outcomes], learned: target.redactor.learned });
parentPort?.close();
