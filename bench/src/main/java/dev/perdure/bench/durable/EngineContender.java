// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Task;
import dev.perdure.engine.task.TaskChange;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.IntStream;

/** Perdure's engine, used as its guide describes. */
final class EngineContender implements DurableContender {

  private final BenchDatabase database;
  private final JdbcStore store;
  private final Engine engine;
  private final CompletionCounter completions = new CompletionCounter();

  /** The payload of a task. {@link DurableContender#payload} is its JSON. */
  record NoopPayload(int number) {}

  EngineContender(BenchDatabase database, int slots) {
    this.database = database;
    this.store = JdbcStore.open(database.url());
    this.engine =
        Engine.builder(store)
            .slots(slots)
            .listener(
                new EngineListener() {
                  @Override
                  public void onChanged(Task before, TaskChange change, Duration ran) {
                    if (change.to().isTerminal()) {
                      completions.add(1);
                    }
                  }
                })
            .build();
    engine.register(KIND, NoopPayload.class, (payload, context) -> {});
  }

  @Override
  public void submit(int first, int count) {
    engine.submitAll(
        IntStream.range(first, first + count)
            .mapToObj(number -> NewTask.of(KIND, new NoopPayload(number)))
            .toList());
  }

  @Override
  public void start() {
    engine.start();
  }

  @Override
  public void awaitEnded(int tasks) throws InterruptedException {
    completions.await(tasks);
  }

  @Override
  public Counts counts() throws SQLException {
    return TaskTableCounts.counts(database);
  }

  @Override
  public void close() {
    engine.close();
    store.close();
  }
}
