/** What the features call a certificate request: what it asks for, of whom. */
import {
  GROUP_MASTERS,
  GROUP_NODES,
  NODE_USER_PREFIX,
  SIGNER_APISERVER_CLIENT,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
} from '../../src/kubernetes/names.js';
import type { CertificateSigningRequest } from '../../src/kubernetes/objects.js';
import { certificateRequest, type NameParts, requestPem, type Wanted } from '../../src/run/making.js';
import type { World } from '../../src/run/world.js';

/** A signer that nobody runs: names below it are for those who own the domain, and nobody owns this one. */
const FOREIGN_SIGNER = 'joinproof.invalid/nobodys-signer';
const HOUR = 3_600;

/** What no client of the cluster needs a certificate for. "signing" is another word for "digital signature". */
const OTHER_USAGES = [
  ...['signing', 'content commitment', 'key agreement', 'data encipherment', 'crl sign', 'encipher only'],
  ...['decipher only', 'code signing', 'email protection', 's/mime', 'ipsec end system', 'ipsec tunnel', 'ipsec user'],
  ...['timestamping', 'ocsp signing', 'microsoft sgc', 'netscape sgc'],
];

const CLIENT_USAGES = ['digital signature', 'client auth'];
const SERVER_USAGES = ['digital signature', 'server auth'];

const kubelet = (subject: NameParts, more: Partial<Wanted> = {}): Wanted => ({
  subject,
  signerName: SIGNER_KUBELET_CLIENT,
  usages: CLIENT_USAGES,
  ...more,
});
const named = (name: string, ...groups: readonly string[]): NameParts => [
  ...groups.map((group) => ['O', group] as const),
  ['CN', name],
];
/** What a kubelet asks for, but for what is said otherwise. */
const node = (name: string, more: Partial<Wanted> = {}): Wanted =>
  kubelet(named(`${NODE_USER_PREFIX}${name}`, GROUP_NODES), more);
const nodeIn = (name: string, ...groups: readonly string[]): Wanted =>
  kubelet(named(`${NODE_USER_PREFIX}${name}`, ...groups));
const client = (name: string, more: Partial<Wanted> = {}): Wanted =>
  kubelet(named(name), { signerName: SIGNER_APISERVER_CLIENT, ...more });
const server = (name: string, more: Partial<Wanted> = {}): Wanted =>
  node(name, {
    signerName: SIGNER_KUBELET_SERVING,
    usages: SERVER_USAGES,
    altNames: { dns: [name, `${name}.joinproof.invalid`], ip: ['192.0.2.10', '2001:db8::10'] },
    ...more,
  });

