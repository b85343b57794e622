/** What shows without a compiler that an expression of CEL is none: nothing in it, a side that is missing, or a bracket. */

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
/** Longer ones are left to whoever compiles them. */
const LONGEST = 20_000;

/** Its brackets, outside of texts, belong together. */
function isBalanced(bare: string): boolean {
  const open: string[] = [];
  for (const sign of bare) {
    if ('([{'.includes(sign)) open.push(sign);
    else if (CLOSING[sign] !== undefined && open.pop() !== CLOSING[sign]) return false;
  }
  return open.length === 0;
}

/** The last sign of a comment. */
const endOfLine = (expression: string, from: number): number => {
  const end = expression.indexOf('\n', from);
  return end < 0 ? expression.length : end - 1;
};

/** With a quote for each text and without comments; undefined where a text has no end, or is written in another way. */
function bareOf(expression: string): string | undefined {
  let bare = '';
  let quote = '';
  for (let at = 0; at < expression.length; at += 1) {
    const sign = expression[at] ?? '';
    if (quote === '') {
      if (sign === '"' || sign === "'") {
        if (expression.startsWith(sign.repeat(3), at)) return undefined;
        quote = sign;
      }
      if (expression.startsWith('//', at)) at = endOfLine(expression, at);
      else bare += sign;
    } else if (sign === '\\') at += 1;
    else if (sign === quote) quote = '';
  }
  return quote === '' ? bare.trim() : undefined;
}

export function isDangling(expression: string): boolean {
  if (expression.length > LONGEST) return false;
  const bare = bareOf(expression);
  if (bare === undefined) return false;
  if (bare === '') return true;
  return (
    /(?:&&|\|\||[=!<>]=|[-+*/%<>?:.,!]|(?<![\w.])in)$/.test(bare) ||
    /^(?:&&|\|\||[=!]=|[*/%<>?:,]|in\b)/.test(bare) ||
    !isBalanced(bare)
  );
}
