/** What admission plug-ins read of what they are asked. */
import type { AdmissionAttributes } from '../../apiserver/access.js';

/** The name that a write is about; on a creation it is the object's. */
export const subjectName = ({ name, object }: AdmissionAttributes): string =>
  name === '' ? (object?.metadata.name ?? '') : name;
