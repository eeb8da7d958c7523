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
 * What do two retries cost, and how much do they allocate (run with {@code -prof gc})? The call
 * fails twice and then goes well; there is no delay, and the exception is made once without a stack
 * trace, so that the rest is the library's own work: deciding, remembering, telling.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class TwoFailuresBenchmark {

  /** Who retries. */
  @Param({"loop", "perdure", "resilience4j", "spring", "failsafe", "spring-retry"})
  public String contender = "";

  @SuppressWarnings("NullAway.Init") // Set by configure(), before anything else.
  private SyncContender retrying;

  /** One contender in each fork. */
  @Setup
  public void configure() {
    retrying = SyncContender.of(contender, new Operation.FailingTwice());
  }

  /** Three attempts. */
  @Benchmark
  public String twoFailures() throws Exception {
    return retrying.call();
  }
}
