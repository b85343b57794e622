/** Puts a reference cluster together: keys, store, authentication, authorization, API, controllers, and what kubeadm init does to it. */
import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { rfc3339, systemClock } from '../apiserver/clock.js';
import { definitions, inDiscoveryOrder, podAdmission, type ResourceHooks } from '../apiserver/resources/index.js';
import { createApi } from '../apiserver/server.js';
import { createStore } from '../apiserver/storage/store.js';
import type { ApiClient, RandomBytes } from '../apiserver/types.js';
import { ADMIN, adminConf } from '../kubeadm/admin-conf.js';
import { extraArgsOf, showNode } from '../kubeadm/control-plane-node.js';
import { CLUSTER_DOMAIN, type InitFacts, NEWEST_RELEASE, parseRelease } from '../kubeadm/facts.js';
import { bootstrapToken, type Init, runInit } from '../kubeadm/init.js';
import { joinWorker } from '../kubeadm/joined-worker.js';
import { createPki, issueClient, issueServing, pkiFiles, readPki } from '../kubeadm/pki.js';
import { adopt } from '../kubeadm/restart.js';
import { GROUP_AUTHENTICATED, GROUP_MASTERS, KUBE_SYSTEM } from '../kubernetes/names.js';
import type { KubeObject, UserInfo } from '../kubernetes/objects.js';
import { generateKeyAsync, spkiOf, spkiPin } from '../pki/keys.js';
import { bootstrapPolicy } from './auth/bootstrap-policy.js';
import { actingUser } from './auth/impersonation.js';
import {
  createAuthenticator,
  createAuthorizer,
  createServiceAccountTokens,
  escalationHooks,
  nodeRestriction,
  reconcileBootstrapPolicy,
  requestToken,
  reviewDefinitions,
  serviceAccountAdmission,
} from './auth/index.js';
import { uuid } from './auth/service-account-tokens.js';
import { certificateAdmission, certificateSigningRequests } from './certificates/index.js';
import { aggregated } from './controllers/aggregation.js';
import { controllerAccounts, writeControlPlaneObjects } from './controllers/control-plane-objects.js';
import { type ControllerContext, SERVICE_ACCOUNTS, type ServedResource } from './controllers/controller.js';
import { createControllers, settled } from './controllers/index.js';
import { type DataFile, openDataFile } from './data-file.js';
import { decide } from './decisions.js';
import { type Reference, type ReferenceOptions, SWITCHABLE_CONTROLLERS, type SwitchableController } from './options.js';

const SERVICE_ACCOUNT_ISSUER = `https://kubernetes.default.svc.${CLUSTER_DOMAIN}`;

/** The reference cannot be started as asked. The message is a sentence for people. */
class CannotStart extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

/** Starts a reference cluster; resolves when it is set up and signed. Throws CannotStart, DataFileError (name ConfigurationError), RangeError for a version. */
export async function startReference(options: ReferenceOptions = {}): Promise<Reference> {
  const data = options.dataFile === undefined ? undefined : openDataFile(options.dataFile);
  try {
    return await start(options, data);
  } catch (error) {
    data?.close();
    throw error;
  }
}