/** `name` is a node name of the scenario's own. */
export const SHAPES: Readonly<Record<string, (name: string) => Wanted>> = {
  'a node': node,
  'a node, as kubelets with RSA keys ask': (name) => node(name, { usages: [...CLIENT_USAGES, 'key encipherment'] }),
  'a node that is named as in a domain': (name) => node(`${name}.eu-west-1.compute.joinproof.invalid`),
  'a node, for an hour': (name) => node(name, { expirationSeconds: HOUR }),
  'a node, for ten minutes': (name) => node(name, { expirationSeconds: 600 }),
  'a node, for a year and a half': (name) => node(name, { expirationSeconds: 13_140 * HOUR }),
  'a node, for ten years': (name) => node(name, { expirationSeconds: 87_600 * HOUR }),
  'a node that asks to be an authority': (name) => node(name, { extensions: ['to be an authority'] }),
  'a node that asks to sign certificates': (name) => node(name, { extensions: ['to sign certificates'] }),
  'a node that asks by an extension to serve': (name) => node(name, { extensions: ['to serve'] }),
  'a node that asks for what nobody knows': (name) =>
    node(name, { extensions: ['for what nobody knows', 'to be looked up elsewhere'] }),
  'a node of some unit, with a serial number': (name) =>
    kubelet([['OU', 'machines'], ...named(`${NODE_USER_PREFIX}${name}`, GROUP_NODES), ['serialNumber', '4711']]),

  'an administrator in the group system:masters': () => kubelet(named('kubernetes-admin', GROUP_MASTERS)),
  'the user admin in no group': () => kubelet(named('admin')),
  'nobody in the group of nodes': () => kubelet([['O', GROUP_NODES]]),
  'a node in no group': (name) => nodeIn(name),
  'a node that is in the group system:masters as well': (name) => nodeIn(name, GROUP_NODES, GROUP_MASTERS),
  'a node that is in the group system:masters before all': (name) => nodeIn(name, GROUP_MASTERS, GROUP_NODES),
  'a node that is in the group kubeadm:cluster-admins as well': (name) =>
    nodeIn(name, GROUP_NODES, 'kubeadm:cluster-admins'),
  'a node whose two groups stand in one part of its name': (name) => ({
    ...nodeIn(name, GROUP_NODES, GROUP_MASTERS),
    inOnePart: true,
  }),
  'a node that is in its group twice': (name) => nodeIn(name, GROUP_NODES, GROUP_NODES),
  'a node in the group System:Nodes': (name) => nodeIn(name, 'System:Nodes'),
  'a node in the group system:node': (name) => nodeIn(name, 'system:node'),
  "the group system:nodes under a name that is no node's": (name) => kubelet(named(name, GROUP_NODES)),
  'a node whose second name is kubernetes-admin': (name) =>
    kubelet([...named(`${NODE_USER_PREFIX}${name}`, GROUP_NODES), ['CN', 'kubernetes-admin']]),
  'the name system:nodex:jp in the group of nodes': () => kubelet(named('system:nodex:jp', GROUP_NODES)),
  'the name System:Node:jp in the group of nodes': () => kubelet(named('System:Node:jp', GROUP_NODES)),
  'the name system:node in the group of nodes': () => kubelet(named('system:node', GROUP_NODES)),
  'the name jp:system:node:jp in the group of nodes': () => kubelet(named('jp:system:node:jp', GROUP_NODES)),

  'a node that may serve as well': (name) => node(name, { usages: [...CLIENT_USAGES, 'server auth'] }),
  'a node that may serve and nothing else': (name) => node(name, { usages: SERVER_USAGES }),
  'a node for any usage': (name) => node(name, { usages: [...CLIENT_USAGES, 'any'] }),
  'a node that may sign certificates': (name) => node(name, { usages: [...CLIENT_USAGES, 'cert sign'] }),
  'a node with the usage client auth alone': (name) => node(name, { usages: ['client auth'] }),
  'a node with the usage digital signature alone': (name) => node(name, { usages: ['digital signature'] }),
  'a node without the usage digital signature': (name) => node(name, { usages: ['client auth', 'key encipherment'] }),
  ...Object.fromEntries(
    OTHER_USAGES.map((usage) => [
      `a node with the usage ${usage} as well`,
      (name: string) => node(name, { usages: [...CLIENT_USAGES, usage] }),
    ]),
  ),
  'a node with the host name of the API server': (name) =>
    node(name, { altNames: { dns: ['kubernetes.default.svc'] } }),
  'a node with an IP address': (name) => node(name, { altNames: { ip: ['192.0.2.10'] } }),
  'a node with an e-mail address': (name) => node(name, { altNames: { email: ['jp@joinproof.invalid'] } }),
  'a node with a URI': (name) => node(name, { altNames: { uri: ['spiffe://joinproof.invalid/jp'] } }),

  'a node, with the signer kubernetes.io/kube-apiserver-client': (name) =>
    node(name, { signerName: SIGNER_APISERVER_CLIENT }),
  'a node, with a signer that nobody runs': (name) => node(name, { signerName: FOREIGN_SIGNER }),
  'an API client that nobody approves automatically': (name) => client(name),
  'an API client of a signer whose name begins as that of the cluster': (name) =>
    client(name, { signerName: `${SIGNER_APISERVER_CLIENT}-joinproof` }),
  'a node, with a signer whose name begins as that of the cluster': (name) =>
    node(name, { signerName: `${SIGNER_KUBELET_CLIENT}.joinproof` }),
  'a node, with a signer whose name ends as that of the cluster': (name) =>
    node(name, { signerName: `joinproof.${SIGNER_KUBELET_CLIENT}` }),
  'an API client of a signer that nobody runs': (name) => client(name, { signerName: FOREIGN_SIGNER }),
  'an API client of two groups, for a day': (name) =>
    client(name, { subject: named(name, 'jp-writers', 'jp-readers'), expirationSeconds: 24 * HOUR }),
  'an API client, for eight hours': (name) => client(name, { expirationSeconds: 8 * HOUR }),
  'an API client in the group system:masters': (name) => client(name, { subject: named(name, GROUP_MASTERS) }),
  'an API client in the group system:masters behind another': (name) =>
    client(name, { subject: named(name, 'jp-writers', GROUP_MASTERS) }),
  'an API client in the group system:masters before another': (name) =>
    client(name, { subject: named(name, GROUP_MASTERS, 'jp-writers') }),
  'an API client that may serve as well': (name) => client(name, { usages: [...CLIENT_USAGES, 'server auth'] }),
  'an API client that may sign certificates': (name) => client(name, { usages: [...CLIENT_USAGES, 'cert sign'] }),
  'an API client that may sign code': (name) => client(name, { usages: [...CLIENT_USAGES, 'code signing'] }),
  ...Object.fromEntries(
    OTHER_USAGES.map((usage) => [
      `an API client with the usage ${usage} as well`,
      (name: string) => client(name, { usages: [...CLIENT_USAGES, usage] }),
    ]),
  ),
  'an API client for any usage': (name) => client(name, { usages: [...CLIENT_USAGES, 'any'] }),
  'an API client that is none': (name) => client(name, { usages: ['digital signature'] }),

  'an API client of two names, units and names of every kind': (name) =>
    client(name, {
      subject: [
        ['OU', 'machines'],
        ['CN', 'jp-first'],
        ['O', 'jp-writers'],
        ['CN', name],
      ],
      altNames: {
        dns: [`${name}.joinproof.invalid`],
        ip: ['192.0.2.10'],
        email: ['jp@joinproof.invalid'],
        uri: ['spiffe://joinproof.invalid/jp'],
      },
    }),
  'an API client, for a key of Ed25519': (name) => client(name, { key: 'Ed25519' }),
  'an API client, for a key of RSA': (name) =>
    client(name, { key: 'RSA-2048', usages: [...CLIENT_USAGES, 'key encipherment'] }),
  'an API client of groups alone': (name) =>
    client(name, {
      subject: [
        ['O', 'jp-writers'],
        ['O', 'jp-readers'],
      ],
    }),
  'an API client with the usage client auth alone': (name) => client(name, { usages: ['client auth'] }),
  'an API client, as those with RSA keys ask': (name) =>
    client(name, { usages: [...CLIENT_USAGES, 'key encipherment'] }),

  "a node's server": (name) => server(name),
  "a node's server, as kubelets with RSA keys ask": (name) =>
    server(name, { usages: [...SERVER_USAGES, 'key encipherment'] }),
  "a node's server, for an hour": (name) => server(name, { expirationSeconds: HOUR }),
  "a node's server, by its name alone": (name) => server(name, { altNames: { dns: [name] } }),
  "a node's server, by its address alone": (name) => server(name, { altNames: { ip: ['192.0.2.10'] } }),
  "a node's server that names nothing": (name) => server(name, { altNames: {} }),
  "a node's server with a URI": (name) => server(name, { altNames: { dns: [name], uri: ['https://jp.invalid/'] } }),
  "a node's server with an e-mail address": (name) =>
    server(name, { altNames: { dns: [name], email: ['jp@joinproof.invalid'] } }),
  "a node's server that logs in as well": (name) => server(name, { usages: [...SERVER_USAGES, 'client auth'] }),
  "a node's server with an RSA key that logs in as well": (name) =>
    server(name, { usages: [...SERVER_USAGES, 'key encipherment', 'client auth'] }),
  "a node's server in the group system:masters": (name) =>
    server(name, { subject: named(`${NODE_USER_PREFIX}${name}`, GROUP_MASTERS) }),
  "a node's server that is in another group as well": (name) =>
    server(name, { subject: named(`${NODE_USER_PREFIX}${name}`, GROUP_NODES, 'jp-writers') }),
  "a server under a name that is no node's": (name) => server(name, { subject: named(name, GROUP_NODES) }),
};

