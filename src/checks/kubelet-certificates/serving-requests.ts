/** Requests for the serving certificates of kubelets: whose key they have, whom they name, and what was issued. */
import { record, records, text } from '../../kubernetes/json.js';
import { NODE_USER_PREFIX, SIGNER_KUBELET_CLIENT, SIGNER_KUBELET_SERVING } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { type AltNames, namesIn } from '../certificates/extensions.js';
import type { SeenRequest } from './seen-requests.js';

type Requests = readonly SeenRequest[];

const NO_SERVING = 'the cluster holds no request for a kubelet serving certificate';
const KEYS = '004, the serving certificate has a key of its own';
const NAMES = '004, the serving certificate names its node; pkg/kubelet/certificate/kubelet.go';

const quoted = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

/** Whose a key is, by all requests: the first client that has it, and the nodes that serve with it. */
function ownersOf(requests: Requests): Map<string, { client?: string; servers: Set<string> }> {
  const owners = new Map<string, { client?: string; servers: Set<string> }>();
  for (const { subject, signer, asked } of requests) {
    if ('unreadable' in asked) continue;
    const owner = owners.get(asked.pin) ?? { servers: new Set<string>() };
    if (signer === SIGNER_KUBELET_CLIENT) owner.client ??= subject;
    if (signer === SIGNER_KUBELET_SERVING) owner.servers.add(asked.commonName);
    owners.set(asked.pin, owner);
  }
  return owners;
}

/** The key of no client certificate request, and of no other node. */
export const servingKeys: Check<Requests> = {
  id: 'serving-requests/keys',
  source: KEYS,
  nothing: NO_SERVING,
  judge: (requests) => {
    const owners = ownersOf(requests);
    return requests
      .filter(({ signer }) => signer === SIGNER_KUBELET_SERVING)
      .flatMap(({ subject, asked }): readonly Finding[] => {
        if ('unreadable' in asked) {
          const seen = `it cannot be read: ${asked.unreadable}`;
          return [demand({ subject, demanded: 'has a key of its own', seen, ok: false })];
        }
        const { client, servers = new Set<string>() } = owners.get(asked.pin) ?? {};
        const others = [...servers].filter((name) => name !== asked.commonName);
        return [
          demand({
            subject,
            demanded: 'has the key of no client certificate request',
            seen: client === undefined ? 'it has not' : `it has the key of ${client}`,
            ok: client === undefined,
          }),
          demand({
            subject,
            demanded: 'has the key of no other node',
            seen: others.length === 0 ? 'it has not' : `it has the key of ${others.join(', ')}`,
            ok: others.length === 0,
          }),
        ];
      });
  },
};

/** A serving request, the names that its Node has, and those of the other Nodes that it names. */
export interface ServingNames {
  readonly subject: string;
  readonly asked: readonly string[];
  /** Names of kinds that no host has: e-mail, URI, directory names, and so on. */
  readonly odd: number;
  /** The Node's name and its addresses; null where that Node is not there. */
  readonly own: readonly string[] | null;
  /** Of what is asked for: what is another Node's. */
  readonly foreign: readonly string[];
  /** What the certificate that was issued names; null where none was. */
  readonly issued: readonly string[] | null;
}

/** Addresses as the names of certificates are read: in their shortest text; hosts in lower case. */
function plain(name: string): string {
  if (!name.includes(':')) return name.toLowerCase();
  try {
    return new URL(`http://[${name}]`).hostname.slice(1, -1);
  } catch {
    return name.toLowerCase();
  }
}
const plainNames = (names: AltNames): string[] => namesIn(names).map(plain).sort();

const hostsOf = (node: KubeObject): string[] => {
  const addresses = records(record(node.status).addresses).map(({ address }) => text(address));
  return [...new Set([node.metadata.name ?? '', ...addresses].filter((name) => name !== '').map(plain))];
};

/** Of every serving request that can be read. */
export function readServingNames(requests: Requests, nodes: readonly KubeObject[]): ServingNames[] {
  const hosts = new Map(nodes.map((node) => [node.metadata.name ?? '', hostsOf(node)]));
  const owners = new Map<string, Set<string>>();
  for (const [node, names] of hosts) for (const one of names) owners.set(one, (owners.get(one) ?? new Set()).add(node));
  return requests.flatMap(({ subject, signer, asked, certificate }) => {
    if (signer !== SIGNER_KUBELET_SERVING || 'unreadable' in asked) return [];
    const name = asked.commonName.slice(NODE_USER_PREFIX.length);
    const own = hosts.get(name) ?? null;
    const names = plainNames(asked.altNames);
    return [
      {
        subject,
        asked: names,
        odd: asked.altNames.email.length + asked.altNames.uri.length + asked.altNames.other,
        own,
        foreign: names.filter((one) => [...(owners.get(one) ?? [])].some((owner) => owner !== name)),
        issued: certificate === undefined || 'unreadable' in certificate ? null : plainNames(certificate.altNames),
      },
    ];
  });
}

const namesHosts = ({ subject, asked, odd }: ServingNames): Finding =>
  demand({
    subject,
    demanded: 'names a host or an address, and nothing else',
    seen: `${quoted(asked)}${odd === 0 ? '' : `, ${odd} of them neither hosts nor addresses`}`,
    ok: asked.length > 0 && odd === 0,
  });

/** Of a Node that is there all names are known; of one that is not, what is another's can be told. */
function namesOwn({ subject, asked, own, foreign }: ServingNames): Finding {
  if (own === null) {
    const seen = foreign.length === 0 ? quoted(asked) : `it names ${foreign.join(', ')}`;
    return demand({ subject, demanded: 'names nothing of another Node', seen, ok: foreign.length === 0 });
  }
  const more = asked.filter((name) => !own.includes(name));
  const seen = more.length === 0 ? quoted(asked) : `it also names ${more.join(', ')}`;
  return demand({
    subject,
    demanded: 'names only hosts and addresses of its own Node',
    seen: `${seen}; its Node has ${own.join(', ')}`,
    ok: more.length === 0,
  });
}

const issuedAsAsked = ({ subject, asked, issued }: ServingNames): readonly Finding[] =>
  issued === null
    ? []
    : [
        demand({
          subject: `the certificate of ${subject}`,
          demanded: `names exactly ${quoted(asked)}`,
          seen: quoted(issued),
          ok: issued.join() === asked.join(),
        }),
      ];

export const servingNames: Check<readonly ServingNames[]> = {
  id: 'serving-requests/names',
  source: NAMES,
  nothing: NO_SERVING,
  judge: (requests) =>
    requests.flatMap((request) => [namesHosts(request), namesOwn(request), ...issuedAsAsked(request)]),
};

/** One certificate that was issued names what its request has named. */
export const servingIssuedNames: Check<ServingNames> = {
  id: 'serving-requests/issued-names',
  source: `${NAMES}; pkg/controller/certificates/authority/policies.go`,
  judge: issuedAsAsked,
};
