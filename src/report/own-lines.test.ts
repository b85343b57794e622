import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WaiverSeen } from '../model/waiver.js';
import { ownLines } from './own-lines.js';
import { report } from './testing-report.js';

const waiver = (rule: string, state: WaiverSeen['state'], findings = 0): WaiverSeen => ({
  ...{ rule, subject: 'Secret a', owner: 'anna', reason: 'a toy', expires: '2026-01-31' },
  ...{ state, findings },
});
const said = (...waivers: readonly WaiverSeen[]): readonly string[] => ownLines({ ...report, waivers });
const idOf = (verdict: string): string => report.rules.find((rule) => rule.verdict === verdict)?.id ?? '';

describe('a waiver', () => {
  it('is told where it has expired, whatever it covers', () => {
    assert.deepEqual(said(waiver('TOY-*', 'expired', 2)), [
      'waiver  TOY-* for "Secret a" (anna) expired with 2026-01-31: it waives no longer what it covers (2)',
    ]);
    assert.equal(said(waiver('NONE', 'expired')).length, 1);
  });

  it('that is of no use is told where its rule was judged', () => {
    for (const verdict of ['passed', 'failed', 'error', 'waived', 'advised'])
      assert.deepEqual(said(waiver(idOf(verdict), 'unused')), [
        `waiver  ${idOf(verdict)} for "Secret a" (anna) covers nothing that was found: take it out`,
      ]);
    assert.deepEqual(said(waiver(idOf('skipped'), 'unused'), waiver('NONE', 'unused'), waiver('TOY-*', 'used', 1)), []);
  });
});
