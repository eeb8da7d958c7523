// SPDX-License-Identifier: Apache-2.0
import {
  createBrowserHistory, createRootRoute, createRoute, createRouter, lazyRouteComponent,
} from '@tanstack/react-router';
import type { RouterHistory } from '@tanstack/react-router';
import { BASE_PATH } from './api/prefix';
import { batchSearch } from './pages/batch/search';
import { batchesSearch } from './pages/batches/search';
import { readDeadSearch } from './pages/dead/search';
import { readOverviewSearch } from './pages/overview/search';
import { NotFound } from './pages/NotFound';
import { readRetrySearch } from './pages/retries/search';
import { readSettingsSearch } from './pages/settings/search';
import { readTaskSearch } from './pages/tasks/search';
import { TasksPage } from './pages/tasks/TasksPage';
import { readSearch, writeSearch } from './parts/search';
import { Broken } from './shell/Broken';
import { Root } from './shell/Shell';

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

const tasks = createRoute({
  getParentRoute: () => root, path: '/tasks', validateSearch: readTaskSearch, component: TasksPage,
});

const task = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$id',
  component: lazyRouteComponent(() => import('./pages/task/TaskPage'), 'TaskPage'),
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import('./pages/overview/OverviewPage'), 'OverviewPage'),
});

const batches = createRoute({
  getParentRoute: () => root,
  path: '/batches',
  validateSearch: batchesSearch,
  component: lazyRouteComponent(() => import('./pages/batches/BatchesPage'), 'BatchesPage'),
});

const batch = createRoute({
  getParentRoute: () => root,
  path: '/batches/$id',
  validateSearch: batchSearch,
  component: lazyRouteComponent(() => import('./pages/batch/BatchPage'), 'BatchPage'),
});

const retries = createRoute({
  getParentRoute: () => root,
  path: '/retries',
  validateSearch: readRetrySearch,
  component: lazyRouteComponent(() => import('./pages/retries/RetriesPage'), 'RetriesPage'),
});

const schedules = createRoute({
  getParentRoute: () => root,
  path: '/schedules',
  validateSearch: (raw): { after?: string } => (typeof raw.after === 'string' ? { after: raw.after } : {}),
  component: lazyRouteComponent(() => import('./pages/schedules/SchedulesPage'), 'SchedulesPage'),
});

const newSchedule = createRoute({
  getParentRoute: () => root,
  path: '/schedules/new',
  component: lazyRouteComponent(() => import('./pages/schedules/SchedulePage'), 'NewSchedulePage'),
});

const schedule = createRoute({
  getParentRoute: () => root,
  path: '/schedules/$id',
  component: lazyRouteComponent(() => import('./pages/schedules/SchedulePage'), 'SchedulePage'),
});

const dead = createRoute({
  getParentRoute: () => root,
  path: '/dead',
  validateSearch: readDeadSearch,
  component: lazyRouteComponent(() => import('./pages/dead/DeadPage'), 'DeadPage'),
});

const playground = createRoute({
  getParentRoute: () => root,
  path: '/playground',
  validateSearch: (raw): { view?: 'json' } => (raw.view === 'json' ? { view: 'json' } : {}),
  component: lazyRouteComponent(() => import('./pages/playground/PlaygroundPage'), 'PlaygroundPage'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import('./pages/settings/SettingsPage'), 'SettingsPage'),
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (raw: Record<string, unknown>): { from?: string } => (typeof raw.from === 'string' ? { from: raw.from } : {}),
  component: lazyRouteComponent(() => import('./pages/login/LoginPage'), 'LoginPage'),
});

const routeTree = root.addChildren([
  overview, tasks, task, batches, batch, retries, schedules, newSchedule, schedule, dead, playground, settings, login,
]);

/** Tests give their own history. */
export function createDashboardRouter(history: RouterHistory = createBrowserHistory()) {
  return createRouter({
    routeTree, history, basepath: BASE_PATH, parseSearch: readSearch, stringifySearch: writeSearch,
    defaultErrorComponent: Broken,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
