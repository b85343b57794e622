/**
 * A reporter for node:test that says, when all have run, which tests failed and why: among thousands that passed they
 * are not found otherwise. Source of the shape: Node, doc/api/test.md "Custom reporters".
 */
import type { TestEvent } from 'node:test/reporters';

export default async function* failingTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failed: string[] = [];
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue;
    const { name, file = '', line, details } = data;
    const { error } = details;
    const { cause } = error;
    // a suite, or a file, fails with what it holds
    if ('failureType' in error && error.failureType === 'subtestsFailed') continue;
    const said =
      cause instanceof Error ? (cause.stack ?? cause.message) : typeof cause === 'string' ? cause : error.message;
    failed.push(`${name}\n  ${file}:${line}\n  ${said.split('\n').slice(0, 12).join('\n  ')}\n`);
  }
  if (failed.length > 0) yield `\nFailed tests: ${failed.length}\n\n${failed.join('\n')}`;
}
