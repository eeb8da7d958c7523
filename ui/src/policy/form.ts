// SPDX-License-Identifier: Apache-2.0
// A policy as text and as a form: two views of one text. The form changes only the fields it knows.
import { asNumber, ExactNumber, formatJson, parseExact } from '../api/json';

export type PolicyObject = Readonly<Record<string, unknown>>;

/** The value of the text, or what is wrong with it. */
export type Parsed = { readonly value: unknown; readonly error: null } | { readonly value: null; readonly error: string };

export function parsePolicy(text: string): Parsed {
  try {
    return { value: parseExact(text), error: null };
  } catch (error) {
    return { value: null, error: error instanceof Error ? error.message : 'This is not JSON.' };
  }
}

/** The form knows policies with a backoff or a preset; other forms of the API are edited as JSON. */
export function isFormPolicy(value: unknown): value is PolicyObject {
  return isObject(value) && ('backoff' in value || 'preset' in value);
}

export function isObject(value: unknown): value is PolicyObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** What a field holds: text for the input; '' if it is missing. */
export function fieldText(policy: PolicyObject, path: string): string {
  const value = valueAt(policy, path);
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function valueAt(policy: unknown, path: string): unknown {
  return path.split('.').reduce((value: unknown, name) => (isObject(value) ? value[name] : undefined), policy);
}

/** The text with one field changed; undefined removes it, and an object that becomes empty goes with it. */
export function withField(text: string, path: string, value: unknown): string {
  const { value: policy, error } = parsePolicy(text);
  return error === null && isObject(policy) ? formatJson(withValue(policy, path, value)) : text;
}

/** The same for an object. */
export function withValue(object: PolicyObject, path: string, value: unknown): PolicyObject {
  return set(object, path.split('.'), value);
}

function set(object: PolicyObject, [name = '', ...rest]: readonly string[], value: unknown): PolicyObject {
  const child = object[name];
  const next = rest.length === 0 ? value : set(isObject(child) ? child : {}, rest, value);
  const gone = next === undefined || (rest.length > 0 && isObject(next) && Object.keys(next).length === 0);
  if (!gone) return { ...object, [name]: next };
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

/** A number if the text is exactly one, so that "1." can become "1.5"; else the text, for the server to judge. */
export function numberOrText(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return String(Number(trimmed)) === trimmed ? Number(trimmed) : trimmed;
}

export function textOrNothing(text: string): string | undefined {
  return text === '' ? undefined : text;
}

// ---- backoff and jitter

export const BACKOFFS = ['immediate', 'fixed', 'linear', 'exponential', 'schedule', 'ladder'] as const;
export type Backoff = (typeof BACKOFFS)[number];

/** Another backoff, with the first delay of the old one where both have one. */
export function backoffOf(type: Backoff, old: unknown): PolicyObject {
  const first = [valueAt(old, 'initial'), valueAt(old, 'delay')].find((delay) => typeof delay === 'string') ?? '1s';
  switch (type) {
    case 'immediate': return { type };
    case 'fixed': return { type, delay: first };
    case 'linear': return { type, initial: first };
    case 'exponential': return { type, initial: first, multiplier: 2 };
    case 'schedule': return { type, delays: [first] };
    case 'ladder': return { type, steps: [{ count: 5, delay: '5m' }, { count: 0, delay: '1h' }] };
  }
}

export const JITTERS = ['none', 'full', 'equal', 'decorrelated', 'spread', 'add'] as const;
export type Jitter = (typeof JITTERS)[number];

/** '' if the policy names none: then the server's default holds. */
export function jitterType(policy: PolicyObject): Jitter | '' {
  const { jitter } = policy;
  const type = isObject(jitter) ? jitter.type : jitter;
  return JITTERS.find((name) => name === type) ?? '';
}

export function jitterOf(type: Jitter | '', old: unknown): unknown {
  if (type === '') return undefined;
  if (type !== 'spread' && type !== 'add') return type;
  const factor = asNumber(valueAt(old, 'factor'));
  return { type, factor: typeof factor === 'number' ? factor : 0.25 };
}

/** "25" for a factor of 0.25. */
export function percentText(stored: unknown): string {
  const factor = asNumber(stored);
  return typeof factor === 'number' ? String(Math.round(factor * 10_000) / 100) : typeof factor === 'string' ? factor : '';
}

export function factorOf(percent: string): number | string {
  const number = numberOrText(percent.replace('%', ''));
  return typeof number === 'number' ? Math.round(number * 100) / 10_000 : percent;
}

/** Errors of a request about this policy, by the path within the policy. */
export function errorsAt(errors: readonly { path: string; message: string }[], path: string): string[] {
  return errors.filter((error) => {
    const own = error.path.replace(/^policy\.?/, '');
    return own === path || own.startsWith(`${path}[`);
  }).map((error) => error.message);
}
