/**
 * Which URIs Go's net/url takes, as far as subject alternative names need it.
 * Source: Go net/url parse, crypto/x509 parseSANExtension.
 */

import { isIPv4, isIPv6 } from 'node:net';

/** An ASCII text as Go's %q prints it. */
function quote(text: string): string {
  const named: Readonly<Record<string, string>> = {
    '\t': '\\t',
    '\n': '\\n',
    '\r': '\\r',
    '\x07': '\\a',
    '\b': '\\b',
    '\f': '\\f',
    '\v': '\\v',
    '"': '\\"',
    '\\': '\\\\',
  };
  const one = (character: string): string =>
    named[character] ??
    (character >= ' ' && character < '\x7f'
      ? character
      : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `"${[...text].map(one).join('')}"`;
}

/** Go's text for a URI that cannot be a subject alternative name; undefined where it can. */
export function uriProblem(uri: string): string | undefined {
  const [bare = '', fragment = ''] = cut(uri, '#');
  const refused = (shown: string, cause: string): string =>
    `x509: cannot parse URI ${quote(uri)}: parse ${quote(shown)}: ${cause}`;
  const cause = parseProblem(bare);
  if (cause !== undefined) return refused(bare, cause);
  const fragmentCause = escapeProblem(fragment);
  if (fragmentCause !== undefined) return refused(uri, fragmentCause);
  const host = hostOf(bare);
  return isDomain(host) ? undefined : `x509: cannot parse URI ${quote(uri)}: invalid domain`;
}

/** Before and behind the first `separator`. */
function cut(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+\-.]*:/;

/** undefined: no authority. */
function authorityOf(bare: string): string | undefined {
  const rest = cut(bare.replace(SCHEME, ''), '?')[0];
  return rest.startsWith('//') ? cut(rest.slice(2), '/')[0] : undefined;
}

/** Source: net/url parse. */
function parseProblem(bare: string): string | undefined {
  for (const character of bare)
    if (character < ' ' || character === '\x7f') return 'net/url: invalid control character in URL';
  if (bare === '*') return undefined;
  if (bare.startsWith(':')) return 'missing protocol scheme';
  const scheme = (SCHEME.exec(bare)?.[0] ?? '').toLowerCase();
  const rest = cut(bare.slice(scheme.length), '?')[0];
  if (!rest.startsWith('/')) {
    if (scheme !== '') return undefined;
    if (cut(rest, '/')[0].includes(':')) return 'first path segment in URL cannot contain colon';
  }
  const authority = scheme !== '' || !rest.startsWith('///') ? authorityOf(bare) : undefined;
  if (authority === undefined) return escapeProblem(rest);
  return authorityProblem(scheme, authority) ?? escapeProblem(rest.slice(2 + authority.length));
}

/** Source: net/url parseAuthority. */
function authorityProblem(scheme: string, authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const problem = hostProblem(scheme, authority.slice(at + 1));
  if (problem !== undefined || at < 0) return problem;
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return 'net/url: invalid userinfo';
  return escapeProblem(user);
}

/** Source: net/url parseHost. Scoped IPv6 literals are not looked into. */
function hostProblem(scheme: string, host: string): string | undefined {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return 'invalid IP-literal';
  if (bracket === 0) {
    const end = host.lastIndexOf(']');
    if (end < 0) return "missing ']' in host";
    const port = host.slice(end + 1);
    if (!isPort(port)) return `invalid port ${quote(port)} after host`;
    const literal = cut(host.slice(1, end), '%25')[0];
    if (isIPv6(literal)) return undefined;
    return isIPv4(literal) ? 'invalid IP-literal' : `invalid host: ParseAddr(${quote(literal)}): unable to parse IP`;
  }
  const colon = scheme === 'http:' || scheme === 'https:' ? host.indexOf(':') : host.lastIndexOf(':');
  const port = colon < 0 ? '' : host.slice(colon);
  if (!isPort(port)) return `invalid port ${quote(port)} after host`;
  for (let index = 0; index < host.length; index++) {
    if (host[index] === '%') {
      const escape_ = host.slice(index, index + 3);
      // In a host only bytes beyond ASCII may be escaped.
      if (!/^%[89A-Fa-f][0-9A-Fa-f]$/.test(escape_)) return `invalid URL escape ${quote(escape_)}`;
      index += 2;
    } else if (/[ \\^`{|}]/.test(host[index] ?? ''))
      return `invalid character ${quote(host[index] ?? '')} in host name`;
  }
  return undefined;
}

const isPort = (port: string): boolean => /^(:[0-9]*)?$/.test(port);

/** The first percent sign that no two hex digits follow, with what is behind it. Source: net/url unescape. */
function escapeProblem(text: string): string | undefined {
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
    const found = text.slice(at, at + 3);
    if (!/^%[0-9A-Fa-f]{2}$/.test(found)) return `invalid URL escape ${quote(found)}`;
  }
  return undefined;
}

/** url.URL.Host: user information cut off, port kept. */
function hostOf(bare: string): string {
  const authority = authorityOf(bare) ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1);
}

/**
 * Source: crypto/x509 domainNameValid (constraint false): printable, no empty label, no final dot; empty is fine. What
 * is escaped in a host is not ASCII.
 */
const isDomain = (name: string): boolean =>
  name === '' ||
  name.startsWith('[') ||
  (/^[\x21-\x24\x26-\x7e]*$/.test(name) && name.split('.').every((label) => label !== ''));

/**
 * How Go writes a URI back that it has read: the scheme in lower case, what may not stand in a path or fragment
 * escaped.
 * Source: net/url URL.String.
 */
export function goUri(uri: string): string {
  const [bare, fragment] = cut(uri, '#');
  const scheme = SCHEME.exec(bare)?.[0] ?? '';
  const [rest, query] = cut(bare.slice(scheme.length), '?');
  const asked = bare.includes('?') ? `?${query}` : '';
  const lower = scheme.toLowerCase();
  const behind = fragment === '' ? '' : `#${encoded(fragment, /[A-Za-z0-9\-_.~$&+,/:;=?@!()*]/)}`;
  if (scheme !== '' && !rest.startsWith('/')) return `${lower}${rest}${asked}${behind}`;
  const authority = authorityOf(bare);
  const before = authority === undefined ? '' : `//${authority}`;
  return `${lower}${before}${encoded(rest.slice(before.length), /[A-Za-z0-9\-_.~$&+,/:;=@]/)}${asked}${behind}`;
}

/** The text as it is where every character may stand raw; else decoded and encoded afresh. */
function encoded(text: string, plain: RegExp): string {
  if ([...text].every((character) => plain.test(character) || "!'()*[]%".includes(character))) return text;
  const bytes = Buffer.from(
    text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  return [...bytes]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return plain.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
