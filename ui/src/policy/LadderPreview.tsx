// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { count, duration } from '../parts/when';
import { useWidth } from '../parts/useWidth';
import { policyHash } from './fragment';
import { readSteps, ticksOf, toPolicy } from './ladder';
import type { LadderDraft } from './ladder';
import css from './LadderEditor.module.css';
import { ladderSentence, retriesWithin } from './sentence';
import type { Step } from './sentence';

const HOUR = 3_600_000;
const HEIGHT = 16;

/** What the ladder does: its sentence, how much that is, and a bar with a tick for each retry. */
export function LadderPreview({ draft, on }: { readonly draft: LadderDraft; readonly on: boolean }) {
  const steps = readSteps(draft.steps);
  const policy = toPolicy(draft);
  if (on && !steps) return <p className={css.hint}>The sentence appears once every step is valid.</p>;
  return (
    <div className={css.preview}>
      <p>{ladderSentence(on ? steps : null, draft.only.length > 0 ? draft.only.join(' or ') : undefined)}{on && steps && loadWords(steps)}</p>
      {on && steps && <Ticks steps={steps} />}
      {on && policy && (
        <p><Link to="/playground" hash={policyHash(JSON.stringify(policy, null, 2))}>Open in the playground</Link></p>
      )}
    </div>
  );
}

function loadWords(steps: readonly Step[]): string {
  const hour = retriesWithin(steps, HOUR);
  const day = retriesWithin(steps, 24 * HOUR);
  if (!Number.isFinite(day) || day < 2) return '';
  const first = hour === 0 ? 'no retry' : hour === 1 ? '1 retry' : `${count(hour)} retries`;
  return ` The first hour brings ${first}, the first day ${count(day)}.`;
}

function Ticks({ steps }: { readonly steps: readonly Step[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 480) - 8;
  const { at, goesOn } = ticksOf(steps);
  const end = at.at(-1) ?? 0;
  if (end === 0) return null;
  return (
    <div ref={frame} className={css.ticks}>
      <svg width={width + 8} height={HEIGHT} role="img" aria-label={`${at.length} retries within ${duration(end)}${goesOn ? ', and so on' : ''}`}>
        <line className={css.base} x1={0} x2={width + 8} y1={HEIGHT - 1} y2={HEIGHT - 1} />
        {at.map((ms, i) => <line key={i} className={css.tick} x1={4 + (ms / end) * width} x2={4 + (ms / end) * width} y1={2} y2={HEIGHT - 1} />)}
      </svg>
      <p className={css.ends} aria-hidden="true"><span>failure</span><span>{duration(end)}{goesOn ? ' …' : ''}</span></p>
    </div>
  );
}
