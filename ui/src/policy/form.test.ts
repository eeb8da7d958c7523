// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import {
  backoffOf, errorsAt, factorOf, fieldText, isFormPolicy, jitterOf, jitterType, numberOrText, parsePolicy, percentText, withField,
} from './form';

const TEXT = '{"max_retries": 5, "backoff": {"type": "exponential", "initial": "1s"}, "note": 12900000000000000001}';
const read = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe('text and form', () => {
  it('are two views of one text', () => {
    const policy = parsePolicy(TEXT).value as Record<string, unknown>;
    expect(fieldText(policy, 'max_retries')).toBe('5');
    expect(fieldText(policy, 'backoff.initial')).toBe('1s');
    expect(fieldText(policy, 'backoff.multiplier')).toBe('');
    expect(fieldText(policy, 'note')).toBe('12900000000000000001');
  });

  it('change one field and keep the rest, also what the form does not know', () => {
    const changed = withField(TEXT, 'backoff.initial', '2s');
    expect(changed).toContain('"note": 12900000000000000001');
    expect(read(changed)).toMatchObject({ max_retries: 5, backoff: { type: 'exponential', initial: '2s' } });
  });

  it('remove a field, and an object that becomes empty', () => {
    expect(read(withField(TEXT, 'max_retries', undefined))).not.toHaveProperty('max_retries');
    expect(read(withField('{"retry_after": {"cap": "1m"}}', 'retry_after.cap', undefined))).toEqual({});
  });

  it('make objects on the way', () => {
    expect(read(withField('{}', 'retry_after.cap', '1m'))).toEqual({ retry_after: { cap: '1m' } });
  });

  it('leave text alone that cannot be read', () => {
    expect(withField('{"a":', 'a', 1)).toBe('{"a":');
    expect(withField('[]', 'a', 1)).toBe('[]');
    expect(parsePolicy('{"a":').error).toBeTruthy();
  });

  it('know which policies fit the form', () => {
    expect([{ backoff: {} }, { preset: 'http' }].map(isFormPolicy)).toEqual([true, true]);
    expect([[], null, 'x', { max_retries: 4, initial_delay_secs: 5 }].map(isFormPolicy)).toEqual([false, false, false, false]);
  });
});

it.each([['5', 5], ['1.5', 1.5], ['1.', '1.'], ['1.0', '1.0'], ['five', 'five'], ['', undefined], [' ', undefined]])('reads %j as %j', (text, value) => {
  expect(numberOrText(text)).toBe(value);
});

describe('backoff', () => {
  it('keeps the first delay', () => {
    expect(backoffOf('fixed', { type: 'exponential', initial: '3s' })).toEqual({ type: 'fixed', delay: '3s' });
    expect(backoffOf('exponential', { type: 'fixed', delay: '3s' })).toEqual({ type: 'exponential', initial: '3s', multiplier: 2 });
    expect(backoffOf('schedule', undefined)).toEqual({ type: 'schedule', delays: ['1s'] });
  });
});

describe('jitter', () => {
  it('is read in both forms', () => {
    expect(jitterType({ jitter: 'full' })).toBe('full');
    expect(jitterType({ jitter: { type: 'spread', factor: 0.1 } })).toBe('spread');
    expect(jitterType({})).toBe('');
  });

  it('keeps its factor', () => {
    expect(jitterOf('add', { type: 'spread', factor: 0.1 })).toEqual({ type: 'add', factor: 0.1 });
    expect(jitterOf('spread', 'none')).toEqual({ type: 'spread', factor: 0.25 });
    expect(jitterOf('full', { type: 'spread', factor: 0.1 })).toBe('full');
    expect(jitterOf('', 'none')).toBeUndefined();
  });

  it('is shown as a percentage', () => {
    expect(percentText(0.07)).toBe('7');
    expect(factorOf('7')).toBe(0.07);
    expect(factorOf('12.5 %')).toBe(0.125);
    expect(factorOf('x')).toBe('x');
  });
});

it('finds the errors of a field', () => {
  const errors = [{ path: 'policy.backoff.type', message: 'a' }, { path: 'policy.retry_on[1]', message: 'b' }, { path: 'policy', message: 'c' }];
  expect(errorsAt(errors, 'backoff.type')).toEqual(['a']);
  expect(errorsAt(errors, 'retry_on')).toEqual(['b']);
  expect(errorsAt(errors, 'backoff')).toEqual([]);
  expect(errorsAt(errors, '')).toEqual(['c']);
});
