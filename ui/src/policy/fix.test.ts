// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { fixOf, withFix } from './fix';

const warning = (fix: string, path = 'jitter') => ({ id: 'x', path, message: '', fix });
const SPREAD = 'set "jitter": {"type": "spread", "factor": 0.25}, which also draws below max_delay, or a longer max_delay';
const NONE = { warnings: [] };

it('reads the field and the value out of the words', () => {
  expect(fixOf(warning(SPREAD))).toEqual({
    words: '"jitter": {"type": "spread", "factor": 0.25}', field: 'jitter', value: { type: 'spread', factor: 0.25 },
  });
  expect(fixOf(warning('retry in one layer only, or set "max_retries": 5, and give the clients a retry budget'))?.value).toBe(5);
  expect(fixOf(warning('set an expiry such as "expires_after": "14d", or a number of retries'))?.value).toBe('14d');
});

it('takes advice for advice', () => {
  expect(fixOf(warning('set a later expires_at'))).toBeNull();
  expect(fixOf(warning('set "jitter": something'))).toBeNull();
});

it('changes the policy', () => {
  expect(JSON.parse(withFix('{"backoff": {}, "jitter": "none"}', warning(SPREAD), NONE) ?? ''))
    .toEqual({ backoff: {}, jitter: { type: 'spread', factor: 0.25 } });
});

it('changes the override that the warning is about', () => {
  const text = '{"preset": "http", "overrides": [{"on": ["429"]}, {"on": ["503"], "jitter": "none"}]}';
  expect(JSON.parse(withFix(text, warning(SPREAD, 'overrides[1].jitter'), NONE) ?? '').overrides)
    .toEqual([{ on: ['429'] }, { on: ['503'], jitter: { type: 'spread', factor: 0.25 } }]);
  expect(withFix(text, warning(SPREAD, 'overrides[7].jitter'), NONE)).toBeNull();
});

it('makes a policy in another form canonical first', () => {
  const canonical = { max_retries: null, backoff: { type: 'ladder' as const, steps: [] }, jitter: 'none' as const };
  expect(JSON.parse(withFix('[{"count": 0, "delay_minutes": 1}]', warning(SPREAD), { warnings: [], canonical }) ?? ''))
    .toEqual({ ...canonical, jitter: { type: 'spread', factor: 0.25 } });
  expect(withFix('[{"count": 0, "delay_minutes": 1}]', warning(SPREAD), NONE)).toBeNull();
});
