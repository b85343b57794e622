/** What a connection tells of its client, and headers as they came. */
import { TLSSocket } from 'node:tls';

const chains = new WeakMap<TLSSocket, readonly Buffer[]>();
/**
 * Every certificate that the client sent, leaf first; looked up once per connection. The plain objects of
 * getPeerCertificate cost a hundred times more.
 */
export function chainOf(socket: unknown): readonly Buffer[] {
  if (!(socket instanceof TLSSocket)) return [];
  const known = chains.get(socket);
  if (known !== undefined) return known;
  const chain: Buffer[] = [];
  for (let peer = socket.getPeerX509Certificate(); peer !== undefined; peer = peer.issuerCertificate) {
    const { raw } = peer;
    if (chain.some((seen) => seen.equals(raw))) break;
    chain.push(raw);
  }
  chains.set(socket, chain);
  return chain;
}

export function headersOf(message: { readonly rawHeaders: readonly string[] }): Record<string, string[]> {
  const headers: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  const raw = message.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    // Values stay bytes (Latin-1), as Node reads them: who needs text decodes it.
    const text = raw[index + 1] as string;
    const list = headers[name];
    if (list === undefined) headers[name] = [text];
    else list.push(text);
  }
  return headers;
}
