// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Everything that a node uses besides the store.
 *
 * @param clock orders ids; nothing is decided by it
 * @param monotonic the clock that the node measures time by
 * @param random generates ids
 * @param executor runs handlers, deliveries and batched writes
 */
public record EngineEnvironment(
    InstantSource clock,
    MonotonicClock monotonic,
    RandomGenerator random,
    EngineExecutor executor) {

  /** A clock that never goes back, from an arbitrary origin. */
  @FunctionalInterface
  public interface MonotonicClock {
    Duration now();
  }
}
