import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unreadable } from './answer-body.js';
import { TargetUnreachable } from './errors.js';
import { TimeLimit, unreachable } from './transport-errors.js';

const redact = (text: string): string => text.replaceAll('hunter2', '[redacted]');
const of = (error: unknown, proxy?: string): TargetUnreachable => unreachable(error, 'host:6443', redact, proxy);
const coded = (code: string, message = 'it broke'): Error => Object.assign(new Error(message), { code });

test('what nobody knows is told as it was said, without what is secret', () => {
  const { why, message } = of(new Error('odd hunter2', { cause: coded('EODD', 'said hunter2') }));
  assert.equal(why, 'other');
  assert.equal(message, 'Cannot ask host:6443: odd [redacted] said [redacted] (EODD).');
});

test('what is known is told in words of ours, by the innermost code that says something', () => {
  assert.equal(of(coded('ECONNREFUSED')).why, 'refused');
  assert.equal(of(new Error('failed', { cause: coded('ENOTFOUND') })).why, 'dns');
  assert.equal(of(new AggregateError([new Error('none'), coded('ETIMEDOUT')])).why, 'timeout');
  assert.equal(of(coded('ERR_TLS_CERT_ALTNAME_INVALID')).why, 'tls-hostname');
  assert.equal(of(coded('HPE_INVALID_CONSTANT')).why, 'not-http');
  assert.equal(of(coded('X', 'ssl3_get_record:wrong version number')).why, 'not-https');
  assert.equal(of(coded('X', 'tlsv13 alert certificate required')).why, 'tls-refused');
});

test('what goes wrong on the way to a proxy is told of the proxy, and what it says of certificates of the server', () => {
  assert.match(of(coded('ECONNREFUSED'), 'proxy:3128').message, /over the proxy proxy:3128/);
  assert.equal(of(coded('CERT_HAS_EXPIRED'), 'proxy:3128').why, 'tls-expired');
  assert.equal(of(new Error('Proxy response (407) !== 200'), 'proxy:3128').why, 'proxy');
});

test('what was told already stays', () => {
  const told = new TargetUnreachable('gone', 'aborted');
  assert.equal(of(told), told);
});

const STRANGER =
  'its certificate is signed by an unknown authority; the certificate authority of the kubeconfig does not fit';
const CLOSED = 'the connection was closed before an answer came';
const LATE = 'the connection was not made in time';
const LONG = 'the headers of the answer are too long';
const PLAIN = 'what listens there does not speak TLS; is it http, or another port?';
const OTHER_CLIENT = 'the server broke off the TLS handshake; it wants another client certificate';
const NO_HTTP = 'what listens there does not answer in HTTP';
const NO_TLS = [
  'WRONG_VERSION_NUMBER',
  'PACKET_LENGTH packet length too long',
  'http request',
  'unknown protocol',
  'RECORD_LAYER',
];
const ALERTS = [
  ...['BAD_CERTIFICATE', 'CERTIFICATE_REQUIRED', 'UNKNOWN_CA', 'CERTIFICATE_UNKNOWN', 'CERTIFICATE_EXPIRED'],
  ...['HANDSHAKE_FAILURE', 'ACCESS_DENIED'],
];
const WORDS = [
  ...['bad certificate', 'certificate required', 'unknown ca', 'certificate unknown', 'certificate expired'],
  'handshake failure',
];

