/** Sentences about the certificate requests that the cluster holds, and about what kubelets are told to do. */
import {
  decidedBeforeIssued,
  decidedByController,
  decidedForJoining,
  decidedInTime,
  decidedOnce,
  issuedByController,
} from '../../src/checks/kubelet-certificates/decided-requests.js';
import {
  issuedAsAsked,
  issuedToNoAuthority,
  issuedWithOwnNumbers,
} from '../../src/checks/kubelet-certificates/issued-as-asked.js';
import {
  lifeAsAsked,
  lifeBeforeAuthority,
  lifeBeginsNow,
  lifeWithinAuthority,
} from '../../src/checks/kubelet-certificates/issued-life.js';
import {
  type KubeletConfiguration,
  kubeletRotates,
  kubeletServingGate,
  readKubeletConfiguration,
} from '../../src/checks/kubelet-certificates/kubelet-configuration.js';
import {
  nodesCome,
  requestersKnown,
  servingAfterClient,
  servingByItsNode,
} from '../../src/checks/kubelet-certificates/node-requests.js';
import * as requests from '../../src/checks/kubelet-certificates/requests.js';
import {
  isOfKubernetes,
  type RequestAtRest,
  readSigned,
  readWithin,
  type SeenRequest,
} from '../../src/checks/kubelet-certificates/seen-requests.js';
import { readServingNames, servingKeys, servingNames } from '../../src/checks/kubelet-certificates/serving-requests.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import type { ConfigMap, KubeObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { Check } from '../../src/model/check.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { demandSigner } from '../common/csr-requests.js';
import { atRest } from '../common/searched.js';

export const REQUESTS = slot<readonly RequestAtRest[]>('the certificate requests of the cluster');
export const NODES = slot<readonly KubeObject[]>('the Nodes of the cluster');
const CONFIGURATION = slot<KubeletConfiguration>('the configuration that kubelets are given');

Given('the certificate requests of the cluster', { needs: ['objects'] }, async function (this: World) {
  this.put(REQUESTS, await atRest(this, 'certificateSigningRequests'));
});

export const seenBy = (world: World): readonly SeenRequest[] => world.get(REQUESTS).map(({ seen }) => seen);

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
  'each request that carries a certificate was approved': decidedBeforeIssued,
  'no request was decided twice': decidedOnce,
  'each automatic approval was written by the controller manager': decidedByController,
  'each automatic approval is of a bootstrap identity or of the node itself': decidedForJoining,
  'each approval that no person has given says that it came after a SubjectAccessReview': requests.requestApprovals,
  "the oldest request for each node's client certificate was made by a bootstrap identity or the node itself":
    requests.requestFirstRequester,
  "each later request for a node's certificate was made with a node's certificate or a bootstrap identity":
    requests.requestLaterRequesters,
  'each certificate issued to a kubelet is valid for at most a year': requests.requestValidity,
  "each request for a kubelet's serving certificate is for servers and not for clients": requests.requestServingUsages,
  'each serving certificate request has a key of its own': servingKeys,
  'each serving certificate request was made by the node that it names': servingByItsNode,
  'each request of a kubelet was made by somebody who had logged in': requestersKnown,
};
for (const [sentence, check] of Object.entries(SENTENCES)) {
  Then(new RegExp(`^${sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`), function (this: World) {
    this.check(check, seenBy(this));
  });
}

/** What carries a certificate. */
const issuedOf = (world: World) =>
  seenBy(world).flatMap(({ certificate, ...seen }) => (certificate === undefined ? [] : [{ ...seen, certificate }]));

Then('each certificate of a signer of Kubernetes belongs to its request', function (this: World) {
  this.check(issuedAsAsked, issuedOf(this).filter(isOfKubernetes));
});

Then('no certificate of a signer of Kubernetes is an authority', function (this: World) {
  this.check(issuedToNoAuthority, issuedOf(this).filter(isOfKubernetes));
});

Then('each certificate has a serial number of its own', function (this: World) {
  this.check(issuedWithOwnNumbers, issuedOf(this));
});

Then('each certificate lives no longer than was asked for', function (this: World) {
  this.check(lifeBeginsNow, issuedOf(this));
  this.check(lifeAsAsked, issuedOf(this), {});
});

Then('each decision was made between the request and now', function (this: World) {
  this.check(decidedInTime, seenBy(this), { now: this.now() });
});

/** Where the built-in signer is known to run with the CA's key; elsewhere somebody else has to sign. */
Then('each certificate of a signer of Kubernetes was written by the controller manager', async function (this: World) {
  await demandSigner(this);
  this.check(issuedByController, seenBy(this));
});

const CLIENT_CA = 'extension-apiserver-authentication';

/** PEM of the CAs that the API server accepts clients from. */
async function acceptedAuthorities(world: World): Promise<string> {
  const published = await world.objects.get<ConfigMap>(resources.configMaps, CLIENT_CA, KUBE_SYSTEM);
  const place = `the ConfigMap ${KUBE_SYSTEM}/${CLIENT_CA}`;
  return (
    published?.data?.['client-ca-file'] ?? world.skip('nothing', `the API server publishes no client CA in ${place}`)
  );
}

Then(
  'each client certificate is signed by a CA that the API server accepts clients from',
  async function (this: World) {
    this.check(requests.requestIssuer, readSigned(this.get(REQUESTS), await acceptedAuthorities(this)));
  },
);

Then('no certificate ends after the accepted CA that has signed it', async function (this: World) {
  this.check(lifeWithinAuthority, readWithin(this.get(REQUESTS), await acceptedAuthorities(this)));
});

Then('each certificate ends before the CA that has signed it', async function (this: World) {
  this.check(lifeBeforeAuthority, readWithin(this.get(REQUESTS), await acceptedAuthorities(this)));
});

Given('the Nodes of the cluster', { needs: ['objects'] }, async function (this: World) {
  this.put(
    NODES,
    (await atRest(this, 'nodes')).map(({ node }) => node),
  );
});

Then(
  'each serving certificate request names hosts and addresses of its own Node alone, and so does what was issued',
  function (this: World) {
    this.check(servingNames, readServingNames(seenBy(this), this.get(NODES)));
  },
);

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

Then('each request that a node has made was made with its certificate', function (this: World) {
  this.check(nodesCome, seenBy(this), { minor: this.version.minor });
});

Then('each serving certificate request was made with a client certificate', function (this: World) {
  this.check(servingAfterClient, seenBy(this), { minor: this.version.minor });
});

Then('it has client certificates renewed', function (this: World) {
  this.check(kubeletRotates, this.get(CONFIGURATION));
});

Then('it does not switch off that serving certificates are renewed', function (this: World) {
  this.check(kubeletServingGate, this.get(CONFIGURATION));
});
