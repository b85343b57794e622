import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Report } from '../model/report.js';
import { givenIn } from './given.js';

interface Put {
  readonly check?: string;
  readonly parameters?: unknown;
  readonly seen?: unknown;
}
const given = (...all: readonly Put[]): readonly string[] =>
  givenIn({
    rules: [
      {
        id: 'TOK-001',
        scenarios: [
          {
            id: 'TOK-001/each',
            judgements: all.map(({ check = 'login/taken', parameters = null }, at) => ({
              check,
              parameters,
              observation: `o${at}`,
            })),
          },
        ],
      },
    ],
    observations: Object.fromEntries(all.map(({ seen }, at) => [`o${at}`, seen ?? null])),
  } as unknown as Report)['TOK-001'] ?? [];

describe('what checks of a rule are given', () => {
  it('is the same in every run, whatever names, times and numbers it has', () => {
    const seen = (name: string, at: string, serial: string, port: number) => ({
      subject: `Secret kube-system/bootstrap-token-${name}`,
      created: at,
      serial,
      server: `https://192.0.2.10:${port}`,
      port,
      seconds: port / 7,
    });
    const one = given({
      seen: seen('abcdef', '2026-01-31T10:00:00Z', '1a', 45_803),
      parameters: { now: 1_800_000_000 },
    });
    assert.deepEqual(
      given({ seen: seen('07401b', '2027-02-01T11:30:00Z', '2b', 38_735), parameters: { now: 1_900_000_000 } }),
      one,
    );
    assert.match(one[0] ?? '', /^each login\/taken [0-9a-f]{8} [0-9a-f]{8}$/);
  });

  it('is another with another parameter, and where less is seen, or something else', () => {
    const put = { seen: [{ subject: 'one', mode: 384 }, { subject: 'two' }], parameters: { verbs: ['get', 'list'] } };
    const all = [
      put,
      { ...put, parameters: { verbs: ['get'] } },
      { ...put, parameters: {} },
      { ...put, parameters: { verbs: ['get', 'NodeRestriction'] } },
      { ...put, parameters: { verbs: ['get', 'CertificateApproval'] } },
      { ...put, parameters: { verbs: ['get', 'csidrivers'] } },
      { ...put, parameters: null },
      { ...put, seen: put.seen.slice(1) },
      { ...put, seen: [] },
      { ...put, seen: [{ subject: 'one', mode: 420 }, { subject: 'two' }] },
      { ...put, check: 'login/refused' },
    ].map((one) => given(one).join());
    assert.equal(new Set(all).size, all.length);
  });

  it('does not depend on how many there are of a sort', () => {
    const token = (id: string) => ({ key: `jws-kubeconfig-${id}` });
    assert.deepEqual(given({ seen: [token('abcdef')] }), given({ seen: [token('ghijkl'), token('mnopqr')] }));
  });

  it('leaves out what programs and controllers do by the clock', () => {
    const [one, other] = [1, 2].map((calls) =>
      given({ check: 'joining-client/joins', parameters: 'a', seen: { calls } }),
    );
    assert.deepEqual(one, other);
    assert.notDeepEqual(one, given({ check: 'joining-client/joins', parameters: 'b', seen: { calls: 1 } }));
  });
});
