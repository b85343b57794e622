/** What a reference has come to: another one that starts from it is like it, and does not have to be set up. */
import type { StoreContent } from '../apiserver/storage/store.js';
import type { ReferenceKeys } from './options.js';

export interface Image {
  readonly keys: ReferenceKeys;
  /** Where it listened: what it wrote about itself names it. */
  readonly port: number;
  /** Milliseconds since the epoch: what its clock showed. */
  readonly at: number;
  readonly content: StoreContent;
  /** What kubeadm init left for those who join. */
  readonly setUp: { readonly tokens: readonly string[]; readonly certificateKey: string | undefined };
}
