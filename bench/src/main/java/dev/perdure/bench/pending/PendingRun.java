// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.pending;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The main class of one run: measures one contender and prints one line for {@link PendingRetries}.
 */
final class PendingRun {

  private static final Duration WARM_UP_DELAY = Duration.ofMillis(10);
  private static final int MAX_WARM_UP = 100_000;
  private static final long TIMEOUT_SECONDS = 120;

  private final AsyncContender contender;
  private final AtomicInteger retriesBegun = new AtomicInteger();
  private final List<FailOnce> calls;
  private final List<CompletionStage<String>> started;

  private PendingRun(String name, int count, Duration delay) {
    this.contender = AsyncContender.of(name, delay);
    this.calls = new ArrayList<>(count);
    this.started = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      calls.add(new FailOnce(retriesBegun));
    }
  }

  public static void main(String[] args) throws InterruptedException {
    String name = args[0];
    // Keeps class loading and, depending on the length, JIT compilation out of the measurement.
    // Several rounds are needed: classes loaded late in a round invalidate code compiled before.
    for (int left = Integer.parseInt(args[3]); left > 0; left -= MAX_WARM_UP) {
      new PendingRun(name, Math.min(left, MAX_WARM_UP), WARM_UP_DELAY).measure();
    }
    System.out.println(
        new PendingRun(name, Integer.parseInt(args[1]), Duration.parse(args[2]))
            .measure()
            .toLine());
  }

  /**
   * Measures only the heap that the contender holds: the calls and the lists exist before the first
   * measurement.
   */
  private PendingResult measure() throws InterruptedException {
    int count = calls.size();
    long heapBefore = usedHeap();
    long cpuBefore = processCpuNanos();
    long begun = System.nanoTime();
    for (FailOnce call : calls) {
      started.add(contender.start(call));
    }
    long cpuOfStart = processCpuNanos() - cpuBefore;
    long heapOfWaiting = usedHeap() - heapBefore;
    int tooEarly = retriesBegun.get();

    // Excludes the garbage collections that usedHeap() requested.
    long cpuBetween = processCpuNanos();
    int completed = await();
    long cpu = cpuOfStart + processCpuNanos() - cpuBetween;
    // The next round must not find objects of this one on the heap.
    calls.clear();
    started.clear();
    return new PendingResult(
        tooEarly == 0 ? heapOfWaiting / count : PendingResult.UNKNOWN,
        TimeUnit.NANOSECONDS.toMillis(cpu),
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun),
        completed);
  }

  private int await() throws InterruptedException {
    CountDownLatch open = new CountDownLatch(started.size());
    AtomicInteger completed = new AtomicInteger();
    for (CompletionStage<String> stage : started) {
      stage.whenComplete(
          (result, thrown) -> {
            if (thrown == null) {
              completed.incrementAndGet();
            }
            open.countDown();
          });
    }
    if (!open.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(open.getCount() + " calls did not complete");
    }
    return completed.get();
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long processCpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
