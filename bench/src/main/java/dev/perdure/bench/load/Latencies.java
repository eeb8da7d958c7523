// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import java.util.Arrays;

/** The latencies of all requests of a run. */
final class Latencies {

  private static final double NANOS_PER_MS = 1e6;

  private final long[] sorted;

  private Latencies(long[] sorted) {
    this.sorted = sorted;
  }

  /** Collects the latencies of one thread. */
  static final class Recorder {

    private long[] nanos = new long[1024];
    private int count;

    void add(long latency) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = latency;
    }
  }

  static Latencies of(Iterable<Recorder> recorders) {
    int total = 0;
    for (Recorder recorder : recorders) {
      total += recorder.count;
    }
    long[] sorted = new long[total];
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

  /** A percentile in milliseconds, from 0 to 1: 0.99 is p99, 1 is the maximum. */
  double percentileMillis(double percentile) {
    if (sorted.length == 0) {
      throw new IllegalStateException("No request got a response");
    }
    int index = (int) Math.ceil(percentile * sorted.length) - 1;
    return sorted[Math.clamp(index, 0, sorted.length - 1)] / NANOS_PER_MS;
  }
}
