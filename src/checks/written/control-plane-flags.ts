/**
 * Flags of the control plane as its mirror Pods show them.
 * Source: 001; 002, flags of the API server and the controller manager.
 */
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { flagsOfWords } from './flag-words.js';
import { startedWith } from './started-with.js';

export interface CommandLine {
  readonly pod: string;
  readonly flags: ReadonlyMap<string, string>;
}

/** Flags that are lists: repeated ones add to each other. Source: spf13/pflag, StringSlice. */
const LISTS = ['authorization-mode', 'controllers', 'disable-admission-plugins', 'enable-admission-plugins'];

/** Of a repeated flag the last counts, or all. */
export function together(flags: readonly (readonly [name: string, value: string])[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const [name, value] of flags) {
    const before = given.get(name);
    given.set(name, before !== undefined && LISTS.includes(name) ? `${before},${value}` : value);
  }
  return given;
}

/** Command lines of the Pods that show one; flags without value are "true". What is told by the environment gives way. */
export function commandLines(pods: readonly KubeObject[]): CommandLine[] {
  return pods.flatMap((pod) => {
    const { words, told } = startedWith(pod);
    if (words.length + told.length < 2) return [];
    const { flags } = flagsOfWords(words, /(?:^|\/)etcd$/.test(words[0] ?? '') ? 'etcd' : 'kubernetes');
    const subject = `Pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`;
    return [{ pod: subject, flags: together([...told, ...flags]) }];
  });
}

/** One flag of one component, as a Pod publishes it. */
export interface PublishedFlag {
  /** "Pod kube-system/kube-apiserver-cp1" */
  readonly subject: string;
  /** Without its dashes. */
  readonly flag: string;
  /** null: it is not set. */
  readonly value: string | null;
  /** Another flag that is set and takes its place; null where none is. */
  readonly instead: string | null;
}

/**
 * A file of configuration names the authorizers where it is given.
 * Source: pkg/kubeapiserver/options/authorization.go.
 */
export const INSTEAD: Readonly<Record<string, string>> = { 'authorization-mode': 'authorization-config' };

/** One flag of each command line: nothing else of it is told. */
export const flagOf = (lines: readonly CommandLine[], flag: string): PublishedFlag[] =>
  lines.map(({ pod, flags }) => {
    const other = INSTEAD[flag];
    return {
      subject: pod,
      flag,
      value: flags.get(flag) ?? null,
      instead: other !== undefined && flags.has(other) ? other : null,
    };
  });

/** The parts of a list flag. */
export const listOf = (value: string | undefined): string[] =>
  value === undefined || value === '' ? [] : value.split(',').map((part) => part.trim());

/**
 * The controllers that concern joining, with both names they go by since 1.28.
 * Source: cmd/kube-controller-manager/names/controller_names.go.
 */
const CONTROLLERS = {
  tokencleaner: { names: ['tokencleaner', 'token-cleaner-controller'], byDefault: false },
  bootstrapsigner: { names: ['bootstrapsigner', 'bootstrap-signer-controller'], byDefault: false },
  csrapproving: { names: ['csrapproving', 'certificatesigningrequest-approving-controller'], byDefault: true },
  csrsigning: { names: ['csrsigning', 'certificatesigningrequest-signing-controller'], byDefault: true },
  csrcleaner: { names: ['csrcleaner', 'certificatesigningrequest-cleaner-controller'], byDefault: true },
  nodelifecycle: { names: ['nodelifecycle', 'node-lifecycle-controller'], byDefault: true },
  'root-ca-cert-publisher': {
    names: ['root-ca-cert-publisher', 'root-ca-certificate-publisher-controller'],
    byDefault: true,
  },
  serviceaccount: { names: ['serviceaccount', 'serviceaccount-controller'], byDefault: true },
  nodeipam: { names: ['nodeipam', 'node-ipam-controller'], byDefault: true },
  endpointslice: { names: ['endpointslice', 'endpointslice-controller'], byDefault: true },
  daemonset: { names: ['daemonset', 'daemonset-controller'], byDefault: true },
  garbagecollector: { names: ['garbagecollector', 'garbage-collector-controller'], byDefault: true },
} as const;
export type JoiningController = keyof typeof CONTROLLERS;
export type OptionalController = 'tokencleaner' | 'bootstrapsigner';
export const isJoiningController = (name: string): name is JoiningController => Object.hasOwn(CONTROLLERS, name);

