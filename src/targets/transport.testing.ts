/** For tests only: transports to small servers, and what is closed after the tests of a file. */
import { after } from 'node:test';
import type { Connection } from './connection.js';
import { type Sent, Transport } from './transport.js';

const open: { close(): Promise<void> }[] = [];
after(() => Promise.all(open.map((one) => one.close())));

export const kept = <T extends { close(): Promise<void> }>(one: T): T => {
  open.push(one);
  return one;
};
export const never: AbortSignal = new AbortController().signal;

const sink = { secret: () => undefined, redact: (text: string) => text };
export const transport = (connection: Connection): Transport => kept(new Transport(connection, sink));

export const question = (more: Partial<Sent> = {}): Sent => ({
  method: 'GET',
  path: '/version',
  headers: [],
  timeoutMs: 5_000,
  ...more,
});
