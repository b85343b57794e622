/** What somebody has asked a server, for the tests of checks of joining clients. */
import type { Seen } from './joining-client-reader.js';

export const seenAs = (what: string, as: string, more: Partial<Seen> = {}): Seen => ({
  first: 0,
  last: 0,
  times: 1,
  connection: 1,
  certificate: 'good',
  what,
  as,
  answered: 200,
  ...more,
});
