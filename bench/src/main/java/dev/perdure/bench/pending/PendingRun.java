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
 * One run of one contender, in a process of its own; prints one line for {@link PendingRetries}.
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
    // So that the loading of classes, and more or less of the compiling, is not counted as a
    // call's. In rounds: what a later part of one loads undoes some of the compiling before it.
    for (int left = Integer.parseInt(args[3]); left > 0; left -= MAX_WARM_UP) {
      new PendingRun(name, Math.min(left, MAX_WARM_UP), WARM_UP_DELAY).measure();
    }
    System.out.println(
        new PendingRun(name, Integer.parseInt(args[1]), Duration.parse(args[2]))
            .measure()
            .toLine());
  }

  /** Only what the contender keeps is counted: calls and lists were there before. */
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

    // The collections in between are ours, not the contender's.
    long cpuBetween = processCpuNanos();
    int completed = await();
    long cpu = cpuOfStart + processCpuNanos() - cpuBetween;
    // Nothing of this round may lie in the heap of the next.
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
      throw new IllegalStateException(open.getCount() + " calls did not end");
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
