// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { simulation } from '../../api/policies';
import type { Failure, Storm, StormRun } from '../../api/policies';
import { Spark } from '../../charts/Spark';
import { Problem } from '../../parts/Problem';
import { useDebounced } from '../../parts/useDebounced';
import { count, duration } from '../../parts/when';
import css from './Playground.module.css';
import { BUDGETS, CAPACITIES, CLIENTS, meaningOf, OUTAGES, runWords, scenarioOf, verdictOf } from './storm';
import type { Sliders } from './storm';

/** How long after a slider stops the simulation is asked for. */
const STOPPED_MS = 400;

const LOOKS = { good: { icon: CircleCheck, tone: css.good }, warning: { icon: TriangleAlert, tone: css.warn }, bad: { icon: CircleX, tone: css.bad } } as const;

interface Props {
  /** Undefined while the policy cannot be read. */
  readonly policy: unknown;
  /** Whether the server has accepted this policy: only then it is worth a simulation. */
  readonly ready: boolean;
  readonly failure: Failure | null;
  readonly sliders: Sliders;
  readonly onSliders: (sliders: Sliders) => void;
}

/** What the policy does to a service in an outage. */
export function StormPanels({ policy, ready, failure, sliders, onSliders }: Props) {
  const wanted = useDebounced(JSON.stringify({ policy, failure, scenario: scenarioOf(sliders) }), STOPPED_MS);
  const asked = JSON.parse(wanted) as { policy?: unknown; failure: Failure | null; scenario: ReturnType<typeof scenarioOf> };
  const query = useQuery({
    ...simulation(asked.policy ?? null, asked.failure, asked.scenario), enabled: ready && 'policy' in asked,
  });
  const set = (changes: Partial<Sliders>) => onSliders({ ...sliders, ...changes });
  const top = query.data ? Math.max(...query.data.with_policy.sent, ...query.data.without_retries.sent, sliders.capacity) : 0;
  return (
    <section className={css.storm} aria-label="Storm" aria-busy={query.isFetching}>
      <div className={css.sliders}>
        <h2>Storm</h2>
        <Slider label="Clients" stops={CLIENTS} value={sliders.clients} words={count} onChange={(clients) => set({ clients })} />
        <Slider label="Outage" stops={OUTAGES} value={sliders.outageS} words={(seconds) => duration(seconds * 1_000)} onChange={(outageS) => set({ outageS })} />
        <Slider label="Capacity" stops={CAPACITIES} value={sliders.capacity} words={(value) => `${count(value)}/s`} onChange={(capacity) => set({ capacity })} />
        <Slider label="Budget" stops={BUDGETS} value={sliders.budgetPercent} words={(percent) => `${percent} %`} onChange={(budgetPercent) => set({ budgetPercent })} />
      </div>
      {query.error && ready && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {policy === undefined && <p className={css.muted}>The storm appears once the policy is valid.</p>}
      {policy !== undefined && !query.data && !query.error && <p className={css.muted}>Simulating…</p>}
      {policy !== undefined && query.data && (
        <div className={`${css.runs} ${query.isFetching ? css.stale : ''}`}>
          <Run title="Without retries" run={query.data.without_retries} storm={query.data} top={top} capacity={sliders.capacity} />
          <Run title="This policy" run={query.data.with_policy} storm={query.data} top={top} capacity={sliders.capacity} />
          <Run title="With a budget" run={query.data.with_budget} storm={query.data} top={top} capacity={sliders.capacity} />
        </div>
      )}
    </section>
  );
}

interface RunProps {
  readonly title: string;
  readonly run: StormRun;
  readonly storm: Storm;
  readonly top: number;
  readonly capacity: number;
}

function Run({ title, run, storm, top, capacity }: RunProps) {
  const { icon: Icon, tone } = LOOKS[verdictOf(run)];
  return (
    <section className={css.run} aria-label={title}>
      <p className={css.runTitle}>{title}: <span className={`${css.verdict} ${tone}`}><Icon size={14} strokeWidth={1.75} aria-hidden="true" /> {run.verdict}</span></p>
      <Spark
        values={run.sent} top={top} mark={capacity} shade={[storm.outage_starts_ms / 1_000, storm.outage_ends_ms / 1_000]}
        label={`${title}: requests per second around the outage; ${runWords(run)}.`}
      />
      <p>{runWords(run)}</p>
      <p className={css.muted}>{meaningOf(run)}</p>
    </section>
  );
}

interface SliderProps {
  readonly label: string;
  readonly stops: readonly number[];
  readonly value: number;
  readonly words: (value: number) => string;
  readonly onChange: (value: number) => void;
}

/** A slider over a few values that are far apart. */
function Slider({ label, stops, value, words, onChange }: SliderProps) {
  return (
    <label className={css.slider}>
      <span className={css.muted}>{label}</span>
      <input
        type="range" min={0} max={stops.length - 1} step={1} value={Math.max(0, stops.indexOf(value))} aria-valuetext={words(value)}
        onChange={(event) => onChange(stops[Number(event.target.value)] ?? value)}
      />
      <span className={css.sliderValue}>{words(value)}</span>
    </label>
  );
}
