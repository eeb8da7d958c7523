// SPDX-License-Identifier: Apache-2.0
// The kinds of tasks, those in trouble first.
import type { KindRow, Overview, OverviewProblem } from '../../api/overview';
import { percent } from './sentences';

export interface Kind extends KindRow {
  readonly level: 'trouble' | 'warning' | null;
  /** What is wrong with it, in a word or two. */
  readonly word: string;
  /** The share of attempts that failed; a dash without any. */
  readonly failedShare: string;
}

const RANK = { trouble: 0, warning: 1 } as const;

const WORDS: Readonly<Partial<Record<OverviewProblem['id'], string>>> = {
  kind_failing: 'failing', kind_degraded: 'failing more than usual', nobody_takes: 'nobody takes it',
};

/** Sorted by trouble, then by attempts, then by what waits. */
export function kindsOf({ kinds, problems }: Pick<Overview, 'kinds' | 'problems'>): Kind[] {
  return kinds.map((kind) => withTrouble(kind, problems)).sort((a, b) =>
    rank(a) - rank(b) || b.attempts - a.attempts || b.waiting + b.due - a.waiting - a.due || a.kind.localeCompare(b.kind));
}

function rank({ level }: Kind): number {
  return level === null ? 2 : RANK[level];
}

function withTrouble(kind: KindRow, problems: readonly OverviewProblem[]): Kind {
  const [worst] = problems.filter((one) => one.kind === kind.kind && one.over_at === null)
    .sort((a, b) => RANK[a.level] - RANK[b.level]);
  return {
    ...kind,
    level: worst?.level ?? null,
    word: worst ? WORDS[worst.id] ?? '' : '',
    failedShare: kind.attempts === 0 ? '–' : percent(kind.failed, kind.attempts),
  };
}
