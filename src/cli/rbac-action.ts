/** What joinproof rbac does once its arguments are parsed. */
import { stringify } from 'yaml';
import { plan } from '../run/judge.js';
import { neededRights } from '../run/needed-rights.js';
import { DEFAULT_PROFILE, givenProfile, holdToRules } from '../run/profiles.js';
import { rolesOf } from '../run/rights.js';
import { UsageError } from '../run/usage-error.js';
import type { ExitCode } from './main.js';

interface RbacOptions {
  readonly allowWrites?: boolean;
  readonly serviceAccount?: string;
  readonly tags?: string;
  readonly rule?: readonly string[];
  readonly chapter?: readonly string[];
  readonly level?: string;
  readonly profile?: string;
}

/** Source: apimachinery, pkg/util/validation IsDNS1123Label and IsDNS1123Subdomain. */
const ACCOUNT = /^([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)\/([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)$/;

/** Throws UsageError. */
export async function rbac(options: RbacOptions): Promise<ExitCode> {
  const { allowWrites = false, serviceAccount = '', tags, rule, chapter, level } = options;
  const [, namespace, name] = ACCOUNT.exec(serviceAccount) ?? [];
  if (namespace === undefined || name === undefined)
    throw new UsageError(
      `--service-account "${serviceAccount}" is not NAMESPACE/NAME. Give for example joinproof/joinproof.`,
    );
  const selection = { tags, rules: rule, chapters: chapter, level };
  const profile = await givenProfile(options.profile ?? DEFAULT_PROFILE);
  const { catalogue } = await plan(selection);
  holdToRules(
    profile,
    catalogue.rules.map(({ id }) => id),
  );
  const held = { profile, chosen: 'given', signs: [] } as const;
  const signal = new AbortController().signal;
  const rights = await neededRights({ selection, held, allowWrites, signal });
  const objects = rolesOf(rights, { name: 'joinproof', account: { namespace, name } });
  process.stdout.write(objects.map((object) => stringify(object, { lineWidth: 0 })).join('---\n'));
  return 0;
}
