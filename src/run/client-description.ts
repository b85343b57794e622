/** Reads what --client names: a YAML file as schemas/client.schema.json says. */
import path from 'node:path';
import { parseDocument } from 'yaml';
import { firstLine } from '../kubernetes/first-line.js';
import { type ClientDescription, type Command, named, PLACEHOLDERS } from '../targets/client-under-test/description.js';
import { isProgram } from '../targets/program-file.js';
import { readGiven } from '../targets/regular-file.js';
import { didYouMean } from './nearest.js';
import { conforms, isConforming } from './schemas.js';
import { UsageError } from './usage-error.js';

const LARGEST = 1024 * 1024;
const TIME_LIMIT = 60;

type Written = Partial<Omit<ClientDescription, 'ways'>> & Pick<ClientDescription, 'ways'>;

/** Throws UsageError where it cannot be used, with the file and the field. */
export async function readClientDescription(file: string): Promise<ClientDescription> {
  const refuse = (why: string): never => {
    throw new UsageError(`The client description ${file} ${why}.`);
  };
  const text = await readGiven(file, LARGEST).catch((error: NodeJS.ErrnoException) =>
    refuse(`cannot be read (${error.code ?? error.message}). Give a file as schemas/client.schema.json says`),
  );
  const value = contentOf(text, refuse);
  if (!isConforming<Written>('client', value)) {
    const [wrong = ''] = conforms('client', value);
    return refuse(`cannot be used: ${wrong}. schemas/client.schema.json says what it may hold`);
  }
  const { name = path.basename(file), timeLimit = TIME_LIMIT, discoveryTimeout, environment = {}, files = {} } = value;
  const folder = path.resolve(path.dirname(file));
  for (const [variable, template] of Object.entries(environment))
    checkNames(template, `environment.${variable}`, refuse);
  const ways: Record<string, Command> = {};
  for (const [way, command] of Object.entries(value.ways))
    ways[way] = await commandFrom(command, { folder, field: `ways.${way}`, refuse });
  return {
    name,
    ...(value.speaks === undefined ? {} : { speaks: value.speaks }),
    timeLimit: timeLimit * 1000,
    ...(discoveryTimeout === undefined ? {} : { discoveryTimeout: discoveryTimeout * 1000 }),
    ways,
    environment,
    files: Object.fromEntries(
      Object.entries(files).map(([role, place]) => [role, placeFrom(place, `files.${role}`, refuse)]),
    ),
  };
}

type Refuse = (why: string) => never;

function contentOf(text: string, refuse: Refuse): unknown {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) refuse(`is no YAML: ${firstLine(problem).replace(/[.:]$/, '')}`);
  try {
    return document.toJS() ?? {};
  } catch {
    return refuse('cannot be read: its YAML aliases are broken or too many');
  }
}

function checkNames(text: string, field: string, refuse: Refuse): void {
  for (const name of named(text))
    if (!PLACEHOLDERS.some((known) => known === name))
      refuse(
        `names {${name}} in ${field}, which is nothing that a client is told.` +
          `${didYouMean(name, PLACEHOLDERS)} There are {${PLACEHOLDERS.join('}, {')}}`,
      );
}

function placeFrom(place: string, field: string, refuse: Refuse): string {
  // from the root on: nothing climbs out of it
  const plain = path.posix.join('.', place).replace(/\/$/, '');
  if (plain === '' || plain === '.' || plain.startsWith('..'))
    refuse(`has "${place}" as ${field}, which does not lie below {root}. Give a path from {root} on`);
  return plain;
}

/** Arguments that begin with "./" or "../" lie from the folder of the description on. */
async function commandFrom(
  command: Command,
  { folder, field, refuse }: { readonly folder: string; readonly field: string; readonly refuse: Refuse },
): Promise<Command> {
  const from = (text: string): string => (/^\.{1,2}\//.test(text) ? path.resolve(folder, text) : text);
  const read = command.map((part) => (typeof part === 'string' ? from(part) : part.map(from)));
  for (const text of read.flat()) checkNames(text, field, refuse);
  const [program] = read;
  if (typeof program !== 'string') return refuse(`has a list as the first entry of ${field}. Give a program`);
  const found = await findProgram(program, folder);
  if (found === undefined)
    return refuse(
      `starts "${program}" in ${field}, and there is no such program. ` +
        'Give one of PATH, or a path: "./…" lies from the folder of the description on',
    );
  return [found, ...read.slice(1)];
}

async function findProgram(program: string, folder: string): Promise<string | undefined> {
  const folders = program.includes('/') ? [folder] : (process.env.PATH ?? '').split(path.delimiter);
  for (const one of folders) {
    const file = path.resolve(one, program);
    if (await isProgram(file)) return file;
  }
  return undefined;
}
