/**
 * kubeadm's init phases for a control plane whose folder has no kubeadm: src/kubeadm says what to write, and it is
 * written over HTTP.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubeadmDecisions } from '../kubeadm/decisions/index.js';
import {
  addonCoredns,
  addonKubeProxy,
  bootstrapToken,
  type Phase,
  tokenSpec,
  uploadConfig,
} from '../kubeadm/phases/init.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { pathOf, resourceOfKind } from '../kubernetes/resources.js';
import { configurationOf } from './control-plane/configuration.js';
import type { InitPhases } from './control-plane/start.js';
import type { Question } from './types.js';

/**
 * Writes the objects of the phases upload-config, bootstrap-token and addon, or of one of them; upload-certs is
 * kubeadm's option, and left out. Creates what is not there, replaces what is, as kubeadm does. Throws a sentence where
 * the server takes neither.
 */
export const initPhases: InitPhases = async (target, { folder, version, switches, only }) => {
  const port = Number(new URL(target.facts.server).port);
  const facts = {
    ...configurationOf(folder, port, version, switches),
    caPem: await readFile(join(folder, 'pki', 'ca.crt'), 'utf8'),
  };
  const phase: Phase = { decisions: kubeadmDecisions, facts, now: Date.now(), random: randomBytes };
  const tokens = (switches.tokens ?? [{}]).map((token) => tokenSpec(phase, token));
  const objects =
    only === 'bootstrap-token'
      ? bootstrapToken(phase, tokens)
      : [...uploadConfig(phase), ...bootstrapToken(phase, tokens), ...addonCoredns(phase), ...addonKubeProxy(phase)];
  for (const object of objects) await write(object);

  async function write(object: KubeObject): Promise<void> {
    const { kind = '', metadata } = object;
    const resource = resourceOfKind(kind);
    if (resource === undefined) throw new Error(`init writes no ${kind}.`);
    const { name = '', namespace } = metadata;
    const send = (question: Question) => target.admin.ask({ ...question, body: object });
    const created = await send({ method: 'POST', path: pathOf(resource, { namespace }) });
    const answer =
      created.status === 409 ? await send({ method: 'PUT', path: pathOf(resource, { namespace, name }) }) : created;
    if (answer.status >= 300)
      throw new Error(`${kind} ${name} could not be written: the API server answered ${answer.status}.`);
  }
};
