// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { allows, session } from '../api/session';
import { Empty } from './Empty';
import css from './Notice.module.css';

/** Says in words that a key may not do something, instead of asking the server for a refusal. */
export function AdminOnly({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const { data } = useQuery(session());
  if (data === undefined || allows(data.roles, 'admin')) return children;
  return (
    <section className={css.panel}>
      <Empty title={`Your key may not ${what}.`}>
        <p>This needs a key with the role admin. Yours has: {data.roles.join(', ') || 'no role'}.</p>
      </Empty>
    </section>
  );
}
