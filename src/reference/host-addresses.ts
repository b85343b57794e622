/** Where a reference listens, where others reach it, and why it cannot listen as asked. */
import { networkInterfaces } from 'node:os';

/** The reference cannot be started as asked. The message is a sentence for people. */
export class CannotStart extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

export const isUnspecified = (host: string): boolean => host === '0.0.0.0' || host === '::';

/**
 * Where others reach a server that listens at `host`: the machine's own addresses, outward ones first, where it listens
 * at all of them.
 */
export function addressesOf(host: string): readonly string[] {
  if (!isUnspecified(host)) return [host === 'localhost' ? '127.0.0.1' : host];
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const usable = all.filter(({ family, scopeid }) => family === 'IPv4' || (host === '::' && scopeid === 0));
  return [...usable.filter(({ internal }) => !internal), ...usable.filter(({ internal }) => internal)].map(
    (one) => one.address,
  );
}

/**
 * An address for documentation (RFC 5737): kube-apiserver and kubeadm refuse to advertise loopback, and nobody dials
 * this one.
 */
export const ADVERTISED = '192.0.2.10';

/** What a control plane that is reached at `address` says that its machine's own address is. */
export const advertisedFor = (address: string): string =>
  /^(?:127\.|::1$|localhost$)/.test(address) ? ADVERTISED : address;

export function cannotListen(error: unknown, host: string, port: number): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new CannotStart(`Port ${port} of ${host} is in use. Give another with --port, or 0 for any free one.`);
  if (code === 'EACCES')
    return new CannotStart(
      `Port ${port} may not be used by this user. Give one above 1023 with --port, or 0 for any free one.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EINVAL')
    return new CannotStart(
      `"${host}" is no address of this machine. Give one that is with --host, for example 127.0.0.1.`,
    );
  return error instanceof Error ? error : new Error(String(error));
}
