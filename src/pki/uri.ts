/** Which URIs Go's net/url takes, as far as subject alternative names need it. Source: Go net/url parse, crypto/x509 parseSANExtension. */

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
    named[character] ?? (character >= ' ' && character < '\x7f' ? character : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `"${[...text].map(one).join('')}"`;
}

/** Go's text for a URI that cannot be a subject alternative name; undefined where it can. */
export function uriProblem(uri: string): string | undefined {
  const cause = parseProblem(uri);
  if (cause !== undefined) return `x509: cannot parse URI ${quote(uri)}: parse ${quote(uri)}: ${cause}`;
  const host = hostOf(uri);
  if (host !== '' && !domainNameValid(host)) return `x509: cannot parse URI ${quote(uri)}: invalid domain`;
  return undefined;
}

function parseProblem(uri: string): string | undefined {
  for (const character of uri) if (character < ' ' || character === '\x7f') return 'net/url: invalid control character in URL';
  if (uri === '*') return undefined;
  const bare = uri.split('#', 1)[0] ?? '';
  if (bare.startsWith(':')) return 'missing protocol scheme';
  const scheme = /^[A-Za-z][A-Za-z0-9+\-.]*:/.exec(bare)?.[0] ?? '';
  const rest = (bare.slice(scheme.length).split('?', 1)[0] ?? '').replace(/\?$/, '');
  if (scheme !== '' && !rest.startsWith('/')) return undefined;
  if (scheme === '' && !rest.startsWith('/') && (rest.split('/', 1)[0] ?? '').includes(':')) return 'first path segment in URL cannot contain colon';
  const authority = /^\/\/([^/]*)/.exec(rest)?.[1];
  if (authority !== undefined) {
    const host = authority.slice(authority.lastIndexOf('@') + 1);
    const port = host.startsWith('[') ? /\](.*)$/.exec(host)?.[1] : /(:[^:]*)$/.exec(host)?.[1];
    if (host.startsWith('[') && port === undefined) return "missing ']' in host";
    if (port !== undefined && port !== '' && !/^:\d*$/.test(port)) return `invalid port ${quote(port)} after host`;
    const bad = /[ "<>\\^`{|}]/.exec(host)?.[0];
    if (bad !== undefined) return `invalid character ${quote(bad)} in host name`;
    const hostEscape = badEscape(host);
    if (hostEscape !== undefined) return `invalid URL escape ${quote(hostEscape)}`;
  }
  const pathEscape = badEscape(authority === undefined ? rest : rest.slice(authority.length + 2));
  return pathEscape === undefined ? undefined : `invalid URL escape ${quote(pathEscape)}`;
}

/** The first percent sign that no two hex digits follow, with up to two characters behind it. */
function badEscape(text: string): string | undefined {
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
    const found = text.slice(at, at + 3);
    if (!/^%[0-9A-Fa-f]{2}$/.test(found)) return found;
  }
  return undefined;
}

/** url.URL.Host: user information cut off, port kept. */
function hostOf(uri: string): string {
  const authority = /^(?:[A-Za-z][A-Za-z0-9+\-.]*:)?\/\/([^/?#]*)/.exec(uri)?.[1] ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1);
}

/** Source: crypto/x509 domainNameValid (constraint false): printable, no empty label, no final dot. */
function domainNameValid(name: string): boolean {
  if (name === '') return true;
  return /^[\x21-\x7e]*$/.test(name) && name.split('.').every((label) => label !== '');
}
