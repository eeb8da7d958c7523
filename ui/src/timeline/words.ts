// SPDX-License-Identifier: Apache-2.0
// The segments of a timeline as sentences, for screen readers and narrow screens.
import { count, duration } from '../parts/when';
import type { Outcome, Run, Segment } from './spans';

const OUTCOMES: Readonly<Record<Outcome | 'running', string>> = {
  success: 'succeeded',
  failure: 'failed',
  lost: 'lost its worker',
  handed_back: 'was handed back',
  snoozed: 'was snoozed',
  canceled: 'was canceled',
  resolved: 'was resolved by hand',
  running: 'has been running',
};

export function segmentWords(segment: Segment): string {
  const length = duration(segment.to - segment.from);
  switch (segment.type) {
    case 'run':
      return runWords(segment, length);
    case 'wait':
      return `Waits ${length}.`;
    case 'fold':
      if (segment.earlier) return `${count(segment.attempts)} earlier ${segment.attempts === 1 ? 'attempt' : 'attempts'}.`;
      return `${segment.attempts} more attempts${segment.every === null ? '' : `, every ${duration(segment.every)}`}.`;
    case 'planned':
      return `Attempt ${segment.attempt} is ${segment.to > segment.from ? `planned, give or take ${duration((segment.to - segment.from) / 2)}` : 'planned'}.`;
  }
}

function runWords(run: Run, length: string): string {
  const time = run.outcome === 'running' ? `for ${length}` : `after ${length}`;
  const label = run.label === '' ? '' : ` (${run.label})`;
  const marks = run.marks.length === 0 ? '' : ` Interrupted ${run.marks.length === 1 ? 'once' : `${run.marks.length} times`}.`;
  return `Attempt ${run.attempt} ${OUTCOMES[run.outcome]} ${time}${label}.${marks}`;
}
