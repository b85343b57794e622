/** Structs and named types of Go sources, as far as their fields, tags and marker comments tell the shape of an API. */
import { readFileSync } from 'node:fs';

export interface GoField {
  /** '' for an embedded struct */
  readonly name: string;
  /** As written: "*metav1.Time", "map[string]ExtraValue", "[]Container". */
  readonly type: string;
  readonly tag: string;
  /** Marker comments without the plus: "optional", "listType=map". */
  readonly markers: readonly string[];
}

export interface GoFile {
  readonly structs: ReadonlyMap<string, { readonly fields: readonly GoField[]; readonly markers: readonly string[] }>;
  /** Name → what it stands for: "string", "[]string", "map[ResourceName]resource.Quantity". */
  readonly named: ReadonlyMap<string, string>;
  /** Alias → path of what is imported. */
  readonly imports: ReadonlyMap<string, string>;
}

const FIELD = /^\t(?:(\w+)\s+)?([*[\]\w.]+?)\s*(?:`([^`]*)`)?\s*(?:\/\/.*)?$/;

/** Reads the declarations of some files of one package. */
export function readGo(paths: readonly string[]): GoFile {
  const structs = new Map<string, { fields: GoField[]; markers: readonly string[] }>();
  const named = new Map<string, string>();
  const imports = new Map<string, string>();
  for (const path of paths) {
    let open: GoField[] | undefined;
    let markers: string[] = [];
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const marker = /^\s*\/\/\s?\+(\S.*?)\s*$/.exec(line)?.[1];
      const declared = /^(?:type |\t)?(\w+) struct \{$/.exec(line)?.[1];
      const other = /^type (\w+) ([\w.[\]]+)$/.exec(line);
      const [, alias, imported] = /^(?:\t|import )(?:(\w+) )?"([\w./-]+)"$/.exec(line) ?? [];
      if (imported !== undefined) imports.set(alias ?? imported.slice(imported.lastIndexOf('/') + 1), imported);
      if (marker !== undefined) markers.push(marker);
      else if (declared !== undefined && line.startsWith('type ')) {
        open = [];
        structs.set(declared, { fields: open, markers });
        markers = [];
      } else if (line === '}') open = undefined;
      else if (open !== undefined) {
        const [, name = '', type = '', tag = ''] = FIELD.exec(line) ?? [];
        if (type !== '') {
          open.push({ name, type, tag, markers });
          markers = [];
        }
      } else if (other !== null) {
        named.set(other[1] ?? '', other[2] ?? '');
        markers = [];
        // The comment of a declaration ends with an empty line.
      } else if (line === '') markers = [];
    }
  }
  return { structs, named, imports };
}
