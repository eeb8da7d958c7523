// SPDX-License-Identifier: Apache-2.0
// The places of the side bar, and the key that goes to each after `g`.
import {
  Boxes, CalendarClock, FlaskConical, LayoutDashboard, ListTodo, RotateCw, Settings, Skull,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';

export const PATHS = [
  '/', '/tasks', '/batches', '/retries', '/schedules', '/dead', '/playground', '/settings',
] as const;

export type Path = (typeof PATHS)[number];

export interface Place {
  readonly path: Path;
  readonly name: string;
  /** The first word stands for the name on a phone. Without `onPhone` it is behind "More" there. */
  readonly onPhone?: true;
  readonly key: string;
  readonly icon: LucideIcon;
}

export const PLACES: readonly Place[] = [
  { path: '/', name: 'Overview', onPhone: true, key: 'o', icon: LayoutDashboard },
  { path: '/tasks', name: 'Tasks', onPhone: true, key: 't', icon: ListTodo },
  { path: '/batches', name: 'Batches', key: 'b', icon: Boxes },
  { path: '/retries', name: 'Retries', onPhone: true, key: 'r', icon: RotateCw },
  { path: '/schedules', name: 'Schedules', key: 's', icon: CalendarClock },
  { path: '/dead', name: 'Dead letters', onPhone: true, key: 'd', icon: Skull },
  { path: '/playground', name: 'Playground', key: 'p', icon: FlaskConical },
  { path: '/settings', name: 'Settings', key: ',', icon: Settings },
];
