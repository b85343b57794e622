/**
 * Fills the Secrets that ask for a token of a service account, and deletes those whose account is not there.
 * Source: pkg/controller/serviceaccount/tokens_controller.go, pkg/serviceaccount/legacy.go.
 */
import type { ApiClient, Controller } from '../../apiserver/types.js';
import { base64, record, text } from '../../kubernetes/json.js';
import { ACCOUNT_NAME_ANNOTATION, ACCOUNT_SECRET_TYPE, ACCOUNT_UID_ANNOTATION } from '../../kubernetes/names.js';
import type { KubeObject, Secret } from '../../kubernetes/objects.js';
import type { AccountOfSecret } from '../decisions/service-account-tokens.js';
import { type ControllerContext, createLoop, isResource, SECRETS, SERVICE_ACCOUNTS } from './controller.js';

export interface AccountTokens {
  /** Who upstream's controller acts as: the controller manager itself. */
  readonly client: ApiClient;
  /** --root-ca-file */
  readonly caPem: string;
  readonly sign: (account: AccountOfSecret) => string;
}

const keyOf = ({ metadata: { namespace, name } }: KubeObject): string => `${namespace}/${name}`;
const asks = (object: KubeObject): object is Secret => (object as Secret).type === ACCOUNT_SECRET_TYPE;
const accountOf = ({ metadata }: KubeObject): string => text(record(metadata.annotations)[ACCOUNT_NAME_ANNOTATION]);

export function accountTokens(context: ControllerContext, { client, caPem, sign }: AccountTokens): Controller {
  const { store, decisions } = context;
  return createLoop({
    name: 'serviceaccount-token-controller',
    context,
    keysOf(event) {
      if (isResource(event, SECRETS))
        return event.type !== 'DELETED' && asks(event.object) ? [keyOf(event.object)] : [];
      if (event.type !== 'DELETED' || !isResource(event, SERVICE_ACCOUNTS)) return [];
      const { namespace, name } = event.object.metadata;
      const secrets = store.list(SECRETS, namespace).filter(asks);
      return secrets.filter((secret) => accountOf(secret) === name).map(keyOf);
    },
    initial: () => store.list(SECRETS).filter(asks).map(keyOf),
    sync(key) {
      const [namespace = '', name = ''] = key.split('/');
      const secret = store.get(SECRETS, namespace, name);
      if (secret === undefined || !asks(secret)) return;
      const account = store.get(SERVICE_ACCOUNTS, namespace, accountOf(secret));
      const annotations = record(secret.metadata.annotations);
      const { uid = '' } = account?.metadata ?? {};
      if (account === undefined || (text(annotations[ACCOUNT_UID_ANNOTATION]) || uid) !== uid) {
        client.delete(SECRETS, namespace, name, secret.metadata.uid === undefined ? {} : { uid: secret.metadata.uid });
        return;
      }
      const { data = {} } = secret;
      const wanted = {
        'ca.crt': decisions.rootOfAccountSecret(data['ca.crt'], base64(caPem)),
        namespace: data.namespace || base64(namespace),
        token: data.token || base64(sign({ namespace, name: accountOf(secret), uid, secretName: name })),
      };
      if (
        Object.entries(wanted).every(([part, value]) => data[part] === value) &&
        annotations[ACCOUNT_UID_ANNOTATION] === uid
      )
        return;
      client.update(SECRETS, {
        ...secret,
        metadata: {
          ...secret.metadata,
          annotations: { ...secret.metadata.annotations, [ACCOUNT_UID_ANNOTATION]: uid },
        },
        ...{ data: { ...data, ...wanted } },
      });
    },
  });
}
