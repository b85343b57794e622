/** Messages of generated.proto, with what Go's structs say of them: names in JSON, pointers, structs shown in place. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GoFile } from './go-source.js';

const VALUES: Readonly<Record<string, string>> = {
  'meta.v1.Time': 'time',
  'meta.v1.MicroTime': 'microtime',
  'meta.v1.Duration': 'duration',
  'meta.v1.FieldsV1': 'raw',
  'resource.Quantity': 'quantity',
  'intstr.IntOrString': 'intstr',
  'runtime.RawExtension': 'raw',
};
const SCALARS = ['string', 'bool', 'int32', 'int64', 'double', 'bytes'];
const FIELD = /^\s*(optional|repeated|map<\w+,)\s+([\w.]+)>?\s+(\w+) = (\d+);$/;
/** A message that only holds texts is a list of Go's own. */
const TEXTS = '[]string!';

interface ProtoField {
  readonly many: 'repeated' | 'map' | '';
  readonly type: string;
  readonly name: string;
  readonly number: number;
}

export interface Packages {
  /** Folder of "core.v1". */
  folder(name: string): string;
  go(name: string): GoFile;
}

export class Messages {
  readonly lines = new Map<string, string>();
  private readonly files = new Map<string, ReadonlyMap<string, readonly ProtoField[]>>();
  constructor(private readonly packages: Packages) {}

  private file(name: string): ReadonlyMap<string, readonly ProtoField[]> {
    const known = this.files.get(name);
    if (known !== undefined) return known;
    const messages = new Map<string, ProtoField[]>();
    let open: ProtoField[] = [];
    for (const line of readFileSync(join(this.packages.folder(name), 'generated.proto'), 'utf8').split('\n')) {
      const message = /^message (\w+) \{$/.exec(line)?.[1];
      if (message !== undefined) {
        open = [];
        messages.set(message, open);
      }
      const [, label = '', type = '', field = '', number] = FIELD.exec(line) ?? [];
      const many = label === 'optional' ? '' : label === 'repeated' ? label : 'map';
      if (number !== undefined) open.push({ many, type, name: field, number: Number(number) });
    }
    this.files.set(name, messages);
    return messages;
  }

  private typeOf(type: string, from: string): string {
    if (SCALARS.includes(type)) return type;
    const [, group, version] = /\.(\w+)\.(v\d\w*)\.\w+$/.exec(type) ?? [];
    const last = type.slice(type.lastIndexOf('.') + 1);
    const outside = group === undefined ? type.split('.').slice(-2).join('.') : `${group}.${version}.${last}`;
    const name = type.includes('.') ? outside : `${from}.${type}`;
    const value = VALUES[name];
    if (value !== undefined) return value;
    const [inGroup = '', inVersion = '', message = ''] = name.split('.');
    if (this.packages.go(`${inGroup}.${inVersion}`).named.get(message) === '[]string') return TEXTS;
    this.add(name);
    return name;
  }

  /** Adds a message and all that it holds. @throws Error for one that its package does not have */
  add(name: string): void {
    if (this.lines.has(name)) return;
    const [group = '', version = '', message = ''] = name.split('.');
    const from = `${group}.${version}`;
    const fields = this.file(from).get(message);
    if (fields === undefined) throw new Error(`${name} is a message that no package has`);
    this.lines.set(name, '');
    const struct = this.packages.go(from).structs.get(message)?.fields ?? [];
    const parts = fields.map((field) => {
      const go = struct.find(({ tag }) => new RegExp(`protobuf:"\\w+,${field.number},`).test(tag));
      const json = /json:"([^",]*)/.exec(go?.tag ?? '')?.[1] ?? '';
      const type = this.typeOf(field.type, from);
      const isPointer = go?.type.startsWith('*') === true && field.many === '';
      const many = field.many === 'repeated' ? '[]' : field.many === 'map' ? 'map ' : '';
      return `${field.number} ${json === '' ? `^${field.name}` : json} ${many}${type}${isPointer ? '?' : ''}`;
    });
    this.lines.set(name, parts.join(', '));
  }

  /** One message a line. */
  text(): string {
    const lines = [...this.lines].sort(([a], [b]) => (a < b ? -1 : 1));
    return `{\n${lines.map((entry) => `  ${entry.map((part) => JSON.stringify(part)).join(': ')}`).join(',\n')}\n}\n`;
  }
}
