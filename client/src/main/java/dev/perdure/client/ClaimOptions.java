// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Duration;
import java.util.List;

/**
 * What a worker asks for when it claims tasks.
 *
 * @param worker the worker's name, for people
 * @param kinds the kinds it can run
 * @param limit the most tasks to claim at once
 * @param lease how long the worker may be silent before the server considers it lost
 * @param maxWait how long the server waits for a task when none is due; at most 60 seconds
 */
public record ClaimOptions(
    String worker, List<String> kinds, int limit, Duration lease, Duration maxWait) {

  private static final Duration DEFAULT_LEASE = Duration.ofSeconds(60);
  private static final Duration DEFAULT_WAIT = Duration.ofSeconds(30);

  public ClaimOptions {
    kinds = List.copyOf(kinds);
  }

  /** One task at a time, with a lease of 60 seconds; the server waits up to 30 seconds for one. */
  public static ClaimOptions of(String worker, String... kinds) {
    return new ClaimOptions(worker, List.of(kinds), 1, DEFAULT_LEASE, DEFAULT_WAIT);
  }

  public ClaimOptions withLimit(int value) {
    return new ClaimOptions(worker, kinds, value, lease, maxWait);
  }

  public ClaimOptions withLease(Duration value) {
    return new ClaimOptions(worker, kinds, limit, value, maxWait);
  }

  public ClaimOptions withMaxWait(Duration value) {
    return new ClaimOptions(worker, kinds, limit, lease, value);
  }
}
