/** Asks an etcd that kubeadm does not run for its version, as kubeadm does, but once. */

import { readFile } from 'node:fs/promises';
import { request as requestPlain } from 'node:http';
import { request } from 'node:https';
import type { EtcdQuestion } from '../../kubeadm/preflight/host.js';
import { record, text } from '../../kubernetes/json.js';
import { withoutSlashes } from '../../kubernetes/slashes.js';
import { codeOf } from '../error-code.js';

/** Milliseconds, and bytes of an answer. Source: externalEtcdRequestTimeout. */
const LIMIT = 10_000;
const LARGEST = 64 * 1024;

type Told = { readonly version: string } | { readonly failure: string };

function get(
  url: URL,
  files: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const ask = url.protocol === 'https:' ? request : requestPlain;
    const asking = ask(url, { ...files, timeout: LIMIT }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
        if (body.length > LARGEST) asking.destroy(new Error('the answer is too large'));
      });
      response.on('end', () => {
        const { statusCode = 0, statusMessage = '' } = response;
        if (statusCode < 500) resolve(body);
        else reject(new Error(`server responded with non-successful status: ${statusCode} ${statusMessage}`));
      });
    });
    asking.on('timeout', () => asking.destroy(new Error('context deadline exceeded')));
    asking.on('error', reject);
    asking.end();
  });
}

/** The version that it gives at /version, or why there is none. */
export async function askEtcd({ endpoint, caFile, certFile, keyFile }: EtcdQuestion): Promise<Told> {
  const read = async (file: string, what: string): Promise<Buffer | undefined> => {
    if (file === '') return undefined;
    return readFile(file).catch((error: unknown) => {
      const why = codeOf(error) === 'ENOENT' ? 'no such file or directory' : codeOf(error);
      throw new Error(`couldn't load external etcd's ${what} ${file}: open ${file}: ${why}`);
    });
  };
  try {
    const url = new URL(`${withoutSlashes(endpoint)}/version`);
    const ca = await read(caFile, 'server certificate');
    const cert = await read(certFile, 'certificate');
    const key = await read(keyFile, 'key');
    const body: unknown = JSON.parse(
      await get(url, {
        ...(ca === undefined ? {} : { ca }),
        ...(cert === undefined ? {} : { cert }),
        ...(key === undefined ? {} : { key }),
      }),
    );
    return { version: text(record(body).etcdserver) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
