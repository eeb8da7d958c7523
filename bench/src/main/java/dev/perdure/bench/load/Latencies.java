// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import java.util.Arrays;

/** How long answers took, every one of them. */
final class Latencies {

  private static final double NANOS_PER_MS = 1e6;

  private final long[] sorted;

  private Latencies(long[] sorted) {
    this.sorted = sorted;
  }

  /** Gathers them on one thread. */
  static final class Recorder {

    private long[] nanos = new long[1024];
    private int count;

    void add(long took) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = took;
    }
  }

  static Latencies of(Iterable<Recorder> recorders) {
    int all = 0;
    for (Recorder recorder : recorders) {
      all += recorder.count;
    }
    long[] sorted = new long[all];
    int filled = 0;
    for (Recorder recorder : recorders) {
      System.arraycopy(recorder.nanos, 0, sorted, filled, recorder.count);
      filled += recorder.count;
    }
    Arrays.sort(sorted);
    return new Latencies(sorted);
  }

  int count() {
    return sorted.length;
  }

  /** The milliseconds within which this part of them came, 1 for all. */
  double percentileMillis(double part) {
    if (sorted.length == 0) {
      throw new IllegalStateException("nothing was answered");
    }
    int index = (int) Math.ceil(part * sorted.length) - 1;
    return sorted[Math.clamp(index, 0, sorted.length - 1)] / NANOS_PER_MS;
  }
}
