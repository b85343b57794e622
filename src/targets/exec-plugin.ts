/**
 * Credential plugins of a kubeconfig's user.exec. Source of the semantics: client-go
 * plugin/pkg/client/auth/exec/exec.go and client.authentication.k8s.io v1, v1beta1.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { isAbsolute, resolve, sep } from 'node:path';
import { record, text } from '../kubernetes/json.js';
import { cut } from '../model/foreign.js';
import { jsonOf } from './answer-body.js';
import type { Carried, Credential } from './connection.js';
import { ConfigurationError } from './errors.js';
import type { Fields } from './kubeconfig-files.js';
import { checkedPair } from './pem.js';
import { Redactor } from './redaction.js';

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const MODES = ['Never', 'IfAvailable', 'Always'];
/** A plugin that talks to nobody answers within seconds; a person at a terminal may need a while. */
const QUIET_MS = 60_000;
const INTERACTIVE_MS = 300_000;
const LARGEST_OUTPUT = 1024 * 1024;
/** Characters that are kept of the end of what a plugin complains. */
const LONGEST_COMPLAINT = 64 * 1024;

/** The cluster as a plugin sees it with provideClusterInfo. */
export interface ExecCluster {
  readonly server: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'certificate-authority-data'?: string;
  readonly 'proxy-url'?: string;
  readonly 'disable-compression'?: boolean;
  readonly config?: unknown;
}

export interface ExecOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: boolean;
  readonly now: () => number;
  readonly timeoutMs?: number;
}

interface Plugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly shown: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly mode: string;
  readonly hint: string;
  readonly cluster: ExecCluster | undefined;
}

/** Checks the entry at once and runs it at the first request. Throws ConfigurationError. */
export function execCredential(exec: Fields, cluster: ExecCluster, options: ExecOptions): Credential {
  const plugin = pluginOf(exec, cluster, options.env);
  let cached: { carried: Carried; expires: number | undefined } | undefined;
  let running: Promise<Carried> | undefined;
  return {
    current(signal) {
      if (cached !== undefined && (cached.expires === undefined || cached.expires > options.now()))
        return Promise.resolve(cached.carried);
      running ??= run(plugin, options, signal)
        .then((answer) => {
          cached = answer;
          return answer.carried;
        })
        .finally(() => {
          running = undefined;
        });
      return running;
    },
    refused() {
      cached = undefined;
      return true;
    },
  };
}

function pluginOf(exec: Fields, cluster: ExecCluster, env: NodeJS.ProcessEnv): Plugin {
  const command = exec.text('command');
  if (command === undefined)
    throw new ConfigurationError(`command of ${exec.where} is missing; name the credential plugin.`);
  const apiVersion = exec.text('apiVersion');
  if (apiVersion === undefined || !VERSIONS.includes(apiVersion)) {
    throw new ConfigurationError(
      `apiVersion of ${exec.where} is ${apiVersion ?? 'missing'}; joinproof speaks ${VERSIONS.join(' and ')}.`,
    );
  }
  const mode = exec.text('interactiveMode') ?? (apiVersion === VERSIONS[1] ? 'IfAvailable' : undefined);
  if (mode === undefined || !MODES.includes(mode)) {
    throw new ConfigurationError(
      `interactiveMode of ${exec.where} is ${mode ?? 'missing'}; it must be one of ${MODES.join(', ')}.`,
    );
  }
  const added: NodeJS.ProcessEnv = {};
  for (const item of exec.list('env')) {
    const pair = (typeof item === 'object' && item !== null ? item : {}) as { name?: unknown; value?: unknown };
    if (
      typeof pair.name !== 'string' ||
      pair.name === '' ||
      (pair.value !== undefined && typeof pair.value !== 'string')
    ) {
      throw new ConfigurationError(`env of ${exec.where} holds an entry that is not name and value, both texts.`);
    }
    added[pair.name] = pair.value ?? '';
  }
  const hint = exec.text('installHint');
  return {
    apiVersion,
    // A name alone is looked up in PATH; a path is relative to the kubeconfig.
    command: command.includes(sep) && !isAbsolute(command) ? resolve(exec.folder, command) : command,
    shown: command,
    args: exec.texts('args'),
    env: { ...env, ...added },
    mode,
    hint: hint === undefined ? '' : ` ${hint.trim()}`,
    cluster: exec.flag('provideClusterInfo') ? cluster : undefined,
  };
}

async function run(
  plugin: Plugin,
  options: ExecOptions,
  signal: AbortSignal,
): Promise<{ carried: Carried; expires: number | undefined }> {
  const interactive = plugin.mode !== 'Never' && options.terminal;
  if (plugin.mode === 'Always' && !interactive) {
    throw new ConfigurationError(
      `The credential plugin ${plugin.shown} wants a terminal, and there is none; run joinproof in a terminal or use another credential.`,
    );
  }
  const spec = { interactive, ...(plugin.cluster === undefined ? {} : { cluster: plugin.cluster }) };
  const info = JSON.stringify({ apiVersion: plugin.apiVersion, kind: 'ExecCredential', spec });
  const output = await outputOf(
    plugin,
    info,
    interactive,
    options.timeoutMs ?? (interactive ? INTERACTIVE_MS : QUIET_MS),
    signal,
  );
  return read(plugin, output);
}

