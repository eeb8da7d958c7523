// SPDX-License-Identifier: Apache-2.0
import type { RetryStatistics } from '../../api/retries';
import { count, duration } from '../../parts/when';
import css from './RetriesPage.module.css';

const WIDTH = 120;

/** How retries have fared, and which strategies wait. */
export function Statistics({ statistics }: { readonly statistics: RetryStatistics }) {
  const strategies = Object.entries(statistics.by_strategy).sort(([, a], [, b]) => b - a);
  const most = Math.max(1, ...strategies.map(([, number]) => number));
  return (
    <section className={css.statistics} aria-label="Statistics">
      <p>{statisticsWords(statistics)}</p>
      {strategies.length > 0 && (
        <ul className={css.strategies} aria-label="Waiting retries by strategy">
          {strategies.map(([name, number]) => (
            <li key={name}>
              {name} {count(number)}
              <svg width={WIDTH} height={8} aria-hidden="true">
                <rect className={css.bar} width={Math.max(1, (WIDTH * number) / most)} height={8} rx={2} />
              </svg>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function statisticsWords({ success_rate: rate, average_delay_ms: delay, exhausted }: RetryStatistics): string {
  const percent = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
  return [
    typeof rate === 'number' ? `${percent.format(rate)} % of tasks with a retry succeeded` : 'No task with a retry has ended',
    ...(typeof delay === 'number' ? [`average delay ${duration(delay)}`] : []),
    `${count(exhausted)} exhausted`,
  ].join(' · ');
}
