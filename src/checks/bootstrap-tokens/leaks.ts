/**
 * Does an object that others may read show the secret half of a token?
 * Source: 001, the parts of a token; 002, upload-config.
 */
import { record, unpadded } from '../../kubernetes/json.js';
import { LAST_APPLIED, TOKEN_KEYS } from '../../kubernetes/names.js';
import type { KubeObject, Secret } from '../../kubernetes/objects.js';
import { type Resource, resources } from '../../kubernetes/resources.js';
import type { Check } from '../../model/check.js';
import { control, refusal } from '../../model/finding.js';
import { LONGEST_WORD, Words } from '../../model/words.js';
import { wrappedIn } from '../common/archives.js';
import { PUBLISHED } from './guessable.js';
import { decoded, secretName } from './token-secrets.js';

/** Where a secret half stands that should stand nowhere. */
export interface Place {
  /** "ConfigMap default/how-to-join" */
  readonly object: string;
  /** "data.command"; '' where it is wrapped inside a certificate request. */
  readonly path: string;
}

export interface LeakSearch {
  /** How many objects were searched. */
  readonly searched: number;
  /** Kinds that could not be read: "leases". */
  readonly unread: readonly string[];
  readonly tokens: readonly { readonly subject: string; readonly found: readonly Place[] }[];
}

/** What every auditor may list. */
export const READ_BY_OTHERS: readonly Resource[] = [
  resources.configMaps,
  resources.certificateSigningRequests,
  resources.events,
  resources.nodes,
];
/** What else is searched where it may be read. */
export const READ_BY_SOME: readonly Resource[] = [
  resources.pods,
  resources.namespaces,
  resources.serviceAccounts,
  resources.services,
  resources.deployments,
  resources.daemonSets,
  resources.statefulSets,
  // what their templates have been before stands in these
  resources.replicaSets,
  resources.controllerRevisions,
  resources.cronJobs,
  resources.jobs,
  resources.leases,
  resources.roles,
  resources.roleBindings,
  resources.clusterRoles,
  resources.clusterRoleBindings,
  resources.endpoints,
  resources.endpointSlices,
  resources.ingresses,
  resources.ingressClasses,
  resources.networkPolicies,
  resources.podDisruptionBudgets,
  resources.podTemplates,
  resources.replicationControllers,
  resources.persistentVolumes,
  resources.persistentVolumeClaims,
  resources.storageClasses,
  resources.priorityClasses,
  resources.customResourceDefinitions,
  resources.apiServices,
  resources.mutatingWebhookConfigurations,
  resources.validatingWebhookConfigurations,
  resources.validatingAdmissionPolicies,
  resources.validatingAdmissionPolicyBindings,
  resources.mutatingAdmissionPolicies,
  resources.mutatingAdmissionPolicyBindings,
  resources.flowSchemas,
  resources.priorityLevelConfigurations,
];
/** What is searched besides by who may list whatever there is. */
export const READ_BY_FEW: readonly Resource[] = [
  resources.resourceQuotas,
  resources.limitRanges,
  resources.horizontalPodAutoscalers,
  resources.runtimeClasses,
  resources.csiDrivers,
  resources.csiNodes,
  resources.volumeAttachments,
];

/** A very short half would be found by chance. */
const SHORTEST = 8;
/** Places that are told of one half. */
const MOST_PLACES = 20;
/** Values of a token that are told elsewhere: in lists of tokens, in names of users, in audit logs. */
const TOLD = [TOKEN_KEYS.id, TOKEN_KEYS.description, TOKEN_KEYS.expiration, TOKEN_KEYS.groups];

/**
 * The half as it may stand in a text: plain, in hexadecimal digits, or inside the base64 of something longer, at each
 * of the three alignments. Of a long one, which no token has, the beginning.
 */
function spellings(half: string): string[] {
  const shifted = [0, 1, 2].map((before) => {
    const text = Buffer.from(' '.repeat(before) + half).toString('base64');
    // the first characters depend on what stands before, the last ones on what follows
    return unpadded(text).slice(before === 0 ? 0 : before + 1, -1);
  });
  return [half, Buffer.from(half).toString('hex'), ...shifted].map((word) => word.slice(0, LONGEST_WORD));
}

/** A machine tells these of itself, whatever tokens there are. */
const OF_MACHINES = /^status\.nodeInfo\.(machineID|systemUUID|bootID)$/;

/**
 * What documentation prints stands in many texts that tell no token: digits in their order, names of a machine. Such a
 * half is a token's where its id stands before it, or where it stands alone.
 */
const isByChance = (text: string, path: string, word: string, ids: readonly string[]): boolean =>
  PUBLISHED.includes(word) &&
  (OF_MACHINES.test(path) || text.trim() !== word) &&
  !ids.some((id) => text.includes(`${id}.${word}`));

const below = (path: string, key: string): string => {
  if (!/^[A-Za-z0-9_-]+$/.test(key)) return `${path}["${key}"]`;
  return path === '' ? key : `${path}.${key}`;
};

type Look = (path: string, text: string) => void;

/** Base64 is folded into lines: what stands at the end of one goes on in the next. */
const unfolded =
  (look: Look): Look =>
  (path, text) => {
    look(path, text);
    if (text.includes('\n')) look(path, text.replace(/\s/g, ''));
  };

