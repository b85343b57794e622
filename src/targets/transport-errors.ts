/** Turns what node and undici throw into one sentence that names host, port and cause. */
import { Unreadable } from './answer-body.js';
import { TargetUnreachable, type Unreachable } from './errors.js';

/** Thrown inside the transport only. */
export class TimeLimit extends Error {
  readonly code = 'JOINPROOF_TIMEOUT';
  constructor(readonly milliseconds: number) {
    super(`no complete answer within ${milliseconds} ms`);
  }
}

const KNOWN: Readonly<Record<string, readonly [Unreachable, string]>> = {
  ECONNREFUSED: ['refused', 'the connection was refused; nothing listens there, or a firewall says no'],
  ENOTFOUND: ['dns', 'the host name cannot be resolved'],
  EAI_AGAIN: ['dns', 'the host name cannot be resolved at the moment (the name server does not answer)'],
  EHOSTUNREACH: ['network', 'there is no route to the host'],
  ENETUNREACH: ['network', 'the network cannot be reached'],
  EADDRNOTAVAIL: ['network', 'the address cannot be reached from here'],
  ETIMEDOUT: ['timeout', 'the connection was not made in time'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'the connection was not made in time'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'no answer came in time'],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'the answer stopped half way'],
  ECONNRESET: ['closed', 'the connection was closed before an answer came'],
  EPIPE: ['closed', 'the connection was closed before an answer came'],
  UND_ERR_SOCKET: ['closed', 'the connection was closed before an answer came'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['closed', 'the answer is shorter or longer than its Content-Length says'],
  JOINPROOF_CUT_OFF: ['closed', 'the answer says that it is JSON, but it is none, or cut off'],
  UND_ERR_HEADERS_OVERFLOW: ['not-http', 'the headers of the answer are too long'],
  HPE_HEADER_OVERFLOW: ['not-http', 'the headers of the answer are too long'],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'tls-unknown-ca',
    'its certificate is self-signed and not trusted; the certificate authority of the kubeconfig does not fit',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'tls-unknown-ca',
    'its certificate is signed by an unknown authority; the certificate authority of the kubeconfig does not fit',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'tls-unknown-ca',
    'its certificate is signed by an unknown authority; the certificate authority of the kubeconfig does not fit',
  ],
  UNABLE_TO_GET_ISSUER_CERT: [
    'tls-unknown-ca',
    'its certificate is signed by an unknown authority; the certificate authority of the kubeconfig does not fit',
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'tls-unknown-ca',
    'its certificate is signed by an unknown authority; the certificate authority of the kubeconfig does not fit',
  ],
  CERT_SIGNATURE_FAILURE: [
    'tls-unknown-ca',
    'its certificate was not signed by the certificate authority of the kubeconfig, which bears the same name but another key',
  ],
  CERT_UNTRUSTED: ['tls-unknown-ca', 'its certificate is not trusted'],
  INVALID_CA: ['tls-unknown-ca', 'its certificate was issued by something that is no certificate authority'],
  INVALID_PURPOSE: ['tls-unknown-ca', 'its certificate is not meant for servers'],
  CERT_HAS_EXPIRED: ['tls-expired', 'its certificate, or the authority it was issued by, has expired'],
  CERT_NOT_YET_VALID: ['tls-expired', 'its certificate is not valid yet; is the clock of this machine right?'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'tls-hostname',
    'its certificate does not name this host; tls-server-name in the kubeconfig says which name to expect',
  ],
};

const NOT_TLS =
  /WRONG_VERSION_NUMBER|wrong version number|packet length too long|http request|unknown protocol|RECORD_LAYER/i;
const CLIENT_REFUSED =
  /ALERT_(BAD_CERTIFICATE|CERTIFICATE_REQUIRED|UNKNOWN_CA|CERTIFICATE_UNKNOWN|CERTIFICATE_EXPIRED|HANDSHAKE_FAILURE|ACCESS_DENIED)|alert (bad certificate|certificate required|unknown ca|certificate unknown|certificate expired|handshake failure)/i;

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string' && error.code !== 'UND_ERR_REQ_RETRY') return error.code;
  if (error instanceof AggregateError) return error.errors.map(codeOf).find((code) => code !== '') ?? '';
  return codeOf(error.cause);
};

const textOf = (error: unknown): string =>
  error instanceof Error
    ? [error.message, error.cause === undefined ? '' : textOf(error.cause)].join(' ')
    : String(error);

/**
 * @param where host:port
 * @param redact applied to texts that come from outside
 * @param proxy host:port of the proxy in between
 */
export function unreachable(
  error: unknown,
  where: string,
  redact: (text: string) => string,
  proxy?: string,
): TargetUnreachable {
  if (error instanceof TargetUnreachable) return error;
  const say = (why: Unreachable, cause: string): TargetUnreachable =>
    new TargetUnreachable(`Cannot ask ${where}: ${cause}.`, why);
  if (error instanceof TimeLimit)
    return say('timeout', `no complete answer came within ${error.milliseconds / 1000} s`);
  if (error instanceof Unreadable) return say('too-large', error.message);
  const code = codeOf(error);
  const text = textOf(error);
  if (/Proxy response \((\d+)\)/.test(text))
    return say('proxy', `the proxy refused the tunnel with status ${/Proxy response \((\d+)\)/.exec(text)?.[1]}`);
  const known = KNOWN[code];
  if (known !== undefined && proxy !== undefined && !known[0].startsWith('tls-'))
    return say('proxy', `the way leads over the proxy ${proxy}, and ${known[1]}`);
  if (known !== undefined) return say(known[0], known[1]);
  if (NOT_TLS.test(code) || NOT_TLS.test(text))
    return say('not-https', 'what listens there does not speak TLS; is it http, or another port?');
  if (CLIENT_REFUSED.test(code) || CLIENT_REFUSED.test(text))
    return say('tls-refused', 'the server broke off the TLS handshake; it wants another client certificate');
  if (code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError'))
    return say('not-http', 'what listens there does not answer in HTTP');
  return say('other', redact(`${text.trim()}${code === '' ? '' : ` (${code})`}`));
}
