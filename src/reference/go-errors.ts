/** Lists and errors as Go prints them. */
import { goQuote } from '../apiserver/go/text.js';

/** Several errors as one text. Source: apimachinery, pkg/util/errors/errors.go Aggregate.Error. */
export function aggregate(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}

/** []string as %q prints it. */
export const goQuoteList = (list: readonly string[]): string => `[${list.map(goQuote).join(' ')}]`;