/** Two requests in one text: the first one counts. */
const BEHIND = ", with a node's request behind it";

/** What may stand around a request, or in it, without being a part of it. */
export const FORMS: Readonly<Record<string, (pem: string) => string>> = {
  'a comment before it': (pem) => `made by joinproof\n${pem}`,
  'a comment behind it': (pem) => `${pem}made by joinproof\n`,
  'a header in its PEM': (pem) => pem.replace('REQUEST-----\n', 'REQUEST-----\nJoinproof: yes\n\n'),
  'no line end behind it': (pem) => pem.trimEnd(),
  'the line ends of Windows': (pem) => pem.replaceAll('\n', '\r\n'),
};

/** The form that a feature names; ends the scenario where the steps know none. */
export const formOf = (world: World, form: string): ((pem: string) => string) =>
  FORMS[form] ?? world.unknown(`the steps know no request that is sent with ${form}`);

/** A name for an object of ours: state rules leave out what begins with "jp-". */
export const ownName = (world: World): string => `jp-${world.random(12)}`;

/**
 * The object for a description of the features. `form`: makes of its PEM the text to send; `name`: of the node, one of
 * the scenario's own where none is given.
 */
export function wantedRequest(
  world: World,
  what: string,
  form: (pem: string) => string = (pem) => pem,
  name = `jp-${world.random(10)}`,
): CertificateSigningRequest {
  const behind = what.endsWith(BEHIND);
  const shape = SHAPES[behind ? what.slice(0, -BEHIND.length) : what];
  if (shape === undefined) return world.unknown(`the steps know no request for "${what}"`);
  const wanted = shape(name);
  const text = form(requestPem(wanted) + (behind ? requestPem(node(name)) : ''));
  return certificateRequest(ownName(world), wanted, text);
}
