/** What admission plug-ins read of what they are asked. */
import type { AdmissionAttributes } from '../../apiserver/access.js';

/** Name of the object that a refusal speaks of. Source: apiserver, pkg/admission/errors.go extractResourceName. */
export function messageName({ name, object }: AdmissionAttributes): string {
  if (name !== '') return name;
  return object?.metadata.name || object?.metadata.generateName || 'Unknown';
}

/** The name that a write is about; on a creation it is the object's. */
export const subjectName = ({ name, object }: AdmissionAttributes): string =>
  name === '' ? (object?.metadata.name ?? '') : name;
