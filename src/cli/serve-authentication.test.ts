import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { UsageError } from '../run/usage-error.js';
import { authenticationOf } from './serve-authentication.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-authentication-'));
after(() => rmSync(folder, { recursive: true }));
const put = (text: string): string => {
  const file = path.join(folder, text);
  writeFileSync(file, text);
  return file;
};
const NONE = { bootstrapTokenAuth: true, authentication: { requestHeader: {} } };

describe('what a reference is told of authenticators', () => {
  it('is nothing that was not given', () => {
    assert.deepEqual(authenticationOf({}), NONE);
  });

  it('is the text of files, lists, and what is switched, each by its flag', () => {
    assert.deepEqual(
      authenticationOf({
        legacyBasicAuthFile: put('basic'),
        tokenAuthFile: put('tokens'),
        authenticationConfig: put('config'),
        clientCaFile: put('clients'),
        serviceAccountKeyFile: [put('key-1'), put('key-2')],
        serviceAccountIssuer: ['https://a.example', 'a name'],
        apiAudiences: 'a,b',
        serviceAccountLookup: 'true',
        anonymousAuth: 'true',
        enableBootstrapTokenAuth: 'true',
        requestheaderClientCaFile: put('front'),
        requestheaderAllowedNames: 'n1,n2',
        requestheaderUsernameHeaders: 'u1,u2',
        requestheaderUidHeaders: 'i1,i2',
        requestheaderGroupHeaders: 'g1,g2',
        requestheaderExtraHeadersPrefix: 'x1,x2',
      }),
      {
        anonymousAuth: true,
        bootstrapTokenAuth: true,
        authentication: {
          basicAuthFile: 'basic',
          tokenAuthFile: 'tokens',
          authenticationConfig: 'config',
          clientCa: 'clients',
          serviceAccountKeyFiles: ['key-1', 'key-2'],
          serviceAccountIssuers: ['https://a.example', 'a name'],
          apiAudiences: ['a', 'b'],
          serviceAccountLookup: true,
          requestHeader: {
            clientCa: 'front',
            allowedNames: ['n1', 'n2'],
            usernameHeaders: ['u1', 'u2'],
            uidHeaders: ['i1', 'i2'],
            groupHeaders: ['g1', 'g2'],
            extraHeadersPrefix: ['x1', 'x2'],
          },
        },
      },
    );
  });

  it('is switched off by one word alone, and an empty list is none', () => {
    const { authentication } = NONE;
    assert.deepEqual(authenticationOf({ anonymousAuth: 'false' }), { ...NONE, anonymousAuth: false });
    assert.deepEqual(authenticationOf({ enableBootstrapTokenAuth: 'false' }), { ...NONE, bootstrapTokenAuth: false });
    assert.deepEqual(authenticationOf({ serviceAccountLookup: 'false' }), {
      ...NONE,
      authentication: { ...authentication, serviceAccountLookup: false },
    });
    assert.deepEqual(authenticationOf({ requestheaderAllowedNames: '' }), {
      ...NONE,
      authentication: { requestHeader: { allowedNames: [] } },
    });
  });

  it('is refused where one of several issuers is none, or one of several files is not there', () => {
    assert.throws(() => authenticationOf({ serviceAccountIssuer: ['https://a.example', 'https://'] }), UsageError);
    assert.throws(
      () => authenticationOf({ serviceAccountKeyFile: [put('key-1'), path.join(folder, 'none')] }),
      UsageError,
    );
  });
});
