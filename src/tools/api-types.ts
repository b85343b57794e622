/**
 * npm run tools:types -- DIR: writes src/apiserver/resources/data/types.json and src/apiserver/protobuf/messages.json
 * anew from a source tree of Kubernetes: types.go and generated.proto of every package below
 * staging/src/k8s.io/{api,apimachinery,apiextensions-apiserver,kube-aggregator} that a served kind reaches. What the
 * lines mean is told by resources/schema.ts and protobuf/messages.ts. Of types.go come the order of the fields, their
 * types, json and patch tags, and the markers +optional, +required, +listType, +listMapKey, +mapType and +structType; a
 * field is required where it says so, or has neither omitempty nor +optional, as kube-openapi has it. A type that none
 * of the packages has ends the tool with an error. Structs that Go encodes by hand (JSONSchemaPropsOrBool …) are `any`.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { kinds } from '../apiserver/resources/kind-rows.js';
import { Messages, type Packages } from './api-messages.js';
import { type GoField, type GoFile, readGo } from './go-source.js';

/** Served or sent, but no stored kind of a row. */
const BESIDE = [
  ...['Binding', 'ComponentStatus', 'Secret'].map((kind) => `core.v1.${kind}`),
  ...['SelfSubjectReview', 'TokenReview', 'TokenRequest'].map((kind) => `authentication.v1.${kind}`),
  ...['LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview', 'SubjectAccessReview'].map(
    (kind) => `authorization.v1.${kind}`,
  ),
  'autoscaling.v1.Scale',
  'certificates.v1.CertificateSigningRequest',
  'policy.v1.Eviction',
  ...['ObjectMeta', 'LabelSelector', 'DeleteOptions', 'Status'].map((kind) => `meta.v1.${kind}`),
];

/** Kept or sent as messages only. */
const ONLY_MESSAGES = [
  'core.v1.PodStatusResult',
  'core.v1.RangeAllocation',
  ...['PartialObjectMetadata', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList'].map(
    (kind) => `meta.v1.${kind}`,
  ),
  'apidiscovery.v2.APIGroupDiscoveryList',
];
/** Nobody speaks of CustomResourceDefinitions in protocol buffers here. */
const NO_MESSAGES = ['apiextensions.v1.'];

/** Folders below staging/src/k8s.io of the packages that are not below api. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'meta.v1': 'apimachinery/pkg/apis/meta/v1',
  'apiextensions.v1': 'apiextensions-apiserver/pkg/apis/apiextensions/v1',
  'apiregistration.v1': 'kube-aggregator/pkg/apis/apiregistration/v1',
};

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'bool',
  int: 'int64',
  int32: 'int32',
  int64: 'int64',
  float64: 'double',
  byte: 'byte',
};
interface Line {
  readonly type: string;
  /** Go's own name, where it says more than `type`. */
  readonly go?: string;
  /** Go's name as part of a map's. */
  readonly name: string;
  /** A struct of Go's: what is not behind a pointer is printed even when empty. */
  readonly struct: boolean;
  /** Printed as nothing else when it is behind a pointer. */
  readonly bare?: boolean;
}

/** Types that are printed as one value, with Go's names of them. */
const VALUES: Readonly<Record<string, Line>> = {
  'meta.v1.Time': { type: 'time', name: 'v1.Time', struct: true, bare: true },
  'meta.v1.MicroTime': { type: 'microtime', name: 'v1.MicroTime', struct: true, bare: true },
  'meta.v1.FieldsV1': { type: 'any', name: 'v1.FieldsV1', struct: false },
  'resource.Quantity': { type: 'quantity', name: 'resource.Quantity', struct: true },
  'intstr.IntOrString': { type: 'intstr', name: 'intstr.IntOrString', struct: true },
  'runtime.RawExtension': { type: 'any', name: 'runtime.RawExtension', struct: false },
  'apiextensions.v1.JSON': { type: 'any', name: 'v1.JSON', struct: false },
  ...Object.fromEntries(
    [
      'JSONSchemaPropsOrArray',
      'JSONSchemaPropsOrBool',
      'JSONSchemaPropsOrStringArray',
      'CustomResourceSubresourceStatus',
    ].map((name) => [`apiextensions.v1.${name}`, { type: 'any', name: `v1.${name}`, struct: true, bare: true }]),
  ),
};

