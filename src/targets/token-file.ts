/**
 * A bearer token that lives in a file and is replaced there: tokenFile of a kubeconfig, the service account of a Pod.
 */
import { ConfigurationError } from './errors.js';
import { readRegular } from './regular-file.js';

/** Bytes; a server takes no longer header. */
const LARGEST_TOKEN = 1024 * 1024;
/** Milliseconds for which a token is used before the file is read again. */
const FRESH_MS = 10_000;

export interface FileToken {
  /** Throws ConfigurationError where the file has never been readable and there is no `fallback`. */
  read(): Promise<string>;
  /** The server refused the token: the next read goes to the file. True where the file may hold another by now. */
  forget(): boolean;
}

export function fileToken(file: string, what: string, fallback: string | undefined, now: () => number): FileToken {
  let last: string | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    async read() {
      if (last !== undefined && now() - readAt < FRESH_MS) return last;
      try {
        const text = (await readRegular(file, LARGEST_TOKEN)).trim();
        if (text === '') throw new ConfigurationError(`${what}: ${file} is empty; it must hold a bearer token.`);
        last = text;
        readAt = now();
        return text;
      } catch (error) {
        // The one last read stays good: whoever renews the file may have it open.
        const known = last ?? fallback;
        if (known !== undefined) return known;
        if (error instanceof ConfigurationError) throw error;
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        throw new ConfigurationError(
          `${what} names ${file}, which ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}.`,
        );
      }
    },
    forget() {
      readAt = Number.NEGATIVE_INFINITY;
      return true;
    },
  };
}
