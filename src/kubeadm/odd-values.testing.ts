/** Values that may stand in any field of a document, whoever reads it, and where they may. */
import { isRecord } from '../kubernetes/json.js';
import type { Shape } from './init/fields.js';

/** Values that may stand in any field. */
export const ODD: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    65_535,
    65_536,
    '',
    ' ',
    'a',
    'A_b',
    '-a',
    'a.b-c',
    'a b',
    '*.a',
    '/a',
    '/',
    'a/b',
    'A/b',
    'a:5000/b',
    'a:x',
  ],
  ...[
    '192.0.2.1',
    '192.0.2.1:80',
    '192.0.2.1:65536',
    '[::1]:0',
    '::1',
    '999.0.0.1',
    'https://a',
    'unix:///a',
    'tcp://a',
  ],
  ...[
    '10.0.0.0/28',
    '10.0.0.0/29',
    '10.0.0.0/12',
    '10.0.0.0/11',
    '10.0.0.0/24',
    '10.0.0.0/25',
    '10.0.0.0/33',
    'fd00::/108',
    'fd00::/107',
  ],
  ...[
    'fd00::/64',
    'fd00::/65',
    'fd00::/47',
    '10.0.0.0/16,10.1.0.0/16',
    '10.0.0.0/16,fd00::/112',
    '10.0.0.0/16,fd00::/112,10.1.0.0/16',
    '10.0.0.0/16,',
  ],
  ...[
    '1h',
    '1.5h',
    '1',
    '-1s',
    '1d',
    '1h1m1s1ms',
    'h',
    '01:00',
    'v1.36.0',
    'v1.35.0',
    '1.34.9',
    'v1.37.0',
    '1.36.x',
    '1.36.1-rc.1',
    'latest',
    'stable-1.36',
  ],
  ...[
    'Always',
    'IfNotPresent',
    'Sometimes',
    'RSA-2048',
    'RSA-3072',
    'RSA-4096',
    'ECDSA-P256',
    'ECDSA-P384',
    'RSA-1024',
    'ecdsa-p256',
  ],
  ...[
    'abcdef.0123456789abcdef',
    'abcdef.0123456789abcde',
    'ABCDEF.0123456789abcdef',
    'xabcdef.0123456789abcdefx',
    'signing',
    'system:bootstrappers:a',
    'system:bootstrappers:a-',
  ],
  ...[
    'xsystem:bootstrappers:a',
    'f'.repeat(64),
    'F'.repeat(64),
    'f'.repeat(63),
    'f'.repeat(62),
    'g'.repeat(64),
    'a'.repeat(253),
    'a'.repeat(254),
  ],
  ...[
    [],
    ['a'],
    ['a', 'a'],
    [5],
    [null],
    [{}],
    [[]],
    {},
    { a: 'b' },
    { a: true },
    { name: 'a', value: 'b' },
    [{ name: '', value: 'b' }],
    [{ value: 'b' }],
    { '': 'b' },
  ],
  ...[{ RootlessControlPlane: true }, { RootlessControlPlane: 'true' }, { Nothing: true }],
];
export type Place = readonly (string | number)[];
export const placesOf = (shape: Shape, at: Place = []): readonly Place[] =>
  typeof shape === 'string'
    ? [at]
    : Array.isArray(shape)
      ? [at, ...placesOf((shape as readonly [Shape])[0], [...at, 0])]
      : isRecord(shape)
        ? [
            ...(at.length === 0 ? [] : [at]),
            ...Object.entries(shape).flatMap(([name, one]) =>
              placesOf(one as Shape, [...at, name === '*' ? 'key' : name]),
            ),
          ]
        : [at];
export const withValue = ([first, ...rest]: Place, value: unknown): unknown =>
  first === undefined
    ? value
    : typeof first === 'number'
      ? [withValue(rest, value)]
      : { [first]: withValue(rest, value) };

/** Of long runs of a letter how long they are. */
export const shortened = (text: string): string => text.replaceAll(/(\w)\1{60,}/g, (run) => `${run[0]}×${run.length}`);
/** "0-3 7": which of those values. */
export const ranges = (indexes: readonly number[]): string =>
  indexes
    .filter((index) => !indexes.includes(index - 1))
    .map((first) => {
      let last = first;
      while (indexes.includes(last + 1)) last += 1;
      return first === last ? `${first}` : `${first}-${last}`;
    })
    .join(' ');
