// SPDX-License-Identifier: Apache-2.0
import { GripVertical, Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import buttons from '../parts/Button.module.css';
import fields from '../parts/Field.module.css';
import { Select } from '../parts/Select';
import { UNITS } from './duration';
import type { Unit } from './duration';
import { addStep, errorsOf, moveStep, MOST_STEPS, shownCount } from './ladder';
import type { StepDraft, StepError } from './ladder';
import css from './LadderEditor.module.css';

const UNIT_OPTIONS = UNITS.map((unit) => ({ value: unit, word: unit }));

interface Props {
  readonly steps: readonly StepDraft[];
  readonly disabled?: boolean;
  readonly onChange: (steps: readonly StepDraft[]) => void;
}

/** The steps of a ladder: edited in place, dragged by a handle, or moved with Alt and an arrow. */
export function LadderSteps({ steps, disabled = false, onChange }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const errors = disabled ? [] : errorsOf(steps);
  const move = (from: number, to: number) => {
    const moved = moveStep(steps, from, to);
    if (moved === steps) return false;
    onChange(moved);
    setSaid(`Step ${from + 1} is now step ${to + 1} of ${moved.length}.`);
    return true;
  };
  return (
    <>
      <ol ref={list} className={`${css.steps} ${disabled ? css.off : ''}`} aria-label="Steps">
        {steps.map((step, i) => (
          <StepRow
            key={step.id} step={step} number={i + 1} disabled={disabled} only={steps.length === 1}
            errors={errors.filter((error) => error.id === step.id)} dragged={dragged === i}
            onChange={(next) => onChange(steps.with(i, next))}
            onRemove={() => onChange(steps.toSpliced(i, 1))}
            onMove={(by) => { if (move(i, i + by)) setDragged(null); }}
            onDrag={(y) => {
              const to = y === null ? null : placeAt(list.current, y) ?? i;
              if (to !== null) move(i, to);
              setDragged(to);
            }}
          />
        ))}
      </ol>
      <p className={fields.hidden} role="status">{said}</p>
      <div className={css.foot}>
        <button
          type="button" className={buttons.labelled} disabled={disabled || steps.length >= MOST_STEPS}
          onClick={() => onChange(addStep(steps))}
        >
          <Plus size={14} strokeWidth={1.75} aria-hidden="true" /> Add a step
        </button>
        <p className={css.hint}>0 or ∞ means forever (last step only).</p>
      </div>
    </>
  );
}

/** The step under the pointer; null if it is between two. */
function placeAt(list: HTMLOListElement | null, y: number): number | null {
  const rows = [...(list?.children ?? [])].map((row) => row.getBoundingClientRect());
  const index = rows.findIndex((row) => y >= row.top && y <= row.bottom);
  return index < 0 ? null : index;
}

interface RowProps {
  readonly step: StepDraft;
  readonly number: number;
  readonly disabled: boolean;
  /** The last step that is left cannot be removed. */
  readonly only: boolean;
  readonly dragged: boolean;
  readonly errors: readonly StepError[];
  readonly onChange: (step: StepDraft) => void;
  readonly onRemove: () => void;
  readonly onMove: (by: number) => void;
  /** The height of the pointer while the handle is dragged; null at the end. */
  readonly onDrag: (y: number | null) => void;
}

function StepRow({ step, number, disabled, only, dragged, errors, onChange, onRemove, onMove, onDrag }: RowProps) {
  const error = (field: StepError['field']) => errors.find((one) => one.field === field)?.message;
  const press = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li className={`${css.step} ${dragged ? css.dragged : ''}`} onKeyDown={press}>
      <span className={css.number}>{number}</span>
      <button
        type="button" className={`${buttons.icon} ${css.handle}`} disabled={disabled}
        aria-label={`Move step ${number}`} title="Drag, or Alt+↑ and Alt+↓"
        onPointerDown={(event) => { event.currentTarget.setPointerCapture(event.pointerId); onDrag(event.clientY); }}
        onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && onDrag(event.clientY)}
        onPointerUp={() => onDrag(null)}
        onPointerCancel={() => onDrag(null)}
      >
        <GripVertical size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <span className={css.words}>
        try
        <Short label={`Step ${number}: times`} value={step.count} disabled={disabled} error={error('count')}
          onChange={(count) => onChange({ ...step, count })} onBlur={() => onChange({ ...step, count: shownCount(step.count) })} />
        times, every
        <Short label={`Step ${number}: delay`} value={step.delay} disabled={disabled} error={error('delay')}
          onChange={(delay) => onChange({ ...step, delay })} />
        <Select<Unit> label={`Step ${number}: unit`} quiet value={step.unit} options={UNIT_OPTIONS} disabled={disabled}
          onChange={(unit) => onChange({ ...step, unit })} />
      </span>
      <button
        type="button" className={`${buttons.icon} ${css.remove}`} disabled={disabled || only} onClick={onRemove}
        aria-label={`Remove step ${number}`}
      >
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      {errors.map((one) => <p key={one.message} className={css.error}>{one.message}</p>)}
    </li>
  );
}

interface ShortProps {
  readonly label: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
}

function Short({ label, value, disabled, error, onChange, onBlur }: ShortProps) {
  return (
    <input
      className={css.short} aria-label={label} value={value} disabled={disabled} inputMode="numeric" maxLength={9}
      aria-invalid={error !== undefined} title={error} onChange={(event) => onChange(event.target.value)} onBlur={onBlur}
    />
  );
}
