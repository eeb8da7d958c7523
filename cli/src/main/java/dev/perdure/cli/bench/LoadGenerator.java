// SPDX-License-Identifier: Apache-2.0
package dev.perdure.cli.bench;

import dev.perdure.client.ApiException;
import dev.perdure.client.BulkOperation;
import dev.perdure.client.BulkResult;
import dev.perdure.client.ClaimOptions;
import dev.perdure.client.ClaimedTask;
import dev.perdure.client.PerdureClient;
import dev.perdure.client.TaskSearch;
import dev.perdure.client.TaskStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Submits empty tasks, one request each, then claims and settles them as a remote worker does, to
 * measure how fast a server is.
 */
public final class LoadGenerator {

  /**
   * The measurements of one round.
   *
   * @param submittedPerSecond tasks submitted per second
   * @param median the median time of a submission
   * @param p99 the time that 99 % of the submissions stayed within
   * @param settledPerSecond tasks claimed and settled per second
   */
  public record Round(
      double submittedPerSecond, Duration median, Duration p99, double settledPerSecond) {}

  private static final int CLAIM_LIMIT = 50;
  private static final int MAX_BULK_REQUESTS = 100;

  private final PerdureClient client;
  private final String kind;
  private final int connections;
  private final Supplier<Duration> clock;
  private final BooleanSupplier isExpired;
  private boolean started;

  /**
   * @param kind a kind of its own, so that no other worker takes the tasks
   * @param connections how many requests run at once
   * @param clock a monotonic clock
   * @param isExpired whether the time is up: then no new request starts, and running ones finish
   */
  public LoadGenerator(
      PerdureClient client,
      String kind,
      int connections,
      Supplier<Duration> clock,
      BooleanSupplier isExpired) {
    this.client = client;
    this.kind = kind;
    this.connections = connections;
    this.clock = clock;
    this.isExpired = isExpired;
  }

  public String kind() {
    return kind;
  }

  /** Throws when the server does not let this client claim tasks; no task exists by then. */
  public void checkAccess() {
    claim(Duration.ZERO);
  }

  /**
   * Submits and settles tasks. Does not wait for tasks that someone else ends meanwhile.
   *
   * @param progress receives the number of submissions and settlements so far, twice the number of
   *     tasks at the end; called from any thread
   * @return empty when the time is up before the round has ended
   */
  public Optional<Round> runRound(int tasks, IntConsumer progress) throws InterruptedException {
    started = true;
    AtomicInteger done = new AtomicInteger();
    Runnable step = () -> progress.accept(done.incrementAndGet());
    AtomicInteger left = new AtomicInteger(tasks);
    long[] took = new long[tasks];
    Duration begin = clock.get();
    inParallel(() -> submit(left, took, step));
    Duration submitted = clock.get();
    AtomicInteger unsettled = new AtomicInteger(tasks);
    inParallel(() -> settle(unsettled, step));
    Duration end = clock.get();
    if (isExpired.getAsBoolean()) {
      return Optional.empty();
    }
    Arrays.sort(took);
    return Optional.of(
        new Round(
            rate(tasks, submitted.minus(begin)),
            Duration.ofNanos(took[tasks / 2]),
            Duration.ofNanos(took[(int) (tasks * 99L / 100)]),
            rate(tasks, end.minus(submitted))));
  }

  /** Without an idempotency key, whose bookkeeping would be measured too. */
  private void submit(AtomicInteger left, long[] took, Runnable step) {
    ObjectNode task = JsonNodeFactory.instance.objectNode().put("kind", kind);
    int next = left.decrementAndGet();
    while (next >= 0 && !isExpired.getAsBoolean()) {
      Duration begin = clock.get();
      client.send("POST", "/task", task);
      took[next] = clock.get().minus(begin).toNanos();
      step.run();
      next = left.decrementAndGet();
    }
  }

  private void settle(AtomicInteger unsettled, Runnable step) {
    while (unsettled.get() > 0 && !isExpired.getAsBoolean()) {
      List<ClaimedTask> claimed = claim(Duration.ofMillis(100));
      if (claimed.isEmpty() && !isAnyLive()) {
        return;
      }
      for (ClaimedTask task : claimed) {
        succeed(task);
        unsettled.decrementAndGet();
        step.run();
      }
    }
  }

  private List<ClaimedTask> claim(Duration maxWait) {
    return client.claim(ClaimOptions.of("bench", kind).withLimit(CLAIM_LIMIT).withMaxWait(maxWait));
  }

  private void succeed(ClaimedTask task) {
    try {
      client.succeed(task.attempt(), null);
    } catch (ApiException e) {
      // Someone else has ended the task, so it is done.
      if (!e.isNotFound() && !e.isConflict()) {
        throw e;
      }
    }
  }

  private TaskSearch live() {
    return TaskSearch.all().kind(kind).status(TaskStatus.live().toArray(TaskStatus[]::new));
  }

  private boolean isAnyLive() {
    return !client.list(live().pageSize(1)).items().isEmpty();
  }

  /** Cancels the tasks that an unfinished round left behind. */
  public void cancelRemaining() {
    boolean more = started;
    String after = null;
    for (int i = 0; more && i < MAX_BULK_REQUESTS; i++) {
      BulkResult result = client.bulk(BulkOperation.CANCEL, live(), after);
      after = result.next();
      more = after != null;
    }
  }

  private void inParallel(Runnable work) throws InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        all.add(threads.submit(work));
      }
      try {
        for (Future<?> one : all) {
          one.get();
        }
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException known
            ? known
            : new IllegalStateException(e.getCause());
      } finally {
        // Either all have ended, or one failed and the others are no longer needed.
        threads.shutdownNow();
      }
    }
  }

  private static double rate(int tasks, Duration time) {
    return tasks * 1e9 / Math.max(1, time.toNanos());
  }
}
