// SPDX-License-Identifier: Apache-2.0
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { onUnauthorized } from '../api/client';
import { BASE_PATH } from '../api/prefix';
import { isLoggedOut, session, SESSION_KEY } from '../api/session';
import { placeOf } from '../pages/login/comeFrom';
import { Empty } from '../parts/Empty';

/** Asks who the person is when the page opens, and again whenever a request is refused. */
export function useAccess(): 'unknown' | 'inside' | 'outside' | 'ended' {
  const queries = useQueryClient();
  const { data, isError } = useQuery(session());
  const wasInside = useRef(false);
  useEffect(() => onUnauthorized(() => void queries.invalidateQueries({ queryKey: SESSION_KEY })), [queries]);
  const outside = isLoggedOut(data);
  useEffect(() => {
    if (data?.asks === true && !outside) wasInside.current = true;
  }, [data, outside]);
  if (outside) return wasInside.current ? 'ended' : 'outside';
  // A server that cannot answer this question refuses the pages' own ones in more detail.
  return data === undefined && !isError ? 'unknown' : 'inside';
}

/** Shows a page only to those who may see it. What was shown before a session ended goes away. */
export function Gate({ access, children }: { readonly access: ReturnType<typeof useAccess>; readonly children: ReactNode }) {
  const queries = useQueryClient();
  useEffect(() => {
    if (access === 'ended') queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  }, [access, queries]);
  if (access === 'unknown') return null;
  if (access === 'inside') return children;
  const search = { from: placeOf(location, BASE_PATH) };
  if (access === 'outside') return <Navigate to="/login" search={search} replace />;
  return (
    <Empty title="You were logged out.">
      <p><Link to="/login" search={search}>Log in</Link></p>
    </Empty>
  );
}
