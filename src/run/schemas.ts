/** The judge's reader of JSON Schemas, for those who may not see the judge: commands and tools read files with it. */
export { conforming, conforms, isConforming } from '../checks/schema.js';
