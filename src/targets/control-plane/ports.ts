/** Free ports on loopback. */
import { createServer, type Server } from 'node:net';
import { ConfigurationError } from '../errors.js';

/**
 * All are held at once, so that no two are alike; somebody else may take one before it is used, hence callers try
 * again.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Server>((resolve, reject) => {
          const server = createServer();
          server.once('error', reject);
          server.listen(0, '127.0.0.1', () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

const ATTEMPTS = 3;

/** Tries again where somebody took a port between its choice and its use. */
export async function onFreePorts<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      const taken = error instanceof ConfigurationError && /address already in use/.test(error.message);
      if (attempt >= ATTEMPTS || !taken) throw error;
    }
  }
}
