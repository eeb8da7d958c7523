// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench;

import dev.perdure.policy.Decision;
import dev.perdure.policy.DecisionContext;
import dev.perdure.policy.Failure;
import dev.perdure.policy.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
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
 * Measures the time and, with {@code -prof gc}, the allocation of one policy decision. Each call
 * creates a new {@link DecisionContext}, as the engine does for every row.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class DecisionBenchmark {

  /** The number of the failed attempt. A formula that loops over attempts would show here. */
  @Param({"1", "10", "1000"})
  public long attempt;

  private final RetryPolicy exponential =
      RetryPolicy.exponential(Duration.ofSeconds(1))
          .maxDelay(Duration.ofMinutes(5))
          .unlimitedRetries()
          .build();
  private final RetryPolicy http = RetryPolicy.http();
  private final Failure unavailable = Failure.http(503);
  private final Failure timeout = Failure.timeout();
  private final Duration age = Duration.ofMinutes(7);
  private final Instant now = Instant.ofEpochSecond(1_800_000_000);
  private SplittableRandom random = new SplittableRandom(42);

  /** Restarts the random numbers, so that every fork draws the same ones. */
  @Setup
  public void seed() {
    random = new SplittableRandom(42);
  }

  /** An exponential policy that treats all failures alike. */
  @Benchmark
  public Decision exponential() {
    return exponential.decide(new DecisionContext(attempt, age, now, null), timeout, random);
  }

  /** The http preset, which has matchers, exclusions and overrides. */
  @Benchmark
  public Decision httpPreset() {
    return http.decide(new DecisionContext(attempt % 4, age, now, null), unavailable, random);
  }
}
