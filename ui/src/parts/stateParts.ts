// SPDX-License-Identifier: Apache-2.0
// How many of many tasks are in each state.
import type { State } from './states';
import { count } from './when';

/** From the left of a bar: what is done, what runs, what is to come. */
const ORDER: readonly State[] = [
  'Success', 'Failure', 'Canceled', 'Running', 'Claimed', 'RetryPending', 'Paused', 'Parked', 'Pending', 'Waiting',
];

/** Names as they stand after a number: "12 retry pending". */
const WORDS: Readonly<Partial<Record<State, string>>> = {
  Success: 'succeeded', Failure: 'failed', RetryPending: 'retry pending',
};

export interface StatePart {
  readonly state: State;
  readonly count: number;
}

/** The states that occur, in the order of the bar. */
export function stateParts(counts: ReadonlyMap<State, number>): StatePart[] {
  return ORDER.map((state) => ({ state, count: counts.get(state) ?? 0 })).filter((part) => part.count > 0);
}

/** "12 retry pending". */
export function partWords({ state, count: number }: StatePart): string {
  return `${count(number)} ${WORDS[state] ?? state.toLowerCase()}`;
}
