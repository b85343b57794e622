/**
 * A place of a scenario for one thing of one type: what a Given made and a Then looks at. Sentences combine where their
 * slots do.
 */

declare const held: unique symbol;

export interface Slot<T> {
  /** "a bootstrap token": said where no earlier step has filled it. */
  readonly name: string;
  /** Never there; it carries the type. */
  readonly [held]?: T;
}

/** Every slot is made once, at the head of a module of steps. */
export const slot = <T>(name: string): Slot<T> => ({ name });
