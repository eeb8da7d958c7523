// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '../api/problem';

/** Every field that is wrong; without any, the whole. */
export function errorWords({ errors, detail }: ApiError): string {
  return errors.map((one) => `${one.path}: ${one.message}`).join(' · ') || detail;
}

/** What a failed request means, in words. */
export function problemWords(error: unknown): { title: string; detail: string } {
  // A proxy answers for a server that does not.
  if (!(error instanceof ApiError) || error.status === 502 || error.status === 504) {
    return { title: 'The server does not answer.', detail: 'What you see may be out of date.' };
  }
  const { status, detail } = error;
  if (status === 401) return { title: 'You were logged out.', detail };
  if (status === 403) return { title: 'Your key does not allow this.', detail };
  if (status === 404) return { title: 'Not found.', detail };
  if (status === 503) return { title: 'The server is too busy or cannot reach its database.', detail };
  if (status === 400) return { title: 'The server refused the request.', detail: errorWords(error) };
  return { title: `The server answered with an error (${status}).`, detail };
}
