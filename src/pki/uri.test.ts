import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { goUri, uriProblem } from './uri.js';

/** Go's cause alone. */
const cause = (uri: string): string | undefined =>
  uriProblem(uri)?.replace(/^x509: cannot parse URI "(?:[^"\\]|\\.)*": /, '');

describe('a URI as a name in a certificate', () => {
  it('is what net/url takes', () => {
    for (const uri of [
      'spiffe://cluster.local/ns/a/sa/b',
      'https://a.example:6443/x?y=z#w',
      'https://user:pass@a.example/',
      'https://[2001:db8::1]:443/',
      'https://[fe80::1%25eth0]/',
      'https://a.example:/',
      'urn:uuid:00000000',
      'mailto:a@b',
      '//a.example/x',
      '///x',
      '/x:y',
      'x/y:z',
      '*',
      '',
      'https://%C3%A9.example/%2F',
    ])
      assert.equal(
        uriProblem(uri),
        /%C3/.test(uri) ? 'x509: cannot parse URI "https://%C3%A9.example/%2F": invalid domain' : undefined,
        uri,
      );
  });

  it('is refused with the words of Go', () => {
    for (const [uri, problem] of [
      ['://a', 'parse "://a": missing protocol scheme'],
      ['a:b/c:d', undefined],
      ['1a:b', 'parse "1a:b": first path segment in URL cannot contain colon'],
      ['https://a\u007f/', 'parse "https://a\\x7f/": net/url: invalid control character in URL'],
      ['https://a[::1]/', 'parse "https://a[::1]/": invalid IP-literal'],
      ['https://[::1/', 'parse "https://[::1/": missing \']\' in host'],
      ['https://[::1]x/', 'parse "https://[::1]x/": invalid port "x" after host'],
      ['https://[::1]:a/', 'parse "https://[::1]:a/": invalid port ":a" after host'],
      ['https://[192.0.2.1]/', 'parse "https://[192.0.2.1]/": invalid IP-literal'],
      ['https://[a]/', 'parse "https://[a]/": invalid host: ParseAddr("a"): unable to parse IP'],
      ['https://a:b/', 'parse "https://a:b/": invalid port ":b" after host'],
      ['https://a:1:2/', 'parse "https://a:1:2/": invalid port ":1:2" after host'],
      ['x://a:1:2/', undefined],
      ['x://a:1:b/', 'parse "x://a:1:b/": invalid port ":b" after host'],
      ['https://a%20b/', 'parse "https://a%20b/": invalid URL escape "%20"'],
      ['https://a b/', 'parse "https://a b/": invalid character " " in host name'],
      ['https://a^b/', 'parse "https://a^b/": invalid character "^" in host name'],
      ['https://a/%zz', 'parse "https://a/%zz": invalid URL escape "%zz"'],
      ['https://a/%2', 'parse "https://a/%2": invalid URL escape "%2"'],
      ['/%zz', 'parse "/%zz": invalid URL escape "%zz"'],
      ['https://us er@a/', 'parse "https://us er@a/": net/url: invalid userinfo'],
      ['https://u%zz@a/', 'parse "https://u%zz@a/": invalid URL escape "%zz"'],
      ['https://a/#%zz', 'parse "https://a/#%zz": invalid URL escape "%zz"'],
      ['https://a..b/', 'invalid domain'],
      ['https://.a/', 'invalid domain'],
      ['https://a./', 'invalid domain'],
    ] as const)
      assert.equal(cause(uri), problem, uri);
    assert.equal(
      uriProblem('://"\\\t'),
      'x509: cannot parse URI "://\\"\\\\\\t": parse "://\\"\\\\\\t": net/url: invalid control character in URL',
    );
  });

  it('is written back as Go writes it', () => {
    for (const [uri, written] of [
      ['HTTPS://A.example/x', 'https://A.example/x'],
      ['https://a/x y', 'https://a/x%20y'],
      ['https://a/x%20y', 'https://a/x%20y'],
      ['https://a/x?y z', 'https://a/x?y z'],
      ['https://a/x?', 'https://a/x?'],
      ['https://a/x#', 'https://a/x'],
      ['https://a/#b c', 'https://a/#b%20c'],
      ['URN:a b', 'urn:a b'],
      ["/a'b", "/a'b"],
      ['//a/"', '//a/%22'],
      // What has to be escaped anew is decoded before.
      ['/%C3%A9 x', '/%C3%A9%20x'],
      ['/%2f%7e x', '//~%20x'],
      ['/é', '/%E9'],
      ['/a!(b)*[c] d', '/a%21%28b%29%2A%5Bc%5D%20d'],
      ['/a#b!(c)*? d', '/a#b!(c)*?%20d'],
      ["/a#b'c d", '/a#b%27c%20d'],
      ['/\n', '/%0A'],
    ] as const)
      assert.equal(goUri(uri), written, uri);
  });
});
