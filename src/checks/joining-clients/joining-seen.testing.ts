/** What somebody has asked a server, and how his join went, for the tests of checks of joining clients. */
import type { Attempt, Seen } from './joining-client-reader.js';

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

/** A join that ends with 0 and left nothing: each test says what else it is. */
export const attempted = (more: Partial<Attempt>): Attempt => ({
  subject: 'a',
  exit: 0,
  words: '',
  said: [],
  speaksKubeadm: true,
  milliseconds: 0,
  timeout: null,
  seen: [],
  left: [],
  ...more,
});
