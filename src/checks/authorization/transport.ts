/** How the API server is reached. */
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';

/** `server`: "https://10.0.0.1:6443" */
export const servedOverTls: Check<{ readonly server: string }> = {
  id: 'transport/tls',
  source: '000, TLS; 002, the address of the API server is an https one',
  judge: ({ server }) => {
    const tls = server.startsWith('https://');
    return [demand({ subject: server, demanded: 'an https address', seen: tls ? 'https' : 'no https', ok: tls })];
  },
};

/** The status of an HTTP answer, "HTTP/1.1 200 OK"; undefined where there is none. */
const statusIn = (head: string): number | undefined => {
  const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(head) ?? [];
  return status === undefined ? undefined : Number(status);
};

/**
 * A request without TLS is not understood: no answer, 400, or a redirect to where TLS is. Any other answer comes from
 * something that has read the request, and would have read the credential in it.
 */
export const plainRefused: Check<{ readonly server: string; readonly head: string }> = {
  id: 'transport/plain-refused',
  source: '000, TLS and RBAC: neither may be missing; Go, net/http/server.go "HTTP request to an HTTPS server"',
  judge: ({ server, head }) => {
    const status = statusIn(head);
    const [first = ''] = head.split('\r\n');
    const redirected = status !== undefined && status >= 300 && status < 400 && /^location: https:/im.test(head);
    return [
      refusal({
        subject: `GET /version at ${server}, without TLS`,
        demanded: 'is not answered: the port speaks TLS only',
        seen: status === undefined ? 'no HTTP answer' : first,
        ok: status === undefined || status === 400 || redirected,
      }),
    ];
  },
};
