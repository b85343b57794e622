/**
 * How the service of the kubelet is started: parts of its systemd unit, and the flags that it comes to.
 * Source: systemd.exec(5), systemd.service(5); kubernetes/release, kubeadm 10-kubeadm.conf.
 */

/** A part of the unit of the kubelet: what it adds to the environment, and what it starts. */
export interface ServiceSeen {
  readonly variables: Readonly<Record<string, string>>;
  /** Files of variables. */
  readonly files: readonly string[];
  /** The last command; undefined where it names none. */
  readonly command: string | undefined;
}

/** Where packages let an operator add flags of the kubelet. Source: kubernetes/release, 10-kubeadm.conf. */
export const EXTRA_ARGS: readonly string[] = ['/etc/default/kubelet', '/etc/sysconfig/kubelet'];

/** Flags of a command line, "--a=b" and "--a b"; without a value "true". */
export const flagsIn = (line: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    line.split(/\s+/).flatMap((word, at, words) => {
      const next = /^[^-$]/.test(words[at + 1] ?? '') ? words[at + 1] : undefined;
      const [, name, value = next ?? 'true'] = /^--?([^=]+)(?:=(.*))?$/.exec(word) ?? [];
      return name === undefined ? [] : [[name, value] as const];
    }),
  );

/** KUBELET_KUBEADM_ARGS="--a=b …" as flags; or what is wrong with it, a sentence. */
export function variableIn(content: string, variable: string): Readonly<Record<string, string>> | string {
  const line = content.split('\n').find((one) => one.startsWith(`${variable}=`));
  if (line === undefined) return `it sets no ${variable}`;
  const value = line.slice(variable.length + 1).trim();
  if (value.startsWith('"') !== value.endsWith('"') || value === '"') return 'its quote is not closed';
  return flagsIn(value.startsWith('"') ? value.slice(1, -1) : value);
}

const valuesOf = (content: string, key: string): readonly string[] =>
  content
    .replace(/\\\n/g, ' ')
    .split('\n')
    .flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1).trim()] : []));

/** One file of kubelet.service.d. An empty ExecStart takes away what was said before. */
export function serviceIn(content: string): ServiceSeen {
  const variables = valuesOf(content, 'Environment').flatMap((value) => {
    const [, name, set] = /^([A-Z_]+)=(.*)$/.exec(value.replace(/^"(.*)"$/, '$1')) ?? [];
    return name === undefined ? [] : [[name, set ?? ''] as const];
  });
  return {
    variables: Object.fromEntries(variables),
    files: valuesOf(content, 'EnvironmentFile').map((file) => file.replace(/^-/, '')),
    command: valuesOf(content, 'ExecStart').findLast((command) => command !== ''),
  };
}

/** The command of several parts, one after the other, with the variables of all; undefined where none names one. */
export function commandOf(parts: readonly ServiceSeen[]): string | undefined {
  const variables: Readonly<Record<string, string>> = Object.assign({}, ...parts.map((part) => part.variables));
  const command = parts.findLast((part) => part.command !== undefined)?.command;
  return command?.replace(/\$\{?([A-Z_]+)\}?/g, (whole, name: string) => variables[name] ?? whole);
}
