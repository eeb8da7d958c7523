// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import type { FieldError } from '../api/problem';
import { Chips } from '../parts/Chips';
import { Select } from '../parts/Select';
import { BACKOFFS, backoffOf, errorsAt, fieldText, isObject, numberOrText, textOrNothing, valueAt } from './form';
import type { Backoff, PolicyObject } from './form';
import { Row, Text } from './FormRow';
import { fromPolicy, readSteps, toPolicy } from './ladder';
import type { StepDraft } from './ladder';
import { LadderSteps } from './LadderSteps';

interface Props {
  readonly policy: PolicyObject;
  readonly errors: readonly FieldError[];
  readonly onSet: (path: string, value: unknown) => void;
}

const OPTIONS = BACKOFFS.map((name) => ({ value: name as Backoff | '', word: name as string }));

/** The kind of backoff, and the fields that this kind has. */
export function BackoffFields({ policy, errors, onSet }: Props) {
  const type = BACKOFFS.find((name) => name === valueAt(policy, 'backoff.type')) ?? '';
  const at = (name: string) => errorsAt(errors, `backoff.${name}`);
  const duration = (name: string, label: string, placeholder: string) => (
    <Row label={label} errors={at(name)}>
      <Text label={label} value={fieldText(policy, `backoff.${name}`)} placeholder={placeholder} onChange={(value) => onSet(`backoff.${name}`, textOrNothing(value))} />
    </Row>
  );
  const delays = valueAt(policy, 'backoff.delays');
  const optional = 'preset' in policy || 'on' in policy;
  const absent = 'on' in policy ? 'as above' : 'preset' in policy ? 'from the preset' : 'choose';
  return (
    <>
      <Row label="Backoff" errors={[...errorsAt(errors, 'backoff'), ...at('type')]}>
        <Select
          label="Backoff" quiet value={type} options={type === '' || optional ? [{ value: '', word: absent }, ...OPTIONS] : OPTIONS}
          onChange={(next) => onSet('backoff', next === '' ? undefined : backoffOf(next, policy.backoff))}
        />
      </Row>
      {type === 'fixed' && duration('delay', 'Delay', '1s')}
      {(type === 'linear' || type === 'exponential') && duration('initial', 'First', '1s')}
      {type === 'linear' && duration('increment', 'Increment', 'as the first')}
      {type === 'exponential' && (
        <Row label="Multiplier" errors={at('multiplier')}>
          <Text label="Multiplier" value={fieldText(policy, 'backoff.multiplier')} placeholder="2" onChange={(value) => onSet('backoff.multiplier', numberOrText(value))} />
        </Row>
      )}
      {type === 'schedule' && (
        <Row label="Delays" errors={at('delays')}>
          <Chips
            label="Delays" quiet distinct={false} placeholder="add 10s" values={Array.isArray(delays) ? delays.map(String) : []}
            onChange={(values) => onSet('backoff.delays', values)}
          />
        </Row>
      )}
      {type === 'ladder' && <Row label="Steps" errors={at('steps')}><Steps policy={policy} onSet={onSet} /></Row>}
    </>
  );
}

/** Keeps steps as they are typed; the text gets them once they can be read. */
function Steps({ policy, onSet }: Pick<Props, 'policy' | 'onSet'>) {
  const stored = fromPolicy(policy)?.steps ?? [];
  const [typed, setTyped] = useState<readonly StepDraft[]>(stored);
  const same = JSON.stringify(readSteps(typed)) === JSON.stringify(readSteps(stored));
  const pending = readSteps(typed) === null;
  const change = (steps: readonly StepDraft[]) => {
    setTyped(steps);
    const backoff = toPolicy({ steps, only: [], rest: { jitter: 'none' } });
    if (isObject(backoff)) onSet('backoff', backoff.backoff);
  };
  return <LadderSteps steps={same || pending ? typed : stored} onChange={change} />;
}