async function start(options: ReferenceOptions, data: DataFile | undefined): Promise<Reference> {
  const clock = options.clock ?? systemClock();
  const random = options.random ?? pooledBytes();
  const decisions = decide(options.decisions);
  const release = parseRelease(options.kubernetesVersion ?? NEWEST_RELEASE);
  const { minor } = release;
  const keyAlgorithm = options.keyAlgorithm ?? 'ECDSA-P256';
  const nodeName = options.nodeName ?? 'cp-1';
  const host = options.host ?? '127.0.0.1';
  const runs = (controller: SwitchableController): boolean =>
    decisions.controllerRuns(
      controller,
      (options.controllers?.[controller] ?? true) && !(controller === 'csrsigning' && options.externalCa === true),
    );
  const credentials = options.serviceAccountCredentials ?? true;
  const alwaysAllow = options.authorizationMode === 'AlwaysAllow';

  const stored = data?.found === undefined ? undefined : readPki(data.found.pki);
  if (data?.found !== undefined && stored === undefined)
    throw new CannotStart(`The keys in ${options.dataFile} do not fit together. Give another file.`);
  const [pki, servingKey, adminKey] = await Promise.all([
    stored ?? options.keys?.pki ?? createPki(keyAlgorithm, clock.now()),
    options.keys?.serving ?? generateKeyAsync(keyAlgorithm),
    options.keys?.admin ?? generateKeyAsync(keyAlgorithm),
  ]);
  const addresses = addressesOf(host);
  const serving = issueServing(pki, {
    nodeName,
    hosts: [host, ...addresses].filter((one) => !isUnspecified(one)),
    key: servingKey,
    now: clock.now(),
  });

  const store = createStore(data?.found === undefined ? {} : { content: data.found.content });
  const authorizer = createAuthorizer({ store, decisions, minor, alwaysAllow });
  const serviceAccounts = createServiceAccountTokens({
    store,
    clock,
    random,
    minor,
    issuer: SERVICE_ACCOUNT_ISSUER,
    key: pki.serviceAccountKey,
  });
  const authenticator = createAuthenticator({
    store,
    clock,
    decisions,
    minor,
    clientCas: [pki.ca.certificate.der],
    requestHeader: { cas: [pki.frontProxyCa.certificate.der], allowedNames: ['front-proxy-client'] },
    bootstrapTokenAuth: options.bootstrapTokenAuth ?? true,
    // Whoever may do anything must at least say who they are. Source: pkg/kubeapiserver/options/authentication.go ApplyAuthorization.
    anonymousAuth: !alwaysAllow && (options.anonymousAuth ?? true),
    serviceAccounts,
  });
  const hooks: ResourceHooks = {
    ...escalationHooks(authorizer, decisions),
    subjectGroups: decisions.subjectGroups,
    requestToken: (account, request, context) => requestToken(serviceAccounts, minor, account, request, context),
  };
  const own = [
    certificateSigningRequests(decisions, minor),
    ...reviewDefinitions({ authorizer, authenticator, minor }),
  ];
  const kinds = inDiscoveryOrder(
    [...definitions(hooks, minor), ...own].filter((kind) => decisions.groupIsServed(kind.group)),
    minor,
  );
  let address = host;
  const api = createApi({
    definitions: kinds,
    authenticator,
    authorizer,
    admission: [
      serviceAccountAdmission(store, random),
      nodeRestriction({ store, authorizer, decisions, minor }),
      ...podAdmission(store),
      ...certificateAdmission(decisions, authorizer),
    ],
    store,
    clock,
    random,
    manners: decisions,
    impersonate: (headers, attributes) => actingUser(headers, { attributes, authorizer, decisions, minor }),
    version: { minor, gitVersion: release.text },
    serviceAccountIssuer: {
      issuer: SERVICE_ACCOUNT_ISSUER,
      jwksUri: `${SERVICE_ACCOUNT_ISSUER}/openid/v1/jwks`,
      keys: serviceAccounts.keySet().keys,
    },
    serverAddress: () => address,
  });
  const listener = await api
    .listen({
      host,
      port: options.port ?? 0,
      key: serving.keyPem,
      cert: serving.certificatePem,
      clientCa: pki.ca.certificate.pem,
    })
    .catch((error: unknown) => {
      throw cannotListen(error, host, options.port ?? 0);
    });

  const advertiseAddress = addresses[0] ?? host;
  const endpoint = `${advertiseAddress.includes(':') ? `[${advertiseAddress}]` : advertiseAddress}:${listener.port}`;
  address = endpoint;
  const facts: InitFacts = {
    release,
    server: `https://${endpoint}`,
    endpoint,
    caPem: pki.ca.certificate.pem,
    keyAlgorithm,
    nodeName,
    advertiseAddress,
    bindPort: listener.port,
  };

  const masters: UserInfo = { username: 'system:apiserver', groups: [GROUP_MASTERS, GROUP_AUTHENTICATED] };
  const server = api.clientFor(masters, 'kube-apiserver');
  const served: readonly ServedResource[] = kinds
    .filter((kind) => kind.verbs.includes('list'))
    .map(({ group, version, resource, kind, namespaced }) => ({
      group,
      resource,
      kind,
      namespaced,
      apiVersion: group === '' ? version : `${group}/${version}`,
    }));
  const shown = {
    ...facts,
    frontProxyCaPem: pki.frontProxyCa.certificate.pem,
    now: clock.now(),
    controllers: SWITCHABLE_CONTROLLERS.filter(runs),
  };
  writeControlPlaneObjects(server, served, shown);
  const stamp = (object: KubeObject): KubeObject => stamped(object, uuid(random), clock.now());
  const collected = new Map(
    aggregated(bootstrapPolicy(minor).flatMap(({ object }) => (object.kind === 'ClusterRole' ? [object] : []))).map(
      (role) => [role.metadata.name, role],
    ),
  );
  if (!alwaysAllow)
    reconcileBootstrapPolicy(store, minor, (object) =>
      stamp(object.kind === 'ClusterRole' ? (collected.get(object.metadata.name) ?? object) : object),
    );
  // Forty objects that nobody would refuse: straight into the store, for a start in no time.
  for (const account of credentials ? controllerAccounts(shown) : []) {
    if (store.get(SERVICE_ACCOUNTS, KUBE_SYSTEM, account.metadata.name ?? '') === undefined)
      store.create(SERVICE_ACCOUNTS, stamp(account));
  }

  const context: ControllerContext = {
    store,
    clock,
    random,
    decisions,
    served,
    as: (name) => api.clientFor(credentials ? serviceAccountUser(name) : CONTROLLER_MANAGER, 'kube-controller-manager'),
  };
  const controllers = createControllers({
    context,
    minor,
    ca: pki.ca,
    runs,
    server,
    nodeName,
    address: endpoint,
    longestLifetime: options.clusterSigningDuration,
  });
  for (const controller of controllers) controller.start();

  const init: Init = {
    api: api.clientFor({ ...masters, username: 'kubernetes-super-admin' }, 'kubeadm'),
    decisions,
    facts,
    pki,
    clock,
    random,
  };
  const bare = options.bare ?? false;
  let tokens: readonly string[] = [];
  let certificateKey: string | undefined;
  if (!bare && stored === undefined) ({ tokens, certificateKey } = runInit(init, options.tokens ?? [{}]));
  else if (!bare) tokens = adopt(init, options.tokens);
  if (options.withNode === true) {
    showNode(init, { ...extraArgsOf(options), ...options.extraArgs });
    const [token] = tokens;
    const as = (user: UserInfo): ApiClient => api.clientFor(user, 'kubelet');
    if (token !== undefined)
      joinWorker({
        nodeName: 'worker-1',
        address: '192.0.2.21',
        tokenId: token.slice(0, 6),
        as,
        admin: init.api,
        now: clock.now(),
      });
  }
  data?.attach(pkiFiles(pki), store);
  await settled(controllers);

  const admin = issueClient(pki, {
    commonName: ADMIN,
    organizations: bare ? [GROUP_MASTERS] : decisions.adminOrganizations(release),
    key: adminKey,
    now: clock.now(),
  });
  return {
    url: facts.server,
    port: listener.port,
    caPem: facts.caPem,
    caCertHash: spkiPin(spkiOf(pki.ca.key)),
    admin: { certificate: admin.certificatePem, key: admin.keyPem },
    kubeconfig: adminConf(facts, admin.certificatePem, admin.keyPem),
    tokens,
    ...(certificateKey === undefined ? {} : { certificateKey }),
    kubernetesVersion: release.text,
    api: init.api,
    repeatBootstrapPhase: () =>
      void bootstrapToken(
        init,
        tokens.map((token) => ({ token })),
      ),
    as: (user) => api.clientFor(user, 'joinproof'),
    keys: { pki, serving: servingKey, admin: adminKey },
    settle: () => settled(controllers),
    async close() {
      for (const controller of controllers) controller.stop();
      authorizer.stop();
      await listener.close();
      api.close();
      data?.close();
    },
  };
}

