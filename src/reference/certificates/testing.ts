/**
 * For the tests of this room: a store, a clock that is moved by hand, and an API that runs the strategies without
 * authentication. Not for others.
 */

import { type ManualClock, manualClock, rfc3339 } from '../../apiserver/clock.js';
import type { StrategyContext } from '../../apiserver/resource-definition.js';
import { createStore, type MemoryStore } from '../../apiserver/storage/store.js';
import { type ApiClient, ApiError, type Controller } from '../../apiserver/types.js';
import type { Condition, KubeObject, UserInfo } from '../../kubernetes/objects.js';
import { type Authority, createAuthority } from '../../pki/authority.js';
import { generateKey } from '../../pki/keys.js';
import { createRequest, type RequestInput } from '../../pki/request.js';
import type { ControllerContext } from '../controllers/controller.js';
import { type Decisions, decide } from '../decisions.js';
import { certificateSigningRequests } from './definition.js';
import { CSRS } from './view.js';

export const START = Date.parse('2026-03-01T12:00:00Z');
export const KEY = generateKey('ECDSA-P256');
export const NODE = { commonName: 'system:node:a', organizations: ['system:nodes'] };
export const BOOTSTRAP: UserInfo = { username: 'system:bootstrap:abcdef', groups: ['system:bootstrappers'] };

export const requestFor = (input: Partial<RequestInput> = {}): string =>
  createRequest({ key: KEY, subject: NODE, ...input }).base64;

export interface Bench {
  readonly store: MemoryStore;
  readonly clock: ManualClock;
  readonly context: ControllerContext;
  readonly authority: Authority;
  strategyContext(user: UserInfo): StrategyContext;
  /** Creates a request as a user would; throws ApiError (422) with the field errors as its message. */
  create(name: string, spec: Readonly<Record<string, unknown>>, user?: UserInfo): KubeObject;
  /** Appends conditions by way of /approval. */
  judge(name: string, ...conditions: readonly Condition[]): KubeObject;
  get(name: string): KubeObject | undefined;
  conditions(name: string): readonly Condition[];
  certificate(name: string): string;
  /** Starts a controller and lets it work off what it has. */
  run(controller: Controller): Promise<void>;
  /** Moves the clock in steps, and lets work be done after each. */
  pass(milliseconds: number, steps?: number): Promise<void>;
}

export const APPROVED: Condition = { type: 'Approved', status: 'True', reason: 'test' };

export function createBench(replaced: Partial<Decisions> = {}): Bench {
  const store = createStore({});
  const clock = manualClock(START);
  const decisions = decide(replaced);
  const definition = certificateSigningRequests(decisions);
  const running: Controller[] = [];
  const random = (length: number): Buffer => Buffer.alloc(length, 7);
  const contextFor = (user: UserInfo, subresource: string): StrategyContext => ({
    user,
    clock,
    random,
    store,
    authorizer: { authorize: () => ({ decision: 'allow', reason: '' }) },
    warnings: [],
    dryRun: false,
    namespace: '',
    subresource,
  });
  const notHere = (): never => {
    throw new ApiError(403, 'Forbidden', 'not in this test');
  };
  const client: ApiClient = {
    user: { username: 'system:serviceaccount:kube-system:certificate-controller', groups: [] },
    get: (resource, namespace, name) => store.get(resource, namespace, name),
    list: (resource, namespace) => store.list(resource, namespace),
    create: notHere,
    apply: notHere,
    update: (resource, object, { subresource = '' } = {}) => {
      const old = store.get(resource, undefined, object.metadata.name ?? '');
      if (old === undefined) throw new ApiError(404, 'NotFound', 'gone');
      const part = definition.subresources.find((one) => one.name === subresource);
      const strategy = part?.kind === 'part' ? part.strategy : definition.strategy;
      const context = contextFor(client.user, subresource);
      const prepared = strategy.prepareForUpdate?.(object, old, context) ?? object;
      refuse(strategy.validateUpdate?.(prepared, old, context) ?? []);
      return store.update(resource, prepared);
    },
    delete: (resource, namespace, name) => {
      store.delete(resource, namespace, name);
    },
  };
  const get = (name: string): KubeObject | undefined => store.get(CSRS, undefined, name);
  const statusOf = (name: string): { readonly conditions?: readonly Condition[]; readonly certificate?: string } =>
    get(name)?.status ?? {};
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
  };

  return {
    store,
    clock,
    context: { store, clock, random, decisions, served: [], as: () => client },
    authority: createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: START }),
    strategyContext: (user) => contextFor(user, ''),
    create(name, spec, user = BOOTSTRAP) {
      const object = {
        apiVersion: 'certificates.k8s.io/v1',
        kind: definition.kind,
        metadata: { name, creationTimestamp: rfc3339(clock.now()) },
        spec,
      };
      const prepared = definition.strategy.prepareForCreate?.(object, contextFor(user, '')) ?? object;
      refuse(definition.strategy.validate?.(prepared, contextFor(user, '')) ?? []);
      return store.create(CSRS, prepared);
    },
    judge(name, ...conditions) {
      const object = get(name);
      if (object === undefined) throw new ApiError(404, 'NotFound', 'gone');
      const status = { ...statusOf(name), conditions: [...(statusOf(name).conditions ?? []), ...conditions] };
      return client.update(CSRS, { ...object, status }, { subresource: 'approval' });
    },
    get,
    conditions: (name) => statusOf(name).conditions ?? [],
    certificate: (name) => Buffer.from(statusOf(name).certificate ?? '', 'base64').toString(),
    async run(controller) {
      running.push(controller);
      controller.start();
      await settle();
    },
    async pass(milliseconds, steps = 1) {
      for (let step = 0; step < steps; step++) {
        clock.advance(milliseconds / steps);
        await settle();
      }
    },
  };
}

function refuse(errors: readonly { readonly field: string; readonly body: string }[]): void {
  if (errors.length > 0)
    throw new ApiError(422, 'Invalid', errors.map((error) => `${error.field}: ${error.body}`).join('; '));
}
