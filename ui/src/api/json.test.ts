// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { ExactNumber, formatJson, parseExact } from './json';

function roundTrip(text: string): string {
  return formatJson(parseExact(text)).replace(/\s+/g, '');
}

it('keeps numbers that JavaScript cannot hold', () => {
  expect(parseExact('{"amount":12900000000000000001}')).toEqual({ amount: new ExactNumber('12900000000000000001') });
  expect(roundTrip('[12900000000000000001,0.12345678901234567890123,-9007199254740993]'))
    .toBe('[12900000000000000001,0.12345678901234567890123,-9007199254740993]');
});

it('leaves ordinary numbers as numbers', () => {
  expect(parseExact('[0,-1,1.5,0.001,9007199254740991]')).toEqual([0, -1, 1.5, 0.001, 9007199254740991]);
});

it.each(['1e400', '-1e400', '1.50', '1.0', '1e3', '1E-7', '-0', '0.0', '5e-324', '1e-400', '12900000000000000001.50'])('keeps %s as it was sent', (number) => {
  expect(roundTrip(`[${number},{"a":${number}}]`)).toBe(`[${number},{"a":${number}}]`);
});

it('leaves digits in text alone', () => {
  const text = '{"12900000000000000001":"12900000000000000001 \\" 5"}';
  expect(parseExact(text)).toEqual({ '12900000000000000001': '12900000000000000001 " 5' });
});

it('formats JSON with two spaces', () => {
  expect(formatJson({ a: [1, null, 'x'], b: {}, c: [] }))
    .toBe('{\n  "a": [\n    1,\n    null,\n    "x"\n  ],\n  "b": {},\n  "c": []\n}');
});
