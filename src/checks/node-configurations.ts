/** Files that configure the API server of a node's disk. */
import type { Check } from '../model/check.js';
import { demand, type Finding } from '../model/finding.js';
import { held, type Seen } from './node-files.js';

const SOURCE = 'apiserver pkg/apis/apiserver/validation; pkg/audit/policy/reader.go; pkg/admission/config.go';
const NOTHING = 'no flag of the API server names such a file in the folders that were read';

/** The API server starts with what they say. `files`: paths of the disk. */
export const configurationsTaken: Check<
  readonly Seen[],
  { readonly files: readonly string[]; readonly below: string }
> = {
  id: 'node-configurations/taken',
  source: SOURCE,
  nothing: NOTHING,
  judge: (all, { files, below }) =>
    all.map((seen) =>
      held(seen, 'configuration', 'the API server takes what it says', ({ odd, names }) => {
        const missing = names.filter((path) => path.startsWith(`${below}/`) && !files.includes(path));
        const wrong = [...odd, ...missing.map((path) => `${path}, which is not there`)];
        return { seen: wrong.slice(0, 4).join('; ') || 'it does', ok: wrong.length === 0 };
      }),
    ),
};

/** Where encryption is configured Secrets are encrypted. */
export const secretsEncrypted: Check<readonly Seen[]> = {
  id: 'node-configurations/secrets-encrypted',
  source: 'Encrypting Confidential Data at Rest: the first provider encrypts',
  nothing: NOTHING,
  judge: (all) =>
    all.flatMap(({ path, file }): readonly Finding[] => {
      if (file?.held.kind !== 'configuration' || file.held.flag !== 'encryption-provider-config') return [];
      const { isOpen } = file.held;
      const seen = isOpen ? 'their first provider is identity, or there is none' : 'they are';
      return [demand({ subject: path, demanded: 'Secrets are encrypted by it', seen, ok: !isOpen })];
    }),
};
