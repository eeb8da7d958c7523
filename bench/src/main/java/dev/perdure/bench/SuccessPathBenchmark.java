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
 * Measures the time and, with {@code -prof gc}, the allocation of a retried call that succeeds at
 * once, as nearly all calls do.
 *
 * <p>When the compiler can inline the whole call, it removes the allocations of the library. It
 * cannot do so when one {@code Retry} runs several lambdas: {@link #megamorphic} measures that
 * case.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class SuccessPathBenchmark {

  /** The library that retries. */
  @Param({"loop", "perdure", "resilience4j", "spring", "failsafe", "spring-retry"})
  public String contender = "";

  @SuppressWarnings("NullAway.Init") // Set by configure() before the first call.
  private SyncContender retrying;

  private int turn;

  /** Loads only this contender into the fork. */
  @Setup
  public void configure() {
    retrying = SyncContender.of(contender, new Operation.Succeeding());
  }

  /** One lambda at one call site. */
  @Benchmark
  public String plain() throws Exception {
    return retrying.call();
  }

  /** Three lambdas in turn at one call site. */
  @Benchmark
  public String megamorphic() throws Exception {
    turn = turn == 2 ? 0 : turn + 1;
    return retrying.callMegamorphic(turn);
  }
}
