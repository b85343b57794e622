/** Flags of the control plane as its mirror Pods show them. Pure. Source: 001; 002, flags of the API server and the controller manager. */
import type { KubeObject } from '../kubernetes/objects.js';
import { type Evidence, judgeEach, type Verdict } from './verdict.js';

const fields = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {});
const strings = (value: unknown): string[] => (Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []);

export interface CommandLine {
  readonly pod: string;
  readonly flags: ReadonlyMap<string, string>;
}

/** Command lines of the Pods that show one; flags without value are "true". */
export function commandLines(pods: readonly KubeObject[]): CommandLine[] {
  return pods.flatMap((pod) => {
    const containers = fields(pod.spec).containers;
    const first = fields(Array.isArray(containers) ? containers[0] : undefined);
    const words = [...strings(first.command), ...strings(first.args)];
    if (words.length < 2) return [];
    const flags = words.flatMap((word) => {
      const [, name, value] = /^--?([a-z0-9-]+)(?:=(.*))?$/s.exec(word) ?? [];
      return name === undefined ? [] : [[name, value ?? 'true'] as const];
    });
    return [{ pod: `Pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`, flags: new Map(flags) }];
  });
}

/** kube-apiserver takes bootstrap tokens. */
export const judgeTokenFlag = (lines: readonly CommandLine[]): Verdict =>
  judgeEach(
    lines.map(({ pod, flags }): Evidence => {
      const value = flags.get('enable-bootstrap-token-auth');
      const seen = value === undefined ? 'the flag is not there, and its default is false' : `--enable-bootstrap-token-auth=${value}`;
      return { object: pod, demanded: '--enable-bootstrap-token-auth is on', seen, ok: value !== undefined && /^(true|1|t|T|TRUE|True)$/.test(value) };
    }),
    'kube-system shows no Pod of kube-apiserver with its command',
  );

/** Controllers that are off unless named, with both names they go by since 1.28. */
export const OPTIONAL_CONTROLLERS = {
  tokencleaner: ['tokencleaner', 'token-cleaner-controller'],
  bootstrapsigner: ['bootstrapsigner', 'bootstrap-signer-controller'],
} as const;
export type OptionalController = keyof typeof OPTIONAL_CONTROLLERS;

export const judgeControllers = (lines: readonly CommandLine[], controller: OptionalController): Verdict =>
  judgeEach(
    lines.map(({ pod, flags }): Evidence => {
      const value = flags.get('controllers') ?? '*';
      const named = value.split(',');
      const ok = named.includes('*') && OPTIONAL_CONTROLLERS[controller].some((name) => named.includes(name));
      return { object: pod, demanded: `--controllers has * and ${controller}`, seen: `--controllers=${value}`, ok };
    }),
    'kube-system shows no Pod of kube-controller-manager with its command',
  );
