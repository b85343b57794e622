/** Whether things are there. */
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import { type Answered, isBesides, shownAnswer } from './answers.js';

export interface Presence {
  /** "Secret kube-system/bootstrap-token-07401b" */
  readonly subject: string;
  /** undefined: it cannot be told. */
  readonly there: boolean | undefined;
}

const not = (there: boolean | undefined): boolean | undefined => (there === undefined ? undefined : !there);

/** Each thing is there. `demanded`: in the words of the rule ("is left alone"). */
export const isThere: Check<readonly Presence[], { readonly demanded: string }> = {
  id: 'presence/there',
  source: 'the rule that demands it',
  judge: (things, { demanded }) =>
    things.map(({ subject, there }) =>
      demand({ subject, demanded, seen: there ? 'it is there' : 'it is not there', ok: there }),
    ),
};

/** Each thing is gone, or was never made. */
export const isAbsent: Check<readonly Presence[], { readonly demanded: string }> = {
  id: 'presence/absent',
  source: 'the rule that demands it',
  judge: (things, { demanded }) =>
    things.map(({ subject, there }) =>
      refusal({ subject, demanded, seen: there ? 'it is there' : 'it is not there', ok: not(there) }),
    ),
};

/** Each thing, which was made for this, is deleted. Nobody meets that who does nothing: it is no refusal. */
export const isDeleted: Check<readonly Presence[], { readonly demanded: string }> = {
  id: 'presence/deleted',
  source: 'the rule that demands it',
  judge: (things, { demanded }) =>
    things.map(({ subject, there }) =>
      demand({ subject, demanded, seen: there ? 'it is still there' : 'it is gone', ok: not(there) }),
    ),
};

/** Each thing is spared by somebody who deletes others: who deletes nothing meets that, too. */
export const isLeftAlone: Check<readonly Presence[], { readonly demanded: string }> = {
  id: 'presence/left-alone',
  source: 'the rule that demands it',
  judge: (things, { demanded }) =>
    things.map(({ subject, there }) =>
      refusal({ subject, demanded, seen: there ? 'it is there' : 'it was deleted', ok: there }),
    ),
};

/** What was written, how that was answered, and what shows afterwards. */
export interface Written extends Answered {
  readonly told: string;
  /** '' where it shows nothing. */
  readonly shown: string;
}

/** What was accepted is there: an answer of 200 alone proves nothing. */
export const isKept: Check<readonly Written[]> = {
  id: 'presence/kept',
  source: 'the rule that demands it',
  judge: (things) =>
    things.map(({ subject, answer, told, shown }) => {
      return demand({
        subject,
        demanded: `is allowed (200), and shows ${told} afterwards`,
        seen: answer.status === 200 ? `it shows ${shown || 'nothing'}` : shownAnswer(answer),
        ok: isBesides(answer) ? undefined : answer.status === 200 && shown === told,
      });
    }),
};
