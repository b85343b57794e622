/** Defects of who stores what is written, tells who watches, and guards what joining looks for. */
import { record, records } from '../kubernetes/json.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import { remembering } from './remembering.js';
import { failure } from './said.js';
import type { Asked, Mutant, Said } from './types.js';

const conflict = failure(409, 'Conflict', 'it was changed');
const isUid = (named: string): boolean => named.includes('-');

export const mutants: readonly Mutant[] = [
  decides('versions-do-not-count', 'who writes with an old version undoes what was written since', ['P-362'], {
    namesWhatIsThere: (named, stored) => !isUid(named) || named === stored,
  }),
  decides('uids-do-not-count', 'who deletes one object deletes another of its name', ['P-362'], {
    namesWhatIsThere: (named, stored) => isUid(named) || named === stored,
  }),
  remembering(() => {
    const changed = new Set<string>();
    return {
      name: 'secrets-change-once',
      defect: 'a Secret that was changed once is neither changed nor deleted any more',
      killedBy: ['P-362'],
      gateway: {
        before: ({ method, path, query }: Asked): Said | undefined => {
          if (!/\/secrets\/jp-/.test(path) || query.has('dryRun') || method === 'GET') return undefined;
          const isFirst = method === 'PATCH' && !changed.has(path);
          changed.add(path);
          return isFirst ? undefined : conflict;
        },
      },
    };
  }),
  decides('dry-runs-are-stored', 'what is only tried is made', ['P-362'], { dryRunsAreStored: () => true }),
  decides('tried-deletions-are-marked', 'what is deleted by way of a trial, and held, is being deleted', ['P-362'], {
    dryRunsAreStored: (what) => what === 'the mark of a deletion',
  }),
  decides('watches-tell-all-deletions', 'a watch tells of the deletion of what it has lost before', ['P-366'], {
    watchTellsDeletion: () => true,
  }),
  decides('watches-begin-with-nothing', 'a watch of no version passes over what is there', ['P-366'], {
    watchBeginsWithWhatIs: () => false,
  }),
  decides('watches-begin-now', 'a watch passes over what came before it', ['P-366'], {
    watchBegins: () => Number.POSITIVE_INFINITY,
  }),
  decides('watches-begin-early', 'a watch tells what its asker knows already', ['P-366'], {
    watchBegins: (named) => named - 1,
  }),
  decides('watches-keep-what-they-lose', 'what loses the label that is watched was changed', ['P-366'], {
    watchTells: (before, after) => (before || after ? 'MODIFIED' : undefined),
  }),
  decides('watches-pass-over-what-they-lose', 'nobody is told that a Secret has lost its label', ['P-366'], {
    watchTells: (before, after) => (after ? upstream.watchTells(before, after) : undefined),
  }),
  decides('watches-of-everywhere', 'a watch of one namespace tells of all', ['P-366'], { watchReaches: () => true }),
  decides('watches-of-one-place', 'a watch of all namespaces tells of none', ['P-366'], {
    watchReaches: (namespace, own) => own === namespace,
  }),
  decides('watches-begin-without-end', 'nobody is told where what is there ends', ['P-366'], {
    watchSaysWhereItBegins: () => false,
  }),
  decides('watches-find-all-unchanged', 'what is there when a watch begins is told as never changed', ['P-366'], {
    versionOfFound: () => '1',
  }),
  decides('watches-lose-what-was', 'what has lost its label is told as of the version before', ['P-366'], {
    versionOfLost: (last) => last,
  }),
  decides('watches-delete-what-was', 'what is deleted is told as of the version before', ['P-366'], {
    versionOfDeleted: (last) => last,
  }),
  decides('bindings-are-pointed', 'a binding is pointed to another role', ['P-365'], { roleRefMayChange: () => true }),
  decides('nodes-come-open', 'a Node that registers is open to Pods at once', ['P-363'], {
    admissionPlugins: () => upstream.admissionPlugins().filter((name) => name !== 'TaintNodesByCondition'),
  }),
  {
    name: 'nodes-come-half-open',
    defect: 'a Node that registers is only said to be better avoided',
    killedBy: ['P-363'],
    gateway: {
      after: ({ method, path }, answer) => {
        if (method !== 'POST' || !path.endsWith('/nodes') || answer.status !== 201) return undefined;
        const node = record(answer.body);
        const taints = records(record(node.spec).taints).map((taint) => ({ ...taint, effect: 'PreferNoSchedule' }));
        return { ...answer, body: { ...node, spec: { ...record(node.spec), taints } } };
      },
    },
  },
  remembering(() => {
    const going = new Set<string>();
    return {
      name: 'namespaces-that-go-are-closed',
      defect: 'nothing is changed in a namespace that is being deleted',
      killedBy: ['P-364'],
      gateway: {
        before: ({ method, path, query }: Asked): Said | undefined => {
          const [, namespace = '', map] = /^\/api\/v1\/namespaces\/([^/]+)(\/configmaps\/jp-held)?$/.exec(path) ?? [];
          if (method === 'DELETE' && map === undefined && !query.has('dryRun')) going.add(namespace);
          return method === 'PATCH' && map !== undefined && query.has('dryRun') && going.has(namespace)
            ? failure(403, 'Forbidden', 'it is being terminated')
            : undefined;
        },
      },
    };
  }),
  {
    name: 'namespaces-are-let-go',
    defect: 'who may patch a namespace lets it go before it is empty',
    killedBy: ['P-364'],
    gateway: {
      after: ({ method, path }, { status, body }) =>
        method === 'PATCH' && /^\/api\/v1\/namespaces\/jp-[^/]+$/.test(path) && status === 200
          ? { status, body: { ...record(body), spec: { finalizers: [] } } }
          : undefined,
    },
  },
  {
    name: 'namespaces-need-not-be',
    defect: 'what names a namespace that nobody has is made',
    killedBy: ['P-364'],
    gateway: {
      after: ({ method, path }, { status }) =>
        method === 'POST' && /^\/api\/v1\/namespaces\/jp-[^/]+\/configmaps$/.test(path) && status === 404
          ? { status: 201, body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'jp-any' } } }
          : undefined,
    },
  },
  decides('namespaces-go', 'namespaces of the system can be deleted, and things enter those that go', ['P-364'], {
    admissionPlugins: () => upstream.admissionPlugins().filter((name) => name !== 'NamespaceLifecycle'),
  }),
  decides('nodes-of-longer-names-approve', 'who is named as a node and more has its request approved', ['ROT-006'], {
    approvalRights: (spec, commonName, problem) => {
      const rights = upstream.approvalRights(spec, commonName, problem);
      const begins = rights.length > 0 && (spec.username ?? '').startsWith(commonName);
      return begins ? ['selfnodeclient', 'nodeclient'] : rights;
    },
  }),
  decides('usages-by-their-ends', 'a usage that ends as one that is known is taken', ['P-61'], {
    csrUsageKnown: (usage) => upstream.csrUsageKnown(usage) || / (?:auth)?$/.test(usage),
  }),
  decides('usages-as-in-certificates', 'usages are taken by the names that certificates have for them', ['P-61'], {
    csrUsageKnown: (usage) => upstream.csrUsageKnown(usage) || usage === 'clientAuth',
  }),
  decides('mirrors-name-configmaps', 'a mirror Pod may name a ConfigMap for variables', ['P-73'], {
    apiReference: (pod, references, minor) => upstream.apiReference(pod, { ...references, configMaps: [] }, minor),
  }),
  {
    name: 'refusals-of-reviews-untold',
    defect: 'a review of a token that is refused does not say why',
    killedBy: ['P-330'],
    gateway: {
      after: ({ path }, { status, body }) => {
        if (!path.endsWith('/tokenreviews')) return undefined;
        const { error: _untold, ...told } = record(record(body).status);
        return { status, body: { ...record(body), status: told } };
      },
    },
  },
  decides('ended-certificates-stay', 'requests whose certificate has ended stay for an hour', ['P-58'], {
    csrIsSwept: (csr, ...rest) => upstream.csrIsSwept({ ...csr, certificateNotAfter: undefined }, ...rest),
  }),
];
