// SPDX-License-Identifier: Apache-2.0
import { API_ROOT } from '../../api/client';

/** A command that shows this task. It reads the key from the environment, so that no key is copied. */
export function curlOf(origin: string, id: string): string {
  return `curl -H "Authorization: Bearer $PERDURE_KEY" ${origin}${API_ROOT}/task/${id}`;
}
