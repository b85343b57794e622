/** Certificates of clients and proxies by how features call them, for an API server of ours with a set of flags. */
import { type Made, PROXY_NAME } from './flag-sets.js';
import { certificate, type Shown } from './shown.js';

/** Attribute of a subject that is the UID of a user. Source: apiserver, pkg/authentication/request/x509/x509.go. */
const ATTRIBUTE_OF_UIDS = '1.3.6.1.4.1.57683.2';
const CLIENT = { commonName: 'dora', organizations: ['team', 'Leads'] };
const HEADERS = { 'X-Remote-User': 'erin', 'X-Remote-Group': 'proxied' };
const EVERY_HEADER = { ...HEADERS, 'X-Remote-Extra-Reason': 'joinproof' };
const proxy = ({ proxies }: Made, headers: Shown['headers']): Shown =>
  certificate(proxies.pair({ commonName: PROXY_NAME }), headers);

export const CERTIFICATES: Readonly<Record<string, (made: Made) => Shown>> = {
  'a certificate of that CA': (made) => certificate(made.clients.pair(CLIENT)),
  'a certificate of that CA, expired': (made) => certificate(made.clients.pair({ ...CLIENT, time: 'expired' })),
  'a certificate of that CA, not yet valid': (made) => certificate(made.clients.pair({ ...CLIENT, time: 'early' })),
  'a certificate of that CA for servers': (made) =>
    certificate(made.clients.pair({ ...CLIENT, usages: ['serverAuth'] })),
  'a certificate of that CA without a name': (made) => certificate(made.clients.pair({ organizations: ['team'] })),
  'a certificate of a CA of the same name': (made) => certificate(made.namesake.pair(CLIENT)),
  'a certificate of that CA for whatever use': (made) => certificate(made.clients.pair({ ...CLIENT, usages: ['any'] })),
  'a certificate of that CA without a use': (made) => certificate(made.clients.pair({ ...CLIENT, usages: [] })),
  'a certificate of that CA for servers and clients': (made) =>
    certificate(made.clients.pair({ ...CLIENT, usages: ['serverAuth', 'clientAuth'] })),
  'a certificate of that CA for servers and mail': (made) =>
    certificate(made.clients.pair({ ...CLIENT, usages: ['serverAuth', 'emailProtection'] })),
  'a certificate of that CA of four groups': (made) =>
    certificate(made.clients.pair({ ...CLIENT, organizations: ['team', 'Leads', 'a third', 'a fourth'] })),
  'a certificate of that CA with a unit': (made) =>
    certificate(made.clients.pair({ ...CLIENT, organizationalUnits: ['system:masters'] })),
  'a certificate of that CA for a host': (made) =>
    certificate(made.clients.pair({ ...CLIENT, dns: ['kubernetes-admin'] })),
  'a certificate of that CA with a UID': (made) => certificate(made.clients.pair({ ...CLIENT, uid: '78' })),
  'a certificate of that CA with two UIDs': (made) =>
    certificate(made.clients.pair({ ...CLIENT, uid: '78', extra: [{ oid: ATTRIBUTE_OF_UIDS, value: '79' }] })),
  'a certificate of that CA that says what nobody knows': (made) =>
    certificate(made.clients.pair({ ...CLIENT, unknown: true })),
  'a certificate of a CA below that CA': (made) => certificate(made.clients.below().pair(CLIENT)),
  'a certificate of a CA below one below that CA': (made) => certificate(made.clients.below().below().pair(CLIENT)),
  'a certificate of a CA below that CA, which stays at home': (made) =>
    certificate(made.clients.below().alone().pair(CLIENT)),
  'a certificate of a CA below that CA, which has expired': (made) =>
    certificate(made.clients.below({ time: 'expired' }).pair(CLIENT)),
  'a certificate of a CA below that CA, which is not yet valid': (made) =>
    certificate(made.clients.below({ time: 'early' }).pair(CLIENT)),
  'a certificate of a CA below that CA, which is for servers': (made) =>
    certificate(made.clients.below({ usages: ['serverAuth'] }).pair(CLIENT)),
  'a certificate of a CA below that CA, which may sign no certificates': (made) =>
    certificate(made.clients.below({ may: { ca: true, keyUsage: ['digitalSignature'] } }).pair(CLIENT)),
  'a certificate of a client of that CA': (made) =>
    certificate(made.clients.below({ may: { ca: false, keyUsage: ['digitalSignature', 'keyCertSign'] } }).pair(CLIENT)),
  'a certificate of a CA below one that may have none below it': (made) =>
    certificate(made.clients.below({ pathLength: 0 }).below().pair(CLIENT)),
  'a certificate and a token of the file': (made) => ({
    identity: { kind: 'certificate', ...made.clients.pair(CLIENT), token: made.tokens.plain },
  }),
  'an expired certificate and a token of the file': (made) => ({
    identity: { kind: 'certificate', ...made.clients.pair({ ...CLIENT, time: 'expired' }), token: made.tokens.plain },
  }),

  'its headers, as the proxy': (made) => proxy(made, HEADERS),
  'its headers of the second names, as the proxy': (made) =>
    proxy(made, { 'X-Remote-User': '', 'X-Joinproof-User': 'erin', 'X-Joinproof-Group': 'proxied' }),
  'its headers and a bearer token, as the proxy': (made) => ({
    headers: HEADERS,
    identity: {
      kind: 'certificate',
      ...made.proxies.pair({ commonName: PROXY_NAME }),
      token: 'joinproof-knows-nobody',
    },
  }),
  'its headers of two groups, as the proxy': (made) => proxy(made, { ...HEADERS, 'X-Joinproof-Group': 'others' }),
  'its headers of the group of administrators, as the proxy': (made) =>
    proxy(made, { ...HEADERS, 'X-Remote-Group': 'system:masters' }),
  'its headers with a UID, as the proxy': (made) => proxy(made, { ...HEADERS, 'X-Remote-Uid': '77' }),
  'its headers of two groups, one with a comma, as the proxy': (made) =>
    proxy(made, { ...HEADERS, 'X-Remote-Group': ['proxied', 'others,more'] }),
  'its headers of three groups of one name, as the proxy': (made) =>
    proxy(made, { ...HEADERS, 'X-Remote-Group': ['proxied', 'others', 'Third'] }),
  'its headers and those of extra, as the proxy': (made) =>
    proxy(made, {
      ...HEADERS,
      'X-Remote-Extra-Reason': ['joinproof', 'a,b'],
      'X-Remote-Extra-joinproof.example%2Fwhy': 'as such',
    }),
  'its header of two users, as the proxy': (made) => proxy(made, { ...HEADERS, 'X-Remote-User': ['erin', 'mallory'] }),
  'its headers, as the proxy with a certificate of a CA below its CA': (made) =>
    certificate(made.proxies.below().pair({ commonName: PROXY_NAME }), HEADERS),
  'its headers, as a client of a CA whose name the proxy has': (made) =>
    certificate(
      made.proxies
        .below({ may: { ca: false, keyUsage: ['digitalSignature', 'keyCertSign'] } })
        .pair({ commonName: PROXY_NAME }),
      HEADERS,
    ),
  'its headers of both names, as the proxy': (made) => proxy(made, { ...HEADERS, 'X-Joinproof-User': 'mallory' }),
  'its headers, as a client of that CA of its name in capitals': (made) =>
    certificate(made.proxies.pair({ commonName: PROXY_NAME.toUpperCase() }), HEADERS),
  'its headers, as another client of that CA': (made) =>
    certificate(made.proxies.pair({ commonName: 'joinproof-client' }), HEADERS),
  'its headers, as a client of that CA of a longer name': (made) =>
    certificate(made.proxies.pair({ commonName: `${PROXY_NAME}-2` }), HEADERS),
  'its headers, as a client of that CA of a shorter name': (made) =>
    certificate(made.proxies.pair({ commonName: PROXY_NAME.slice(0, -1) }), HEADERS),
  'its headers, as a client of that CA of that name and another': (made) =>
    certificate(made.proxies.pair({ commonName: `${PROXY_NAME},joinproof-other` }), HEADERS),
  'its headers, as the proxy with an expired certificate': (made) =>
    certificate(made.proxies.pair({ commonName: PROXY_NAME, time: 'expired' }), HEADERS),
  'its headers, as the proxy with a certificate for servers': (made) =>
    certificate(made.proxies.pair({ commonName: PROXY_NAME, usages: ['serverAuth'] }), HEADERS),
  'its headers, as a client of that name and another CA': (made) =>
    certificate(made.clients.pair({ commonName: PROXY_NAME }), HEADERS),
  'its headers, as nobody': () => ({ identity: { kind: 'anonymous' }, headers: HEADERS }),
  'its headers and one of extra, as the administrator': () => ({ identity: { kind: 'admin' }, headers: EVERY_HEADER }),
  'its headers with a UID and one of extra, as the administrator': () => ({
    identity: { kind: 'admin' },
    headers: { ...EVERY_HEADER, 'X-Remote-Uid': '77' },
  }),
  'itself, and asks for somebody else, as the administrator': () => ({
    identity: { kind: 'admin' },
    headers: { 'Impersonate-User': 'jane', 'Impersonate-Group': 'team', 'Impersonate-Extra-Reason': 'joinproof' },
  }),
  'its headers, as the administrator': () => ({ identity: { kind: 'admin' }, headers: HEADERS }),
  'a group without a user, as the proxy': (made) => proxy(made, { 'X-Remote-Group': 'system:masters' }),
};
