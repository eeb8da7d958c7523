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
 * What does it cost to be ready for a failure that does not come, and how much does it allocate
 * (run with {@code -prof gc})? This is nearly every call.
 *
 * <p>A compiler that sees through a whole call removes what the library allocates. It cannot when
 * the same {@code Retry} serves several lambdas: {@link #megamorphic} shows that side.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class SuccessPathBenchmark {

  /** Who retries. */
  @Param({"loop", "perdure", "resilience4j", "spring", "failsafe", "spring-retry"})
  public String contender = "";

  @SuppressWarnings("NullAway.Init") // Set by configure(), before anything else.
  private SyncContender retrying;

  private int turn;

  /** One contender in each fork. */
  @Setup
  public void configure() {
    retrying = SyncContender.of(contender, new Operation.Succeeding());
  }

  /** One lambda, at one place. */
  @Benchmark
  public String plain() throws Exception {
    return retrying.call();
  }

  /** Three lambdas in turn. */
  @Benchmark
  public String megamorphic() throws Exception {
    turn = turn == 2 ? 0 : turn + 1;
    return retrying.callMegamorphic(turn);
  }
}
