/**
 * Records of a CSV file as Go reads them: comma, quotation marks doubled within quotation marks, empty lines left out.
 * Source: Go, encoding/csv Reader.readRecord; RFC 4180.
 */

/** A line with its end as "\n"; the last one may have none. */
function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split(/(?<=\n)/);
  const last = lines.pop() ?? '';
  const whole = last.endsWith('\n') || !last.endsWith('\r') ? last : last.slice(0, -1);
  return whole === '' ? lines : [...lines, whole];
}

/** Throws RangeError with Go's words for what is no CSV. Lines and columns count from 1, columns in bytes. */
export function csvRecords(text: string): readonly (readonly string[])[] {
  const lines = linesOf(text);
  const records: string[][] = [];
  const refuse = (first: number, at: number, column: number, why: string): never => {
    const where = first === at ? '' : `record on line ${first + 1}; `;
    throw new RangeError(`${where}parse error on line ${at + 1}, column ${column}: ${why}`);
  };
  for (let at = 0; at < lines.length; at += 1) {
    if (lines[at] === '\n') continue;
    const first = at;
    const record: string[] = [];
    let line = lines[at] ?? '';
    let rest = line;
    const column = (): number => Buffer.byteLength(line) - Buffer.byteLength(rest) + 1;
    for (let more = true; more; ) {
      if (!rest.startsWith('"')) {
        const [field = ''] = /^[^,\n]*/.exec(rest) ?? [];
        const bare = field.indexOf('"');
        if (bare >= 0) {
          rest = rest.slice(bare);
          refuse(first, at, column(), 'bare " in non-quoted field');
        }
        record.push(field);
        rest = rest.slice(field.length);
      } else {
        rest = rest.slice(1);
        let field = '';
        for (let open = true; open; ) {
          const [plain = ''] = /^[^"]*/.exec(rest) ?? [];
          field += plain;
          rest = rest.slice(plain.length);
          if (rest === '') {
            at += 1;
            const next = lines[at];
            if (next === undefined) {
              at -= 1;
              refuse(first, at, column(), 'extraneous or missing " in quoted-field');
            }
            line = next ?? '';
            rest = line;
          } else if (rest.startsWith('""')) {
            field += '"';
            rest = rest.slice(2);
          } else {
            rest = rest.slice(1);
            open = false;
            if (!/^(?:,|\n|$)/.test(rest)) refuse(first, at, column() - 1, 'extraneous or missing " in quoted-field');
          }
        }
        record.push(field);
      }
      more = rest.startsWith(',');
      if (more) rest = rest.slice(1);
    }
    records.push(record);
  }
  return records;
}
