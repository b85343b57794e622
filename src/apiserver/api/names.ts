/** Checks of labels under the names that the rooms around the API know them by. */
export { labelKey as labelKeyFaults, labelValue as labelValueFaults } from '../resources/name-rules.js';
