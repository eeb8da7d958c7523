// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api, bodyOf } from '../api/client';
import { readDag, updateDag } from './read';
import type { Dag } from './read';

interface Known {
  readonly dag: Dag;
  /** The server's time of the answer. */
  readonly at: string | null;
  /** The version of the batch when the question was asked. */
  readonly version: string | undefined;
}

/** A large graph is asked for less often: at most this many tasks a second. */
const TASKS_A_SECOND = 1_000;

async function ask(id: string, run: number | undefined, since: string | null, signal: AbortSignal) {
  const query = { links: 'index' as const, ...(run === undefined ? {} : { run }), ...(since === null ? {} : { since }) };
  const result = await api.GET('/dag/{id}', { params: { path: { id }, query }, signal });
  return { body: bodyOf(result) as unknown, at: result.response.headers.get('X-Now') };
}

/**
 * The graph of a batch. It is asked for again when `version` changes and not for each event: a
 * graph can have megabytes, the batch that tells its version has not.
 */
export function useDag(id: string, run: number | undefined, version: string | undefined) {
  const latest = useRef(version);
  useEffect(() => {
    latest.current = version;
  });
  const query = useQuery({
    queryKey: ['dag', id, run ?? null],
    staleTime: Infinity,
    structuralSharing: false,
    queryFn: async ({ signal, client, queryKey }): Promise<Known> => {
      const asked = latest.current;
      const known = client.getQueryData<Known>(queryKey);
      const since = known?.dag.knowsShape ? known.at : null;
      const answer = await ask(id, run, since, signal);
      if (known && since !== null) {
        const dag = updateDag(known.dag, answer.body);
        if (dag) return { dag, at: answer.at, version: asked };
        const whole = await ask(id, run, null, signal);
        return { dag: readDag(whole.body), at: whole.at, version: asked };
      }
      const dag = readDag(answer.body);
      const links = known?.dag.shape === dag.shape ? known.dag.links : dag.links;
      return { dag: { ...dag, links }, at: answer.at, version: asked };
    },
  });
  const { refetch, data, dataUpdatedAt } = query;
  const pause = Math.max(1_000, ((data?.dag.tasks.length ?? 0) / TASKS_A_SECOND) * 1_000);
  const stale = data !== undefined && version !== undefined && data.version !== version;
  useEffect(() => {
    if (!stale) return undefined;
    const timer = setTimeout(() => void refetch({ cancelRefetch: false }), Math.max(0, pause - (Date.now() - dataUpdatedAt)));
    return () => clearTimeout(timer);
  }, [stale, pause, dataUpdatedAt, refetch]);
  return query;
}
