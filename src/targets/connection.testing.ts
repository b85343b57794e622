/** How tests and tools reach a reference over connections, as its administrator. */
import { type Connection, fixedCredential } from './connection.js';
import type { Reference } from './reference.js';

export const connectionTo = ({ url, caPem, admin: { certificate, key } }: Reference): Connection => ({
  server: url,
  name: 'reference',
  caPem,
  insecure: false,
  credential: fixedCredential({ certificate: { certificate, key }, secrets: [key] }),
});
