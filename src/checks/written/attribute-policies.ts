/**
 * A file of --authorization-policy-file: one policy a line, as the authorizer ABAC reads it.
 * Source: pkg/auth/authorizer/abac/abac.go NewFromFile, subjectMatches; pkg/apis/abac/{v0,v1beta1}/conversion.go.
 */
import { type Fields, record, text } from '../../kubernetes/json.js';
import { fieldsIn, Unread } from './written-fields.js';

/** The flag that names it: no document as the others, but lines. */
export const ATTRIBUTES = 'authorization-policy-file';

const VERSION = 'abac.authorization.kubernetes.io/v1beta1';
/** Strangers, whoever logs in, and whoever has a token to join with. */
const ALL_USERS = ['*', 'system:anonymous'];
const ALL_GROUPS = /^(?:\*|system:authenticated|system:unauthenticated|system:bootstrappers(?::.*)?)$/;
/** What makes everybody an administrator, or lets everybody read who is. */
const POWERFUL = ['*', 'secrets'];

/** A user and a group that are named both have to match; a policy of old that names none is for whoever logs in. */
function isForAll({ user, group }: Fields, isOld: boolean): boolean {
  const [name, of] = [text(user), text(group)];
  if (name === '' && of === '') return isOld;
  return (name === '' || ALL_USERS.includes(name)) && (of === '' || ALL_GROUPS.test(of));
}

/** Throws Unread. */
function oddIn(line: string): string {
  const fields = fieldsIn(line);
  const isOld = fields.kind === undefined && fields.apiVersion === undefined;
  if (!isOld && (fields.kind !== 'Policy' || fields.apiVersion !== VERSION)) return `no Policy of ${VERSION}`;
  const policy = isOld ? fields : record(fields.spec);
  const resource = text(policy.resource) || (isOld ? '*' : '');
  if (!isForAll(policy, isOld) || !POWERFUL.includes(resource)) return '';
  return `everybody may ${policy.readonly === true ? 'read' : 'do'} all there is`;
}

function refused(line: string): string {
  try {
    return oddIn(line);
  } catch (error) {
    if (error instanceof Unread) return error.message;
    throw error;
  }
}

/** Why an API server does not start with the file, or whom it lets in, in words: "line 2: no JSON". */
export const oddPolicies = (content: string): readonly string[] =>
  content.split('\n').flatMap((line, index) => {
    if (line.trim() === '' || line.trim().startsWith('#')) return [];
    const odd = refused(line);
    return odd === '' ? [] : [`line ${index + 1}: ${odd}`];
  });
