/** A path, URL or folder without slashes behind it; linear, whatever it is. */
export const withoutSlashes = (text: string): string => text.replace(/(?<!\/)\/+$/, '');
