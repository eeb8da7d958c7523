// SPDX-License-Identifier: Apache-2.0
import createClient from 'openapi-fetch';
import { serverClock } from './clock';
import { PREFIX } from './prefix';
import { ApiError } from './problem';
import { answered, unanswered } from './reach';
import type { components, paths } from './schema';

export type TaskRow = components['schemas']['TaskRow'];
export type TaskDetails = components['schemas']['TaskWithAttempts'];
export type Attempt = components['schemas']['Attempt'];

/** The API lies beside /ui/. */
export const API_ROOT = PREFIX;

/** Without it the server refuses a write that comes with a session. No other site can send it. */
const WRITE_HEADER = 'X-Perdure-UI';

const refusals = new Set<() => void>();

/** Calls back when the server no longer knows who is asking. */
export function onUnauthorized(listener: () => void): () => void {
  refusals.add(listener);
  return () => void refusals.delete(listener);
}

async function timedFetch(request: Request): Promise<Response> {
  const sentAt = Date.now();
  if (request.method !== 'GET') request.headers.set(WRITE_HEADER, '1');
  const response = await fetch(request).catch((error: unknown) => {
    if (!request.signal.aborted) unanswered();
    throw error;
  });
  // A proxy answers for a server that does not.
  if (response.status === 502 || response.status === 504) unanswered();
  else answered();
  if (response.status === 401) refusals.forEach((listener) => listener());
  serverClock.observe(response.headers.get('X-Now'), sentAt, Date.now());
  return response;
}

/** With a session, the server wants this header on every request that changes something. */
const OWN_REQUEST = { 'X-Perdure-UI': '1' };

export const api = createClient<paths>({ baseUrl: API_ROOT, fetch: timedFetch, headers: OWN_REQUEST });

/** The body of a success; anything else is thrown. */
export function bodyOf<T>(result: { data?: T; error?: unknown; response: Response }): T {
  if (result.data === undefined) {
    throw new ApiError(result.response.status, result.error, result.response.headers.has('Retry-After'));
  }
  return result.data;
}
