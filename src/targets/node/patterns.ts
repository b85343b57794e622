/**
 * What of a disk is meant: "/a" and all below it, "/a/" itself and nothing below it, "*" any number of characters of one
 * name, once in it, "|" between names that are meant alike: "/a/*.key|*.conf".
 */

/** Whether a part of a path stands for more than itself. */
export const isPattern = (part: string): boolean => /[*|]/.test(part);

/** Whether a name is meant by one part of a pattern, "*.yaml". */
export const isLike = (name: string, part: string): boolean => part.split('|').some((one) => isOne(name, one));

function isOne(name: string, one: string): boolean {
  const [begin = '', end] = one.split('*');
  if (end === undefined) return name === one;
  return name.length >= begin.length + end.length && name.startsWith(begin) && name.endsWith(end);
}

/** Whether a path is meant. */
export function isMeant(path: string, pattern: string): boolean {
  const alone = pattern.endsWith('/');
  const wanted = pattern.split('/').filter((part) => part !== '');
  const parts = path.split('/').filter((part) => part !== '');
  if (alone ? parts.length !== wanted.length : parts.length < wanted.length) return false;
  return wanted.every((part, at) => isLike(parts[at] ?? '', part));
}
