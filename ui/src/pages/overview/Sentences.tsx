// SPDX-License-Identifier: Apache-2.0
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Overview } from '../../api/overview';
import { useAwaySince } from '../../api/reach';
import { problemWords } from '../../parts/problemWords';
import { Time } from '../../parts/When';
import { PauseKindButton, PauseKindDialog } from './PauseKind';
import css from './Sentences.module.css';
import { isStoreAway, sentencesOf } from './sentences';
import type { Level, Sentence, Target } from './sentences';

const ICONS = { trouble: CircleX, warning: TriangleAlert, well: CircleCheck } as const;
const LEVELS: Readonly<Record<Level, string>> = { trouble: 'Trouble: ', warning: 'Warning: ', well: '' };

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const toTheSecond = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** What is wrong, the worst first and as the heading of the page. */
export function Sentences({ overview, error }: { readonly overview: Overview | undefined; readonly error: unknown }) {
  const [pausing, setPausing] = useState<string | null>(null);
  const away = useAwaySince();
  const silent = away === null && error === null ? null : noAnswer(away, error, overview);
  const known = overview ? sentencesOf(overview) : [];
  const [worst, ...others] = silent === null ? known : [silent, ...known.filter((one) => one.level !== 'well')];
  const dialog = pausing !== null && <PauseKindDialog kind={pausing} onClose={() => setPausing(null)} />;
  if (!worst) return <><h1 className={css.loading}>Checking…</h1>{dialog}</>;
  return (
    <section className={css.sentences} aria-label="What is wrong">
      <div className={css.sentence}>
        <Words as="h1" sentence={worst} onPause={setPausing} />
        {silent === null && overview && isStoreAway(overview) && overview.counted_at !== null && (
          <p className={css.note}>The numbers below are from <Clock at={overview.counted_at} seconds />.</p>
        )}
      </div>
      {others.length > 0 && (
        <ul className={css.others}>
          {others.map((one) => <li key={one.key} className={css.sentence}><Words as="p" sentence={one} onPause={setPausing} /></li>)}
        </ul>
      )}
      {dialog}
    </section>
  );
}

/** What to say while the server does not answer, or answers with an error. */
function noAnswer(away: number | null, error: unknown, overview: Overview | undefined): Sentence {
  const { title, detail } = problemWords(error);
  const old = overview ? ` What you see is from ${toTheSecond.format(Date.parse(overview.now))}.` : '';
  const text = away === null ? `${title}${old === '' && detail !== '' ? ` ${detail}` : old}`
    : `No answer from the server since ${toTheSecond.format(away)}.${old}`;
  return { key: 'silent', level: 'trouble', text, since: null, overAt: null, target: null };
}

interface WordsProps {
  readonly as: 'h1' | 'p';
  readonly sentence: Sentence;
  readonly onPause: (kind: string) => void;
}

function Words({ as: Tag, sentence, onPause }: WordsProps) {
  const { level, text, since, overAt, target, error, pausable } = sentence;
  const Icon = ICONS[level];
  return (
    <>
      <Icon className={css[level]} size={18} strokeWidth={1.75} role="img" aria-label={LEVELS[level] || 'Well: '} />
      <Tag className={css.text}>{text}</Tag>
      {since !== null && <p className={css.note}>Since <Clock at={since} /></p>}
      {overAt !== null && <p className={css.note}>Over since <Clock at={overAt} /></p>}
      {(target || pausable !== undefined) && (
        <p className={css.links}>
          {target && <TargetLink target={target} className={css.link ?? ''}>{target.word}</TargetLink>}
          {pausable !== undefined && <PauseKindButton kind={pausable} onClick={() => onPause(pausable)} />}
        </p>
      )}
      {error && <p className={css.error}><Link to="/tasks" search={error.search}><bdi>{error.title}</bdi></Link></p>}
    </>
  );
}

function Clock({ at, seconds = false }: { readonly at: string; readonly seconds?: boolean }) {
  const instant = Date.parse(at);
  return <Time at={at}>{(seconds ? toTheSecond : timeOfDay).format(instant)}</Time>;
}

interface TargetProps {
  readonly target: Target;
  readonly className: string;
  readonly children: React.ReactNode;
}

export function TargetLink({ target, className, children }: TargetProps) {
  const { word: _, ...link } = target;
  return <Link {...link} className={className}>{children}</Link>;
}
