// SPDX-License-Identifier: Apache-2.0
// Durations as the API writes them ("90s", "5m", "PT1H30M") and as people enter them (5 min).

export const UNITS = ['s', 'min', 'h', 'd'] as const;
export type Unit = (typeof UNITS)[number];

const UNIT_MS: Readonly<Record<Unit, number>> = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
const API_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const API_UNIT: Readonly<Record<Unit, string>> = { s: 's', min: 'm', h: 'h', d: 'd' };
const ISO = /^P(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/i;

/** Milliseconds; null if it is not a duration. */
export function parseDuration(text: unknown): number | null {
  if (typeof text !== 'string') return null;
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)$/.exec(text.trim()) ?? [];
  if (amount !== undefined) return Number(amount) * (API_MS[unit] ?? NaN);
  const iso = ISO.exec(text.trim());
  const parts = iso?.slice(1) ?? [];
  if (!iso || parts.every((part) => part === undefined)) return null;
  const [days = '0', hours = '0', minutes = '0', seconds = '0'] = parts;
  return Number(days) * API_MS.d! + Number(hours) * API_MS.h! + Number(minutes) * API_MS.m! + Number(seconds) * API_MS.s!;
}

/** In the largest unit that divides it: 90 min stays 90 min, 60 min is 1 h. Fractions are in seconds. */
export function inUnit(ms: number): { amount: string; unit: Unit } {
  const unit = UNITS.findLast((one) => ms > 0 && ms % UNIT_MS[one] === 0) ?? 's';
  return { amount: String(ms / UNIT_MS[unit]), unit };
}

/** Milliseconds of an amount that somebody typed; null if it is not a number. */
export function msOf(amount: string, unit: Unit): number | null {
  const text = amount.trim().replace(',', '.');
  return /^\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * UNIT_MS[unit]) : null;
}

/** As the API writes it: "5m", "90s", "250ms". */
export function durationText(ms: number): string {
  if (ms % 1_000 !== 0) return `${ms}ms`;
  const { amount, unit } = inUnit(ms);
  return `${amount}${API_UNIT[unit]}`;
}
