/**
 * Puts a reference cluster together: keys, store, API, what the control plane writes, controllers, and what kubeadm
 * init does to it.
 */
import { rfc3339 } from '../apiserver/clock.js';
import { uuid } from '../apiserver/machinery/machinery.js';
import type { Listener } from '../apiserver/server.js';
import { createStore, type MemoryStore } from '../apiserver/storage/store.js';
import type { ApiClient, Controller } from '../apiserver/types.js';
import { configure, hostPort, type InitFacts, serviceAccountIssuer } from '../kubeadm/configuration.js';
import { type ClusterPki, createPki, issueCertificate, issueKubeconfig, pkiFiles, readPki } from '../kubeadm/pki.js';
import { GROUP_AUTHENTICATED, GROUP_MASTERS, KUBE_SYSTEM } from '../kubernetes/names.js';
import type { KubeObject, UserInfo } from '../kubernetes/objects.js';
import type { Credential } from '../pki/authority.js';
import { generateKeyAsync, spkiOf, spkiPin } from '../pki/keys.js';
import { type ApiParts, buildApi } from './api.js';
import { bootstrapPolicy, reconcileBootstrapPolicy } from './authorization/bootstrap-policy.js';
import { createControllers, settled } from './controller-manager.js';
import { aggregated } from './controllers/aggregation.js';
import { controllerAccounts, writeControlPlaneObjects } from './controllers/control-plane-objects.js';
import { SERVICE_ACCOUNTS } from './controllers/controller.js';
import { type DataFile, openDataFile } from './data-file.js';
import { serviceAccountGroups, serviceAccountUsername } from './decisions/service-account-names.js';
import { advertisedFor, CannotStart, cannotListen, isUnspecified } from './host-addresses.js';
import type { Image } from './image.js';
import { argumentsGiven, showNode } from './init/control-plane-node.js';
import { joinWorker } from './init/joined-worker.js';
import { adopt } from './init/restart.js';
import { bootstrapToken, type Init, runInit } from './init/run-init.js';
import { namesakes } from './namesakes.js';
import { type Reference, type ReferenceKeys, type ReferenceOptions, SWITCHABLE_CONTROLLERS } from './options.js';
import { type Settings, settingsOf } from './settings.js';

const MASTERS: UserInfo = { username: 'system:apiserver', groups: [GROUP_MASTERS, GROUP_AUTHENTICATED] };
/** As networks of Pods are mostly told. */
const POD_SUBNET = '10.244.0.0/16';
const CONTROLLER_MANAGER: UserInfo = { username: 'system:kube-controller-manager', groups: [GROUP_AUTHENTICATED] };

/** A started server, before anything has been written to it by others. */
interface Running extends ApiParts {
  readonly settings: Settings;
  readonly keys: ReferenceKeys;
  readonly store: MemoryStore;
  readonly listener: Listener;
  readonly facts: InitFacts;
  /** host:port at which others reach it. */
  readonly endpoint: string;
  /** What it shows in TLS. */
  readonly serving: Credential;
}

/** What kubeadm init left for those who join. */
interface SetUp {
  readonly init: Init;
  readonly tokens: readonly string[];
  readonly certificateKey: string | undefined;
}

/**
 * Starts a reference cluster; resolves when it is set up and signed. Throws CannotStart, DataFileError (name
 * ConfigurationError), RangeError for a version.
 */
export async function startReference(options: ReferenceOptions = {}): Promise<Reference> {
  const data = options.dataFile === undefined ? undefined : openDataFile(options.dataFile);
  try {
    return await start(settingsOf(options), data);
  } catch (error) {
    data?.close();
    throw error;
  }
}

async function start(settings: Settings, data: DataFile | undefined): Promise<Reference> {
  const { image, withNode } = settings.options;
  const keys = image?.keys ?? (await keysFor(settings, data));
  const content = image?.content ?? data?.found?.content;
  const running = await serve(settings, keys, createStore(content === undefined ? {} : { content }));
  if (image === undefined) writeOwnObjects(running);
  const controllers = startControllers(running);
  const setUp = runKubeadm(running, data?.found !== undefined);
  if (withNode === true && image === undefined) await showNodes(running, setUp, controllers);
  data?.attach(pkiFiles(keys.pki), running.store);
  await settled(controllers);
  return {
    ...credentialsOf(running),
    ...handlesOf(running, setUp, controllers),
    async close() {
      for (const controller of controllers) controller.stop();
      running.authorizer.stop();
      running.aggregator.close();
      await running.listener.close();
      running.api.close();
      data?.close();
    },
  };
}

