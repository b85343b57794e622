/** Reads what kubeadm says of a machine. Source: cmd/kubeadm/app/preflight/checks.go RunChecks. */
import type { LookKind, PreflightRun } from '../../kubernetes/preflight-run.js';

/** One line of a check. */
export interface Told {
  readonly level: 'ERROR' | 'WARNING';
  readonly check: string;
  readonly message: string;
}

/** One look at one machine, as it can be judged again. */
export interface Looked {
  /** "init: without mount" */
  readonly subject: string;
  readonly look: LookKind;
  /** null: it had to be ended. */
  readonly exit: number | null;
  readonly told: readonly Told[];
  /** It says itself that checks have failed. */
  readonly stopped: boolean;
  /** It began to look. */
  readonly began: boolean;
  /** Its last words. */
  readonly words: string;
  readonly written: readonly string[];
  /** Files that were there, and are others now or gone; left out: none. */
  readonly changed?: readonly string[];
  /** What it warned of beside checks; left out: nothing. */
  readonly warned?: readonly string[];
}

/** A tabulator may be told by its name. */
const LINE = /^(?:\s|\\t)*\[(ERROR|WARNING) ([^\]]+)\]: (.*)$/;
const FATAL = /\[preflight\] Some fatal errors occurred|preflight checks failed/;
const TRACE = /^To see the stack trace/;
const BEGINS = /^\[preflight\] Running pre-flight checks/;

/** As klog writes it, and as joinproof does. */
const WARNING = /^(?:W\d{4} [^\]]*\] |warning: )(.*)$/;

/** Lists of nothing are left out. */
const some = <K extends string>(name: K, all: readonly string[]): Partial<Record<K, readonly string[]>> =>
  all.length === 0 ? {} : ({ [name]: all } as Record<K, readonly string[]>);

export function readLook({ machine, look, exit, said, written, changed = [] }: PreflightRun): Looked {
  const told = said.flatMap((line): readonly Told[] => {
    const [, level, check = '', message = ''] = LINE.exec(line) ?? [];
    return level === 'ERROR' || level === 'WARNING' ? [{ level, check, message }] : [];
  });
  const spoken = said.filter((line) => line.trim() !== '' && !TRACE.test(line));
  const words = spoken.findLast((line) => /^error/.test(line)) ?? spoken.at(-1) ?? '';
  return {
    subject: `${look}: ${machine}`,
    look,
    exit: exit ?? null,
    told,
    stopped: said.some((line) => FATAL.test(line)),
    began: said.some((line) => BEGINS.test(line)),
    words: words.slice(0, 400),
    written,
    ...some('changed', changed),
    ...some(
      'warned',
      said.flatMap((line) => WARNING.exec(line)?.[1]?.slice(0, 400) ?? []),
    ),
  };
}
