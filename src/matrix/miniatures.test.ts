import assert from 'node:assert/strict';
import { request } from 'node:https';
import { describe, it } from 'node:test';
import { type MiniatureName, startMiniature } from './miniatures.js';

const TIRED_MS = 200;

/** "200 application/json {}"; how it ends where it does otherwise. */
async function said(name: MiniatureName): Promise<string> {
  const miniature = await startMiniature(name);
  try {
    return await new Promise((resolve) => {
      const options = { method: 'POST', ca: miniature.caPem, agent: false };
      const asked = request(`${miniature.server}/api`, options, (response) => {
        const { statusCode, headers } = response;
        let text = `${statusCode} ${headers['content-type'] ?? headers.location?.replace(miniature.server, '')} `;
        const tired = setTimeout(() => resolve(`${text.trim()} waits`), TIRED_MS);
        response.on('error', () => {});
        response.on('data', (chunk: Buffer) => {
          text += chunk;
        });
        response.on('end', () => {
          clearTimeout(tired);
          resolve(text);
        });
      });
      asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      asked.end('{}');
    });
  } finally {
    await miniature.close();
  }
}
const status = (code: number, reason: string): string =>
  `${code} application/json {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"${reason}","reason":"${reason}","code":${code}}`;

describe('what is no cluster', () => {
  for (const [name, expected] of [
    ['closed port', 'ECONNREFUSED'],
    ['always 200', '200 application/json {}'],
    ['always 401', status(401, 'Unauthorized')],
    ['always 403', status(403, 'Forbidden')],
    ['always 500', status(500, 'InternalError')],
    ['HTML page', '200 text/html <!doctype html><title>Sign in</title><h1>Sign in</h1>'],
    ['redirect loop', '302 /again '],
    ['slow drip', '200 application/json waits'],
  ] as const)
    it(`says so of itself: ${name}`, async () => assert.equal(await said(name), expected));

  it('may be of another CA', async () =>
    assert.match(await said('wrong CA'), /SIGNATURE|SELF_SIGNED|UNABLE_TO_VERIFY/));
});
