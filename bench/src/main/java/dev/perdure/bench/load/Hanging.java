// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.load;

import dev.perdure.bench.durable.Database;
import dev.perdure.bench.durable.Spread;
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
 * How soon the API answers while callees hang, beside how soon it answers when none does. The
 * requests come at a steady rate, each kind on a connection of its own, and are counted from when
 * they were due.
 */
final class Hanging {

  private static final double PART = 0.99;
  private static final int WARM_UP_CONNECTIONS = 8;
  private static final Duration SPARE = Duration.ofSeconds(1);
  private static final Duration CALM = Duration.ofSeconds(15);

  private final Options options;
  private final int atOnce;
  private final List<Round> rounds = new ArrayList<>();
  private final AtomicReference<CountDownLatch> gate = new AtomicReference<>(new CountDownLatch(0));

  Hanging(Options options, int atOnce) {
    this.options = options;
    this.atOnce = atOnce;
  }

  /** What one round brought: a drive for each kind of question. */
  record Round(List<Drive> calm, List<Drive> hanging) {

    double ratio(int question) {
      return millis(hanging, question) / millis(calm, question);
    }

    static double millis(List<Drive> drives, int question) {
      return drives.get(question).latencies().millis(PART);
    }
  }

  List<Round> rounds() {
    return List.copyOf(rounds);
  }

  void run(Store store) throws Exception {
    try (Database database = store.create();
        Callee callee = Callee.open(this::hang);
        LoadedServer server =
            LoadedServer.start(options, database.url(), "--worker-webhook-concurrency=" + atOnce)) {
      List<Questions> questions = questions(server);
      for (Questions kind : questions) {
        Drive.flatOut(
            server.port(), WARM_UP_CONNECTIONS, options.warmUp.dividedBy(questions.size()), kind);
      }
      store.analyze(database);
      measure(server, questions, SPARE);
      for (int i = 0; i < options.rounds; i++) {
        rounds.add(round(server, callee, questions));
        long ended = (i + 1L) * options.hanging;
        Waiting.until(
            ended + " tasks have ended",
            () ->
                database.number("SELECT count(*) FROM perdure_task_state WHERE state = 'success'")
                    == ended);
      }
    }
  }

  private static List<Questions> questions(LoadedServer server) throws IOException {
    String made = server.ask("POST", "/task", "{\"kind\":\"noop\"}", 201);
    String id = JsonMapper.shared().readTree(made).path(0).path("id").asString();
    int port = server.port();
    return List.of(Questions.task(port, id), Questions.post(port), Questions.health(port));
  }

  private void hang(String target, Callee.Reply reply) throws IOException, InterruptedException {
    gate.get().await();
    reply.ok();
  }

  private Round round(LoadedServer server, Callee callee, List<Questions> questions)
      throws Exception {
    List<Drive> calm =
        measure(server, questions, options.hang.compareTo(CALM) < 0 ? options.hang : CALM);
    CountDownLatch closed = new CountDownLatch(1);
    gate.set(closed);
    long began = System.nanoTime();
    submit(server, callee);
    int held = Math.min(options.hanging, atOnce);
    Waiting.until(held + " callees hang", () -> callee.inside() == held);
    Duration left = options.hang.minusNanos(System.nanoTime() - began);
    List<Drive> hanging = measure(server, questions, left);
    if (callee.inside() != held) {
      throw new IllegalStateException("only %d callees hang still".formatted(callee.inside()));
    }
    closed.countDown();
    callee.requireWell();
    return new Round(calm, hanging);
  }

  private void submit(LoadedServer server, Callee callee) throws IOException {
    String task = "{\"kind\":\"slow\",\"on_start\":" + callee.action("/slow", "response") + "}";
    String all = String.join(",", Collections.nCopies(options.hanging, task));
    server.ask("POST", "/task", "[" + all + "]", 201);
  }

  /** All kinds at the same time. */
  private List<Drive> measure(LoadedServer server, List<Questions> questions, Duration time)
      throws IOException, InterruptedException {
    List<Callable<Drive>> parts = new ArrayList<>();
    for (Questions kind : questions) {
      parts.add(() -> Drive.paced(server.port(), options.rate, time, kind));
    }
    return Drive.all(parts);
  }

  void print(PrintStream out, Store store) {
    out.printf(
        "%n%d callees hang for %d s, %d called at once, on %s; %d a second of each; p99 of %d rounds,"
            + " ms: median (least–most)%n",
        options.hanging,
        options.hang.toSeconds(),
        atOnce,
        store.name(),
        options.rate,
        options.rounds);
    out.printf("%-16s %24s %24s %24s%n", "", "before", "while they hang", "ratio");
    List<String> names = List.of("GET /task/{id}", "POST /task", "GET /health");
    for (int i = 0; i < names.size(); i++) {
      int question = i;
      out.printf(
          "%-16s %24s %24s %24s%n",
          names.get(i),
          Spread.of(rounds, r -> Round.millis(r.calm(), question)).show("%.2f"),
          Spread.of(rounds, r -> Round.millis(r.hanging(), question)).show("%.2f"),
          Spread.of(rounds, r -> r.ratio(question)).show("%.2f"));
    }
  }
}
