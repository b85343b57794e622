/** Tokens without end that the cluster keeps for accounts. */
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';
import { edit, finds } from './arrange.js';
import type { Mutant } from './types.js';

const NAMESPACE = 'kube-system';

/** As kubernetes.io describes it; the cluster fills it. */
const keep = ({ api }: Reference, account: string, name: string): void =>
  void api.create(resources.secrets, {
    apiVersion: 'v1',
    kind: resources.secrets.kind,
    metadata: { name, namespace: NAMESPACE, annotations: { 'kubernetes.io/service-account.name': account } },
    type: 'kubernetes.io/service-account-token',
  });

const addAccount = ({ api }: Reference, name: string): void =>
  void api.create(resources.serviceAccounts, {
    apiVersion: 'v1',
    kind: resources.serviceAccounts.kind,
    metadata: { name, namespace: NAMESPACE },
  });

export const mutants: readonly Mutant[] = [
  finds('controller-kept-by-hand', 'somebody has a token of a controller that has no end', ['P-263'], (reference) =>
    keep(reference, 'certificate-controller', 'for-a-script'),
  ),
  {
    name: 'harmless-kept-tokens',
    defect: 'a token of a controller that the cluster made before 1.24, and one of an exporter',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      // where controllers have no accounts, or it does not run, nobody has made it
      if (reference.api.get(resources.serviceAccounts, NAMESPACE, 'token-cleaner') === undefined)
        addAccount(reference, 'token-cleaner');
      keep(reference, 'token-cleaner', 'token-cleaner-token-x7k2p');
      edit<KubeObject>(
        reference,
        { resource: resources.serviceAccounts, namespace: NAMESPACE, name: 'token-cleaner' },
        (found) => ({ ...found, secrets: [{ name: 'token-cleaner-token-x7k2p' }] }),
      );
      addAccount(reference, 'exporter');
      keep(reference, 'exporter', 'exporter-token');
    },
  },
];
