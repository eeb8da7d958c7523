// SPDX-License-Identifier: Apache-2.0
package dev.perdure.bench.durable;

import dev.perdure.engine.Engine;
import dev.perdure.engine.EngineListener;
import dev.perdure.engine.NewTask;
import dev.perdure.engine.task.Change;
import dev.perdure.engine.task.Task;
import dev.perdure.store.jdbc.JdbcStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.IntStream;

/** The engine on its store, used as its guide says. */
final class EngineContender implements Contender {

  private final Database database;
  private final JdbcStore store;
  private final Engine engine;
  private final Finish finish = new Finish();

  /** What a task carries; {@link Contender#payload} is its JSON. */
  record Work(int number) {}

  EngineContender(Database database, int slots) {
    this.database = database;
    this.store = JdbcStore.open(database.url());
    this.engine =
        Engine.builder(store)
            .slots(slots)
            .listener(
                new EngineListener() {
                  @Override
                  public void onChanged(Task before, Change change, Duration ran) {
                    if (change.to().isTerminal()) {
                      finish.count(1);
                    }
                  }
                })
            .build();
    engine.register(KIND, Work.class, (work, context) -> {});
  }

  @Override
  public void submit(int first, int count) {
    engine.submit(
        IntStream.range(first, first + count)
            .mapToObj(number -> NewTask.of(KIND, new Work(number)))
            .toList());
  }

  @Override
  public void start() {
    engine.start();
  }

  @Override
  public void awaitEnded(int tasks) throws InterruptedException {
    finish.await(tasks);
  }

  @Override
  public Counts counts() throws SQLException {
    return OurTables.counts(database);
  }

  @Override
  public void close() {
    engine.close();
    store.close();
  }
}
