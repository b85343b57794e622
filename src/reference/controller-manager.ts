/** Every loop of the controller manager that the reference plays, and how to wait until they have nothing to do. */

import type { ApiClient, Controller } from '../apiserver/types.js';
import type { Authority } from '../pki/authority.js';
import { csrApprover } from './certificates/approver.js';
import { csrCleaner } from './certificates/cleaner.js';
import { csrSigners } from './certificates/signers.js';
import { type AccountTokens, accountTokens } from './controllers/account-tokens.js';
import { clusterRoleAggregation } from './controllers/aggregation.js';
import { bootstrapSigner } from './controllers/bootstrap-signer.js';
import type { ControllerContext } from './controllers/controller.js';
import { garbageCollector } from './controllers/garbage-collector.js';
import { leases } from './controllers/leases.js';
import { namespaceDeletion, rootCaPublisher, serviceAccounts } from './controllers/namespaces.js';
import { nodeLifecycle, nodeTtl } from './controllers/nodes.js';
import { tokenCleaner } from './controllers/token-cleaner.js';
import { SWITCHABLE_CONTROLLERS, type SwitchableController } from './options.js';

export interface ControllerOptions {
  readonly context: ControllerContext;
  readonly minor: number;
  /** Signs certificates (--cluster-signing-cert-file), and is published in every namespace (--root-ca-file). */
  readonly ca: Authority;
  readonly runs: (controller: SwitchableController) => boolean;
  /** --cluster-signing-duration, milliseconds; default 8760 h. */
  readonly longestLifetime: number | undefined;
  /** Signs tokens that lie in Secrets, and who writes them there. */
  readonly tokens: Omit<AccountTokens, 'caPem'>;
  /** The server itself, for its own Lease. */
  readonly server: ApiClient;
  readonly nodeName: string;
  /** host:port at which the server says that it can be reached. */
  readonly address: string;
}

export function createControllers({
  context,
  minor,
  ca,
  runs,
  longestLifetime,
  tokens,
  server,
  nodeName,
  address,
}: ControllerOptions): readonly Controller[] {
  const switchable: Readonly<Record<SwitchableController, () => Controller>> = {
    bootstrapsigner: () => bootstrapSigner(context),
    tokencleaner: () => tokenCleaner(context),
    csrapproving: () => csrApprover(context, { minor }),
    csrsigning: () => csrSigners(context, { authorityFor: () => ca, minor, longestLifetime }),
    csrcleaner: () => csrCleaner(context, { minor }),
  };
  return [
    leases(context, server, nodeName, address),
    clusterRoleAggregation(context),
    garbageCollector(context),
    namespaceDeletion(context),
    rootCaPublisher(context, ca.certificate.pem),
    serviceAccounts(context),
    nodeLifecycle(context, { minor, own: nodeName }),
    nodeTtl(context),
    accountTokens(context, { ...tokens, caPem: ca.certificate.pem }),
    ...SWITCHABLE_CONTROLLERS.filter(runs).map((name) => switchable[name]()),
  ];
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Resolves when nobody has work that could be done without time passing: everybody idle in two turns of the event loop.
 */
export async function settled(controllers: readonly Controller[]): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    await nextTurn();
    quiet = controllers.every((controller) => controller.idle()) ? quiet + 1 : 0;
  }
}
