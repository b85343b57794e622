/** What a target shows of what it is: the profile that it is held to where nobody has given one. */
import { record, records, text } from '../kubernetes/json.js';
import { pathOf, resources } from '../kubernetes/resources.js';
import type { Answer, Target } from '../targets/types.js';
import { PROFILES } from './profile-names.js';
import {
  DEFAULT_PROFILE,
  type Held,
  type Parameters,
  type Profile,
  packageProfile,
  withParameters,
} from './profiles.js';

/** The profile that was given, or the one that the target shows. */
export const heldTo = async (
  target: Target,
  given: Profile | undefined,
  parameters: Partial<Parameters> = {},
): Promise<Held> =>
  given === undefined ? detected(target, parameters) : { profile: given, chosen: 'given', signs: [] };

interface Seen {
  readonly version: string;
  readonly nodes: readonly {
    readonly image: string;
    readonly version: string;
    readonly annotations: readonly string[];
  }[];
}

const NO_KUBEADM = 'plain';

/**
 * What shows itself in the version and on some Nodes; what may not be read shows nothing. Two
 * profiles at once are none: then the default stays.
 */
async function detected(target: Target, parameters: Partial<Parameters>): Promise<Held> {
  const { signs: kubeadm = [], holds, version } = target.facts;
  const fallback = (): Held => {
    const bare = target.kind !== 'dump' && !holds.has('kubeadm') && target.abilities.objects !== undefined;
    const profile = withParameters(packageProfile(bare ? NO_KUBEADM : DEFAULT_PROFILE), parameters);
    const why = bare ? [target.why('kubeadm')] : kubeadm;
    return { profile, chosen: bare ? 'detected' : 'default', signs: why };
  };
  if (['reference', 'client', 'node'].includes(target.kind)) return fallback();
  const names = PROFILES.map((name) => packageProfile(name));
  const gitVersion = 'unreadable' in version ? '' : version.gitVersion;
  const seen = { version: gitVersion, nodes: await someNodes(target) };
  const found = names.flatMap((profile) => {
    const signs = signsOf(profile.signs, seen);
    return signs.length === 0 ? [] : [{ profile: withParameters(profile, parameters), signs }];
  });
  const [one, ...others] = found;
  if (one === undefined || others.length > 0) return fallback();
  return { ...one, chosen: 'detected' };
}

const fits = (part: string | undefined, value: string): boolean => part !== undefined && value.includes(part);

function signsOf(signs: Held['profile']['signs'], seen: Seen): readonly string[] {
  const told = signs.flatMap(({ version, nodeImage, nodeAnnotation }) => [
    ...(fits(version, seen.version) ? [`its version is ${seen.version}`] : []),
    ...seen.nodes.flatMap(({ image, annotations, version: ofKubelet }) => [
      ...(fits(version, ofKubelet) ? [`a kubelet is of ${ofKubelet}`] : []),
      ...(fits(nodeImage, image) ? [`a Node runs ${image}`] : []),
      ...(nodeAnnotation !== undefined && annotations.includes(nodeAnnotation)
        ? [`a Node carries the annotation ${nodeAnnotation}`]
        : []),
    ]),
  ]);
  return [...new Set(told)];
}

/** So many Nodes show what the others are. */
const SOME = 5;

const nodeOf = (node: unknown): Seen['nodes'][number] => {
  const { metadata, status } = record(node);
  const { osImage, kubeletVersion } = record(record(status).nodeInfo);
  return {
    image: text(osImage).slice(0, 200),
    version: text(kubeletVersion).slice(0, 100),
    annotations: Object.keys(record(record(metadata).annotations)),
  };
};

async function someNodes(target: Target): Promise<Seen['nodes']> {
  const { requests, objects } = target.abilities;
  if (requests !== undefined) {
    const question = { path: pathOf(resources.nodes), query: { limit: String(SOME) } };
    const answer = await requests
      .as({ kind: 'admin' })
      .ask(question)
      .catch((): Answer | undefined => undefined);
    return records(record(answer?.body).items).map(nodeOf);
  }
  // what a dump does not hold shows nothing
  const nodes = (await objects?.list(resources.nodes).catch(() => [])) ?? [];
  return nodes.slice(0, SOME).map(nodeOf);
}
