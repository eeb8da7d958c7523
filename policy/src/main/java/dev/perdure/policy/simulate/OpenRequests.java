// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.util.Arrays;

/**
 * The requests that are neither answered nor given up. Each has a numbered slot, which is reused
 * when the request is closed. Arrays of primitives, because there can be hundreds of thousands.
 */
final class OpenRequests {

  static final long NO_DELAY = -1;

  private long[] arrived = new long[1_024];
  private long[] delays = new long[1_024];
  private int[] attempts = new int[1_024];
  private int[] clients = new int[1_024];
  private int[] free = new int[1_024];
  private int freeCount;
  private int used;

  /** Opens a request at attempt 0 and returns its slot. */
  int open(long now, int client) {
    int slot = freeCount > 0 ? free[--freeCount] : fresh();
    arrived[slot] = now;
    clients[slot] = client;
    attempts[slot] = 0;
    delays[slot] = NO_DELAY;
    return slot;
  }

  private int fresh() {
    if (used == arrived.length) {
      arrived = Arrays.copyOf(arrived, used * 2);
      delays = Arrays.copyOf(delays, used * 2);
      attempts = Arrays.copyOf(attempts, used * 2);
      clients = Arrays.copyOf(clients, used * 2);
      free = Arrays.copyOf(free, used * 2);
    }
    return used++;
  }

  void close(int slot) {
    free[freeCount++] = slot;
  }

  /** Records that a retry follows, this many milliseconds after the failure. */
  void retryAfter(int slot, long delayMillis) {
    attempts[slot]++;
    delays[slot] = delayMillis;
  }

  int count() {
    return used - freeCount;
  }

  long arrived(int slot) {
    return arrived[slot];
  }

  int attempt(int slot) {
    return attempts[slot];
  }

  int client(int slot) {
    return clients[slot];
  }

  /** Returns the delay before the current attempt in milliseconds, or {@link #NO_DELAY}. */
  long previousDelay(int slot) {
    return delays[slot];
  }
}
