// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { ownScript } from '../api/trusted';
import { LayoutCache } from './cache';
import type { Layout, LayoutRequest } from './layout';
import workerUrl from './layout.worker?worker&url';

/** 3,000 nodes take about 5 s on a slow machine. */
const PATIENCE_MS = 30_000;
/** For graphs that somebody wants drawn in spite of their size. */
const MORE_PATIENCE_MS = 180_000;

const cache = new LayoutCache();

export class LayoutTooSlow extends Error {}

/** A worker for one layout: ending it is the only way to stop a computation that takes too long. */
function compute(request: LayoutRequest, patience: number, signal: AbortSignal): Promise<Layout> {
  return new Promise((resolve, reject) => {
    // The address is relative to this script, so it has the prefix of a proxy already.
    const worker = new Worker(ownScript(workerUrl), { type: 'module' });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      worker.terminate();
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new LayoutTooSlow())), patience);
    signal.addEventListener('abort', () => end(() => reject(new DOMException('No longer needed.', 'AbortError'))));
    worker.onerror = (event) => end(() => reject(new Error(event.message || 'The worker does not start.')));
    worker.onmessage = ({ data }: MessageEvent<{ layout?: Layout; error?: string }>) => {
      end(() => (data.layout ? resolve(data.layout) : reject(new Error(data.error))));
    };
    worker.postMessage(request);
  });
}

/** The layout of a shape. The key must tell all requests apart. */
export function useLayout(key: string, request: LayoutRequest | null) {
  return useQuery({
    queryKey: ['layout', key],
    enabled: request !== null,
    // The cache beside the query is bounded by number, not by time.
    staleTime: Infinity, gcTime: 0, retry: false, structuralSharing: false,
    queryFn: async ({ signal }) => {
      const known = cache.get(key);
      if (known || !request) return { key, layout: known ?? null };
      const layout = await compute(request, request.large.length > 3_000 ? MORE_PATIENCE_MS : PATIENCE_MS, signal);
      cache.set(key, layout);
      return { key, layout };
    },
  });
}
