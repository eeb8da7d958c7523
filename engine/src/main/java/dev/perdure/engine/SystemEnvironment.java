// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;

/** The real world: the only place of the engine that reads a clock or makes a random source. */
final class SystemEnvironment {

  private SystemEnvironment() {}

  static EngineEnvironment create() {
    long origin = System.nanoTime();
    return new EngineEnvironment(
        InstantSource.system(),
        () -> Duration.ofNanos(System.nanoTime() - origin),
        new SecureRandom(),
        EngineExecutor.virtualThreads());
  }
}
