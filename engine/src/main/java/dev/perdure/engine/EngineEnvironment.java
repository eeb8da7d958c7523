// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Everything a node takes from the world around it besides the store.
 *
 * @param clock orders ids; nothing is decided by it
 * @param monotonic time that only moves on, since any instant; the node times itself by it
 * @param random makes ids
 * @param executor where handlers run
 */
public record EngineEnvironment(
    InstantSource clock,
    MonotonicClock monotonic,
    RandomGenerator random,
    EngineExecutor executor) {

  /** Time that never goes back. */
  @FunctionalInterface
  public interface MonotonicClock {
    Duration now();
  }
}
