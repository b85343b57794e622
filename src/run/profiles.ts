/**
 * What a target is held to beside the documents: profiles are data, features/profiles/*.yaml or a file of the user's,
 * each with a source. A profile says which rules of the policy fail a run, what does not apply and why, and parameters.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { KnownExtra } from '../checks/authorization/privileges.js';
import { firstLine } from '../kubernetes/first-line.js';
import type { ProfileSeen } from '../model/report.js';
import { readGiven } from '../targets/regular-file.js';
import { didYouMean } from './nearest.js';
import { featuresFolder, packageFile } from './package-root.js';
import { isProfile, PROFILES } from './profile-names.js';
import { conforms, isConforming } from './schemas.js';
import { UsageError } from './usage-error.js';

/** As schemas/parameters.schema.json says; every one has a default there. */
export interface Parameters {
  readonly tokenHours: number;
  readonly expiredMinutes: number;
  readonly machinesPerToken: number;
  readonly certificatesHours: number;
  readonly pendingMinutes: number;
  readonly deniedRequests: number;
  readonly certificateDays: number;
  readonly rsaBits: number;
  readonly tokenGroups: readonly string[];
  readonly signers: readonly string[];
  readonly approvers: readonly string[];
  readonly joiners: readonly string[];
  readonly keepers: readonly string[];
  readonly administrators: readonly string[];
}

/** One of these shows what a cluster is: parts of texts, and names. */
export interface Sign {
  readonly version?: string;
  readonly nodeImage?: string;
  readonly nodeAnnotation?: string;
}

interface Excuse {
  readonly rules: readonly string[];
  readonly why: string;
  readonly source: string;
}

/** As schemas/profile.schema.json says. */
interface Written {
  readonly name: string;
  readonly extends?: string;
  readonly signs?: readonly Sign[];
  readonly controllers?: 'must run' | 'may be absent';
  readonly demands?: 'all' | readonly string[];
  readonly excuses?: readonly Excuse[];
  readonly extras?: readonly KnownExtra[];
  readonly parameters?: Partial<Parameters>;
}

export interface Profile {
  readonly name: string;
  readonly signs: readonly Sign[];
  /** Where kube-controller-manager is known not to run, what needs it fails. */
  readonly controllersMustRun: boolean;
  readonly demands: 'all' | readonly string[];
  readonly excuses: readonly Excuse[];
  readonly extras: readonly KnownExtra[];
  readonly parameters: Parameters;
}

/** A profile, and how it came to be the one of the run. */
export interface Held extends Pick<ProfileSeen, 'chosen' | 'signs'> {
  readonly profile: Profile;
}

/** Where nobody says anything and nothing shows another one. */
export const DEFAULT_PROFILE = 'kubeadm';
/** The chapter of the rules that fail a run only where a profile demands them. */
export const POLICY = 'policy';
const LARGEST = 1024 * 1024;

const folder = (): string => path.join(featuresFolder, 'profiles');
const fileOf = (name: string): string => path.join(folder(), `${name}.yaml`);

let defaults: Parameters | undefined;

/** What stands in the schema as the default of each. */
function defaultParameters(): Parameters {
  if (defaults === undefined) {
    const schema = JSON.parse(readFileSync(packageFile('schemas/parameters.schema.json'), 'utf8')) as {
      readonly properties: Readonly<Record<string, { readonly default: unknown }>>;
    };
    const values = Object.entries(schema.properties).map(([name, property]) => [name, property.default] as const);
    defaults = Object.fromEntries(values) as unknown as Parameters;
  }
  return defaults;
}

/** Throws where the text is not as schemas/profile.schema.json demands: a sentence for people. */
function written(text: string, file: string): Written {
  let value: unknown;
  try {
    value = parse(text, { prettyErrors: false });
  } catch (error) {
    throw new UsageError(`The profile ${file} is no YAML: ${firstLine(error).replace(/[.:]$/, '')}.`);
  }
  if (isConforming<Written>('profile', value)) return value;
  const [wrong = ''] = conforms('profile', value);
  throw new UsageError(
    `${file} is no profile: ${wrong}. schemas/profile.schema.json says what one holds, features/profiles has examples.`,
  );
}

