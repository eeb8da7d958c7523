// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TaskDetails } from '../../api/client';
import type { TaskPlan } from '../../api/task';
import { When } from '../../parts/When';
import { Problem } from '../../parts/Problem';
import { formatJson } from '../../api/json';
import { policyHash } from '../../policy/fragment';
import { endWords, waitWords } from './plan';
import css from './TaskPage.module.css';
import { isEnded } from '../../parts/states';

interface Props {
  readonly task: TaskDetails;
  readonly plan: ReturnType<typeof useQuery<TaskPlan>>;
  readonly now: number;
}

const SHOWN = 8;

/** The decision in words, and the attempts to come. */
export function PlanPanel({ task, plan, now }: Props) {
  if (plan.isError && !plan.data) return <Problem error={plan.error} onRetry={() => void plan.refetch()} />;
  if (!plan.data) return <section className={css.panel}><p className={css.muted}>Loading…</p></section>;
  const { why, coming, end, more, policy } = plan.data;
  const ending = endWords(end, now);
  return (
    <section className={css.panel}>
      <h2>{headingOf(task)}</h2>
      {why.length === 0 ? <p className={css.muted}>Its retry policy is not delaying it.</p> : <ul className={css.why}>{why.map((line) => <li key={line}>{line}</li>)}</ul>}
      <div className={css.planHead}>
        <h2>Plan</h2>
        <p className={css.muted}>{policy.sentence}</p>
      </div>
      {task.place && <Ladder place={task.place} />}
      {coming.length > 0 && (
        <ol className={css.coming}>
          {coming.slice(0, SHOWN).map((one, i) => (
            <li key={one.attempt}>
              <span>attempt {one.attempt + 1}</span>
              <span className={css.muted}>{waitWords(coming, i, now)}{one.step === null ? '' : `, step ${one.step}`}</span>
              {one.at && <When at={one.at} past="due" />}
            </li>
          ))}
        </ol>
      )}
      {(more || coming.length > SHOWN) && <p className={css.muted}>Further attempts follow.</p>}
      {ending && <p>{ending}</p>}
      {policy.canonical && (
        <p><Link to="/playground" hash={policyHash(formatJson(policy.canonical))}>Open in the playground</Link></p>
      )}
    </section>
  );
}

/** The stairs of a ladder, the present step filled. */
function Ladder({ place }: { readonly place: NonNullable<TaskDetails['place']> }) {
  const steps = Array.from({ length: Math.min(place.steps, 12) }, (_, i) => i + 1);
  return (
    <svg className={css.ladder} width={steps.length * 20} height={steps.length * 5 + 8} role="img" aria-label={`Step ${place.step} of ${place.steps}`}>
      {steps.map((step) => (
        <rect
          key={step} className={step === place.step ? css.stepNow : css.step} x={(step - 1) * 20 + 1} width={17} rx={2}
          y={(steps.length - step) * 5 + 1} height={step * 5 + 6}
        />
      ))}
    </svg>
  );
}

function headingOf({ status }: TaskDetails): string {
  if (isEnded(status)) return 'Why it ended';
  return status === 'Running' || status === 'Claimed' ? 'Why' : 'Why it waits';
}
