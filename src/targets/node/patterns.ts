/**
 * What of a disk is meant: "/a" and all below it, "/a/" itself and nothing below it, "*" any number of characters of one
 * name, once in it.
 */

/** Whether a name is meant by one part of a pattern, "*.yaml". */
export function isLike(name: string, part: string): boolean {
  const [begin = '', end] = part.split('*');
  if (end === undefined) return name === part;
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
