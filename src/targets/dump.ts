/** A dump as a target: the objects that kubectl has written to files, judged without a cluster. */
import { firstLine } from '../kubernetes/first-line.js';
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import type { ConfigMap, KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { Misshapen } from '../kubernetes/typed-objects.js';
import { cut, held } from '../model/foreign.js';
import { type Found, readDocuments } from './dump/documents.js';
import { readManifests, type Text } from './dump/files.js';
import { DumpStore } from './dump/store.js';
import { ConfigurationError, NotInDump } from './errors.js';
import { registerSecrets } from './exchanges.js';
import { kubeadmSigns } from './kubeadm-signs.js';
import { openBeside } from './node/beside.js';
import { learning } from './node/credentials.js';
import { breathe } from './pause.js';
import { Redactor } from './redaction.js';
import type { Fact, Need, ObjectReader, Target } from './types.js';
import { versionIn } from './version.js';

const NO_SERVER = 'a dump holds objects only: nobody answers requests';

export interface DumpTarget extends Target {
  readonly redactor: Redactor;
}

/**
 * `given`: a file, a folder, or "-" for standard input; `node`: the disk of a node that is judged with it. Throws
 * ConfigurationError where there is no object to judge, or no disk, TargetUnreachable.
 */
export async function openDump(given: string, node?: string): Promise<DumpTarget> {
  const dump = await dumpOf(await readManifests(given), given === '-' ? 'standard input' : given);
  if (node === undefined) return dump;
  const { name, files } = await openBeside(node);
  return {
    ...dump,
    name: `${dump.name}, and ${name}`,
    abilities: { ...dump.abilities, files: learning(files, dump.redactor) },
  };
}

/** Throws ConfigurationError where a text cannot be read or none holds an object. */
export async function dumpOf(texts: readonly Text[], name: string): Promise<DumpTarget> {
  const redactor = new Redactor();
  const found: Found[] = [];
  for (const { name: file, text } of texts) {
    await breathe();
    try {
      for (const one of readDocuments(text)) found.push(one);
    } catch (error) {
      if (error instanceof Misshapen)
        throw new ConfigurationError(
          `--manifests: ${file} holds what no API server takes (${cut(held(error.message))}); repair it, or leave it out.`,
        );
      throw new ConfigurationError(
        `--manifests: ${file} is neither YAML nor JSON as kubectl writes it (${firstLine(error)}).`,
      );
    }
  }
  if (found.length === 0)
    throw new ConfigurationError(
      `--manifests ${name} holds no Kubernetes object; give what "kubectl get … -o yaml" or "kubectl cluster-info dump" wrote.`,
    );
  for (const { object } of found) registerSecrets(object, redactor);
  const objects = new DumpStore(found);
  const configuration = await seen<ConfigMap>(objects, 'kubeadm-config');
  const version = await versionOf(objects, configuration);
  const signs = await kubeadmSigns(version, async ({ resource, name, namespace }) => {
    try {
      return (await objects.get(resource, name, namespace)) !== undefined;
    } catch (error) {
      if (error instanceof NotInDump) return false;
      throw error;
    }
  });
  const holds = new Set<Fact>(signs.length === 0 ? [] : ['kubeadm']);
  return {
    kind: 'dump',
    name: `${found.length} objects of ${name}`,
    facts: { server: '', version, holds, signs, now: () => Date.now() },
    abilities: { objects },
    redactor,
    why: (need: Need) =>
      need === 'kubeadm'
        ? 'the dump does not show the ConfigMap kube-system/kubeadm-config, nor what else kubeadm leaves'
        : NO_SERVER,
    close: async () => {},
  };
}

/** A ConfigMap of kube-system; undefined where the dump does not show it. */
async function seen<T extends KubeObject>(objects: ObjectReader, name: string): Promise<T | undefined> {
  try {
    return await objects.get<T>(resources.configMaps, name, KUBE_SYSTEM);
  } catch (error) {
    if (error instanceof NotInDump) return undefined;
    throw error;
  }
}

/** What kubeadm wrote down, else the image of the API server's Pod. */
async function versionOf(
  objects: ObjectReader,
  configuration: ConfigMap | undefined,
): Promise<Target['facts']['version']> {
  const written = /^kubernetesVersion:\s*["']?(v?[\w.+-]{1,60})/m.exec(
    configuration?.data?.ClusterConfiguration ?? '',
  )?.[1];
  const gitVersion = written ?? (await imageTag(objects));
  return gitVersion === undefined
    ? { unreadable: 'the dump shows no version of Kubernetes' }
    : versionIn({ status: 200, body: { gitVersion } });
}

async function imageTag(objects: ObjectReader): Promise<string | undefined> {
  const selector = { namespace: KUBE_SYSTEM, labelSelector: 'component=kube-apiserver' };
  const pods = await objects.list(resources.pods, selector).catch(() => []);
  const spec = pods[0]?.spec as { readonly containers?: readonly { readonly image?: unknown }[] } | undefined;
  const image = spec?.containers?.[0]?.image;
  return typeof image === 'string' ? /:(v\d[\w.+-]{1,60})(?:@|$)/.exec(image)?.[1] : undefined;
}
