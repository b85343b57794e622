/** What the system calls an error, "ENOENT"; of any other what it says. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
