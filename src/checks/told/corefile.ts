/**
 * Reader of a Corefile: its servers by their zones, and the plugins of each in the order in which they answer.
 * Source: caddy, caddyfile/parse.go; coredns, plugin.cfg and core/dnsserver/server.go.
 */

export interface CorePlugin {
  readonly name: string;
  readonly args: readonly string[];
  /** Lines in its braces. */
  readonly options: readonly (readonly string[])[];
}

export interface CoreServer {
  /** "cluster.local"; '' is the root. In lower case, without a port and the last dot. */
  readonly zones: readonly string[];
  readonly plugins: readonly CorePlugin[];
}

export interface Corefile {
  readonly servers: readonly CoreServer[];
  /** Every brace is closed. */
  readonly whole: boolean;
}

/** A comment begins at a word. */
const wordsOf = (line: string): readonly string[] => {
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"(.*)"$/, '$1'));
  const end = words.findIndex((word) => word.startsWith('#'));
  return end === -1 ? words : words.slice(0, end);
};

/** "dns://cluster.local.:53" names cluster.local. */
const zoneOf = (key: string): string =>
  key
    .replace(/^[a-z]{1,8}:\/\//, '')
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')
    .toLowerCase();

/** A snippet is a server that nobody asks. */
const isServer = (keys: readonly string[]): boolean => !keys.some((key) => key.startsWith('('));

/** Whoever speaks it otherwise is none that Pods ask. */
const isPlain = (key: string): boolean => !/^(?:tls|https|grpc|quic|https3):\/\//.test(key);

export function readCorefile(text: string): Corefile {
  const servers: CoreServer[] = [];
  let keys: string[] = [];
  let plugins: { name: string; args: string[]; options: (readonly string[])[] }[] = [];
  let depth = 0;
  for (const line of text.split('\n')) {
    const words = wordsOf(line);
    const opens = words.at(-1) === '{';
    const said = opens ? words.slice(0, -1) : words;
    if (words[0] === '}') {
      depth -= 1;
      if (depth === 0) {
        if (isServer(keys)) servers.push({ zones: keys.filter(isPlain).map(zoneOf), plugins });
        keys = [];
        plugins = [];
      }
      continue;
    }
    const [name, ...args] = said;
    if (depth === 0) keys.push(...said.flatMap((key) => key.split(',')).filter((key) => key !== ''));
    else if (depth === 1 && name !== undefined) plugins.push({ name, args, options: [] });
    else if (said.length > 0) plugins.at(-1)?.options.push(said);
    if (opens) depth += 1;
    // what stands beyond a server brings others in
    if (depth === 0 && keys[0] === 'import') keys = [];
  }
  return { servers, whole: depth === 0 };
}

/** Is a name in a zone? */
export const isInZone = (name: string, zone: string): boolean =>
  zone === '' || name === zone || name.endsWith(`.${zone}`);

/** Whom CoreDNS asks for a name: the server of the longest zone. */
export function serverFor({ servers }: Corefile, name: string): CoreServer | undefined {
  const longest = ({ zones }: CoreServer): number =>
    Math.max(-1, ...zones.filter((zone) => isInZone(name, zone)).map((zone) => zone.length));
  return servers
    .filter((server) => longest(server) >= 0)
    .toSorted((a, b) => longest(b) - longest(a))
    .at(0);
}
