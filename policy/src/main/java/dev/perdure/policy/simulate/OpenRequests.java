// SPDX-License-Identifier: Apache-2.0
package dev.perdure.policy.simulate;

import java.util.Arrays;

/**
 * The requests that are neither answered nor given up, each in a numbered place; a place is used
 * again when its request is closed. Arrays of primitives, since there may be hundreds of thousands.
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

  /** The place of a new request, at its attempt 0. */
  int open(long now, int client) {
    int place = freeCount > 0 ? free[--freeCount] : fresh();
    arrived[place] = now;
    clients[place] = client;
    attempts[place] = 0;
    delays[place] = NO_DELAY;
    return place;
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

  void close(int place) {
    free[freeCount++] = place;
  }

  /** A retry is on its way, so many milliseconds after the failure. */
  void retryAfter(int place, long delayMillis) {
    attempts[place]++;
    delays[place] = delayMillis;
  }

  int count() {
    return used - freeCount;
  }

  long arrived(int place) {
    return arrived[place];
  }

  int attempt(int place) {
    return attempts[place];
  }

  int client(int place) {
    return clients[place];
  }

  /** The delay before the current attempt in milliseconds, or {@link #NO_DELAY}. */
  long previousDelay(int place) {
    return delays[place];
  }
}