class Types implements Packages {
  private readonly packages = new Map<string, GoFile>();
  readonly structs = new Map<string, Readonly<Record<string, string>>>();
  constructor(private readonly staging: string) {}

  folder(name: string): string {
    return join(this.staging, ELSEWHERE[name] ?? join('api', name.replace('.', '/')));
  }

  go(name: string): GoFile {
    const known = this.packages.get(name);
    if (known !== undefined) return known;
    const folder = this.folder(name);
    const paths = ['types.go', 'group_version.go', 'types_jsonschema.go', 'types_swagger.go'].map((file) =>
      join(folder, file),
    );
    const file = readGo(paths.filter((path) => existsSync(path)));
    if (file.structs.size === 0) throw new Error(`there are no types of ${name} in ${folder}`);
    this.packages.set(name, file);
    return file;
  }

  /** A name of Go in package `from`, as package and type: "metav1.Time" is meta.v1.Time. */
  private qualified(type: string, from: string): string {
    const dot = type.indexOf('.');
    if (dot < 0) return `${from}.${type}`;
    const path = this.go(from).imports.get(type.slice(0, dot)) ?? '';
    const [, group, version] = /(\w+)\/(v\d+\w*)$/.exec(path) ?? [];
    return `${group === undefined ? path.slice(path.lastIndexOf('/') + 1) : `${group}.${version}`}${type.slice(dot)}`;
  }

  /** What the line says of a Go type in package `from`. */
  private line(given: string, from: string): Line {
    const type = given.replace(/^\*/, '');
    if (type === '[]byte') return { type: 'byte', name: '[]uint8', struct: false };
    if (type.startsWith('[]')) {
      const { type: element, go, name } = this.line(type.slice(2), from);
      return { type: `[]${element}`, ...(go === undefined ? {} : { go: `[]${go}` }), name: `[]${name}`, struct: false };
    }
    const [, key, value] = /^map\[([\w.]+)\](.+)$/.exec(type) ?? [];
    if (key !== undefined && value !== undefined) {
      const [keys, element] = [this.line(key, from), this.line(value, from)];
      const name = `map[${keys.name}]${element.name}`;
      const plain = keys.go === undefined && Object.values(SCALARS).includes(element.type) && element.go === undefined;
      return {
        type: `map ${element.type}`,
        ...(plain || (element.type === '[]string' && element.go === undefined) ? {} : { go: name }),
        name,
        struct: false,
      };
    }
    const scalar = SCALARS[type];
    if (scalar !== undefined) return { type: scalar, name: type, struct: false };
    const name = this.qualified(type, from);
    const known = VALUES[name];
    if (known !== undefined) return known;
    if (name === 'types.UID') return { type: 'string', go: name, name, struct: false };
    const [group = '', version = '', struct = ''] = name.split('.');
    const go = `${version}.${struct}`;
    const alias = this.go(`${group}.${version}`).named.get(struct);
    if (alias !== undefined) return { ...this.line(alias, `${group}.${version}`), go, name: go };
    this.add(name);
    return { type: name, name: go, struct: true, bare: true };
  }