/** Keys and authorities: those of the data file, of the twin, or new ones. */
async function keysFor(settings: Settings, data: DataFile | undefined): Promise<ReferenceKeys> {
  const { options, keyAlgorithm, clock } = settings;
  const stored = data?.found === undefined ? undefined : readPki(data.found.pki);
  if (data?.found !== undefined && stored === undefined)
    throw new CannotStart(`The keys in ${options.dataFile} do not fit together. Give another file.`);
  const [pki, serving, admin] = await Promise.all([
    stored ?? options.keys?.pki ?? createPki(() => keyAlgorithm, clock.now()),
    options.keys?.serving ?? generateKeyAsync(keyAlgorithm),
    options.keys?.admin ?? generateKeyAsync(keyAlgorithm),
  ]);
  return { pki, serving, admin };
}

/** PEM of whom the API server trusts to sign for clients, and for proxies; undefined: nobody. */
const authoritiesOf = ({ authentication: { clientCa, requestHeader } = {} }: ReferenceOptions, pki: ClusterPki) => ({
  client: clientCa === false ? undefined : (clientCa ?? pki.ca.certificate.pem),
  proxies: requestHeader === false ? undefined : (requestHeader?.clientCa ?? pki.frontProxyCa.certificate.pem),
});

/** Builds the API and listens. Throws CannotStart. */
async function serve(settings: Settings, keys: ReferenceKeys, store: MemoryStore): Promise<Running> {
  const { options, host, addresses, nodeName, clock, release, keyAlgorithm } = settings;
  const { pki } = keys;
  const port = options.image?.port ?? options.port ?? 0;
  const [address = host] = addresses;
  const told = { release, keyAlgorithm, nodeName, advertiseAddress: advertisedFor(address), podSubnet: POD_SUBNET };
  // Names of every host at which the reference may be asked.
  const own = [host, ...addresses, '127.0.0.1', '::1', 'localhost'].filter((one) => !isUnspecified(one));
  const certSANs = [...own, ...(options.certSANs ?? [])];
  const configuration = configure({ ...told, certSANs });
  let endpoint = host;
  const issuer = serviceAccountIssuer(configuration);
  const cas = authoritiesOf(options, pki);
  let proxy: Promise<Credential> | undefined;
  const parts = buildApi(settings, {
    pki,
    cas,
    store,
    issuer,
    address: () => endpoint,
    proxy: () => {
      proxy ??= generateKeyAsync(keyAlgorithm).then((key) =>
        issueCertificate(pki, 'front-proxy-client', { configuration, key, now: clock.now() }),
      );
      return proxy;
    },
  });
  const serving = issueCertificate(pki, 'apiserver', {
    configuration,
    key: keys.serving,
    now: clock.now() - (options.servingAge ?? 0),
    ...(options.servingNames === undefined ? {} : { isNamed: options.servingNames }),
  });
  const caPem = pki.ca.certificate.pem;
  const listener = await parts.api
    .listen({
      host,
      port,
      key: serving.keyPem,
      cert: serving.certificatePem,
      clientCas: namesakes(Object.values(cas).filter((one) => one !== undefined)),
      plainHttp: options.plainHttp === true,
    })
    .catch((error: unknown) => {
      throw cannotListen(error, host, port);
    });
  endpoint = hostPort(address, listener.port);
  const facts = { ...configure({ ...told, controlPlaneEndpoint: endpoint, bindPort: listener.port }), caPem };
  return { ...parts, settings, keys, store, listener, facts, endpoint, serving };
}

/** What an API server and a controller manager write about themselves, and the default roles. */
function writeOwnObjects({ settings, keys, store, api, served, facts }: Running): void {
  const { clock, random, decisions, minor } = settings;
  const shown = {
    ...facts,
    trusted: authoritiesOf(settings.options, keys.pki),
    requestHeader: settings.options.authentication?.requestHeader || {},
    now: clock.now(),
    controllers: SWITCHABLE_CONTROLLERS.filter(settings.runs),
  };
  writeControlPlaneObjects(api.clientFor(MASTERS, 'kube-apiserver'), served, shown);
  const stamp = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, uid: uuid(random), creationTimestamp: rfc3339(clock.now()) },
  });
  if (!settings.alwaysAllow) {
    const roles = bootstrapPolicy(minor).flatMap(({ object }) => (object.kind === 'ClusterRole' ? [object] : []));
    const collected = new Map(aggregated(roles).map((role) => [role.metadata.name, role]));
    reconcileBootstrapPolicy({ store, decisions, minor }, (object) =>
      stamp(object.kind === 'ClusterRole' ? (collected.get(object.metadata.name) ?? object) : object),
    );
  }
  // Forty objects that nobody would refuse: straight into the store, for a start in no time.
  for (const account of settings.credentials ? controllerAccounts(shown) : []) {
    if (store.get(SERVICE_ACCOUNTS, KUBE_SYSTEM, account.metadata.name ?? '') === undefined)
      store.create(SERVICE_ACCOUNTS, stamp(account));
  }
}