const POOL = 4096;

/** A start takes some hundreds of small pieces, and every question to the kernel costs more than the bytes. No byte is given twice. */
function pooledBytes(): RandomBytes {
  let pool = randomBytes(POOL);
  let taken = 0;
  return (length) => {
    if (length > POOL) return randomBytes(length);
    if (taken + length > POOL) {
      pool = randomBytes(POOL);
      taken = 0;
    }
    taken += length;
    return pool.subarray(taken - length, taken);
  };
}

const CONTROLLER_MANAGER: UserInfo = { username: 'system:kube-controller-manager', groups: [GROUP_AUTHENTICATED] };

const serviceAccountUser = (name: string): UserInfo => ({
  username: `system:serviceaccount:${KUBE_SYSTEM}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${KUBE_SYSTEM}`, GROUP_AUTHENTICATED],
});

const stamped = (object: KubeObject, uid: string, now: number): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, uid, creationTimestamp: rfc3339(now) },
});

const isUnspecified = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Where others reach a server that listens at `host`: the machine's own addresses, outward ones first, where it listens at all of them. */
function addressesOf(host: string): readonly string[] {
  if (!isUnspecified(host)) return [host === 'localhost' ? '127.0.0.1' : host];
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const usable = all.filter(({ family, scopeid }) => family === 'IPv4' || (host === '::' && scopeid === 0));
  return [...usable.filter(({ internal }) => !internal), ...usable.filter(({ internal }) => internal)].map(
    (one) => one.address,
  );
}

function cannotListen(error: unknown, host: string, port: number): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new CannotStart(`Port ${port} of ${host} is in use. Give another with --port, or 0 for any free one.`);
  if (code === 'EACCES')
    return new CannotStart(
      `Port ${port} may not be used by this user. Give one above 1023 with --port, or 0 for any free one.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EINVAL')
    return new CannotStart(
      `"${host}" is no address of this machine. Give one that is with --host, for example 127.0.0.1.`,
    );
  return error instanceof Error ? error : new Error(String(error));
}
