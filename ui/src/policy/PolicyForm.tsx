// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../api/problem';
import { Chips } from '../parts/Chips';
import { Select } from '../parts/Select';
import { BackoffFields } from './BackoffFields';
import {
  errorsAt, factorOf, fieldText, jitterOf, jitterType, JITTERS, numberOrText, percentText, textOrNothing, valueAt, withField,
} from './form';
import type { Jitter, PolicyObject } from './form';
import { Row, Text } from './FormRow';
import { Overrides } from './Overrides';
import css from './PolicyForm.module.css';

interface Props {
  readonly text: string;
  readonly policy: PolicyObject;
  readonly errors: readonly FieldError[];
  readonly onChange: (text: string) => void;
}

const JITTER_OPTIONS: readonly { value: Jitter | ''; word: string }[] = [
  { value: '', word: 'default' }, ...JITTERS.map((name) => ({ value: name, word: name })),
];

/** A policy as a form. It writes into the text, and only the fields it knows. */
export function PolicyForm({ text, policy, errors, onChange }: Props) {
  const set = (path: string, value: unknown) => onChange(withField(text, path, value));
  const jitter = jitterType(policy);
  const honors = valueAt(policy, 'retry_after.honor') !== false;
  return (
    <div className={css.form}>
      <Row label="Retries" errors={errorsAt(errors, 'max_retries')}>
        <Text label="Retries" value={fieldText(policy, 'max_retries')} placeholder={policy.max_retries === null ? '∞' : 'default'} disabled={policy.max_retries === null} onChange={(value) => set('max_retries', numberOrText(value))} />
        <label className={css.check}>
          <input type="checkbox" checked={policy.max_retries === null} onChange={(event) => set('max_retries', event.target.checked ? null : undefined)} />
          without limit
        </label>
      </Row>
      <BackoffFields policy={policy} errors={errors} onSet={set} />
      <Row label="Longest delay" errors={errorsAt(errors, 'max_delay')}>
        <Text label="Longest delay" value={fieldText(policy, 'max_delay')} placeholder="no limit" onChange={(value) => set('max_delay', textOrNothing(value))} />
      </Row>
      <Row label="Jitter" errors={[...errorsAt(errors, 'jitter'), ...errorsAt(errors, 'jitter.factor')]}>
        <Select label="Jitter" quiet value={jitter} options={JITTER_OPTIONS} onChange={(type) => set('jitter', jitterOf(type, policy.jitter))} />
        {(jitter === 'spread' || jitter === 'add') && (
          <span className={css.unit}>
            {jitter === 'spread' ? '±' : '+'}
            <Text label="Jitter in percent" value={percentText(valueAt(policy, 'jitter.factor'))} onChange={(value) => set('jitter.factor', factorOf(value))} /> %
          </span>
        )}
      </Row>
      <Row label="Stop after" errors={errorsAt(errors, 'expires_after')}>
        <Text label="Stop after" value={fieldText(policy, 'expires_after')} placeholder="never" onChange={(value) => set('expires_after', textOrNothing(value))} />
      </Row>
      <Row label="Retry on" errors={errorsAt(errors, 'retry_on')}>
        <Chips label="Retry on" quiet placeholder="any failure" values={words(policy.retry_on)} onChange={(values) => set('retry_on', values.length === 0 ? undefined : values)} />
      </Row>
      <Row label="Never on" errors={errorsAt(errors, 'never_on')}>
        <Chips label="Never on" quiet placeholder="no failure" values={words(policy.never_on)} onChange={(values) => set('never_on', values.length === 0 ? undefined : values)} />
      </Row>
      <Row label="Retry-After" errors={[...errorsAt(errors, 'retry_after'), ...errorsAt(errors, 'retry_after.cap')]}>
        <label className={css.check}>
          <input type="checkbox" checked={honors} onChange={(event) => set('retry_after.honor', event.target.checked ? undefined : false)} />
          honor it
        </label>
        {honors && (
          <span className={css.unit}>
            up to <Text label="Longest Retry-After" value={fieldText(policy, 'retry_after.cap')} placeholder="24h" onChange={(value) => set('retry_after.cap', textOrNothing(value))} />
          </span>
        )}
      </Row>
      <Overrides overrides={policy.overrides} errors={errors} onChange={(overrides) => set('overrides', overrides)} />
    </div>
  );
}

function words(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
