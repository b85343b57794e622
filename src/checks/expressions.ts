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

/** With "0" for each text; undefined where one has no end, or is written in another way. */
function withoutTexts(expression: string): string | undefined {
  let bare = '';
  let quote = '';
  for (let at = 0; at < expression.length; at += 1) {
    const sign = expression[at] ?? '';
    if (quote === '') {
      if (sign === '"' || sign === "'") {
        if (expression.startsWith(sign.repeat(3), at)) return undefined;
        quote = sign;
      }
      bare += quote === '' ? sign : '0';
    } else if (sign === '\\') at += 1;
    else if (sign === quote) quote = '';
  }
  return quote === '' ? bare.trim() : undefined;
}

export function isDangling(expression: string): boolean {
  if (expression.length > LONGEST) return false;
  const bare = withoutTexts(expression);
  if (bare === undefined) return false;
  if (bare === '') return true;
  return (
    /(?:&&|\|\||[=!<>]=|[-+*/%<>?:.,!])$/.test(bare) || /^(?:&&|\|\||[=<>]=|[*/%?:,)])/.test(bare) || !isBalanced(bare)
  );
}
