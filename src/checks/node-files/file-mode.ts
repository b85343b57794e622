/** Permission bits of files as reports say them, and whom they let in. */

/** "0600"; `bits`: those that are shown. */
export const octal = (mode: number, bits = 0o777): string => `0${(mode & bits).toString(8).padStart(3, '0')}`;

/** "mode 0600" */
export const modeSeen = (mode: number | null, bits?: number): string =>
  mode === null ? 'nobody knows its mode' : `mode ${octal(mode, bits)}`;

/** Group or others may do something with it. */
export const isOpen = (mode: number): boolean => (mode & 0o077) !== 0;
