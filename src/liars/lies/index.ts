/** Every lie. */
import type { Lie } from '../lie.js';
import { answerLies } from './answers.js';
import { clusterLies } from './clusters.js';
import { connectionLies } from './connections.js';
import { eachWayLies } from './each-way.js';
import { fileLies } from './files.js';
import { honestLies } from './honest.js';
import { kubeletLies } from './kubelets.js';
import { machineLies } from './machines.js';
import { payloadLies } from './payloads.js';
import { pinLies } from './pins.js';
import { signatureLies } from './signatures.js';
import { strangerLies } from './strangers.js';
import { toldLies } from './told.js';

export const lies: readonly Lie[] = [
  ...honestLies,
  ...answerLies,
  ...signatureLies,
  ...payloadLies,
  ...pinLies,
  ...connectionLies,
  ...fileLies,
  ...clusterLies,
  ...strangerLies,
  ...machineLies,
  ...kubeletLies,
  ...toldLies,
  ...eachWayLies,
];
