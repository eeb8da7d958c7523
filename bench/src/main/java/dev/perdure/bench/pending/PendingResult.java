// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import java.util.List;

/**
 * The result of one run.
 *
 * @param heapBytes heap per waiting call, or {@link #UNKNOWN} if retries began before the heap was
 *     measured
 * @param cpuMillis CPU time of the whole process, without the garbage collections that the
 *     benchmark itself requests
 * @param wallMillis time from the first call to the last completion
 * @param completed number of calls that succeeded
 */
record PendingResult(long heapBytes, long cpuMillis, long wallMillis, long completed) {

  static final long UNKNOWN = -1;

  private static final String LINE_PREFIX = "result";

  String toLine() {
    return "%s %d %d %d %d".formatted(LINE_PREFIX, heapBytes, cpuMillis, wallMillis, completed);
  }

  /** Finds the result among the lines that a run printed. */
  static PendingResult parse(List<String> lines) {
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words.length == 5 && words[0].equals(LINE_PREFIX)) {
        return new PendingResult(
            Long.parseLong(words[1]),
            Long.parseLong(words[2]),
            Long.parseLong(words[3]),
            Long.parseLong(words[4]));
      }
    }
    throw new IllegalStateException("The run printed no result:\n" + String.join("\n", lines));
  }
}
