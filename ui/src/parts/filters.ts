// SPDX-License-Identifier: Apache-2.0
// Filters of the task list: as chips, as URL parameters and as text of the search box.
import { isState, statesLike, stateWord } from './states';
import type { State } from './states';

/** Fields with one text value. The names are those of the API's query parameters. */
export const TEXT_FIELDS = [
  'kind', 'name', 'error', 'failure_kind', 'failure_code', 'give_up_reason', 'batch_id', 'schedule_id', 'worker', 'parked', 'attempt_min',
  'created_after', 'created_before', 'ended_after', 'ended_before', 'due_after', 'due_before',
] as const;

export type TextField = (typeof TEXT_FIELDS)[number];

type Scalar = string | number | boolean;

export interface Filters {
  readonly status: readonly State[];
  readonly fields: Readonly<Partial<Record<TextField, string>>>;
  readonly metadata: Readonly<Record<string, Scalar>>;
  /** Text to search for. */
  readonly q: string;
}

export const NO_FILTERS: Filters = { status: [], fields: {}, metadata: {}, q: '' };

export interface Chip {
  readonly key: string;
  readonly label: string;
  readonly value: string;
  /** The filters without this chip. */
  readonly without: Filters;
}

export const LABELS: Readonly<Record<TextField, string>> = {
  kind: 'kind',
  name: 'name',
  error: 'error',
  failure_kind: 'failure',
  failure_code: 'code',
  give_up_reason: 'gave up',
  batch_id: 'batch',
  schedule_id: 'schedule',
  worker: 'worker',
  parked: 'parked',
  attempt_min: 'attempt from',
  created_after: 'created after',
  created_before: 'created before',
  ended_after: 'ended after',
  ended_before: 'ended before',
  due_after: 'due after',
  due_before: 'due before',
};

const TIMES: ReadonlySet<TextField> = new Set<TextField>([
  'created_after', 'created_before', 'ended_after', 'ended_before', 'due_after', 'due_before',
]);

export function isTime(field: TextField): boolean {
  return TIMES.has(field);
}

/** As people read it: attempts are counted from 1. */
function shownValue(field: TextField, value: string): string {
  return field === 'attempt_min' && /^\d+$/.test(value) ? String(Number(value) + 1) : value;
}

/** Words that people type instead of a parameter's name. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['state', 'status'], ['failure', 'failure_kind'], ['reason', 'give_up_reason'], ['batch', 'batch_id'],
  ['after', 'created_after'], ['before', 'created_before'], ['code', 'failure_code'], ['schedule', 'schedule_id'],
]);

const META = 'meta.';

function isTextField(name: string): name is TextField {
  return (TEXT_FIELDS as readonly string[]).includes(name);
}

// ---- chips

export function chipsOf(filters: Filters): Chip[] {
  return [
    ...filters.status.map((state) => ({
      key: `status ${state}`, label: 'state', value: stateWord(state),
      without: { ...filters, status: filters.status.filter((other) => other !== state) },
    })),
    ...TEXT_FIELDS.flatMap((field) => {
      const value = filters.fields[field];
      return value === undefined ? [] : [{
        key: field, label: LABELS[field], value: shownValue(field, value), without: { ...filters, fields: omit(filters.fields, field) },
      }];
    }),
    ...Object.entries(filters.metadata).map(([name, value]) => ({
      key: META + name, label: name, value: String(value),
      without: { ...filters, metadata: omit(filters.metadata, name) },
    })),
    ...(filters.q === '' ? [] : [{ key: 'q', label: 'text', value: filters.q, without: { ...filters, q: '' } }]),
  ];
}

function omit<T extends object, K extends keyof T>(object: T, key: K): Omit<T, K> {
  const { [key]: _, ...rest } = object;
  return rest;
}

export function isEmpty(filters: Filters): boolean {
  return chipsOf(filters).length === 0;
}

// ---- URL parameters

export type FilterParams = Partial<Record<TextField | 'status' | 'metadata' | 'q', string>>;

/** As query parameters, of the page and of the API alike. */
export function toParams(filters: Filters): FilterParams {
  const params: FilterParams = {};
  if (filters.status.length > 0) params.status = filters.status.join(',');
  for (const field of TEXT_FIELDS) {
    const value = filters.fields[field];
    if (value !== undefined) params[field] = value;
  }
  if (Object.keys(filters.metadata).length > 0) params.metadata = JSON.stringify(filters.metadata);
  if (filters.q !== '') params.q = filters.q;
  return params;
}

