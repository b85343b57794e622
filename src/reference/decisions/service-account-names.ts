/** How a service account is called as a user. Source: apiserver, pkg/authentication/serviceaccount/util.go. */

import { accountGroups, accountUser, SERVICE_ACCOUNT_USER_PREFIX as PREFIX } from '../../kubernetes/names.js';

/** Source: MakeUsername. */
export const serviceAccountUsername = (namespace: string, name: string): string => accountUser({ namespace, name });

/** Groups of every service account of a namespace. Source: MakeGroupNames. */
export const serviceAccountGroups = (namespace: string): readonly string[] => accountGroups({ namespace });

/** Namespace and name of a service account's user name, undefined for other users. Source: SplitUsername. */
export function splitUsername(username: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(PREFIX)) return undefined;
  const [namespace = '', name = '', ...more] = username.slice(PREFIX.length).split(':');
  const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
  const valid =
    more.length === 0 &&
    label.test(namespace) &&
    namespace.length <= 63 &&
    name.length <= 253 &&
    name.split('.').every((one) => label.test(one));
  return valid ? { namespace, name } : undefined;
}