/** What a text is the base64 of, and what archives in it hold, as user data of machines is kept. */
const unwrapped =
  (look: Look): Look =>
  (path, text) => {
    look(path, text);
    for (const inner of wrappedIn(text)) look(path, inner);
  };

/** Shows every text of a value with its path; names of fields are texts as well. */
function eachText(value: unknown, path: string, look: Look): void {
  if (typeof value === 'string') look(path, value);
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) eachText(item, `${path}[${index}]`, look);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      look(path, key);
      eachText(item, below(path, key), look);
    }
}

/** A certificate request wraps what it says: DER in PEM, and that in base64 once more. */
function eachInside({ spec }: KubeObject, look: Look): void {
  const { request } = record(spec);
  if (typeof request !== 'string') return;
  const body = Buffer.from(request, 'base64')
    .toString('latin1')
    .replace(/-----[^-]*-----/g, '');
  const der = Buffer.from(body, 'base64').toString('latin1');
  look('', der);
  // texts of two bytes a character
  look('', der.replaceAll('\0', ''));
}

const nameOf = ({ kind, metadata }: KubeObject): string =>
  `${kind ?? 'an object'} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name ?? ''}`;

/** What a token's Secret tells others: its metadata, the names of its keys, and the values that are printed. */
function eachToldBy(secret: Secret, look: Look): void {
  const { annotations = {}, ...metadata } = secret.metadata;
  const { [LAST_APPLIED]: _, ...others } = annotations;
  eachText({ ...metadata, annotations: others }, 'metadata', look);
  for (const key of Object.keys(record(secret.data))) look('data', key);
  for (const key of TOLD) look(`data.${key}`, decoded(secret, key));
}

/**
 * Searches objects for the secret halves of tokens as they pass by, in one look at each, however many tokens there
 * are; and what the Secrets of the tokens tell.
 */
export class LeakHunt {
  readonly #secrets: readonly Secret[];
  readonly #words: Words;
  readonly #ids: readonly string[];
  /** Where a word stands, the first places of each. */
  readonly #places = new Map<string, Map<string, Place>>();

  /** A hunt for the halves of these Secrets; or, given another hunt, for the same halves at places of its own. */
  constructor(halves: readonly Secret[] | LeakHunt) {
    if (halves instanceof LeakHunt) {
      this.#secrets = halves.#secrets;
      this.#words = halves.#words;
      this.#ids = halves.#ids;
      return;
    }
    this.#secrets = halves.filter((secret) => decoded(secret, TOKEN_KEYS.secret).length >= SHORTEST);
    this.#words = new Words();
    this.#ids = this.#secrets
      .filter((secret) => PUBLISHED.includes(decoded(secret, TOKEN_KEYS.secret)))
      .map((secret) => decoded(secret, TOKEN_KEYS.id));
    for (const secret of this.#secrets) for (const word of wordsOf(secret)) this.#words.add(word);
    for (const secret of halves) eachToldBy(secret, this.#lookIn(secretName(secret)));
  }

  #lookIn = (object: string): Look =>
    unwrapped(
      unfolded((path, text) =>
        this.#words.each(text, (at, words) => {
          for (const word of words) if (!isByChance(text, path, word, this.#ids)) this.#found(word, { object, path });
          return at + 1;
        }),
      ),
    );

  /** An object as it was listed, and its kind. To look at one twice is to look at it once. */
  look(object: KubeObject, kind: string): true {
    const look = this.#lookIn(nameOf({ ...object, kind }));
    eachText(object, '', look);
    eachInside(object, look);
    return true;
  }

  #found(word: string, place: Place): void {
    const places = this.#places.get(word) ?? new Map<string, Place>();
    this.#places.set(word, places);
    if (places.size < MOST_PLACES) places.set(shown(place), place);
  }

  /** What was found among `searched` objects; `unread`: kinds that could not be read. */
  search(searched: number, unread: readonly string[] = []): LeakSearch {
    const tokens = this.#secrets.map((secret) => {
      const found = new Map(wordsOf(secret).flatMap((word) => [...(this.#places.get(word) ?? [])]));
      return { subject: secretName(secret), found: [...found.values()] };
    });
    return { searched, unread, tokens };
  }
}

const wordsOf = (secret: Secret): string[] => spellings(decoded(secret, TOKEN_KEYS.secret));

const shown = ({ object, path }: Place): string => (path === '' ? object : `${object} (${path})`);

/** No secret half stands elsewhere, and there was something to search. */
export const noLeaks: Check<LeakSearch> = {
  id: 'leaks/none',
  source: '001, the parts of a token; 002, upload-config',
  nothing: 'there is no bootstrap token with a secret half',
  judge: ({ searched, unread, tokens }) => {
    if (tokens.length === 0) return [];
    const note = unread.length === 0 ? undefined : `not searched, since they cannot be read: ${unread.join(', ')}`;
    return [
      control({
        subject: 'what others read',
        demanded: 'can be listed',
        seen: `${searched} objects`,
        ok: searched > 0,
      }),
      ...tokens.map(({ subject, found }) =>
        refusal({
          subject,
          demanded: 'its secret half stands in no object that others read',
          seen:
            found.length === 0
              ? `not in ${searched} objects`
              : `it stands in ${[...new Set(found.map(shown))].join(', ')}`,
          ok: found.length === 0,
          note,
        }),
      ),
    ];
  },
};
