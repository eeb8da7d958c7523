// SPDX-License-Identifier: Apache-2.0
// The states of a task, in the order of its life, as the API names them.

export const STATES = [
  'Waiting', 'Pending', 'Claimed', 'Running', 'RetryPending', 'Paused', 'Parked', 'Success', 'Failure', 'Canceled',
] as const;

export type State = (typeof STATES)[number];

export function isState(text: string): text is State {
  return (STATES as readonly string[]).includes(text);
}

/** The state as people read it. */
export function stateWord(state: State): string {
  return state === 'RetryPending' ? 'Retry pending' : state;
}

/** States whose names begin with this text, ignoring case, spaces and underscores: "fail", "retry_p". */
export function statesLike(text: string): State[] {
  const start = text.toLowerCase().replace(/[\s_-]/g, '');
  if (start === '') return [];
  return STATES.filter((state) => state.toLowerCase().startsWith(start));
}

/** Whether a task in this state is done for good, unless somebody retries it. */
export function isEnded(state: State): boolean {
  return state === 'Success' || state === 'Failure' || state === 'Canceled';
}
