// SPDX-License-Identifier: Apache-2.0
import { Plus, X } from 'lucide-react';
import type { FieldError } from '../api/problem';
import buttons from '../parts/Button.module.css';
import { Chips } from '../parts/Chips';
import { BackoffFields } from './BackoffFields';
import { errorsAt, fieldText, isObject, numberOrText, textOrNothing, withValue } from './form';
import type { PolicyObject } from './form';
import { Row, Text } from './FormRow';
import css from './PolicyForm.module.css';

interface Props {
  /** What the policy has in this place. */
  readonly overrides: unknown;
  readonly errors: readonly FieldError[];
  /** Undefined removes the field. */
  readonly onChange: (overrides: readonly unknown[] | undefined) => void;
}

/** Other retries for some failures: the first override that matches replaces the fields that it has. */
export function Overrides({ overrides, errors, onChange }: Props) {
  const list: readonly unknown[] = Array.isArray(overrides) ? overrides : [];
  const change = (next: readonly unknown[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <Row label="Overrides" errors={errorsAt(errors.filter(({ path }) => !/\]/.test(path)), 'overrides')}>
      {list.map((override, i) => isObject(override) && (
        <Override
          key={i} override={override} number={i + 1} errors={errorsOf(errors, i)}
          onChange={(next) => change(list.with(i, next))} onRemove={() => change(list.toSpliced(i, 1))}
        />
      ))}
      <button type="button" className={buttons.labelled} onClick={() => change([...list, { on: ['429'], max_retries: 3 }])}>
        <Plus size={14} strokeWidth={1.75} aria-hidden="true" /> Add an override
      </button>
    </Row>
  );
}

/** The errors of one override, as if it were a policy of its own. */
function errorsOf(errors: readonly FieldError[], index: number): FieldError[] {
  const start = `policy.overrides[${index}]`;
  return errors.filter(({ path }) => path.startsWith(start)).map((error) => ({ ...error, path: `policy${error.path.slice(start.length)}` }));
}

interface OverrideProps {
  readonly override: PolicyObject;
  readonly number: number;
  readonly errors: readonly FieldError[];
  readonly onChange: (override: PolicyObject) => void;
  readonly onRemove: () => void;
}

function Override({ override, number, errors, onChange, onRemove }: OverrideProps) {
  const set = (path: string, value: unknown) => onChange(withValue(override, path, value));
  const on = Array.isArray(override.on) ? override.on.map(String) : [];
  return (
    <div className={css.override} role="group" aria-label={`Override ${number}`}>
      <Row label="On" errors={errorsAt(errors, 'on')}>
        <Chips label={`Override ${number}: failures`} quiet placeholder="429, timeout" values={on} onChange={(values) => set('on', values)} />
        <button type="button" className={buttons.icon} onClick={onRemove} aria-label={`Remove override ${number}`}>
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </Row>
      <Row label="Retries" errors={errorsAt(errors, 'max_retries')}>
        <Text label={`Override ${number}: retries`} value={fieldText(override, 'max_retries')} placeholder="as above" onChange={(value) => set('max_retries', numberOrText(value))} />
      </Row>
      <BackoffFields policy={override} errors={errors} onSet={set} />
      <Row label="Longest delay" errors={errorsAt(errors, 'max_delay')}>
        <Text label={`Override ${number}: longest delay`} value={fieldText(override, 'max_delay')} placeholder="as above" onChange={(value) => set('max_delay', textOrNothing(value))} />
      </Row>
    </div>
  );
}
