/** Defects of who looks at no form: of metadata, of how a write is meant, and of what a node names in its requests. */
import { record, records, text } from '../kubernetes/json.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import { remembering } from './remembering.js';
import { failure } from './said.js';
import type { Asked, Mutant, Said } from './types.js';

const SECRETS = '/api/v1/namespaces/default/secrets';
const ANY = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'jp-any', namespace: 'default' } };
const isTriedCreation = ({ method, path, query }: Asked): boolean =>
  method === 'POST' && path === SECRETS && query.has('dryRun');
const ANY_NODE = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'jp-any' } };
const isTriedNode = ({ method, path, query }: Asked): boolean =>
  method === 'POST' && path === '/api/v1/nodes' && query.has('dryRun');
/** A Node of the run as it is read, closed by other taints. */
function closedBy(
  { method, path }: Asked,
  { status, body }: Said,
  by: (taints: readonly string[]) => readonly string[],
): Said | undefined {
  if (method !== 'GET' || !path.startsWith('/api/v1/nodes/jp-') || status !== 200) return undefined;
  const { spec, ...rest } = record(body);
  const closing = records(record(spec).taints).filter(({ effect }) => effect === 'NoSchedule');
  const prefix = 'node.kubernetes.io/';
  const keys = new Set(by(closing.map(({ key }) => text(key).replace(prefix, ''))));
  const taints = [...keys].map((key) => ({ key: prefix + key, effect: 'NoSchedule' }));
  return { status, body: { ...rest, spec: { ...record(spec), taints } } };
}

const isOfOwn = ({ path }: Asked): boolean => path.startsWith(`${SECRETS}/jp-`);
const NOBODY = failure(404, 'NotFound', 'secrets "jp-any" not found');
const REFUSED = failure(422, 'Invalid', 'Secret "jp-any" is invalid: metadata: Invalid value');

const isDeletionOf = ({ method, path }: Asked): boolean =>
  method === 'DELETE' && path.startsWith('/api/v1/namespaces/default/configmaps/jp-');
const WAITING = {
  ...ANY,
  kind: 'ConfigMap',
  metadata: { ...ANY.metadata, finalizers: ['foregroundDeletion', 'orphan'] },
};
const GONE = { apiVersion: 'v1', kind: 'Status', status: 'Success' };

const isStrict = ({ query }: Asked): boolean => query.get('fieldValidation') === 'Strict';

/** A question of a node for one object, by its name. */
type NodeQuestion = Parameters<typeof upstream.nodeOnVolume>[0];
/** The same as if it asked otherwise. */
const asking = (question: NodeQuestion, how: Partial<NodeQuestion['attributes']>): NodeQuestion => ({
  ...question,
  attributes: { ...question.attributes, ...how },
});

const isElsewhere = ({ attributes }: NodeQuestion): boolean => attributes.name.endsWith('-elsewhere');

