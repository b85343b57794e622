/** What clients together may keep a server holding. */
import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { textResponse } from '../discovery/plain-text.js';
import { Answers } from './answers.js';

const MIB = 1024 * 1024;
const ALL = 256 * MIB;

/** Requests that go on as the test says. */
function server(limit: number) {
  const asked: (readonly [bytes: number, tooLarge: boolean])[] = [];
  const answers = new Answers(({ body, bodyTooLarge }, reply) => {
    asked.push([body.length, bodyTooLarge === true]);
    reply(textResponse(200, 'ok'));
  }, limit);
  const send = () => {
    const message = new IncomingMessage(new Socket());
    Object.assign(message, { method: 'POST', url: '/', headers: { 'transfer-encoding': 'chunked' } });
    const response = new ServerResponse(message);
    answers.answer(message, response);
    return {
      sends: (bytes: number): unknown => message.emit('data', Buffer.alloc(bytes)),
      ends: (): unknown => message.emit('end'),
      goes: (): unknown => message.emit('close'),
      told: (): unknown =>
        response.writableEnded ? [response.statusCode, response.getHeader('Connection')] : 'nothing',
    };
  };
  return { asked, send };
}

describe('bodies that are not ended', () => {
  it('may be 256 MiB together; who sends more is told to come again', () => {
    const { asked, send } = server(2 * ALL);
    const [first, second] = [send(), send()];
    first.sends(ALL - 1);
    second.sends(1);
    assert.deepEqual([first.told(), second.told()], ['nothing', 'nothing']);
    const third = send();
    third.sends(1);
    assert.deepEqual(third.told(), [429, 'close']);
    first.goes();
    second.sends(MIB);
    second.ends();
    assert.deepEqual(second.told(), [200, undefined]);
    const fourth = send();
    fourth.sends(ALL);
    assert.equal(fourth.told(), 'nothing');
    assert.deepEqual(asked, [[MIB + 1, false]]);
  });
  it('are answered when they are longer than may be, and not looked at further', () => {
    const { asked, send } = server(2);
    const [exact, long] = [send(), send()];
    exact.sends(2);
    long.sends(1);
    long.sends(2);
    long.sends(1);
    long.ends();
    exact.ends();
    assert.deepEqual(asked, [
      [1, true],
      [2, false],
    ]);
    assert.deepEqual(
      [long.told(), exact.told()],
      [
        [200, 'close'],
        [200, undefined],
      ],
    );
  });
});
