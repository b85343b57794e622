/**
 * An extension API server that repeats what it is sent: it stands behind an API server that joinproof has started,
 * which hands requests on to it. It listens on loopback, and keeps nothing.
 * Source: kube-aggregator, pkg/apiserver/handler_proxy.go.
 */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ExtensionServer, ServingPair } from './types.js';

const HOST = '127.0.0.1';
/** The group and version that are asked for. */
const VERSION = /^\/apis\/([^/?]+\/[^/?]+)(?:[/?]|$)/;

/** Servers that are closed together. */
export class ExtensionServers {
  readonly #servers: Server[] = [];

  /** Answers with a list of no resources, and with every header, each value as it came: `sent`. */
  async open({ certificate, key }: ServingPair): Promise<ExtensionServer> {
    const server = createServer({ cert: certificate, key }, (request, response) => {
      const groupVersion = VERSION.exec(request.url ?? '')?.[1];
      request.resume();
      if (groupVersion === undefined) {
        response.writeHead(404).end();
        return;
      }
      const { rawHeaders } = request;
      const sent = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1]]] : []));
      const answer = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [], sent };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    });
    this.#servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, HOST, resolve);
    });
    return { host: HOST, port: (server.address() as AddressInfo).port };
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#servers.splice(0).map(
        (server) =>
          new Promise<void>((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      ),
    );
  }
}
