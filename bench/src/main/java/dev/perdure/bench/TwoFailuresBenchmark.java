// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the time and, with {@code -prof gc}, the allocation of two retries. The call fails twice
 * and then succeeds. There is no delay, and the exception is created once without a stack trace, so
 * that only the work of the library remains.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class TwoFailuresBenchmark {

  /** The library that retries. */
  @Param({"loop", "perdure", "resilience4j", "spring", "failsafe", "spring-retry"})
  public String contender = "";

  @SuppressWarnings("NullAway.Init") // Set by configure() before the first call.
  private SyncContender retrying;

  /** Loads only this contender into the fork. */
  @Setup
  public void configure() {
    retrying = SyncContender.of(contender, new Operation.FailingTwice());
  }

  /** One call with three attempts. */
  @Benchmark
  public String twoFailures() throws Exception {
    return retrying.call();
  }
}
