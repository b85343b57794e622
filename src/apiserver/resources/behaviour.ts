/** What code adds to a kind's row of data. Absent parts are the common behaviour. */
import type { KubeObject } from '../../kubernetes/objects.js';
import type { FieldError, Strategy, StrategyContext, Subresource } from '../resource-definition.js';
import type { ResourceHooks } from './hooks.js';

export interface Behaviour {
  /** Server-side defaults; gets the object in Go's form. */
  readonly default?: (object: KubeObject) => KubeObject;
  /** After the status was emptied and the generation set. */
  readonly prepareForCreate?: (object: KubeObject, context: StrategyContext) => KubeObject;
  /** After the status was taken from the old object; before changes of the spec are counted. */
  readonly prepareForUpdate?: (object: KubeObject, old: KubeObject, context: StrategyContext) => KubeObject;
  /** Another annotation is another generation, too. */
  readonly countsAnnotations?: boolean;
  readonly validate?: (object: KubeObject, context: StrategyContext) => readonly FieldError[];
  /** Absent: as on creation. */
  readonly validateUpdate?: (object: KubeObject, old: KubeObject, context: StrategyContext) => readonly FieldError[];
  /** What may not change, beside metadata. */
  readonly validateChange?: Strategy['validateChange'];
  readonly validateStatus?: (object: KubeObject, old: KubeObject) => readonly FieldError[];
  /** What the status subresource makes of an object before it is judged. */
  readonly prepareStatus?: (object: KubeObject, old: KubeObject, context: StrategyContext) => KubeObject;
  readonly warnings?: (object: KubeObject, old?: KubeObject) => readonly string[];
  readonly gracePeriod?: Strategy['gracePeriod'];
  readonly beforeDelete?: Strategy['beforeDelete'];
  readonly validateName?: Strategy['validateName'];
  readonly metadataOnUpdate?: Strategy['metadataOnUpdate'];
  readonly lookedAtTwiceUntil?: Strategy['lookedAtTwiceUntil'];
  readonly anyFinalizer?: Strategy['anyFinalizer'];
  /** A status given on creation is taken (Node, CSR …). */
  readonly keepsStatus?: boolean;
  /** Subresources beside status, in any order. */
  readonly subresources?: readonly Subresource[];
  /** Labels of field selectors beside metadata.name and metadata.namespace. */
  readonly fieldSelectors?: Readonly<Record<string, (object: KubeObject) => string>>;
  readonly refuseFieldLabel?: (label: string) => string | undefined;
}

export type BehaviourOf = (hooks: ResourceHooks) => Behaviour;
/** By "resource" in the core group, "resource.group" elsewhere. */
export type Behaviours = Readonly<Record<string, BehaviourOf>>;

/** The refusal that most kinds with field selectors of their own share. */
export const onlyLabels =
  (...known: readonly string[]) =>
  (label: string): string | undefined =>
    known.includes(label) ? undefined : `field label not supported: ${label}`;
