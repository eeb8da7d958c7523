// SPDX-License-Identifier: Apache-2.0
// Short messages about what was done. `Toasts` shows them.
import { Toast } from '@base-ui/react/toast';
import { errorWords, problemWords } from './problemWords';
import { ApiError } from '../api/problem';

export const toasts = Toast.createToastManager();

/** Long enough to read; the time stops while the pointer or the focus is on it. */
const DONE_MS = 6_000;
const PROBLEM_MS = 15_000;

/** Says what was done. */
export function done(title: string): void {
  toasts.add({ title, timeout: DONE_MS, type: 'done' });
}

/** Says why an action was not done, or that nobody knows; then `look` asks again for what is shown. */
export function notDone(error: unknown, look?: () => void): void {
  const { title, detail } = actionWords(error);
  const button = look && isUnclear(error) ? { actionProps: { children: 'Look', onClick: look } } : {};
  toasts.add({ title, description: detail, timeout: PROBLEM_MS, type: 'problem', priority: 'high', ...button });
}

/** Whether the action may have been done although it failed. */
export function isUnclear(error: unknown): boolean {
  return !(error instanceof ApiError) || ([502, 503, 504].includes(error.status) && !error.repeatable);
}

/** What a failed action means, in words. */
export function actionWords(error: unknown): { title: string; detail: string } {
  if (!(error instanceof ApiError) || error.status === 502 || error.status === 504) {
    return { title: 'The server does not answer.', detail: 'It may have been done. Look before you do it again.' };
  }
  if (error.status === 409) return { title: 'Not done.', detail: error.detail };
  if (error.status === 400) return { title: 'Not done.', detail: errorWords(error) };
  if (error.status === 403) return { title: 'Your key can only read.', detail: error.detail };
  if (error.status === 503 && !error.repeatable) {
    return { title: 'It may have been done.', detail: 'Look before you do it again.' };
  }
  const { title, detail } = problemWords(error);
  return { title: `Not done. ${title}`, detail };
}

/** Copies text. Without https the browser has no clipboard; then it says so. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    done('Copied.');
  } catch {
    toasts.add({ title: 'Not copied.', description: 'The browser allows copying only over https.', timeout: PROBLEM_MS, type: 'problem' });
  }
}
