import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { askedBy, replay } from '../apiserver/recorded/testing.js';
import { type Reference, startReference } from './index.js';

/** From where the compiled file lies. */
const FOLDER = new URL('../../../src/reference/conversations/', import.meta.url);

/**
 * What a real kube-apiserver of 1.36 without controllers answered an administrator, and those whom it acts as;
 * src/apiserver/recorded/testing.ts describes the files, and src/tools/converse.ts asks them anew. No controller has
 * its turn in between here.
 */
describe('a reference answers as a real server does', () => {
  let reference: Reference;
  before(async () => {
    reference = await startReference({ tokens: [{}] });
  });
  after(() => reference.close());

  for (const about of ['certificates', 'rbac', 'reviews', 'nodes', 'tokens'])
    it(`about ${about}`, () => {
      const text = readFileSync(new URL(`${about}.txt`, FOLDER), 'utf8');
      const ask = askedBy(reference.handle, [new X509Certificate(reference.admin.certificate).raw]);
      for (const { exchange, answer } of replay(text, ask)) assert.equal(answer, exchange.answer, exchange.asked);
    });
});
