// SPDX-License-Identifier: Apache-2.0
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { done, notDone } from './toast';

/**
 * An action of the API: says what was done or why not, and asks again for all that is shown.
 * `words` may look at the answer.
 */
export function useAction<I, O>(run: (input: I) => Promise<O>, words: (input: I, answer: O) => string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: (answer, input) => done(words(input, answer)),
    onError: (error) => notDone(error, () => void queries.invalidateQueries()),
    onSettled: () => queries.invalidateQueries(),
  });
}
