/**
 * What an EncryptionConfiguration says: why an API server refuses it, and whether Secrets are encrypted by it. Nothing of
 * a key is told. Source: apiserver pkg/apis/apiserver/validation/validation_encryption.go, of 1.31 to 1.36.
 */
import { type Fields, record, records, text, texts } from '../../kubernetes/json.js';
import { ENCRYPTION } from './configuration-shapes.js';
import { oddFields } from './field-shapes.js';

/** Bytes that a key may have. */
const LENGTHS: Readonly<Record<string, readonly number[]>> = {
  aescbc: [16, 24, 32],
  aesgcm: [16, 24, 32],
  secretbox: [32],
};
const PROVIDERS = [...Object.keys(LENGTHS), 'identity', 'kms'];

/** As Go's standard encoding takes it, which passes over line breaks. */
const isBase64 = (value: string): boolean => value.length % 4 === 0 && /^[A-Za-z\d+/]+={0,2}$/.test(value);

function oddKey(name: string, key: Fields): readonly string[] {
  const secret = text(key.secret).replaceAll(/[\r\n]/g, '');
  if (text(key.name) === '') return [`a key of ${name} has no name`];
  if (!isBase64(secret)) return [`a key of ${name} is not in base64`];
  const bytes = Buffer.from(secret, 'base64');
  if (LENGTHS[name]?.includes(bytes.length) === false) return [`a key of ${name} has ${bytes.length} bytes`];
  // one of examples, or of a template that nobody has filled in
  return bytes.every((byte) => byte === bytes[0]) && bytes[0] === 0 ? [`a key of ${name} is all zeros`] : [];
}

/** Who encrypts elsewhere is asked at a socket of the machine, by the second version of its protocol. */
function oddKms({ endpoint, name, apiVersion }: Fields, { isOld }: EncryptionContext): readonly string[] {
  const version = text(apiVersion) || 'v1';
  return [
    ...(text(endpoint).startsWith('unix:') ? [] : ['the endpoint of kms is no socket of the machine']),
    ...(text(name) === '' || text(name).includes(':') ? ['kms has no name, or one with a colon'] : []),
    ...(/^v[12]$/.test(version) ? [] : [`kms of the version ${version.slice(0, 20)}`]),
    ...(version === 'v1' && !isOld ? ['kms of v1, which is off without the feature gate KMSv1'] : []),
  ];
}

/** `isOld`: kms of v1 is on. */
export interface EncryptionContext {
  readonly isOld: boolean;
}

function oddProvider(provider: Fields, context: EncryptionContext): readonly string[] {
  const names = Object.keys(provider);
  const [name = ''] = names;
  if (names.length !== 1 || !PROVIDERS.includes(name))
    return [`the provider ${names.join(', ').slice(0, 60) || 'of nothing'}`];
  const own = record(provider[name]);
  if (name === 'kms') return oddKms(own, context);
  if (name === 'identity') return [];
  const keys = records(own.keys);
  return keys.length === 0 ? [`${name} has no key`] : keys.flatMap((key) => oddKey(name, key));
}

/** "secrets", "*.apps", "deployments.apps" */
const groupOf = (resource: string): readonly [name: string, group: string] => {
  const at = resource.indexOf('.');
  return at < 0 ? [resource, ''] : [resource.slice(0, at), resource.slice(at + 1)];
};

/** Written by the API server beside what anybody asks for. */
const INTERNAL = ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'];
/** Groups that are kept under the name of another. */
const ALIASES = ['extensions', 'events.k8s.io'];

function isRefused(resource: string): boolean {
  const [name, group] = groupOf(resource);
  if (resource === '*' || /[A-Z]/.test(resource) || INTERNAL.includes(resource)) return true;
  return ALIASES.includes(group) || (group === '*' && name !== '*');
}

/** What a wildcard of one list already means. */
function oddNames(resources: readonly string[]): readonly string[] {
  const groups = resources.map(groupOf);
  const isAll = resources.includes('*.*') && resources.length > 1;
  const masked = groups.filter(
    ([name, group]) => name !== '*' && groups.some(([other, of]) => other === '*' && of === group),
  );
  return [
    ...resources.filter((resource, at) => resources.indexOf(resource) !== at).map((resource) => `${resource} twice`),
    ...(isAll || masked.length > 0 ? ['resources that a wildcard beside them means as well'] : []),
    ...resources.filter(isRefused).map((name) => `the resource ${name.slice(0, 40)}`),
  ];
}

/** Why it is refused, in words. */
export function oddEncryption(fields: Fields, context: EncryptionContext = { isOld: false }): readonly string[] {
  const all = records(fields.resources);
  const providers = all.flatMap((one) => records(one.providers));
  const kms = providers.flatMap(({ kms: own }) => text(record(own).name) || []);
  return [
    ...(all.length === 0 ? ['it names no resources'] : []),
    ...all.flatMap((one) => [
      ...(texts(one.resources).length === 0 ? ['it names no resources'] : oddNames(texts(one.resources))),
      ...(records(one.providers).length === 0
        ? ['it names no provider']
        : records(one.providers).flatMap((provider) => oddProvider(provider, context))),
    ]),
    ...kms.filter((name, at) => kms.indexOf(name) !== at).map((name) => `kms ${name.slice(0, 40)} twice`),
    ...oddFields(fields, ENCRYPTION).filter((odd) => !/providers\[\d+\]\.[^.]* is no field/.test(odd)),
  ];
}

const OF_ALL = ['secrets', '*.', '*.*', '*'];
/** Secrets are written as they are, though encryption is configured. */
export const opensSecrets = ({ resources }: Fields): boolean => {
  const one = records(resources).find((each) => texts(each.resources).some((name) => OF_ALL.includes(name)));
  return one === undefined || Object.keys(records(one.providers)[0] ?? {}).includes('identity');
};

/** Sockets of the machine at which it asks who encrypts elsewhere. */
export const socketsIn = ({ resources }: Fields): readonly string[] =>
  records(resources)
    .flatMap(({ providers }) => records(providers))
    .flatMap(({ kms }) => /^unix:(?:\/\/)?(\/[^@/].*)/.exec(text(record(kms).endpoint))?.[1] ?? []);