export const mutants: readonly Mutant[] = [
  {
    name: 'metadata-of-any-form',
    defect: 'whatever owners, finalizers, labels and names are said of a Secret, it is made',
    killedBy: ['P-547'],
    gateway: {
      after: (asked, { status }) => (isTriedCreation(asked) && status === 422 ? { status: 201, body: ANY } : undefined),
    },
  },
  {
    name: 'owners-are-refused',
    defect: 'no Secret is made that has owners or finalizers',
    killedBy: ['P-547'],
    gateway: {
      after: (asked, { status, body }) => {
        const { ownerReferences, finalizers } = record(record(body).metadata);
        const has = ownerReferences !== undefined || finalizers !== undefined;
        return isTriedCreation(asked) && status === 201 && has ? REFUSED : undefined;
      },
    },
  },
  {
    name: 'known-types-are-refused',
    defect: 'no Secret is made of a type that the API server knows',
    killedBy: ['P-547'],
    gateway: {
      after: (asked, { status, body }) =>
        isTriedCreation(asked) && status === 201 && text(record(body).type).startsWith('kubernetes.io/')
          ? REFUSED
          : undefined,
    },
  },
  {
    name: 'nodes-of-any-form',
    defect: 'whatever taints and ranges are said of a Node, it is made',
    killedBy: ['P-547'],
    gateway: {
      after: (asked, { status }) =>
        isTriedNode(asked) && status === 422 ? { status: 201, body: ANY_NODE } : undefined,
    },
  },
  {
    name: 'nodes-with-taints-are-refused',
    defect: 'no Node is made that has taints or ranges',
    killedBy: ['P-547'],
    gateway: {
      after: (asked, { status }) => (isTriedNode(asked) && status === 201 ? REFUSED : undefined),
    },
  },
  {
    name: 'nodes-stay-closed',
    defect: 'the taint that a Node comes with is never taken away',
    killedBy: ['P-549'],
    gateway: { after: (asked, said) => closedBy(asked, said, (taints) => [...taints, 'not-ready']) },
  },
  remembering(() => {
    const given = new Set<string>();
    return {
      name: 'nodes-are-not-opened-again',
      defect: 'what has closed a Node since it was ready closes it for good',
      killedBy: ['P-549'],
      gateway: {
        after: (asked, said) =>
          closedBy(asked, said, (taints) => {
            for (const taint of taints) if (taint !== 'not-ready') given.add(taint);
            return [...taints, ...given];
          }),
      },
    };
  }),
  {
    name: 'nodes-are-closed-by-readiness-alone',
    defect: 'of what a kubelet says only that it is not ready closes its Node',
    killedBy: ['P-549'],
    gateway: {
      after: (asked, said) => closedBy(asked, said, (taints) => taints.filter((taint) => taint === 'not-ready')),
    },
  },
  remembering(() => {
    let wasCordoned = false;
    return {
      name: 'cordons-close-for-good',
      defect: 'a Node that was cordoned once has the taint of that for good',
      killedBy: ['P-549'],
      gateway: {
        after: (asked, said) =>
          closedBy(asked, said, (taints) => {
            wasCordoned ||= taints.includes('unschedulable');
            return wasCordoned && !taints.includes('unschedulable') ? [...taints, 'unschedulable'] : taints;
          }),
      },
    };
  }),
  {
    name: 'taints-are-of-no-time',
    defect: 'a taint does not say since when it closes a Node',
    killedBy: ['P-549'],
    gateway: {
      after: ({ method, path }, { status, body }) => {
        if (method !== 'GET' || !path.startsWith('/api/v1/nodes/jp-') || status !== 200) return undefined;
        const { taints, ...spec } = record(record(body).spec);
        const timeless = records(taints).map(({ timeAdded: _, ...taint }) => taint);
        return { status, body: { ...record(body), spec: { ...spec, taints: timeless } } };
      },
    },
  },
  {
    name: 'cordons-close-nothing',
    defect: 'a Node that an administrator has cordoned has no taint of that',
    killedBy: ['P-549'],
    gateway: {
      after: (asked, said) => closedBy(asked, said, (taints) => taints.filter((taint) => taint !== 'unschedulable')),
    },
  },
  ...(['os', 'arch'] as const).map(
    (what): Mutant => ({
      name: `old-labels-of-${what}-are-not-kept`,
      defect: 'labels of old are whatever somebody has said once',
      killedBy: ['P-565'],
      gateway: {
        after: ({ method, path }, { status, body }) => {
          if (method !== 'GET' || !path.startsWith('/api/v1/nodes/jp-') || status !== 200) return undefined;
          const { [`beta.kubernetes.io/${what}`]: _, ...labels } = record(record(record(body).metadata).labels);
          return { status, body: { ...record(body), metadata: { ...record(record(body).metadata), labels } } };
        },
      },
    }),
  ),
  {
    name: 'nodes-are-always-open',
    defect: 'nothing that a kubelet says closes its Node',
    killedBy: ['P-549'],
    gateway: { after: (asked, said) => closedBy(asked, said, () => []) },
  },
  {
    name: 'providers-change',
    defect: 'the name that a provider has for a Node is whatever was last said',
    killedBy: ['P-547'],
    gateway: {
      after: ({ method, path, query }, { status }) =>
        method === 'PATCH' && path.startsWith('/api/v1/nodes/jp-') && query.has('dryRun') && status === 422
          ? { status: 200, body: ANY_NODE }
          : undefined,
    },
  },
  {
    name: 'names-are-not-cut',
    defect: 'a name that is made is as long as its beginning has it',
    killedBy: ['P-547'],
    gateway: {
      after: (asked, { status, body }) => {
        const { metadata, ...rest } = record(body);
        const name = String(record(metadata).name);
        if (!isTriedCreation(asked) || status !== 201 || name.startsWith('jp-')) return undefined;
        return { status, body: { ...rest, metadata: { ...record(metadata), name: `${name}xxxxx` } } };
      },
    },
  },
  {
    name: 'options-of-any-kind',
    defect: 'options that nobody knows are passed over',
    killedBy: ['P-547'],
    gateway: {
      after: (asked, { status }) => (isOfOwn(asked) && status === 422 && !isStrict(asked) ? NOBODY : undefined),
    },
  },
  {
    name: 'options-refuse',
    defect: 'who says how a write is meant is refused',
    killedBy: ['P-547'],
    gateway: { after: (asked, { status }) => (isOfOwn(asked) && status === 404 ? REFUSED : undefined) },
  },
  {
    name: 'strictness-is-ignored',
    defect: 'a patch of a field that nobody knows is taken, however strictly it is to be read',
    killedBy: ['P-547'],
    gateway: {
      after: (asked, { status }) =>
        isStrict(asked) && (status === 400 || status === 422) ? { status: 200, body: ANY } : undefined,
    },
  },
  {
    name: 'owners-go-first',
    defect: 'an owner is gone at once, whatever its deletion says of what it owns',
    killedBy: ['P-391'],
    gateway: {
      after: (asked, { status }) => (isDeletionOf(asked) && status === 200 ? { status, body: GONE } : undefined),
    },
  },
  {
    name: 'owners-wait-for-both',
    defect: 'an owner waits for all that may become of what it owns, whatever its deletion says',
    killedBy: ['P-391'],
    gateway: {
      after: (asked, { status }) =>
        isDeletionOf(asked) && asked.query.has('dryRun') && status === 200 ? { status, body: WAITING } : undefined,
    },
  },
  remembering(() => {
    const first = new Map<string, ReturnType<typeof upstream.principalsOf>>();
    return decides('users-keep-their-first-groups', 'whoever asks again is in the groups of before', ['P-544'], {
      principalsOf: (user) => {
        const known = first.get(user.username) ?? upstream.principalsOf(user);
        first.set(user.username, known);
        return known;
      },
    });
  }),
  decides('groups-of-others-unread', 'of the groups of a user those that the run has made up do not count', ['P-544'], {
    principalsOf: (user) =>
      upstream.principalsOf({ ...user, groups: user.groups.filter((group) => !group.startsWith('jp-')) }),
  }),
  decides('claims-of-any-namespace', 'a volume belongs to each claim that has the name of its own', ['P-361'], {
    nodeOnVolume: (question) => isElsewhere(question) || upstream.nodeOnVolume(question),
    nodeOnSecret: (question) => isElsewhere(question) || upstream.nodeOnSecret(question),
  }),
  decides('usages-twice-at-the-end', 'what the third usage repeats is passed over', ['P-61'], {
    csrProblemsThatRefuse: (problems) =>
      problems.filter(({ type, field }) => type !== 'Duplicate' || !/\[2\]$/.test(field)),
  }),
  decides('lives-of-any-kubelet', 'a token lives for a year that is for others, too', ['P-333'], {
    tokenLifetime: ({ audiences, own, ...request }) =>
      upstream.tokenLifetime({ ...request, own, audiences: audiences.filter((one) => own.includes(one)) }),
  }),
  decides('slices-of-all', 'a node takes slices of all nodes away at once', ['P-385'], {
    nodeOnResourceSlice: (question) =>
      question.attributes.verb === 'deletecollection' ? true : upstream.nodeOnResourceSlice(question),
  }),
  decides('parts-of-slices', 'a node may do to each part of a slice what it may do to all of it', ['P-385'], {
    nodeOnResourceSlice: (question) => upstream.nodeOnResourceSlice(asking(question, { subresource: '' })),
  }),
  decides('claims-are-listed', 'a node lists and watches the claims that it may read', ['NODE-008'], {
    nodeOnVolume: (question) => upstream.nodeOnVolume(asking(question, { verb: 'get' })),
  }),
  decides('states-of-claims-are-read', 'a node reads the status of the claims of its Pods', ['NODE-008'], {
    nodeOnClaimStatus: (question) =>
      question.attributes.verb === 'get'
        ? upstream.nodeOnVolume(asking(question, { subresource: '' }))
        : upstream.nodeOnClaimStatus(question),
  }),
  decides('parts-of-csi-nodes', 'a node may do to each part of its CSINode what it may do to all of it', ['P-385'], {
    nodeOnCsiNode: (question) => upstream.nodeOnCsiNode(asking(question, { subresource: '' })),
  }),
  decides('mirrors-are-controlled', "a mirror Pod that says nothing of its controller is its Node's", ['P-73'], {
    mirrorPodOwnerProblem: (node, owners, uid) =>
      upstream.mirrorPodOwnerProblem(
        node,
        owners.map((owner) => ({ controller: true, ...owner })),
        uid,
      ),
  }),
  decides('mirrors-of-any-group', 'the owner of a mirror Pod may be a Node of any API group', ['P-73'], {
    mirrorPodOwnerProblem: (node, owners, uid) =>
      upstream.mirrorPodOwnerProblem(
        node,
        owners.map((owner) => ({ ...owner, apiVersion: 'v1' })),
        uid,
      ),
  }),
];
