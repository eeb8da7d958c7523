// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronDown, Pin, PinOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { explanation, lint } from '../../api/policies';
import type { Failure } from '../../api/policies';
import { ApiError } from '../../api/problem';
import buttons from '../../parts/Button.module.css';
import { Choice } from '../../parts/Choice';
import { CopyButton } from '../../parts/CopyButton';
import { Menu } from '../../parts/Menu';
import { useDebounced } from '../../parts/useDebounced';
import { policyHash, policyOfHash } from '../../policy/fragment';
import type { PlanRow } from '../../policy/plan';
import { Editor } from './Editor';
import { FromTask } from './FromTask';
import { Lint } from './Lint';
import { Plan } from './Plan';
import css from './Playground.module.css';
import { failureOf, FIRST_POLICY, OF_TASK, PRESETS } from './presets';
import type { TaskFailures } from './presets';
import { FIRST_SLIDERS } from './storm';
import { StormPanels } from './StormPanels';

/** How long after the last key the server is asked. */
const TYPED_MS = 150;
/** How long after the last change the address follows. */
const ADDRESS_MS = 400;

const VIEWS = [{ value: 'form', word: 'Form' }, { value: 'json', word: 'JSON' }] as const;

export function PlaygroundPage() {
  const { view = 'form' } = useSearch({ from: '/playground' });
  const navigate = useNavigate();
  const [text, setText] = usePolicyOfAddress();
  const [failure, setFailure] = useState({ value: '', retryAfter: '' });
  const [ofTask, setOfTask] = useState<TaskFailures | null>(null);
  const [sliders, setSliders] = useState(FIRST_SLIDERS);
  const [pinned, setPinned] = useState<readonly PlanRow[] | null>(null);
  const wanted = failuresOfChoice(failure, ofTask);
  const settled = useDebounced(text, TYPED_MS);
  const policy = readable(settled);
  const asked = policy !== undefined;
  const explained = useQuery({ ...explanation(policy ?? null, wanted), enabled: asked });
  const accepted = asked && explained.isSuccess && !explained.isPlaceholderData;
  const linted = useQuery({ ...lint(policy ?? null, sliders.clients), enabled: accepted });
  const errors = explained.error instanceof ApiError ? explained.error.errors : [];
  return (
    <>
      <title>Playground · Perdure</title>
      <div className={css.heading}>
        <h1>Playground</h1>
        <Choice
          label="View" quiet value={view} options={VIEWS}
          onChange={(next) => void navigate({ to: '/playground', search: next === 'json' ? { view: next } : {}, hash: true, replace: true })}
        />
        <Menu className={buttons.labelled} items={PRESETS.map(({ word, text: preset }) => ({ word, onSelect: () => setText(preset) }))}>
          Preset <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
        </Menu>
        <FromTask
          onTask={(loaded, failures) => {
            setText(loaded);
            setOfTask(failures);
            setFailure({ value: failures ? OF_TASK : '', retryAfter: '' });
          }}
        />
        <span className={css.copies}>
          <CopyButton word="Copy link" text={() => linkTo(text)} />
          <CopyButton word="Copy JSON" text={() => text} />
        </span>
      </div>
      <div className={css.columns}>
        <Editor text={text} view={view} errors={errors} canonical={explained.data?.canonical ?? linted.data?.canonical} onChange={setText} />
        <section className={css.panel} aria-label="Plan" aria-busy={explained.isFetching}>
          <Plan
            query={explained} failure={failure} ofTask={ofTask} pinned={pinned} onFailure={setFailure}
            pinButton={(rows) => (
              <button type="button" className={buttons.labelled} onClick={() => setPinned(pinned ? null : rows)}>
                {pinned ? <PinOff size={14} strokeWidth={1.75} aria-hidden="true" /> : <Pin size={14} strokeWidth={1.75} aria-hidden="true" />}
                {pinned ? 'Stop comparing' : 'Compare'}
              </button>
            )}
          />
        </section>
      </div>
      {asked && linted.data && !explained.isError && <Lint answer={linted.data} text={text} onFix={setText} />}
      <StormPanels policy={explained.isError ? undefined : policy} ready={accepted} failure={wanted.at(-1) ?? null} sliders={sliders} onSliders={setSliders} />
    </>
  );
}

/** The policy to ask about; undefined while the text is not JSON. */
function readable(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What the attempts fail with, in turn; empty for any failure that the policy retries. */
function failuresOfChoice({ value, retryAfter }: { readonly value: string; readonly retryAfter: string }, ofTask: TaskFailures | null): readonly Failure[] {
  if (value === OF_TASK) return ofTask?.failures ?? [];
  const one = failureOf(value, retryAfter);
  return one === null ? [] : [one];
}

function linkTo(text: string): string {
  return `${window.location.origin}${window.location.pathname}#${policyHash(text)}`;
}

/** The text, kept in the fragment of the address, so that a link or a reload shows the same policy. */
function usePolicyOfAddress(): [string, (text: string) => void] {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [text, setText] = useState(() => policyOfHash(hash) ?? FIRST_POLICY);
  const [seen, setSeen] = useState(hash);
  if (hash !== seen) {
    // Somebody followed another link to this page.
    setSeen(hash);
    const linked = policyOfHash(hash);
    if (linked !== null && linked !== text) setText(linked);
  }
  const settled = useDebounced(text, ADDRESS_MS);
  useEffect(() => {
    const next = policyHash(settled);
    if (settled === FIRST_POLICY && policyOfHash(window.location.hash) === null) return;
    if (next === window.location.hash.slice(1)) return;
    void navigate({ to: '/playground', search: true, hash: next, replace: true, resetScroll: false, hashScrollIntoView: false });
    // Only what is typed moves the address, never the other way round.
  }, [settled, navigate]);
  return [text, setText];
}
