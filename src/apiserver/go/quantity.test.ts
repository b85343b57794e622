/** Quantities as Go reads and writes them. Source: apimachinery, pkg/api/resource/quantity.go; rows of quantity_test.go. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { canonicalQuantity, canonicalResource, parseQuantity, quantityFault } from './quantity.js';

const BILLION = 10n ** 9n;

it('are read with every suffix, to the billionth, rounded away from zero', () => {
  for (const [text, nano, format] of [
    ...[['0', 0n, 'DecimalSI'] as const, ['0Ki', 0n, 'BinarySI'] as const, ['1', BILLION, 'DecimalSI'] as const],
    ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map(
      (suffix, at) => [`3${suffix}`, 3n * 1024n ** BigInt(at + 1) * BILLION, 'BinarySI'] as const,
    ),
    ...['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map(
      (suffix, at) => [`7${suffix}`, 7n * 1000n ** BigInt(at), 'DecimalSI'] as const,
    ),
    ...[['1e3', 1000n * BILLION, 'DecimalExponent'] as const, ['1E-3', 10n ** 6n, 'DecimalExponent'] as const],
    ...[['-.5', -BILLION / 2n, 'DecimalSI'] as const, ['+2.', 2n * BILLION, 'DecimalSI'] as const],
    ...[['.', 0n, 'DecimalSI'] as const, ['1.1n', 2n, 'DecimalSI'] as const, ['-1.1n', -2n, 'DecimalSI'] as const],
    ...[['1.0n', 1n, 'DecimalSI'] as const, ['.0000000001', 1n, 'DecimalSI'] as const],
  ])
    assert.deepEqual(parseQuantity(text), { nano, format }, text);
  for (const text of [
    '',
    '-',
    '+',
    'm',
    '1 ',
    ' 1',
    '1K',
    '1ki',
    '1e',
    '1e3m',
    '1.2.3',
    '--1',
    '1Mi1',
    '0x1',
    '1e61',
    'a1',
  ])
    assert.equal(parseQuantity(text), undefined, text);
  assert.notEqual(parseQuantity('1e60'), undefined);
});

it('are written without fractions, with the largest suffix that loses nothing', () => {
  for (const [text, canonical] of [
    ...['1Gi', '300Mi', '6Ki', '1001Gi', '1Ti', '5', '500m', '1G', '1m', '80m', '1080m', '300M', '1T', '1234567M'],
    ...[
      '1234567m',
      '1e0',
      '3k',
      '1025',
      '0',
      '1e9',
      '1e-3',
      '1e-9',
      '80e-3',
      '300e6',
      '1e12',
      '3e3',
      '1n',
      '1080n',
      '80u',
    ],
  ].map((text) => [text, text]))
    assert.equal(canonicalQuantity(text ?? ''), canonical);
  for (const [text, canonical] of [
    ...[
      ['1024Mi', '1Gi'],
      ['307200Ki', '300Mi'],
      ['1025024Mi', '1001Gi'],
      ['1024Gi', '1Ti'],
      ['1.0Ki', '1Ki'],
      ['1.0001Ki', '1024102400u'],
      ['1000k', '1M'],
      ['1000G', '1T'],
      ['1000T', '1P'],
      ['1000P', '1E'],
      ['5000m', '5'],
    ],
    ...[
      ['0.5', '500m'],
      ['1000M', '1G'],
      ['0.001T', '1G'],
      ['1000u', '1m'],
      ['1.08', '1080m'],
      ['1080000000n', '1080m'],
    ],
    ...[
      ['.001e12', '1e9'],
      ['0.001e0', '1e-3'],
      ['1000e-12', '1e-9'],
      ['00', '0'],
      ['0Gi', '0'],
    ],
    ...[
      ['.001Ki', '1024m'],
      ['.000001Ki', '1024u'],
      ['.000000001Ki', '1024n'],
      ['.000000000001Ki', '2n'],
    ],
    ...[
      ['1000', '1k'],
      ['8Ki', '8Ki'],
      ['1.5Gi', '1536Mi'],
    ],
  ])
    for (const sign of ['', '-'])
      assert.equal(canonicalQuantity(sign + text), canonical === '0' ? '0' : sign + canonical, sign + text);
  assert.deepEqual(
    [canonicalQuantity(2), canonicalQuantity(0.5), canonicalQuantity('x'), canonicalQuantity(' 1 ')],
    ['2', '500m', 'x', '1'],
  );
});

it('are thousandths in lists of resources, rounded up', () => {
  for (const [text, canonical] of [
    ...[
      ['1', '1'],
      ['1m', '1m'],
      ['1u', '1m'],
      ['1001u', '2m'],
      ['-1u', '-1m'],
      ['-1001u', '-2m'],
      ['999999u', '1'],
    ],
    ...[
      ['1Gi', '1Gi'],
      ['1e-4', '1e-3'],
      ['x', 'x'],
      [' 1u ', '1m'],
    ],
  ] as const)
    assert.equal(canonicalResource(text), canonical, text);
});

it('are refused for their suffix, or for all else', () => {
  const form = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  for (const good of ['1', 1, '1Gi', '-1.5m', ' 1 ']) assert.equal(quantityFault(good), undefined, String(good));
  for (const bad of ['', 'x', '1 Gi', '1.2.3', true, null, {}]) assert.equal(quantityFault(bad), form, String(bad));
  for (const odd of ['1K', '1mm', '1MG', '1.5iK', '1ki', '-2e', '+3Kk'])
    assert.equal(quantityFault(odd), "unable to parse quantity's suffix", odd);
});
