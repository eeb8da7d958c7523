// SPDX-License-Identifier: Apache-2.0
import type { ErrorComponentProps } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { ApiError } from '../api/problem';
import css from '../parts/Notice.module.css';
import { problemWords } from '../parts/problemWords';

/** Stands where a page should, if drawing or loading it has failed. */
export function Broken({ error }: ErrorComponentProps) {
  const { title, detail } = brokenWords(error);
  return (
    <div className={`${css.notice} ${css.problem}`} role="alert">
      <title>Error · Perdure</title>
      <h1 className={css.title}><TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" /> {title}</h1>
      <p>{detail}</p>
      <button type="button" onClick={() => location.reload()}>Reload</button>
    </div>
  );
}

export function brokenWords(error: unknown): { title: string; detail: string } {
  if (error instanceof ApiError) return problemWords(error);
  const message = error instanceof Error ? error.message : String(error);
  // What browsers say when a part of the program cannot be fetched, such as after an update of the server.
  if (/dynamically imported module|importing a module|preload/i.test(message)) {
    return { title: 'This page could not be loaded.', detail: 'The server does not answer, or a new version is running.' };
  }
  return { title: 'This page does not work.', detail: `The dashboard has made an error: ${message}` };
}
