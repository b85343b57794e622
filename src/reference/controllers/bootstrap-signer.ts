/** Signs cluster-info for every token that may sign. Source: pkg/controller/bootstrap/bootstrapsigner.go. */

import type { Controller, StoreEvent } from '../../apiserver/types.js';
import { record } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { CONFIG_MAPS, type ControllerContext, createLoop, isResource, refusedWith, SECRETS } from './controller.js';
import { expirationOf, viewSecret } from './secret-view.js';

const stringsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

export function bootstrapSigner(context: ControllerContext): Controller {
  const { store, clock, decisions } = context;
  const client = context.as('bootstrap-signer');
  const isTarget = (object: KubeObject): boolean =>
    decisions.signsConfigMap(object.metadata.namespace ?? '', object.metadata.name ?? '');
  const keyOf = (object: KubeObject): string => `${object.metadata.namespace}/${object.metadata.name}`;
  const targetsOf = new WeakMap<readonly KubeObject[], readonly string[]>();
  /** Found again only when some ConfigMap has changed: the store's lists stay the same until then. */
  const targets = (): readonly string[] => {
    const all = store.list(CONFIG_MAPS);
    const found = targetsOf.get(all) ?? all.filter(isTarget).map(keyOf);
    targetsOf.set(all, found);
    return found;
  };

  /**
   * Signatures of the last content by id and secret of the token: with every change all are looked at, and most stay.
   */
  let made: { readonly content: string; readonly by: ReadonlyMap<string, string> } | undefined;
  const signature = (token: { readonly id: string; readonly secret: Buffer }, content: string): string => {
    const header = decisions.signatureHeader(token.id);
    const payload = decisions.signaturePayload(content);
    const mac = decisions.signatureMac(decisions.signatureKey(token.id, token.secret), header, payload);
    return decisions.detachedSignature(header, payload, mac);
  };

  /** Objects of the store never change: what signs at no time, as far as its expiration goes, is passed over. */
  const signsNever = new WeakSet<KubeObject>();
  const tokenOf = (object: KubeObject, now: number): ReturnType<typeof decisions.signingToken> => {
    if (signsNever.has(object)) return undefined;
    const view = viewSecret(object);
    const isWatched = decisions.signerWatchesSecret(view);
    const token = isWatched ? decisions.signingToken(view, expirationOf(decisions, view), now) : undefined;
    if (token === undefined && (!isWatched || decisions.signingToken(view, { kind: 'never' }, now) === undefined))
      signsNever.add(object);
    return token;
  };

  /** Data key → signature, for every token that may sign; of two Secrets with one id the first counts. */
  const sign = (content: string): Record<string, string> => {
    const signatures: Record<string, string> = {};
    const before = made?.content === content ? made.by : undefined;
    const by = new Map<string, string>();
    const now = clock.now();
    for (const object of store.list(SECRETS)) {
      const token = tokenOf(object, now);
      if (token === undefined) continue;
      const of = `${token.id} ${token.secret.toString('latin1')}`;
      const known = by.get(of) ?? before?.get(of) ?? signature(token, content);
      by.set(of, known);
      signatures[decisions.signatureDataKey(token.id)] ??= known;
    }
    made = { content, by };
    return signatures;
  };

  return createLoop({
    name: 'bootstrap-signer-controller',
    context,
    keysOf(event: StoreEvent) {
      if (isResource(event, CONFIG_MAPS)) {
        return isTarget(event.object) && decisions.signerWakes({ subject: 'configmap', type: event.type })
          ? [keyOf(event.object)]
          : [];
      }
      if (!isResource(event, SECRETS) || !decisions.signerWatchesSecret(viewSecret(event.object))) return [];
      return decisions.signerWakes({ subject: 'secret', type: event.type }) ? targets() : [];
    },
    initial: targets,
    sync(key) {
      const [namespace, name] = key.split('/') as [string, string];
      const configMap = store.get(CONFIG_MAPS, namespace, name);
      if (configMap === undefined) return;
      const data = stringsOf(configMap.data);
      const content = decisions.contentToSign(data);
      if (content === undefined) {
        const left = decisions.dataWithoutText(data, decisions.isSignatureKey);
        if (decisions.signingChanges(data, left)) client.update(CONFIG_MAPS, { ...configMap, data: left });
        return;
      }
      const before = Object.fromEntries(Object.entries(data).filter(([dataKey]) => decisions.isSignatureKey(dataKey)));
      const signatures = sign(content);
      if (!decisions.signingChanges(before, signatures)) return;
      try {
        client.update(CONFIG_MAPS, {
          ...configMap,
          data: decisions.signedData(data, signatures, decisions.isSignatureKey),
        });
      } catch (error) {
        // Somebody else was faster, or it has gone: that change has woken the signer again.
        if (!refusedWith(error, 404, 409)) throw error;
      }
    },
  });
}
