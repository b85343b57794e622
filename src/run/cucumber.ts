/**
 * What the player needs of cucumber: its library of steps. The rest of it (command line, formatters, plugins) takes
 * 0.2 s to load, so it is left where it is.
 */
import { createRequire } from 'node:module';

type Cucumber = typeof import('@cucumber/cucumber');

interface LibraryBuilder {
  readonly methods: Pick<Cucumber, 'Given' | 'When' | 'Then' | 'setWorldConstructor' | 'setDefaultTimeout'>;
  /** Begins a library; `newId` names its parts. */
  reset(cwd: string, newId: () => string): void;
  finalize(): object;
}

const require = createRequire(import.meta.url);

/** One a process, as cucumber has it: what is defined between reset and finalize belongs to one library. */
export const library = (
  require('@cucumber/cucumber/lib/support_code_library_builder/index') as { readonly default: LibraryBuilder }
).default;
