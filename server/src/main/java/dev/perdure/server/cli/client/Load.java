// SPDX-License-Identifier: Apache-2.0
package dev.perdure.server.cli.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * Tasks that do nothing, for a server to show how quick it is: each is submitted by a request of
 * its own, and when all are there they are claimed and settled as a remote worker does it.
 */
public final class Load {

  /**
   * How it went.
   *
   * @param submitted tasks a second
   * @param median how long half of the submissions took at most
   * @param p99 how long 99 of 100 took at most
   * @param settled tasks a second
   */
  public record Round(double submitted, Duration median, Duration p99, double settled) {}

  private static final int CLAIMED_AT_ONCE = 50;

  private final Client client;
  private final int connections;
  private final Supplier<Duration> clock;

  /**
   * @param connections how many ask at once
   * @param clock time that never goes back
   */
  public Load(Client client, int connections, Supplier<Duration> clock) {
    this.client = client;
    this.connections = connections;
    this.clock = clock;
  }

  /**
   * Does so many tasks.
   *
   * @param kind nobody else's, or others would take them
   */
  public Round round(String kind, int tasks) throws InterruptedException {
    AtomicInteger left = new AtomicInteger(tasks);
    long[] took = new long[tasks];
    Duration begin = clock.get();
    together(() -> submit(kind, left, took));
    Duration submitted = clock.get();
    AtomicInteger unsettled = new AtomicInteger(tasks);
    together(() -> settle(kind, unsettled));
    Duration end = clock.get();
    Arrays.sort(took);
    return new Round(
        rate(tasks, submitted.minus(begin)),
        Duration.ofNanos(took[tasks / 2]),
        Duration.ofNanos(took[(int) (tasks * 99L / 100)]),
        rate(tasks, end.minus(submitted)));
  }

  private void submit(String kind, AtomicInteger left, long[] took) {
    String task = "{\"kind\": \"%s\"}".formatted(kind);
    for (int next = left.decrementAndGet(); next >= 0; next = left.decrementAndGet()) {
      Duration begin = clock.get();
      client.send("POST", "/task", task);
      took[next] = clock.get().minus(begin).toNanos();
    }
  }

  private void settle(String kind, AtomicInteger unsettled) {
    String claim =
        "{\"worker\": \"bench\", \"kinds\": [\"%s\"], \"limit\": %d, \"wait\": \"100ms\"}"
            .formatted(kind, CLAIMED_AT_ONCE);
    while (unsettled.get() > 0) {
      for (JsonNode task : client.send("POST", "/task/claim", claim).json()) {
        client.send(
            "PATCH",
            "/task/" + task.path("id").asString(),
            "{\"status\": \"Success\", \"epoch\": %d}".formatted(task.path("epoch").asLong()));
        unsettled.decrementAndGet();
      }
    }
  }

  private void together(Runnable work) throws InterruptedException {
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
        threads.shutdownNow();
        throw e.getCause() instanceof RuntimeException known
            ? known
            : new IllegalStateException(e.getCause());
      }
    }
  }

  private static double rate(int tasks, Duration time) {
    return tasks * 1e9 / Math.max(1, time.toNanos());
  }
}
