// SPDX-License-Identifier: Apache-2.0
import type { ReactNode } from 'react';
import css from './Notice.module.css';

/** Says that there is nothing, and what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={css.notice}>
      <p className={css.title}>{title}</p>
      {children}
    </div>
  );
}