  private fields(name: string): readonly (readonly [string, string])[] {
    const [group = '', version = '', struct = ''] = name.split('.');
    const found = this.go(`${group}.${version}`).structs.get(struct);
    if (found === undefined) throw new Error(`${name} is a type that no package has`);
    const from = `${group}.${version}`;
    const isKind = found.fields.some(({ type }) => type.endsWith('TypeMeta'));
    const lines = found.fields.flatMap((field): readonly (readonly [string, string])[] => {
      const json = /json:"([^"]*)"/.exec(field.tag)?.[1] ?? '';
      const [own = ''] = json.split(',');
      if (own === '-') return [];
      if (field.type.endsWith('TypeMeta'))
        return [
          ['kind', 'string'],
          ['apiVersion', 'string'],
        ];
      if (own === '')
        return this.fields(this.qualified(field.type.replace('*', ''), from)).filter(([inner]) => inner !== '*');
      return [[own, this.words(field, from, isKind)]];
    });
    const atomic = found.markers.find((marker) => marker.startsWith('structType=') || marker.startsWith('mapType='));
    return atomic === undefined ? lines : [...lines, ['*', `map:${atomic.slice(atomic.indexOf('=') + 1)}`]];
  }

  private words(field: GoField, from: string, isKind: boolean): string {
    const tag = (key: string): string | undefined => new RegExp(`(?:^| )${key}:"([^"]*)"`).exec(field.tag)?.[1];
    const marker = (key: string): string | undefined =>
      field.markers.find((one) => one.startsWith(`${key}=`))?.slice(key.length + 1);
    const pointer = field.type.startsWith('*');
    const { type, go, struct, bare } = this.line(field.type, from);
    const [mergeKey, strategy] = [tag('patchMergeKey'), tag('patchStrategy')];
    const omitted = /omitempty|omitzero/.test(tag('json') ?? '');
    const words = [type];
    if (mergeKey !== undefined) words.push(`merge:${mergeKey}`);
    if (strategy !== undefined && (mergeKey === undefined || strategy !== 'merge')) words.push(`strategy:${strategy}`);
    const list = marker('listType');
    const keys = field.markers
      .filter((one) => one.startsWith('listMapKey='))
      .map((one) => one.slice('listMapKey='.length));
    if (list !== undefined) words.push(`list:${list}${keys.length === 0 ? '' : `:${keys.join(',')}`}`);
    const map = marker('mapType') ?? marker('structType');
    if (map !== undefined) words.push(`map:${map}`);
    const needed = field.markers.includes('required') || (!omitted && !field.markers.includes('optional'));
    if (needed) words.push('required');
    if (go !== undefined) words.push(`go:${go}`);
    if (pointer && bare !== true) words.push('ptr');
    else if (struct && !pointer) {
      const alone = isKind && tag('json')?.startsWith('metadata') === true;
      if (!alone && !(tag('json') ?? '').includes('omitzero')) words.push('value');
    } else if (!omitted) words.push('always');
    return words.join(' ');
  }

  add(name: string): void {
    if (this.structs.has(name)) return;
    this.structs.set(name, {});
    const lines = this.fields(name);
    const { metadata, kind, apiVersion, ...rest } = Object.fromEntries(lines);
    const first = {
      ...(metadata === undefined ? {} : { metadata }),
      ...(kind === undefined ? {} : { kind }),
      ...(apiVersion === undefined ? {} : { apiVersion }),
    };
    this.structs.set(name, metadata === undefined ? Object.fromEntries(lines) : { ...first, ...rest });
  }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** A group and version a block, a struct a line. */
function typesFile(structs: ReadonlyMap<string, Readonly<Record<string, string>>>): string {
  const groups = new Map<string, string[]>();
  for (const [name, fields] of [...structs].sort(byName)) {
    const [group = '', version = '', struct = ''] = name.split('.');
    const key = `${group}.${version}`;
    const line = Object.entries(fields).map(([field, words]) => `${JSON.stringify(field)}: ${JSON.stringify(words)}`);
    groups.set(key, [...(groups.get(key) ?? []), `    ${JSON.stringify(struct)}: {${line.join(', ')}}`]);
  }
  const blocks = [...groups]
    .sort(byName)
    .map(([key, lines]) => `  ${JSON.stringify(key)}: {\n${lines.join(',\n')}\n  }`);
  return `{\n${blocks.join(',\n')}\n}\n`;
}

function main(): number {
  const [, , given] = process.argv;
  if (given === undefined) {
    process.stderr.write(
      'tools:types: no source tree was given. "npm run tools:types -- DIR" reads DIR/staging/src/k8s.io.\n',
    );
    return 2;
  }
  const types = new Types(join(resolve(given), 'staging/src/k8s.io'));
  for (const { struct } of kinds) types.add(struct);
  for (const struct of BESIDE) types.add(struct);
  const messages = new Messages(types);
  for (const { struct } of kinds) if (!NO_MESSAGES.some((group) => struct.startsWith(group))) messages.add(struct);
  for (const message of [...BESIDE, ...ONLY_MESSAGES]) messages.add(message);
  writeFileSync('src/apiserver/resources/data/types.json', typesFile(types.structs));
  writeFileSync('src/apiserver/protobuf/messages.json', messages.text());
  return 0;
}

try {
  process.exitCode = main();
} catch (error) {
  process.stderr.write(`tools:types: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
