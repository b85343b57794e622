/** Defects of a joining client in how it goes about its request for a certificate. */
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import { another, asking, decidesJoining, sending, upstream } from './joining-hooks.js';
import type { Mutant } from './types.js';

const isIssued = ({ status }: CertificateSigningRequest): boolean => (status?.certificate ?? '') !== '';
const isLookAtOne = (method: string, url: string): boolean =>
  method === 'GET' && url.includes('/certificatesigningrequests/');

export const mutants: readonly Mutant[] = [
  decidesJoining('join-looks-at-requests-without-a-pause', 'two hundred looks a second at the request', ['P-400'], {
    pollInterval: () => 5,
  }),
  another('join-looks-at-all-requests', 'all requests are listed to find the own one', ['P-374'], {
    wire: asking(async (question, wire) => {
      if (isLookAtOne(question.method, question.url))
        await wire.exchange({ ...question, url: question.url.replace(/\/[^/]*$/, '') });
      return wire.exchange(question);
    }),
  }),
  another('join-request-of-the-machine', 'a request is called as its machine is', ['P-375'], {
    wire: sending((question) => {
      if (question.method !== 'POST') return question;
      const request = JSON.parse(question.body ?? '{}') as CertificateSigningRequest;
      return { ...question, body: JSON.stringify({ ...request, metadata: { name: 'node-csr-worker-9' } }) };
    }),
  }),
  decidesJoining('join-waits-for-what-was-denied', 'who is denied waits on', ['P-376'], {
    readRequest: (request) => {
      const reading = upstream.readRequest(request);
      return reading === 'denied' || reading === 'failed' ? 'waiting' : reading;
    },
  }),
  decidesJoining('join-takes-what-nobody-approved', 'a certificate is taken without an approval', ['BOOT-009'], {
    readRequest: (request) => {
      const reading = upstream.readRequest(request);
      return reading === 'waiting' && isIssued(request) ? 'issued' : reading;
    },
  }),
  decidesJoining('join-takes-what-has-failed', 'a certificate is taken of a request that has failed', ['BOOT-009'], {
    readRequest: (request) => (isIssued(request) ? 'issued' : upstream.readRequest(request)),
  }),
  decidesJoining('join-unquotes-tokens', 'quotes around a token are taken away', ['TOK-017'], {
    readToken: (text) => upstream.readToken(text.replace(/^"(.*)"$/, '$1')),
  }),
  decidesJoining('join-token-trimmed', 'blanks around a token are taken away', ['TOK-017'], {
    readToken: (text) => upstream.readToken(text.trim()),
  }),
  decidesJoining('join-token-trimmed-behind', 'what is behind a token is taken away', ['TOK-017'], {
    readToken: (text) => upstream.readToken(text.trimEnd()),
  }),
  another('join-redirect-to-anybody', 'where a download leads to anybody is believed', ['FDISC-003'], {
    wire: sending((question) => (question.url.endsWith('/g.conf') ? { ...question, trust: 'anybody' } : question)),
  }),
];
