/**
 * Why an API server refuses an AdmissionConfiguration, and which files it names.
 * Source: apiserver pkg/admission/config.go; pod-security-admission admission/api; plugin/pkg/admission.
 */
import { posix } from 'node:path';
import { type Fields, isRecord, record, records, text } from '../../kubernetes/json.js';
import { ADMISSION, POD_SECURITY } from './configuration-shapes.js';
import { oddFields } from './field-shapes.js';

const STANDARDS = ['', 'privileged', 'baseline', 'restricted'];
const VERSION = /^(?:latest|v1\.\d{1,3})?$/;

/** It is always on, and reads what it is told strictly; without a kind others read it as fields. */
function oddStandards(own: Fields): readonly string[] {
  const defaults = record(own.defaults);
  const levels = ['enforce', 'audit', 'warn'].map((mode) => text(defaults[mode]));
  const versions = ['enforce', 'audit', 'warn'].map((mode) => text(defaults[`${mode}-version`]));
  const isKind = own.kind === undefined || own.kind === 'PodSecurityConfiguration';
  return [
    ...levels
      .filter((level) => !STANDARDS.includes(level))
      .map((level) => `the level ${level.slice(0, 40)} of PodSecurity`),
    ...versions.filter((one) => !VERSION.test(one)).map((one) => `the version ${one.slice(0, 40)} of PodSecurity`),
    ...(isKind ? [] : ['PodSecurity with a configuration of another kind']),
    ...oddFields(own, POD_SECURITY).map((odd) => `PodSecurity: ${odd}`),
  ];
}

/** Why it is refused, in words. */
export const oddAdmission = (fields: Fields): readonly string[] => [
  ...records(fields.plugins).flatMap(({ name, path, configuration }) => [
    ...(text(name) === '' ? ['a plugin without a name'] : []),
    ...(text(path) !== '' && isRecord(configuration) ? [`${text(name)} with a file and a configuration`] : []),
    ...(name === 'PodSecurity' && isRecord(configuration) ? oddStandards(configuration) : []),
  ]),
  ...oddFields(fields, ADMISSION),
];

/** Files that it names for plugins, from where it lies itself. */
export const filesOfPlugins = ({ plugins }: Fields, from: string): readonly string[] =>
  records(plugins).flatMap(({ path, configuration }) => {
    const own = record(configuration);
    const named = [text(own.kubeConfigFile), text(record(own.imagePolicy).kubeConfigFile)];
    const told = text(path) === '' ? [] : [posix.resolve(posix.dirname(from), text(path))];
    return [...told, ...named.filter((file) => file.startsWith('/'))];
  });
