// SPDX-License-Identifier: Apache-2.0
import type { BatchFilters } from '../../api/batches';
import type { Cursor } from '../../api/link';

/** Keeps what the list of batches understands of the URL. */
export function batchesSearch(raw: Record<string, unknown>): BatchFilters & Cursor {
  return {
    ...(raw.state === 'live' || raw.state === 'ended' ? { state: raw.state } : {}),
    ...(typeof raw.name === 'string' && raw.name !== '' ? { name: raw.name } : {}),
    ...(typeof raw.after === 'string' ? { after: raw.after } : {}),
    ...(typeof raw.page === 'string' && /^\d+$/.test(raw.page) ? { page: raw.page } : {}),
  };
}
