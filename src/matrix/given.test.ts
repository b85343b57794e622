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

  const T = 'at 2026-01-31T10:00:00Z.';
  const PEM = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`;
  /** [one, other]: of what is seen, and of parameters. */
  const alike: readonly (readonly [unknown, unknown])[] = [
    [T, 'at 2027-02-01T11:30:00.123+01:00.'],
    [T, 'at 2027-02-01 11:30:00 +0000 UTC.'],
    [T, 'at 2027-02-01T11-30-00Z.'],
    ['ResourceVersion in the precondition (12)', 'ResourceVersion in the precondition (345)'],
    ['ResourceVersion in record (12)', 'ResourceVersion in record (345)'],
    [PEM('ab'), PEM('cd')],
    ['x'.repeat(40), 'y'.repeat(44)],
    ['the abcdef.0123456789abcdef', 'the ghijkl.[redacted]'],
    ['the abcdef.0123456789abcdef', 'the …'],
    [T, 'at ….'],
    ['of 12345', 'of …'],
    ['x'.repeat(40), '…'],
    ['a1'.repeat(8), 'b2'.repeat(9)],
    ['of 12345', 'of 987654'],
    [32_768, 1_800_000_000],
    [-32_768, -1_800_000_000],
    [0.5, 1.25],
    [{ uid: 'a' }, { uid: 'b' }],
    [{ resourceVersion: 1 }, { resourceVersion: 2 }],
    [{ serial: 1 }, { serial: 2 }],
    [{ digest: 1 }, { digest: 2 }],
    [{ given: 1 }, { given: 2 }],
    [
      ['a', 'a', 'b'],
      ['a', 'b'],
    ],
  ];
  const different: readonly (readonly [unknown, unknown])[] = [
    ['on 2026-01-31', 'on 2027-02-01'],
    ['ResourceVersion (12)', 'ResourceVersion (345)'],
    [PEM('ab'), PEM('ab').replaceAll('CERTIFICATE', 'PRIVATE KEY')],
    ['x'.repeat(39), 'y'.repeat(39)],
    ['a1'.repeat(7), 'b2'.repeat(7)],
    ['kubernetesversions', 'kubernetesreleases'],
    ['of 1234', 'of 4321'],
    [32_767, 32_766],
    [-32_767, 32_767],
    [1, '1'],
    [true, false],
    [null, {}],
    [{ name: 'a' }, { name: 'b' }],
    [{ aa: 1 }, { bb: 1 }],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
  ];
  for (const [one, other] of alike)
    it(`takes ${JSON.stringify(one)} for ${JSON.stringify(other)}`, () => {
      assert.deepEqual(given({ seen: one }), given({ seen: other }));
      assert.deepEqual(given({ parameters: { one } }), given({ parameters: { one: other } }));
    });
  for (const [one, other] of different)
    it(`tells ${JSON.stringify(one)} from ${JSON.stringify(other)}`, () => {
      assert.notDeepEqual(given({ seen: one }), given({ seen: other }));
      assert.notDeepEqual(given({ parameters: { one } }), given({ parameters: { one: other } }));
    });

  for (const length of [6, 10, 12, 16])
    it(`takes words of ${length} letters and digits for each other where they are seen alone`, () => {
      const [one, other] = ['k', 'w'].map((letter) => letter.repeat(length));
      assert.deepEqual(given({ seen: one }), given({ seen: other }));
      assert.notDeepEqual(given({ parameters: { one } }), given({ parameters: { one: other } }));
      assert.notDeepEqual(given({ seen: `${one}k` }), given({ seen: `${other}w` }));
    });

  for (const [check, isTimed] of [
    ['joining-client/joins', true],
    ['joining-discovery/believes', true],
    ['joined-files/files', true],
    ['preflight/errors', true],
    ['uploaded/whole', true],
    ['jws/signed', true],
    ['renewals/renewed', true],
    ['request-access/may', true],
    ['request-progress/signed', true],
    ['access/came-through', true],
    ['access/came-through-later', false],
    ['access/allowed', false],
    ['init-makes/follows', true],
    ['init-makes/follows-it', false],
    ['init-makes/makes', false],
    ['client-requests/asked', true],
    ['request/progress', false],
    ['of-joining-client/joins', false],
    ['login/taken', false],
  ] as const)
    it(`${isTimed ? 'leaves out' : 'has'} what ${check} is given`, () => {
      const [one, other] = [1, 2].map((seen) => given({ check, seen }));
      assert[isTimed ? 'deepEqual' : 'notDeepEqual'](one, other);
    });

  it('is told once for each scenario and check, and not of what has none', () => {
    const put = { seen: 1 };
    assert.equal(given(put, put, { seen: 2 }).length, 2);
    const bare = {
      rules: [{ id: 'A-01', scenarios: [{ id: 'A/b', judgements: [{ check: null }] }] }],
      observations: {},
    };
    assert.deepEqual(givenIn(bare as unknown as Report), { 'A-01': [] });
    const unseen = {
      ...bare,
      rules: [
        { id: 'A-01', scenarios: [{ id: 'A/b', judgements: [{ check: 'c', parameters: null, observation: null }] }] },
      ],
    };
    assert.deepEqual(givenIn(unseen as unknown as Report), { 'A-01': ['b c - -'] });
    const lost = JSON.parse(JSON.stringify(unseen).replace('"observation":null', '"observation":"o1"'));
    assert.match((givenIn(lost as Report)['A-01'] ?? []).join(), /^b c - [0-9a-f]{8}$/);
  });
});
