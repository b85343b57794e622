/** Checks of names under the names that the rooms around the API know them by. */
export {
  dnsLabel as dnsLabelFaults,
  dnsSubdomain as subdomainFaults,
  labelKey as labelKeyFaults,
  labelValue as labelValueFaults,
  pathSegmentName as pathSegmentFaults,
} from '../resources/name-rules.js';
