/**
 * How steps are defined: cucumber's functions, with what a sentence needs of a target beside it. Scenarios derive
 * theirs from their steps.
 */
import type { DataTable } from '@cucumber/cucumber';
import type { Need } from '../targets/types.js';
import { library } from './cucumber.js';
import type { World } from './world.js';

export type { DataTable } from '@cucumber/cucumber';

/** The first cell of each row. */
export const column = (table: DataTable): readonly string[] => table.raw().map(([cell = '']) => cell);

export interface Demands {
  /** Abilities and facts without which the scenario is skipped before it begins. */
  readonly needs?: readonly Need[];
  /** It takes longer than a controller needs: on a real target such scenarios begin first. */
  readonly waits?: boolean;
  /** It changes what others look at: scenarios that share a name are never played at the same time. */
  readonly exclusive?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a step is handed what its expression captures; its body says what that is.
type Body = (this: World, ...parameters: any[]) => void | Promise<void>;

type Define = (pattern: string | RegExp, demands: Demands | Body, body?: Body) => void;

const through =
  (define: typeof library.methods.Given): Define =>
  (pattern, demands, body) => {
    if (typeof demands === 'function') define(pattern, demands);
    else define(pattern, { wrapperOptions: demands }, body as Body);
  };

/** `Given(sentence, { needs: ['writes'] }, body)`; without demands as cucumber's own. */
export const Given = through(library.methods.Given);
export const When = through(library.methods.When);
export const Then = through(library.methods.Then);

/** What a definition demands, as cucumber keeps it. */
export const demandsOf = (options: { readonly wrapperOptions?: unknown }): Demands =>
  typeof options.wrapperOptions === 'object' && options.wrapperOptions !== null
    ? (options.wrapperOptions as Demands)
    : {};
