// SPDX-License-Identifier: Apache-2.0
package dev.perdure.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Tasks that do nothing, for a server to show how quick it is: each is submitted by a request of
 * its own, and when all are there they are claimed and settled as a remote worker does it.
 */
public final class LoadGenerator {

  /**
   * How it went.
   *
   * @param submittedPerSecond tasks a second
   * @param median how long half of the submissions took at most
   * @param p99 how long 99 of 100 took at most
   * @param settledPerSecond tasks a second
   */
  public record Round(
      double submittedPerSecond, Duration median, Duration p99, double settledPerSecond) {}

  private static final int CLAIM_LIMIT = 50;
  private static final int MAX_BULK_REQUESTS = 100;
  private static final String LIVE = String.join(",", StatusCounts.LIVE);

  private final PerdureClient perdureClient;
  private final String kind;
  private final int connections;
  private final Supplier<Duration> clock;
  private final BooleanSupplier isExpired;
  private boolean started;

  /**
   * @param kind of the tasks; nobody else's, or others would take them
   * @param connections how many ask at once
   * @param clock time that never goes back
   * @param isOver whether the time is up; no request is broken off then, and none is made
   */
  public LoadGenerator(
      PerdureClient perdureClient,
      String kind,
      int connections,
      Supplier<Duration> clock,
      BooleanSupplier isOver) {
    this.perdureClient = perdureClient;
    this.kind = kind;
    this.connections = connections;
    this.clock = clock;
    this.isExpired = isOver;
  }

  public String kind() {
    return kind;
  }

  /** Throws when the tasks could not be claimed, before any is there. */
  public void checkAccess() {
    claim("0s");
  }

  /**
   * Does so many tasks; empty when the time is up before. Those that somebody else ends meanwhile
   * are not waited for.
   *
   * @param progress told how many are submitted or settled, twice as many in all, by any thread
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

  private void submit(AtomicInteger left, long[] took, Runnable step) {
    String task = "{\"kind\": \"%s\"}".formatted(kind);
    int next = left.decrementAndGet();
    while (next >= 0 && !isExpired.getAsBoolean()) {
      Duration begin = clock.get();
      perdureClient.send("POST", "/task", task);
      took[next] = clock.get().minus(begin).toNanos();
      step.run();
      next = left.decrementAndGet();
    }
  }

  private void settle(AtomicInteger unsettled, Runnable step) {
    while (unsettled.get() > 0 && !isExpired.getAsBoolean()) {
      JsonNode claimed = claim("100ms");
      if (claimed.isEmpty() && !isAnyLive()) {
        return;
      }
      for (JsonNode task : claimed) {
        succeed(task);
        unsettled.decrementAndGet();
        step.run();
      }
    }
  }

  private JsonNode claim(String wait) {
    String claim =
        "{\"worker\": \"bench\", \"kinds\": [\"%s\"], \"limit\": %d, \"wait\": \"%s\"}"
            .formatted(kind, CLAIM_LIMIT, wait);
    return perdureClient.send("POST", "/task/claim", claim).json();
  }

  private void succeed(JsonNode task) {
    try {
      perdureClient.send(
          "PATCH",
          "/task/" + task.path("id").asString(),
          "{\"status\": \"Success\", \"epoch\": %d}".formatted(task.path("epoch").asLong()));
    } catch (ApiException e) {
      // Somebody else has ended it: so it is done.
      if (!e.isNotFoundOrConflict()) {
        throw e;
      }
    }
  }

  private boolean isAnyLive() {
    Map<String, @Nullable String> query = new LinkedHashMap<>();
    query.put("kind", kind);
    query.put("status", LIVE);
    query.put("page_size", "1");
    return perdureClient.get("/task", query).total() > 0;
  }

  /** Cancels what a round that broke off has left. */
  public void cancelRemaining() {
    String bulk =
        "{\"action\": \"cancel\", \"filter\": {\"kind\": \"%s\", \"status\": \"%s\"}}"
            .formatted(kind, LIVE);
    boolean more = started;
    for (int i = 0; more && i < MAX_BULK_REQUESTS; i++) {
      more = perdureClient.send("POST", "/task/bulk", bulk).json().path("next").isString();
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
        // All have ended, or the rest is not wanted any more.
        threads.shutdownNow();
      }
    }
  }

  private static double rate(int tasks, Duration time) {
    return tasks * 1e9 / Math.max(1, time.toNanos());
  }
}
