/** Flags of the control plane as its mirror Pods show them. Pure. Source: 001; 002, flags of the API server and the controller manager. */
import type { KubeObject } from '../kubernetes/objects.js';
import { type Evidence, judgeEach, type Verdict } from '../model/evidence.js';

const fields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

export interface CommandLine {
  readonly pod: string;
  readonly flags: ReadonlyMap<string, string>;
}

/** Command lines of the Pods that show one; flags without value are "true", of a repeated one the last counts. */
export function commandLines(pods: readonly KubeObject[]): CommandLine[] {
  return pods.flatMap((pod) => {
    const containers = fields(pod.spec).containers;
    const first = fields(Array.isArray(containers) ? containers[0] : undefined);
    const words = [...strings(first.command), ...strings(first.args)];
    if (words.length < 2) return [];
    const flags = words.flatMap((word, index) => {
      const [, name, value] = /^--?([a-z0-9-]+)(?:=(.*))?$/s.exec(word) ?? [];
      if (name === undefined) return [];
      const next = words[index + 1];
      return [[name, value ?? (next === undefined || next.startsWith('-') ? 'true' : next)] as const];
    });
    return [{ pod: `Pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`, flags: new Map(flags) }];
  });
}

/** kube-apiserver takes bootstrap tokens. */
export const judgeTokenFlag = (lines: readonly CommandLine[]): Verdict =>
  judgeEach(
    lines.map(({ pod, flags }): Evidence => {
      const value = flags.get('enable-bootstrap-token-auth');
      const seen =
        value === undefined
          ? 'the flag is not there, and its default is false'
          : `--enable-bootstrap-token-auth=${value}`;
      return {
        object: pod,
        demanded: '--enable-bootstrap-token-auth is on',
        seen,
        ok: value !== undefined && /^(true|1|t|T|TRUE|True)$/.test(value),
      };
    }),
    'kube-system shows no Pod of kube-apiserver with its command',
  );

/** The parts of a list flag. */
export const listOf = (value: string | undefined): string[] =>
  value === undefined || value === '' ? [] : value.split(',').map((part) => part.trim());

/** The controllers that concern joining, with both names they go by since 1.28. Source: cmd/kube-controller-manager/names/controller_names.go. */
const CONTROLLERS = {
  tokencleaner: { names: ['tokencleaner', 'token-cleaner-controller'], byDefault: false },
  bootstrapsigner: { names: ['bootstrapsigner', 'bootstrap-signer-controller'], byDefault: false },
  csrapproving: { names: ['csrapproving', 'certificatesigningrequest-approving-controller'], byDefault: true },
  csrsigning: { names: ['csrsigning', 'certificatesigningrequest-signing-controller'], byDefault: true },
} as const;
export type JoiningController = keyof typeof CONTROLLERS;
export type OptionalController = 'tokencleaner' | 'bootstrapsigner';
export const isJoiningController = (name: string): name is JoiningController => Object.hasOwn(CONTROLLERS, name);

/** Does --controllers switch it on? The first entry that names it decides, then the star. Source: controller-manager, app/helper.go IsControllerEnabled. */
export function runsController(value: string | undefined, controller: JoiningController): boolean {
  const { names, byDefault } = CONTROLLERS[controller];
  const entries = listOf(value ?? '*');
  for (const entry of entries) {
    if (names.some((name) => name === entry)) return true;
    if (names.some((name) => `-${name}` === entry)) return false;
  }
  return entries.includes('*') && byDefault;
}

export const judgeControllers = (lines: readonly CommandLine[], controller: OptionalController): Verdict =>
  judgeEach(
    lines.map(({ pod, flags }): Evidence => {
      const value = flags.get('controllers') ?? '*';
      const named = listOf(value);
      const ok = named.includes('*') && runsController(value, controller);
      return { object: pod, demanded: `--controllers has * and ${controller}`, seen: `--controllers=${value}`, ok };
    }),
    'kube-system shows no Pod of kube-controller-manager with its command',
  );
