// SPDX-License-Identifier: Apache-2.0
import {
  Ban, CircleCheck, CircleDashed, CircleParking, CirclePlay, CircleX, Clock, Hand, Pause, RotateCw,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import css from './Badge.module.css';
import { stateWord } from './states';
import type { State } from './states';

const LOOKS: Readonly<Record<State, { icon: LucideIcon; tone: string | undefined }>> = {
  Waiting: { icon: CircleDashed, tone: css.waiting },
  Pending: { icon: Clock, tone: css.pending },
  Claimed: { icon: Hand, tone: css.claimed },
  Running: { icon: CirclePlay, tone: css.running },
  RetryPending: { icon: RotateCw, tone: css.retry },
  Paused: { icon: Pause, tone: css.paused },
  Parked: { icon: CircleParking, tone: css.paused },
  Success: { icon: CircleCheck, tone: css.success },
  Failure: { icon: CircleX, tone: css.failure },
  Canceled: { icon: Ban, tone: css.canceled },
};

/** A state as icon, word and colour. The icon says nothing that the word does not. */
export function Badge({ state }: { readonly state: State }) {
  const { icon: Icon, tone } = LOOKS[state];
  return (
    <span className={`${css.badge} ${tone}`} data-state={state}>
      <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
      {stateWord(state)}
    </span>
  );
}

/** The icon of each state, for drawings that are not chips. */
export const STATE_ICONS = Object.fromEntries(
  Object.entries(LOOKS).map(([state, { icon }]) => [state, icon]),
) as Readonly<Record<State, LucideIcon>>;
