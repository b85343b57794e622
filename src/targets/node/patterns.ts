/**
 * What of a disk is meant: "/a" and all below it, "/a/" itself and nothing below it, "*" any number of characters of one
 * name.
 */

/** One name of a path, "*.yaml", as an expression. */
export const nameLike = (part: string): RegExp =>
  new RegExp(`^${part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '[^/]*')}$`);

/** Whether a path is meant. */
export function isMeant(path: string, pattern: string): boolean {
  const alone = pattern.endsWith('/');
  const wanted = pattern.split('/').filter((part) => part !== '');
  const parts = path.split('/').filter((part) => part !== '');
  if (alone ? parts.length !== wanted.length : parts.length < wanted.length) return false;
  return wanted.every((part, at) => (part.includes('*') ? nameLike(part).test(parts[at] ?? '') : part === parts[at]));
}