const ofPackage = new Map<string, Profile>();

/** One of PROFILES, read once a process. */
export function packageProfile(name: string): Profile {
  const known = ofPackage.get(name);
  if (known !== undefined) return known;
  // as its schema demands: a test holds all of them, and no run takes the time to
  const profile = whole(parse(readFileSync(fileOf(name), 'utf8')) as Written);
  ofPackage.set(name, profile);
  return profile;
}

/** What a profile does not say stands in the one that it extends. */
function whole(own: Written): Profile {
  const { name, signs = [], controllers, demands, excuses = [], extras = [], parameters = {} } = own;
  if (own.extends !== undefined && !isProfile(own.extends))
    throw new UsageError(
      `The profile "${name}" extends "${own.extends}", which is none.${didYouMean(own.extends, PROFILES)} There are ${PROFILES.join(', ')}.`,
    );
  const base = own.extends === undefined ? undefined : packageProfile(own.extends);
  return {
    name,
    signs,
    controllersMustRun: controllers === undefined ? (base?.controllersMustRun ?? true) : controllers === 'must run',
    demands: demands ?? base?.demands ?? [],
    excuses: [...(base?.excuses ?? []), ...excuses],
    extras: [...(base?.extras ?? []), ...extras],
    parameters: { ...(base?.parameters ?? defaultParameters()), ...parameters },
  };
}

/**
 * The profile of a name of PROFILES or of a file; `parameters` of the user's stand above its own. Throws UsageError
 * where there is none.
 */
export async function givenProfile(given: string, parameters: Partial<Parameters> = {}): Promise<Profile> {
  const profile = isProfile(given) ? packageProfile(given) : whole(await fromFile(given));
  return withParameters(profile, parameters);
}

export const withParameters = (profile: Profile, parameters: Partial<Parameters>): Profile => ({
  ...profile,
  parameters: { ...profile.parameters, ...parameters },
});

async function fromFile(given: string): Promise<Written> {
  const looksLikeFile = given.includes('/') || /\.(ya?ml|json)$/.test(given);
  if (!looksLikeFile && !existsSync(given))
    throw new UsageError(
      `There is no profile "${given}".${didYouMean(given, PROFILES)} There are ${PROFILES.join(', ')}; or give a file.`,
    );
  const text = await readGiven(given, LARGEST).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `The profile ${given} cannot be read (${error.code ?? error.message}). Give a file, or one of ${PROFILES.join(', ')}.`,
    );
  });
  return written(text, given);
}

/** Why a rule is not judged under a profile; undefined: it is. */
export function excused({ name, excuses }: Profile, rule: string): string | undefined {
  const excuse = excuses.find(({ rules }) => rules.includes(rule));
  return excuse === undefined ? undefined : `the profile ${name} excuses it: ${excuse.why} (${excuse.source})`;
}

/** A rule of the policy that the profile does not demand advises only. */
export const isAdvice = ({ demands }: Profile, { id, chapter }: { readonly id: string; readonly chapter: string }) =>
  chapter === POLICY && demands !== 'all' && !demands.includes(id);

/** Throws UsageError where a profile names a rule that is none: a typing mistake must not make it lenient. */
export function holdToRules({ name, demands, excuses }: Profile, ids: readonly string[]): void {
  const named = [...(demands === 'all' ? [] : demands), ...excuses.flatMap(({ rules }) => rules)];
  const wrong = named.find((id) => !ids.includes(id));
  if (wrong !== undefined)
    throw new UsageError(`The profile "${name}" names the rule "${wrong}", which is none.${didYouMean(wrong, ids)}`);
}

export const seenProfile = ({ profile, chosen, signs }: Held): ProfileSeen => ({
  name: profile.name,
  chosen,
  signs,
  parameters: { ...profile.parameters },
});