/** Reads query parameters that anybody may have typed: what cannot be understood is left out. */
export function fromParams(params: Readonly<Record<string, unknown>>): Filters {
  const text = (name: string) => (typeof params[name] === 'string' ? params[name].trim() : '');
  const fields: Partial<Record<TextField, string>> = {};
  for (const field of TEXT_FIELDS) if (text(field) !== '') fields[field] = text(field);
  const status = new Set(text('status').split(',').flatMap(oneState));
  return { status: [...status], fields, metadata: scalars(text('metadata')), q: text('q') };
}

function oneState(name: string): State[] {
  const trimmed = name.trim();
  if (isState(trimmed)) return [trimmed];
  return statesLike(trimmed).filter((state) => state.toLowerCase() === trimmed.toLowerCase().replace(/[\s_-]/g, ''));
}

function scalars(json: string): Record<string, Scalar> {
  try {
    const value: unknown = JSON.parse(json || '{}');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(Object.entries(value).filter(([, field]) => isScalar(field)));
  } catch {
    return {};
  }
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

// ---- text of the search box

const WORD = /(?:([\w.-]+):)?(?:"((?:[^"\\]|\\.)*)"|(\S+))/g;

/** Reads `kind:charge status:fail 503`. Words that name no field are searched for as text. */
export function fromText(text: string): Filters {
  const status = new Set<State>();
  const fields: Partial<Record<TextField, string>> = {};
  const metadata: Record<string, Scalar> = {};
  const words: string[] = [];
  for (const [whole, name = '', quoted, plain = ''] of text.matchAll(WORD)) {
    const value = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1');
    const lower = name.toLowerCase();
    const field = ALIASES.get(lower) ?? lower;
    const states = field === 'status' ? value.split(',').flatMap(statesLike) : [];
    if (states.length > 0) states.forEach((state) => status.add(state));
    else if (isTextField(field)) fields[field] = value;
    else if (lower.startsWith(META) && name.length > META.length) {
      metadata[name.slice(META.length)] = scalarOf(value, quoted !== undefined);
    } else words.push(name === '' ? value : whole);
  }
  return { status: [...status], fields, metadata, q: words.join(' ') };
}

export function scalarOf(text: string, quoted: boolean): Scalar {
  if (quoted) return text;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The text that `fromText` reads as these filters. */
export function toText(filters: Filters): string {
  return [
    ...(filters.status.length > 0 ? [`status:${filters.status.join(',')}`] : []),
    ...TEXT_FIELDS.flatMap((field) => {
      const value = filters.fields[field];
      return value === undefined ? [] : [`${field}:${quoted(value)}`];
    }),
    ...Object.entries(filters.metadata).map(([name, value]) => `${META}${name}:${metaText(value)}`),
    ...(filters.q === '' ? [] : [freeText(filters.q)]),
  ].join(' ');
}

/** Text that would read as something else, such as "kind:x", is quoted. */
function freeText(q: string): string {
  return toParamsText(fromText(q)) === toParamsText({ ...NO_FILTERS, q }) ? q : `"${q.replace(/["\\]/g, '\\$&')}"`;
}

function toParamsText(filters: Filters): string {
  return JSON.stringify(toParams(filters));
}

function metaText(value: Scalar): string {
  return typeof value === 'string' && scalarOf(value, false) !== value ? `"${value}"` : quoted(String(value));
}

function quoted(text: string): string {
  return /^[^\s"]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}
