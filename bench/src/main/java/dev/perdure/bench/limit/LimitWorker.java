// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.limit;

import dev.perdure.bench.limit.LimitRound.Execution;
import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.store.jdbc.JdbcStore;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A node in a process of its own. It starts to work when it reads a line, prints how many tasks
 * have ended whenever that changes, and stops when its input is closed. Arguments: the URL of the
 * database, and a file for the executions: the key, and when each began and ended, in microseconds.
 */
public final class LimitWorker {

  private static final Duration WORK = Duration.ofMillis(2);
  private static final Duration REPORT_EVERY = Duration.ofMillis(5);
  private static final int SLOTS = 100;

  private LimitWorker() {}

  public static void main(String[] args) throws IOException {
    Queue<Execution> executions = new ConcurrentLinkedQueue<>();
    AtomicInteger ended = new AtomicInteger();
    EngineListener counter =
        new EngineListener() {
          @Override
          public void onChanged(Task before, TaskChange change, Duration ran) {
            if (change.to().isTerminal()) {
              ended.incrementAndGet();
            }
          }
        };
    try (JdbcStore store = JdbcStore.open(args[0]);
        Engine engine = Engine.builder(store).slots(SLOTS).listener(counter).build()) {
      engine.register(
          LimitScenario.KIND,
          Integer.class,
          (key, context) -> {
            long from = micros();
            LockSupport.parkNanos(WORK.toNanos());
            executions.add(new Execution(key, from, micros()));
          });
      System.out.println("ready");
      System.in.read();
      engine.start();
      report(ended);
      engine.stop(Duration.ofSeconds(20));
    }
    try (Writer file = Files.newBufferedWriter(Path.of(args[1]), StandardCharsets.UTF_8)) {
      for (Execution one : executions) {
        file.write("%d %d %d%n".formatted(one.key(), one.from(), one.to()));
      }
    }
  }

  private static void report(AtomicInteger ended) throws IOException {
    int reported = -1;
    while (System.in.available() == 0) {
      int now = ended.get();
      if (now != reported) {
        System.out.println(now);
        reported = now;
      }
      LockSupport.parkNanos(REPORT_EVERY.toNanos());
    }
  }

  private static long micros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
  }
}
