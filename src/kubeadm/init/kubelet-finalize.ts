/**
 * The phase kubelet-finalize: kubelet.conf shows the pair that the kubelet has asked for, where it has asked for one,
 * and not the pair that init made for its first start.
 * Source: cmd/kubeadm/app/cmd/phases/init/kubeletfinalize.go.
 */
import { firstLine } from '../../kubernetes/first-line.js';
import { type Fields, record, records, text } from '../../kubernetes/json.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import { goYaml } from '../yaml.js';
import { InitFailed, type InitRun, MODES } from './host.js';

const PKI = '/var/lib/kubelet/pki';

/** Whose key stands in a kubeconfig beside these is shown by file. */
const EMBEDDED = ['client-certificate-data', 'client-key-data'];

/** Throws InitFailed. */
function userOf(config: Fields, path: string): string {
  const current = text(config['current-context']);
  if (current === '') throw new InitFailed(`the file "${path}" does not have current context set`);
  const invalid = (why: string): InitFailed => new InitFailed(`the file "${path}" is not a valid kubeconfig: ${why}`);
  const context = records(config.contexts).find(({ name }) => name === current);
  if (context === undefined) throw invalid(`"${current}" set as current-context, but not found in context list`);
  const user = text(record(context.context).user);
  if (user === '') throw invalid('empty username for current context');
  return user;
}

function loaded({ files }: InitRun, path: string): Fields {
  try {
    return record(parseYaml(files.read(path) ?? ''));
  } catch (error) {
    throw new InitFailed(`could not load "${path}": ${firstLine(error)}`);
  }
}

/** A kubelet that has no pair of its own, as one that does not rotate, keeps what it has. */
export function enableClientCertRotation(run: InitRun): void {
  const { configuration, files, tell } = run;
  const { kubernetesDir, kubeletExtraArgs, nodeName } = configuration;
  const told = kubeletExtraArgs.findLast(([name]) => name === 'cert-dir');
  const pair = `${told?.[1] ?? PKI}/kubelet-client-current.pem`;
  if (!files.exists(pair)) return;
  const path = `${kubernetesDir}/kubelet.conf`;
  tell(`[kubelet-finalize] Updating "${path}" to point to a rotatable kubelet client certificate and key`);
  if (!files.exists(path)) throw new InitFailed(`could not load "${path}": open ${path}: no such file or directory`);
  const config = loaded(run, path);
  const user = userOf(config, path);
  const users = records(config.users);
  if (!users.some(({ name }) => name === user))
    throw new InitFailed(`the file "${path}" does not contain authentication for user "${nodeName}"`);
  const pointed = users.map((one) => {
    if (one.name !== user) return one;
    const kept = Object.entries(record(one.user)).filter(([key]) => !EMBEDDED.includes(key));
    return { ...one, user: { ...Object.fromEntries(kept), 'client-certificate': pair, 'client-key': pair } };
  });
  files.write(path, goYaml({ ...config, users: pointed }), MODES.secret);
}
