// SPDX-License-Identifier: Apache-2.0
package dev.perdure.engine;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;

/** The real clock, random source and threads. No other class of the engine uses them directly. */
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
