/** How authenticators are told to an API server: its flags, and the files that they name. */
import { deepEqual, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authenticationArguments, authenticationFiles, type RequestHeaderFlags } from './authentication-flags.js';

describe('flags of authenticators', () => {
  const told = (flags: Parameters<typeof authenticationArguments>[0]) => authenticationArguments(flags, '/f');
  it('are those of kubeadm where nothing is said', () => {
    deepEqual(told({}), {});
    deepEqual(told({ requestHeader: {} }), {});
    deepEqual(authenticationFiles({}), {});
  });
  it('name files, which are written', () => {
    const flags = {
      ...{ clientCa: 'c', basicAuthFile: 'b', tokenAuthFile: 't', authenticationConfig: 'a' },
      serviceAccountKeyFiles: ['k', 'l'],
      requestHeader: { clientCa: 'r' },
    };
    deepEqual(told(flags), {
      'client-ca-file': '/f/client-ca.crt',
      'basic-auth-file': '/f/passwords.csv',
      'token-auth-file': '/f/tokens.csv',
      'authentication-config': '/f/authentication.yaml',
      'service-account-key-file': ['/f/service-accounts-0.pub', '/f/service-accounts-1.pub'],
      'requestheader-client-ca-file': '/f/requestheader-ca.crt',
    });
    deepEqual(authenticationFiles(flags), {
      ...{ 'client-ca.crt': 'c', 'passwords.csv': 'b', 'tokens.csv': 't', 'authentication.yaml': 'a' },
      ...{ 'service-accounts-0.pub': 'k', 'service-accounts-1.pub': 'l', 'requestheader-ca.crt': 'r' },
    });
  });
  it('have values, of lists all', () => {
    deepEqual(told({ serviceAccountIssuers: ['i', 'j'], apiAudiences: ['a', 'b'], serviceAccountLookup: false }), {
      'service-account-issuer': ['i', 'j'],
      'api-audiences': 'a,b',
      'service-account-lookup': 'false',
    });
  });
  it('of front proxies say who they are and how they speak; without names all are allowed', () => {
    const proxies = (requestHeader: RequestHeaderFlags): unknown => told({ requestHeader });
    deepEqual(
      proxies({
        ...{ allowedNames: ['p'], usernameHeaders: ['U', 'V'], uidHeaders: ['I'], groupHeaders: ['G', 'H'] },
        extraHeadersPrefix: ['E-', 'F-'],
      }),
      {
        'requestheader-allowed-names': 'p',
        'requestheader-username-headers': 'U,V',
        'requestheader-uid-headers': 'I',
        'requestheader-group-headers': 'G,H',
        'requestheader-extra-headers-prefix': 'E-,F-',
      },
    );
    deepEqual(proxies({ allowedNames: ['p', 'q'] }), { 'requestheader-allowed-names': 'p,q' });
    deepEqual(proxies({ allowedNames: [] }), { 'requestheader-allowed-names': undefined });
  });
  it('are left out where there is no such authenticator', () => {
    const left = told({ clientCa: false, requestHeader: false });
    deepEqual(authenticationFiles({ clientCa: false, requestHeader: false }), {});
    ok(Object.values(left).every((value) => value === undefined));
    deepEqual(Object.keys(left).sort(), [
      ...['client-ca-file', 'requestheader-allowed-names', 'requestheader-client-ca-file'],
      ...['requestheader-extra-headers-prefix', 'requestheader-group-headers', 'requestheader-username-headers'],
    ]);
  });
});