const serviceAccountUser = (name: string): UserInfo => ({
  username: serviceAccountUsername(KUBE_SYSTEM, name),
  groups: [...serviceAccountGroups(KUBE_SYSTEM), GROUP_AUTHENTICATED],
});

function startControllers({
  settings,
  keys,
  store,
  api,
  served,
  serviceAccounts,
  endpoint,
}: Running): readonly Controller[] {
  const { clock, random, decisions, minor, nodeName, credentials, runs } = settings;
  const controllers = createControllers({
    context: {
      store,
      clock,
      random,
      decisions,
      served,
      as: (name) =>
        api.clientFor(credentials ? serviceAccountUser(name) : CONTROLLER_MANAGER, decisions.controllerAgent(name)),
    },
    minor,
    ca: keys.pki.ca,
    runs,
    tokens: { client: api.clientFor(CONTROLLER_MANAGER), sign: serviceAccounts.issueForSecret },
    server: api.clientFor(MASTERS, 'kube-apiserver'),
    nodeName,
    address: endpoint,
    longestLifetime: settings.options.clusterSigningDuration,
  });
  for (const controller of controllers) controller.start();
  return controllers;
}

/** Runs kubeadm's phases, or takes up what an earlier run of them left in the data file or in the image. */
function runKubeadm({ settings, keys, api, facts }: Running, isRestart: boolean): SetUp {
  const { options, clock, random, decisions, bare } = settings;
  const init: Init = {
    api: api.clientFor({ ...MASTERS, username: 'kubernetes-super-admin' }, 'kubeadm'),
    decisions,
    facts,
    pki: keys.pki,
    clock,
    random,
  };
  if (options.image !== undefined) return { init, ...options.image.setUp };
  if (bare) return { init, tokens: [], certificateKey: undefined };
  return isRestart
    ? { init, tokens: adopt(init, options.tokens), certificateKey: undefined }
    : { init, ...runInit(init, options.tokens ?? [{}]) };
}

/** Shows the Node of the control plane with its Pods, and a worker that has joined with the first token. */
async function showNodes(
  { settings: { options, clock, decisions, minor }, api }: Running,
  { init, tokens: [token] }: SetUp,
  controllers: readonly Controller[],
): Promise<void> {
  showNode(init, argumentsGiven(options));
  if (token === undefined) return;
  await joinWorker({
    nodeName: 'worker-1',
    address: '192.0.2.21',
    version: init.facts.release.text,
    tokenId: token.slice(0, 6),
    as: (user): ApiClient => api.clientFor(user, 'kubelet'),
    admin: init.api,
    now: clock.now(),
    settle: () => settled(controllers),
    userOf: (certificate) => {
      const user = decisions.certificateUser({ ...certificate, uids: [] }, minor);
      return typeof user === 'object' && 'username' in user ? decisions.withCommonGroups(user) : undefined;
    },
  });
}

/** What people need to reach it. */
function credentialsOf({ settings, keys, listener, facts, endpoint, serving }: Running) {
  const { release, clock, bare } = settings;
  const admin = issueKubeconfig(keys.pki, 'admin', {
    configuration: facts,
    key: keys.admin,
    now: clock.now(),
    // Nobody has bound kubeadm's group there.
    ...(bare ? { organizations: [GROUP_MASTERS] } : {}),
  });
  return {
    url: `https://${endpoint}`,
    port: listener.port,
    caPem: facts.caPem,
    caCertHash: spkiPin(spkiOf(keys.pki.ca.key)),
    admin: { certificate: admin.certificatePem, key: admin.keyPem },
    kubeconfig: admin.text,
    kubernetesVersion: release.text,
    keys,
    machine: { configuration: facts, extraArgs: argumentsGiven(settings.options), serving },
  };
}

/** What tests and mutants need to do something to it. */
function handlesOf(running: Running, { init, tokens, certificateKey }: SetUp, controllers: readonly Controller[]) {
  const { api, keys, listener, store, settings } = running;
  return {
    image: (): Image => ({
      keys,
      port: listener.port,
      at: settings.clock.now(),
      content: store.content(),
      setUp: { tokens, certificateKey },
    }),
    tokens,
    ...(certificateKey === undefined ? {} : { certificateKey }),
    api: init.api,
    handle: api.handle,
    repeatBootstrapPhase(): void {
      const given = tokens.map((token) => ({ token }));
      bootstrapToken(init, given);
    },
    as: (user: UserInfo): ApiClient => api.clientFor(user, 'joinproof'),
    settle: (): Promise<void> => settled(controllers),
  };
}