/**
 * Does --controllers switch it on? The first entry that names it decides, then the star.
 * Source: controller-manager, app/helper.go IsControllerEnabled.
 */
export function runsController(value: string | undefined, controller: JoiningController): boolean {
  const { names, byDefault } = CONTROLLERS[controller];
  const entries = listOf(value ?? '*');
  for (const entry of entries) {
    if (names.some((name) => name === entry)) return true;
    if (names.some((name) => `-${name}` === entry)) return false;
  }
  return entries.includes('*') && byDefault;
}

const SWITCHES = '001 and 002, flags of kube-apiserver and kube-controller-manager';

interface Opinion {
  readonly demanded: string;
  /** What an absent flag means. */
  readonly absent: string;
  readonly ok: boolean;
}

/**
 * One finding for each Pod whose flag counts. Where no Pod publishes its command there is nothing to say: others judge
 * by what it does.
 */
const each = <P>(
  name: string,
  opinion: (flag: PublishedFlag, parameters: P) => Opinion,
): Check<readonly PublishedFlag[], P> => ({
  id: `control-plane-flags/${name}`,
  source: SWITCHES,
  judge: (flags, parameters) =>
    flags
      .filter(({ instead }) => instead === null)
      .map((published): Finding => {
        const { subject, flag, value } = published;
        const { demanded, absent, ok } = opinion(published, parameters);
        return demand({ subject, demanded, seen: value === null ? absent : `--${flag}=${value}`, ok });
      }),
});

/** Source: strconv.ParseBool. */
export const isSwitchedOn = (value: string | null | undefined): boolean => /^(true|1|t|T|TRUE|True)$/.test(value ?? '');

/** A switch is on. */
export const switchedOn = each<undefined>('on', ({ flag, value }) => ({
  demanded: `--${flag} is on`,
  absent: 'the flag is not there, and its default is false',
  ok: isSwitchedOn(value),
}));

/** Something is given. */
export const flagGiven = each<undefined>('given', ({ flag, value }) => ({
  demanded: `--${flag} is given`,
  absent: 'not set',
  ok: value !== null && value !== '',
}));

/** Something is not given. */
export const flagNotGiven = each<undefined>('not-given', ({ flag, value }) => ({
  demanded: `--${flag} is not given`,
  absent: 'not set',
  ok: value === null || value === '',
}));

export const flagEquals = each<{ readonly wanted: string }>('equals', ({ flag, value }, { wanted }) => ({
  demanded: `--${flag}=${wanted}`,
  absent: 'not set',
  ok: value === wanted,
}));

/** A list has one item and has not another. */
export const flagLists = each<{ readonly wanted: string; readonly unwanted: string }>(
  'lists',
  ({ flag, value }, { wanted, unwanted }) => {
    const items = listOf(value ?? '');
    return {
      demanded: `--${flag} has ${wanted} and has not ${unwanted}`,
      absent: 'not set',
      ok: items.includes(wanted) && !items.includes(unwanted),
    };
  },
);

/** A list has not an item that would switch something off. */
export const flagLacks = each<{ readonly unwanted: string }>('lacks', ({ flag, value }, { unwanted }) => ({
  demanded: `--${flag} has not ${unwanted}`,
  absent: 'not set',
  ok: !listOf(value ?? '').includes(unwanted),
}));

/** --controllers leaves a controller on that is on by default. */
export const controllerLeftOn = each<{ readonly controller: JoiningController }>(
  'left-on',
  ({ flag, value }, { controller }) => ({
    demanded: `--${flag} leaves ${controller} on`,
    absent: 'not set, which is *',
    ok: runsController(value ?? undefined, controller),
  }),
);

/** --controllers names a controller that is off by default, and the star, without which all others are off. */
export const controllerNamed = each<{ readonly controller: OptionalController }>(
  'named',
  ({ flag, value }, { controller }) => ({
    demanded: `--${flag} has * and ${controller}`,
    absent: 'not set, which is *',
    ok: listOf(value ?? '*').includes('*') && runsController(value ?? undefined, controller),
  }),
);
