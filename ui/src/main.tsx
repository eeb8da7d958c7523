// SPDX-License-Identifier: Apache-2.0
import './shell/theme';
import './shell/preferences';
import './tokens.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isPaused } from './api/live';
import { ApiError } from './api/problem';
import { createDashboardRouter } from './routes';

/** A refused request is not repeated: the server would refuse it again. */
function worthRetrying(failures: number, error: unknown): boolean {
  return failures < 3 && !(error instanceof ApiError && error.status < 500);
}

const queries = new QueryClient({
  // Live updates and polling decide when to ask again, also after the page was hidden.
  defaultOptions: { queries: { retry: worthRetrying, refetchOnWindowFocus: false, refetchOnReconnect: () => !isPaused(), staleTime: 1_000 } },
});

const router = createDashboardRouter();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
