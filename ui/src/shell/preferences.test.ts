// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { readPreferences } from './preferences';

it.each([null, '', 'nonsense', 'null', '5', '{"singleKeys": 0, "density": "huge"}'])('reads %j as the defaults', (text) => {
  expect(readPreferences(text)).toEqual({ singleKeys: true, density: 'compact' });
});

it('reads what was chosen', () => {
  expect(readPreferences('{"singleKeys": false, "density": "comfortable"}')).toEqual({ singleKeys: false, density: 'comfortable' });
});
