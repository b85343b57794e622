import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import { twinsOf } from '../common/twins.testing.js';
import { machineIssued, machineOrder, phaseOf, readEnded, readWay, readyReason } from './machine.js';

describe('a machine', () => {
  it('gets its certificate', () => {
    const ended = (outcome: Parameters<typeof readEnded>[1]) => [readEnded('a machine', outcome)];
    const demanded = { demanded: 'joins' };
    assert.deepEqual(resultsOf(machineIssued, ended({ kind: 'issued' }), demanded), ['met']);
    for (const kind of ['waiting', 'denied', 'had'])
      assert.deepEqual(resultsOf(machineIssued, ended({ kind }), demanded), ['unmet']);
    const refused = ended({ kind: 'refused', answer: { status: 403, body: { message: 'no' } } });
    assert.match(judged(machineIssued, refused, demanded)[0]?.seen ?? '', /answered with 403 no/);
    assert.deepEqual(resultsOf(machineIssued, refused, demanded), ['unmet']);
    const elsewhere = ended({ kind: 'refused', answer: { status: 405, body: {} } });
    assert.deepEqual(resultsOf(machineIssued, elsewhere, demanded), ['unclear']);
  });

  it('says how its asking has ended', () => {
    const answer = { status: 403, body: { message: 'no' } };
    const told = (kind: string, more: object = {}) =>
      machineIssued
        .judge([readEnded('a machine', { kind, ...more })], { demanded: 'joins' })
        .map(({ subject, demanded, seen, result }) => `${subject} ${demanded}: ${seen} (${result})`)[0];
    assert.equal(told('issued'), 'a machine joins: it does (met)');
    assert.equal(told('denied'), 'a machine joins: its request is denied (unmet)');
    assert.equal(told('refused', { answer }), 'a machine joins: its request is answered with 403 no (unmet)');
    assert.equal(told('deleted', { answer }), 'a machine joins: its request is deleted (unmet)');
    assert.equal(told('refused', { answer: { status: 503, body: null } })?.endsWith('(unclear)'), true);
    assert.deepEqual(readEnded('a machine', { kind: 'waiting' }), {
      subject: 'a machine',
      kind: 'waiting',
      answer: '',
      besides: false,
    });
  });

  it('is late by its clocks alone', () => {
    const start = Date.UTC(2026, 0, 1);
    const look = (milliseconds: number) =>
      machineOrder.judge(
        {
          subject: 'a machine',
          moments: [
            { what: 'one', at: new Date(start).toISOString() },
            { what: 'two', at: new Date(start + milliseconds).toISOString() },
          ],
        },
        undefined,
      )[0];
    assert.deepEqual(
      [0, -10_000, -10_001].map((late) => look(late)?.result),
      ['met', 'met', 'unmet'],
    );
    assert.equal(look(0)?.demanded, 'two after one');
    assert.equal(look(0)?.seen, 'at 2026-01-01T00:00:00.000Z, after 2026-01-01T00:00:00.000Z');
    const nothing = machineOrder.judge(readWay('a', undefined, undefined), undefined);
    assert.deepEqual(
      nothing.map(({ demanded, seen }) => `${demanded}: ${seen}`),
      [
        'its request was approved after its request was made: at no time, after no time',
        'its Node was made after its request was approved: at no time, after no time',
      ],
    );
  });

  it('takes its steps in their order, as the cluster shows them', () => {
    const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 1, second)).toISOString();
    const way = (asked: string, approved: string | undefined, registered: string) => {
      const conditions = [
        { type: 'Other', status: 'True', lastUpdateTime: at(-50) },
        ...(approved === undefined ? [] : [{ type: 'Approved', status: 'True', lastUpdateTime: approved }]),
      ];
      const metadata = { creationTimestamp: asked };
      const request = { metadata, spec: { request: '', signerName: '' }, status: { conditions } };
      return readWay('a', request as CertificateSigningRequest, { metadata: { creationTimestamp: registered } });
    };
    const look = (...times: Parameters<typeof way>) => resultsOf(machineOrder, way(...times), undefined).join(' ');
    assert.equal(look(at(0), at(0), at(1)), 'met met');
    assert.equal(look(at(5), at(0), at(0)), 'met met', 'clocks differ by seconds');
    assert.equal(look(at(30), at(0), at(31)), 'unmet met');
    assert.equal(look(at(0), at(30), at(1)), 'met unmet');
    assert.equal(look(at(0), undefined, at(1)), 'unclear unclear');
    assert.deepEqual(resultsOf(machineOrder, readWay('a', undefined, undefined), undefined), ['unclear', 'unclear']);
    assert.match(judged(machineOrder, way(at(0), at(30), at(1)), undefined)[1]?.demanded ?? '', /Node .* approved/);
  });

  it('is read as what it has reported', () => {
    const conditions = [
      { type: 'DiskPressure', reason: 'b' },
      { type: 'Ready', reason: 'a' },
    ];
    assert.equal(readyReason({ metadata: {}, status: { conditions } }), 'a');
    assert.equal(readyReason({ metadata: {}, status: { conditions: conditions.slice(0, 1) } }), '');
    assert.equal(readyReason(undefined), '');
    assert.deepEqual([phaseOf({ metadata: {}, status: { phase: 'Running' } }), phaseOf(undefined)], ['Running', '']);
  });
});

describe('a condition of a machine', () => {
  it('is that of its name', () => {
    const request = (type: string): CertificateSigningRequest =>
      ({
        metadata: { creationTimestamp: '1' },
        spec: { request: '', signerName: '' },
        status: {
          conditions: [
            { type: 'Failed', status: 'True', lastUpdateTime: '2' },
            { type, status: 'True', lastUpdateTime: '3' },
          ],
        },
      }) as CertificateSigningRequest;
    const approved = (type: string) => readWay('a', request(type), undefined).moments[1]?.at;
    assert.equal(approved('Approved'), '3');
    for (const type of twinsOf('Approved')) assert.equal(approved(type), '', type);
    const ready = (type: string) =>
      readyReason({
        metadata: {},
        status: {
          conditions: [
            { type, reason: 'x' },
            { type: 'Ready', reason: 'y' },
          ],
        },
      });
    for (const type of twinsOf('Ready')) assert.equal(ready(type), 'y', type);
    assert.equal(ready('Ready'), 'x');
    const answer = { status: 403, body: { message: 'no' } };
    for (const kind of twinsOf('deleted')) assert.notEqual(readEnded('a', { kind, answer }).answer, '', kind);
    for (const kind of twinsOf('issued'))
      assert.deepEqual(resultsOf(machineIssued, [readEnded('a', { kind })], { demanded: 'd' }), ['unmet'], kind);
  });
});
