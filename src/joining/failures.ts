/** What goes wrong in a join, in kubeadm's words: administrators and their tools search for these. */
import type { CertificateProblem, WireFailure } from '../kubernetes/wire.js';

/** A join that ends without success. The message holds no secret. */
export class JoinFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JoinFailed';
  }
}

/** Puts a sentence before that of a JoinFailed; anything else goes on as it is. */
export async function inContext<T>(context: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof JoinFailed) throw new JoinFailed(`${context}: ${error.message}`);
    throw error;
  }
}

const seconds = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Source: Go crypto/x509, verify.go CertificateInvalidError, HostnameError, UnknownAuthorityError. */
function problemText(problem: CertificateProblem, now: number): string {
  switch (problem.kind) {
    case 'dates': {
      const [how, limit] = now < problem.notBefore ? ['before', problem.notBefore] : ['after', problem.notAfter];
      return `certificate has expired or is not yet valid: current time ${seconds(now)} is ${how} ${seconds(limit)}`;
    }
    case 'name':
      return problem.names.length === 0
        ? 'certificate relies on legacy Common Name field, use SANs instead'
        : `certificate is valid for ${problem.names.join(', ')}, not ${problem.host}`;
    case 'usage':
      return 'certificate specifies an incompatible key usage';
    case 'authority':
      return 'certificate signed by unknown authority';
  }
}

const TIME = {
  connecting:
    'net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)',
  waiting: 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
} as const;
const READING = 'unexpected error when reading response body. Please retry. Original error:';

/** Host and port of a URL; the text itself where it is none. */
function addressOf(url: string): string {
  return /^[a-z]+:\/\/([^/]*)/.exec(url)?.[1] ?? url;
}

/** A failure in Go's words. `url` is what was asked, `now` the time of this machine. */
export function failureText(failure: WireFailure, url: string, now: number): string {
  const address = addressOf(url);
  const host = address.replace(/:\d*$/, '');
  const asked = (why: string): string => `Get "${url}": ${why}`;
  switch (failure.cause) {
    case 'refused':
      return asked(`dial tcp ${address}: connect: connection refused`);
    case 'unknown host':
      return asked(`dial tcp: lookup ${host}: no such host`);
    case 'unreachable':
      return asked(`dial tcp ${address}: connect: no route to host`);
    case 'bad address':
      return asked(`dial tcp: address ${address.slice(host.length + 1)}: invalid port`);
    case 'reset':
      return asked(`read tcp ${address}: read: connection reset by peer`);
    case 'ended':
      return asked('EOF');
    case 'cut':
      return `${READING} unexpected EOF`;
    case 'time':
      return failure.during === 'reading' ? `${READING} context deadline exceeded` : asked(TIME[failure.during]);
    case 'not tls':
      return asked('http: server gave HTTP response to HTTPS client');
    case 'handshake':
      return asked('remote error: tls: handshake failure');
    case 'untrusted':
      return asked(`tls: failed to verify certificate: x509: ${problemText(failure.problem, now)}`);
    case 'too large':
      return 'the answer is larger than a client reads';
    case 'other':
      return asked(failure.why);
  }
}
