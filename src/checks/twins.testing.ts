/** For tests of checks: names that look like a name and are others. */

const otherCase = (name: string): string => (name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase());

/** In other letters, with a blank, longer with the same beginning, shorter, and none at all. */
export const twinsOf = (name: string): readonly string[] =>
  [otherCase(name), ` ${name}`, `${name} `, `${name}x`, name.slice(0, -1), ''].filter((twin) => twin !== name);
