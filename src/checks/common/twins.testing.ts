/** For tests of checks: names that look like a name and are others. */

const otherCase = (name: string): string => (name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase());

/** What makes another name of one that looks like it. */
export const LOOKS: Readonly<Record<string, (name: string) => string>> = {
  'other letters': otherCase,
  'a blank before': (name) => ` ${name}`,
  'a blank behind': (name) => `${name} `,
  longer: (name) => `${name}x`,
  shorter: (name) => name.slice(0, -1),
  nothing: () => '',
};

export const twinsOf = (name: string): readonly string[] =>
  [...new Set(Object.values(LOOKS).map((look) => look(name)))].filter((twin) => twin !== name);

/** Of the same form, and no twin: each letter and digit is the next one. */
export const otherName = (name: string): string =>
  name.replace(/[a-z0-9]/gi, (one) => {
    const last = { z: 'a', Z: 'A', 9: '0' }[one];
    return last ?? String.fromCharCode(one.charCodeAt(0) + 1);
  });
