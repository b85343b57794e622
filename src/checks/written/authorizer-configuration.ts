/**
 * Why an API server refuses an AuthorizationConfiguration.
 * Source: apiserver pkg/apis/apiserver/validation ValidateAuthorizationConfiguration, of 1.31 to 1.36.
 */
import { type Fields, record, records, text } from '../../kubernetes/json.js';
import { AUTHORIZATION } from './configuration-shapes.js';
import { isDangling } from './expressions.js';
import { oddFields } from './field-shapes.js';
import { secondsOf } from './flag-values.js';

const MODES = ['Node', 'RBAC', 'Webhook', 'ABAC', 'AlwaysDeny'];
const LONGEST = 30;

const WANTED: Readonly<Record<string, RegExp>> = {
  failurePolicy: /^(?:NoOpinion|Deny)$/,
  subjectAccessReviewVersion: /^v1(?:beta1)?$/,
  matchConditionSubjectAccessReviewVersion: /^(?:v1)?$/,
};

function oddWebhook(webhook: Fields): readonly string[] {
  const { type, kubeConfigFile } = record(webhook.connectionInfo);
  const conditions = records(webhook.matchConditions).map(({ expression }) => text(expression));
  const timeout = text(webhook.timeout);
  const file = text(kubeConfigFile);
  const lives = ['authorizedTTL', 'unauthorizedTTL'];
  return [
    ...((secondsOf(timeout) ?? 0) > 0 ? [] : ['a webhook without timeout']),
    ...['failurePolicy', 'subjectAccessReviewVersion', 'connectionInfo'].flatMap((name) =>
      webhook[name] ? [] : [`a webhook without ${name}`],
    ),
    ...lives.flatMap((name) => (text(webhook[name]).startsWith('-') ? [`a webhook whose ${name} is none`] : [])),
    ...((secondsOf(timeout) ?? 0) > LONGEST ? [`a webhook that is waited for longer than ${LONGEST} s`] : []),
    ...Object.entries(WANTED).flatMap(([name, wanted]) =>
      wanted.test(text(webhook[name])) || !webhook[name] ? [] : [`${name} ${text(webhook[name]).slice(0, 40)}`],
    ),
    ...(conditions.length > 0 && text(webhook.matchConditionSubjectAccessReviewVersion) === ''
      ? ['conditions without matchConditionSubjectAccessReviewVersion']
      : []),
    ...(conditions.some(isDangling) ? ['a condition that is no expression'] : []),
    ...(webhook.connectionInfo && !/^(?:InClusterConfig|KubeConfigFile)$/.test(text(type))
      ? [`connectionInfo of the type ${text(type).slice(0, 40)}`]
      : []),
    ...(type === 'KubeConfigFile' && !file.startsWith('/')
      ? ['a webhook whose kubeConfigFile is no absolute path']
      : []),
    ...(type === 'InClusterConfig' && file !== '' ? ['a webhook within the cluster, and a kubeConfigFile'] : []),
  ];
}

/** Why it is refused, or lets in everybody, in words. */
export function oddAuthorizers(fields: Fields): readonly string[] {
  const all = records(fields.authorizers);
  const types = all.map(({ type }) => text(type));
  const names = all.map(({ name }) => text(name));
  return [
    ...['Node', 'RBAC'].flatMap((type) => (types.includes(type) ? [] : [`no authorizer ${type}`])),
    ...types.flatMap((type) => (MODES.includes(type) ? [] : [`the authorizer ${type.slice(0, 40)}`])),
    ...(types.some((type, at) => type !== 'Webhook' && types.indexOf(type) !== at) ? ['an authorizer twice'] : []),
    ...(names.some((name, at) => name === '' || names.indexOf(name) !== at)
      ? ['authorizers without names of their own']
      : []),
    ...all.flatMap(({ type, webhook }) => {
      if (type === 'Webhook') return webhook ? oddWebhook(record(webhook)) : ['a Webhook without webhook'];
      return webhook ? [`the authorizer ${text(type).slice(0, 40)} with a webhook`] : [];
    }),
    ...oddFields(fields, AUTHORIZATION),
  ];
}

/** Kubeconfigs by which webhooks are asked. */
export const askedBy = ({ authorizers }: Fields): readonly string[] =>
  records(authorizers).flatMap(({ webhook }) => text(record(record(webhook).connectionInfo).kubeConfigFile) || []);
