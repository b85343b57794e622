/** Reads reports that joinproof wrote: to be judged again, compared, or taken as a baseline. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Report, SCHEMA_VERSION } from '../model/report.js';
import { jsonOf, REPORT_LIMITS, Unreadable } from '../targets/answer-body.js';
import { readGivenBytes, standardInput } from '../targets/regular-file.js';
import { conforms, isConforming } from './schemas.js';
import { UsageError } from './usage-error.js';

const nameOf = (file: string): string => (file === '-' ? 'standard input' : file);
const GIVE = 'Give a report that "joinproof run --out json=FILE" wrote.';
/** Bytes: a report of ten thousand objects with all of its evidence has some thirty million. */
const LARGEST = 128 * 1024 * 1024;

/** A JSON report of this schema, packed by gzip or not, from a file or ("-") standard input. Throws UsageError where it is none. */
export async function readReport(file: string): Promise<Report> {
  const refuse = (why: string): never => {
    throw new UsageError(`${nameOf(file)} ${why}`);
  };
  const text = await textOf(file).catch((error: NodeJS.ErrnoException) =>
    refuse(`cannot be read (${error.code ?? error.message}). ${GIVE}`),
  );
  let value: unknown;
  try {
    value = jsonOf(text, REPORT_LIMITS);
  } catch (error) {
    if (error instanceof Unreadable) refuse(`is no report of joinproof: it ${error.message}. ${GIVE}`);
    throw error;
  }
  if (value === undefined) refuse(`is no JSON. ${GIVE}`);
  const version =
    typeof value === 'object' && value !== null && 'schemaVersion' in value ? value.schemaVersion : undefined;
  if (typeof version === 'string' && version.split('.')[0] !== SCHEMA_VERSION.split('.')[0])
    refuse(
      `is a report of the schema ${version.slice(0, 20)}, which holds no observations; this joinproof judges those of ${SCHEMA_VERSION} again.`,
    );
  if (isConforming<Report>('report', value)) return value;
  const [problem = ''] = conforms('report', value);
  return refuse(`is no report of joinproof: ${problem}.`);
}

const MAGIC = Buffer.of(0x1f, 0x8b);

const textOf = async (file: string): Promise<string> =>
  unpacked(await (file === '-' ? standardInput(LARGEST) : readGivenBytes(file, LARGEST)));

/** The text of what may be packed by gzip. Throws where it is broken, or has more than `most` bytes unpacked. */
export async function unpacked(bytes: Buffer, most = LARGEST): Promise<string> {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return bytes.toString('utf8');
  return (await promisify(gunzip)(bytes, { maxOutputLength: most })).toString('utf8');
}
