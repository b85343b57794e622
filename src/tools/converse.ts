/**
 * node dist/src/tools/converse.js KUBECONFIG FILE…: asks a real kube-apiserver the questions of conversations (see
 * src/apiserver/recorded/testing.ts) and writes its answers below them. The user of the kubeconfig may do
 * everything; no controllers run there, and the namespaces that the questions make are not there yet.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { parse } from 'yaml';
import { exchangesOf, type Heard, memoryFor, type Question } from '../apiserver/recorded/testing.js';

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

function ask(kubeconfig: Kubeconfig, { method, url, headers, body }: Question): Promise<Heard> {
  const cluster = kubeconfig.clusters[0]?.cluster ?? {};
  const user = kubeconfig.users[0]?.user ?? {};
  const bytes = (text = ''): Buffer => Buffer.from(text, 'base64');
  return new Promise((done, fail) => {
    const sent = request(
      new URL(url, cluster.server),
      {
        method,
        headers: { 'User-Agent': 'test/1', ...headers, 'Content-Length': Buffer.byteLength(body) },
        ca: bytes(cluster['certificate-authority-data']),
        cert: bytes(user['client-certificate-data']),
        key: bytes(user['client-key-data']),
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          done({
            code: answer.statusCode ?? 0,
            headers: { ...answer.headers, warning: answer.headersDistinct.warning },
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', fail);
    // A stream that nobody ends.
    sent.setTimeout(10_000, () => sent.destroy(new Error(`no end of ${url}`)));
    sent.end(body);
  });
}

const [from, ...files] = process.argv.slice(2);
if (from === undefined || files.length === 0) throw new Error('Name a kubeconfig and the files of some conversations.');
const kubeconfig = parse(readFileSync(from, 'utf8')) as Kubeconfig;
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  const memory = memoryFor(text);
  const blocks: string[] = [];
  for (const { asked, method, url, headers, body } of exchangesOf(text)) {
    const question = { method, url: memory.filled(url), headers, body: memory.filled(body) };
    blocks.push(`${asked}\n${memory.told(await ask(kubeconfig, question))}\n`);
  }
  writeFileSync(file, `${text.startsWith('# managedFields\n') ? '# managedFields\n\n' : ''}${blocks.join('\n')}`);
}
