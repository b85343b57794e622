/**
 * What a check finds: one thing looked at, what was demanded of it and what was seen. Pure data, no secret in it.
 * Findings are what verdicts, reports, waivers and replays are made of.
 */
import { held } from './foreign.js';

/** `unclear`: an answer came that says nothing about the demand (a 5xx, a body of another kind). */
export const RESULTS = ['met', 'unmet', 'unclear'] as const;
export type Result = (typeof RESULTS)[number];

/**
 * A *demand* is what the rule is about. A *control* is what must be so for the demands to mean anything: the same
 * thing, allowed; the controller, at work. An unmet control is an error of the judgement, never a failure of the
 * target.
 */
export const ROLES = ['demand', 'control'] as const;
export type Role = (typeof ROLES)[number];

export interface Finding {
  /** "Secret kube-system/bootstrap-token-07401b", "GET /version as anonymous" */
  readonly subject: string;
  readonly role: Role;
  /** In one clause. */
  readonly demanded: string;
  /** In one clause; never a secret. */
  readonly seen: string;
  readonly result: Result;
  /**
   * The demand is that something is refused, absent or left undone. Met, it proves nothing by itself: a target that
   * does nothing at all meets it, too. A scenario of such findings alone needs a met control.
   */
  readonly refusal?: true;
  /** Information that is not to blame: a known extra of a distribution, an advice. */
  readonly note?: string;
}

/** What a report keeps of thousands of findings of one check. */
export const EVIDENCE = ['examples', 'full'] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** Findings that a report counts only, beside the examples that it tells. */
export type More = Readonly<Record<Result, number>>;
export const NO_MORE: More = { met: 0, unmet: 0, unclear: 0 };

/** The counts of several judgements together. */
export const summed = (counts: readonly (More | undefined)[]): More =>
  counts.reduce<More>(
    (sum, { met, unmet, unclear } = NO_MORE) => ({
      met: sum.met + met,
      unmet: sum.unmet + unmet,
      unclear: sum.unclear + unclear,
    }),
    NO_MORE,
  );

/** What a check says of one thing; `ok` undefined: unclear. */
export interface Look {
  readonly subject: string;
  readonly demanded: string;
  readonly seen: string;
  readonly ok: boolean | undefined;
  readonly note?: string | undefined;
}

const made = (role: Role, { subject, demanded, seen, ok, note }: Look, refusal: boolean): Finding => ({
  subject: held(subject),
  role,
  demanded: held(demanded),
  seen: held(seen),
  result: ok === undefined ? 'unclear' : ok ? 'met' : 'unmet',
  ...(refusal ? { refusal: true } : {}),
  ...(note === undefined ? {} : { note: held(note) }),
});

/** Something is there, is so, or is allowed. */
export const demand = (look: Look): Finding => made('demand', look, false);

/** Something is refused, absent or left undone. */
export const refusal = (look: Look): Finding => made('demand', look, true);

/** What has to be so for the demands of the scenario to mean anything. */
export const control = (look: Look): Finding => made('control', look, false);

/** The same findings as controls: where one rule takes for granted what another one demands. */
export const asControls = (findings: readonly Finding[]): readonly Finding[] =>
  findings.map(({ refusal: _, ...finding }) => ({ ...finding, role: 'control' }));

/** "Secret a/b: has the key; seen: it has not" */
export const sentenceOf = ({ subject, demanded, seen }: Finding): string => `${subject}: ${demanded}; seen: ${seen}`;