for (const [code, why, words] of [
  ['ECONNREFUSED', 'refused', 'the connection was refused; nothing listens there, or a firewall says no'],
  ['ENOTFOUND', 'dns', 'the host name cannot be resolved'],
  ['EAI_AGAIN', 'dns', 'the host name cannot be resolved at the moment (the name server does not answer)'],
  ['EHOSTUNREACH', 'network', 'there is no route to the host'],
  ['ENETUNREACH', 'network', 'the network cannot be reached'],
  ['EADDRNOTAVAIL', 'network', 'the address cannot be reached from here'],
  ['ETIMEDOUT', 'timeout', LATE],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout', LATE],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout', 'no answer came in time'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout', 'the answer stopped half way'],
  ['ECONNRESET', 'closed', CLOSED],
  ['EPIPE', 'closed', CLOSED],
  ['UND_ERR_SOCKET', 'closed', CLOSED],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'closed', 'the answer is shorter or longer than its Content-Length says'],
  ['JOINPROOF_CUT_OFF', 'closed', 'the answer says that it is JSON, but it is none, or cut off'],
  ['UND_ERR_HEADERS_OVERFLOW', 'not-http', LONG],
  ['HPE_HEADER_OVERFLOW', 'not-http', LONG],
  ['HPE_INVALID_VERSION', 'not-http', NO_HTTP],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls-unknown-ca', STRANGER],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-unknown-ca', STRANGER],
  ['UNABLE_TO_GET_ISSUER_CERT', 'tls-unknown-ca', STRANGER],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls-unknown-ca', STRANGER],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'tls-unknown-ca',
    'its certificate is self-signed and not trusted; the certificate authority of the kubeconfig does not fit',
  ],
  [
    'CERT_SIGNATURE_FAILURE',
    'tls-unknown-ca',
    'its certificate was not signed by the certificate authority of the kubeconfig, which bears the same name but another key',
  ],
  ['CERT_UNTRUSTED', 'tls-unknown-ca', 'its certificate is not trusted'],
  ['INVALID_CA', 'tls-unknown-ca', 'its certificate was issued by something that is no certificate authority'],
  ['INVALID_PURPOSE', 'tls-unknown-ca', 'its certificate is not meant for servers'],
  ['CERT_HAS_EXPIRED', 'tls-expired', 'its certificate, or the authority it was issued by, has expired'],
  ['CERT_NOT_YET_VALID', 'tls-expired', 'its certificate is not valid yet; is the clock of this machine right?'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'tls-hostname',
    'its certificate does not name this host; tls-server-name in the kubeconfig says which name to expect',
  ],
  ...NO_TLS.map((said) => [said, 'not-https', PLAIN] as const),
  ...ALERTS.map((alert) => [`ERR_SSL_TLSV1_ALERT_${alert}`, 'tls-refused', OTHER_CLIENT] as const),
  ...WORDS.map((said) => [`alert ${said}`, 'tls-refused', OTHER_CLIENT] as const),
] as const)
  test(`told by ${code}`, () => {
    for (const error of [coded(code), new Error('fetch failed', { cause: coded(code) })]) {
      const told = of(error);
      assert.deepEqual([told.why, told.message], [why, `Cannot ask host:6443: ${words}.`]);
    }
  });

test('what is said by no code is told by its words, and what is in no words as it is', () => {
  assert.equal(of(coded('UND_ERR_REQ_RETRY', 'again')).message, 'Cannot ask host:6443: again.');
  assert.equal(
    of(Object.assign(new Error('odd'), { name: 'HTTPParserError' })).message,
    `Cannot ask host:6443: ${NO_HTTP}.`,
  );
  assert.equal(of(new Error('x', { cause: new Error('http request') })).message, `Cannot ask host:6443: ${PLAIN}.`);
  assert.equal(of('a word').why, 'other');
  const late = of(new TimeLimit(1500));
  assert.deepEqual(
    [late.why, late.message],
    ['timeout', 'Cannot ask host:6443: no complete answer came within 1.5 s.'],
  );
  const large = of(new Unreadable('it is too large'));
  assert.deepEqual([large.why, large.message], ['too-large', 'Cannot ask host:6443: it is too large.']);
  assert.equal(
    of(coded('UND_ERR_ABORTED', 'Proxy response (403) !== 200 when HTTP Tunneling')).message,
    'Cannot ask host:6443: the proxy refused the tunnel with status 403.',
  );
  const way = of(coded('ECONNRESET'), 'proxy:3128');
  assert.deepEqual(
    [way.why, way.message],
    ['proxy', `Cannot ask host:6443: the way leads over the proxy proxy:3128, and ${CLOSED}.`],
  );
});
