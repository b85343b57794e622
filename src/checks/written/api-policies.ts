/**
 * What an audit policy and an AuthenticationConfiguration say: why an API server refuses them, what is recorded, and
 * whom they let in without a credential.
 * Source: apiserver pkg/apis/audit/validation, pkg/audit/policy; pkg/apis/apiserver/validation ValidateAuthenticationConfiguration;
 * most of these refusals were met by the API server of 1.36, the others stand in these sources.
 */
import { type Fields, record, records, text, texts } from '../../kubernetes/json.js';
import { blocksOf } from '../certificates/pem.js';
import { AUTHENTICATION } from './configuration-shapes.js';
import { isDangling } from './expressions.js';
import { oddFields } from './field-shapes.js';

const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'];
const STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];
/** Since then "*" stands for all of them. */
const ALL_GROUPS = 36;
const isGroup = (name: string, minor: number | null): boolean =>
  (name === '*' && (minor ?? ALL_GROUPS) >= ALL_GROUPS) || /^(?:[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?)?$/.test(name);

function oddUrls(rule: Fields): readonly string[] {
  const urls = texts(rule.nonResourceURLs);
  const isBoth = urls.length > 0 && (records(rule.resources).length > 0 || texts(rule.namespaces).length > 0);
  const odd = urls.filter((url) => url !== '*' && (!url.startsWith('/') || /\*./.test(url)));
  return [
    ...(isBoth ? ['a rule of resources and of paths'] : []),
    ...odd.map((url) => `the path ${url.slice(0, 40)} of a rule`),
  ];
}

const oddStages = (stages: unknown): readonly string[] =>
  texts(stages).flatMap((stage) => (STAGES.includes(stage) ? [] : [`the stage ${stage.slice(0, 40)}`]));

export const oddAudit = ({ rules, omitStages }: Fields, minor: number | null = null): readonly string[] => [
  ...(records(rules).length === 0 ? ['it has no rules'] : []),
  ...oddStages(omitStages),
  ...records(rules).flatMap((rule) => [
    ...(LEVELS.includes(text(rule.level)) ? [] : [`the level ${text(rule.level).slice(0, 40)}`]),
    ...oddUrls(rule),
    ...oddStages(rule.omitStages),
    ...records(rule.resources).flatMap(({ group, resources, resourceNames }) => [
      ...(isGroup(text(group), minor) ? [] : [`the group ${text(group).slice(0, 40)}`]),
      ...(texts(resourceNames).length > 0 && texts(resources).length === 0 ? ['names of no resource'] : []),
    ]),
  ]),
];

const ABOUT = ['users', 'userGroups', 'verbs', 'resources', 'namespaces', 'nonResourceURLs'];
const isOfAll = (rule: Fields): boolean => ABOUT.every((name) => !Array.isArray(rule[name]) || rule[name].length === 0);

/** The first rule that is about a request decides on it; without one it is not recorded. */
export function recordsNothing({ rules, omitStages }: Fields): boolean {
  const all = records(rules);
  const last = all.findIndex(isOfAll);
  const reached = last < 0 ? all : all.slice(0, last + 1);
  return reached.every((rule) => {
    const omitted = [...texts(omitStages), ...texts(rule.omitStages)];
    return rule.level === 'None' || STAGES.every((stage) => omitted.includes(stage));
  });
}

function oddClaim(name: string, mapping: unknown): readonly string[] {
  const { claim, expression, prefix } = record(mapping);
  return [
    ...(text(claim) !== '' && text(expression) !== '' ? [`a ${name} by a claim and by an expression`] : []),
    ...(text(claim) !== '' && prefix === undefined ? [`a ${name} by a claim without a prefix`] : []),
  ];
}

/** Nobody proves an address by naming it. */
function unverified({ claimMappings, claimValidationRules }: Fields): boolean {
  const { username, extra } = record(claimMappings);
  const name = text(record(username).expression);
  const told = [
    name,
    ...records(extra).map(({ valueExpression }) => text(valueExpression)),
    ...records(claimValidationRules).map(({ expression }) => text(expression)),
  ];
  return /\bclaims\.email\b/.test(name) && !told.some((one) => one.includes('email_verified'));
}

/** Expressions of an issuer, and where they stand. */
function expressionsOf({ claimMappings, claimValidationRules, userValidationRules }: Fields): readonly string[] {
  const { username, groups, uid, extra } = record(claimMappings);
  return [
    ...[username, groups, uid, ...records(claimValidationRules), ...records(userValidationRules)].flatMap(
      (one) => text(record(one).expression) || [],
    ),
    ...records(extra).map(({ valueExpression }) => text(valueExpression)),
  ];
}

function oddIssuer(jwt: Fields): readonly string[] {
  const { issuer, claimMappings } = jwt;
  const { url, audiences, audienceMatchPolicy, discoveryURL, certificateAuthority: ca } = record(issuer);
  const { username, groups } = record(claimMappings);
  const { claim, expression } = record(username);
  return [
    ...(text(url).startsWith('https://') ? [] : ['an issuer that is not of https']),
    ...(/[?#]|\/\/[^/]*@/.test(text(url)) ? ['an issuer with a query, a fragment or a user'] : []),
    ...(text(discoveryURL) !== '' && !text(discoveryURL).startsWith('https://')
      ? ['an issuer whose discoveryURL is not of https']
      : []),
    ...(text(ca) !== '' && !blocksOf(text(ca)).some(({ label }) => label === 'CERTIFICATE')
      ? ['an issuer whose certificateAuthority holds no certificate']
      : []),
    ...(unverified(jwt) ? ['a username by claims.email, and nothing asks for claims.email_verified'] : []),
    ...(expressionsOf(jwt).some(isDangling) ? ['an expression that is none'] : []),
    ...(/["']system:(?:masters|nodes)["']/.test(text(record(groups).expression))
      ? ['an issuer whose tokens are of a group of the system']
      : []),
    ...(text(discoveryURL) !== '' && discoveryURL === url ? ['an issuer whose discoveryURL is its url'] : []),
    ...(texts(audiences).length === 0 ? ['an issuer without audiences'] : []),
    ...(texts(audiences).length > 1 && audienceMatchPolicy !== 'MatchAny'
      ? ['several audiences, and no MatchAny']
      : []),
    ...(text(claim) === '' && text(expression) === '' ? ['an issuer that says no username'] : []),
    ...oddClaim('username', username),
    ...oddClaim('group', groups),
  ];
}

/** `issuer`: of the tokens of this cluster's own accounts, which no other may be. */
export function oddAuthentication(fields: Fields, issuer?: string): readonly string[] {
  const { jwt, anonymous } = fields;
  const urls = records(jwt).map((one) => text(record(one.issuer).url));
  const { enabled, conditions } = record(anonymous);
  return [
    ...records(jwt).flatMap(oddIssuer),
    ...(urls.some((url, at) => urls.indexOf(url) !== at) ? ['an issuer twice'] : []),
    ...(issuer !== undefined && issuer !== '' && urls.includes(issuer) ? ['the issuer of its own tokens'] : []),
    ...(enabled !== true && records(conditions).length > 0 ? ['conditions of anonymous requests that are off'] : []),
    ...oddFields(fields, AUTHENTICATION),
  ];
}

/** Paths that are let in without a credential; 'all', or none where the configuration is silent of it. */
export function anonymousIn({ anonymous }: Fields): readonly string[] | 'all' | undefined {
  if (anonymous === undefined || anonymous === null) return undefined;
  const { enabled, conditions } = record(anonymous);
  if (enabled !== true) return [];
  const paths = records(conditions).map(({ path }) => text(path));
  return paths.length === 0 ? 'all' : paths;
}
