/** How the tables of the features write permissions: "create, get" on "secrets named x in y" or "/healthz, /livez". */

import { type Access, access, resourceIn } from '../../src/checks/authorization/access-questions.js';
import type { Documented } from '../../src/checks/authorization/privileges.js';
import type { Permission } from '../../src/checks/authorization/rbac-policy.js';
import { versionedName } from '../../src/checks/authorization/versioned-names.js';
import type { DataTable } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { listedIn } from './tables.js';

/** The name in the cluster of what the features call by its name of today. */
export function nameHere(world: World, name: string): string {
  const { version } = world.target.facts;
  return versionedName(name, 'unreadable' in version ? undefined : version.minor);
}

/**
 * "secrets named kubeadm-certs in kube-system", "jobs.batch",
 * "certificatesigningrequests.certificates.k8s.io/nodeclient", "/healthz"
 */
function one(verb: string, what: string, named: (name: string) => string = (name) => name): Permission {
  if (what.startsWith('/')) return { kind: 'url', verb, url: what };
  const [target = '', namespace = '*'] = what.split(' in ');
  const [path = '', name = '*'] = target.split(' named ');
  const { group, resource: plural, subresource } = resourceIn(path);
  return {
    kind: 'resource',
    verb,
    group,
    resource: subresource === '' ? plural : `${plural}/${subresource}`,
    namespace,
    name: named(name),
  };
}

/** "create certificatesigningrequests.certificates.k8s.io/nodeclient" */
export function permissionOf(text: string): Permission {
  const blank = text.indexOf(' ');
  return one(text.slice(0, blank), text.slice(blank + 1));
}

const combined = (world: World, verbs: string | undefined, what: string | undefined): Permission[] =>
  listedIn(verbs).flatMap((verb) => listedIn(what).map((part) => one(verb, part, (name) => nameHere(world, name))));

/** What a role grants: columns verbs and resource. */
export const permissionsOf = (world: World, table: DataTable): Permission[] =>
  table.hashes().flatMap((row) => combined(world, row.verbs, row.resource));

/** What somebody holds: columns verbs, what and, where a join by kubeadm needs it, needed. */
export const documentedOf = (world: World, table: DataTable): Documented[] =>
  table.hashes().flatMap((row) => {
    const needed = (row.needed ?? '') !== '' && world.holds('kubeadm');
    return combined(world, row.verbs, row.what).map((permission) => ({ permission, needed }));
  });

/** What is created has no name before the request is read, but for a part of something that is there. */
const nameIn = (verb: string, what: string, name: string): string =>
  verb === 'create' && !what.includes('/') ? '' : name;

/** Columns verb, what, where and name; lists in them are all combined. */
export const accessesOf = (world: World, table: DataTable): Access[] =>
  table
    .hashes()
    .flatMap((row) =>
      listedIn(row.verb).flatMap((verb) =>
        listedIn(row.what).flatMap((what) =>
          listedIn(row.where).flatMap((where) =>
            listedIn(row.name).map((name) => access(verb, what, where, nameIn(verb, what, nameHere(world, name)))),
          ),
        ),
      ),
    );

/** Column subject: "Group x", "User y". */
export const subjectsOf = (table: DataTable): string[] => table.hashes().map((row) => row.subject ?? '');
