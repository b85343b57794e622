/** The version in package.json, read without loading anything else. */
import { readFileSync } from 'node:fs';

export function version(): string {
  // From dist/src/cli and from any other folder that the code was compiled to.
  const { version: text } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return text;
}
