// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import dev.perdure.bench.durable.BenchDatabase;
import dev.perdure.bench.durable.MedianRange;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares the latency of the API while callees hang with its latency before. Each kind of request
 * is sent at a constant rate on its own connection. Latency counts from when a request was due.
 */
final class HangingCalleeScenario {

  private static final double PERCENTILE = 0.99;
  private static final int WARM_UP_CONNECTIONS = 8;
  private static final Duration WARM_UP = Duration.ofSeconds(1);
  private static final Duration MAX_TIME_BEFORE = Duration.ofSeconds(15);

  private final LoadOptions options;
  private final int maxConcurrentCalls;
  private final List<Round> rounds = new ArrayList<>();
  private final AtomicReference<CountDownLatch> gate = new AtomicReference<>(new CountDownLatch(0));

  HangingCalleeScenario(LoadOptions options, int maxConcurrentCalls) {
    this.options = options;
    this.maxConcurrentCalls = maxConcurrentCalls;
  }

  /** The result of one round, with one run per kind of request. */
  record Round(List<LoadRun> before, List<LoadRun> hanging) {

    double ratio(int request) {
      return millis(hanging, request) / millis(before, request);
    }

    static double millis(List<LoadRun> runs, int request) {
      return runs.get(request).latencies().percentileMillis(PERCENTILE);
    }
  }

  List<Round> rounds() {
    return List.copyOf(rounds);
  }

  void run(StoreKind store) throws Exception {
    try (BenchDatabase database = store.create();
        StubCallee callee = StubCallee.open(this::hang);
        MeasuredServer server =
            MeasuredServer.start(
                options, database.url(), "--worker-webhook-concurrency=" + maxConcurrentCalls)) {
      List<RequestSource> requestSources = requestSources(server);
      for (RequestSource kind : requestSources) {
        LoadRun.closedLoop(
            server.port(),
            WARM_UP_CONNECTIONS,
            options.warmUp.dividedBy(requestSources.size()),
            kind);
      }
      store.analyze(database);
      measure(server, requestSources, WARM_UP);
      for (int i = 0; i < options.rounds; i++) {
        rounds.add(round(server, callee, requestSources));
        long ended = (i + 1L) * options.hangingCallees;
        Await.until(
            ended + " tasks have ended",
            () ->
                database.queryLong(
                        "SELECT count(*) FROM perdure_task_state WHERE state = 'success'")
                    == ended);
      }
    }
  }

  private static List<RequestSource> requestSources(MeasuredServer server) throws IOException {
    String made = server.request("POST", "/task", "{\"kind\":\"noop\"}", 201);
    String id = JsonMapper.shared().readTree(made).path(0).path("id").asString();
    int port = server.port();
    return List.of(
        RequestSource.getTask(port, id),
        RequestSource.submitTask(port),
        RequestSource.getHealth(port));
  }

  private void hang(String target, StubCallee.Reply reply)
      throws IOException, InterruptedException {
    gate.get().await();
    reply.ok();
  }

  private Round round(MeasuredServer server, StubCallee callee, List<RequestSource> requestSources)
      throws Exception {
    List<LoadRun> before =
        measure(
            server,
            requestSources,
            options.hangTime.compareTo(MAX_TIME_BEFORE) < 0 ? options.hangTime : MAX_TIME_BEFORE);
    CountDownLatch closed = new CountDownLatch(1);
    gate.set(closed);
    long began = System.nanoTime();
    submit(server, callee);
    int held = Math.min(options.hangingCallees, maxConcurrentCalls);
    Await.until(held + " callees hang", () -> callee.openCalls() == held);
    Duration left = options.hangTime.minusNanos(System.nanoTime() - began);
    List<LoadRun> hanging = measure(server, requestSources, left);
    if (callee.openCalls() != held) {
      throw new IllegalStateException("Only %d callees still hang".formatted(callee.openCalls()));
    }
    closed.countDown();
    callee.requireNoFailure();
    return new Round(before, hanging);
  }

  private void submit(MeasuredServer server, StubCallee callee) throws IOException {
    String task = "{\"kind\":\"slow\",\"on_start\":" + callee.action("/slow", "response") + "}";
    String all = String.join(",", Collections.nCopies(options.hangingCallees, task));
    server.request("POST", "/task", "[" + all + "]", 201);
  }

  /** Sends all kinds of requests at the same time. */
  private List<LoadRun> measure(
      MeasuredServer server, List<RequestSource> requestSources, Duration time)
      throws IOException, InterruptedException {
    List<Callable<LoadRun>> parts = new ArrayList<>();
    for (RequestSource kind : requestSources) {
      parts.add(() -> LoadRun.constantRate(server.port(), options.requestsPerSecond, time, kind));
    }
    return LoadRun.runAll(parts);
  }

  void print(PrintStream out, StoreKind store) {
    out.printf(
        "%n%d callees hang for %d s, %d concurrent calls, on %s, %d requests per second and kind;"
            + " p99 of %d rounds in ms, median (min–max)%n",
        options.hangingCallees,
        options.hangTime.toSeconds(),
        maxConcurrentCalls,
        store.name(),
        options.requestsPerSecond,
        options.rounds);
    out.printf("%-16s %24s %24s %24s%n", "", "before", "while they hang", "ratio");
    List<String> names = List.of("GET /task/{id}", "POST /task", "GET /health");
    for (int i = 0; i < names.size(); i++) {
      int request = i;
      out.printf(
          "%-16s %24s %24s %24s%n",
          names.get(i),
          MedianRange.of(rounds, r -> Round.millis(r.before(), request)).format("%.2f"),
          MedianRange.of(rounds, r -> Round.millis(r.hanging(), request)).format("%.2f"),
          MedianRange.of(rounds, r -> r.ratio(request)).format("%.2f"));
    }
  }
}
