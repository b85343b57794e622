/** The JSON Schemas of the package, compiled when they are first needed. */
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { packageFile } from './package-root.js';

export interface SchemaValidator<T> {
  valid(content: unknown): content is T;
  /** What was wrong with the content last given, one phrase each: "/0/title must be string". */
  problems(): readonly string[];
}

const compiled = new Map<string, ValidateFunction>();

/** The validator of schemas/<name>.schema.json. Throws where there is no such schema. */
export function schemaValidator<T>(name: string): SchemaValidator<T> {
  const known = compiled.get(name);
  const validate =
    known ??
    new Ajv({ allErrors: true }).compile(
      JSON.parse(readFileSync(packageFile(`schemas/${name}.schema.json`), 'utf8')) as object,
    );
  if (known === undefined) compiled.set(name, validate);
  return {
    valid: (content): content is T => validate(content),
    problems: () =>
      (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`.trim()),
  };
}
