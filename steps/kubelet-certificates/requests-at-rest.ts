/** Sentences about the certificate requests that the cluster holds, and about what kubelets are told to do. */

import { parse, YAMLParseError } from 'yaml';
import * as judge from '../../src/checks/requests.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import type { CertificateSigningRequest, ConfigMap, KubeObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { Verdict } from '../../src/model/evidence.js';
import { Given, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';

Given('the certificate requests of the cluster', async function (this: World) {
  const read = async (): Promise<readonly judge.SeenRequest[]> =>
    judge.readRequests(await this.objects.list<CertificateSigningRequest>(resources.certificateSigningRequests));
  this.keep('requests', await this.shared('certificate requests at rest', read));
});

const judged = (world: World, look: (requests: readonly judge.SeenRequest[]) => Verdict): void => {
  world.judge(look(world.kept<readonly judge.SeenRequest[]>('requests')));
};

Then('each request of a bootstrap token names the signer {string}', function (this: World, signer: string) {
  judged(this, (requests) => judge.judgeSigner(requests, signer));
});

/** A sentence of the features, and what judges it. */
const sentences: Readonly<Record<string, (requests: readonly judge.SeenRequest[]) => Verdict>> = {
  'each request for a kubelet\'s client certificate has a common name "system:node:" and a name': judge.judgeCommonName,
  'each request for a kubelet\'s client certificate has exactly the organization "system:nodes"':
    judge.judgeOrganization,
  "each request for a kubelet's client certificate has its common name in lower case": judge.judgeLowerCase,
  "each request for a kubelet's client certificate asks for client authentication and for nothing of servers":
    judge.judgeClientUsages,
  "each request for a kubelet's client certificate has no alternative names": judge.judgeNoAltNames,
  'each request is a PEM block "CERTIFICATE REQUEST" that is signed with its own key': judge.judgeProof,
  'no two nodes share a key': judge.judgeOwnKeys,
  'each approval that no person has given says that it came after a SubjectAccessReview': judge.judgeApprovals,
  "the oldest request for each node's client certificate was not made by an administrator": judge.judgeFirstRequester,
  "each later request for a node's certificate was made with a node's certificate or a bootstrap identity":
    judge.judgeLaterRequesters,
  'each certificate issued to a kubelet is valid for at most a year': judge.judgeValidity,
  "each request for a kubelet's serving certificate asks for server authentication and for nothing of clients":
    judge.judgeServingUsages,
  'no serving certificate request has the key of a client certificate request': judge.judgeServingKeys,
};
for (const [sentence, look] of Object.entries(sentences)) {
  Then(new RegExp(`^${sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`), function (this: World) {
    judged(this, look);
  });
}

Then(
  'each client certificate issued to a kubelet is signed by a CA that the API server accepts clients from',
  async function (this: World) {
    const published = await this.objects.get<ConfigMap>(
      resources.configMaps,
      'extension-apiserver-authentication',
      KUBE_SYSTEM,
    );
    const accepted = published?.data?.['client-ca-file'];
    if (accepted === undefined)
      this.skip(
        'nothing',
        'the API server publishes no client CA in the ConfigMap kube-system/extension-apiserver-authentication',
      );
    judged(this, (requests) => judge.judgeIssuer(requests, accepted ?? ''));
  },
);

Given('the Nodes of the cluster', async function (this: World) {
  this.keep('nodes', await this.objects.list<KubeObject>(resources.nodes));
});

Then('each serving certificate request names only hosts and addresses of its own Node', function (this: World) {
  judged(this, (requests) => judge.judgeServingNames(requests, this.kept<readonly KubeObject[]>('nodes')));
});

interface KubeletConfiguration {
  readonly rotateCertificates?: boolean;
  readonly serverTLSBootstrap?: boolean;
  readonly featureGates?: Readonly<Record<string, boolean>>;
}

const CONFIGURATION = `ConfigMap ${KUBE_SYSTEM}/kubelet-config`;

function readConfiguration(world: World, text: string): KubeletConfiguration {
  const demanded = 'its key "kubelet" is a configuration in YAML';
  try {
    const read: unknown = parse(text);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read;
    world.expect({ object: CONFIGURATION, demanded, seen: 'it is no mapping', ok: false });
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    world.expect({ object: CONFIGURATION, demanded, seen: 'it is no YAML', ok: false });
  }
  return {};
}

Given('the configuration that kubelets are given', async function (this: World) {
  // the name carried the version up to 1.23
  const { minor } = this.version;
  const name = minor <= 23 ? `kubelet-config-1.${minor}` : 'kubelet-config';
  const found = await this.objects.get<ConfigMap>(resources.configMaps, name, KUBE_SYSTEM);
  const text = found?.data?.kubelet;
  if (text === undefined)
    this.skip('nothing', `there is no ConfigMap ${KUBE_SYSTEM}/${name} with the kubelets' configuration`);
  this.keep('kubelet configuration', readConfiguration(this, text ?? ''));
});

Then('it has client certificates renewed', function (this: World) {
  const { rotateCertificates } = this.kept<KubeletConfiguration>('kubelet configuration');
  this.expect({
    object: CONFIGURATION,
    demanded: 'rotateCertificates: true',
    seen: `rotateCertificates: ${rotateCertificates === undefined ? 'not set, which is false' : rotateCertificates}`,
    ok: rotateCertificates === true,
  });
});

Then('what it says of serving certificates does not contradict itself', function (this: World) {
  const { serverTLSBootstrap, featureGates } = this.kept<KubeletConfiguration>('kubelet configuration');
  const gate = featureGates?.RotateKubeletServerCertificate;
  const contradiction = serverTLSBootstrap === true && gate === false;
  const note = serverTLSBootstrap === true ? {} : { note: 'kubelets serve with self-signed certificates here' };
  this.expect({
    object: CONFIGURATION,
    demanded: 'serverTLSBootstrap and the feature gate RotateKubeletServerCertificate agree',
    seen: `serverTLSBootstrap: ${serverTLSBootstrap ?? 'not set'}, gate: ${gate ?? 'not set'}`,
    ok: !contradiction,
    ...note,
  });
});
