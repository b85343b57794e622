/** What kubeadm says of machines before init and join: by which checks it stops, warns, or says nothing. */
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import type { Looked, Told } from './preflight-reader.js';

const SOURCE = '002, preflight checks of init and join; cmd/kubeadm/app/preflight/checks.go';

/** A look, and what is expected of it. */
export interface Expected {
  readonly look: Looked;
  /** Name of a check. */
  readonly check: string;
  /** A part of its message; '' where any will do. */
  readonly words: string;
}

const linesOf = ({ look, check }: Expected, level: Told['level']): readonly Told[] =>
  look.told.filter((line) => line.check === check && line.level === level);

const endOf = ({ exit, words }: Looked): string =>
  exit === null ? 'it had to be ended' : `it ends with ${exit}${exit === 0 ? '' : `, saying "${words}"`}`;
/** All that it said, and how it ended. */
const seenOf = (look: Looked): string => {
  const told = look.told.map(({ level, check }) => `[${level} ${check}]`);
  return [...(told.length === 0 ? [] : [told.slice(0, 12).join(', ')]), endOf(look)].join('; ');
};
const saying = (words: string): string => (words === '' ? '' : `, saying "${words}"`);

/** It stops by itself, by this check. */
export const stops: Check<readonly Expected[]> = {
  id: 'preflight/stops',
  source: SOURCE,
  judge: (all) =>
    all.map((expected): Finding => {
      const { look, check, words } = expected;
      const errors = linesOf(expected, 'ERROR').filter(({ message }) => message.includes(words));
      return demand({
        subject: look.subject,
        demanded: `ends with an error of the check ${check}${saying(words)}`,
        seen: seenOf(look),
        ok: errors.length > 0 && look.stopped && look.exit !== null && look.exit !== 0,
      });
    }),
};

/** Nothing stops it. What comes after the checks of a join is another matter. */
const goesOn = ({ look, exit, told, stopped, began }: Looked): boolean =>
  began && !stopped && told.every(({ level }) => level !== 'ERROR') && (exit === 0 || look === 'join');

/** It goes on, and warns by this check. */
export const warns: Check<readonly Expected[]> = {
  id: 'preflight/warns',
  source: SOURCE,
  judge: (all) =>
    all.map((expected): Finding => {
      const { look, check, words } = expected;
      const warnings = linesOf(expected, 'WARNING').filter(({ message }) => message.includes(words));
      return demand({
        subject: look.subject,
        demanded: `goes on, with a warning of the check ${check}${saying(words)}`,
        seen: seenOf(look),
        ok: warnings.length > 0 && goesOn(look),
      });
    }),
};

/** It says nothing by this check. */
export const silent: Check<readonly Expected[]> = {
  id: 'preflight/silent',
  source: SOURCE,
  judge: (all) =>
    all.map(({ look, check }): Finding => {
      const name = check.toLowerCase();
      const told = look.told.filter((line) => line.check.toLowerCase().includes(name));
      return refusal({
        subject: look.subject,
        demanded: `says nothing of the check ${check}`,
        seen: told.length === 0 ? 'it says nothing of it' : seenOf(look),
        ok: told.length === 0 && look.began,
      });
    }),
};

/** It goes on, whatever it warns of. */
export const passes: Check<readonly Looked[]> = {
  id: 'preflight/passes',
  source: SOURCE,
  judge: (all) =>
    all.map(
      (look): Finding =>
        demand({ subject: look.subject, demanded: 'nothing stops kubeadm', seen: seenOf(look), ok: goesOn(look) }),
    ),
};

/** It stops, by whatever check. */
export const fails: Check<readonly Looked[]> = {
  id: 'preflight/fails',
  source: SOURCE,
  judge: (all) =>
    all.map(
      (look): Finding =>
        demand({
          subject: look.subject,
          demanded: 'kubeadm does not go on',
          seen: seenOf(look),
          ok: look.began && look.stopped && look.exit !== null && look.exit !== 0,
        }),
    ),
};

/** What it is told is refused before it looks at anything. */
export const refuses: Check<readonly Expected[]> = {
  id: 'preflight/refuses',
  source: 'cmd/kubeadm/app/apis/kubeadm/validation/validation.go',
  judge: (all) =>
    all.map(
      ({ look, words }): Finding =>
        demand({
          subject: look.subject,
          demanded: `what kubeadm is told is refused before any check${saying(words)}`,
          seen: seenOf(look),
          ok: look.exit !== null && look.exit !== 0 && look.told.length === 0 && look.words.includes(words),
        }),
    ),
};

/** It leaves the disk as it was. */
export const writesNothing: Check<readonly Looked[]> = {
  id: 'preflight/writes-nothing',
  source: SOURCE,
  judge: (all) =>
    all.map(
      (look): Finding =>
        refusal({
          subject: look.subject,
          demanded: 'no file is written',
          seen: look.written.length === 0 ? 'none is' : look.written.slice(0, 5).join(', '),
          ok: look.written.length === 0,
        }),
    ),
};

/** It goes on, and writes what an init writes. */
export const writes: Check<readonly Looked[]> = {
  id: 'preflight/writes',
  source: '002, phases of kubeadm init',
  judge: (all) =>
    all.map(
      (look): Finding =>
        demand({
          subject: look.subject,
          demanded: 'init goes on to write certificates',
          seen: look.written.length === 0 ? `no file is written; ${endOf(look)}` : look.written.slice(0, 5).join(', '),
          ok: look.written.some((file) => file.endsWith('/pki/ca.crt')),
        }),
    ),
};

/** Looks at the same machine before init and before a join. */
export interface Both {
  readonly init: Looked;
  readonly join: Looked;
}

/** What only a machine that joins must not have. */
const OF_JOINS = ['kubelet.conf', 'bootstrap-kubelet.conf', 'pki-ca.crt'].map(
  (name) => `FileAvailable--etc-kubernetes-${name}`,
);

/** Whatever a join says of a machine init says of it as well. */
export const isSubset: Check<readonly Both[]> = {
  id: 'preflight/is-subset',
  source: '002, preflight checks of join, note 1',
  judge: (all) =>
    all.map(({ init, join }): Finding => {
      const known = [...OF_JOINS, ...init.told.map(({ check }) => check)];
      const further = join.told.map(({ check }) => check).filter((check) => !known.includes(check));
      return demand({
        subject: join.subject,
        demanded: 'its checks are among those of init, but for files that a join must not find',
        seen: further.length === 0 ? `${join.told.length} lines of such checks` : [...new Set(further)].join(', '),
        ok: further.length === 0 && join.told.length > 0,
      });
    }),
};
