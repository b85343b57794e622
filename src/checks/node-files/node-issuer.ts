/** Who a cluster says that its tokens are from. */
import type { Check } from '../../model/check.js';
import type { Seen } from './node-files.js';
import { valuesOf } from './node-flags.js';
import { inPod } from './node-pods.js';

/** The issuer that kubeadm gives, of a domain. */
const OF_THE_CLUSTER = /^https:\/\/kubernetes\.default\.svc\.([^/]+)$/;

/**
 * Whoever verifies tokens by OpenID Connect asks the issuer, over https. `domain`: of the cluster, '' where the disk does
 * not say it. Of several the first one signs, and the others are of before. One that is no URL is of old: nobody asks it.
 */
export const issuerAnswers: Check<readonly Seen[], { readonly domain: string }> = {
  id: 'node-issuer/answers',
  source: 'kube-apiserver --service-account-issuer; OpenID Connect Discovery 1.0, 3; manifests.go getAPIServerCommand',
  judge: (all, { domain }) =>
    all.map((seen) =>
      inPod(seen, 'the issuer of its tokens answers over https, in the domain of the cluster', (manifest) => {
        const [issuer = ''] = valuesOf(manifest, 'service-account-issuer');
        const [, own] = OF_THE_CLUSTER.exec(issuer) ?? [];
        const isElsewhere = own !== undefined && domain !== '' && own !== domain.replace(/\.$/, '');
        return { seen: issuer || 'none is told', ok: !issuer.startsWith('http:') && !isElsewhere };
      }),
    ),
};
