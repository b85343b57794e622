/** Defects of a joining client that joins fewer clusters than there are: by their authorities, and by their addresses. */
import { JoinFailed } from '../joining/failures.js';
import { type CertificateFacts, parseCertificate } from '../pki/certificate.js';
import { certificatesOfPem } from '../pki/pem.js';
import { another, BOOTSTRAP, type Decided, decidesJoining, inFile, sending, upstream } from './joining-hooks.js';
import type { Mutant } from './types.js';

/** Milliseconds of eleven years: one more than kubeadm's authorities have. */
const LONG = 11 * 365 * 86_400_000;
const livesLong = ({ notBefore, notAfter }: CertificateFacts): boolean => notAfter - notBefore > LONG;

const firstOf = (pem: string): CertificateFacts | undefined =>
  certificatesOfPem(pem).map((der) => parseCertificate(der))[0];

/** Clusters are refused that have such an authority. */
const refusing = (isRefused: (ca: CertificateFacts) => boolean): Decided => ({
  selectedCluster: (told) => {
    const selected = upstream.selectedCluster(told);
    const ca = 'cluster' in selected ? firstOf(selected.cluster.caPem) : undefined;
    return ca !== undefined && isRefused(ca) ? { problem: 'a CA of this kind is not believed' } : selected;
  },
});

/** A URL of an address of IPv6. */
const OF_IPV6 = /https:\/\/\[([\da-f:]+)\]/g;
const bare = (text: string): string => text.replace(OF_IPV6, 'https://$1');

export const mutants: readonly Mutant[] = [
  decidesJoining(
    'join-no-rsa',
    'a CA whose key is one of RSA is not believed',
    ['P-570'],
    refusing(({ key }) => key?.type === 'RSA'),
  ),
  decidesJoining(
    'join-kubeadms-name',
    'a CA of another name than kubeadm gives is not believed',
    ['P-570'],
    refusing(({ commonName }) => commonName !== 'kubernetes'),
  ),
  decidesJoining(
    'join-no-long-life',
    'a CA that lives for more than eleven years is not believed',
    ['P-570'],
    refusing(livesLong),
  ),
  decidesJoining(
    'join-no-long-certificate',
    'a certificate that lives for more than eleven years is not taken',
    ['P-570'],
    {
      readRequest: (request) => {
        const { certificate = '' } = request.status ?? {};
        const own = firstOf(Buffer.from(certificate, 'base64').toString('utf8'));
        return own !== undefined && livesLong(own) ? 'waiting' : upstream.readRequest(request);
      },
    },
  ),
  another('join-no-ipv6', 'a server at an address of IPv6 is asked by the text before its first colon', ['P-571'], {
    wire: sending((question) => ({
      ...question,
      url: question.url.replace(/^https:\/\/\[([\da-f]*):[^/]*/, 'https://[$1'),
    })),
  }),
  another('join-refuses-ipv6', 'a kubeconfig with an address of IPv6 is not written', ['P-571'], {
    files: inFile(BOOTSTRAP, (text) => {
      if (bare(text) !== text) throw new JoinFailed('no address of IPv4');
      return text;
    }),
  }),
  another(
    'join-bootstraps-without-brackets',
    'the bootstrap kubeconfig names an address of IPv6 without brackets',
    ['P-571'],
    {
      files: inFile(BOOTSTRAP, bare),
    },
  ),
  another('join-stays-without-brackets', 'kubelet.conf names an address of IPv6 without brackets', ['P-571'], {
    files: inFile('/etc/kubernetes/kubelet.conf', bare),
  }),
];
