// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import java.util.List;

/**
 * What one run measured.
 *
 * @param heapBytes heap held by one waiting call, or {@link #UNKNOWN} when retries had begun before
 *     the heap was measured
 * @param cpuMillis processor time of the whole process, without our own collections
 * @param wallMillis from the first start to the last end
 * @param completed calls that went well
 */
record PendingResult(long heapBytes, long cpuMillis, long wallMillis, long completed) {

  static final long UNKNOWN = -1;

  private static final String LINE_PREFIX = "figures";

  String toLine() {
    return "%s %d %d %d %d".formatted(LINE_PREFIX, heapBytes, cpuMillis, wallMillis, completed);
  }

  /** The figures among the lines that a run printed. */
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
    throw new IllegalStateException("the run printed no figures:\n" + String.join("\n", lines));
  }
}
