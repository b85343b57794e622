/** Sentences about the certificate requests that the cluster holds, and about what kubelets are told to do. */
import {
  type KubeletConfiguration,
  kubeletRotates,
  kubeletServingAgrees,
  readKubeletConfiguration,
} from '../../src/checks/kubelet-configuration.js';
import * as requests from '../../src/checks/requests.js';
import {
  type RequestAtRest,
  readServingNames,
  readSigned,
  requestAtRest,
  type SeenRequest,
} from '../../src/checks/seen-requests.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import type { ConfigMap, KubeObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { Check } from '../../src/model/check.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';

const REQUESTS = slot<readonly RequestAtRest[]>('the certificate requests of the cluster');
const NODES = slot<readonly KubeObject[]>('the Nodes of the cluster');
const CONFIGURATION = slot<KubeletConfiguration>('the configuration that kubelets are given');

Given('the certificate requests of the cluster', { needs: ['objects'] }, async function (this: World) {
  const read = (): Promise<readonly RequestAtRest[]> =>
    this.objects.list(
      resources.certificateSigningRequests,
      {},
      this.theirs(resources.certificateSigningRequests, requestAtRest),
    );
  this.put(REQUESTS, await this.shared('certificate requests at rest', read));
});

const seenBy = (world: World): readonly SeenRequest[] => world.get(REQUESTS).map(({ seen }) => seen);

Then('each request of a bootstrap token names the signer {string}', function (this: World, signer: string) {
  this.check(requests.requestSigner, seenBy(this), { signer });
});

/** A sentence of the features, and what judges it. */
const SENTENCES: Readonly<Record<string, Check<readonly SeenRequest[]>>> = {
  'each request for a kubelet\'s client certificate has a common name "system:node:" and a name':
    requests.requestCommonName,
  'each request for a kubelet\'s client certificate has exactly the organization "system:nodes"':
    requests.requestOrganization,
  "each request for a kubelet's client certificate has its common name in lower case": requests.requestLowerCase,
  "each request for a kubelet's client certificate is for clients and not for servers": requests.requestClientUsages,
  "each request for a kubelet's client certificate has no alternative names": requests.requestNoAltNames,
  'each request is a PEM block "CERTIFICATE REQUEST" that is signed with its own key': requests.requestProof,
  'no two nodes share a key': requests.requestOwnKeys,
  'each approval that no person has given says that it came after a SubjectAccessReview': requests.requestApprovals,
  "the oldest request for each node's client certificate was not made by an administrator":
    requests.requestFirstRequester,
  "each later request for a node's certificate was made with a node's certificate or a bootstrap identity":
    requests.requestLaterRequesters,
  'each certificate issued to a kubelet is valid for at most a year': requests.requestValidity,
  "each request for a kubelet's serving certificate is for servers and not for clients": requests.requestServingUsages,
  'no serving certificate request has the key of a client certificate request': requests.requestServingKeys,
};
for (const [sentence, check] of Object.entries(SENTENCES)) {
  Then(new RegExp(`^${sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`), function (this: World) {
    this.check(check, seenBy(this));
  });
}

const CLIENT_CA = 'extension-apiserver-authentication';

Then(
  'each client certificate issued to a kubelet is signed by a CA that the API server accepts clients from',
  async function (this: World) {
    const published = await this.objects.get<ConfigMap>(resources.configMaps, CLIENT_CA, KUBE_SYSTEM);
    const accepted = published?.data?.['client-ca-file'];
    if (accepted === undefined)
      return this.skip('nothing', `the API server publishes no client CA in the ConfigMap ${KUBE_SYSTEM}/${CLIENT_CA}`);
    this.check(requests.requestIssuer, readSigned(this.get(REQUESTS), accepted));
  },
);

Given('the Nodes of the cluster', { needs: ['objects'] }, async function (this: World) {
  this.put(NODES, await this.objects.list<KubeObject>(resources.nodes));
});

Then('each serving certificate request names only hosts and addresses of its own Node', function (this: World) {
  this.check(requests.requestServingNames, readServingNames(seenBy(this), this.get(NODES)));
});

Given('the configuration that kubelets are given', { needs: ['objects'] }, async function (this: World) {
  // the name carried the version up to 1.23
  const { minor } = this.version;
  const name = minor <= 23 ? `kubelet-config-1.${minor}` : 'kubelet-config';
  const found = await this.objects.get<ConfigMap>(resources.configMaps, name, KUBE_SYSTEM);
  const text = found?.data?.kubelet;
  if (text === undefined)
    return this.skip('nothing', `there is no ConfigMap ${KUBE_SYSTEM}/${name} with the kubelets' configuration`);
  this.put(CONFIGURATION, readKubeletConfiguration(`ConfigMap ${KUBE_SYSTEM}/${name}`, text));
});

Then('it has client certificates renewed', function (this: World) {
  this.check(kubeletRotates, this.get(CONFIGURATION));
});

Then('what it says of serving certificates does not contradict itself', function (this: World) {
  this.check(kubeletServingAgrees, this.get(CONFIGURATION));
});