function outputOf(
  plugin: Plugin,
  info: string,
  interactive: boolean,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(plugin.command, plugin.args, {
      env: { ...plugin.env, KUBERNETES_EXEC_INFO: info },
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', interactive ? 'inherit' : 'pipe'],
      // A group of its own, so that what it started ends with it; but one that asks a person needs the terminal's
      // group.
      detached: !interactive,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let complaint = '';
    let over: unknown;
    const kill = (why: unknown): void => {
      over ??= why;
      endGroup(child, interactive);
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const timer = setTimeout(
      () =>
        kill(
          new ConfigurationError(`The credential plugin ${plugin.shown} did not answer within ${timeoutMs / 1000} s.`),
        ),
      timeoutMs,
    );
    const stop = (): void => kill(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > LARGEST_OUTPUT)
        kill(
          new ConfigurationError(
            `The credential plugin ${plugin.shown} wrote more than 1 MiB; an ExecCredential is smaller.`,
          ),
        );
      else chunks.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('utf8')).slice(-LONGEST_COMPLAINT);
    });
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      act();
    };
    child.once('error', (error) => settle(() => reject(over ?? notStarted(plugin, error))));
    child.once('close', (code, by) =>
      settle(() => {
        if (over !== undefined) reject(over);
        else if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
        else {
          const how = code === null ? `was ended by ${by}` : `failed with exit code ${code}`;
          const last = lastLine(complaint, secretsOf(plugin, Buffer.concat(chunks).toString('utf8')));
          reject(
            new ConfigurationError(
              `The credential plugin ${plugin.shown} ${how}${last === '' ? '' : `: ${last}`}.${plugin.hint}`,
            ),
          );
        }
      }),
    );
  });
}

/** What the plugin knows that nobody else may: what its kubeconfig gives it, and what it has already said. */
function secretsOf({ env }: Plugin, output: string): readonly string[] {
  const given = Object.entries(env).flatMap(([name, value]) => (process.env[name] === value ? [] : [value ?? '']));
  const { token, clientKeyData } = record(record(jsonIn(output)).status);
  return [...given, text(token), text(clientKeyData)];
}

function jsonIn(output: string): unknown {
  try {
    return jsonOf(output);
  } catch {
    return undefined;
  }
}

/** Without secrets, and only then cut. */
function lastLine(complaint: string, secrets: readonly string[]): string {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  const line = redactor.redact(complaint).trim().split('\n').at(-1) ?? '';
  // Its beginning is lost, and with it what tells a secret.
  if (complaint.length === LONGEST_COMPLAINT && !complaint.trim().includes('\n')) return 'its message has no end';
  return cut(line, 400);
}

function endGroup(child: ChildProcess, interactive: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (interactive) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function notStarted(plugin: Plugin, error: Error): ConfigurationError {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT')
    return new ConfigurationError(
      `The credential plugin ${plugin.shown} of the kubeconfig was not found.${plugin.hint}`,
    );
  if (code === 'EACCES')
    return new ConfigurationError(
      `The credential plugin ${plugin.shown} of the kubeconfig may not be executed.${plugin.hint}`,
    );
  return new ConfigurationError(
    `The credential plugin ${plugin.shown} of the kubeconfig could not be started (${String(code)}).${plugin.hint}`,
  );
}

function read(plugin: Plugin, output: string): { carried: Carried; expires: number | undefined } {
  const bad = (why: string): ConfigurationError =>
    new ConfigurationError(`The credential plugin ${plugin.shown} ${why}.`);
  let answer: { apiVersion?: unknown; kind?: unknown; status?: Record<string, unknown> | null } | null;
  try {
    answer = JSON.parse(output);
  } catch {
    throw bad('did not write a JSON ExecCredential');
  }
  if (typeof answer !== 'object' || answer === null || answer.kind !== 'ExecCredential')
    throw bad('did not write an ExecCredential');
  if (answer.apiVersion !== plugin.apiVersion)
    throw bad(`answered in ${String(answer.apiVersion)}, but the kubeconfig asks for ${plugin.apiVersion}`);
  const { token, clientCertificateData: certificate, clientKeyData: key, expirationTimestamp } = answer.status ?? {};
  const has = (value: unknown): value is string => typeof value === 'string' && value !== '';
  if (!has(token) && !has(certificate) && !has(key)) throw bad('gave neither a token nor a client certificate');
  if (has(certificate) !== has(key))
    throw bad('gave a client certificate without its key, or a key without its certificate');
  const expires = has(expirationTimestamp) ? Date.parse(expirationTimestamp) : undefined;
  if (expires !== undefined && Number.isNaN(expires)) throw bad('gave an expirationTimestamp that is no RFC 3339 time');
  const carried: Carried = {
    ...(has(token) ? { authorization: `Bearer ${token}` } : {}),
    ...(has(certificate) && has(key)
      ? {
          certificate: checkedPair(
            certificate,
            key,
            `clientCertificateData of ${plugin.shown}`,
            `clientKeyData of ${plugin.shown}`,
          ),
        }
      : {}),
    secrets: [...(has(token) ? [token] : []), ...(has(key) ? [key] : [])],
  };
  return { carried, expires };
}
