/** A bearer token among the subprotocols of a websocket. Source: apiserver, pkg/authentication/request/websocket/protocol.go. */

const PREFIX = 'base64url.bearer.authorization.k8s.io.';

/** The token, or why it is refused; undefined: there is none. `values` are those of Sec-WebSocket-Protocol, in order. */
export function webSocketToken(
  values: readonly string[],
): { readonly token: string } | { readonly error: string } | undefined {
  let token = '';
  let seen = false;
  let others = 0;
  for (const protocol of values.flatMap((value) => value.split(',')).map((one) => one.trim())) {
    if (!protocol.startsWith(PREFIX)) {
      others += 1;
      continue;
    }
    if (seen) return { error: 'multiple base64.bearer.authorization tokens specified' };
    seen = true;
    const encoded = protocol.slice(PREFIX.length).replaceAll(/[\r\n]/g, '');
    // Go's unpadded alphabet: a rest of one character is no byte.
    if (!/^[A-Za-z0-9_-]*$/.test(encoded) || encoded.length % 4 === 1)
      return { error: 'invalid base64.bearer.authorization token encoding' };
    try {
      token = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64url'));
    } catch {
      return { error: 'invalid base64.bearer.authorization token' };
    }
  }
  if (token === '') return undefined;
  return others === 0 ? { error: 'missing additional subprotocol' } : { token };
}
